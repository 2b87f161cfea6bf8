#!/usr/bin/env python3
"""Looks for better parameters of accord on families with reference alignments.

  scripts/training/tune.py DATA... -o OUT --space pair --time-limit 2h

DATA are directories of families as scripts/benchmark.py reads them: in/ beside ref/, a BAliBASE
release, or NAME.fa beside NAME.true.fa. References are FASTA (upper case is scored; all columns if
there is one case) or BAliBASE XML. Families are in two halves, those that the search sees and those
that it does not: as scripts/benchmark/halves.tsv says, and others by their place in the sorted list
of their group (even from 1: training). scripts/benchmark.py --half test --compare compares the
parameter files on the other half.

A search is a CMA-ES whose objective is the mean over the sets of (SP + TC) / 2, each set the mean
of its groups. An evaluation is one `accord batch`. OUT gets best.json and mean.json (parameter
files: the best that was evaluated; the centre of the search, usually the better choice), log.tsv
with every evaluation, and state.json, with which the same command goes on. Spaces: pair (the pair
models), family (consistency, weights, refinement), pair_nucleotide, or a file of one's own.

Needs Python 3.9 and the packages numpy and cmaes (pip install cmaes).
"""
import argparse
import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

# pylint: disable=wrong-import-position
from benchmark import halves  # noqa: E402
from benchmark.datasets import Family, find_families, smaller  # noqa: E402
from benchmark.errors import BenchmarkError  # noqa: E402
from tuning.evaluation import Evaluator  # noqa: E402
from tuning.space import load_space  # noqa: E402

UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400}


def seconds(text: str) -> float:
    """'90', '15m', '2h'."""
    unit = UNITS.get(text[-1:], 0)
    return float(text[:-1]) * unit if unit else float(text)


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("data", type=Path, nargs="+", metavar="DATA", help="directories of families")
    add("-o", "--out", type=Path, required=True, metavar="OUT",
        help="where results go, and the state of a search")
    add("--accord", default=str(ROOT / "build" / "accord"), help="the program (build/accord)")
    add("--half", choices=[*halves.HALVES, "all"], default="training", help="(training)")
    add("--halves", type=Path, default=halves.PATH, help="halves of known families")
    add("--space", default="pair", help="pair, family, pair_nucleotide or a file (pair)")
    add("--start", default="default", metavar="FILE", help="parameters to begin at (built-in)")
    add("--type", choices=["protein", "nucleotide"], default="protein",
        help="what 'default' is (protein)")
    add("--max-letters", type=int, default=0, metavar="N",
        help="leave out families of more letters")
    add("--workers", type=int, default=1, metavar="K", help="evaluations at the same time (1)")
    add("-j", "--threads", type=int, default=1, help="threads of each (1)")
    add("-d", "--device", default="none", metavar="D[,D...]",
        help="devices that the workers share out (none)")
    add("--time-limit", type=seconds, default=float("inf"), metavar="TIME", help="such as 15m")
    add("--generations", type=int, metavar="N", help="end after N generations")
    add("--population", type=int, metavar="N", help="evaluations of a generation (by dimension)")
    add("--seed", type=int, default=1, help="of the search (1)")
    return parser.parse_args()


def built_in(args: argparse.Namespace) -> str:
    """The parameter file that is built in."""
    done = subprocess.run([args.accord, "help", f"parameters-{args.type}"], capture_output=True,
                          text=True, check=False)
    if done.returncode:
        raise BenchmarkError(f"{args.accord} does not print its parameters", "build it anew")
    return done.stdout


def read_parameters(name: str, args: argparse.Namespace) -> dict[str, Any]:
    """A parameter file, or the built-in one for 'default'."""
    try:
        text = built_in(args) if name == "default" else Path(name).read_text(encoding="utf-8")
        parameters: dict[str, Any] = json.loads(text)
    except (OSError, ValueError) as error:
        raise BenchmarkError(f"{name}: {error}") from None
    return parameters


def chosen_families(args: argparse.Namespace) -> list[Family]:
    """The families of the half that was asked for."""
    found: list[Family] = []
    for directory in args.data:
        here = [family for family in find_families(directory) if family.reference]
        if not here:
            raise BenchmarkError(f"{directory} has no family with a reference",
                                 "see docs/development/tuning.md")
        found += here
    chosen = smaller(halves.of_half(found, args.half, halves.read(args.halves)), args.max_letters)
    if not chosen:
        raise BenchmarkError(f"no families in the half '{args.half}'",
                             "--half all takes every family")
    return chosen


def run(args: argparse.Namespace) -> None:
    """Searches."""
    names = args.device.split(",")
    devices = [names[k % len(names)] for k in range(args.workers)]  # of each worker
    families = chosen_families(args)
    args.out.mkdir(parents=True, exist_ok=True)
    space = load_space(args.space, read_parameters(args.start, args))
    try:
        from tuning.search import Search  # pylint: disable=import-outside-toplevel
    except ImportError as error:
        raise BenchmarkError(f"{error.name} is not installed",
                             "python3 -m pip install cmaes numpy") from None
    of_sets = ", ".join(sorted({family.dataset for family in families}))
    source = (f"scripts/training/tune.py --space {args.space} from {space.start['name']} on the "
              f"{args.half} half of {of_sets} ({len(families)} families)")
    search = Search(space, args.out, args.population, args.seed, source)
    search.run(Evaluator(args.accord, families, args.threads), devices,
               time.monotonic() + args.time_limit, args.generations)


def main() -> int:
    """The exit status."""
    try:
        run(arguments())
    except BenchmarkError as error:
        print(f"tune.py: {error}" + (f"\ntune.py: {error.hint}" if error.hint else ""),
              file=sys.stderr)
        return error.status
    return 0


if __name__ == "__main__":
    sys.exit(main())
