"""Distances, confidence, trimming and scores of the package against the commands of the program."""
from pathlib import Path

import accord
import numpy as np
import pytest
from helpers import DATASETS, EXAMPLE, SIMULATED, output, program, read_fasta

PRIMATES = DATASETS / "primates.fa"
MODERATE = SIMULATED / "moderate_12.true.fa"
FRAGMENTS = SIMULATED / "fragments_8.true.fa"


@pytest.mark.parametrize("name", ["phylip", "phylip-lower", "tsv", "csv", "pairs"])
def test_distances_in_every_format(name: str) -> None:
    """Those of posteriors, of records and of a file."""
    expected = output("dist", EXAMPLE, "-f", name)
    assert accord.distances(read_fasta(EXAMPLE)).format(name) == expected
    assert accord.distances(EXAMPLE).format(name) == expected


@pytest.mark.parametrize("path, arguments, options", [
    (PRIMATES, {"aligned": True}, ["--aligned"]),
    (PRIMATES, {"aligned": True, "model": "tn93"}, ["--aligned", "--model", "tn93"]),
    (PRIMATES, {"aligned": True, "model": "snps", "unknown": "count"},
     ["--aligned", "--model", "snps", "--unknown", "count"]),
    (PRIMATES, {"aligned": True, "model": "HKY{2.5}+G4{0.5}"},
     ["--aligned", "--model", "HKY{2.5}+G4{0.5}"]),
    (MODERATE, {"aligned": True, "model": "kimura"}, ["--aligned", "--model", "kimura"]),
    (MODERATE, {"aligned": True, "percent_id": True, "identity_over": "shorter"},
     ["--aligned", "--percent-id", "--identity-over", "shorter"]),
    (EXAMPLE, {"model": "LG"}, ["--model", "LG"]),
    (EXAMPLE, {"percent_id": True}, ["--percent-id"])])
def test_distances_of_columns(path: Path, arguments: "dict[str, object]",
                              options: list[str]) -> None:
    """Of rows that are given, and of those that are aligned for it."""
    found = accord.distances(path, **arguments)  # type: ignore[arg-type]
    assert found.format("tsv") == output("dist", path, "-f", "tsv", *options)


def test_distances_are_arrays() -> None:
    """Square, symmetric, with the names of the program; identities are of the distances."""
    found = accord.distances(MODERATE, aligned=True)
    assert found.names == [name for name, _ in read_fasta(MODERATE)] and len(found) == 12
    assert found.values.shape == (12, 12) and found.values.dtype == np.float32
    assert np.array_equal(found.values, found.values.T) and not np.diag(found.values).any()
    assert np.array_equal(np.asarray(found), found.values) and found.unit == "distance"
    identities = accord.distances(MODERATE, aligned=True, percent_id=True)
    assert np.array_equal(identities.values, 100 * (1 - found.values))
    rows = [("a", "MK--"), ("b", "--LA"), ("c", "MKLA")]
    with pytest.warns(accord.AccordWarning, match='no column to compare, such as "a" and "b"'):
        apart = accord.distances(rows, aligned=True)
    assert np.isnan(apart.values[0, 1]) and apart.values[0, 2] == 0


def test_distances_refuse_what_says_nothing() -> None:
    """Hints are in words of Python."""
    family = read_fasta(MODERATE)
    for arguments in ({"model": "nothing"}, {"model": "LG+G4"}, {"unknown": "x"},
                      {"identity_over": "shorter"}, {"model": "jc", "identity_over": "shorter"},
                      {"aligned": True, "identity_over": "rows"},
                      {"model": "p", "percent_id": True}, {"model": "jc", "aligned": True}):
        with pytest.raises(accord.InputError) as caught:
            accord.distances(family, **arguments)  # type: ignore[arg-type]
        assert caught.value.kind == "usage" and "--" not in caught.value.hint, arguments
    far = [("a", "ACGT"), ("b", "GTAC")]
    with pytest.warns(accord.AccordWarning, match=r'model="p" has a number'):
        assert np.isinf(accord.distances(far, aligned=True, model="jc", type="dna").values[0, 1])
    with pytest.raises(accord.InputError, match="differ in length"):
        accord.distances([("a", "ACGT"), ("b", "ACG")], aligned=True)


def numbers(table: str) -> "dict[tuple[str, ...], str]":
    """The confidences of the table of the program, by level, column and sequence."""
    lines = [line.split("\t") for line in table.splitlines()[1:]]
    return {(level, column, name): confidence
            for level, column, name, _, _, _, confidence in lines}


