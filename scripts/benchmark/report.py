"""The report of a benchmark: a Markdown file, and a table of the means."""
import math
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Optional

from .paired import Paired, compare
from .results import Result
from .summary import (
    ALL,
    Row,
    coverage,
    family_key,
    main_machine,
    merge_rounds,
    rows_of,
    superseded,
    write_rows,
)

DEFINITIONS = (
    "SP is the share of the residue pairs in the reference's scored columns that an alignment has, "
    "TC the share of the scored columns that it has right as a whole, both by `accord score`, "
    "averaged over families. A family on which a program failed or ran out of time counts as zero. "
    "CPU time is user plus system time of a program and its children, summed over families; peak "
    "memory is the resident memory of its largest process, and at least that of the harness, about "
    "24 MiB; CPU time of a program that ran out of time is without its children's. "
    "Differences are paired by family and tested with Wilcoxon's signed-rank test, "
    "two-sided, exact up to 400 differences.")


def table(header: Sequence[str], rows: Sequence[Sequence[str]], bold: Sequence[int] = ()) -> str:
    """A table of Markdown; `bold` are the rows that stand out."""
    lines = ["| " + " | ".join(header) + " |", "|---" * len(header) + "|"]
    for i, row in enumerate(rows):
        cells = [cell.replace("|", "\\|") for cell in row]
        lines.append("| " + " | ".join(f"**{c}**" if i in bold else c for c in cells) + " |")
    return "\n".join(lines)


def _pair(row: Optional[Row]) -> str:
    return "-" if row is None or math.isnan(row.sp) else f"{row.sp:.4f}/{row.tc:.4f}"


def _seconds(value: float) -> str:
    if math.isnan(value):
        return "-"
    return f"{value:.1f}" if value < 100 else f"{value:.0f}"


def _by_score(rows: list[Row]) -> list[str]:
    """Aligners, the best TC first; without scores the fastest first."""
    whole = [row for row in rows if row.group == ALL]
    return [row.aligner for row in sorted(
        whole, key=lambda r: (0, -r.tc) if not math.isnan(r.tc) else
        (1, math.inf if math.isnan(r.cpu_s) else r.cpu_s))]


def accuracy_table(rows: list[Row]) -> str:
    """SP/TC by group, and what it cost."""
    groups = [g for g in dict.fromkeys(row.group for row in rows) if g != ALL]
    columns = (groups if len(groups) > 1 else []) + [ALL]
    found = {(row.group, row.aligner): row for row in rows}
    names = _by_score(rows)
    first = {g: found[g, names[0]].families for g in columns if (g, names[0]) in found}
    header = ["SP/TC"] + [f"{g} ({first.get(g, 0)})" for g in columns]
    header += ["CPU s", "wall s", "peak MiB", "failed"]
    lines = []
    for name in names:
        whole = found[ALL, name]
        lines.append([f"{name} {whole.version}"] +
                     [_pair(found.get((g, name))) for g in columns] +
                     [_seconds(whole.cpu_s), _seconds(whole.wall_s), f"{whole.peak_mib:.0f}",
                      str(whole.failed)])
    return table(header, lines, [i for i, name in enumerate(names) if name == "accord"])


def _p(value: float) -> str:
    return f"{value:.3f}" if value >= 0.001 else f"{value:.0e}"


def paired_lines(results: list[Result], ours: str) -> list[list[str]]:
    """`ours` against every other aligner, each on the families that both have run."""
    mine = {family_key(r): r for r in results if r.aligner == ours and r.scored}
    lines = []
    for name in dict.fromkeys(r.aligner for r in results if r.aligner != ours):
        theirs = [r for r in results if r.aligner == name and family_key(r) in mine]
        if not theirs:
            continue
        line = [name, str(len(theirs))]
        for measure in ("sp", "tc"):
            test: Paired = compare([getattr(mine[family_key(r)], measure) for r in theirs],
                                   [getattr(r, measure) for r in theirs])
            line += [f"{test.mean_difference:+.4f}", f"{test.better}/{test.equal}/{test.worse}",
                     _p(test.p_value)]
        lines.append(line)
    return lines


def _dataset(dataset: str, results: list[Result], ours: str) -> list[str]:
    blocks = [f"## {dataset}"]
    tables = coverage(results)
    for number, (names, some) in enumerate(tables):
        rows = rows_of(some)
        if number:
            fewer = [n for n in names if n not in tables[0][0]]
            if not fewer:
                continue
            count = len({family_key(r) for r in some})
            blocks.append(f"On the {count} families that {', '.join(fewer)} ran:")
        blocks.append(accuracy_table(rows))
        if any(math.isnan(row.cpu_s) for row in rows if row.group == ALL):
            blocks.append(f"Times are those of {main_machine(some)}; programs with '-' ran some of "
                          "these families on another machine.")
    paired = paired_lines(results, ours) if any(r.scored for r in results) else []
    if paired:
        blocks += [f"### {dataset}: paired comparison", table(
            [f"{ours} against", "families", "SP difference", "better/equal/worse", "p",
             "TC difference", "better/equal/worse", "p"], paired)]
    return blocks


def _programs(results: list[Result], absent: Sequence[tuple[str, str]]) -> list[str]:
    lines = list(dict.fromkeys((r.aligner, r.version, f"`{r.command}`") for r in results))
    threads = sorted({r.threads for r in results})
    blocks = ["## Programs", table(["name", "version", "command"], lines),
              "Threads a program: " + ", ".join(map(str, threads)) + "."]
    if absent:
        blocks.append("Known, but not run: " + ", ".join(
            f"{name} ({package})" for name, package in absent) + ".")
    return blocks


def _failures(results: list[Result]) -> list[str]:
    lines = [[r.aligner, f"{r.dataset}/{r.group}/{r.family}", r.status, r.error]
             for r in results if r.status != "ok"]
    return ["## Failures",
            table(["aligner", "family", "what", "message"], lines) if lines else "None."]


def to_markdown(results: list[Result], absent: Sequence[tuple[str, str]] = (),
                ours: str = "accord") -> str:
    """The whole report."""
    merged = merge_rounds(results)
    machines = Counter(r.machine for r in merged).most_common()
    old = superseded(results)
    rounds = len({r.round for r in results})
    blocks = ["# Benchmark of sequence aligners", DEFINITIONS, "Machine: " + "; ".join(
        name if len(machines) == 1 else f"{name} ({count} runs)"
        for name, count in machines) + ".",
        f"{len(results)} runs, {rounds} of each; the aligners took turns on each family"
        + (", times are medians." if rounds > 1 else ".")]
    if old:
        lines = [f"{count} runs of {name} {version}" for (name, version), count in old.items()]
        blocks.append("Left out, as there are runs of a later version or command: "
                      + ", ".join(lines) + ".")
    for dataset in dict.fromkeys(r.dataset for r in merged):
        blocks += _dataset(dataset, [r for r in merged if r.dataset == dataset], ours)
    return "\n\n".join(blocks + _failures(merged) + _programs(merged, absent)) + "\n"


def write(directory: Path, results: list[Result], absent: Sequence[tuple[str, str]] = ()) -> None:
    """Writes report.md and summary.tsv."""
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "report.md").write_text(to_markdown(results, absent), encoding="utf-8")
    write_rows(directory / "summary.tsv", rows_of(merge_rounds(results)))
