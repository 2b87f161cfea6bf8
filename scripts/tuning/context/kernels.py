"""The compiled part of the training: posteriors of a pair-HMM, the net, and its gradient.

All that is cached is in one file: Numba's cache of compiled functions follows the changes of one
file alone. openings.py, which calls these functions, does without.
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
NEGLIGIBLE = 1e-5  # gradients of cells below it count as 0


class Shape(NamedTuple):
    """Sizes of the net."""

    radius: int  # letters on either side of a residue that it sees
    hidden: int
    dimensions: int  # of the embedding


class Pairs(NamedTuple):
    """The two sequences of each pair: first residue and residues of x, the same of y."""

    first_x: "np.ndarray"
    length_x: "np.ndarray"
    first_y: "np.ndarray"
    length_y: "np.ndarray"


class Line(NamedTuple):
    """What the gaps of a sequence cost, both of length residues + 1."""

    alone: "np.ndarray"  # 1 if a residue may stand alone, 0 if it must be matched; the last unused
    opening: "np.ndarray"  # factor of a gap before each residue, and behind the last one


@njit(cache=True)
def unpack(vector, shape):
    """Views of a vector of all parameters: table of log odds of letters (21 x 21), window
    (offset x letter x hidden), bias (hidden), output (hidden x (dimensions + 1), the last column
    of which is the unary term), bias of the unary term (1)."""
    letters = UNKNOWN + 1
    a = letters * letters
    b = a + (2 * shape.radius + 1) * CODES * shape.hidden
    c = b + shape.hidden
    d = c + shape.hidden * (shape.dimensions + 1)
    return (vector[:a].reshape(letters, letters),
            vector[a:b].reshape(2 * shape.radius + 1, CODES, shape.hidden), vector[b:c],
            vector[c:d].reshape(shape.hidden, shape.dimensions + 1), vector[d:d + 1])


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
def embed(sums, output, unary_bias):
    """Embedding and, in the last column, unary term of each residue."""
    size, hidden = sums.shape
    values = np.zeros((size, output.shape[1]))
    for i in range(size):
        for k in range(hidden):
            h = min(1.0, max(-1.0, sums[i, k]))
            for d in range(output.shape[1]):
                values[i, d] += h * output[k, d]
        values[i, -1] += unary_bias[0]
    return values


@njit(cache=True)
def back_propagate(letters, sums, slope, output, window_g, bias_g, output_g, unary_bias_g):
    """Adds to the gradients of the net what follows from that of a sequence's embedding."""
    radius = window_g.shape[0] // 2
    hidden = sums.shape[1]
    inner = np.empty(hidden)
    for i in range(len(letters)):
        for k in range(hidden):
            h = min(1.0, max(-1.0, sums[i, k]))
            total = 0.0
            for d in range(output.shape[1]):
                total += slope[i, d] * output[k, d]
                output_g[k, d] += slope[i, d] * h
            inner[k] = total if abs(sums[i, k]) < 1 else 0.0
            bias_g[k] += inner[k]
        unary_bias_g[0] += slope[i, -1]
        for o in range(window_g.shape[0]):
            j = i + o - radius
            letter = letters[j] if 0 <= j < len(letters) else OUTSIDE
            for k in range(hidden):
                window_g[o, letter, k] += inner[k]


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
def line(log_openings):
    """A sequence that may have gaps anywhere, from the logarithms of the factors of gaps before
    its residues. Gaps at its ends have the factor 1."""
    size = len(log_openings)
    opening = np.ones(size + 1)
    for p in range(1, size):
        opening[p] = math.exp(min(MOST_OPENING, max(-MOST_OPENING, log_openings[p])))
    return Line(np.ones(size + 1), opening)


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
def forward(odds, match, gaps, x, y, values):
    """Fills the forward values of the match state, those of row i (from 0) divided by
    exp(logs[i]); x and y are Lines. Returns logs, and the logarithm of the total of all
    alignments."""
    rows, size = odds.shape
    logs = np.zeros(rows)
    before, now = np.zeros(size + 1), np.zeros(size + 1)  # match state of two rows
    gap_x, gap_y = np.zeros((len(gaps), size + 1)), np.zeros((len(gaps), size + 1))
    into = np.zeros(size + 1)
    for k in range(len(gaps)):
        gap_y[k, 1] = gaps[k, 2] * y.alone[0]
        for j in range(2, size + 1):
            gap_y[k, j] = gap_y[k, j - 1] * gaps[k, 1] * y.alone[j - 1]
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
                gap_x[k, j] = x.alone[i] * (gaps[k, 0] * y.opening[j] * before[j]
                                            + gaps[k, 1] * gap_x[k, j])
            gap_x[k, 0] = start * x.alone[i]
            last = 0.0
            gap_y[k, 0] = 0.0
            open_y = gaps[k, 0] * x.opening[i + 1]
            for j in range(1, size + 1):
                last = y.alone[j - 1] * (open_y * now[j - 1] + gaps[k, 1] * last)
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
def posteriors(odds, match, gaps, x, y):
    """Posterior probability of each match (Durbin et al. 1998, Biological sequence analysis,
    section 4.4): rows are residues of x, columns those of y. Then, for x and for y, the expected
    number of gaps that open before each residue and behind the last one."""
    rows, size = odds.shape
    values = np.empty((rows, size))
    opened_x, opened_y = np.zeros(rows + 1), np.zeros(size + 1)
    logs, total = forward(odds, match, gaps, x, y, values)
    after = np.zeros(size + 1)  # match state of the row below; times exp(log) as the others
    gap_x, gap_y = np.zeros((len(gaps), size + 1)), np.zeros((len(gaps), size + 1))
    next_match = np.zeros(size)  # of going on to (i + 1, j + 1)
    now = np.zeros(size + 1)
    open_x, open_y = np.zeros(size), np.zeros(size)  # of going on to a gap, a part of `now`
    log = 0.0
    for i in range(rows - 1, -1, -1):
        if i + 1 < rows:
            for j in range(size - 1):
                next_match[j] = odds[i + 1, j + 1] * after[j + 1]
        for j in range(size):
            now[j] = match[0] * next_match[j]
        open_x[:], open_y[:] = 0.0, 0.0
        for k in range(len(gaps)):
            stay, close = gaps[k, 1], 1 - gaps[k, 1]
            last = 0.0
            end = gaps[k, 3] if i + 1 == rows else 0.0
            for j in range(size - 1, -1, -1):
                last = (close * next_match[j] + stay * (y.alone[j + 1] * last)
                        + (end if j + 1 == size else 0.0))
                gap_y[k, j] = last
            for j in range(size):
                to_x = y.opening[j + 1] * (x.alone[i + 1] * gap_x[k, j])
                to_y = x.opening[i + 1] * (y.alone[j + 1] * gap_y[k, j + 1])
                now[j] += gaps[k, 0] * (to_x + to_y)
                open_x[j] += gaps[k, 0] * to_x
                open_y[j] += gaps[k, 0] * to_y
            for j in range(size):
                gap_x[k, j] = close * next_match[j] + stay * (x.alone[i + 1] * gap_x[k, j])
            gap_x[k, size - 1] += end
        if i + 1 == rows:
            now[size - 1] += match[2]
        factor = math.exp(log + logs[i] - total)
        for j in range(size):
            opened_x[i + 1] += values[i, j] * (open_y[j] * factor)
            opened_y[j + 1] += values[i, j] * (open_x[j] * factor)
            values[i, j] *= now[j] * factor
        if i % RESCALE == 0:
            log += _rescale(now, gap_x, gap_y)
        after, now = now, after
    return values, opened_x, opened_y


