#!/usr/bin/env python3
"""Simulates a family of sequences whose true alignment is known.

A root sequence evolves down a tree (evolution.py): residues are substituted by a reversible rate
matrix, and inserted and deleted in pieces whose lengths follow a truncated power law; --extend
plants the result in unrelated sequence. Writes PREFIX.fa (unaligned) and PREFIX.true.fa
(the true alignment, upper case), and prints one line about the family.

The same options and seed give the same bytes on every Python from 3.9 on. Standard library only.
"""
import argparse
import math
from collections.abc import Sequence as Items
from pathlib import Path
from typing import Optional

from evolution import Family, Sequence
from model import Dice, nucleotide_model, protein_model
from tree import birth_death_tree, leaf_numbers, scaled

AMBIGUOUS = {"protein": {"D": "B", "N": "B", "E": "Z", "Q": "Z", "C": "U"},
             "dna": {"A": "R", "G": "R", "C": "Y", "T": "Y"},
             "rna": {"A": "R", "G": "R", "C": "Y", "U": "Y"}}


def spoiled(letters: str, kind: str, unknown: float, ambiguous: float, dice: Dice) -> str:
    """The letters, some of them replaced by the unknown or by an ambiguous one."""
    out = []
    for letter in letters:
        if unknown and dice.uniform() < unknown:
            letter = "X" if kind == "protein" else "N"
        elif ambiguous and dice.uniform() < ambiguous:
            letter = AMBIGUOUS[kind].get(letter, letter)
        out.append(letter)
    return "".join(out)


def partly_lower(letters: str, share: float, dice: Dice) -> str:
    """The letters with runs of lower case, about ten long, that make up `share` of them."""
    out, low = [], dice.uniform() < share
    for letter in letters:
        if dice.uniform() < 0.1:
            low = dice.uniform() < share
        out.append(letter.lower() if low else letter)
    return "".join(out)


def write_fasta(path: str, records: list[tuple[str, str]]) -> None:
    """FASTA with 60 letters a line and plain line ends."""
    with open(path, "w", encoding="ascii", newline="\n") as out:
        for name, letters in records:
            out.write(f">{name}\n")
            for i in range(0, len(letters), 60):
                out.write(letters[i:i + 60] + "\n")


def mean_identity(rows: list[str]) -> float:
    """Mean share of equal letters in the columns that two rows have in common."""
    shares = []
    for x in range(len(rows)):
        for y in range(x + 1, len(rows)):
            both = [(a, b) for a, b in zip(rows[x], rows[y]) if a != "-" and b != "-"]
            if both:
                shares.append(sum(a == b for a, b in both) / len(both))
    return math.fsum(shares) / len(shares) if shares else 1.0


