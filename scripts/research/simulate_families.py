#!/usr/bin/env python3
"""Simulates families of proteins whose trees and alignments are known, for the comparison of trees.

  scripts/research/simulate_families.py DIR [--families N] [--seed SEED] [--heights .4,.9,1.5]
                                        [--taxa 30-100] [--length 300] [--indel-rate .04]

Birth-death trees of random size (uniform in its logarithm), scaled to one of the mean distances
from root to leaf in turn, in substitutions per site; LG and gamma rates of shape 1 in four classes;
insertions and deletions, --indel-rate of them per substitution, of 1 to 50 residues (power law).
Writes DIR/NAME.fa (unaligned), .true.fa (the true alignment) and .nwk (the tree) for each family,
and DIR/families.tsv: name, height, sequences. Standard library only.
"""
import argparse
import random
from pathlib import Path

import simulate_family
from simulation.model import Dice, published_model
from simulation.tree import birth_death_tree, scaled
from trim_trees import newick

MATRIX = "lg"


def family(directory: Path, name: str, rng: random.Random, options: argparse.Namespace,
           height: float) -> int:
    """Writes one family; its number of sequences."""
    low, high = (int(word) for word in options.taxa.split("-"))
    taxa = round(low * (high / low) ** rng.random())
    tree = birth_death_tree(Dice(rng.randrange(10**9)), taxa, 0.3)
    tree = scaled(tree, height, None, published_model(MATRIX))
    (directory / f"{name}.nwk").write_text(newick(tree), encoding="ascii")
    records = simulate_family.simulate(simulate_family.arguments(
        ["--newick", str(directory / f"{name}.nwk"), "--out", name, "--matrix", MATRIX,
         "--seed", str(rng.randrange(10**9)), "--length", str(options.length),
         "--max-indel", "50", "--indel-rate", str(options.indel_rate)]))
    simulate_family.write_fasta(str(directory / f"{name}.fa"),
                                [(who, text) for who, text, _ in records])
    simulate_family.write_fasta(str(directory / f"{name}.true.fa"),
                                [(who, row) for who, _, row in records])
    return taxa


def main() -> None:
    """Writes the families and their table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("directory", type=Path)
    parser.add_argument("--families", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--heights", default=".4,.9,1.5")
    parser.add_argument("--taxa", default="30-100")
    parser.add_argument("--length", type=int, default=300)
    parser.add_argument("--indel-rate", type=float, default=0.04)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    heights = [float(word) for word in options.heights.split(",")]
    options.directory.mkdir(parents=True, exist_ok=True)
    lines = ["family\theight\tsequences\n"]
    for number in range(options.families):
        name, height = f"f{number + 1:02}", heights[number % len(heights)]
        lines.append(f"{name}\t{height}\t"
                     f"{family(options.directory, name, rng, options, height)}\n")
    (options.directory / "families.tsv").write_text("".join(lines), encoding="ascii")


if __name__ == "__main__":
    main()
