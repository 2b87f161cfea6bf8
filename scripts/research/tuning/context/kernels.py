"""The compiled part of the training: posteriors of a pair-HMM, the rule of classes, and gradients.

All that is cached is in one file: Numba's cache of compiled functions follows the changes of one
file alone. structure.py, which calls a function of this one, does without.
"""
import math
from typing import NamedTuple

import numpy as np
from numba import njit, prange

UNKNOWN, OUTSIDE, CODES = 20, 21, 22  # as in residues.py
MOST = 6.0  # log odds of a context are kept within -MOST to MOST
MOST_OPENING = 2.5  # so are the logarithms of the factors of gap openings
LEAST_POSTERIOR = 1e-4  # in the mean logarithm
RESCALE = 8  # rows from one common factor to the next
STEP = 0.3  # of the log odds of a reference's pairs, by which slopes are found


class Size(NamedTuple):
    """Of a rule."""

    radius: int  # letters on either side of a residue that it sees
    hidden: int
    classes: int


class Rule(NamedTuple):
    """The trained values: a net for the class of a residue, and the scores of classes. All are
    views of one vector (see views_of), or of a gradient."""

    window: "np.ndarray"  # offset x letter x hidden
    bias: "np.ndarray"  # hidden
    classes: "np.ndarray"  # hidden x class
    class_bias: "np.ndarray"
    log_odds: "np.ndarray"  # class x class
    gap_letters: "np.ndarray"  # side x letter: logarithms of the factors of gap openings, of the
    gap_classes: "np.ndarray"  # side x class   residue before a gap (side 0) and of the one behind


class Pairs(NamedTuple):
    """The two sequences of each pair: first residue and residues of x, the same of y."""

    first_x: "np.ndarray"
    length_x: "np.ndarray"
    first_y: "np.ndarray"
    length_y: "np.ndarray"


@njit(cache=True)
def views_of(vector, size):
    """The parts of a vector of all that is trained; how long it is, is length_of()."""
    offsets, hidden, classes = 2 * size.radius + 1, size.hidden, size.classes
    a = offsets * CODES * hidden
    b = a + hidden
    c = b + hidden * classes
    d = c + classes
    e = d + classes * classes
    f = e + 2 * UNKNOWN
    return Rule(vector[:a].reshape(offsets, CODES, hidden), vector[a:b],
                vector[b:c].reshape(hidden, classes), vector[c:d],
                vector[d:e].reshape(classes, classes), vector[e:f].reshape(2, UNKNOWN),
                vector[f:].reshape(2, classes))


def length_of(size):
    """Numbers in the vector of views_of()."""
    return (((2 * size.radius + 1) * CODES + 1) * size.hidden
            + size.classes * (size.hidden + size.classes + 3) + 2 * UNKNOWN)


@njit(cache=True)
def window_sums(letters, window, bias):
    """Bias and the entries of the window around each residue of a sequence: residues x hidden,
    in the type of the window."""
    radius = window.shape[0] // 2
    sums = np.empty((len(letters), len(bias)), window.dtype)
    for i in range(len(letters)):
        for k in range(len(bias)):
            sums[i, k] = bias[k]
        for o in range(window.shape[0]):
            j = i + o - radius
            letter = letters[j] if 0 <= j < len(letters) else OUTSIDE
            for k in range(len(bias)):
                sums[i, k] += window[o, letter, k]
    return sums


@njit(cache=True)
def memberships(sums, classes, class_bias, temperature):
    """How much of each class a residue has (residues x classes, rows have the sum 1): the
    exponential of its scores divided by a temperature. At 0 it has the class of the best score
    alone."""
    size, hidden = sums.shape
    values = np.zeros((size, len(class_bias)))
    for i in range(size):
        values[i] = class_bias
        for k in range(hidden):
            h = min(1.0, max(-1.0, sums[i, k]))
            for c in range(len(class_bias)):
                values[i, c] += h * classes[k, c]
        best = values[i].argmax()
        if temperature > 0:
            values[i] = np.exp((values[i] - values[i, best]) / temperature)
            values[i] /= values[i].sum()
        else:
            values[i] = 0.0
            values[i, best] = 1.0
    return values


