"""The report: a Markdown file with its figures beside it, and one HTML page that needs nothing."""
import math
from collections import Counter
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import NamedTuple, Optional, Union

from . import figures
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


class Heading(NamedTuple):
    """A heading of level 1 to 3."""

    level: int
    text: str


class Text(NamedTuple):
    """A paragraph of plain text."""

    text: str


class Table(NamedTuple):
    """A table; the first column is flush left. `bold` are the rows that stand out."""

    header: list[str]
    rows: list[list[str]]
    bold: tuple[int, ...] = ()


class Figure(NamedTuple):
    """An SVG document and the name of its file."""

    name: str
    svg: str


Block = Union[Heading, Text, Table, Figure]

STYLE = """
body{font-family:Helvetica,Arial,sans-serif;max-width:1100px;margin:2em auto;
padding:0 1em;color:#222;line-height:1.4}
table{border-collapse:collapse;margin:1em 0;font-size:14px;display:block;overflow-x:auto}
th,td{padding:3px 9px;text-align:right;border-bottom:1px solid #ddd}
th:first-child,td:first-child{text-align:left}th{border-bottom:2px solid #888}
tr.bold td{font-weight:bold;background:#fbf3f3}svg{max-width:100%;height:auto;margin:.6em 0}
h2{margin-top:2em;border-bottom:1px solid #ccc}
"""

DEFINITIONS = (
    "SP is the share of the residue pairs in the reference's scored columns that an alignment has, "
    "TC the share of the scored columns that it has right as a whole, both by `accord score`, "
    "averaged over families. A family on which a program failed or ran out of time counts as zero. "
    "CPU time is user plus system time of a program and its children, summed over families; peak "
    "memory is the resident memory of its processes together, looked at every 50 ms, and at least "
    "that of the largest, as far as it is above that of the harness, about 24 MiB; CPU time of a "
    "program that ran out of time is without its children's. "
    "Differences are paired by family and tested with Wilcoxon's signed-rank test, "
    "two-sided, exact up to 400 differences.")


def _pair(row: Optional[Row]) -> str:
    if row is None or math.isnan(row.sp):
        return "-"
    return f"{row.sp:.4f}/{row.tc:.4f}"


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


def accuracy_table(rows: list[Row]) -> Table:
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
    return Table(header, lines, tuple(i for i, n in enumerate(names) if n == "accord"))


def _p(value: float) -> str:
    return f"{value:.3f}" if value >= 0.001 else f"{value:.0e}"


def paired_table(results: list[Result], ours: str) -> Optional[Table]:
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
    if not lines:
        return None
    return Table([f"{ours} against", "families", "SP difference", "better/equal/worse", "p",
                  "TC difference", "better/equal/worse", "p"], lines)


def _dataset(dataset: str, results: list[Result], ours: str) -> list[Block]:
    blocks: list[Block] = [Heading(2, dataset)]
    scored = any(r.scored for r in results)
    tables = coverage(results)
    for number, (names, some) in enumerate(tables):
        rows = rows_of(some)
        count = len({family_key(r) for r in some})
        if number:
            fewer = [n for n in names if n not in tables[0][0]]
            if not fewer:
                continue
            blocks.append(Text(f"On the {count} families that {', '.join(fewer)} ran:"))
        blocks.append(accuracy_table(rows))
        if any(math.isnan(row.cpu_s) for row in rows if row.group == ALL):
            blocks.append(Text(f"Times are those of {main_machine(some)}; programs with '-' ran "
                               "some of these families on another machine."))
        if number == 0 and scored:
            title = f"{dataset}: accuracy against time, {count} families"
            timed = [row for row in rows if row.group == ALL and not math.isnan(row.cpu_s)]
            if timed:
                blocks.append(Figure(f"{dataset}-accuracy", figures.accuracy_against_time(
                    timed, title)))
            blocks.append(Figure(f"{dataset}-groups", figures.bars(
                rows, f"{dataset}: total column score by subset")))
    paired = paired_table(results, ours) if scored else None
    if paired:
        blocks += [Heading(3, f"{dataset}: paired comparison"), paired]
    rows = rows_of(results)
    curves = figures.scaling(rows, f"{dataset}: time against size")
    if curves:
        blocks.append(Figure(f"{dataset}-scaling", curves))
    shares = figures.stage_shares(rows, f"{dataset}: stages of accord, share of wall time")
    if shares:
        blocks.append(Figure(f"{dataset}-stages", shares))
    return blocks


