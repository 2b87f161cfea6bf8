"""Classes of residues from the embeddings of a net, in the integers that accord computes with."""
import json
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from benchmark.errors import BenchmarkError
from scipy.cluster.vq import kmeans2

from . import kernels
from .residues import CODES, UNKNOWN, Residues
from .training import Net

LIMIT = 64  # of the integers stands for 1 of the net
LARGEST, LARGEST_BIAS = 32767, 2 ** 29
MOST_LOG_ODDS = 2.0  # and -2 the least, well within the -5 to 5 that accord takes
SEQUENCES, SAMPLE = 4, 60_000  # of a family, of all residues: what the centroids are found on
STARTS, ITERATIONS = 10, 30
WIDTH = 100  # of a line of the file


class Contexts(NamedTuple):
    """A rule for the class of a residue, the log odds of two classes, and logarithms of factors of
    gap openings, of the residue before a gap (side 0) and of the one behind it (side 1)."""

    window: "np.ndarray"  # offset x letter x hidden, integers
    bias: "np.ndarray"  # hidden
    classes: "np.ndarray"  # class x hidden
    class_bias: "np.ndarray"
    log_odds: "np.ndarray"  # class x class
    gap_letters: "np.ndarray"  # side x letter
    gap_classes: "np.ndarray"  # side x class

    def classes_of(self, residues: Residues) -> "np.ndarray":
        """The class of each residue of all sequences."""
        parts = []
        for a, b in zip(residues.first[:-1], residues.first[1:]):
            sums = kernels.window_sums(residues.letters[a:b], self.window, self.bias)
            scores = np.clip(sums, -LIMIT, LIMIT) @ self.classes.T + self.class_bias
            parts.append(scores.argmax(axis=1))
        return np.concatenate(parts)

    def features(self, residues: Residues,
                 share: float = 1) -> tuple["np.ndarray", "np.ndarray"]:
        """What cell_odds() multiplies for each residue, left and right, for so large a share of
        the log odds."""
        found = self.classes_of(residues)
        return share * self.log_odds[found], np.eye(len(self.log_odds))[found]

    def log_openings(self, residues: Residues) -> "np.ndarray":
        """The logarithm of the factor of a gap before each residue of all sequences."""
        return log_openings(residues.letters, self.classes_of(residues), self.gap_letters,
                            self.gap_classes)


def log_openings(letters: "np.ndarray", classes: "np.ndarray", gap_letters: "np.ndarray",
                 gap_classes: "np.ndarray") -> "np.ndarray":
    """The logarithm of the factor of a gap before each of these residues; that before the first
    one of a sequence means nothing. Unknown letters add 0."""
    of_letters = np.pad(gap_letters, ((0, 0), (0, 1)))  # with a column for UNKNOWN
    each = of_letters[:, letters] + gap_classes[:, classes]
    return np.concatenate(([0.0], each[0, :-1] + each[1, 1:]))


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
                    as_written(log_odds), *no_openings(len(centroids)))


def as_written(values: "np.ndarray") -> "np.ndarray":
    """Logarithms within their limits, with the decimals of the file."""
    return np.round(np.clip(values, -MOST_LOG_ODDS, MOST_LOG_ODDS), 4)


def no_openings(classes: int) -> tuple["np.ndarray", "np.ndarray"]:
    """The tables of gap openings that change nothing."""
    return np.zeros((2, UNKNOWN)), np.zeros((2, classes))


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
    if not (np.isfinite(contexts.gap_letters).all() and np.isfinite(contexts.gap_classes).all()):
        raise ArithmeticError("the gap openings are not finite")


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
    lines: list[str] = []
    line = "   "
    for k, value in enumerate(values):
        word = f" {value}" + ("," if k + 1 < len(values) else "")
        if len(line) + len(word) > WIDTH:
            lines.append(line)
            line = "   "
        line += word
    return "[\n" + "\n".join([*lines, line]) + "\n  ]"


def _rows(table: "np.ndarray") -> str:
    """A JSON array of arrays, each on lines of its own."""
    return "[\n" + ",\n".join("\n".join(
        textwrap.wrap(json.dumps(row), WIDTH, initial_indent="    ", subsequent_indent="     "))
        for row in table.tolist()) + "\n  ]"


def write_contexts(path: Path, contexts: Contexts, source: str) -> None:
    """The file that accord reads."""
    fields: dict[str, str] = {
        "name": json.dumps(path.stem), "source": json.dumps(source), "residues": '"protein"',
        "radius": str(contexts.window.shape[0] // 2), "hidden": str(len(contexts.bias)),
        "limit": str(LIMIT), "window": _lines(contexts.window.ravel().tolist()),
        "bias": _lines(contexts.bias.tolist()),
        "classes": _lines(contexts.classes.ravel().tolist()),
        "class_bias": _lines(contexts.class_bias.tolist()), "log_odds": _rows(contexts.log_odds),
        "gap_letters": _rows(contexts.gap_letters), "gap_classes": _rows(contexts.gap_classes)}
    text = ",\n".join(f'  "{key}": {value}' for key, value in fields.items())
    path.write_text("{\n" + text + "\n}\n", encoding="utf-8")


def read_contexts(path: Path) -> tuple[Contexts, str]:
    """A file of write_contexts(), and its source. Older ones have no gap openings."""
    try:
        fields: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        bias, class_bias = (np.array(fields[key], np.int64) for key in ("bias", "class_bias"))
        offsets, count = 2 * fields["radius"] + 1, len(class_bias)
        of_letters, of_classes = no_openings(count)
        contexts = Contexts(
            np.array(fields["window"], np.int64).reshape(offsets, CODES, len(bias)), bias,
            np.array(fields["classes"], np.int64).reshape(count, len(bias)), class_bias,
            np.array(fields["log_odds"], float).reshape(count, count),
            np.array(fields.get("gap_letters", of_letters), float).reshape(of_letters.shape),
            np.array(fields.get("gap_classes", of_classes), float).reshape(of_classes.shape))
        check(contexts)
        if fields["limit"] != LIMIT:
            raise ValueError(f"limit is not {LIMIT}")
        return contexts, str(fields["source"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError, ArithmeticError) as error:
        raise BenchmarkError(f"{path}: not a file of contexts ({error!r})",
                             "scripts/train_context.py makes such files") from None
