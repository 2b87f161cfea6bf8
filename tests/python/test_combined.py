"""Adding, merging and codons of the package against the commands of the program."""
import contextlib
import itertools
import re
import warnings
from pathlib import Path
from typing import Any

import accord
import numpy as np
import pytest
from helpers import DATASETS, EXAMPLE, SIMULATED, output, program, read_fasta

GENES = DATASETS / "cor66.gb"


def write(path: Path, records: "list[tuple[str, str]]") -> Path:
    """A FASTA file."""
    path.write_text("".join(f">{name}\n{letters}\n" for name, letters in records),
                    encoding="utf-8")
    return path


@pytest.fixture(name="parts")
def fixture_parts(tmp_path: Path) -> "tuple[Path, Path, Path]":
    """The true alignment of two thirds of a family, the sequences of the others, and their
    alignment."""
    rows = read_fasta(SIMULATED / "extensions_10.true.fa")
    others = [(name, letters.replace("-", "")) for name, letters in rows[6:]]
    program(write(tmp_path / "others.fa", others), "-o", tmp_path / "others.aln.fa")
    return (write(tmp_path / "rows.fa", rows[:6]), tmp_path / "others.fa",
            tmp_path / "others.aln.fa")


@pytest.mark.parametrize("keep_columns", [False, True])
def test_add(parts: "tuple[Path, Path, Path]", keep_columns: bool, tmp_path: Path) -> None:
    """The rows, what is left out, and the report."""
    rows, others, _ = parts
    table = tmp_path / "left.tsv"
    options = ["--keep-columns", "--left-out", table] if keep_columns else []
    expected = output("add", rows, others, *options)
    with accord_warnings(keep_columns):
        found = accord.add(rows, others, keep_columns=keep_columns)
        again = accord.add(dict(read_fasta(rows)), read_fasta(others), keep_columns=keep_columns)
    assert found.format() == again.format() == expected
    assert (found.columns == len(read_fasta(rows)[0][1])) == keep_columns
    assert found.report["command"] == "add" and found.report["output"]["columns"] == found.columns
    assert bool(found.left_out) == keep_columns
    if keep_columns:
        lines = ["\t".join(map(str, one)) for one in found.left_out]
        assert lines == table.read_text(encoding="utf-8").splitlines()[1:]


def test_add_and_merge_take_tracks(tmp_path: Path) -> None:
    """Of rows and of new sequences, as the commands do."""
    records = read_fasta(EXAMPLE)
    old, new = write(tmp_path / "old.fa", records[:5]), write(tmp_path / "new.fa", records[5:])
    old_rows, new_rows = tmp_path / "old.afa", tmp_path / "new.afa"
    program(old, "-o", old_rows)
    program(new, "-o", new_rows)
    track = DATASETS / "example.ss3.fa"
    words = ["--track", track, "--track-matrix", "ss3", "--track-weight", "1"]
    options: Any = {"track": track, "track_matrix": "ss3", "track_weight": 1}
    added = accord.add(old_rows, new, **options)
    assert added.format() == output("add", old_rows, new, *words)
    assert added.report["track"]["weight"] == 1
    merged = accord.merge([old_rows, new_rows], **options)
    assert merged.format() == output("merge", old_rows, new_rows, *words)
    assert merged.report["track"]["weight"] == 1
    assert len(added.tracks) == len(records)


def accord_warnings(expected: bool) -> Any:
    """A warning of residues that are left out, if it is expected."""
    return (pytest.warns(accord.AccordWarning, match="left_out lists them") if expected
            else contextlib.nullcontext())


def test_added_sequences_have_a_confidence(parts: "tuple[Path, Path, Path]") -> None:
    """Given rows have none."""
    rows, others, _ = parts
    found = accord.add(rows, others, confidence=True)
    assert np.isnan(found.residue_confidence[:6]).all()
    assert np.array_equal(np.isnan(found.residue_confidence[6:]), found.letters[6:] == b"-")
    assert found.format("stockholm") == output("add", rows, others, "-f", "stockholm")


def test_add_turns_nucleotides_round(tmp_path: Path) -> None:
    """And says what looks as if it had to be."""
    rows = read_fasta(SIMULATED / "dna_8.true.fa")
    complement = str.maketrans("ACGT", "TGCA")
    name, letters = rows[7][0], rows[7][1].replace("-", "").translate(complement)[::-1]
    given = write(tmp_path / "rows.fa", rows[:7])
    backward = write(tmp_path / "backward.fa", [(name, letters)])
    with pytest.warns(accord.AccordWarning, match="turned round"):
        turned = accord.add(given, [(name, letters)], adjust_direction=True)
    assert turned.names[7] == "_R_" + name
    assert turned.format() == output("add", given, backward, "--adjust-direction")
    with pytest.warns(accord.AccordWarning, match="adjust_direction turns them round"):
        accord.add(given, [(name, letters)])


def test_add_refuses(parts: "tuple[Path, Path, Path]") -> None:
    """Names that occur twice, and rows that differ in length."""
    rows, others, _ = parts
    with pytest.raises(accord.InputError, match="occurs twice"):
        accord.add(rows, read_fasta(rows)[:1])
    with pytest.raises(accord.InputError, match="differ in length"):
        accord.add([("a", "MKLV"), ("b", "MK")], [("c", "MKL")])
    with pytest.raises(accord.InputError, match="no rows"):
        accord.add([], others)
    with pytest.raises(accord.FileError):
        accord.add(rows, rows.with_name("missing.fa"))


