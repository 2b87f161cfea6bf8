"""Wilcoxon's signed-rank test (Wilcoxon 1945), with the exact distribution."""
import math
from collections.abc import Sequence
from typing import NamedTuple

EXACT = 400  # with more differences the normal approximation is used


class Paired(NamedTuple):
    """How one aligner compares with another on the same families."""

    families: int
    better: int
    equal: int
    worse: int
    mean_difference: float
    p_value: float  # two-sided


def signed_rank_p(differences: Sequence[float]) -> float:
    """Two-sided p-value of the differences being symmetric about zero. Zeros are left out, ties
    share the mean of their ranks (Pratt's alternative is not used); for up to EXACT differences
    from the exact distribution given those ranks, above with the normal approximation, tie and
    continuity corrected."""
    values = [d for d in differences if d != 0]
    if not values:
        return 1.0
    order = sorted(range(len(values)), key=lambda i: abs(values[i]))
    doubled = [0] * len(values)  # twice the rank, an integer for ties too
    ties, start = [], 0
    while start < len(order):
        end = start
        while end < len(order) and abs(values[order[end]]) == abs(values[order[start]]):
            end += 1
        for place in range(start, end):
            doubled[order[place]] = start + 1 + end
        ties.append(end - start)
        start = end
    positive = sum(rank for rank, value in zip(doubled, values) if value > 0)
    total = sum(doubled)
    low = min(positive, total - positive)
    if len(values) <= EXACT:
        return min(1.0, 2 * _lower_tail(doubled, low))
    n = len(values)
    variance = n * (n + 1) * (2 * n + 1) / 24 - sum(t ** 3 - t for t in ties) / 48
    z = max(0.0, total / 4 - low / 2 - 0.5) / math.sqrt(variance)
    return math.erfc(z / math.sqrt(2))


def _lower_tail(ranks: Sequence[int], limit: int) -> float:
    """Chance that the sum of the ranks, each taken with probability one half, is at most limit."""
    chance: list[float] = [1.0] + [0.0] * limit
    for rank in ranks:
        chance = [half / 2 for half in chance]
        chance[rank:] = [a + b for a, b in zip(chance[rank:], chance[:len(chance) - rank])] \
            if rank <= limit else chance[rank:]
    return math.fsum(chance)


def compare(ours: Sequence[float], theirs: Sequence[float]) -> Paired:
    """`ours` against `theirs`, family by family. Scores are compared to six decimals."""
    differences = [round(a - b, 6) for a, b in zip(ours, theirs)]
    count = len(differences)
    return Paired(count, sum(d > 0 for d in differences), sum(d == 0 for d in differences),
                  sum(d < 0 for d in differences),
                  math.fsum(differences) / count if count else 0.0, signed_rank_p(differences))
