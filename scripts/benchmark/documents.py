"""The tables of README and documents: read from docs/benchmarks/*.tsv, written between marks.

A table is a TSV below lines that begin with '#':

  #title TEXT             of the table
  #layout LAYOUT          plain, or of scores: others, sets, parts (see LAYOUTS)
  #note TEXT              a line below the table; may be repeated
  #run KEY=VALUE<tab>...  where figures come from; the keys are those of RUN_KEYS

A run of accord's scores names the digests of the outputs (outputs.py) of its day. Where today's
differ, the page has a mark at the scores, and says at the run that outputs have changed since.
README has neither marks nor sources, but a line with the version of accord's scores.

Its column 'run' names the run of a line, and is not shown. Tables of scores have the columns of
SCORES. In a page the table stands between '<!-- table NAME -->' and '<!-- end of table -->';
'<!-- table NAME: LABEL; LABEL -->' takes these rows alone.
"""
import math
import re
import textwrap
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple, Optional

from . import outputs
from .errors import BenchmarkError
from .outputs import ROOT

TABLES = ROOT / "docs" / "benchmarks"
README = ROOT / "README.md"
PAGES = (README, ROOT / "docs" / "benchmarks.md")
RUN_KEYS = ("run", "commit", "date", "machine", "parameters", "command", "outputs", "log")
MAY_BE_EMPTY = ("outputs", "log")
EARLIER = "†‡§¶"  # marks of the runs of earlier versions
SCORES = ["set", "part", "families", "program", "SP", "TC", "CPU_s", "run"]
# What stands across the table; 'others': accord, and a cell for all other programs.
LAYOUTS = {"plain": "", "others": "", "sets": "set", "parts": "part"}
CHECKSUM = re.compile(r"[0-9a-f]{12}(, [0-9a-f]{12})?")
MARKED = re.compile(r"(<!-- table ([\w-]+)(?:: ([^>]*?))? -->\n).*?(<!-- end of table -->)", re.S)

Row = dict[str, str]


class Table(NamedTuple):
    """A file of docs/benchmarks."""

    name: str
    title: str
    layout: str
    notes: list[str]
    runs: list[Row]
    columns: list[str]
    rows: list[Row]


def read_table(path: Path) -> Table:
    """Reads a file.
    Throws  BenchmarkError if it is not such a file"""
    heads: dict[str, list[str]] = {"title": [], "layout": [], "note": [], "run": []}
    columns: list[str] = []
    rows: list[Row] = []
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise BenchmarkError(f"cannot read {path}: {error.strerror}") from error
    for number, line in enumerate(lines, 1):
        if line.startswith("#"):
            key, _, text = line[1:].partition(" ")
            if key not in heads:
                raise BenchmarkError(f"{path}:{number}: unknown line '#{key}'")
            heads[key].append(text)
        elif not columns:
            columns = line.split("\t")
        else:
            cells = line.split("\t")
            if len(cells) != len(columns):
                raise BenchmarkError(f"{path}:{number}: {len(cells)} cells, not {len(columns)}")
            rows.append(dict(zip(columns, cells)))
    runs = [dict(cell.partition("=")[::2] for cell in text.split("\t")) for text in heads["run"]]
    table = Table(path.stem, "".join(heads["title"]), "".join(heads["layout"]), heads["note"], runs,
                  columns, rows)
    check(table, path)
    return table


