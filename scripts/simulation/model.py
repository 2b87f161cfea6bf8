"""Substitution: rate matrices, and the dice that all random choices are made with.

Proteins use Q = log(P) of the conditional probabilities P(b|a) = p(a,b) / q(a) of
datasets/parameters/protein_pairs.tsv, with negative off-diagonal rates set to 0; nucleotides use
HKY (Hasegawa et al. 1985; Jukes-Cantor with kappa 1 and gc 0.5). All are scaled to one expected
substitution per site and unit of branch length. Sites evolve at one of four rates, the means of the
quarters of a gamma distribution of shape 1 (Yang 1994). Sums are fsum: sum() of floats rounds
differently since Python 3.12.
"""
import functools
import math
import random
from pathlib import Path
from typing import Callable

TABLE = Path(__file__).resolve().parents[2] / "datasets" / "parameters" / "protein_pairs.tsv"
SITE_RATES = (0.13695, 0.47675, 1.0, 2.38629)  # Yang 1994, gamma of shape 1 in 4 classes

Matrix = list[list[float]]


def eigen(matrix: Matrix) -> tuple[list[float], Matrix]:
    """Eigenvalues and eigenvectors (as columns) of a symmetric matrix, by Jacobi rotations."""
    n = len(matrix)
    a = [row[:] for row in matrix]
    v = [[float(i == j) for j in range(n)] for i in range(n)]
    for _ in range(60):
        if math.fsum(a[i][j] * a[i][j] for i in range(n) for j in range(i)) < 1e-30:
            break
        for p in range(n):
            for q in range(p + 1, n):
                if abs(a[p][q]) < 1e-300:
                    continue
                theta = (a[q][q] - a[p][p]) / (2 * a[p][q])
                t = math.copysign(1.0, theta) / (abs(theta) + math.sqrt(theta * theta + 1))
                c = 1 / math.sqrt(t * t + 1)
                s = t * c
                for k in range(n):
                    a[k][p], a[k][q] = c * a[k][p] - s * a[k][q], s * a[k][p] + c * a[k][q]
                for k in range(n):
                    a[p][k], a[q][k] = c * a[p][k] - s * a[q][k], s * a[p][k] + c * a[q][k]
                for k in range(n):
                    v[k][p], v[k][q] = c * v[k][p] - s * v[k][q], s * v[k][p] + c * v[k][q]
    return [a[i][i] for i in range(n)], v


class Model:
    """A reversible substitution process at one substitution per unit of time."""

    def __init__(self, letters: str, frequencies: list[float], rates: Matrix) -> None:
        """`rates` off the diagonal in any unit, in detailed balance with `frequencies`."""
        n = len(letters)
        self.letters = letters
        self.frequencies = frequencies
        rates = [[0.0 if a == b else rates[a][b] for b in range(n)] for a in range(n)]
        unit = math.fsum(frequencies[a] * math.fsum(rates[a]) for a in range(n))
        rates = [[rate / unit for rate in row] for row in rates]
        self.leaving = [math.fsum(row) for row in rates]
        self.rates = rates
        root = [math.sqrt(f) for f in frequencies]
        symmetric = [[-self.leaving[a] if a == b else root[a] * rates[a][b] / root[b]
                      for b in range(n)] for a in range(n)]
        self.values, vectors = eigen(symmetric)
        self.weights = [math.fsum(frequencies[a] * vectors[a][k] * vectors[a][k]
                                  for a in range(n)) for k in range(n)]

    def identity(self, time: float) -> float:
        """Expected identity of two sequences this far apart, over all site rates."""
        return math.fsum(w * math.exp(value * time * rate) for rate in SITE_RATES
                         for w, value in zip(self.weights, self.values)) / len(SITE_RATES)


@functools.cache
def protein_model() -> Model:
    """The model of datasets/parameters/protein_pairs.tsv."""
    lines = [line.split() for line in TABLE.read_text(encoding="ascii").splitlines()
             if not line.startswith("#")]
    letters, n = "".join(lines[0][1:]), len(lines) - 1
    joint = [[float(lines[max(a, b) + 1][min(a, b) + 1]) for b in range(n)] for a in range(n)]
    q = [math.fsum(row) for row in joint]
    root = [math.sqrt(f) for f in q]
    values, v = eigen([[joint[a][b] / (root[a] * root[b]) for b in range(n)] for a in range(n)])
    logs = [math.log(value) for value in values]
    rates = [[max(0.0, math.fsum(v[a][k] * logs[k] * v[b][k] for k in range(n)))
              * root[b] / root[a] for b in range(n)] for a in range(n)]
    return Model(letters, q, rates)


def nucleotide_model(letters: str, kappa: float, gc: float) -> Model:
    """HKY on "ACGT" or "ACGU": transitions are kappa times as fast as transversions."""
    q = [(1 - gc) / 2, gc / 2, gc / 2, (1 - gc) / 2]
    return Model(letters, q, [[q[b] * (kappa if (a + b) % 2 == 0 else 1.0) for b in range(4)]
                              for a in range(4)])


class Dice:
    """All random choices, made from Random.random() alone so that they never change."""

    def __init__(self, seed: int) -> None:
        """Two runs with one seed make the same choices."""
        self.uniform: Callable[[], float] = random.Random(seed).random

    def below(self, n: int) -> int:
        """One of 0 .. n-1."""
        return int(self.uniform() * n)

    def waiting(self, rate: float) -> float:
        """Exponential time to the next event."""
        return -math.log(1.0 - self.uniform()) / rate

    def pick(self, weights: list[float]) -> int:
        """An index, in proportion to its weight."""
        left = self.uniform() * math.fsum(weights)
        for index, weight in enumerate(weights):
            left -= weight
            if left < 0:
                return index
        return max(index for index, weight in enumerate(weights) if weight > 0)

    def shuffle(self, items: list[int]) -> list[int]:
        """The items in random order (Fisher-Yates)."""
        items = items[:]
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]
        return items
