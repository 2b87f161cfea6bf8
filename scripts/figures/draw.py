#!/usr/bin/env python3
"""Draws figures of README and documents, in docs/images/, from the tables beside this script.

  scripts/figures/draw.py                     all of them, from the tables
  scripts/figures/draw.py --from OUT [...]    first takes the tables out of benchmark results

accuracy.svg shows docs/benchmarks/accuracy.tsv, accuracy_time.svg balibase3.tsv, scaling.svg
scaling.tsv. OUT is the directory of scripts/benchmark.py. Of BAliBASE those families are taken that
the most aligners have run, among the choices that leave out at most a tenth.
"""
import argparse
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

# pylint: disable=wrong-import-position
from benchmark import (  # noqa: E402
    documents,
    figures,
    summary,
)
from benchmark.errors import BenchmarkError  # noqa: E402
from benchmark.results import Result, read_results  # noqa: E402
from benchmark.svg import COLOURS, Axis, Canvas  # noqa: E402

IMAGES = HERE.parents[1] / "docs" / "images"
BALIBASE, SCALING = "balibase3", "scaling"


def common_families(results: list[Result]) -> list[Result]:
    """The results on the families that the most aligners have run, nine tenths or more of all."""
    tables = summary.coverage(results)
    families = [len({summary.family_key(r) for r in found}) for _, found in tables]
    large = [table for table, count in zip(tables, families) if 10 * count >= 9 * families[0]]
    return max(large, key=lambda table: len(table[0]))[1]


def take_tables(directories: list[Path]) -> None:
    """Writes the two tables from results."""
    results: list[Result] = []
    for directory in directories:
        results += summary.merge_rounds(read_results(directory / "results.tsv"))
    for dataset in (BALIBASE, SCALING):
        some = [r for r in results if r.dataset == dataset]
        if not some:
            print(f"no results of {dataset}: its table stays as it is")
        elif dataset == BALIBASE:
            rows = summary.rows_of(common_families(some))
            summary.write_rows(HERE / f"{dataset}.tsv", rows)
        else:
            summary.write_rows(HERE / f"{dataset}.tsv", summary.rows_of(some))


def read_programs() -> list[tuple[str, float, float]]:
    """Program, SP and TC on all of BAliBASE 3."""
    rows = documents.read_table(documents.TABLES / "accuracy.tsv").rows
    return [(row["program"], float(row["SP"]), float(row["TC"])) for row in rows
            if documents.label(row) == "BAliBASE 3"]


def accuracy_of_programs(rows: list[tuple[str, float, float]], title: str) -> str:
    """A panel for SP and one for TC, with a line and a dot for each program."""
    width, step, top, label = 760, 26.0, 62.0, 116.0
    canvas = Canvas(width, int(top + step * len(rows) + 44), title)
    bottom = top + step * len(rows) - 8
    for panel, (measure, column) in enumerate((("mean SP", 1), ("mean TC", 2))):
        left = label + panel * 325.0
        values = [float(row[column]) for row in rows]
        x = Axis(values, left, left + 245)
        for value, text in x.ticks():
            canvas.line([(x.at(value), top - 14), (x.at(value), bottom)], "#e4e4e4")
            canvas.text(x.at(value), bottom + 16, text, "middle", 11)
        canvas.text(left + 122, bottom + 34, measure, "middle")
        for place, (row, value) in enumerate(zip(rows, values)):
            shade = COLOURS[0] if row[0] == "accord" else COLOURS[1]
            y, bold = top + step * place, "bold" if row[0] == "accord" else "normal"
            canvas.line([(left, y), (left + 245, y)], "#e4e4e4")
            canvas.dot(x.at(value), y, 5, shade, f"{row[0]}: {measure} {value:.4f}")
            canvas.text(x.at(value) + 9, y + 4, f"{value:.4f}".lstrip("0"), weight=bold)
            if panel == 0:
                canvas.text(left - 8, y + 4, row[0], "end", weight=bold, colour=shade)
    return canvas.finish()


def main() -> int:
    """Reads the tables and writes the figures."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--from", dest="directories", nargs="+", type=Path, metavar="OUT",
                        default=[])
    options = parser.parse_args()
    try:
        take_tables(options.directories)
        programs = read_programs()
        whole = [row for row in summary.read_rows(HERE / f"{BALIBASE}.tsv")
                 if row.group == summary.ALL]
        curves = [row for row in summary.read_rows(HERE / f"{SCALING}.tsv")
                  if row.group != summary.ALL]
    except (BenchmarkError, OSError) as error:
        print(f"draw: error: {error}", file=sys.stderr)
        return 2
    drawn = {
        "accuracy.svg": accuracy_of_programs(programs, "BAliBASE 3, all 218 full-length sets"),
        "accuracy_time.svg": figures.accuracy_against_time(
            whole, f"BAliBASE 3, {whole[0].families} full-length sets: accuracy against time"),
        "scaling.svg": figures.scaling(
            curves, "Simulated proteins: time against number and length")}
    for name, text in drawn.items():
        (IMAGES / name).write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
