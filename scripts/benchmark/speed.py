"""How near accord's posteriors come to the most that a core can do.

Both are measured in the same run of `accord_bench`, so that the share says more of the program than
of the machine; it differs between processors, though, and falls where others fill the caches.
"""
import json
import subprocess
from typing import NamedTuple

from .errors import BenchmarkError

SHAPES = ((60, 300, 5), (5, 300, 100))  # sequences, residues, repeats; the fastest counts
RUNS = 3  # of the posteriors, and of the peak alone; the best counts
PREFIX = "# share of the peak: "


class Share(NamedTuple):
    """Cells of posteriors a second on one core over what its fused multiply-adds allow."""

    backend: str  # accord's name of the instruction set
    of_peak: dict[str, float]  # by shape, as in 60x300


def measure(program: str) -> Share:
    """Runs `accord_bench`, which stands beside the program, on one core for each shape."""
    backend, of_peak = "", {}
    for sequences, length, repeats in SHAPES:
        runs = [_run(program, sequences, length, repeats) for _ in range(RUNS)]
        backend = runs[0].backend
        of_peak[f"{sequences}x{length}"] = (max(run.per_second for run in runs) /
                                            max(run.peak_per_second for run in runs))
    return Share(backend, of_peak)


class _Run(NamedTuple):
    backend: str
    per_second: float  # cells
    peak_per_second: float


def _run(program: str, sequences: int, length: int, repeats: int) -> _Run:
    command = [f"{program}_bench", "--sequences", str(sequences), "--length", str(length),
               "--stages", "posteriors", "--repeats", str(repeats), "-d", "none", "-j", "1",
               "--json"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError as error:
        raise BenchmarkError(f"there is no {command[0]}",
                             "cmake --build build --target accord_bench") from error
    if done.returncode != 0:
        raise BenchmarkError(f"{' '.join(command)} failed with {done.returncode}: "
                             f"{done.stderr.strip()}", "")
    measured = json.loads(done.stdout)["results"][0]
    per_second = float(measured["per_second"])
    return _Run(str(measured["backend"]), per_second,
                per_second / float(measured["share_of_peak"]))


def to_line(share: Share) -> str:
    """A line of the baseline."""
    return PREFIX + "\t".join([share.backend, *(f"{shape}={value:.4f}"
                                                for shape, value in share.of_peak.items())])


def from_line(line: str) -> Share:
    """The inverse."""
    backend, *shapes = line[len(PREFIX):].split("\t")
    pairs: list[tuple[str, str, str]] = [shape.partition("=") for shape in shapes]
    return Share(backend, {shape: float(value) for shape, _, value in pairs})


def compare(now: Share, then: Share, tolerance: float) -> bool:
    """Prints the shares; True unless one is less than the baseline's by more than `tolerance`, a
    ratio. Those of other instruction sets are not compared."""
    if now.backend != then.backend:
        print(f"posteriors: not compared, {now.backend} is not the baseline's {then.backend}")
        return True
    same = True
    for shape in sorted(now.of_peak.keys() & then.of_peak.keys()):
        ratio = then.of_peak[shape] / now.of_peak[shape]
        verdict = "within" if ratio <= tolerance else "ABOVE"
        same = same and ratio <= tolerance
        print(f"posteriors {shape}: {now.of_peak[shape]:.1%} of the peak, the baseline "
              f"{ratio:.2f} times as much, {verdict} the tolerance of {tolerance:.2f}")
    return same
