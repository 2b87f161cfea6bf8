#!/usr/bin/env python3
"""Simulates a family of millions of proteins, for which simulate_family.py would take hours: FASTA.

  scripts/simulation/simulate_million.py N OUT.fa [--length 150] [--height 0.7] [--seed 1]

A random root doubles in each generation until there are at least N sequences; the first
N are taken. The lengths of branches fall with the generation, have exponential deviations, and are
HEIGHT substitutions per site in all; a substitution takes a letter with the probability that
BLOSUM62's pairs give it; three indels of 1 to 9 residues come with a hundred substitutions. The
true alignment is not kept. Needs numpy; 10^6 sequences take a minute and 3 GB.
"""
import argparse
import math

import numpy as np

LETTERS = np.frombuffer(b"ARNDCQEGHILKMFPSTWYV", dtype=np.uint8)
# Robinson & Robinson 1991, Proc Natl Acad Sci USA 88:8880.
BACKGROUND = np.array([78, 51, 45, 54, 19, 43, 63, 74, 22, 51, 90, 57, 22, 39, 52, 71, 58, 13, 32,
                       64], dtype=float)
# Letters that substitute each other more often: groups of positive scores in BLOSUM62 (Henikoff &
# Henikoff 1992, Proc Natl Acad Sci USA 89:10915).
ALIKE = ["AS", "RKQ", "NDHS", "DEN", "QEKR", "ILVM", "FYW", "ST", "HY"]
FALL = 0.85  # of the length of a branch, from one generation to the next
INDELS = 0.03  # per substitution
LONGEST = 9


def substitutions() -> np.ndarray:
    """Cumulative probabilities of the letter that takes the place of another."""
    weight = np.tile(BACKGROUND, (20, 1))
    text = LETTERS.tobytes().decode()
    for group in ALIKE:
        at = [text.index(letter) for letter in group]
        weight[np.ix_(at, at)] *= 6
    np.fill_diagonal(weight, 0)
    return np.cumsum(weight / weight.sum(axis=1, keepdims=True), axis=1)


def substitute(rows: np.ndarray, branch: np.ndarray, table: np.ndarray,
               dice: np.random.Generator) -> None:
    """Replaces residues in place, each with the probability 1 - exp(-branch)."""
    change = dice.random(rows.shape, dtype=np.float32) < -np.expm1(-branch)[:, None]
    old = rows[change]
    drawn = dice.random(old.size)
    rows[change] = np.minimum((table[old] < drawn[:, None]).sum(axis=1), 19)


def indel(rows: np.ndarray, lengths: np.ndarray, branch: np.ndarray,
          dice: np.random.Generator) -> None:
    """Inserts or deletes one piece, in place, in the rows that have one."""
    chosen = np.flatnonzero(dice.random(len(rows)) < INDELS * branch * lengths)
    size = dice.integers(1, LONGEST + 1, chosen.size)
    grows = (dice.random(chosen.size) < 0.5) & (lengths[chosen] + size <= rows.shape[1])
    shrinks = ~grows & (lengths[chosen] > 2 * size + LONGEST)
    at = (dice.random(chosen.size) * (lengths[chosen] - size)).astype(np.int64)
    column = np.arange(rows.shape[1])
    shift = np.where(grows, -size, np.where(shrinks, size, 0))
    source = column + np.where(column >= at[:, None], shift[:, None], 0)
    piece = rows[chosen]
    moved = np.take_along_axis(piece, np.clip(source, 0, rows.shape[1] - 1), axis=1)
    new = grows[:, None] & (column >= at[:, None]) & (column < (at + size)[:, None])
    moved[new] = dice.choice(20, int(new.sum()), p=BACKGROUND / BACKGROUND.sum())
    rows[chosen] = moved
    lengths[chosen] -= shift


def evolve(rows: np.ndarray, lengths: np.ndarray, mean: float, table: np.ndarray,
           dice: np.random.Generator) -> None:
    """One generation, in place, in pieces that bound the memory."""
    for begin in range(0, len(rows), 20_000):
        part = slice(begin, begin + 20_000)
        branch = mean * dice.exponential(size=len(lengths[part]))
        substitute(rows[part], branch, table, dice)
        for _ in range(2):
            indel(rows[part], lengths[part], branch / 2, dice)


def main() -> None:
    """See above."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("count", metavar="N", type=int)
    parser.add_argument("out", metavar="OUT")
    parser.add_argument("--length", type=int, default=150)
    parser.add_argument("--height", type=float, default=0.7)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    dice = np.random.default_rng(options.seed)
    table = substitutions()
    generations = max(1, math.ceil(math.log2(options.count)))
    first = options.height * (1 - FALL) / (1 - FALL ** generations)
    rows = dice.choice(20, (1, options.length * 3 // 2),
                       p=BACKGROUND / BACKGROUND.sum()).astype(np.uint8)
    lengths = np.array([options.length])
    for generation in range(generations):
        rows, lengths = np.repeat(rows, 2, axis=0), np.repeat(lengths, 2)
        evolve(rows, lengths, first * FALL ** generation, table, dice)
    taken = dice.permutation(len(rows))[:options.count]
    with open(options.out, "wb") as file:
        for name, k in enumerate(taken):
            file.write(b">seq%d\n%s\n" % (name, LETTERS[rows[k, :lengths[k]]].tobytes()))


if __name__ == "__main__":
    main()
