"""The one error that the user can do something about."""


class BenchmarkError(Exception):
    """Says what failed, on what, and what to try; shown without a traceback."""

    def __init__(self, text: str, hint: str = "", status: int = 2) -> None:
        """`status` is the exit status: 2 usage, 73 cannot create, 74 cannot write."""
        super().__init__(text)
        self.hint = hint
        self.status = status
