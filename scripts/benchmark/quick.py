"""The quick mode: accord on small families, compared with a committed baseline.

Accuracy is exact, so any difference is one of the program. Time is compared with another build
(`--against`) that takes turns with this one, which is good to a few percent.
"""
import math
from pathlib import Path
from typing import NamedTuple

from .errors import BenchmarkError
from .results import Result, share
from .summary import merge_rounds

BASELINE = Path(__file__).resolve().parent / "baseline.tsv"
FIELDS = ("dataset", "group", "family", "checksum", "pairs_correct", "pairs", "columns_correct",
          "columns")
Key = tuple[str, str, str, str]


class Entry(NamedTuple):
    """A family in the baseline."""

    pairs_correct: int
    pairs: int
    columns_correct: int
    columns: int

    @property
    def sp(self) -> float:
        """SP, in [0, 1]."""
        return share(self.pairs_correct, self.pairs)

    @property
    def tc(self) -> float:
        """TC, in [0, 1]."""
        return share(self.columns_correct, self.columns)


Baseline = dict[Key, Entry]


def _entries(results: list[Result]) -> Baseline:
    return {(r.dataset, r.group, r.family, r.checksum):
            Entry(r.pairs_correct, r.pairs, r.columns_correct, r.columns) for r in results}


def write_baseline(path: Path, results: list[Result]) -> None:
    """Writes what these results are, in the order of the families."""
    lines = ["\t".join(FIELDS)]
    lines += ["\t".join((*key, *map(str, entry)))
              for key, entry in sorted(_entries(merge_rounds(results)).items())]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def read_baseline(path: Path) -> Baseline:
    """The inverse."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise BenchmarkError(f"cannot read the baseline {path}: {error.strerror}",
                             "make one with --update-baseline") from error
    if not lines or lines[0] != "\t".join(FIELDS):
        raise BenchmarkError(f"{path} is not a baseline", "make one with --update-baseline")
    cells = [line.split("\t") for line in lines[1:]]
    return {(row[0], row[1], row[2], row[3]): Entry(*map(int, row[4:])) for row in cells}


def _mean(values: list[float]) -> float:
    return math.fsum(values) / len(values) if values else 0.0


def compare_accuracy(results: list[Result], baseline: Baseline) -> bool:
    """Prints what changed; True if nothing did."""
    now = _entries(results)
    common = [key for key in now if key in baseline]
    changed = [key for key in common if now[key] != baseline[key]]
    for key in changed:
        new, old = now[key], baseline[key]
        print(f"  {'/'.join(key[:3])}: SP {old.sp:.4f} -> {new.sp:.4f}, "
              f"TC {old.tc:.4f} -> {new.tc:.4f}")
    failed = [r for r in results if r.status != "ok"]
    for r in failed:
        print(f"  {r.dataset}/{r.group}/{r.family} failed: {r.error}")
    for dataset in sorted({key[0] for key in common}):
        keys = [key for key in common if key[0] == dataset]
        before = [baseline[key] for key in keys]
        after = [now[key] for key in keys]
        print(f"{dataset}: {len(keys)} families, SP {_mean([e.sp for e in before]):.4f} -> "
              f"{_mean([e.sp for e in after]):.4f}, TC {_mean([e.tc for e in before]):.4f} -> "
              f"{_mean([e.tc for e in after]):.4f}")
    unknown = len(now) - len(common)
    if unknown:
        print(f"{unknown} families are not in the baseline (--update-baseline adds them)")
    if not common:
        print("accuracy: nothing to compare")
        return False
    if changed or failed:
        noun = "family" if len(changed) == 1 else "families"
        print(f"accuracy: {len(changed)} {noun} changed, {len(failed)} failed")
        return False
    print(f"accuracy: the same as the baseline on all {len(common)} families")
    return True


def compare_builds(results: list[Result], ours: str, theirs: str, tolerance: float) -> bool:
    """Prints the ratio of two builds that took turns; True unless it is above `tolerance`."""
    cpu = {name: math.fsum(r.cpu_s for r in results if r.aligner == name)
           for name in (ours, theirs)}
    if cpu[theirs] <= 0:
        print("time: nothing to compare")
        return False
    ratio = cpu[ours] / cpu[theirs]
    verdict = "within" if ratio <= tolerance else "ABOVE"
    print(f"time: {cpu[ours]:.1f} s of CPU, {ratio:.3f} of the other build's {cpu[theirs]:.1f} s, "
          f"{verdict} the tolerance of {tolerance:.2f}")
    return ratio <= tolerance