@njit(cache=True)
def partners(columns_x, columns_y):
    """Residue of y in the column of each residue of x, or -1; and of x for those of y. Columns
    rise along a sequence."""
    of_x = np.full(len(columns_x), -1, np.int64)
    of_y = np.full(len(columns_y), -1, np.int64)
    j = 0
    for i in range(len(columns_x)):
        column = columns_x[i]
        if column < 0:
            continue
        while j < len(columns_y) and columns_y[j] < column:
            j += 1
        if j < len(columns_y) and columns_y[j] == column:
            of_x[i], of_y[j] = j, i
    return of_x, of_y


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
def features(values, is_left):
    """What cell_odds() multiplies: left (e, u, 1), right (e, 1, u), for e.e + u + u."""
    size, width = values.shape
    features = np.ones((size, width + 1))
    features[:, :width - 1] = values[:, :width - 1]
    features[:, width - 1 if is_left else width] = values[:, width - 1]
    return features


@njit(cache=True)
def _pair_gradient(x, y, of_x, of_y, odds, match, gaps, vector, shape, gradient,
                   quality):
    """Adds the gradient of a pair, and fills in its quality (see measure).

    The log likelihood of the reference given both sequences has the slope (1 if the reference
    has the pair, else 0) - posterior in the log odds of a cell. Only cells of rows and columns
    of which the reference says something count."""
    _, window, bias, output, unary_bias = unpack(vector, shape)
    table_g, window_g, bias_g, output_g, unary_bias_g = unpack(gradient, shape)
    sums_x, sums_y = window_sums(x, window, bias), window_sums(y, window, bias)
    values_x, values_y = embed(sums_x, output, unary_bias), embed(sums_y, output, unary_bias)
    cells = cell_odds(x, y, odds, features(values_x, True),
                      np.ascontiguousarray(features(values_y, False).T))
    posterior, _, _ = posteriors(cells, match, gaps, line(np.zeros(len(x))),
                                 line(np.zeros(len(y))))
    measure(posterior, of_x, quality)
    slope_x, slope_y = np.zeros(values_x.shape), np.zeros(values_y.shape)
    weight = 1 / math.sqrt(quality[0])
    for i in range(len(x)):
        for j in range(len(y)):
            if of_x[i] < 0 and of_y[j] < 0:
                continue
            slope = ((1.0 if of_x[i] == j else 0.0) - posterior[i, j]) * weight
            if abs(slope) < NEGLIGIBLE:
                continue
            table_g[x[i], y[j]] += slope
            table_g[y[j], x[i]] += slope
            for d in range(shape.dimensions):
                slope_x[i, d] += slope * values_y[j, d]
                slope_y[j, d] += slope * values_x[i, d]
            slope_x[i, -1] += slope
            slope_y[j, -1] += slope
    back_propagate(x, sums_x, slope_x, output, window_g, bias_g, output_g, unary_bias_g)
    back_propagate(y, sums_y, slope_y, output, window_g, bias_g, output_g, unary_bias_g)


