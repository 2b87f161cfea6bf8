#!/usr/bin/env python3
"""Estimates the built-in tables of log odds of tracks (datasets/parameters) from aligned pairs.

  scripts/training/track_tables.py REFERENCES TRACKS [--output DIR]
  scripts/training/track_tables.py --rna REFERENCES TRACKS [--output DIR]
  scripts/training/track_tables.py --fold REFERENCES TRACKS [--output DIR]

REFERENCES has a file of two aligned rows for each pair, TRACKS a file of the same name with the Mu
letters of both. Columns with two upper-case letters are counted. The secondary structure of a
residue (H helix, E strand, C other) is a part of its Mu letter.

--rna: REFERENCES has a file of aligned rows for each RNA family, TRACKS the dot-bracket strings
that rna_structures.py writes. The pairs of rows of the training half whose identity is below 75 %
are counted. --fold: the same, with the letters of base pairs that 'accord --track-out' writes; the
letters do not depend on the table of the program.
"""

import argparse
import math
import sys
from collections import Counter
from itertools import combinations
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

# pylint: disable=wrong-import-position
from benchmark import halves  # noqa: E402
from benchmark.datasets import read_fasta  # noqa: E402

PARAMETERS = ROOT / "datasets" / "parameters"
MOST_IDENTITY = 0.75
MU = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghij"
PSEUDO_PAIRS = 40


def rows_of(path: Path) -> "list[str]":
    """The rows of a FASTA file."""
    return [row for _, row in read_fasta(path)]


def count(references: Path, tracks: Path) -> "tuple[Counter[tuple[str, str]], Counter[str]]":
    """Counts aligned letters in both orders, and the letters of all residues."""
    pairs: Counter[tuple[str, str]] = Counter()
    letters: Counter[str] = Counter()
    for reference in sorted(references.iterdir()):
        first, second = rows_of(tracks / reference.name)
        letters.update(first + second)
        i = j = 0
        for x, y in zip(*rows_of(reference)):
            if x.isalpha() and y.isalpha() and x.isupper() and y.isupper():
                pairs[first[i], second[j]] += 1
                pairs[second[j], first[i]] += 1
            i += x != "-"
            j += y != "-"
    return pairs, letters


def identity(x: str, y: str) -> float:
    """The share of equal letters among the columns where both rows have one."""
    both = [(a, b) for a, b in zip(x, y) if a.isalpha() and b.isalpha()]
    return sum(a == b for a, b in both) / max(len(both), 1)


def tracks_of(path: Path, names: "list[str]") -> "list[str]":
    """The tracks of sequences of these names, without the gaps of an alignment."""
    tracks = {header.split()[0].lstrip(">"): row.replace("-", "")
              for header, row in read_fasta(path)}
    return [tracks[name] for name in names]


def aligned(row: str, track: str) -> "list[str]":
    """The track letters of the columns of a row; empty for a gap."""
    letters = iter(track)
    return [next(letters) if c.isalpha() else "" for c in row]


def count_families(references: Path, tracks: Path,
                   ) -> "tuple[Counter[tuple[str, str]], Counter[str]]":
    """Counts aligned letters of all pairs of rows in both orders, and the letters of all residues;
    of the training half."""
    pairs: Counter[tuple[str, str]] = Counter()
    letters: Counter[str] = Counter()
    names = [family for (name, _, family), half in halves.read().items()
             if (name, half) == (references.parent.name, "training")]
    for name in names:
        rows = rows_of(references / name)
        structures = tracks_of(tracks / name, [header.split()[0].lstrip(">") for header, _ in
                                               read_fasta(references / name)])
        if "?" in "".join(structures):  # too alike, so that no base pairs were predicted
            continue
        letters.update("".join(structures))
        columns = [aligned(row, structure) for row, structure in zip(rows, structures)]
        for i, j in combinations(range(len(rows)), 2):
            if identity(rows[i], rows[j]) >= MOST_IDENTITY:
                continue
            for a, b in zip(columns[i], columns[j]):
                if a and b:
                    pairs[a, b] += 1
                    pairs[b, a] += 1
    return pairs, letters


def table(title: str, names: str, pairs: "Counter[tuple[str, str]]",
          letters: "Counter[str]", source: str = "pairs that lie close in structure alignments",
          ) -> str:
    """The text of a table of log odds, with the frequencies of its letters."""
    residues, total = sum(letters.values()), sum(pairs.values())
    share = {a: letters[a] / residues for a in names}
    lines = [f"# {title}",
             "# Natural log odds of letters of aligned residues; scripts/training/track_tables.py",
             f"# estimated them from {total // 2} {source}.",
             "# Background: " + " ".join(f"{share[a]:.5f}" for a in names),
             "\t" + "\t".join(names)]
    for a in names:
        odds = [(pairs[a, b] + PSEUDO_PAIRS * share[a] * share[b]) / (total + PSEUDO_PAIRS)
                / (share[a] * share[b]) for b in names]
        lines.append(a + "\t" + "\t".join(f"{math.log(value):.3f}" for value in odds))
    return "\n".join(lines) + "\n"


def main() -> None:
    """Writes track_mu.tsv and track_ss3.tsv, or track_rna.tsv, or track_fold.tsv."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("references", type=Path)
    parser.add_argument("tracks", type=Path)
    parser.add_argument("--output", type=Path, default=PARAMETERS)
    parser.add_argument("--rna", action="store_true")
    parser.add_argument("--fold", action="store_true")
    arguments = parser.parse_args()
    if arguments.rna or arguments.fold:
        name, title, names = (("rna", "rna: secondary structure, ( and ) paired, . unpaired", "().")
                              if arguments.rna else
                              ("fold", "fold: base pairs with their probabilities; uvw unpaired, "
                               "Ll first of a pair, Rr second", "uvwLlRr"))
        pairs, letters = count_families(arguments.references, arguments.tracks)
        (arguments.output / f"track_{name}.tsv").write_text(
            table(title, names, pairs, letters, "pairs of residues of BRAliBase"))
        return
    pairs, letters = count(arguments.references, arguments.tracks)
    (arguments.output / "track_mu.tsv").write_text(
        table("mu: Mu letters of Reseek", MU, pairs, letters))
    structure = {letter: "HEC"[MU.index(letter) % 3] for letter in MU}
    of_pairs: Counter[tuple[str, str]] = Counter()
    for (a, b), number in pairs.items():
        of_pairs[structure[a], structure[b]] += number
    of_letters: Counter[str] = Counter()
    for a, number in letters.items():
        of_letters[structure[a]] += number
    (arguments.output / "track_ss3.tsv").write_text(
        table("ss3: secondary structure, H helix, E strand, C other", "HEC", of_pairs, of_letters))


if __name__ == "__main__":
    main()
