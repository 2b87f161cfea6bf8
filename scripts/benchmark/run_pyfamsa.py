#!/usr/bin/env python3
"""FAMSA 2 on a FASTA file: run_pyfamsa.py IN OUT THREADS (python3 -m pip install pyfamsa).

The guide tree is its default, single linkage.
"""
import sys

import pyfamsa


def main(source: str, target: str, threads: int) -> None:
    """Aligns the sequences of one file into the other."""
    names, sequences = [], []
    with open(source, encoding="latin-1") as file:
        for line in file:
            if line.startswith(">"):
                names.append(line[1:].split(None, 1)[0] if line[1:].strip() else "")
                sequences.append("")
            elif sequences:
                sequences[-1] += "".join(c for c in line if c.isalpha()).upper()
    aligner = pyfamsa.Aligner(threads=threads, guide_tree="sl")
    rows = aligner.align([pyfamsa.Sequence(name.encode("latin-1"), letters.encode("ascii"))
                          for name, letters in zip(names, sequences)])
    with open(target, "w", encoding="latin-1") as file:
        for row in rows:
            file.write(f">{row.id.decode('latin-1')}\n{row.sequence.decode('ascii')}\n")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
