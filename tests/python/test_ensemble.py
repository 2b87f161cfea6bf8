"""Ensembles of the package against the command of the program."""
from pathlib import Path

import accord
import numpy as np
import pytest
from helpers import EXAMPLE, output, read_fasta


def test_ensemble(tmp_path: Path) -> None:
    """The bytes of the program, and its numbers."""
    table, columns = tmp_path / "r.tsv", tmp_path / "c.tsv"
    expected = output("ensemble", EXAMPLE, "-n", "5", "--seed", "2", "--replicates-out", table,
                      "--columns-out", columns)
    made = accord.ensemble(EXAMPLE, replicates=5, seed=2)
    assert made.format() == expected
    assert accord.ensemble(read_fasta(EXAMPLE), replicates=5, seed=2).format() == expected
    rows = [line.split("\t") for line in table.read_text().splitlines()[1:]]
    assert [row[0] for row in rows] == [replicate.name for replicate in made]
    assert [int(row[1]) for row in rows] == [replicate.columns for replicate in made]
    assert [f"{replicate.agreement:.6f}" for replicate in made] == [row[2] for row in rows]
    assert [row[0] for row in rows if row[4] == "yes"] == [made.best.name]
    found = [f"{value:.4f}" for replicate in made for value in replicate.ensemble_confidence]
    assert found == [line.split("\t")[3] for line in columns.read_text().splitlines()[1:]]
    report = made[0].report["ensemble"]
    assert report["dispersion"] == made.dispersion and report["seed"] == 2


def test_the_first_is_that_of_align() -> None:
    """With its tree and confidence; the others have theirs."""
    made = accord.ensemble(EXAMPLE, replicates=2, confidence=True)
    alone = accord.align(EXAMPLE, confidence=True)
    assert made[0].format("json") == alone.format("json") and str(made[0].tree) == str(alone.tree)
    assert np.array_equal(made[0].column_confidence, alone.column_confidence, equal_nan=True)
    assert made[1].column_confidence.size == made[1].columns
    assert made[0].ensemble_confidence.min() >= 0.5


def test_ensembles_are_refused() -> None:
    """Hints are in words of Python."""
    with pytest.raises(accord.Error, match="no replicates"):
        accord.ensemble(EXAMPLE, replicates=0)
    with pytest.raises(accord.Error, match="mode local") as refused:
        accord.ensemble(EXAMPLE, mode="local")
    assert refused.value.hint == "leave out mode"