def arguments(words: Optional[Items[str]] = None) -> argparse.Namespace:
    """The options of these words, or of the command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    add = parser.add_argument
    add("--out", required=True, metavar="PREFIX", help="writes PREFIX.fa and PREFIX.true.fa")
    add("--seed", type=int, default=1)
    add("--type", choices=("protein", "dna", "rna"), default="protein")
    add("--n", type=int, default=8, help="number of sequences (8)")
    add("--length", type=int, default=150, help="residues of the root sequence (150)")
    add("--height", type=float, help="mean substitutions per site from root to leaf (0.7)")
    add("--identity", type=float, help="instead: expected mean identity of two sequences, 0 to 1")
    add("--death", type=float, default=0.3, help="deaths per birth in the random tree (0.3)")
    add("--kappa", type=float, default=2.0, help="nucleotides: transition rate ratio (2)")
    add("--gc", type=float, default=0.5, help="nucleotides: share of G and C (0.5)")
    add("--indel-rate", type=float, default=0.03, help="indels per substitution (0.03)")
    add("--max-indel", type=int, default=20, help="longest indel (20)")
    add("--extend", type=int, default=0, help="longest unrelated extension at either end (0)")
    add("--repeat", type=int, default=1, help="tandem copies of one unit that make the root (1)")
    add("--shuffle", type=float, default=0.0, metavar="SHARE",
        help="share of sequences whose last third is moved to the front (0)")
    add("--low-complexity", type=int, default=0, metavar="N",
        help="length of a stretch of three letters in the middle (0)")
    add("--unknown", type=float, default=0.0, metavar="SHARE", help="letters that become X or N")
    add("--ambiguous", type=float, default=0.0, metavar="SHARE",
        help="letters that become B, Z, U (protein) or R, Y")
    add("--lower", type=float, default=0.0, metavar="SHARE", help="letters in lower case")
    add("--duplicates", type=int, default=0, help="sequences that are copies of another (0)")
    add("--fragments", default="", metavar="L1,L2,...",
        help="cut the first sequences to windows of these lengths")
    options = parser.parse_args(words)
    if min(options.n, options.length, options.max_indel, options.repeat) < 1:
        parser.error("--n, --length, --max-indel and --repeat must be at least 1")
    if options.identity is not None and not 0.08 < options.identity < 1:
        parser.error("--identity must be between 0.08 and 1")
    try:
        options.fragments = [int(part) for part in options.fragments.split(",") if part]
    except ValueError:
        parser.error("--fragments takes numbers with commas between them")
    if max(len(options.fragments), options.duplicates + 1) > options.n:
        parser.error("too many --fragments or --duplicates for so few sequences")
    if options.height is None and options.identity is None:
        options.height = 0.7
    return options


def simulate(options: argparse.Namespace) -> list[tuple[str, str, str]]:
    """(name, letters, row of the true alignment) of each sequence."""
    dice = Dice(options.seed)
    model = (protein_model() if options.type == "protein" else
             nucleotide_model("ACGT" if options.type == "dna" else "ACGU", options.kappa,
                              options.gc))
    nodes = scaled(birth_death_tree(dice, options.n, options.death), options.height,
                   options.identity, model)

    family = Family(model, dice, options.indel_rate, options.max_indel)
    units = family.root(options.length, options.repeat, options.low_complexity)
    unit_columns = [{cell.column for cell in unit} for unit in units]
    root = [cell for unit in units for cell in unit]
    at_node: list[Sequence] = []
    for node in nodes:
        at_node.append(root if node.parent < 0 else
                       family.evolve(at_node[node.parent], node.length))
    numbers = sorted(leaf_numbers(nodes), key=lambda i: (len(nodes[i].name), nodes[i].name))
    names = [nodes[i].name or f"node{i}" for i in numbers]
    leaves = [at_node[i] for i in numbers]

    if options.repeat > 1:  # every fourth sequence or so has lost one unit
        for x, leaf in enumerate(leaves):
            if dice.below(4) == 0:
                lost = unit_columns[dice.below(options.repeat)]
                leaves[x] = [cell for cell in leaf if cell.column not in lost] or leaf
    if options.shuffle:
        chosen = dice.shuffle(list(range(len(leaves))))[:round(options.shuffle * len(leaves))]
        family.move_to_front(leaves, sorted(chosen), root[len(root) * 2 // 3].column)
    if options.extend:
        leaves = [family.extend(leaf, options.extend) for leaf in leaves]
    for x, length in enumerate(options.fragments[:len(leaves)]):
        start = dice.below(max(1, len(leaves[x]) - length + 1))
        leaves[x] = leaves[x][start:start + length]
    letters = ["".join(model.letters[cell.letter] for cell in leaf) for leaf in leaves]
    letters = [partly_lower(spoiled(text, options.type, options.unknown, options.ambiguous, dice),
                            options.lower, dice) for text in letters]
    shuffled = dice.shuffle(list(range(len(leaves))))
    copies, originals = shuffled[:options.duplicates], shuffled[options.duplicates:]
    for x in copies if originals else []:
        other = originals[dice.below(len(originals))]
        leaves[x], letters[x] = leaves[other], letters[other]

    used = {cell.column for leaf in leaves for cell in leaf}
    place = {column: i for i, column in enumerate(c for c in family.columns.order() if c in used)}
    records = []
    for name, leaf, text in zip(names, leaves, letters):
        row = ["-"] * len(place)
        for cell, letter in zip(leaf, text):
            row[place[cell.column]] = letter.upper()
        records.append((name, text, "".join(row)))
    return records


def main() -> None:
    """Simulates, writes both files and prints one line."""
    options = arguments()
    records = simulate(options)
    write_fasta(options.out + ".fa", [(name, text) for name, text, _ in records])
    write_fasta(options.out + ".true.fa", [(name, row) for name, _, row in records])
    lengths = [len(text) for _, text, _ in records]
    print(f"{Path(options.out).name}\t{len(records)} sequences\t{min(lengths)}-{max(lengths)} "
          f"residues\t{len(records[0][2])} columns\tidentity "
          f"{mean_identity([row for _, _, row in records[:60]]):.2f}")


if __name__ == "__main__":
    main()