@njit(cache=True)
def back_propagate(letters, sums, values, slope, temperature, rule, found):
    """Adds to the gradient of the net what follows from that of a sequence's memberships
    (values)."""
    radius = rule.window.shape[0] // 2
    hidden = sums.shape[1]
    inner = np.empty(hidden)
    for i in range(len(letters)):
        score = values[i] * (slope[i] - (slope[i] * values[i]).sum()) / temperature
        found.class_bias[:] += score
        for k in range(hidden):
            h = min(1.0, max(-1.0, sums[i, k]))
            total = 0.0
            for c in range(len(score)):
                total += score[c] * rule.classes[k, c]
                found.classes[k, c] += score[c] * h
            inner[k] = total if abs(sums[i, k]) < 1 else 0.0
            found.bias[k] += inner[k]
        for o in range(rule.window.shape[0]):
            j = i + o - radius
            letter = letters[j] if 0 <= j < len(letters) else OUTSIDE
            for k in range(hidden):
                found.window[o, letter, k] += inner[k]


@njit(cache=True)
def cell_odds(x, y, odds, left, right):
    """Odds of matching residues i of x and j of y: those of their letters, times the exponential
    of the scalar product of left[i] and right[j]. `right` is dimensions x residues."""
    cells = np.empty((len(x), len(y)))
    score = np.empty(len(y))
    for i in range(len(x)):
        score[:] = 0.0
        for d in range(left.shape[1]):
            factor = left[i, d]
            for j in range(len(y)):
                score[j] += factor * right[d, j]
        for j in range(len(y)):
            cells[i, j] = odds[x[i], y[j]] * math.exp(min(MOST, max(-MOST, score[j])))
    return cells


@njit(cache=True)
def factors(log_openings):
    """The factor of a gap before each residue of a sequence and behind the last one, from their
    logarithms. Gaps at its ends have the factor 1."""
    size = len(log_openings)
    opening = np.ones(size + 1)
    for p in range(1, size):
        opening[p] = math.exp(min(MOST_OPENING, max(-MOST_OPENING, log_openings[p])))
    return opening


@njit(cache=True)
def _rescale(match, gap_x, gap_y):
    """Divides the values of a row by the largest of them, and returns its logarithm."""
    largest = match.max()
    for k in range(gap_x.shape[0]):
        largest = max(largest, gap_x[k].max(), gap_y[k].max())
    if largest == 0:  # no match here or above: x begins with a gap
        return 0.0
    match /= largest
    gap_x /= largest
    gap_y /= largest
    return math.log(largest)


@njit(cache=True)
def forward(odds, match, gaps, open_x, open_y, values):
    """Fills the forward values of the match state, those of row i (from 0) divided by
    exp(logs[i]); open_x and open_y are factors(). Returns logs, and the logarithm of the total of
    all alignments."""
    rows, size = odds.shape
    logs = np.zeros(rows)
    before, now = np.zeros(size + 1), np.zeros(size + 1)  # match state of two rows
    gap_x, gap_y = np.zeros((len(gaps), size + 1)), np.zeros((len(gaps), size + 1))
    into = np.zeros(size + 1)
    for k in range(len(gaps)):
        gap_y[k, 1] = gaps[k, 2]
        for j in range(2, size + 1):
            gap_y[k, j] = gap_y[k, j - 1] * gaps[k, 1]
    log = 0.0
    for i in range(rows):
        for j in range(size):
            into[j] = match[0] * before[j]
        for k in range(len(gaps)):
            close = 1 - gaps[k, 1]
            for j in range(size):
                into[j] += close * (gap_x[k, j] + gap_y[k, j])
        if i == 0:
            into[0] += match[1]
        now[0] = 0.0
        for j in range(size):
            now[j + 1] = odds[i, j] * into[j]
        for k in range(len(gaps)):
            start = gaps[k, 2] if i == 0 else gap_x[k, 0] * gaps[k, 1]
            for j in range(1, size + 1):
                gap_x[k, j] = gaps[k, 0] * open_y[j] * before[j] + gaps[k, 1] * gap_x[k, j]
            gap_x[k, 0] = start
            last = 0.0
            gap_y[k, 0] = 0.0
            first = gaps[k, 0] * open_x[i + 1]
            for j in range(1, size + 1):
                last = first * now[j - 1] + gaps[k, 1] * last
                gap_y[k, j] = last
        if i % RESCALE == 0:
            log += _rescale(now, gap_x, gap_y)
        values[i] = now[1:]
        logs[i] = log
        before, now = now, before
    total = match[2] * before[size]
    for k in range(len(gaps)):
        total += gaps[k, 3] * (gap_x[k, size] + gap_y[k, size])
    return logs, log + math.log(total)