def _programs(results: list[Result], absent: Sequence[tuple[str, str]]) -> list[Block]:
    lines, seen = [], set()
    for r in results:
        if (r.aligner, r.command) not in seen:
            seen.add((r.aligner, r.command))
            lines.append([r.aligner, r.version, "`" + r.command + "`"])
    threads = sorted({r.threads for r in results})
    blocks: list[Block] = [Heading(2, "Programs"), Table(["name", "version", "command"], lines),
                           Text("Threads a program: " + ", ".join(map(str, threads)) + ".")]
    if absent:
        blocks.append(Text("Known, but not run: " + ", ".join(
            f"{name} ({package})" for name, package in absent) + "."))
    return blocks


def _failures(results: list[Result]) -> list[Block]:
    lines = [[r.aligner, f"{r.dataset}/{r.group}/{r.family}", r.status, r.error]
             for r in results if r.status != "ok"]
    if not lines:
        return [Heading(2, "Failures"), Text("None.")]
    return [Heading(2, "Failures"), Table(["aligner", "family", "what", "message"], lines)]


def blocks_of(results: list[Result], absent: Sequence[tuple[str, str]] = (),
              ours: str = "accord") -> list[Block]:
    """The whole report."""
    merged = merge_rounds(results)
    machines = Counter(r.machine for r in merged).most_common()
    old = superseded(results)
    rounds = len({r.round for r in results})
    blocks: list[Block] = [
        Heading(1, "Benchmark of sequence aligners"), Text(DEFINITIONS),
        Text("Machine: " + "; ".join(
            name if len(machines) == 1 else f"{name} ({count} runs)"
            for name, count in machines) + "."),
        Text(f"{len(results)} runs, {rounds} of each; the aligners took turns on each family"
             + (", times are medians." if rounds > 1 else "."))]
    if old:
        lines = [f"{count} runs of {name} {version}" for (name, version), count in old.items()]
        blocks.append(Text("Left out, as there are runs of a later version or command: "
                           + ", ".join(lines) + "."))
    for dataset in dict.fromkeys(r.dataset for r in merged):
        blocks += _dataset(dataset, [r for r in merged if r.dataset == dataset], ours)
    return blocks + _failures(merged) + _programs(merged, absent)


def _code(text: str) -> str:
    """Escaped text with `code` marked up."""
    parts = escape(text).split("`")
    return "".join(f"<code>{p}</code>" if i % 2 else p for i, p in enumerate(parts))


def to_html(blocks: Sequence[Block]) -> str:
    """One page with everything in it."""
    out = ["<!DOCTYPE html>", '<html lang="en"><head><meta charset="utf-8">',
           "<title>Benchmark of sequence aligners</title>", f"<style>{STYLE}</style></head><body>"]
    for block in blocks:
        if isinstance(block, Heading):
            out.append(f"<h{block.level}>{escape(block.text)}</h{block.level}>")
        elif isinstance(block, Text):
            out.append(f"<p>{_code(block.text)}</p>")
        elif isinstance(block, Figure):
            out.append(block.svg)
        else:
            out.append("<table><tr>" + "".join(f"<th>{escape(c)}</th>" for c in block.header)
                       + "</tr>")
            for i, row in enumerate(block.rows):
                mark = ' class="bold"' if i in block.bold else ""
                out.append(f"<tr{mark}>" + "".join(f"<td>{_code(c)}</td>" for c in row) + "</tr>")
            out.append("</table>")
    return "\n".join(out + ["</body></html>"]) + "\n"


def to_markdown(blocks: Sequence[Block]) -> str:
    """Markdown; figures are files in figures/."""
    out = []
    for block in blocks:
        if isinstance(block, Heading):
            out.append("#" * block.level + " " + block.text)
        elif isinstance(block, Text):
            out.append(block.text)
        elif isinstance(block, Figure):
            out.append(f"![{block.name}](figures/{block.name}.svg)")
        else:
            lines = ["| " + " | ".join(block.header) + " |", "|---" * len(block.header) + "|"]
            for i, row in enumerate(block.rows):
                cells = [c.replace("|", "\\|") for c in row]
                cells = [f"**{c}**" for c in cells] if i in block.bold else cells
                lines.append("| " + " | ".join(cells) + " |")
            out.append("\n".join(lines))
    return "\n\n".join(out) + "\n"


def write(directory: Path, results: list[Result], absent: Sequence[tuple[str, str]] = ()) -> None:
    """Writes report.md, report.html, figures/ and summary.tsv."""
    blocks = blocks_of(results, absent)
    (directory / "figures").mkdir(parents=True, exist_ok=True)
    for block in blocks:
        if isinstance(block, Figure):
            (directory / "figures" / f"{block.name}.svg").write_text(block.svg, encoding="utf-8")
    (directory / "report.md").write_text(to_markdown(blocks), encoding="utf-8")
    (directory / "report.html").write_text(to_html(blocks), encoding="utf-8")
    write_rows(directory / "summary.tsv", rows_of(merge_rounds(results)))
