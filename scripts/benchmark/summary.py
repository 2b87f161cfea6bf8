"""Results -> one value a family -> means of every group; kept as a small TSV for the figures."""
import math
import statistics
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from .results import Result

ALL = "all"  # the group of all families of a dataset

FamilyKey = tuple[str, str, str, str]  # dataset, group, family, checksum


class Row(NamedTuple):
    """Means of one aligner over the families of a group."""

    dataset: str
    group: str
    aligner: str
    version: str
    families: int
    failed: int
    sp: float  # NaN if nothing is scored
    tc: float
    cpu_s: float  # summed over families, as wall_s; NaN if not all ran on the dataset's machine
    wall_s: float
    peak_mib: float  # largest
    sequences: float  # mean
    longest: float  # mean


def newest(results: Iterable[Result]) -> dict[tuple[str, str], tuple[str, str]]:
    """Version and command that count, by aligner and kind of family: the last in the file."""
    return {(r.aligner, r.kind): (r.version, r.command) for r in results}


def superseded(results: list[Result]) -> dict[tuple[str, str], int]:
    """For each (aligner, version) with a later version, its number of runs; they do not count."""
    last = newest(results)
    return dict(Counter((r.aligner, r.version) for r in results
                        if last[r.aligner, r.kind] != (r.version, r.command)))


def main_machine(results: Iterable[Result]) -> str:
    """The machine that most of the results are from; only its times are compared."""
    return Counter(r.machine for r in results).most_common(1)[0][0]


def merge_rounds(results: Iterable[Result]) -> list[Result]:
    """One result a family, aligner and command: medians over the rounds. Of several versions of an
    aligner the last in the file counts. A family that failed in any round has failed. Rounds on two
    machines are of neither: both are named."""
    results = list(results)
    last = newest(results)
    rounds: dict[tuple[object, ...], list[Result]] = {}
    for result in results:
        if last[result.aligner, result.kind] == (result.version, result.command):
            key = result.key()[:-1]  # all but the round
            rounds.setdefault(key, []).append(result)
    merged = []
    for group in rounds.values():
        worst = next((r for r in group if r.status != "ok"), group[-1])
        machines = " and ".join(dict.fromkeys(r.machine for r in group))
        merged.append(worst._replace(machine=machines, **{
            field: statistics.median(getattr(r, field) for r in group)
            for field in ("wall_s", "user_s", "system_s", "peak_mib")}))
    return merged


def family_key(result: Result) -> FamilyKey:
    """What two aligners have in common."""
    return result.dataset, result.group, result.family, result.checksum


def _mean(values: list[float]) -> float:
    return math.fsum(values) / len(values) if values else math.nan


def summarize(dataset: str, group: str, results: list[Result], machine: str) -> Row:
    """The means of one aligner's results. Scores are the same on every machine; times are given
    only if all of them are of `machine`."""
    here = all(r.machine == machine for r in results)
    scored = [r for r in results if r.scored]
    return Row(dataset, group, results[0].aligner, results[0].version, len(results),
               sum(r.status != "ok" for r in results),
               _mean([r.sp for r in scored]), _mean([r.tc for r in scored]),
               math.fsum(r.cpu_s for r in results) if here else math.nan,
               math.fsum(r.wall_s for r in results) if here else math.nan,
               max(r.peak_mib for r in results),
               _mean([float(r.sequences) for r in results]),
               _mean([float(r.longest) for r in results]))


def rows_of(results: list[Result]) -> list[Row]:
    """A row for each group and aligner, and one for all groups of a dataset, in the order in which
    datasets and aligners first come; groups by name. Times are those of the machine that most of a
    dataset's results are from."""
    tables: dict[tuple[str, str], dict[str, list[Result]]] = {}
    for result in results:
        for group in (result.group, ALL):
            tables.setdefault((result.dataset, group), {}) \
                .setdefault(result.aligner, []).append(result)
    order = {name: i for i, name in enumerate(dict.fromkeys(r.dataset for r in results))}
    keys = sorted(tables, key=lambda key: (order[key[0]], key[1] == ALL, key[1]))
    machine = {name: main_machine(r for r in results if r.dataset == name) for name in order}
    return [summarize(dataset, group, found, machine[dataset])
            for dataset, group in keys for found in tables[dataset, group].values()]


def coverage(results: list[Result]) -> list[tuple[list[str], list[Result]]]:
    """Splits a dataset's results into tables that compare like with like: the families that the
    most complete aligners have run, and those of each aligner that has run fewer. Each table has
    the names of all aligners that ran all of its families, and their results on these."""
    families: dict[str, set[FamilyKey]] = {}
    for result in results:
        families.setdefault(result.aligner, set()).add(family_key(result))
    tables = []
    for wanted in sorted({frozenset(f) for f in families.values()}, key=lambda f: -len(f)):
        names = [name for name, found in families.items() if found >= wanted]
        tables.append((names, [r for r in results
                               if r.aligner in names and family_key(r) in wanted]))
    return tables


def write_rows(path: Path, rows: list[Row]) -> None:
    """Writes them as TSV."""
    lines = ["\t".join(Row._fields)]
    lines += ["\t".join(f"{value:.4f}" if isinstance(value, float) else str(value)
                        for value in row) for row in rows]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