def check(table: Table, path: Path) -> None:
    """Refuses a table with a part that cannot be shown, or whose origin is not stated."""
    if table.layout not in LAYOUTS or not table.title or not table.rows:
        raise BenchmarkError(f"{path}: a title, a known layout and rows are wanted")
    if table.layout != "plain" and table.columns != SCORES:
        raise BenchmarkError(f"{path}: the columns of scores are {', '.join(SCORES)}")
    for run in table.runs:
        if tuple(run) != RUN_KEYS or not all(
                run[key] for key in RUN_KEYS if key not in MAY_BE_EMPTY):
            raise BenchmarkError(f"{path}: a run has {', '.join(RUN_KEYS)}")
        kinds = kinds_of(table, run) - {part.partition(":")[0] for part in run["outputs"].split()}
        if kinds:
            raise BenchmarkError(f"{path}: the run {run['run']} names no digest of its "
                                 f"{' and '.join(sorted(kinds))} outputs", "see outputs.py")
    names = [run["run"] for run in table.runs]
    used = {row.get("run", "") for row in table.rows}
    if used != set(names) or len(names) != len(used):
        raise BenchmarkError(f"{path}: runs {sorted(names)} are not those of rows, {sorted(used)}")


def kinds_of(table: Table, run: Row) -> set[str]:
    """The digests that the scores of a run depend on."""
    return {outputs.kind_of(row) for row in table.rows
            if table.layout != "plain" and row["run"] == run["run"]} - {""}


def earlier(table: Table, today: Mapping[str, str]) -> dict[tuple[str, str], str]:
    """A mark for each run and digest that differs from today's."""
    old = [(run["run"], kind) for run in table.runs for kind in sorted(kinds_of(table, run))
           if f"{kind}:{today[kind]}" not in run["outputs"].split()]
    marks = dict(zip(dict.fromkeys(run for run, _ in old), EARLIER))
    return {(run, kind): marks[run] for run, kind in old}


def write_table(path: Path, table: Table) -> None:
    """The inverse of read_table."""
    lines = [f"#title {table.title}", f"#layout {table.layout}"]
    lines += [f"#note {note}" for note in table.notes]
    lines += ["#run " + "\t".join(f"{key}={run[key]}" for key in RUN_KEYS) for run in table.runs]
    lines.append("\t".join(table.columns))
    lines += ["\t".join(row[name] for name in table.columns) for row in table.rows]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def label(row: Row) -> str:
    """What a line of scores is called, without what stands across."""
    return row["set"] + (f", {row['part']}" if row["part"] else "")


def scores(row: Row) -> str:
    """SP/TC, of pairs of sequences SP alone; without the 0 before the point; with the mark."""
    both = "/".join(row[name].lstrip("0") for name in ("SP", "TC") if row[name])
    return both + row.get("mark", "")


def total(row: Row) -> float:
    """The sum of the scores of a row, by which rows are compared."""
    return sum(float(row[name]) for name in ("SP", "TC") if row[name])


def marked(row: Row, rivals: list[Row]) -> str:
    """The scores, in bold if they are the best of several."""
    best = len(rivals) > 1 and math.isclose(total(row), max(map(total, rivals)))
    return f"**{scores(row)}**" if best else scores(row)


def others(rows: list[Row]) -> tuple[list[str], list[list[str]]]:
    """A line a set: accord, and all other programs in one cell."""
    cells = []
    for name in dict.fromkeys(map(label, rows)):
        here = [row for row in rows if label(row) == name]
        ours = next(row for row in here if row["program"] == "accord")
        rest = [f"{row['program']} {marked(row, here)}" for row in here if row is not ours]
        cells.append([name, ours["families"], marked(ours, here), ", ".join(rest)])
    return ["", "families", "accord", "others"], cells


def crossed(rows: list[Row], across: str) -> tuple[list[str], list[list[str]]]:
    """A line a program (sets across) or a set (parts across). CPU seconds stand beside a column of
    which rows have them; the number of families in the head, or in the cells if it differs."""
    down = "program" if across == "set" else "set"
    columns = list(dict.fromkeys(row[across] for row in rows))
    of = {name: [row for row in rows if row[across] == name] for name in columns}
    counts = {name: {row["families"] for row in of[name]} for name in columns}
    timed = {name: any(row["CPU_s"] for row in of[name]) for name in columns}
    head = [""]
    for name in columns:
        count = counts[name]
        head.append(name + (f" ({min(count)})" if len(count) == 1 else ""))
        if timed[name]:
            head.append("CPU")
    lines = []
    for key in dict.fromkeys(row[down] for row in rows):
        line = [key]
        for name in columns:
            row = next((row for row in of[name] if row[down] == key), None)
            text = "" if row is None else scores(row)
            if row is not None and down == "program":
                text = marked(row, of[name])
            if row is not None and len(counts[name]) > 1:
                text += f" ({row['families']})"
            line.append(text)
            if timed[name]:
                line.append(f"{row['CPU_s']} s" if row is not None and row["CPU_s"] else "")
        lines.append(line)
    return head, lines


