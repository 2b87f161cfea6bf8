"""Training of the net: Adam on the conditional likelihood of the reference alignments."""
from collections.abc import Sequence
from typing import Callable, NamedTuple, Optional

import numpy as np

from . import kernels
from .kernels import Pairs, Shape
from .pair_hmm import PairHmm
from .residues import Residues

BATCH = 32  # pairs of a step of the net
WARM_UP = 20  # steps
DECAY, SQUARE_DECAY = 0.9, 0.99  # of the means of gradients and of their squares
TRAINING_CELLS, EVALUATION_CELLS = 250_000, 300_000  # of a pair, at most
EVALUATION_DRAWS, EVALUATION_SEED = 3, 7


class Settings(NamedTuple):
    """How the net is trained."""

    shape: Shape = Shape(radius=6, hidden=16, dimensions=4)
    epochs: int = 30
    draws: int = 6  # of pairs of each family in an epoch
    rate: float = 4e-3
    decay: float = 2e-2  # l2 of the net
    table_decay: float = 1e-1  # of the table of log odds of letters
    seed: int = 1


class Course(NamedTuple):
    """The steps of a training."""

    epochs: int
    draws: int  # of pairs of each family in an epoch
    batch: int  # pairs of a step
    rate: float
    seed: int


class Quality(NamedTuple):
    """What the posteriors of some pairs are worth, in the mean over the pairs."""

    pairs: int
    posterior: float  # of the residues that the reference aligns
    log_posterior: float  # the mean logarithm, of at least 1e-4

    def __str__(self) -> str:
        """As the script prints it."""
        return (f"posterior {self.posterior:.4f}, log {self.log_posterior:.4f} "
                f"({self.pairs} pairs)")


# Of some pairs, the gradient of the log likelihood (pairs x parameters), and the quality.
Gradients = Callable[[Pairs], tuple["np.ndarray", "np.ndarray"]]


def _mean_quality(each: "np.ndarray") -> Quality:
    scored = each[each[:, 0] > 0]
    if not len(scored):
        return Quality(0, float("nan"), float("nan"))
    return Quality(len(scored), float(scored[:, 1].mean()), float(scored[:, 2].mean()))


def draw_pairs(residues: Residues, families: Sequence[int], draws: int, most_cells: int,
               random: "np.random.Generator") -> Pairs:
    """Two sequences of each family, `draws` times. Draws of twice the same one are left out, so
    that a family of two counts less than larger ones."""
    bounds = residues.family_first
    pairs = np.concatenate([random.integers(bounds[f], bounds[f + 1], size=(draws, 2))
                            for f in families])
    first, length = residues.first[:-1], np.diff(residues.first)
    x, y = pairs[pairs[:, 0] != pairs[:, 1]].T
    fits = length[x] * length[y] < most_cells
    x, y = x[fits], y[fits]
    return Pairs(first[x], length[x], first[y], length[y])


def _of_batch(pairs: Pairs, places: "np.ndarray") -> Pairs:
    return Pairs(*(values[places] for values in pairs))


class Net:
    """The parameters of the net and of the table of log odds of letters."""

    def __init__(self, settings: Settings) -> None:
        """Small random numbers; the table, the biases and the unary terms are 0."""
        shape = settings.shape
        offsets, values = 2 * shape.radius + 1, kernels.UNKNOWN + 1
        self.shape = shape
        self.in_table = values * values
        self.vector = np.zeros(self.in_table + offsets * kernels.CODES * shape.hidden
                               + shape.hidden * (shape.dimensions + 2) + 1)
        random = np.random.default_rng(settings.seed)
        _, self.window, self.bias, self.output, self.unary_bias = kernels.unpack(
            self.vector, shape)
        self.table = kernels.unpack(self.vector, shape)[0]
        self.window[:] = random.normal(0, 0.1, self.window.shape)
        self.output[:, :-1] = random.normal(0, 0.15, self.output[:, :-1].shape)

    def embeddings(self, residues: Residues) -> "np.ndarray":
        """Embedding and, in the last column, unary term of each residue of all sequences."""
        parts = [kernels.embed(kernels.window_sums(residues.letters[a:b], self.window, self.bias),
                               self.output, self.unary_bias)
                 for a, b in zip(residues.first[:-1], residues.first[1:])]
        return np.concatenate(parts)

    def features(self, residues: Residues) -> tuple["np.ndarray", "np.ndarray"]:
        """What cell_odds() multiplies for each residue, left and right."""
        values = self.embeddings(residues)
        return kernels.features(values, True), kernels.features(values, False)


