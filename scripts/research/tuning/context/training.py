"""Training by Adam (Kingma & Ba 2015) on the posteriors of the pairs of reference alignments."""
from collections.abc import Sequence
from typing import Callable, NamedTuple, Optional

import numpy as np

from . import kernels
from .kernels import Pairs, Size
from .pair_hmm import PairHmm
from .residues import Residues

BATCH = 32  # pairs of a step
WARM_UP = 20  # steps
DECAY, SQUARE_DECAY = 0.9, 0.99  # of the means of gradients and of their squares
TINY = 1e-9  # beside the root of a mean square
MOST_PAIRS = 12  # of a family in an epoch
TRAINING_CELLS, EVALUATION_CELLS = 160_000, 300_000  # of a pair, at most
EVALUATION_PAIRS, EVALUATION_SEED = 6, 7


class Course(NamedTuple):
    """How the rule of the classes is trained."""

    epochs: int = 5
    rate: float = 1e-3  # of the net; scores of classes learn three times as fast, tables ten times
    first_temperature: float = 0.5  # of memberships; falls to the last one
    last_temperature: float = 0.1
    anchor: float = 0.3  # l2 of how far the net goes from its start
    decay: float = 1e-4  # l2 of how far scores go, and of the log odds
    gap_decay: float = 2e-3  # l2 of the tables of gap openings
    seed: int = 1

    def temperature(self, done: float) -> float:
        """When such a share of the steps is done."""
        if self.first_temperature == 0:
            return 0.0
        fall = self.last_temperature / self.first_temperature
        return self.first_temperature * fall ** min(1.0, done / 0.8)


class Quality(NamedTuple):
    """What the posteriors of some pairs are worth, in the mean over the pairs."""

    pairs: int
    posterior: float  # of the residues that the reference aligns
    log_posterior: float  # the mean logarithm, of at least 1e-4

    def __str__(self) -> str:
        """As the script prints it."""
        return (f"posterior {self.posterior:.4f}, log {self.log_posterior:.4f} "
                f"({self.pairs} pairs)")


def _mean_quality(each: "np.ndarray") -> Quality:
    scored = each[each[:, 0] > 0]
    if not len(scored):
        return Quality(0, float("nan"), float("nan"))
    return Quality(len(scored), float(scored[:, 1].mean()), float(scored[:, 2].mean()))


def draw_pairs(residues: Residues, families: Sequence[int], most: int, most_cells: int,
               random: "np.random.Generator") -> Pairs:
    """Different pairs of sequences of each family: all, or `most` of them. Those of too many cells
    are left out."""
    bounds = residues.family_first
    drawn = []
    for f in families:
        x, y = np.triu_indices(bounds[f + 1] - bounds[f], 1)
        chosen = random.permutation(len(x))[:most]
        drawn.append(bounds[f] + np.stack((x[chosen], y[chosen])))
    x, y = np.concatenate(drawn, axis=1)
    first, length = residues.first[:-1], np.diff(residues.first)
    fits = length[x] * length[y] < most_cells
    x, y = x[fits], y[fits]
    return Pairs(first[x], length[x], first[y], length[y])


def evaluate(residues: Residues, families: Sequence[int], hmm: PairHmm, classes: "np.ndarray",
             log_odds: "np.ndarray", log_openings: "np.ndarray") -> Quality:
    """Quality with these classes of all residues, log odds of two classes, and logarithms of the
    factor of a gap before each residue. The same pairs at each call."""
    pairs = draw_pairs(residues, families, EVALUATION_PAIRS, EVALUATION_CELLS,
                       np.random.default_rng(EVALUATION_SEED))
    return _mean_quality(kernels.qualities(residues.letters, residues.columns, pairs,
                                           np.exp(hmm.log_odds), hmm.match, hmm.gaps, classes,
                                           log_odds, log_openings))


class Frequencies(NamedTuple):
    """How often there are letters and classes among residues; their sums are 1."""

    letters: "np.ndarray"
    classes: "np.ndarray"


def _rates(course: Course, size: Size, with_gaps: bool) -> tuple["np.ndarray", "np.ndarray"]:
    """Rate and l2 of each entry of the vector."""
    tables = 10 * course.rate
    rates, decays = (np.empty(kernels.length_of(size)) for _ in range(2))
    for values, net, scores, log_odds, gaps in (
            (rates, course.rate, 3 * course.rate, tables, tables if with_gaps else 0),
            (decays, course.anchor, course.decay, course.decay, course.gap_decay)):
        rule = kernels.views_of(values, size)
        rule.window[:] = rule.bias[:] = net
        rule.classes[:] = rule.class_bias[:] = scores
        rule.log_odds[:] = log_odds
        rule.gap_letters[:] = rule.gap_classes[:] = gaps
    return rates, decays


def train(residues: Residues, families: Sequence[int], hmm: PairHmm, vector: "np.ndarray",
          size: Size, course: Course, frequencies: Optional[Frequencies],
          report: Callable[[int, Quality], None]) -> None:
    """Changes a rule (see kernels.views_of) so that the mean posterior of the pairs of these
    families rises. Each residue is a mixture of classes, which hardens over the first four fifths
    of the steps; at temperatures of 0 the classes are those that they are, and the tables alone
    change. Gap openings are trained if the frequencies of letters and classes are given; their
    tables keep the mean 0, since how often gaps open on the whole is a matter of the parameter
    set. `report` gets each epoch, and the quality on its pairs as they were met. The same seed
    gives the same rule, whatever the number of threads."""
    random = np.random.default_rng(course.seed)
    rates, decays = _rates(course, size, frequencies is not None)
    target = vector.copy()
    rule = kernels.views_of(target, size)
    rule.log_odds[:] = rule.gap_letters[:] = rule.gap_classes[:] = 0
    rule = kernels.views_of(vector, size)
    mean, square = np.zeros_like(vector), np.zeros_like(vector)
    step = 0
    for epoch in range(course.epochs):
        pairs = draw_pairs(residues, families, MOST_PAIRS, TRAINING_CELLS, random)
        order = random.permutation(len(pairs.first_x))
        batches: list[np.ndarray] = np.array_split(order, max(1, round(len(order) / BATCH)))
        quality = []
        for number, places in enumerate(batches):
            done = (epoch + number / len(batches)) / course.epochs
            found, each = kernels.gradients(
                residues.letters, residues.columns, Pairs(*(values[places] for values in pairs)),
                np.exp(hmm.log_odds), hmm.match, hmm.gaps, vector, size, course.temperature(done))
            quality.append(each)
            step += 1
            pace = min(1.0, 2 * (1 - done) + 0.02) * min(1.0, step / WARM_UP)
            slope = decays * (vector - target) - found.sum(axis=0) / len(places)
            mean += (1 - DECAY) * (slope - mean)
            square += (1 - SQUARE_DECAY) * (slope * slope - square)
            vector -= pace * rates * (mean / (1 - DECAY ** step)) / (
                np.sqrt(square / (1 - SQUARE_DECAY ** step)) + TINY)
            if frequencies:
                rule.gap_letters[:] -= (rule.gap_letters @ frequencies.letters)[:, None]
                rule.gap_classes[:] -= (rule.gap_classes @ frequencies.classes)[:, None]
        report(epoch + 1, _mean_quality(np.concatenate(quality)))
