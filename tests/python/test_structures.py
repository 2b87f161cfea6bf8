"""Structure files as records of accord.align(), against the program."""
import accord
import pytest
from helpers import EXAMPLE, ROOT, output, program, read_fasta

STRUCTURES = ROOT / "tests" / "data" / "structures"
FILES = [STRUCTURES / "1orc.pdb", f"{STRUCTURES}/2beg.cif.gz:A,B"]


def test_bytes_and_tracks_are_those_of_the_program(tmp_path):
    """Files, some of their chains, and a folder; the aligned tracks."""
    tracks = tmp_path / "tracks.fa"
    for records, inputs in ((FILES, FILES), (tuple(FILES), FILES), (STRUCTURES, [STRUCTURES])):
        alignment = accord.align(records)
        assert alignment.format() == output(*inputs, "--track-out", tracks)
        assert alignment.tracks == [letters for _, letters in read_fasta(tracks)]
    assert accord.align(FILES).names == ["1orc", "2beg_A", "2beg_B"]


def test_other_tracks(tmp_path):
    """Sequences have no tracks; a file of tracks replaces the structure; the weight 0."""
    assert accord.align(EXAMPLE).tracks == []
    aligned, tracks = tmp_path / "a.fa", tmp_path / "t.fa"
    program(*FILES, "-o", aligned, "--track-out", tracks)
    given = accord.align(read_fasta(aligned), track=tracks, track_matrix="ss3")
    assert given.format() == accord.align(FILES, track=tracks, track_matrix="ss3").format()
    assert accord.align(FILES, track_weight=0).format() == accord.align(
        read_fasta(aligned)).format()


def test_errors():
    """What has no chain of a name, and what is no list of files."""
    with pytest.raises(accord.InputError, match="no protein chain"):
        accord.align([f"{STRUCTURES}/1orc.pdb:B"])
    with pytest.raises(TypeError):
        accord.align([FILES[0], ("a", "MKV")])


def test_structure_figures(tmp_path):
    """The lDDT, the TM-scores and the superposed structures of an alignment, as the program has
    them, and the lDDT of align()."""
    superposed, table, aligned = (tmp_path / name for name in ("s.pdb", "t.tsv", "a.fa"))
    program(*FILES, "-o", aligned, "--tm-scores", table, "--superposed", superposed)
    made = accord.align(FILES, confidence=True)
    for alignment in (made, aligned):
        figures = accord.structure_figures(alignment, FILES, tm_scores=True, superposed="pdb")
        assert figures.superposed == superposed.read_text()
        assert figures.lddt == pytest.approx(made.mean_lddt)
        assert figures.column_lddt.shape == (made.columns,)
        assert figures.residue_lddt.shape == made.letters.shape
        assert [(pair.x, pair.y) for pair in figures.tm_scores] == [
            ("1orc", "2beg_A"), ("1orc", "2beg_B"), ("2beg_A", "2beg_B")]
        lines = table.read_text().splitlines()[1:]
        assert [f"{pair.tm_x:.4f}" for pair in figures.tm_scores] == [
            line.split("\t")[3] for line in lines]
    assert made.report["lddt"]["mean"] == pytest.approx(made.mean_lddt)
    assert accord.align(FILES).column_lddt.size == 0
    with pytest.raises(accord.InputError, match="no row has the name of a structure"):
        accord.structure_figures([("a", "MKV"), ("b", "MKV")], FILES)
    with pytest.raises(accord.Error, match="no format of structures"):
        accord.structure_figures(made, FILES, superposed="xyz")
