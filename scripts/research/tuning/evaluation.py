"""One evaluation: all families aligned by a single `accord batch`, and scored."""
import json
import subprocess
import tempfile
import time
from collections import defaultdict
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple, Optional

from benchmark.errors import BenchmarkError

from .families import Member
from .scoring import Reference, Score

BAD_PARAMETERS = 65  # exit status of accord
CHUNK = 25  # families that a process scores at a time

_references: dict[str, Reference] = {}  # of a scoring process, by path


class Evaluation(NamedTuple):
    """What a parameter set is worth."""

    objective: float
    by_set: dict[str, float]  # mean (SP + TC) / 2; of BAliBASE the mean over its subsets
    scores: dict[str, Score]  # by the key of the family
    seconds: float


def objective(members: Sequence[Member],
              scores: dict[str, Score]) -> tuple[float, dict[str, float]]:
    """Mean over the sets of the mean over their groups of the mean (SP + TC) / 2: the sets count
    alike, and so do the groups of a set (the subsets of BAliBASE)."""
    groups: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for member in members:
        score = scores[member.key()]
        groups[member.family.dataset][member.family.group].append((score.sp() + score.tc()) / 2)
    by_set = {name: sum(sum(v) / len(v) for v in parts.values()) / len(parts)
              for name, parts in groups.items()}
    return sum(by_set.values()) / len(by_set), by_set


def _score_chunk(chunk: list[tuple[str, str, str]]) -> list[tuple[str, Score]]:
    """(key, alignment, reference) of some families, in a scoring process."""
    found = []
    for key, test, reference in chunk:
        if reference not in _references:
            _references[reference] = Reference(Path(reference))
        found.append((key, _references[reference].score(Path(test))))
    return found


class Evaluator:
    """Aligns and scores the same families again and again."""

    def __init__(self, accord: str, members: Sequence[Member], options: Sequence[str],
                 processes: int) -> None:
        """`options` go to every `accord batch`; `processes` score."""
        self.accord = accord
        self.members = list(members)
        self.options = list(options)
        self.pool = ProcessPoolExecutor(max_workers=processes)
        self.manifest = "".join(f"{m.key()}\t{m.family.path.resolve()}\n" for m in self.members)

    def close(self) -> None:
        """Ends the scoring processes."""
        self.pool.shutdown(cancel_futures=True)

    def __call__(self, parameters: dict[str, Any], device: str) -> Optional[Evaluation]:
        """None if accord refuses the parameters."""
        begin = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="accord-tune-") as scratch:
            directory = Path(scratch)
            (directory / "parameters.json").write_text(json.dumps(parameters), encoding="utf-8")
            (directory / "manifest.tsv").write_text(self.manifest, encoding="utf-8")
            command = [self.accord, "batch", str(directory / "manifest.tsv"), "-O",
                       str(directory / "out"), "-q", "-d", device, "--parameters",
                       str(directory / "parameters.json"), *self.options]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode == BAD_PARAMETERS:
                return None
            if done.returncode != 0:
                raise BenchmarkError(f"accord batch ended with {done.returncode}:\n"
                                     + done.stderr[-2000:])
            scores = self._scores(directory / "out")
        value, by_set = objective(self.members, scores)
        return Evaluation(value, by_set, scores, time.monotonic() - begin)

    def _scores(self, directory: Path) -> dict[str, Score]:
        tasks = [(m.key(), str(directory / f"{m.key()}.afa"), str(m.family.reference))
                 for m in self.members]
        chunks = [tasks[at:at + CHUNK] for at in range(0, len(tasks), CHUNK)]
        return {key: score for chunk in self.pool.map(_score_chunk, chunks)
                for key, score in chunk}


def write_scores(path: Path, members: Sequence[Member], scores: dict[str, Score]) -> None:
    """A line for each family: set, group, family, half, SP, TC, and the counts behind them."""
    lines = ["set\tgroup\tfamily\thalf\tSP\tTC\t" + "\t".join(Score._fields)]
    for member in members:
        family, score = member.family, scores[member.key()]
        lines.append("\t".join((family.dataset, family.group, family.name, member.half,
                                f"{score.sp():.6f}", f"{score.tc():.6f}", *map(str, score))))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
