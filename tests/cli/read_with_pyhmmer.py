#!/usr/bin/env python3
"""Reads alignments with Easel, through pyhmmer, and prints them as 'name<TAB>row' lines.

  read_with_pyhmmer.py FORMAT FILE     (a FORMAT of pyhmmer.easel.MSAFile; 'version' prints its own)
"""
import sys

import pyhmmer


def text(value) -> str:
    """Names are bytes in older releases."""
    return value.decode() if isinstance(value, bytes) else value


if sys.argv[1] == "version":
    print(pyhmmer.__version__)
else:
    with pyhmmer.easel.MSAFile(sys.argv[2], format=sys.argv[1], digital=False) as file:
        alignment = file.read()
    for name, row in zip(alignment.names, alignment.alignment):
        print(f"{text(name)}\t{text(row).replace('.', '-').replace('_', '-')}")
