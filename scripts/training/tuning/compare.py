"""Parameter files beside each other on the same families."""
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from benchmark.errors import BenchmarkError
from benchmark.paired import compare

from .evaluation import Evaluation, Evaluator, write_scores


def compare_files(sets: Sequence[tuple[str, dict[str, Any]]], evaluate: Evaluator,
                  devices: Sequence[str], out: Path) -> str:
    """A table: SP/TC of each set and of each group of a set that has several, and against the
    first file families better/equal/worse and Wilcoxon's p of (SP + TC) / 2. `out` gets a file
    with every family for each."""
    names = [Path(name).stem for name, _ in sets]
    if len(set(names)) < len(names):
        raise BenchmarkError("two parameter files have the same name", "rename one")
    with ThreadPoolExecutor(len(devices)) as pool:
        found = list(pool.map(lambda k: evaluate(sets[k][1], devices[k % len(devices)]),
                              range(len(sets))))
    evaluations: list[Evaluation] = []
    for (name, _), evaluation in zip(sets, found):
        if evaluation is None:
            raise BenchmarkError(f"accord refuses the parameters of {name}",
                                 "accord check --parameters FILE says why")
        evaluations.append(evaluation)
        write_scores(out / f"{Path(name).stem}.tsv", evaluate.members, evaluation.scores)
    lines = ["families\tcount" + "".join(f"\t{name} SP/TC\tvs {names[0]}" for name in names)]
    for label, keys in _subsets(evaluate):
        line = f"{label}\t{len(keys)}"
        first = evaluations[0].scores
        for evaluation in evaluations:
            scores = [evaluation.scores[key] for key in keys]
            line += (f"\t{sum(s.sp() for s in scores) / len(keys):.4f}/"
                     f"{sum(s.tc() for s in scores) / len(keys):.4f}")
            test = compare([(s.sp() + s.tc()) / 2 for s in scores],
                           [(first[key].sp() + first[key].tc()) / 2 for key in keys])
            line += (f"\t{test.better}/{test.equal}/{test.worse} "
                     f"{test.mean_difference:+.4f} p={test.p_value:.2g}"
                     if evaluation is not evaluations[0] else "\t")
        lines.append(line)
    lines.append("objective\t" + "".join(f"\t{e.objective:.5f}\t" for e in evaluations))
    return "\n".join(lines) + "\n"


def _subsets(evaluate: Evaluator) -> list[tuple[str, list[str]]]:
    groups: dict[str, dict[str, list[str]]] = {}
    for member in evaluate.members:
        parts = groups.setdefault(member.family.dataset, {})
        parts.setdefault(member.family.group, []).append(member.key())
    subsets = []
    for name, parts in groups.items():
        if len(parts) > 1:
            subsets += [(f"{name} {group}", keys) for group, keys in parts.items()]
        subsets.append((name, [key for keys in parts.values() for key in keys]))
    subsets.append(("all", [member.key() for member in evaluate.members]))
    return subsets
