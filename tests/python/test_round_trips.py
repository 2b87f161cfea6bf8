"""Every format that accord writes is read back to the same names and rows: by accord, and by
Biopython, Easel (pyhmmer) or another reader that is not accord's."""
import json
import os
import subprocess
from pathlib import Path
from typing import Callable

import pytest
from Bio import AlignIO
from pyhmmer.easel import MSAFile

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("ACCORD_PROGRAM", str(ROOT / "build" / "accord"))
Rows = list[tuple[str, str]]

# Names with what a format may stumble over, letters in both cases, more than a block of columns.
FAMILY = (">sp|P1|X one\nMKvLAAGIVG\n>b/2-9\nMKVLAGIV\n>c'd.e\nMKLAAGIGWW\n>x=1\nMKLAGIGW\n"
          + "".join(f">s{k}\n{'A' * (70 + k)}WC{'K' * (80 - k)}\n" for k in range(20)))
FORMATS: dict[str, str] = {
    "fasta": "fa", "clustal": "clw", "stockholm": "sto", "phylip": "phy", "phylip-strict": "strict",
    "msf": "msf", "nexus": "nex", "a2m": "a2m", "a3m": "a3m", "json": "json"}


@pytest.fixture(name="files", scope="module")
def fixture_files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The alignment in every format."""
    directory = tmp_path_factory.mktemp("formats")
    (directory / "in.fa").write_text(FAMILY, encoding="utf-8")
    files = {name: directory / f"x.{suffix}" for name, suffix in FORMATS.items()}
    command = [PROGRAM, str(directory / "in.fa"), "--device", "none"]
    for name, path in files.items():
        command += ["-o", str(path), "-f", name]
    subprocess.run(command, check=True, capture_output=True)
    return files


def fasta_rows(text: str) -> Rows:
    """Names up to the first blank, and rows."""
    rows = []
    for record in text.split(">")[1:]:
        header, _, letters = record.partition("\n")
        rows.append((header.split()[0], letters.replace("\n", "")))
    return rows


@pytest.fixture(name="expected", scope="module")
def fixture_expected(files: dict[str, Path]) -> Rows:
    """What all must agree on."""
    rows = fasta_rows(files["fasta"].read_text(encoding="utf-8"))
    assert [name for name, _ in rows[:4]] == ["sp|P1|X", "b/2-9", "c'd.e", "x=1"]
    assert [row.replace("-", "") for _, row in rows] == [
        letters for _, letters in fasta_rows(FAMILY)]
    return rows


def upper(rows: Rows) -> Rows:
    """Without what case says."""
    return [(name, row.upper()) for name, row in rows]


def by_biopython(name: str) -> Callable[[Path], Rows]:
    """A reader of a format of Bio.AlignIO."""
    return lambda path: [(row.id, str(row.seq)) for row in AlignIO.read(path, name)]


def by_easel(name: str) -> Callable[[Path], Rows]:
    """A reader of a format of Easel."""

    def read(path: Path) -> Rows:
        def text(value: object) -> str:
            return value.decode() if isinstance(value, bytes) else str(value)

        with MSAFile(str(path), format=name, digital=False) as file:
            alignment = file.read()
        return [(text(row), text(letters).replace(".", "-").replace("_", "-"))
                for row, letters in zip(alignment.names, alignment.alignment)]

    return read


def by_json(path: Path) -> Rows:
    """Python's own reader."""
    return [(row["name"], row["row"])
            for row in json.loads(path.read_text(encoding="utf-8"))["sequences"]]


@pytest.mark.parametrize("name, read", [
    ("fasta", by_biopython("fasta")), ("clustal", by_biopython("clustal")),
    ("stockholm", by_biopython("stockholm")), ("phylip", by_biopython("phylip-relaxed")),
    ("phylip-strict", by_biopython("phylip")),
    ("phylip-strict", by_biopython("phylip-sequential")), ("msf", by_biopython("msf")),
    ("nexus", by_biopython("nexus")), ("fasta", by_easel("afa")),
    ("clustal", by_easel("clustallike")), ("stockholm", by_easel("stockholm")),
    ("phylip-strict", by_easel("phylips")), ("json", by_json)])
def test_other_readers(name: str, read: Callable[[Path], Rows], files: dict[str, Path],
                       expected: Rows) -> None:
    """Names and rows, letter by letter."""
    assert read(files[name]) == expected


def matches(rows: Rows) -> Rows:
    """Rows as far as A3M aligns them: the columns in which the first row has a residue, and the
    residues of the whole row."""
    columns = [c for c, letter in enumerate(rows[0][1]) if letter != "-"]
    return [(name, "".join(row[c] for c in columns).upper() + " " + row.replace("-", "").upper())
            for name, row in rows]


def marked(rows: Rows) -> Rows:
    """The same of rows as A3M has them: match columns are in upper case, or `-`."""
    return [(name, "".join(c for c in row if c == "-" or c.isupper()) + " "
             + row.replace("-", "").upper()) for name, row in rows]


def test_a3m(files: dict[str, Path], expected: Rows) -> None:
    """By the definition of the format."""
    assert marked(fasta_rows(files["a3m"].read_text(encoding="utf-8"))) == matches(expected)


def test_a2m(files: dict[str, Path], expected: Rows) -> None:
    """Easel finds the match columns: those in which half of the rows have a residue. It moves the
    residues of the others, which the format does not align."""
    columns = [c for c in range(len(expected[0][1]))
               if 2 * sum(row[c] != "-" for _, row in expected) >= len(expected)]
    with MSAFile(str(files["a2m"]), format="a2m", digital=False) as file:
        alignment = file.read()
    reference = alignment.reference
    reference = reference.decode() if isinstance(reference, bytes) else reference
    kept = [c for c, mark in enumerate(reference) if mark == "x"]
    rows = by_easel("a2m")(files["a2m"])
    assert len(kept) == len(columns)
    for (name, row), (wanted, aligned) in zip(rows, expected):
        assert name == wanted
        assert "".join(row[c] for c in kept).upper() == "".join(
            aligned[c] for c in columns).upper()
        assert row.replace("-", "").upper() == aligned.replace("-", "").upper()


def test_confidence_of_stockholm(files: dict[str, Path]) -> None:
    """Biopython and Easel find a code for each residue, and one for each column."""
    alignment = AlignIO.read(files["stockholm"], "stockholm")
    for row in alignment:
        codes = row.letter_annotations["posterior_probability"]
        assert [code == "." for code in codes] == [letter == "-" for letter in row.seq]
    assert len(alignment.column_annotations["posterior_probability"]) == len(alignment[0])


@pytest.mark.parametrize("name", FORMATS)
def test_accord_reads_what_it_wrote(name: str, files: dict[str, Path], expected: Rows) -> None:
    """Converted to FASTA, and back to the same bytes."""
    command = [PROGRAM, "convert", str(files[name]), "--in-format", name, "-f"]
    said = subprocess.run([*command, "fasta"], capture_output=True, check=True)
    rows = fasta_rows(said.stdout.decode())
    if name == "a3m":
        assert matches(rows) == matches(expected)
    elif name == "a2m":
        assert upper(rows) == upper(expected)
    else:
        assert rows == expected
    if name in ("fasta", "clustal", "phylip", "phylip-strict", "msf", "nexus", "a2m"):
        again = subprocess.run([*command, name], capture_output=True, check=True)
        assert again.stdout == files[name].read_bytes()