@pytest.mark.parametrize("path", [MODERATE, FRAGMENTS, SIMULATED / "rna_10.true.fa"])
def test_confidence(path: Path) -> None:
    """Every number of the table, and the formats that have codes."""
    wanted = numbers(output("confidence", path))
    found = accord.confidence(path)
    assert found.format("stockholm") == output("confidence", path, "-f", "stockholm")

    def text(value: float) -> str:
        return "NA" if np.isnan(value) else f"{value:.4f}"

    count = 0
    for c in range(found.columns):
        assert text(found.column_confidence[c]) == wanted["column", str(c + 1), "-"]
        for r, name in enumerate(found.names):
            if found.letters[r, c] == b"-":
                continue
            count += 1
            assert text(found.residue_confidence[r, c]) == wanted[
                "residue", str(c + 1), name.split()[0]]
    assert len(wanted) == found.columns + count and 0 < found.mean_confidence < 1
    assert found.tree == "" and found.report == {}


@pytest.mark.parametrize("arguments, options", [
    ({}, []), ({"max_gaps": 0.2}, ["--max-gaps", "0.2"]),
    ({"max_gaps": 0.3, "ends": True}, ["--max-gaps", "0.3", "--ends"]),
    ({"columns": "3-90,101-"}, ["--columns", "3-90,101-"]),
    ({"by_row": "first", "max_row_gaps": 0.5}, ["--by-row", "first", "--max-row-gaps", "0.5"]),
    ({"min_confidence": 0.6}, ["--min-confidence", "0.6"]),
    ({"mask": 0.8, "max_gaps": 1}, ["--mask", "0.8", "--max-gaps", "1"])])
def test_trim(arguments: "dict[str, object]", options: list[str], tmp_path: Path) -> None:
    """The alignment, what has gone, and why."""
    tables = {name: tmp_path / f"{name}.tsv" for name in ("map", "left-out")}
    rest = tmp_path / "complement.fa"
    expected = output("trim", FRAGMENTS, *options, "--map", tables["map"], "--left-out",
                      tables["left-out"], "--complement", rest)
    trimmed = accord.trim(FRAGMENTS, **arguments)  # type: ignore[arg-type]
    assert trimmed.format() == expected
    assert trimmed.map == tables["map"].read_text(encoding="utf-8")
    assert trimmed.left_out == tables["left-out"].read_text(encoding="utf-8")
    assert trimmed.complement.format() == rest.read_text(encoding="utf-8")
    assert len(trimmed.fates) == len(read_fasta(FRAGMENTS)[0][1])
    assert trimmed.kept.sum() == trimmed.columns
    assert len(trimmed) + len(trimmed.rows_left_out) == 8


def test_trim_keeps_the_confidence_of_what_is_left() -> None:
    """That of the whole alignment, in the columns that are kept."""
    whole = accord.confidence(FRAGMENTS)
    trimmed = accord.trim(FRAGMENTS, min_confidence=0.6)
    assert np.array_equal(trimmed.column_confidence, whole.column_confidence[trimmed.kept])
    assert np.array_equal(trimmed.residue_confidence, whole.residue_confidence[:, trimmed.kept],
                          equal_nan=True)
    assert accord.trim(FRAGMENTS).column_confidence.size == 0
    assert accord.trim(FRAGMENTS, confidence=True).format("stockholm") == output(
        "trim", FRAGMENTS, "-f", "stockholm")


def test_trim_by_other_alignments_and_codons(tmp_path: Path) -> None:
    """Consistency with others, whole codons, and names with numbers."""
    family = EXAMPLE.with_name("example.true.fa")
    made = tmp_path / "made.fa"
    program(EXAMPLE, "-o", made)
    assert accord.trim(family, among=[made], min_consistency=0.7).format() == output(
        "trim", family, "--among", made, "--min-consistency", "0.7")
    assert accord.trim(family, among=[accord.align(EXAMPLE)], min_consistency=0.7).format() == \
        accord.trim(family, among=[made], min_consistency=0.7).format()
    codons = [("a", "ATG---AAGTT-TAA"), ("b", "ATGCC-AAG---TAA"), ("c", "ATG---AAG---TAA")]
    assert [row for _, row in accord.trim(codons, codons=True, max_gaps=0.5)] == ["ATGAAGTAA"] * 3
    numbered = {"A/5-9": "MKLAV", "B/2-5": "MK-AV"}
    assert accord.trim(numbered, columns="2-4").names == ["A/6-8", "B/3-4"]
    assert accord.trim(numbered, columns="2-4", keep_names=True).names == list(numbered)


