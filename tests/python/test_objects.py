"""Objects of Biopython and scikit-bio as input and as results."""
import io
from pathlib import Path

import accord
import numpy as np
import pytest
from Bio import Phylo, SeqIO
from Bio.Align import Alignment, MultipleSeqAlignment
from Bio.Seq import Seq
from Bio.SeqRecord import SeqRecord
from helpers import DATASETS, EXAMPLE, SIMULATED, output, read_fasta

PRIMATES = DATASETS / "primates.fa"
TRUE = EXAMPLE.with_name("example.true.fa")


def biopython_alignment(path: Path) -> Alignment:
    """The alignment of a FASTA file with coordinates."""
    rows = read_fasta(path)
    sequences, coordinates = Alignment.parse_printed_alignment(
        [letters.encode() for _, letters in rows])
    return Alignment([SeqRecord(Seq(letters), id=name) for (name, _), letters in
                      zip(rows, sequences)], coordinates)


def test_records_in_every_form() -> None:
    """Texts, bytes, Seq and SeqRecord, in pairs and mappings."""
    records = read_fasta(EXAMPLE)
    expected = output(EXAMPLE)
    as_records = [SeqRecord(Seq(letters), id=name, description="") for name, letters in records]
    for given in (records, dict(records), iter(records), as_records,
                  [(name.encode(), letters.encode()) for name, letters in records],
                  {name: Seq(letters) for name, letters in records},
                  SeqIO.to_dict(as_records), SeqIO.parse(EXAMPLE, "fasta")):
        assert accord.align(given).format() == expected
    with pytest.raises(TypeError, match="records are pairs"):
        accord.align([("a", "MK", "V")])  # type: ignore[list-item]


def test_alignments_of_biopython() -> None:
    """Both kinds, as rows, and as sequences whose gaps do not count."""
    expected = output("trim", TRUE, "--max-gaps", "0.2")
    coordinates = biopython_alignment(TRUE)
    rows = MultipleSeqAlignment([SeqRecord(Seq(letters), id=name, description="")
                                 for name, letters in read_fasta(TRUE)])
    for given in (coordinates, rows):
        assert accord.trim(given, max_gaps=0.2).format() == expected
        assert accord.align(given).format() == output(EXAMPLE)
        assert accord.score(given, TRUE) == accord.Score(1.0, 1.0)
    made = accord.align(EXAMPLE, confidence=True)
    back = made.to_biopython()
    assert accord.confidence(back).format() == made.format()
    assert np.array_equal(back.column_annotations["confidence"], made.column_confidence,
                          equal_nan=True)
    assert accord.confidence(back.alignment).format() == made.format()


def test_trees_and_distances_of_biopython() -> None:
    """With all digits of their lengths, both ways."""
    found = accord.likelihood(PRIMATES, model="JC")
    tree = found.tree.to_biopython()
    assert sorted(leaf.name for leaf in tree.get_terminals()) == sorted(
        name for name, _ in read_fasta(PRIMATES))
    again = accord.likelihood(PRIMATES, model="JC", tree=tree, fit="none")
    assert np.isclose(again.log_likelihood, found.log_likelihood, rtol=1e-10, atol=0)
    with pytest.raises(TypeError, match="a tree is"):
        accord.likelihood(PRIMATES, tree=3)  # type: ignore[arg-type]
    distances = accord.distances(PRIMATES, aligned=True, percent_id=True)
    matrix = distances.to_biopython()
    assert matrix.names == distances.names
    assert np.allclose(np.array([[matrix[a, b] for a in matrix.names] for b in matrix.names]),
                       distances.distances, rtol=0, atol=0)
    assert isinstance(accord.align(EXAMPLE).tree, accord.Newick)
    text = io.StringIO()
    Phylo.write([accord.tree(EXAMPLE).to_biopython()], text, "newick")
    assert text.getvalue().count(",") == len(read_fasta(EXAMPLE)) - 1


def test_alignments_of_scikit_bio() -> None:
    """Sequences with their metadata, and alignments with an index or without."""
    skbio = pytest.importorskip("skbio")
    records = read_fasta(EXAMPLE)
    proteins = [skbio.Protein(letters, metadata={"id": name}) for name, letters in records]
    assert accord.align(proteins).format() == output(EXAMPLE)
    assert accord.align(dict(zip((name for name, _ in records), proteins))).format() == output(
        EXAMPLE)
    made = accord.align(EXAMPLE, confidence=True)
    table = made.to_skbio()
    assert table.dtype is skbio.Protein and table.shape == (len(made), made.columns)
    assert list(table.index) == made.names
    assert np.array_equal(table.positional_metadata["confidence"], made.column_confidence,
                          equal_nan=True)
    assert accord.confidence(table).format() == made.format()
    unnamed = skbio.TabularMSA([skbio.Protein(letters) for _, letters in made],
                               index=["x y", *made.names[1:]])
    assert accord.confidence(unnamed).names == ["x y", *made.names[1:]]
    described = skbio.DNA("ACGTAC", metadata={"id": "a", "description": "first one"})
    assert accord.align([described, skbio.DNA("ACTAC", metadata={"id": "b"})]).names == [
        "a first one", "b"]


@pytest.mark.parametrize("name, kind", [("dna_8", "DNA"), ("rna_lower_6", "RNA")])
def test_nucleotides_of_scikit_bio(name: str, kind: str) -> None:
    """In their own class, in upper case."""
    skbio = pytest.importorskip("skbio")
    made = accord.align(SIMULATED / f"{name}.fa")
    table = made.to_skbio()
    assert table.dtype is getattr(skbio, kind)
    assert [str(row) for row in table] == [letters.upper() for _, letters in made]


def test_trees_and_distances_of_scikit_bio() -> None:
    """Both ways; names keep their underscores."""
    skbio = pytest.importorskip("skbio")
    distances = accord.distances(PRIMATES, aligned=True, model="k80")
    matrix = distances.to_skbio()
    assert list(matrix.ids) == distances.names
    assert np.array_equal(matrix.data.astype(np.float32), distances.values)
    tree = skbio.tree.nj(matrix)
    assert accord.likelihood(PRIMATES, model="K80{4}", tree=tree, fit="lengths").sites.size == len(
        read_fasta(PRIMATES)[0][1])
    back = accord.tree([("a_b", "MKVLAAG"), ("c", "MKVLAG"), ("d", "MKVAG")]).to_skbio()
    assert sorted(tip.name for tip in back.tips()) == ["a_b", "c", "d"]
