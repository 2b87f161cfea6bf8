"""Tests of the Python package against the program: pytest tests/python, with the package installed.

ACCORD_PROGRAM names the program.
"""
import json
import math
import multiprocessing
import os
import threading
import warnings
from pathlib import Path

import accord
import numpy as np
import pytest
from helpers import EXAMPLE, ROOT, check_ctrl_c, program, read_fasta

FAMILY = [("a first", "MKVLAAGIVGLPTWERNDKK"), ("b", "MKVLAGIVGPTWERNDK"),
          ("c", "MRVLAAGLVGLPTYERDKK")]


def long_family(length: int) -> list[tuple[str, str]]:
    """Two sequences that take a while."""
    letters = "ACDEFGHIKLMNPQRSTVWY" * (length // 20)
    return [("x", letters), ("y", letters[7:] + letters[:7])]


@pytest.fixture(name="records")
def fixture_records() -> list[tuple[str, str]]:
    """The sequences of the example."""
    return read_fasta(EXAMPLE)


@pytest.mark.parametrize("name", ["fasta", "clustal", "stockholm", "phylip", "phylip-strict", "msf",
                                  "nexus", "a2m", "a3m", "json"])
def test_bytes_are_those_of_the_program(name, records):
    """In every format, from records and from a file."""
    shows_confidence = name in ("stockholm", "json")
    expected = program(EXAMPLE, "-f", name).stdout.decode()
    assert accord.align(records, confidence=shows_confidence).format(name) == expected
    assert accord.align(EXAMPLE, confidence=shows_confidence).format(name) == expected


def test_arguments_mean_what_options_mean(records, tmp_path):
    """Tree, threads, large families and parameters."""
    assert accord.align(records, tree="nj", threads=2).format() == program(
        EXAMPLE, "--tree", "nj").stdout.decode()
    assert accord.align(records, large="always").format() == program(
        EXAMPLE, "--large", "always").stdout.decode()
    parameters = ROOT / "datasets" / "parameters" / "msaprobs.json"
    assert accord.align(records, parameters=parameters).format() == program(
        EXAMPLE, "--parameters", parameters).stdout.decode()
    program(EXAMPLE, "-o", tmp_path / "x.fa", "--tree-out", tmp_path / "x.nwk")
    tree = (tmp_path / "x.nwk").read_text(encoding="utf-8")
    assert accord.align(records).tree == tree
    assert accord.tree(records) == tree


def test_tracks(tmp_path):
    """Structures of proteins and of RNA."""
    structures = ROOT / "datasets" / "example.ss3.fa"
    assert accord.align(EXAMPLE, track=structures, track_matrix="ss3").format() == program(
        EXAMPLE, "--track", structures, "--track-matrix", "ss3").stdout.decode()
    (tmp_path / "rna.fa").write_text(">a\nGGGGAAAACCCC\n>b\nAUCCAUUAAAGGAU\n", encoding="utf-8")
    (tmp_path / "rna.db").write_text(">a\n((((....))))\n>b\n((((......))))\n", encoding="utf-8")
    family, structures = tmp_path / "rna.fa", tmp_path / "rna.db"
    assert accord.align(family, track=structures, track_matrix="rna").format() == program(
        family, "--track", structures, "--track-matrix", "rna").stdout.decode()


def test_views(records):
    """Letters and confidence are views that outlive the alignment and cannot be changed."""
    alignment = accord.align(records, confidence=True)
    letters, columns = alignment.letters, alignment.column_confidence
    residues = alignment.residue_confidence
    rows = [alignment[k] for k in range(len(alignment))]
    assert letters.shape == residues.shape == (len(records), alignment.columns)
    assert letters.dtype == np.dtype("S1") and residues.dtype == np.float32
    assert [row.tobytes().decode() for row in letters] == [text for _, text in rows]
    assert [(name, text.replace("-", "")) for name, text in alignment] == records
    assert np.array_equal(np.isnan(residues), letters == b"-")
    assert np.nanmin(residues) >= 0 and np.nanmax(residues) <= 1
    first = letters.copy()
    mean = alignment.mean_confidence
    assert 0 < mean < 1 and columns.shape == (alignment.columns,)
    assert not letters.flags.owndata and not columns.flags.owndata
    with pytest.raises(ValueError):
        letters[0, 0] = b"X"
    del alignment
    assert np.array_equal(letters, first) and np.nanmax(columns) <= 1


def test_confidence_is_that_of_the_program(records, tmp_path):
    """Every number of its table, as far as it is written."""
    program(EXAMPLE, "-o", tmp_path / "x.fa", "--report", tmp_path / "x.json")
    report = json.loads((tmp_path / "x.json").read_text(encoding="utf-8"))
    alignment = accord.align(records, confidence=True)
    assert alignment.mean_confidence == report["confidence"]["mean"]
    assert alignment.report["confidence"] == report["confidence"]
    without = accord.align(records)
    assert without.column_confidence.size == 0 and without.residue_confidence.size == 0
    assert math.isnan(without.mean_confidence)


def test_report(records, tmp_path):
    """The report is that of the program, but for files, times and memory."""
    program(EXAMPLE, "-o", tmp_path / "x.fa", "--report", tmp_path / "x.json")
    expected = json.loads((tmp_path / "x.json").read_text(encoding="utf-8"))
    for made in (accord.align(records, confidence=True), accord.align(EXAMPLE, confidence=True)):
        assert made.report.keys() == expected.keys()
        for key in ("accord_version", "parameters", "parameters_sha256", "posteriors"):
            assert made.report[key] == expected[key]
        assert made.report["output"]["result_sha256"] == expected["output"]["result_sha256"]
        assert made.report["output"]["path"] is None
    assert accord.align(EXAMPLE).report["input"]["files"] == expected["input"]["files"]
    assert accord.__version__ == expected["accord_version"]


def test_records_of_other_kinds(records):
    """Biopython's records, mappings and iterators."""
    seq_io = pytest.importorskip("Bio.SeqIO")
    expected = accord.align(EXAMPLE).format()
    assert accord.align(list(seq_io.parse(str(EXAMPLE), "fasta"))).format() == expected
    assert accord.align(seq_io.parse(str(EXAMPLE), "fasta")).format() == expected
    assert accord.align(dict(records)).format() == expected
    assert accord.align(str(EXAMPLE)).format() == expected
    aligned = accord.align(FAMILY, confidence=True).to_biopython()
    assert [row.id for row in aligned] == ["a", "b", "c"]
    assert len(aligned.column_annotations["confidence"]) == aligned.get_alignment_length()
    assert accord.align(aligned).format() == accord.align(FAMILY).format()  # gaps are left out
    for wrong in ([1], [("a", "MKV", "b")]):
        with pytest.raises(TypeError, match="records are pairs"):
            accord.align(wrong)
    with pytest.raises(accord.FileError, match="cannot open MKV"):  # strings are paths
        accord.align(["MKV", "MKL"])


def test_errors_have_text_and_hint_of_the_program(tmp_path):
    """Of a wrong file, a file that is missing, and of memory that is not enough."""
    wrong = tmp_path / "wrong.fa"
    wrong.write_text(">a\nMKV\n>b\nMK7L\n", encoding="utf-8")
    for path, kind, base in ((wrong, "bad_input", ValueError),
                             (tmp_path / "missing.fa", "no_input", OSError)):
        with pytest.raises(accord.Error) as caught:
            accord.align(path)
        assert isinstance(caught.value, base) and caught.value.kind == kind
        said = program(path, status={"bad_input": 65, "no_input": 66}[kind]).stderr.decode()
        assert said.startswith(f"accord: error: {caught.value}\n")
        hint = caught.value.hint.replace("; lenient", "; --lenient")
        assert not hint or f"hint: {hint}\n" in said
    with pytest.raises(MemoryError, match="memory|MiB|GiB") as caught:
        accord.align(long_family(20000), memory=1 << 20)
    assert caught.value.hint.endswith("raise memory")
    for arguments in ({"tree": "oak"}, {"type": "cat"}, {"large": "maybe"}):
        with pytest.raises(accord.InputError) as caught:
            accord.align(FAMILY, **arguments)
        assert caught.value.kind == "usage" and caught.value.hint.startswith("use ")
    with pytest.raises(accord.DeviceError):
        accord.align(FAMILY, device="no such device")
    with pytest.raises(accord.InputError, match="no sequences"):
        accord.align([])


def test_warnings_are_those_of_the_program():
    """Names that are not different, each call its own."""
    twice = [("a", "MKVLAAGIV"), ("a", "MKVLAGIV")]
    with pytest.warns(accord.AccordWarning, match="a_2") as caught:
        alignment = accord.align(twice)
    assert caught[0].filename == __file__
    assert len(alignment.report["warnings"]) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert accord.align(FAMILY).report["warnings"] == []


def test_names_may_hold_any_bytes(tmp_path):
    """Bytes that are no UTF-8 go through."""
    path = tmp_path / "latin.fa"
    path.write_bytes(b">caf\xe9 x\nMKVLAAGIV\n>\xe6\x97\xa5\nMKVLAGIV\n")
    alignment = accord.align(path)
    assert alignment.names == ["caf\udce9 x", "日"]
    encoded = alignment.format().encode("utf-8", "surrogateescape")
    assert encoded == program(path).stdout
    assert accord.align(list(alignment)).names == alignment.names


def test_posteriors_and_score():
    """Probabilities of a pair both ways round, and a comparison with itself."""
    x, y = FAMILY[0][1], FAMILY[1][1]
    there, back = accord.posteriors(x, y), accord.posteriors(y, x)
    assert there.i.dtype == np.uint32 and there.probability.dtype == np.float32
    assert set(zip(there.i, there.j, there.probability)) == set(
        zip(back.j, back.i, back.probability))
    assert there.probability.max() <= 1 and len(there.i) >= len(y)
    alignment = accord.align(FAMILY)
    assert accord.score(alignment, alignment) == accord.Score(1.0, 1.0)
    shifted = [(name, "-" * k + text + "-" * (2 - k)) for k, (name, text) in enumerate(alignment)]
    assert accord.score(shifted, alignment).sum_of_pairs < 0.5


def test_progress_is_reported_and_may_end_the_call():
    """An exception of the caller's function comes out, and the call ends soon after."""
    reported: list[tuple[str, float]] = []
    accord.align(long_family(6000), progress=lambda stage, done: reported.append((stage, done)))
    assert all(stage and 0 <= done <= 1 for stage, done in reported)

    class Enough(Exception):
        """What the caller throws."""

    def stop(stage: str, done: float) -> None:
        raise Enough(stage, done)

    with pytest.raises(Enough):
        accord.align(long_family(20000), progress=stop)


def test_ctrl_c_ends_a_call():
    """KeyboardInterrupt, long before the call would have ended."""
    check_ctrl_c("accord.align(family, **options)")


def test_other_threads_go_on(tmp_path):
    """The interpreter's lock is released: a call that reads from a pipe waits for another thread to
    write into it, which a call that held the lock would wait for in vain."""
    pipe = tmp_path / "family.fa"
    os.mkfifo(pipe)
    thread = threading.Thread(target=pipe.write_text, args=(">x\nMKVLAAGIVGLP\n>y\nMKVLAGIVGP\n",))
    thread.start()
    alignment = accord.align(pipe)
    thread.join()
    assert [name for name, _ in alignment] == ["x", "y"]


def test_calls_side_by_side(records):
    """Threads, and processes that were forked after a call, give the same bytes."""
    expected = accord.align(records).format()
    found: list[str] = []
    threads = [threading.Thread(target=lambda n=n: found.append(
        accord.align(records, threads=n).format())) for n in (1, 2, 3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 3
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map(align_example, range(4)) == [expected] * 4


def align_example(_: int) -> str:
    """For the processes of a pool."""
    return accord.align(EXAMPLE).format()


def test_types(tmp_path):
    """The stubs are there, and what a caller gets has the types that they say."""
    api = pytest.importorskip("mypy.api")
    script = tmp_path / "use.py"
    script.write_text("import accord\n"
                      "a = accord.align([('x', 'MKV'), ('y', 'MKL')])\n"
                      "reveal_type(a.format())\nreveal_type(a.letters)\n"
                      "accord.align(3)\n", encoding="utf-8")
    said, _, status = api.run(["--strict", "--cache-dir", str(tmp_path / "cache"), str(script)])
    lines = said.splitlines()
    assert status == 1 and len(lines) == 4, said
    assert "use.py:3:" in lines[0] and lines[0].rstrip('"').endswith("str"), said
    assert "use.py:4:" in lines[1] and "numpy.bytes_" in lines[1], said
    assert "use.py:5: error: Argument 1" in lines[2], said


def test_page(tmp_path: Path) -> None:
    """The page has the rows and the confidence; a notebook shows the beginning of them."""
    made = accord.align(EXAMPLE, confidence=True)
    made.html(tmp_path / "p<b>.html")
    page = (tmp_path / "p<b>.html").read_text(encoding="utf-8")
    data = json.loads(page.split('<script type="application/json" id="data">')[1]
                      .split("</script>")[0])
    assert data["title"] == "p<b>.html"
    assert data["headers"] == made.names
    assert data["columns"] == made.columns
    assert len(data["codes"]) == len(made)
    assert np.isclose(data["mean"], made.mean_confidence)
    without = accord.align(EXAMPLE)
    without.html(str(tmp_path / "q.html"))
    assert '"confidence":[]' in (tmp_path / "q.html").read_text(encoding="utf-8")


def test_notebook() -> None:
    """The first rows and columns, with names as text, and what is left out."""
    letters = "MKVLAWQRST" * 9
    made = accord.align([(f"<b>{k}", letters) for k in range(14)])
    shown = made._repr_html_()  # pylint: disable=protected-access
    assert shown.count("&lt;b&gt;") == 12 and "<b>" not in shown
    assert shown.count(letters[:80]) == 12 and letters[:81] not in shown
    assert "2 more rows, 10 more columns" in shown
    assert "more" not in accord.align([("a", "MK")])._repr_html_()