def test_trim_refuses() -> None:
    """Columns and rows that are not there, and shares that are none."""
    rows = [("a", "MKL"), ("b", "M-L")]
    for arguments in ({"columns": "5-9"}, {"columns": "x"}, {"by_row": "c"}, {"max_gaps": 2},
                      {"min_consistency": 0.5}):
        with pytest.raises(accord.InputError) as caught:
            accord.trim(rows, **arguments)  # type: ignore[arg-type]
        assert caught.value.kind == "usage" and "--" not in str(caught.value) + caught.value.hint
    with pytest.raises(accord.InputError, match="proteins have no codons"):
        accord.trim(rows, codons=True)
    with pytest.warns(accord.AccordWarning, match="max_row_gaps leaves out rows"):
        accord.trim([("a", "MKL"), ("b", "M--")], columns="2-")


def test_score() -> None:
    """Against references that are files, with their core columns, and rows."""
    reference = EXAMPLE.with_name("example.true.fa")
    alignment = accord.align(EXAMPLE)
    fields = output("score", DATASETS / "example.aln", reference).splitlines()[1].split("\t")
    for found in (accord.score(alignment, reference), accord.score(EXAMPLE.with_suffix(".aln"),
                                                                   read_fasta(reference))):
        assert [f"{found.sum_of_pairs:.6f}", f"{found.total_column:.6f}"] == fields[:2]


def test_score_of_core_columns(tmp_path: Path) -> None:
    """Lower-case columns of a file are not scored."""
    path = tmp_path / "reference.fa"
    path.write_text(">a\nMKla\n>b\nMKla\n", encoding="utf-8")
    shifted = [("a x", "MKLA-"), ("b", "MK-LA")]
    assert accord.score(shifted, path) == accord.Score(1.0, 1.0)
    assert accord.score(shifted, [("a", "MKLA"), ("b", "MKLA")]).sum_of_pairs == 0.5
    with pytest.raises(accord.InputError):
        accord.score([("a", "MKLA")], path)


def test_compare(tmp_path: Path) -> None:
    """The summary, each column and each residue."""
    true, made = EXAMPLE.with_name("example.true.fa"), DATASETS / "example.aln"
    table = tmp_path / "table.tsv"
    summary = output("compare", true, made, "--table", table)
    found = accord.compare(read_fasta(true), accord.align(EXAMPLE))
    assert found.table.splitlines()[1].split("\t")[1:] == summary.splitlines()[1].split("\t")[1:]
    names = [name for name, _ in read_fasta(true)]
    seen = 0
    for line in table.read_text(encoding="utf-8").splitlines()[1:]:
        level, column, name, _, _, _, wanted = line.split("\t")[:7]
        values = found.columns if level == "column" else found.residues[names.index(name)]
        value = values[int(column) - 1]
        assert wanted == ("NA" if np.isnan(value) else f"{value:.4f}")
        seen += 1
    assert seen > found.columns.size
    assert np.array_equal(found.columns_by_other[0], found.columns, equal_nan=True)
    assert 0 < found.mean < 1
    with pytest.raises(accord.InputError, match="no alignment to compare"):
        accord.compare(true)


def test_verify(tmp_path: Path) -> None:
    """With and without a report; several files; a changed alignment."""
    rows, report = tmp_path / "out.fa", tmp_path / "r.json"
    output("align", EXAMPLE, "-o", rows, "--report", report, "--refine", "0")
    found = accord.verify(EXAMPLE, rows, report, again=True)
    assert found and not found.difference
    assert [check.name for check in found.checks] == [
        "rows", "report", "input", "version", "parameters", "alignment", "again"]
    printed = output("verify", EXAMPLE, rows, report, "--again").splitlines()[1:]
    assert printed == ["\t".join((check.name, "equal", check.detail)) for check in found.checks]
    assert accord.verify([EXAMPLE], rows, again=True, refine=0)
    other = accord.verify(str(EXAMPLE), str(rows), str(report), refine=3)
    assert not other and other.difference.startswith("refine_iterations is 0 in the report")
    assert not accord.verify(EXAMPLE, rows)
    rows.write_text(rows.read_text(encoding="utf-8").replace(">", ">x", 1), encoding="utf-8")
    assert "is no sequence of" in accord.verify(EXAMPLE, rows, report).difference
    report.write_text("{}", encoding="utf-8")
    with pytest.raises(accord.InputError, match="not a report of accord"):
        accord.verify(EXAMPLE, rows, report)


def test_weights_of_columns(tmp_path: Path) -> None:
    """Those of the program, for an alignment with its confidence."""
    path = EXAMPLE.with_name("example.true.fa")
    output("confidence", path, "--weights", tmp_path / "w.txt")
    wanted = [int(line) for line in (tmp_path / "w.txt").read_text("utf-8").splitlines()]
    assert accord.confidence(path).column_weights.tolist() == wanted
    assert accord.align(EXAMPLE).column_weights.size == 0
