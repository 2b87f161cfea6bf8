#!/usr/bin/env python3
"""Writes tracks of RNA families: a dot-bracket string for each sequence, by ViennaRNA
(`pip install ViennaRNA`).

  scripts/training/rna_structures.py REFERENCES OUTPUT

REFERENCES has a file of aligned rows for each family. OUTPUT gets two folders with a FASTA file for
each family: `known` has the consensus structure of the rows (RNAalifold), where a residue without a
partner in its row is unpaired; `predicted` has the structure of least energy of each sequence alone
(RNAfold).
"""
import argparse
import sys
from pathlib import Path

import RNA

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

# pylint: disable=wrong-import-position
from benchmark.datasets import read_fasta  # noqa: E402

GAPS = "-."


def partners(structure: str) -> "dict[int, int]":
    """The place of the partner of each paired place."""
    found: dict[int, int] = {}
    opened: list[int] = []
    for i, letter in enumerate(structure):
        if letter == "(":
            opened.append(i)
        elif letter == ")":
            j = opened.pop()
            found[i], found[j] = j, i
    return found


def projected(consensus: str, row: str) -> str:
    """The consensus structure on the residues of a row."""
    partner = partners(consensus)
    return "".join(letter if i in partner and row[partner[i]] not in GAPS else "."
                   for i, letter in enumerate(consensus) if row[i] not in GAPS)


def structures(rows: "list[str]") -> "dict[str, list[str]]":
    """By folder, the dot-bracket strings of aligned rows."""
    consensus = RNA.fold_compound(rows).mfe()[0]
    sequences = ["".join(c for c in row if c not in GAPS) for row in rows]
    return {"known": [projected(consensus, row) for row in rows],
            "predicted": [RNA.fold(sequence)[0] for sequence in sequences]}


def main() -> None:
    """See the top of the file."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("references", type=Path)
    parser.add_argument("output", type=Path)
    arguments = parser.parse_args()
    for reference in sorted(arguments.references.iterdir()):
        records = read_fasta(reference)
        rows = [row.upper().replace("T", "U") for _, row in records]
        for folder, found in structures(rows).items():
            path = arguments.output / folder / reference.name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("".join(f"{header}\n{structure}\n" for (header, _), structure
                                    in zip(records, found)))


if __name__ == "__main__":
    main()
