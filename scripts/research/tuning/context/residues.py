"""The residues that contexts are trained on: sequences with the scored columns of a reference."""
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from benchmark.datasets import facts, read_fasta
from benchmark.errors import BenchmarkError

from ..families import Member
from ..scoring import Reference

LETTERS = "ARNDCQEGHILKMFPSTWYV"
UNKNOWN, OUTSIDE = 20, 21  # B Z J X and all else; before the first and after the last residue
CODES = 22
LIKE = {"U": "C", "O": "K"}  # as accord reads them
LONGEST = 1200  # residues; longer sequences are left out, for time


def _codes() -> "np.ndarray":
    codes = np.full(256, UNKNOWN, np.uint8)
    for letter, like in [*zip(LETTERS, LETTERS), *LIKE.items()]:
        codes[[ord(letter), ord(letter.lower())]] = LETTERS.index(like)
    return codes


CODE_OF = _codes()


class Residues(NamedTuple):
    """All sequences one after the other."""

    letters: "np.ndarray"  # code of each residue, uint8
    columns: "np.ndarray"  # its scored column in the reference of its family, -1 if none, int32
    first: "np.ndarray"  # first residue of each sequence, and the number of residues, int64
    family_first: "np.ndarray"  # first sequence of each family, and the number of sequences


def _sequences(path: Path) -> dict[str, str]:
    """Letters by name, the first word of the header."""
    return {header[1:].split()[0] if header[1:].split() else "":
            "".join(c for c in text if c not in "-.~") for header, text in read_fasta(path)}


def _rows(member: Member) -> list["tuple[np.ndarray, np.ndarray]"]:
    """(codes, columns) of the rows of a family's reference that are not too long."""
    assert member.family.reference is not None
    reference = Reference(member.family.reference)
    given = _sequences(member.family.path)
    columns = np.full(sum(reference.lengths), -1, np.int32)
    columns[reference.place] = reference.column
    rows = []
    first = 0
    for name, length in zip(reference.names, reference.lengths):
        if len(given.get(name, "")) != length:
            raise BenchmarkError(f"{member.family.path}: {name} does not have the {length} "
                                 "residues of the reference")
        if 0 < length < LONGEST:
            text = np.frombuffer(given[name].encode("latin-1", "replace"), np.uint8)
            rows.append((CODE_OF[text], columns[first:first + length]))
        first += length
    return rows


def read_residues(members: Sequence[Member]) -> tuple[Residues, list[Member]]:
    """The sequences of the references of all families of proteins, and these families; one of
    which less than two sequences are short enough is left out."""
    letters, columns, first, family_first, kept = [], [], [0], [0], []
    for member in members:
        if facts(member.family).kind != "protein":
            continue
        rows = _rows(member)
        if len(rows) < 2:
            continue
        for row_letters, row_columns in rows:
            letters.append(row_letters)
            columns.append(row_columns)
            first.append(first[-1] + len(row_letters))
        family_first.append(len(first) - 1)
        kept.append(member)
    if not letters:
        raise BenchmarkError("no family of proteins with two sequences in its reference")
    return Residues(np.concatenate(letters), np.concatenate(columns), np.array(first),
                    np.array(family_first)), kept
