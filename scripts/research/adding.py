#!/usr/bin/env python3
"""Does 'accord add' find the columns of a reference? The odd rows of a reference alignment are
given, and the even rows are added to them without their gaps. The script judges the residues of
the even rows that the reference has in a column with residues of odd rows: the share of them that
stand there again (residues), and the share of the columns in which all of them do (columns). The
same for 'mafft --add', with Wilcoxon's p. The rows that were given have to keep their bytes.

  scripts/research/adding.py DIR... [--accord FILE] [--alignments N] [--rows N] [--half HALF]
                                   [--mafft 'OPTIONS'] [--table FILE]

DIR/ref has the references, aligned FASTA files whose capital letters are judged. Of those with so
many rows N are taken, at even distances of the sorted names. --half takes those that
scripts/benchmark/halves.tsv has in this half. --table FILE gets a line for each alignment.
"""
import argparse
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

# pylint: disable=wrong-import-position
from benchmark.datasets import read_fasta  # noqa: E402
from benchmark.measured import HALVES  # noqa: E402
from benchmark.paired import compare  # noqa: E402
from tuning.families import read_halves  # noqa: E402

Row = tuple[str, str]  # name, letters and gaps
GAP = "-"


class Result(NamedTuple):
    """Of one alignment that sequences were added to."""

    residues: float
    columns: float
    is_kept: bool  # whether the given rows have the same bytes


def rows_of(path: Path) -> list[Row]:
    """Names up to the first blank, and rows with '-' as their gap."""
    return [(header[1:].split()[0], row.replace(".", "-")) for header, row in read_fasta(path)]


def without_empty_columns(rows: list[Row]) -> list[Row]:
    """The rows without the columns that none of them has a residue in."""
    kept = [c for c in range(len(rows[0][1])) if any(row[c] != GAP for _, row in rows)]
    return [(name, "".join(row[c] for c in kept)) for name, row in rows]


def write_fasta(path: Path, rows: list[Row]) -> None:
    """One line a row."""
    path.write_text("".join(f">{name}\n{row}\n" for name, row in rows))


def columns_of(row: str) -> list[int]:
    """The column of each residue."""
    return [c for c, letter in enumerate(row) if letter != GAP]


def judge(reference: list[Row], given: list[Row], added: dict[str, str]) -> Result:
    """Compares an alignment with the reference."""
    names = {name for name, _ in given}
    where = {name: columns_of(row) for name, row in added.items()}
    right_column: dict[int, int] = {}  # of a column of the reference
    for name, row in reference:
        if name in names:
            right_column.update(zip(columns_of(row), where[name]))
    judged, right, whole = 0, 0, {}
    for name, row in reference:
        if name in names:
            continue
        for column, found in zip(columns_of(row), where[name]):
            if not row[column].isupper() or column not in right_column:
                continue
            is_right = right_column[column] == found
            judged, right = judged + 1, right + is_right
            whole[column] = whole.get(column, True) and is_right
    kept = without_empty_columns([(name, added[name]) for name, _ in given])
    return Result(right / max(1, judged), sum(whole.values()) / max(1, len(whole)),
                  kept == given)


def chosen_references(directories: list[Path], options: argparse.Namespace) -> list[Path]:
    """As many of the references as are asked for."""
    known = read_halves(HALVES)
    half = {(dataset, family): which for (dataset, _, family), which in known.items()}
    paths = [path for directory in directories for path in sorted((directory / "ref").iterdir())
             if options.half in (None, half.get((directory.name, path.name)))
             and len(rows_of(path)) >= options.rows]
    count = min(options.alignments, len(paths))
    return [paths[k * len(paths) // count] for k in range(count)]


def main() -> None:
    """See above."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directories", metavar="DIR", nargs="+", type=Path)
    parser.add_argument("--accord", default=str(ROOT / "build" / "accord"))
    parser.add_argument("--alignments", type=int, default=20)
    parser.add_argument("--rows", type=int, default=8, help="least rows of a reference (8)")
    parser.add_argument("--half", choices=["training", "test"])
    parser.add_argument("--mafft", default="", help="options of mafft beside --add")
    parser.add_argument("--table", type=Path)
    options = parser.parse_args()
    commands = {
        "accord add": [options.accord, "add", "given.fa", "new.fa", "-q", "-j", "1"],
        "mafft --add": ["mafft", "--quiet", "--anysymbol", "--preservecase",
                        *shlex.split(options.mafft), "--add", "new.fa", "given.fa"]}
    results: dict[str, list[Result]] = {name: [] for name in commands}
    paths = chosen_references(options.directories, options)
    for path in paths:
        reference = rows_of(path)
        given = without_empty_columns(reference[0::2])
        with tempfile.TemporaryDirectory() as directory:
            write_fasta(Path(directory, "given.fa"), given)
            new = [(name, "".join(c for c in row if c != GAP)) for name, row in reference[1::2]]
            write_fasta(Path(directory, "new.fa"), new)
            for name, command in commands.items():
                out = subprocess.run(command, check=True, cwd=directory, capture_output=True).stdout
                Path(directory, "out.fa").write_bytes(out)
                added = dict(rows_of(Path(directory, "out.fa")))
                results[name].append(judge(reference, given, added))
    for name, found in results.items():
        print(f"{name:12s} residues {sum(r.residues for r in found) / len(found):.4f} columns "
              f"{sum(r.columns for r in found) / len(found):.4f}; given rows kept in "
              f"{sum(r.is_kept for r in found)} of {len(found)}")
    for field in ("residues", "columns"):
        ours, theirs = ([getattr(r, field) for r in found] for found in results.values())
        paired = compare(ours, theirs)
        print(f"{field}: accord better on {paired.better}, worse on {paired.worse}, "
              f"p {paired.p_value:.2g}")
    if options.table:
        lines = [f"{path}\t{name}\t{r.residues:.6f}\t{r.columns:.6f}\n"
                 for name, found in results.items() for path, r in zip(paths, found)]
        options.table.write_text("".join(lines))


if __name__ == "__main__":
    main()
