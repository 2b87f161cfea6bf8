"""One evaluation: all families aligned by a single `accord batch`, and scored by `accord score`."""
import json
import subprocess
import tempfile
import time
from collections import defaultdict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple, Optional

from benchmark.datasets import Family
from benchmark.errors import BenchmarkError
from benchmark.runner import score

BAD_PARAMETERS = 65  # exit status of accord


class Score(NamedTuple):
    """The counts of `accord score`."""

    pairs_correct: int
    pairs: int
    columns_correct: int
    columns: int

    def sp(self) -> float:
        """Sum of pairs."""
        return self.pairs_correct / self.pairs

    def tc(self) -> float:
        """Total column."""
        return self.columns_correct / self.columns


class Evaluation(NamedTuple):
    """What a parameter set is worth."""

    objective: float
    by_set: dict[str, float]  # mean (SP + TC) / 2; of BAliBASE the mean over its subsets
    seconds: float


def key(family: Family) -> str:
    """What the manifest of a batch calls a family."""
    return "~".join((family.dataset, family.group, family.name))


def objective(families: Sequence[Family],
              scores: dict[str, Score]) -> tuple[float, dict[str, float]]:
    """Mean over the sets of the mean over their groups of the mean (SP + TC) / 2: the sets count
    alike, and so do the groups of a set (the subsets of BAliBASE)."""
    groups: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for family in families:
        found = scores[key(family)]
        groups[family.dataset][family.group].append((found.sp() + found.tc()) / 2)
    by_set = {name: sum(sum(v) / len(v) for v in parts.values()) / len(parts)
              for name, parts in groups.items()}
    return sum(by_set.values()) / len(by_set), by_set


class Evaluator:
    """Aligns and scores the same families again and again."""

    def __init__(self, accord: str, families: Sequence[Family], threads: int) -> None:
        """`threads` of every `accord batch`, and scores at a time."""
        self.accord = accord
        self.families = list(families)
        self.threads = threads
        self.manifest = "".join(f"{key(f)}\t{f.path.resolve()}\n" for f in self.families)

    def __call__(self, parameters: dict[str, Any], device: str) -> Optional[Evaluation]:
        """None if accord refuses the parameters."""
        begin = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="accord-tune-") as scratch:
            directory = Path(scratch)
            (directory / "parameters.json").write_text(json.dumps(parameters), encoding="utf-8")
            (directory / "manifest.tsv").write_text(self.manifest, encoding="utf-8")
            command = [self.accord, "batch", str(directory / "manifest.tsv"), "-O",
                       str(directory / "out"), "-q", "-d", device, "-j", str(self.threads),
                       "--parameters", str(directory / "parameters.json")]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode == BAD_PARAMETERS:
                return None
            if done.returncode != 0:
                raise BenchmarkError(f"accord batch ended with {done.returncode}:\n"
                                     + done.stderr[-2000:])
            with ThreadPoolExecutor(self.threads) as pool:
                scores = dict(pool.map(lambda f: (key(f), self._score(f, directory / "out")),
                                       self.families))
        value, by_set = objective(self.families, scores)
        return Evaluation(value, by_set, time.monotonic() - begin)

    def _score(self, family: Family, directory: Path) -> Score:
        assert family.reference is not None
        counts, problem = score(self.accord, directory / f"{key(family)}.afa", family.reference)
        if counts is None:
            raise BenchmarkError(f"{family.label()} cannot be scored: {problem}")
        return Score(*counts)
