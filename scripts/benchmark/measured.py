"""Results -> the tables of scores in docs/benchmarks, of the lines of a plan that name one.

What a plan could not measure here (a program or a set that is not there) keeps its line and the
run that it names.
"""
import argparse
import datetime
import hashlib
import math
import subprocess
from pathlib import Path

from . import halves, outputs
from .aligners import ACCORD_MODES
from .documents import ROOT, RUN_KEYS, TABLES, Row, read_table, write_table
from .errors import BenchmarkError
from .results import Result
from .summary import ALL, main_machine, merge_rounds, rows_of, summarize
from .summary import Row as Means

SETS = {"balibase3": "BAliBASE 3, odd sets", "sabmark": "SABmark", "oxbench": "OXBench",
        "homstrad": "HOMSTRAD", "prefab4": "PREFAB 4", "oxbench-x": "OXBench-X",
        "bralibase-k10": "BRAliBase, 10 sequences", "homfam": "HomFam", "quantest2": "QuanTest2",
        "balifam1000": "Balifam 1000", "balifam10000": "Balifam 10000"}
PROGRAMS = {"mafft": "MAFFT {} FFT-NS-2", "mafft-linsi": "MAFFT {} L-INS-i",
            "mafft-ginsi": "MAFFT {} G-INS-i", "mafft-einsi": "MAFFT {} E-INS-i",
            "mafft-sparsecore": "MAFFT {} sparsecore", "kalign": "Kalign {}",
            "probalign": "Probalign {}", "probcons": "ProbCons {}",
            "clustalo": "Clustal Omega {}", "pyfamsa": "FAMSA 2 (pyfamsa {})",
            **{name: f"accord {options}" for name, options in ACCORD_MODES.items()}}
TEST, GIVEN = "test half", "all given families"
PAIRS = {"prefab4"}  # a reference is a pair of sequences, so that TC says what SP says


def program_name(means: Means) -> str:
    """What a table calls a program."""
    return PROGRAMS.get(means.aligner, means.aligner).format(means.version)


def line_of(means: Means, name: str, part: str, run: str, timed: bool) -> Row:
    """A line of scores."""
    tc = "" if means.dataset in PAIRS else f"{means.tc:.4f}"
    cpu = ""
    if timed and not math.isnan(means.cpu_s):
        cpu = f"{means.cpu_s:.{1 if means.cpu_s < 100 else 0}f}"
    return {"set": name, "part": part, "families": str(means.families),
            "program": program_name(means), "SP": f"{means.sp:.4f}", "TC": tc, "CPU_s": cpu,
            "run": run}


def lines_of_parts(results: list[Result], run: str) -> list[Row]:
    """Each set and each of its groups, on the test half and on all families."""
    known = halves.read()
    some = [r for r in results if known.get((r.dataset, r.group, r.family)) == "test"]
    parts = {(means.dataset, means.group, part): means
             for part, found in ((TEST, some), (GIVEN, results)) for means in rows_of(found)}
    lines = []
    for dataset in dict.fromkeys(r.dataset for r in results):
        groups = [group for name, group, part in parts if (name, part) == (dataset, GIVEN)]
        groups = [ALL] + [g for g in sorted(groups) if g != ALL and len(groups) > 2]
        for group in groups:
            name = SETS.get(dataset, dataset) if group == ALL else f"- {group}"
            lines += [line_of(parts[dataset, group, part], name, part, run, False)
                      for part in (TEST, GIVEN) if (dataset, group, part) in parts]
    return lines


def lines_of_sets(results: list[Result], run: str, total: str) -> list[Row]:
    """Each set by each program; `total` is the name of all sets together, "" for no such line."""
    lines = []
    if total:
        machine = main_machine(results)
        for name in dict.fromkeys(r.aligner for r in results):
            means = summarize(total, ALL, [r for r in results if r.aligner == name], machine)
            lines.append(line_of(means, total, "", run, True))
    return lines + [line_of(means, SETS.get(means.dataset, means.dataset), "", run, True)
                    for means in rows_of(results) if means.group == ALL]


def commit() -> str:
    """The commit that is checked out.
    Throws  BenchmarkError if the files that accord is built from differ from it"""
    def git(*arguments: str) -> str:
        return subprocess.run(["git", "-C", str(ROOT), *arguments], capture_output=True, text=True,
                              check=True).stdout.strip()
    try:
        if git("status", "--porcelain", "--", "src", "include", "kernels", "datasets",
               "tests/golden"):
            raise BenchmarkError("the sources differ from the commit", "commit them first")
        return git("rev-parse", "--short=7", "HEAD")
    except (OSError, subprocess.CalledProcessError) as error:
        raise BenchmarkError(f"git says no commit: {error}") from error


def parameters_of(results: list[Result]) -> str:
    """The first digits of the checksum of the parameter file that these families are aligned by."""
    kinds = {r.kind for r in results}
    names = sorted("nucleotide" if kind == "nucleotide" else "protein" for kind in kinds)
    return ", ".join(hashlib.sha256((ROOT / "datasets" / "parameters" / f"{name}.json")
                                    .read_bytes()).hexdigest()[:12] for name in names)


def replaced(old: list[Row], new: list[Row]) -> list[Row]:
    """The old lines, each in its place with the new figures if there are any, then new lines."""
    def key(row: Row) -> tuple[str, ...]:
        return row["set"], row["part"], row["program"]
    found = {key(row): row for row in new}
    lines = [found.pop(key(row), row) for row in old]
    return lines + list(found.values())


def write(name: str, lines: list[argparse.Namespace], results: list[Result], command: str,
          tables: Path = TABLES) -> None:
    """Writes a table anew from the results of its lines of the plan."""
    table = read_table(tables / f"{name}.tsv")
    merged = merge_rounds(results)
    rows: list[Row] = []
    used: list[Result] = []
    source, today = commit(), datetime.date.today().isoformat()
    run = f"{today}-{source}"
    for line in lines:
        names = [directory.name for directory in line.directories]
        here = [r for r in merged if r.dataset in names and r.aligner in line.aligners.split(",")]
        used += here
        rows += (lines_of_parts(here, run) if table.layout == "parts"
                 else lines_of_sets(here, run, line.total))
    if not rows:
        return
    rows = replaced(table.rows, rows)
    digests = outputs.named({outputs.kind_of(row) for row in rows if row["run"] == run},
                            outputs.digests())
    entry = dict(zip(RUN_KEYS, (run, source, today, main_machine(used), parameters_of(used),
                                command, digests, "")))
    kept = {row["run"] for row in rows}
    runs = [entry] + [old for old in table.runs if old["run"] in kept and old["run"] != run]
    write_table(tables / f"{name}.tsv", table._replace(rows=rows, runs=runs))
