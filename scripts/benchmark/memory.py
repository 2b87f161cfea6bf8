"""The resident memory of a process and all its descendants, looked at again and again."""
import os
import threading
from pathlib import Path
from typing import Callable

_FIRST_S, _LONGEST_S = 0.005, 0.05  # between two looks
_PAGE = os.sysconf("SC_PAGE_SIZE")


def children(process: int) -> list[int]:
    """The children of all threads of a process; none if it has ended, or Linux does not say."""
    found: list[int] = []
    try:
        for thread in Path(f"/proc/{process}/task").iterdir():
            found += map(int, (thread / "children").read_text(encoding="ascii").split())
    except OSError:
        pass
    return found


def resident_bytes(process: int) -> int:
    """Resident memory of a process; 0 if it has ended."""
    try:
        return int(Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()[1]) * _PAGE
    except (OSError, IndexError):
        return 0


def tree_bytes(process: int) -> int:
    """Resident memory of a process and its descendants together. Shared pages count for each."""
    return resident_bytes(process) + sum(map(tree_bytes, children(process)))


class TreePeak:
    """The largest tree_bytes() that was seen since this was made. A tree that lives for less than
    a few milliseconds may not be seen at all."""

    def __init__(self, process: int, measure: Callable[[int], int] = tree_bytes) -> None:
        """Begins to look, with `measure`."""
        self._process = process
        self._measure = measure
        self._peak = 0
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._thread.start()

    def _look(self) -> None:
        pause = _FIRST_S
        while not self._ended.wait(pause):
            self._peak = max(self._peak, self._measure(self._process))
            pause = min(1.2 * pause, _LONGEST_S)

    def end(self) -> int:
        """Ends looking; the peak in bytes."""
        self._ended.set()
        self._thread.join()
        return self._peak
