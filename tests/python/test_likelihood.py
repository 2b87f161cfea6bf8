"""Likelihoods of the package against the command of the program."""
from pathlib import Path
from typing import Any

import accord
import numpy as np
import pytest
from helpers import DATASETS, SIMULATED, output, read_fasta

PRIMATES = DATASETS / "primates.fa"
NUCLEOTIDES = SIMULATED / "dna_8.true.fa"
PROTEINS = SIMULATED / "easy_8.true.fa"


@pytest.mark.parametrize("path, arguments, options", [
    (PRIMATES, {}, []),
    (PRIMATES, {"model": "HKY{2.5}+G4{0.5}", "fit": "lengths"},
     ["--model", "HKY{2.5}+G4{0.5}", "--fit", "lengths"]),
    (NUCLEOTIDES, {"model": "K80", "nni": True, "spr": 2, "support": ("sh-alrt", "abayes")},
     ["--model", "K80", "--nni", "--spr", "2", "--support", "sh-alrt,abayes"]),
    (PRIMATES, {"model": "JC", "precision": "single"}, ["--model", "JC", "--precision", "single"]),
    (PROTEINS, {"model": "WAG+F"}, ["--model", "WAG+F"])])
def test_tables_trees_and_sites(path: Path, arguments: "dict[str, Any]", options: list[str],
                                tmp_path: Path) -> None:
    """All that the program writes."""
    tree, sites = tmp_path / "tree.nwk", tmp_path / "sites.tsv"
    expected = output("likelihood", path, *options, "--tree-out", tree, "--sites", sites)
    found = accord.likelihood(path, **arguments)
    assert found.table == expected and found.tree == tree.read_text(encoding="utf-8")
    assert accord.likelihood(dict(read_fasta(path)), **arguments).table == expected
    wanted = [float(line.split("\t")[1])
              for line in sites.read_text(encoding="utf-8").splitlines()[1:]]
    assert np.allclose(found.sites, wanted, rtol=1e-8, atol=0)
    assert np.isclose(found.sites.sum(), found.log_likelihood, rtol=1e-12, atol=0)
    assert np.isclose(found.values["log_likelihood"], found.log_likelihood, rtol=1e-9, atol=0)
    assert found.models == []


def test_a_tree_that_is_given(tmp_path: Path) -> None:
    """As a text, a file, and a tree that was found here."""
    path = tmp_path / "tree.nwk"
    first = accord.likelihood(PRIMATES, model="JC")
    path.write_text(first.tree, encoding="utf-8")
    expected = output("likelihood", PRIMATES, "--model", "JC", "--tree", path, "--fit", "none")
    for tree in (path, str(path), str(first.tree), first.tree):
        again = accord.likelihood(PRIMATES, model="JC", tree=tree, fit="none")
        assert again.table == expected
    assert np.isclose(again.log_likelihood, first.log_likelihood, rtol=1e-9, atol=0)


def test_a_model_is_chosen(tmp_path: Path) -> None:
    """The one of the lowest BIC, and the table of all."""
    table = tmp_path / "models.tsv"
    expected = output("likelihood", PRIMATES, "--model", "auto", "--models", table)
    found = accord.likelihood(PRIMATES, model="auto")
    assert found.table == expected and found.values["model"] == found.models[0].name
    lines = [line.split("\t") for line in table.read_text(encoding="utf-8").splitlines()[1:]]
    assert [(one.name, f"{one.log_likelihood:.10g}", str(one.free_parameters), f"{one.bic:.10g}")
            for one in found.models] == [tuple(line) for line in lines]


def test_rows_without_a_place_are_left_out() -> None:
    """By choice, with a warning."""
    rows = [*read_fasta(PRIMATES), ("nothing", "-" * len(read_fasta(PRIMATES)[0][1]))]
    with pytest.raises(accord.InputError, match="without a known residue") as caught:
        accord.likelihood(rows, model="JC")
    assert caught.value.hint == "prune leaves them out"
    with pytest.warns(accord.AccordWarning, match="left out"):
        pruned = accord.likelihood(rows, model="JC", prune=True)
    assert pruned.table == accord.likelihood(PRIMATES, model="JC").table


def test_what_does_not_go_together_is_refused() -> None:
    """With hints in words of Python."""
    for arguments in ({"fit": "some"}, {"nni": True, "fit": "none"}, {"spr": 3},
                      {"nni": True, "precision": "single"}, {"support": "much"},
                      {"model": "auto", "fit": "none"}, {"precision": "half"}, {"model": "x"},
                      {"model": "K80", "fit": "lengths"}, {"model": "K80", "precision": "single"}):
        with pytest.raises(accord.InputError) as caught:
            accord.likelihood(PRIMATES, **arguments)  # type: ignore[arg-type]
        assert caught.value.kind == "usage", arguments
        assert "--" not in str(caught.value) + caught.value.hint, arguments
    with pytest.raises(accord.InputError):
        accord.likelihood(PRIMATES, tree="(a,b);")
    with pytest.raises(FileNotFoundError):
        accord.likelihood(PRIMATES, tree="missing.nwk")


def test_progress_may_end_the_call() -> None:
    """An exception of the caller's function comes out."""

    class Enough(Exception):
        """What the caller throws."""

    def stop(stage: str, done: float) -> None:
        assert stage == "likelihood" and done == 0
        raise Enough

    with pytest.raises(Enough):
        accord.likelihood(SIMULATED / "close_24.true.fa", model="auto", nni=True, spr=5,
                          progress=stop)