def evaluate(residues: Residues, families: Sequence[int], hmm: PairHmm, log_odds: "np.ndarray",
             features: Optional[tuple["np.ndarray", "np.ndarray"]] = None,
             log_openings: Optional["np.ndarray"] = None) -> Quality:
    """Quality with these log odds of letters, and features of all residues if there are contexts
    (left, right; see cell_odds), and openings of gaps before all residues if they differ (see
    line). The same pairs at each call."""
    pairs = draw_pairs(residues, families, EVALUATION_DRAWS, EVALUATION_CELLS,
                       np.random.default_rng(EVALUATION_SEED))
    none = np.zeros((len(residues.letters), 1))
    left, right = features or (none, none)
    if log_openings is None:
        log_openings = np.zeros(len(residues.letters))
    return _mean_quality(kernels.qualities(residues.letters, residues.columns, pairs,
                                           np.exp(log_odds), hmm.match, hmm.gaps, left, right,
                                           log_openings))


def descend(residues: Residues, families: Sequence[int], course: Course, vector: "np.ndarray",
            decay: "np.ndarray", gradients: Gradients,
            report: Callable[[int, Quality], None]) -> None:
    """Changes the parameters (`vector`) by Adam (Kingma & Ba 2015); `decay` is the l2 of each.
    `report` gets each epoch, and the quality on its pairs as they were met."""
    random = np.random.default_rng(course.seed)
    mean, square = np.zeros_like(vector), np.zeros_like(vector)
    step = 0
    for epoch in range(course.epochs):
        pairs = draw_pairs(residues, families, course.draws, TRAINING_CELLS, random)
        order = random.permutation(len(pairs.first_x))
        batches: list[np.ndarray] = np.array_split(order,
                                                     max(1, round(len(order) / course.batch)))
        quality = []
        for number, places in enumerate(batches):
            found, each = gradients(_of_batch(pairs, places))
            quality.append(each)
            step += 1
            left = 1 - (epoch + number / len(batches)) / course.epochs
            rate = course.rate * min(1.0, 2 * left + 0.02) * min(1.0, step / WARM_UP)
            slope = decay * vector - found.sum(axis=0) / len(places)
            mean += (1 - DECAY) * (slope - mean)
            square += (1 - SQUARE_DECAY) * (slope * slope - square)
            vector -= rate * (mean / (1 - DECAY ** step)) / (
                np.sqrt(square / (1 - SQUARE_DECAY ** step)) + 1e-8)
        report(epoch + 1, _mean_quality(np.concatenate(quality)))


def train(residues: Residues, families: Sequence[int], hmm: PairHmm, settings: Settings,
          report: Callable[[int, Quality], None]) -> Net:
    """A net trained on these families; for `report` see descend(). The same seed gives the same
    net, whatever the number of threads."""
    net = Net(settings)
    decay = np.full_like(net.vector, settings.decay)
    decay[:net.in_table] = settings.table_decay

    def gradients(pairs: Pairs) -> tuple["np.ndarray", "np.ndarray"]:
        found, quality = kernels.gradients(residues.letters, residues.columns, pairs, hmm.log_odds,
                                           hmm.match, hmm.gaps, net.vector, net.shape)
        return found, quality

    course = Course(settings.epochs, settings.draws, BATCH, settings.rate, settings.seed)
    descend(residues, families, course, net.vector, decay, gradients, report)
    return net
