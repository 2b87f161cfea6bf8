#!/usr/bin/env python3
"""Compares accord's likelihoods and trees with those of IQ-TREE and PhyML.

  scripts/benchmark/likelihood_programs.py fits            alignments of datasets/simulated
  scripts/benchmark/likelihood_programs.py trees FAM.tfa...  families, such as those of BAliBASE;
                                                             FAM:N cuts one to N sequences

fits: the same tree and model for every program, lengths and parameters fitted by each. Prints the
logarithms of the likelihood, and fails if accord's is lower by more than 0.001 than another's, or
higher by more than that than the best of the others: programs stop at thresholds of their own.

trees: 'accord FAM.tfa', then 'accord likelihood --nni --spr 10' of that alignment, beside 'iqtree2
-m LG+G4 -fast -seed 1', one thread each: logarithms of the likelihood, and CPU seconds (user and
system). FAM:N takes N sequences at equal distances in the file. Fails if accord takes longer or is
worse by more than 1.
"""
import argparse
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SIMULATED = ROOT / "datasets" / "simulated"
# Alignment, model of accord and of IQ-TREE, options of PhyML.
FITS = [("close_24", "LG+G4", "LG+G4", "-d aa -m LG -c 4 -a e -f m"),
        ("easy_8", "JTT+G4", "JTT+G4", "-d aa -m JTT -c 4 -a e -f m"),
        ("remote_8", "DAYHOFF", "Dayhoff", "-d aa -m Dayhoff -c 1 -f m"),
        ("moderate_12", "WAG+G4", "WAG+G4", "-d aa -m WAG -c 4 -a e -f m"),
        ("moderate_12", "WAG+F+I+G4", "WAG+F+I+G4", "-d aa -m WAG -c 4 -a e -v e -f e"),
        ("dna_8", "HKY+G4", "HKY+F+G4", "-d nt -m HKY85 -c 4 -a e -f e -t e"),
        ("dna_gaps_12", "K80+G4", "K80+G4", "-d nt -m K80 -c 4 -a e -t e"),
        ("dna_gaps_12", "GTR+F+G4", "GTR+F+G4", "-d nt -m GTR -c 4 -a e -f e")]
MOST_DIFFERENCE = 1e-3  # of fits
MOST_LOSS = 1.0         # of trees


