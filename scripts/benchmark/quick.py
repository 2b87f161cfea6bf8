"""The quick mode: accord on small families, compared with a committed baseline.

Accuracy is exact, so any difference is one of the program. Time is compared as a ratio: of CPU
seconds over those of a fixed piece of work on the same machine (crude, hence a wide tolerance), or
with `--against` of two builds that take turns (good to a few percent). The posteriors' share of the
peak is compared by itself (speed.py).
"""
import math
from pathlib import Path
from typing import NamedTuple

from . import machine, speed
from .errors import BenchmarkError
from .results import Result, share
from .summary import merge_rounds

BASELINE = Path(__file__).resolve().parent / "baseline.tsv"
FIELDS = ("dataset", "group", "family", "checksum", "pairs_correct", "pairs", "columns_correct",
          "columns", "cpu_s")
UNIT = "# core seconds: "  # machine.core_seconds() when the baseline was made
Key = tuple[str, str, str, str]


class Entry(NamedTuple):
    """A family in the baseline."""

    pairs_correct: int
    pairs: int
    columns_correct: int
    columns: int
    cpu_s: float

    @property
    def sp(self) -> float:
        """SP, in [0, 1]."""
        return share(self.pairs_correct, self.pairs)

    @property
    def tc(self) -> float:
        """TC, in [0, 1]."""
        return share(self.columns_correct, self.columns)


class Baseline(NamedTuple):
    """What a build of accord once did."""

    core_seconds: float
    share: speed.Share
    entries: dict[Key, Entry]


def _entries(results: list[Result]) -> dict[Key, Entry]:
    return {(r.dataset, r.group, r.family, r.checksum):
            Entry(r.pairs_correct, r.pairs, r.columns_correct, r.columns, r.cpu_s)
            for r in results}


def write_baseline(path: Path, results: list[Result], share_of_peak: speed.Share) -> None:
    """Writes what these results are, in the order of the families."""
    lines = [f"{UNIT}{machine.core_seconds():.4f} on {machine.describe()}",
             speed.to_line(share_of_peak), "\t".join(FIELDS)]
    lines += ["\t".join(key) + "\t" + "\t".join(map(str, entry[:4])) + f"\t{entry.cpu_s:.2f}"
              for key, entry in sorted(_entries(merge_rounds(results)).items())]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def read_baseline(path: Path) -> Baseline:
    """The inverse."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise BenchmarkError(f"cannot read the baseline {path}: {error.strerror}",
                             "make one with --update-baseline") from error
    if (len(lines) < 3 or not lines[0].startswith(UNIT) or not lines[1].startswith(speed.PREFIX)
            or lines[2] != "\t".join(FIELDS)):
        raise BenchmarkError(f"{path} is not a baseline", "make one with --update-baseline")
    entries = {}
    for line in lines[3:]:
        cells = line.split("\t")
        entries[cells[0], cells[1], cells[2], cells[3]] = Entry(
            int(cells[4]), int(cells[5]), int(cells[6]), int(cells[7]), float(cells[8]))
    return Baseline(float(lines[0][len(UNIT):].split()[0]), speed.from_line(lines[1]), entries)


def _mean(values: list[float]) -> float:
    return math.fsum(values) / len(values) if values else 0.0


def compare_accuracy(results: list[Result], baseline: Baseline) -> bool:
    """Prints what changed; True if nothing did."""
    now = _entries(results)
    common = [key for key in now if key in baseline.entries]
    changed = [key for key in common if now[key][:4] != baseline.entries[key][:4]]
    for key in changed:
        new, old = now[key], baseline.entries[key]
        print(f"  {'/'.join(key[:3])}: SP {old.sp:.4f} -> {new.sp:.4f}, "
              f"TC {old.tc:.4f} -> {new.tc:.4f}")
    failed = [r for r in results if r.status != "ok"]
    for r in failed:
        print(f"  {r.dataset}/{r.group}/{r.family} failed: {r.error}")
    for dataset in sorted({key[0] for key in common}):
        keys = [key for key in common if key[0] == dataset]
        before = [baseline.entries[key] for key in keys]
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


def compare_time(results: list[Result], baseline: Baseline, tolerance: float) -> bool:
    """Prints the ratio to the baseline; True unless it is above `tolerance`."""
    pairs = [(entry.cpu_s, baseline.entries[key].cpu_s)
             for key, entry in _entries(results).items() if key in baseline.entries]
    old = math.fsum(b for _, b in pairs) / baseline.core_seconds
    if old <= 0:
        print("time: nothing to compare")
        return False
    ratio = math.fsum(a for a, _ in pairs) / machine.core_seconds() / old
    verdict = "within" if ratio <= tolerance else "ABOVE"
    print(f"time: {math.fsum(a for a, _ in pairs):.1f} s of CPU, {ratio:.2f} of the baseline's "
          f"after scaling by machine, {verdict} the tolerance of {tolerance:.2f}")
    return ratio <= tolerance


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
