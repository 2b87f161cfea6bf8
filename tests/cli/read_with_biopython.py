#!/usr/bin/env python3
"""Reads alignments with Biopython and prints what it found as 'name<TAB>row' lines.

  read_with_biopython.py FORMAT FILE     (a FORMAT of Bio.AlignIO; 'version' prints Biopython's)
"""
import sys

if sys.argv[1] == "version":
    import Bio

    print(Bio.__version__)
else:
    from Bio import AlignIO

    alignment = AlignIO.read(sys.argv[2], sys.argv[1])
    for record in alignment:
        print(f"{record.id}\t{record.seq}")
    if sys.argv[1] == "stockholm":
        for record in alignment:
            print("PP\t" + record.letter_annotations["posterior_probability"])
        # Older releases do not keep the columns' code.
        consensus = alignment.column_annotations.get("posterior_probability")
        if consensus is not None:
            print("PP_cons\t" + consensus)
