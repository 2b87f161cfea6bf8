"""SP and TC of many alignments in one process, exactly as `accord score` counts them."""
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import NamedTuple, Optional

import numpy as np
from benchmark.errors import BenchmarkError

GAPS = b"-.~"
Rows = dict[str, bytes]


class Score(NamedTuple):
    """What `accord score` prints."""

    pairs_correct: int
    pairs: int
    columns_correct: int
    columns: int

    def sp(self) -> float:
        """Sum of pairs."""
        return self.pairs_correct / self.pairs

    def tc(self) -> float:
        """Total column."""
        return self.columns_correct / self.columns


def read_rows(path: Path) -> Rows:
    """The rows of an aligned FASTA file by name, the first word of the header."""
    rows: dict[str, list[bytes]] = {}
    part: Optional[list[bytes]] = None
    for line in path.read_bytes().split(b"\n"):
        if line.startswith(b">"):
            words = line[1:].split()
            part = rows.setdefault(words[0].decode("latin-1") if words else "", [])
        elif part is not None:
            part.append(line.strip())
    return {name: b"".join(parts) for name, parts in rows.items()}


def _xml_reference(path: Path) -> tuple[Rows, Optional["np.ndarray"]]:
    alignment = ElementTree.parse(path).getroot().find("alignment")
    if alignment is None:
        raise BenchmarkError(f"{path}: not a BAliBASE alignment")
    rows = {(sequence.findtext("seq-name") or "").split()[0]:
            "".join((sequence.findtext("seq-data") or "").split()).encode("latin-1")
            for sequence in alignment.findall("sequence")}
    for score in alignment.findall("column-score"):
        if (score.findtext("colsco-name") or "").split() == ["coreblock"]:
            words = (score.findtext("colsco-data") or "").split()
            return rows, np.array([word == "1" for word in words])
    return rows, None


def _letters(row: bytes) -> "np.ndarray":
    return np.frombuffer(row, dtype=np.uint8)


def _is_residue(row: "np.ndarray") -> "np.ndarray":
    return ~np.isin(row, _letters(GAPS))


def _upper_case_columns(rows: Rows) -> Optional["np.ndarray"]:
    table = np.vstack([_letters(row) for row in rows.values()])
    upper = ((table >= ord("A")) & (table <= ord("Z"))).any(axis=0)
    lower = ((table >= ord("a")) & (table <= ord("z"))).any(axis=0)
    return upper if upper.any() and lower.any() else None


class Reference:
    """The scored residues of a reference alignment."""

    def __init__(self, path: Path) -> None:
        """Reads FASTA (upper case is scored, all columns if there is one case) or BAliBASE XML."""
        text = path.read_bytes()[:200].lstrip()
        if text.startswith(b"<"):
            rows, core = _xml_reference(path)
        elif text.startswith(b">"):
            rows = read_rows(path)
            core = _upper_case_columns(rows)
        else:
            raise BenchmarkError(f"{path}: neither FASTA nor BAliBASE XML")
        self.path = path
        self.names = list(rows)
        self.lengths: list[int] = []
        columns, places = [], []  # of each scored residue: its column, its place in all rows
        first = 0
        for row in rows.values():
            is_residue = _is_residue(_letters(row))
            at = np.flatnonzero(is_residue)
            place = first + np.arange(len(at))
            if core is not None:
                place, at = place[core[at]], at[core[at]]
            columns.append(at)
            places.append(place)
            self.lengths.append(int(is_residue.sum()))
            first += self.lengths[-1]
        column, self.place = np.concatenate(columns), np.concatenate(places)
        size = np.bincount(column)
        keep = size[column] >= 2
        self.column, self.place = column[keep], self.place[keep]
        self.size = size
        self.scored = size[size >= 2].astype(np.int64)
        if not len(self.scored):
            raise BenchmarkError(f"{path}: no scored column with two residues")

    def score(self, test: Path) -> Score:
        """Compares the rows of the same names in a FASTA alignment."""
        rows = read_rows(test)
        parts = []
        for name, length in zip(self.names, self.lengths):
            if name not in rows:
                raise BenchmarkError(f"{test} has no row {name}")
            at = np.flatnonzero(_is_residue(_letters(rows[name])))
            if len(at) != length:
                raise BenchmarkError(f"{test}: row {name} has {len(at)} residues, the reference "
                                     f"{self.path} {length}")
            parts.append(at)
        where = np.concatenate(parts)[self.place]
        width = int(where.max()) + 1
        groups, count = np.unique(self.column.astype(np.int64) * width + where, return_counts=True)
        count = count.astype(np.int64)
        whole = count == self.size[groups // width]
        return Score(int((count * (count - 1) // 2).sum()),
                     int((self.scored * (self.scored - 1) // 2).sum()),
                     int(whole.sum()), len(self.scored))