def test_merge(parts: "tuple[Path, Path, Path]") -> None:
    """Files and rows, with the confidence."""
    rows, _, others = parts
    expected = output("merge", rows, others)
    assert accord.merge([rows, others]).format() == expected
    merged = accord.merge([read_fasta(rows), dict(read_fasta(others))], confidence=True)
    assert merged.format() == expected and merged.report["command"] == "merge"
    assert merged.format("stockholm") == output("merge", rows, others, "-f", "stockholm")
    with pytest.raises(accord.InputError, match="two alignments"):
        accord.merge([rows])


@pytest.fixture(name="genes", scope="module")
def fixture_genes() -> "list[tuple[str, str]]":
    """The coding sequences of a GenBank file, as the program reads them."""
    return [(name, letters.replace("-", "")) for name, letters in accord.codon(GENES)]


@pytest.mark.filterwarnings("ignore::accord.AccordWarning")
@pytest.mark.parametrize("arguments, options", [
    ({}, []), ({"frameshifts": True}, ["--frameshifts"]), ({"frame": "auto"}, ["--frame", "auto"]),
    ({"frame": 2}, ["--frame", "2"]), ({"stops": "drop"}, ["--stops", "drop"]),
    ({"code": 11, "tree": "nj"}, ["--code", "11", "--tree", "nj"])])
def test_codon(arguments: "dict[str, Any]", options: list[str], tmp_path: Path) -> None:
    """The codons of a GenBank file, and the proteins."""
    proteins = tmp_path / "protein.fa"
    expected = output("codon", GENES, *options, "--protein-out", proteins)
    found = accord.codon(GENES, **arguments)
    assert found.format() == expected
    assert found.protein is not None
    assert found.protein.format() == proteins.read_text(encoding="utf-8")
    assert found.type == "dna" and found.columns == 3 * found.protein.columns


@pytest.mark.filterwarnings("ignore::accord.AccordWarning")
def test_codons_have_the_confidence_of_their_residues() -> None:
    """In the codes of Stockholm, and as numbers."""
    found = accord.codon(GENES, confidence=True)
    assert found.protein is not None
    assert np.array_equal(found.column_confidence[::3], found.protein.column_confidence,
                          equal_nan=True)
    assert np.array_equal(np.isnan(found.residue_confidence), found.letters == b"-")
    assert found.format("stockholm") == output("codon", GENES, "-f", "stockholm")


@pytest.mark.filterwarnings("ignore::accord.AccordWarning")
def test_codons_through_given_proteins(genes: "list[tuple[str, str]]", tmp_path: Path) -> None:
    """Of a file, and of an alignment that was made here; rows of names alone."""
    made = accord.codon(genes, stops="drop").protein
    assert made is not None
    protein, path = tmp_path / "protein.fa", write(tmp_path / "genes.fa", genes)
    protein.write_text(made.format(), encoding="utf-8")
    expected = output("codon", path, "--protein", protein)
    for found in (accord.codon(genes, protein=protein), accord.codon(path, protein=made)):
        assert found.format() == expected and found.protein is None


def test_codon_refuses_and_warns() -> None:
    """Proteins, words that are unknown, and frames beside proteins."""
    with pytest.raises(accord.InputError, match="these are proteins"):
        accord.codon(EXAMPLE)
    genes = [("a", "ATGAAACTGTAA"), ("b", "ATGAAACTCTAA")]
    for arguments in ({"frame": 4}, {"stops": "maybe"}, {"code": 99},
                      {"protein": [("a", "MKL"), ("b", "MKL")], "frame": 1}):
        with pytest.raises(accord.InputError) as caught:
            accord.codon(genes, **arguments)  # type: ignore[arg-type]
        assert caught.value.kind == "usage" and "--" not in str(caught.value) + caught.value.hint
    with pytest.warns(accord.AccordWarning, match=r"a frameshift \(frameshifts\), a wrong frame"):
        accord.codon([("a", "ATGTAACTGAAA"), ("b", "ATGAAACTCAAA")])


def test_codons_are_translated_as_biopython_does() -> None:
    """All codons of IUPAC letters, by every genetic code; sets of two amino acids, B, J and Z, are
    X."""
    tables = pytest.importorskip("Bio.Data.CodonTable").unambiguous_dna_by_id
    translate = pytest.importorskip("Bio.Seq").translate
    gene = "".join(map("".join, itertools.product("ACGTRYSWKMBDHVN", repeat=3)))
    codes = [int(code) for code in re.findall(r"^ +(\d+)  ", output("help", "codes"), re.M)]
    assert len(codes) > 20 and set(codes) <= set(tables)
    for code in codes:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", accord.AccordWarning)  # of stops, which most codes have
            proteins = accord.codon([("a", gene)], code=code, type="dna").protein
        assert proteins is not None
        wanted = str(translate(gene, table=code)).translate(str.maketrans("BJZ", "XXX"))
        assert proteins[0][1] == wanted, code