@njit(cache=True)
def posteriors(odds, match, gaps, open_x, open_y):
    """Posterior probability of each match (Durbin et al. 1998, Biological sequence analysis,
    section 4.4): rows are residues of x, columns those of y. Then, for x and for y, the expected
    number of gaps that open before each residue and behind the last one."""
    rows, size = odds.shape
    values = np.empty((rows, size))
    opened_x, opened_y = np.zeros(rows + 1), np.zeros(size + 1)
    logs, total = forward(odds, match, gaps, open_x, open_y, values)
    after = np.zeros(size + 1)  # match state of the row below; times exp(log) as the others
    gap_x, gap_y = np.zeros((len(gaps), size + 1)), np.zeros((len(gaps), size + 1))
    next_match = np.zeros(size)  # of going on to (i + 1, j + 1)
    now = np.zeros(size + 1)
    next_x, next_y = np.zeros(size), np.zeros(size)  # of going on to a gap, a part of `now`
    log = 0.0
    for i in range(rows - 1, -1, -1):
        if i + 1 < rows:
            for j in range(size - 1):
                next_match[j] = odds[i + 1, j + 1] * after[j + 1]
        for j in range(size):
            now[j] = match[0] * next_match[j]
        next_x[:], next_y[:] = 0.0, 0.0
        for k in range(len(gaps)):
            stay, close = gaps[k, 1], 1 - gaps[k, 1]
            last = 0.0
            end = gaps[k, 3] if i + 1 == rows else 0.0
            for j in range(size - 1, -1, -1):
                last = close * next_match[j] + stay * last + (end if j + 1 == size else 0.0)
                gap_y[k, j] = last
            for j in range(size):
                to_x = open_y[j + 1] * gap_x[k, j]
                to_y = open_x[i + 1] * gap_y[k, j + 1]
                now[j] += gaps[k, 0] * (to_x + to_y)
                next_x[j] += gaps[k, 0] * to_x
                next_y[j] += gaps[k, 0] * to_y
            for j in range(size):
                gap_x[k, j] = close * next_match[j] + stay * gap_x[k, j]
            gap_x[k, size - 1] += end
        if i + 1 == rows:
            now[size - 1] += match[2]
        factor = math.exp(log + logs[i] - total)
        for j in range(size):
            opened_x[i + 1] += values[i, j] * (next_y[j] * factor)
            opened_y[j + 1] += values[i, j] * (next_x[j] * factor)
            values[i, j] *= now[j] * factor
        if i % RESCALE == 0:
            log += _rescale(now, gap_x, gap_y)
        after, now = now, after
    return values, opened_x, opened_y


@njit(cache=True)
def partners(columns_x, columns_y):
    """Residue of y in the column of each residue of x, or -1. Columns rise along a sequence."""
    of_x = np.full(len(columns_x), -1, np.int64)
    j = 0
    for i in range(len(columns_x)):
        column = columns_x[i]
        if column < 0:
            continue
        while j < len(columns_y) and columns_y[j] < column:
            j += 1
        if j < len(columns_y) and columns_y[j] == column:
            of_x[i] = j
    return of_x


@njit(cache=True)
def measure(posterior, of_x, quality):
    """Fills in: aligned pairs of the reference, the mean of their posteriors, and that of the
    logarithms."""
    quality[:] = 0.0
    for i in range(len(of_x)):
        if of_x[i] >= 0:
            value = posterior[i, of_x[i]]
            quality[0] += 1
            quality[1] += value
            quality[2] += math.log(max(LEAST_POSTERIOR, value))
    quality[1:] /= quality[0]


@njit(cache=True)
def log_openings(letters, values, gap_letters, gap_classes):
    """The logarithm of the factor of a gap before each residue of a sequence, with these
    memberships. That before the first one means nothing; unknown letters add 0."""
    found = np.zeros(len(letters))
    for p in range(1, len(letters)):
        for side in range(2):
            residue = p - 1 + side
            if letters[residue] < UNKNOWN:
                found[p] += gap_letters[side, letters[residue]]
            found[p] += (values[residue] * gap_classes[side]).sum()
    return found


@njit(cache=True)
def _add_openings(letters, values, slopes, rule, found, slope):
    """Adds the slopes of the places before the residues of a sequence to those of the tables of
    gap openings, and to the slope of the memberships."""
    for p in range(1, len(letters)):
        for side in range(2):
            residue = p - 1 + side
            if letters[residue] < UNKNOWN:
                found.gap_letters[side, letters[residue]] += slopes[p]
            found.gap_classes[side] += slopes[p] * values[residue]
            slope[residue] += slopes[p] * rule.gap_classes[side]