def run(command: "list[str]", where: Path, output: str = "") -> float:
    """Runs a command in a directory, its output to a file there; the CPU seconds that it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = dict(os.environ, PHYMLCPUS="1")
    with open(where / (output or "log"), "wb") as out:
        done = subprocess.run(command, cwd=where, stdin=subprocess.DEVNULL, stdout=out,
                              stderr=subprocess.PIPE, env=environment, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{done.stderr.decode()}failed with {done.returncode}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def found(path: Path, pattern: str) -> float:
    """The number that a pattern finds in a file."""
    match = re.search(pattern, path.read_text(encoding="utf-8"))
    if not match:
        sys.exit(f"{path}: no {pattern}")
    return float(match.group(1))


def of_accord(table: Path) -> float:
    """The logarithm of the likelihood of a table."""
    return found(table, r"log_likelihood\t(\S+)")


def fit(accord: str, line: "tuple[str, str, str, str]", where: Path) -> "dict[str, float]":
    """The logarithm of the likelihood by program."""
    name, model, iqtree_model, phyml_options = line
    alignment = str(SIMULATED / f"{name}.true.fa")
    run([accord, "likelihood", alignment, "--model", model, "--tree-out", "t.nwk"], where, "a.tsv")
    totals = {"accord": of_accord(where / "a.tsv")}
    # Their usual thresholds (0.01) stop some fits earlier.
    run(["iqtree2", "-s", alignment, "-te", "t.nwk", "-m", iqtree_model, "-me", "0.0001", "-T", "1",
         "-redo", "-pre", "iq"], where)
    totals["IQ-TREE"] = found(where / "iq.iqtree", r"Log-likelihood of the tree: (\S+)")
    run([accord, "convert", alignment, "-o", "a.phy", "-f", "phylip"], where)
    run(["phyml", "-i", "a.phy", *phyml_options.split(), "-u", "t.nwk", "-o", "lr", "-b", "0",
         "--no_memory_check"], where)
    totals["PhyML"] = found(where / "a.phy_phyml_stats.txt", r"Log-likelihood:\s+(\S+)")
    return totals


def compare_fits(accord: str) -> bool:
    """Whether all fits agree; prints them."""
    is_good = True
    print("| alignment | model | accord | IQ-TREE | PhyML |\n|---|---|---|---|---|")
    for line in FITS:
        with tempfile.TemporaryDirectory() as where:
            totals = fit(accord, line, Path(where))
        own = totals["accord"]
        best = max(totals["IQ-TREE"], totals["PhyML"])
        differs = abs(own - best) > MOST_DIFFERENCE
        is_good &= not differs
        figures = " | ".join(f"{total:.4f}" for total in totals.values())
        print(f"| `{line[0]}` | {line[1]} | {figures} |{' DIFFERS' if differs else ''}", flush=True)
    return is_good


def cut(family: str, to: Path) -> str:
    """Writes the sequences of FAM, or N of them at equal distances for FAM:N; the family's name."""
    path, _, rows = family.partition(":")
    records = Path(path).read_text(encoding="utf-8").strip().removeprefix(">").split("\n>")
    count = int(rows) if rows else len(records)
    if count > len(records):
        sys.exit(f"{family}: there are {len(records)} sequences")
    kept = [records[k * len(records) // count] for k in range(count)]
    to.write_text("".join(f">{record}\n" for record in kept), encoding="utf-8")
    return Path(path).stem


def compare_trees(accord: str, families: "list[str]") -> bool:
    """Whether accord is faster and not worse for each family; prints them."""
    is_good = True
    print("| family | sequences | accord, alignment and tree | log-likelihood | IQ-TREE | "
          "log-likelihood |\n|---|---|---|---|---|---|")
    for family in families:
        with tempfile.TemporaryDirectory() as name:
            where = Path(name)
            alone = ["-j", "1", "--device", "none"]
            label = cut(family, where / "family.fa")
            aligning = run([accord, "family.fa", *alone], where, "a.fa")
            fitting = run([accord, "likelihood", "a.fa", "--fit", "all", "--nni", "--spr",
                           "10", *alone], where, "a.tsv")
            other = run(["iqtree2", "-s", "a.fa", "-m", "LG+G4", "-fast", "-T", "1", "-seed", "1",
                         "-redo", "-pre", "iq"], where)
            own = of_accord(where / "a.tsv")
            theirs = found(where / "iq.iqtree", r"Log-likelihood of the tree: (\S+)")
            rows = (where / "a.fa").read_text(encoding="utf-8").count(">")
        fails = aligning + fitting > other or own < theirs - MOST_LOSS
        is_good &= not fails
        print(f"| {label} | {rows} | {aligning:.2f} + {fitting:.2f} s | {own:.2f} | "
              f"{other:.2f} s | {theirs:.2f} |{' FAILS' if fails else ''}", flush=True)
    return is_good


def main() -> int:
    """The program."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--accord", default=str(ROOT / "build" / "accord"))
    parser.add_argument("what", choices=["fits", "trees"])
    parser.add_argument("families", nargs="*", metavar="FAM")
    options = parser.parse_args()
    for program in ["iqtree2"] + (["phyml"] if options.what == "fits" else []):
        if not shutil.which(program):
            sys.exit(f"{program} is not on PATH: install IQ-TREE 2 and PhyML")
    if options.what == "fits":
        return 0 if compare_fits(options.accord) else 1
    return 0 if compare_trees(options.accord, options.families) else 1


if __name__ == "__main__":
    sys.exit(main())
