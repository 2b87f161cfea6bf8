"""Classes of residues from the embeddings of a net, in the integers that accord computes with."""
import json
from pathlib import Path
from typing import Any, Dict, List, NamedTuple, Sequence, Tuple

import numpy as np
from scipy.cluster.vq import kmeans2

from . import kernels
from .residues import Residues
from .training import Net

LIMIT = 64  # of the integers stands for 1 of the net
LARGEST, LARGEST_BIAS = 32767, 2 ** 29
MOST_LOG_ODDS = 2.0  # and -2 the least, well within the -5 to 5 that accord takes
SEQUENCES, SAMPLE = 4, 60_000  # of a family, of all residues: what the centroids are found on
STARTS, ITERATIONS = 10, 30
WIDTH = 100  # of a line of the file


class Contexts(NamedTuple):
    """A rule for the class of a residue, and the log odds of two classes."""

    window: "np.ndarray"  # offset x letter x hidden, integers
    bias: "np.ndarray"  # hidden
    classes: "np.ndarray"  # class x hidden
    class_bias: "np.ndarray"
    log_odds: "np.ndarray"  # class x class

    def classes_of(self, residues: Residues) -> "np.ndarray":
        """The class of each residue of all sequences."""
        parts = []
        for a, b in zip(residues.first[:-1], residues.first[1:]):
            sums = kernels.window_sums(residues.letters[a:b], self.window, self.bias)
            scores = np.clip(sums, -LIMIT, LIMIT) @ self.classes.T + self.class_bias
            parts.append(scores.argmax(axis=1))
        return np.concatenate(parts)

    def features(self, residues: Residues,
                 share: float = 1) -> Tuple["np.ndarray", "np.ndarray"]:
        """What cell_odds() multiplies for each residue, left and right, for so large a share of
        the log odds."""
        found = self.classes_of(residues)
        return share * self.log_odds[found], np.eye(len(self.log_odds))[found]


def _sample(residues: Residues, families: Sequence[int],
            random: "np.random.Generator") -> "np.ndarray":
    """Places of residues of some sequences of each family."""
    places = []
    for family in families:
        sequences = np.arange(*residues.family_first[family:family + 2])
        for s in random.permutation(sequences)[:SEQUENCES]:
            places.append(np.arange(residues.first[s], residues.first[s + 1]))
    return random.permutation(np.concatenate(places))[:SAMPLE]


def _start(points: "np.ndarray", count: int, random: "np.random.Generator") -> "np.ndarray":
    """Points far from each other (k-means++, Arthur & Vassilvitskii 2007)."""
    chosen = [points[random.integers(len(points))]]
    nearest = np.full(len(points), np.inf)
    while len(chosen) < count:
        nearest = np.minimum(nearest, ((points - chosen[-1]) ** 2).sum(axis=1))
        chosen.append(points[random.choice(len(points), p=nearest / nearest.sum())])
    return np.array(chosen)


def _centroids(points: "np.ndarray", count: int, random: "np.random.Generator") -> "np.ndarray":
    """The best of several k-means."""
    best, least = points[:count], np.inf
    for _ in range(STARTS):
        found, label = kmeans2(points, _start(points, count, random), iter=ITERATIONS,
                               minit="matrix")
        error = float(((points - found[label]) ** 2).sum())
        if error < least:
            best, least = found, error
    return best


def _integers(values: "np.ndarray") -> "np.ndarray":
    return np.rint(values).astype(np.int64)


def linear_rule(net: Net, centroids: "np.ndarray", scale: "np.ndarray") -> Contexts:
    """The nearest centroid, distances times `scale`, as the largest of linear functions of the
    hidden values: |e - c|^2 without e^2, which all classes share."""
    weighted = centroids * scale ** 2
    linear = weighted @ net.output.T
    constant = weighted[:, -1] * net.unary_bias[0] - 0.5 * (weighted * centroids).sum(axis=1)
    linear, constant = linear - linear.mean(axis=0), constant - constant.mean()
    unit = LARGEST / np.abs(linear).max()
    embedding, unary = centroids[:, :-1], centroids[:, -1]
    log_odds = embedding @ embedding.T + unary[:, None] + unary
    return Contexts(_integers(net.window * LIMIT), _integers(net.bias * LIMIT),
                    _integers(linear * unit), _integers(constant * unit * LIMIT),
                    np.round(np.clip(log_odds, -MOST_LOG_ODDS, MOST_LOG_ODDS), 4))


def check(contexts: Contexts) -> None:
    """Fails if a number is out of its range, or if 32-bit integers could overflow."""
    size = 2 ** 31 - 1
    sums = np.abs(contexts.window).max(axis=1).sum(axis=0) + np.abs(contexts.bias)
    scores = LIMIT * np.abs(contexts.classes).sum(axis=1) + np.abs(contexts.class_bias)
    if (max(np.abs(contexts.window).max(), np.abs(contexts.classes).max()) > LARGEST
            or max(np.abs(contexts.bias).max(), np.abs(contexts.class_bias).max()) > LARGEST_BIAS
            or max(sums.max(), scores.max()) > size):
        raise OverflowError("the net has numbers that are too large for 32-bit integers")
    if not (np.isfinite(contexts.log_odds).all()
            and (contexts.log_odds == contexts.log_odds.T).all()):
        raise ArithmeticError("the log odds of classes are not finite and symmetric")


def contexts_of(net: Net, residues: Residues, families: Sequence[int], count: int,
                seed: int) -> Contexts:
    """Classes of the residues of these families, the most frequent one first. An embedding of a
    wide spread in a dimension makes errors there cost more: it is multiplied with others."""
    random = np.random.default_rng(seed)
    places = _sample(residues, families, random)
    values = net.embeddings(residues)[places]
    scale = np.append(values[:, :-1].std(axis=0) + 1e-6, 1.0)
    contexts = linear_rule(net, _centroids(values * scale, count, random) / scale, scale)
    check(contexts)
    number = np.bincount(contexts.classes_of(residues)[places], minlength=count)
    order = np.argsort(-number, kind="stable")
    return contexts._replace(classes=contexts.classes[order],
                             class_bias=contexts.class_bias[order],
                             log_odds=contexts.log_odds[np.ix_(order, order)])


def _lines(values: Sequence[Any]) -> str:
    """A JSON array over as many lines as it takes."""
    lines: List[str] = []
    line = "   "
    for k, value in enumerate(values):
        word = f" {value}" + ("," if k + 1 < len(values) else "")
        if len(line) + len(word) > WIDTH:
            lines.append(line)
            line = "   "
        line += word
    return "[\n" + "\n".join([*lines, line]) + "\n  ]"


def write_contexts(path: Path, contexts: Contexts, source: str) -> None:
    """The file that accord reads."""
    rows = ",\n".join("    " + json.dumps(row) for row in contexts.log_odds.tolist())
    fields: Dict[str, str] = {
        "name": json.dumps(path.stem), "source": json.dumps(source), "residues": '"protein"',
        "radius": str(contexts.window.shape[0] // 2), "hidden": str(len(contexts.bias)),
        "limit": str(LIMIT), "window": _lines(contexts.window.ravel().tolist()),
        "bias": _lines(contexts.bias.tolist()),
        "classes": _lines(contexts.classes.ravel().tolist()),
        "class_bias": _lines(contexts.class_bias.tolist()), "log_odds": f"[\n{rows}\n  ]"}
    text = ",\n".join(f'  "{key}": {value}' for key, value in fields.items())
    path.write_text("{\n" + text + "\n}\n", encoding="utf-8")
