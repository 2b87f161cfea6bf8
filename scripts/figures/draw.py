#!/usr/bin/env python3
"""Draws the figures of the top-level README from the tables beside this script.

  scripts/figures/draw.py                     accuracy.svg and scaling.svg from the tables
  scripts/figures/draw.py --from OUT [...]    first takes the tables out of benchmark results

OUT is the directory of scripts/benchmark.py. Of BAliBASE those families are taken that the most
aligners have run, among the choices that leave out at most a tenth.
"""
import argparse
import sys
from pathlib import Path
from typing import List

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

# pylint: disable=wrong-import-position
from benchmark import figures  # noqa: E402
from benchmark.errors import BenchmarkError  # noqa: E402
from benchmark.results import Result, read_results  # noqa: E402
from benchmark import summary  # noqa: E402

BALIBASE, SCALING = "balibase3", "scaling"


def common_families(results: List[Result]) -> List[Result]:
    """The results on the families that the most aligners have run, nine tenths or more of all."""
    tables = summary.coverage(results)
    families = [len({summary.family_key(r) for r in found}) for _, found in tables]
    large = [table for table, count in zip(tables, families) if 10 * count >= 9 * families[0]]
    return max(large, key=lambda table: len(table[0]))[1]


def take_tables(directories: List[Path]) -> None:
    """Writes the two tables from results."""
    results: List[Result] = []
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


def main() -> int:
    """Reads the tables and writes the figures."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--from", dest="directories", nargs="+", type=Path, metavar="OUT",
                        default=[])
    options = parser.parse_args()
    try:
        take_tables(options.directories)
        whole = [row for row in summary.read_rows(HERE / f"{BALIBASE}.tsv")
                 if row.group == summary.ALL]
        curves = [row for row in summary.read_rows(HERE / f"{SCALING}.tsv")
                  if row.group != summary.ALL]
    except (BenchmarkError, OSError) as error:
        print(f"draw: error: {error}", file=sys.stderr)
        return 2
    title = f"BAliBASE 3, {whole[0].families} full-length sets: accuracy against time"
    (HERE / "accuracy.svg").write_text(figures.accuracy_against_time(whole, title),
                                       encoding="utf-8")
    (HERE / "scaling.svg").write_text(
        figures.scaling(curves, "Simulated proteins: time against number and length"),
        encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