@njit(cache=True)
def accuracy_slopes(cells, of_x, match, gaps, open_x, open_y, quality):
    """The slopes of the mean posterior of the pairs of a reference, in the logarithm of each
    cell's odds, and in that of the factor of a gap before each residue of x and of y. Fills in
    the quality, and changes cells.

    The slope in a cell is the sum of its covariances with all pairs of the reference, which is
    by how much its posterior rises with their odds; so are those of the openings. The step is
    small, but not tiny, so that an unlikely reference has slopes, too. (The posteriors of a
    reference's pairs are what an alignment of maximal expected accuracy lives on; on their
    likelihood see Gross, Russakovsky, Do & Batzoglou 2007, NIPS 19:529.)"""
    before, opened_x, opened_y = posteriors(cells, match, gaps, open_x, open_y)
    measure(before, of_x, quality)
    for i in range(len(of_x)):
        if of_x[i] >= 0:
            cells[i, of_x[i]] *= math.exp(STEP)
    after, more_x, more_y = posteriors(cells, match, gaps, open_x, open_y)
    weight = 1 / (quality[0] * STEP)
    after -= before
    after *= weight
    more_x -= opened_x
    more_y -= opened_y
    for more in (more_x, more_y):
        more *= weight
        more[0] = more[-1] = 0.0  # the ends of the sequences have no factors
    return after, more_x, more_y


@njit(cache=True)
def _pair_gradient(x, y, of_x, odds, match, gaps, rule, temperature, found, quality):
    """Adds the gradient of a pair's mean posterior, and fills in its quality (see measure)."""
    sums_x = window_sums(x, rule.window, rule.bias)
    sums_y = window_sums(y, rule.window, rule.bias)
    values_x = memberships(sums_x, rule.classes, rule.class_bias, temperature)
    values_y = memberships(sums_y, rule.classes, rule.class_bias, temperature)
    cells = cell_odds(x, y, odds, values_x @ rule.log_odds, np.ascontiguousarray(values_y.T))
    slopes, before_x, before_y = accuracy_slopes(
        cells, of_x, match, gaps,
        factors(log_openings(x, values_x, rule.gap_letters, rule.gap_classes)),
        factors(log_openings(y, values_y, rule.gap_letters, rule.gap_classes)), quality)
    of_values_y = slopes @ values_y
    table = values_x.T @ of_values_y
    found.log_odds[:] += table + table.T
    slope_x = of_values_y @ rule.log_odds
    slope_y = (slopes.T @ values_x) @ rule.log_odds
    _add_openings(x, values_x, before_x, rule, found, slope_x)
    _add_openings(y, values_y, before_y, rule, found, slope_y)
    if temperature > 0:
        back_propagate(x, sums_x, values_x, slope_x, temperature, rule, found)
        back_propagate(y, sums_y, values_y, slope_y, temperature, rule, found)


@njit(cache=True, parallel=True)
def gradients(letters, columns, pairs, odds, match, gaps, vector, size, temperature):
    """Gradient of each pair's mean posterior (pairs x vector), and its quality (see measure);
    size: that of the rule. At the temperature 0 the net has none: classes change at once."""
    found = np.zeros((len(pairs.first_x), len(vector)))
    quality = np.zeros((len(pairs.first_x), 3))
    for k in prange(len(pairs.first_x)):
        a, b = pairs.first_x[k], pairs.first_y[k]
        c, d = a + pairs.length_x[k], b + pairs.length_y[k]
        of_x = partners(columns[a:c], columns[b:d])
        if of_x.max() >= 0:
            _pair_gradient(letters[a:c], letters[b:d], of_x, odds, match, gaps,
                           views_of(vector, size), temperature, views_of(found[k], size),
                           quality[k])
    return found, quality


@njit(cache=True, parallel=True)
def qualities(letters, columns, pairs, odds, match, gaps, classes, log_odds, openings):
    """The quality of each pair, with a class of each residue, the log odds of two classes, and the
    logarithm of the factor of a gap before each residue."""
    quality = np.zeros((len(pairs.first_x), 3))
    each = np.eye(len(log_odds))
    for k in prange(len(pairs.first_x)):
        a, b = pairs.first_x[k], pairs.first_y[k]
        c, d = a + pairs.length_x[k], b + pairs.length_y[k]
        of_x = partners(columns[a:c], columns[b:d])
        if of_x.max() >= 0:
            cells = cell_odds(letters[a:c], letters[b:d], odds, log_odds[classes[a:c]],
                              np.ascontiguousarray(each[classes[b:d]].T))
            posterior, _, _ = posteriors(cells, match, gaps, factors(openings[a:c]),
                                         factors(openings[b:d]))
            measure(posterior, of_x, quality[k])
    return quality
