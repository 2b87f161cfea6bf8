"""The results: a TSV with one line for each run, appended as runs end, and read to go on."""
import fcntl
import os
from pathlib import Path
from typing import NamedTuple

from .errors import BenchmarkError


def share(correct: int, scored: int) -> float:
    """SP or TC, in [0, 1], from counts of pairs or columns; 0 where nothing is scored."""
    return correct / scored if scored else 0.0


class Result(NamedTuple):
    """One aligner on one family, once. A family without a reference has pairs = 0."""

    dataset: str
    group: str
    family: str
    checksum: str
    sequences: int
    longest: int
    kind: str
    aligner: str
    version: str
    command: str
    round: int
    threads: int
    status: str  # ok, failed or timeout
    exit: int
    limit_s: float
    pairs_correct: int
    pairs: int
    columns_correct: int
    columns: int
    wall_s: float
    user_s: float
    system_s: float
    peak_mib: float
    machine: str
    error: str

    def key(self) -> tuple[object, ...]:
        """What makes another run the same run."""
        return (self.dataset, self.group, self.family, self.checksum, self.aligner, self.version,
                self.command, self.threads, self.round)

    @property
    def scored(self) -> bool:
        """Is there a reference? Then a failed family has SP and TC of zero."""
        return self.pairs > 0

    @property
    def sp(self) -> float:
        """SP, in [0, 1]."""
        return share(self.pairs_correct, self.pairs)

    @property
    def tc(self) -> float:
        """TC, in [0, 1]."""
        return share(self.columns_correct, self.columns)

    @property
    def cpu_s(self) -> float:
        """User and system time."""
        return self.user_s + self.system_s


FIELDS = Result._fields
HEADER = "\t".join(FIELDS)
_TYPES = [Result.__annotations__[name] for name in FIELDS]


def to_line(result: Result) -> str:
    """One line; tabs and line ends in texts become spaces."""
    cells = [f"{value:.4f}" if isinstance(value, float) else " ".join(str(value).split())
             for value in result]
    return "\t".join(cells) + "\n"


def from_line(line: str) -> Result:
    """The inverse of to_line.
    Throws  ValueError if it is not such a line"""
    cells = line.split("\t")
    if len(cells) != len(FIELDS):
        raise ValueError(f"{len(cells)} fields instead of {len(FIELDS)}")
    return Result(*(kind(cell) for kind, cell in zip(_TYPES, cells)))


def read_results(path: Path) -> list[Result]:
    """The runs of a file, each once: of two lines with one key the later counts. What follows the
    last line end was cut off by an interruption, and is not read."""
    try:
        lines = path.read_text(encoding="utf-8").split("\n")[:-1]
    except OSError as error:
        raise BenchmarkError(f"cannot read {path}: {error.strerror}") from error
    if lines and lines[0] != HEADER:
        raise BenchmarkError(f"{path} is not a results file of this version of the harness",
                             "name another directory with --out")
    found: dict[tuple[object, ...], Result] = {}
    for number, line in enumerate(lines[1:], 2):
        try:
            result = from_line(line)
        except ValueError as error:
            raise BenchmarkError(f"{path}:{number}: {error}", "remove the line") from error
        found.pop(result.key(), None)
        found[result.key()] = result
    return list(found.values())


class ResultFile:
    """A results file open for more; one process at a time."""

    def __init__(self, path: Path) -> None:
        """Creates the file, or goes on with its lines, without one that an interruption cut."""
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.exists() and not path.is_file():
                raise BenchmarkError(f"cannot write {path}: it is not a regular file",
                                     "choose another directory with --out", 73)
            self._file = open(path, "a+b", buffering=0)
        except OSError as error:
            raise BenchmarkError(f"cannot write {path}: {error.strerror}",
                                 "choose another directory with --out", 73) from error
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            self._file.close()
            raise BenchmarkError(f"another run is writing {path}",
                                 "wait for it, or name another directory with --out") from error
        self._file.seek(0)
        text = self._file.read()
        whole = text.rfind(b"\n") + 1
        if whole < len(text):
            os.ftruncate(self._file.fileno(), whole)
        if whole == 0:
            self._write(HEADER + "\n")
        self.done = {result.key(): result for result in read_results(path)}

    def _write(self, text: str) -> None:
        data = text.encode("utf-8")
        try:
            written = self._file.write(data)
        except OSError as error:
            raise BenchmarkError(f"cannot write {self.path}: {error.strerror}",
                                 "is there room left on the disk?", 74) from error
        if written != len(data):
            raise BenchmarkError(f"cannot write {self.path}: the disk is full",
                                 "make room; the same command goes on", 74)

    def add(self, result: Result) -> None:
        """Appends one run. Not to be called by two threads at once."""
        self._write(to_line(result))
        self.done[result.key()] = result

    def close(self) -> None:
        """Lets others write."""
        self._file.close()
