"""The pair-HMM of a parameter set, in the numbers that accord computes with."""
import re
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from benchmark.errors import BenchmarkError

from .residues import LETTERS, UNKNOWN

TABLES = Path(__file__).resolve().parents[4] / "src" / "models" / "model_tables.hpp"
VTML200_LOG = 0.2319  # log odds of a unit of score, as in src/models/emissions.cpp


class PairHmm(NamedTuple):
    """A match state and pairs of insert states (Do et al. 2005, Genome Res 15:330)."""

    log_odds: "np.ndarray"  # of two letters in the match state, 21 x 21; 0 for unknown ones
    match: "np.ndarray"  # weights of: a match after a match, starting with one, ending in one
    gaps: "np.ndarray"  # a row for each class of gaps: open, stay, start, end
    context_share: float  # factor of the log odds of two classes of residues


def _table(name: str) -> "np.ndarray":
    """An array of src/models/model_tables.hpp, the one place of these numbers."""
    found = re.search(name + r" = \{(.*?)\};", TABLES.read_text(encoding="utf-8"), re.DOTALL)
    if not found:
        raise BenchmarkError(f"{TABLES} has no table {name}")
    return np.array(re.findall(r"-?\d+", re.sub("//.*", "", found.group(1))), float)


def _symmetric(triangle: "np.ndarray") -> "np.ndarray":
    size = len(LETTERS)
    table = np.zeros((size, size))
    table[np.tril_indices(size)] = triangle
    return table + np.tril(table, -1).T


def _log_odds(share: float, sharpness: float) -> "np.ndarray":
    """Log odds between those of ProbCons (share 0) and of VTML200 (1), times the sharpness."""
    background = _table("kProteinEmission") / 1e8
    pairs = _symmetric(_table("kProteinPairEmission")) / 1e8
    probcons = np.log(pairs / np.outer(background, background))
    mixed = (1 - share) * probcons + share * VTML200_LOG * _symmetric(_table("kVtml200"))
    odds = np.zeros((UNKNOWN + 1, UNKNOWN + 1))
    odds[:UNKNOWN, :UNKNOWN] = sharpness * mixed
    return odds


def pair_hmm(parameters: dict[str, Any], label: str) -> PairHmm:
    """The pair-HMM of a parameter set of proteins, whose gaps cost the same at both ends."""
    try:
        hmm = parameters["pair_hmm"]
        if parameters["residues"] != "protein":
            raise BenchmarkError(f"{label} is not a parameter set of proteins")
        gaps = np.array([[gap["open"], gap["stay"], gap["start"],
                          gap["start"] * (1 - gap["stay"]) / gap["open"]]
                         for gap in hmm["gap_classes"]], float)
        match = np.array([1 - 2 * gaps[:, 0].sum(), hmm["start_match"], hmm["start_match"]])
        return PairHmm(_log_odds(hmm["vtml200_share"], hmm["sharpness"]), match, gaps,
                       float(hmm.get("context_share", 0)))
    except (KeyError, TypeError, IndexError) as error:
        raise BenchmarkError(f"{label}: not a parameter set ({error!r})",
                             "see 'accord help parameters'") from None