@njit(cache=True, parallel=True)
def gradients(letters, columns, pairs, log_odds, match, gaps, vector, shape):
    """Gradient of each pair (pairs x parameters), and its quality (see measure)."""
    found = np.zeros((len(pairs.first_x), len(vector)))
    quality = np.zeros((len(pairs.first_x), 3))
    odds = np.exp(log_odds + unpack(vector, shape)[0])
    for k in prange(len(pairs.first_x)):
        a, b = pairs.first_x[k], pairs.first_y[k]
        c, d = a + pairs.length_x[k], b + pairs.length_y[k]
        of_x, of_y = partners(columns[a:c], columns[b:d])
        if of_x.max() >= 0:
            _pair_gradient(letters[a:c], letters[b:d], of_x, of_y, odds, match, gaps, vector,
                           shape, found[k], quality[k])
    return found, quality


@njit(cache=True, parallel=True)
def qualities(letters, columns, pairs, odds, match, gaps, left, right, log_openings):
    """The quality of each pair, with features of each residue as cell_odds() takes them, both
    residues x dimensions, and the logarithm of the factor of a gap before each residue."""
    quality = np.zeros((len(pairs.first_x), 3))
    for k in prange(len(pairs.first_x)):
        a, b = pairs.first_x[k], pairs.first_y[k]
        c, d = a + pairs.length_x[k], b + pairs.length_y[k]
        of_x, _ = partners(columns[a:c], columns[b:d])
        if of_x.max() >= 0:
            cells = cell_odds(letters[a:c], letters[b:d], odds, left[a:c],
                              np.ascontiguousarray(right[b:d].T))
            posterior, _, _ = posteriors(cells, match, gaps, line(log_openings[a:c]),
                                         line(log_openings[b:d]))
            measure(posterior, of_x, quality[k])
    return quality