def version(table: Table, shown: list[str]) -> str:
    """One line that says of which version accord's scores of the named sets are, or of all."""
    runs = {row["run"] for row in table.rows
            if outputs.kind_of(row) and (not shown or label(row) in shown)}
    versions = [f"commit {run['commit']}, {run['date']}, {run['machine']}"
                for run in table.runs if run["run"] in runs]
    return f"Measured at {'; '.join(versions)}. [Benchmarks](docs/benchmarks.md) has all sources."


def source(run: Row, mark: str = "") -> str:
    """One line that says where figures come from; with a mark, that they are of earlier outputs."""
    log = f" [Log]({run['log']})." if run["log"] else ""
    parameters, command = run["parameters"], run["command"]
    if CHECKSUM.fullmatch(parameters):
        parameters = f"[{parameters}](#parameters)"
    if re.match(r"(accord(_bench)?|scripts/\S+) ", command):
        command = f"`{command}`"
    commit = f"{mark} Measured with commit" if mark else "Commit"
    changed = " Outputs have changed since." if mark else ""
    return (f"{commit} {run['commit']}, {run['date']}; {run['machine']}; parameters {parameters}; "
            f"{command}.{log}{changed}")


def markdown(table: Table, page: Path, wanted: str = "",
             today: Optional[Mapping[str, str]] = None) -> str:
    """A table as it stands in a page: rows, notes, sources."""
    old = {} if page == README else earlier(table, today or outputs.digests())
    rows = [{**row, "mark": old.get((row["run"], outputs.kind_of(row)), "")}
            for row in table.rows] if table.layout != "plain" else table.rows
    marks = {run: mark for (run, _), mark in old.items()}
    if table.layout == "plain":
        head = [name for name in table.columns if name != "run"]
        lines = [[row[name] for name in head] for row in rows]
    elif table.layout == "others":
        head, lines = others(rows)
    else:
        head, lines = crossed(rows, LAYOUTS[table.layout])
    names = [name.strip() for name in wanted.split(";")] if wanted else []
    if names:
        by_name = {line[0]: line for line in lines}
        missing = [name for name in names if name not in by_name]
        if missing:
            raise BenchmarkError(f"{page}: table {table.name} has no row {', '.join(missing)}")
        lines = [by_name[name] for name in names]
    out = ["| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
    out += ["| " + " | ".join(line) + " |" for line in lines]
    sources = ([version(table, names)] if page == README else
               [source(run, marks.get(run["run"], "")) for run in table.runs])
    below = [textwrap.fill(text, 100, break_long_words=False, break_on_hyphens=False)
             for text in [*table.notes, *sources]]
    return "\n".join(out) + "\n\n" + "\n\n".join(below) + "\n"


def filled(text: str, page: Path, tables: Path = TABLES) -> str:
    """The text of a page with its tables written anew."""
    def table_of(match: "re.Match[str]") -> str:
        begin, name, wanted, end = match.groups()
        table = read_table(tables / f"{name}.tsv")
        return f"{begin}\n{markdown(table, page, wanted or '')}\n{end}"
    return MARKED.sub(table_of, text)


def write_pages() -> list[Path]:
    """Writes the tables of all pages anew; the pages that changed."""
    changed = []
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        new = filled(text, page)
        if new != text:
            page.write_text(new, encoding="utf-8")
            changed.append(page)
    return changed
