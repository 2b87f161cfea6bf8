"""Many families: results in their order or as they come, failures in their place, an early end."""
import itertools
import os
import threading
from collections.abc import Iterator
from typing import Any

import accord
import pytest
from helpers import EXAMPLE, SIMULATED, check_ctrl_c, output, read_fasta

NAMES = ["easy_8", "remote_8", "dna_8", "short_20", "rna_10"]
FAMILIES = {name: SIMULATED / f"{name}.fa" for name in NAMES}
SMALL = [("a", "MKVLAAGIVGLP"), ("b", "MKVLAGIVGP")]
LONG = [("x", "ACDEFGHIKLMNPQRSTVWY" * 500), ("y", "CDEFGHIKLMNPQRSTVWY" * 500)]


@pytest.mark.parametrize("ordered", [True, False])
def test_results_are_those_of_the_program(ordered: bool) -> None:
    """Of a mapping with its keys, for any number of workers."""
    for workers in (0, 1, 3):
        found = dict(accord.batch(FAMILIES, ordered=ordered, workers=workers))
        assert set(found) == set(NAMES)
        for name, path in FAMILIES.items():
            result = found[name]
            assert isinstance(result, accord.Alignment)
            assert result.format() == output(path)


def test_results_keep_the_order_of_the_families() -> None:
    """A family that takes long is waited for; a list has numbers for keys."""
    families = [LONG, SMALL, SMALL]
    assert [key for key, _ in accord.batch(families, workers=3)] == [0, 1, 2]
    assert {key for key, _ in accord.batch(families, workers=3, ordered=False)} == {0, 1, 2}


def test_what_is_done_first_comes_first() -> None:
    """Without an order a family does not wait for one before it."""
    go = threading.Event()

    def function(family: str, **_: Any) -> str:
        if family == "waits":
            assert go.wait(60)
        return family

    results = accord.batch(["waits", "does not"], function, ordered=False, workers=2)
    assert next(results) == (1, "does not")
    go.set()
    assert list(results) == [(0, "waits")]


@pytest.mark.parametrize("ordered", [True, False])
def test_a_failure_loses_no_other_family(ordered: bool) -> None:
    """It stands in its place, with its kind and text."""
    families = {"good": SMALL, "bad": [("a", "MK1")], "missing": EXAMPLE.with_name("missing.fa"),
                "none": [], "last": SMALL}
    found = dict(accord.batch(families, ordered=ordered))
    assert list(found) == list(families) or not ordered
    assert {name: result.kind for name, result in found.items()
            if isinstance(result, accord.Error)} == {
                "bad": "bad_input", "missing": "no_input", "none": "bad_input"}
    with pytest.raises(accord.FileError, match="missing.fa"):
        raise found["missing"]  # type: ignore[misc]
    assert isinstance(found["last"], accord.Alignment)


def test_other_functions_and_their_options() -> None:
    """Distances, with options for all; a wrong option ends the batch."""
    rows = {name: read_fasta(path.with_suffix(".true.fa")) for name, path in FAMILIES.items()}
    for name, result in accord.batch(rows, accord.distances, aligned=True):
        assert isinstance(result, accord.Distances)
        assert result.format() == output("dist", FAMILIES[name].with_suffix(".true.fa"),
                                         "--aligned")
    with pytest.raises(TypeError, match="trees"):
        list(accord.batch([SMALL], trees="nj"))
    with pytest.raises(TypeError, match="records are pairs"):
        list(accord.batch([[3]]))


def test_tracks_of_a_mapping_are_those_of_their_families() -> None:
    """A family without tracks is aligned as without any."""
    tracks = {"with": EXAMPLE.with_name("example.ss3.fa"), "none": None}
    families = dict.fromkeys(("with", "none", "missing"), EXAMPLE)
    found = dict(accord.batch(families, track=tracks, track_matrix="ss3", track_weight=1))
    plain, given = output(EXAMPLE), output(EXAMPLE, "--track", tracks["with"], "--track-matrix",
                                           "ss3", "--track-weight", "1")
    assert plain != given
    assert {name: result.format() for name, result in found.items()} == {
        "with": given, "none": plain, "missing": plain}


@pytest.mark.parametrize("device", ["none", "auto"])
def test_a_device_is_opened_once(device: str) -> None:
    """All calls of a batch share it; a caller's own device is taken as it is."""
    given: list[accord.Device] = []

    def align(family: Any, **options: Any) -> accord.Alignment:
        given.append(options["device"])
        return accord.align(family, **options)

    families = {**FAMILIES, "bad": [("a", "MK1")]}
    found = dict(accord.batch(families, align, device=device, workers=3))
    assert len({id(one) for one in given}) == 1 and len(given) == len(families)
    assert isinstance(given[0], accord.Device) and given[0].name == device
    for name, path in FAMILIES.items():
        assert found[name].format() == output(path)
    assert isinstance(found["bad"], accord.InputError)
    own = accord.Device(device, threads=1)
    for _ in accord.batch([SMALL, SMALL], align, device=own):
        assert given.pop() is own
    assert accord.tree(SMALL, device=own) == accord.align(SMALL, device=own).tree


def test_a_fork_has_no_device_of_its_parent() -> None:
    """It is told so, instead of waiting for threads that it does not have."""
    device = accord.Device("none")
    child = os.fork()
    if child == 0:
        try:
            accord.align(SMALL, device=device)
        except accord.DeviceError as error:
            os._exit(0 if "fork" in str(error) else 2)
        os._exit(1)
    assert os.waitpid(child, 0)[1] == 0
    assert len(accord.align(SMALL, device=device)) == 2


def test_threads_of_a_batch_may_be_left_open() -> None:
    """None is as many as there are, with a device and without."""
    for options in ({"device": "none"}, {}):
        [(_, result)] = accord.batch([SMALL], threads=None, **options)
        assert isinstance(result, accord.Alignment)


def test_a_device_that_is_not_there_ends_the_batch() -> None:
    """Before the first result, and before a family is read."""
    results = accord.batch(iter(lambda: SMALL, None), device="no such device")
    with pytest.raises(accord.DeviceError, match="no such device"):
        next(results)


def test_families_are_read_as_results_are_taken() -> None:
    """An endless iterable is read a few families ahead, and the loop may end early."""
    read = []

    def endless() -> "Iterator[list[tuple[str, str]]]":
        for k in itertools.count():
            read.append(k)
            yield SMALL

    results = accord.batch(endless(), workers=2)
    assert [next(results)[0] for _ in range(3)] == [0, 1, 2]
    assert len(read) <= 2 * 2 + 3
    results.close()  # type: ignore[attr-defined]
    assert next(results, None) is None


def test_the_end_of_the_loop_ends_the_calls() -> None:
    """Those that are under way, whose progress is told of them until then."""
    reported = threading.Event()
    huge = [("x", "ACDEFGHIKLMNPQRSTVWY" * 5000), ("y", "CDEFGHIKLMNPQRSTVWY" * 5000)]
    results = accord.batch([SMALL, huge], workers=2, memory=1 << 40,
                           progress=lambda stage, done: reported.set() if done < 1 else None)
    assert next(results)[0] == 0
    assert reported.wait(60)
    results.close()  # type: ignore[attr-defined]
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("accord")]


def test_ctrl_c_ends_a_batch() -> None:
    """KeyboardInterrupt, long before the families would have ended."""
    check_ctrl_c("list(accord.batch([family] * 4, workers=2, **options))")
