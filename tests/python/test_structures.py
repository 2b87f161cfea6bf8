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
