"""Openings of gaps: factors by the letters and the classes of the residues on either side of a
gap, trained as the net is.

The log likelihood of the reference given both sequences has the slope a - b in the logarithm of
the factor of a place: a is the expected number of gaps that open there if the pairs of the
reference are kept, b the same in all alignments."""
from collections.abc import Sequence
from typing import Callable

import numpy as np
from numba import njit, prange

from .classes import Contexts, as_written, check, log_openings
from .kernels import Pairs, cell_odds, line, measure, partners, posteriors
from .pair_hmm import PairHmm
from .residues import UNKNOWN, Residues
from .training import Course, Quality, descend

COURSE = Course(epochs=8, draws=6, batch=64, rate=0.03, seed=1)
DECAY = 2e-2  # l2 of the tables
STEEPEST = 5.0  # norm of the slopes of a pair, at most: some references are very unlikely

# These functions are compiled anew each time: Numba's cache of them would not see changes of
# kernels.py.


@njit
def confine(cells, of_x, of_y, x, y):
    """Leaves only the alignments that have all pairs of the reference (see partners): others get
    odds of 0, and their residues may not stand alone."""
    for i in range(len(of_x)):
        if of_x[i] >= 0:
            x.alone[i] = 0.0
        for j in range(len(of_y)):
            if (of_x[i] >= 0 or of_y[j] >= 0) and of_x[i] != j:
                cells[i, j] = 0.0
    for j in range(len(of_y)):
        if of_y[j] >= 0:
            y.alone[j] = 0.0


@njit
def _add(slopes, letters, classes, found):
    """Adds the slopes of the places before the residues of a sequence to those of the tables."""
    for p in range(1, len(letters)):
        for side in range(2):
            residue = p - 1 + side
            if letters[residue] < UNKNOWN:
                found[side, letters[residue]] += slopes[p]
            found[side, UNKNOWN + classes[residue]] += slopes[p]


@njit
def slopes_of_pair(cells, of_x, of_y, match, gaps, x, y, quality):
    """Slopes of a pair in the factors before each residue of x and of y, divided by the root of
    the aligned pairs; the ends of the sequences have 0. Fills in the quality. Changes cells, x
    and y (see confine)."""
    posterior, free_x, free_y = posteriors(cells, match, gaps, x, y)
    measure(posterior, of_x, quality)
    confine(cells, of_x, of_y, x, y)
    _, slope_x, slope_y = posteriors(cells, match, gaps, x, y)
    slope_x -= free_x
    slope_y -= free_y
    for slope in (slope_x, slope_y):
        slope[0] = slope[-1] = 0.0
        slope /= np.sqrt(quality[0])
    steep = np.sqrt((slope_x ** 2).sum() + (slope_y ** 2).sum()) / STEEPEST
    if steep > 1:
        slope_x /= steep
        slope_y /= steep
    return slope_x, slope_y


@njit(parallel=True)
def gradients(letters, classes, columns, pairs, odds, match, gaps, left, right, openings):
    """Gradient of each pair (pairs x side x letters and classes), and its quality. `left` and
    `right` are features of each residue as cell_odds() takes them, `openings` the logarithm of
    the factor of a gap before each."""
    found = np.zeros((len(pairs.first_x), 2, UNKNOWN + right.shape[1]))
    quality = np.zeros((len(pairs.first_x), 3))
    for k in prange(len(pairs.first_x)):
        a, b = pairs.first_x[k], pairs.first_y[k]
        c, d = a + pairs.length_x[k], b + pairs.length_y[k]
        of_x, of_y = partners(columns[a:c], columns[b:d])
        if of_x.max() >= 0:
            cells = cell_odds(letters[a:c], letters[b:d], odds, left[a:c],
                              np.ascontiguousarray(right[b:d].T))
            slope_x, slope_y = slopes_of_pair(cells, of_x, of_y, match, gaps, line(openings[a:c]),
                                              line(openings[b:d]), quality[k])
            _add(slope_x, letters[a:c], classes[a:c], found[k])
            _add(slope_y, letters[b:d], classes[b:d], found[k])
    return found, quality


def _residues_of(residues: Residues, families: Sequence[int]) -> "np.ndarray":
    """Places of the residues of these families."""
    first = residues.first[residues.family_first]
    return np.concatenate([np.arange(*first[family:family + 2]) for family in families])


def centred(tables: "np.ndarray", entries: "np.ndarray") -> "np.ndarray":
    """Tables (side x entry) less their means over these residues. How often gaps open on the whole
    is a matter of the parameter set."""
    return tables - tables[:, entries].mean(axis=1, keepdims=True)


def train_openings(residues: Residues, families: Sequence[int], hmm: PairHmm, contexts: Contexts,
                   course: Course, report: Callable[[int, Quality], None]) -> Contexts:
    """The contexts with openings of gaps trained on these families; for `report` see descend().
    Those that they have do not matter."""
    classes = contexts.classes_of(residues)
    left, right = contexts.features(residues, hmm.context_share)
    vector = np.zeros(2 * (UNKNOWN + len(contexts.log_odds)))
    tables = vector.reshape(2, -1)
    of_letters, of_classes = tables[:, :UNKNOWN], tables[:, UNKNOWN:]

    def slopes(pairs: Pairs) -> tuple["np.ndarray", "np.ndarray"]:
        found, quality = gradients(
            residues.letters, classes, residues.columns, pairs, np.exp(hmm.log_odds), hmm.match,
            hmm.gaps, left, right, log_openings(residues.letters, classes, of_letters, of_classes))
        return found.reshape(len(found), -1), quality

    descend(residues, families, course, vector, np.full_like(vector, DECAY), slopes, report)
    places = _residues_of(residues, families)
    letters = residues.letters[places]
    contexts = contexts._replace(
        gap_letters=as_written(centred(of_letters, letters[letters < UNKNOWN])),
        gap_classes=as_written(centred(of_classes, classes[places])))
    check(contexts)
    return contexts
