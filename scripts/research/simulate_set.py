#!/usr/bin/env python3
"""Simulates many families at once, on all cores, to measure `accord batch` with.

  scripts/research/simulate_set.py --families 1681 --out DIR -- --n 45 --length 240 --identity 0.4

writes DIR/0001.fa, DIR/0002.fa, ... of seeds 1, 2, ...; after -- stand options of
simulate_family.py, whose families they are, byte for byte. The example is of the size of PREFAB 4
and takes about five minutes of processor time, on all cores. --truth also writes the true
alignments. Families that are there already are not made again.
"""
import argparse
import multiprocessing
import os
import sys
from pathlib import Path

import simulate_family

Task = tuple[Path, int, list[str], bool]


def make(task: Task) -> None:
    """One family. The file gets its name when it is whole."""
    path, seed, words, truth = task
    options = simulate_family.arguments([*words, "--out", str(path), "--seed", str(seed)])
    records = simulate_family.simulate(options)
    if truth:
        simulate_family.write_fasta(f"{path}.true.fa", [(name, row) for name, _, row in records])
    simulate_family.write_fasta(f"{path}.part", [(name, text) for name, text, _ in records])
    os.replace(f"{path}.part", f"{path}.fa")


def make_all(directory: Path, families: int, words: list[str], truth: bool, jobs: int) -> int:
    """Makes those that are not there; returns how many."""
    directory.mkdir(parents=True, exist_ok=True)
    digits = len(str(families))
    paths = [directory / f"{seed:0{digits}}" for seed in range(1, families + 1)]
    tasks = [(path, seed, words, truth) for seed, path in enumerate(paths, 1)
             if not Path(f"{path}.fa").exists()]
    simulate_family.arguments([*words, "--out", "x"])  # a mistake ends here, once
    with multiprocessing.Pool(jobs) as pool:
        for _ in pool.imap_unordered(make, tasks, chunksize=4):
            pass
    return len(tasks)


def main() -> int:
    """The command line."""
    words = sys.argv[1:]
    split = words.index("--") if "--" in words else len(words)
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True, metavar="DIR")
    parser.add_argument("--families", type=int, required=True, metavar="N")
    parser.add_argument("--truth", action="store_true", help="also write NAME.true.fa")
    parser.add_argument("-j", "--jobs", type=int, default=len(os.sched_getaffinity(0)),
                        help="processes (all cores)")
    options = parser.parse_args(words[:split])
    made = make_all(options.out, options.families, words[split + 1:], options.truth, options.jobs)
    print(f"{options.out}: {options.families} families, {made} of them new")
    return 0


if __name__ == "__main__":
    sys.exit(main())
