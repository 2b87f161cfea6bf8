"""Classes of residues by a net, in the integers that accord computes with."""
import json
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from benchmark.errors import BenchmarkError
from scipy.cluster.vq import kmeans2

from . import kernels
from .kernels import Rule, Size
from .residues import CODES, UNKNOWN, Residues
from .structure import StateNet
from .training import Frequencies

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

    def log_openings(self, residues: Residues) -> "np.ndarray":
        """The logarithm of the factor of a gap before each residue of all sequences."""
        values = np.eye(len(self.log_odds))[self.classes_of(residues)]
        return np.concatenate([
            kernels.log_openings(residues.letters[a:b], values[a:b], self.gap_letters,
                                 self.gap_classes)
            for a, b in zip(residues.first[:-1], residues.first[1:])])

    def rule(self) -> tuple["np.ndarray", Size]:
        """The vector of a rule of the same classes, its tables included; all sums are exact."""
        size = Size(len(self.window) // 2, len(self.bias), len(self.class_bias))
        vector = np.empty(kernels.length_of(size))
        rule = kernels.views_of(vector, size)
        rule.window[:], rule.bias[:] = self.window / LIMIT, self.bias / LIMIT
        rule.classes[:], rule.class_bias[:] = self.classes.T, self.class_bias / LIMIT
        rule.log_odds[:] = self.log_odds
        rule.gap_letters[:], rule.gap_classes[:] = self.gap_letters, self.gap_classes
        return vector, size


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


def centroids_of(values: "np.ndarray", residues: Residues, families: Sequence[int], count: int,
                 seed: int) -> "np.ndarray":
    """The best of several k-means of values of each residue, over residues of these families."""
    random = np.random.default_rng(seed)
    points = values[_sample(residues, families, random)]
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


def first_rule(net: StateNet, centroids: "np.ndarray") -> tuple["np.ndarray", Size]:
    """The vector of a rule whose class is that of the nearest centroid of the logits of states:
    |s - c|^2 without s^2, which all classes share, is linear in s. The tables are 0."""
    size = Size(len(net.window) // 2, len(net.bias), len(centroids))
    vector = np.zeros(kernels.length_of(size))
    rule = kernels.views_of(vector, size)
    output = net.output - net.output.mean(axis=1, keepdims=True)
    rule.window[:], rule.bias[:] = net.window, net.bias
    rule.classes[:] = output @ centroids.T
    rule.class_bias[:] = (centroids @ (net.output_bias - net.output_bias.mean())
                          - 0.5 * (centroids ** 2).sum(axis=1))
    return vector, size


def in_integers(rule: Rule, residues: Residues) -> Contexts:
    """The contexts of a rule, the most frequent class first. What all classes have in common
    changes no class, and is left out."""
    linear = rule.classes - rule.classes.mean(axis=1, keepdims=True)
    constant = rule.class_bias - rule.class_bias.mean()
    unit = LARGEST / np.abs(linear).max()
    contexts = Contexts(_integers(rule.window * LIMIT), _integers(rule.bias * LIMIT),
                        _integers(linear.T * unit), _integers(constant * unit * LIMIT),
                        *_tables(rule))
    check(contexts)
    number = np.bincount(contexts.classes_of(residues), minlength=len(constant))
    order = np.argsort(-number, kind="stable")
    return contexts._replace(classes=contexts.classes[order],
                             class_bias=contexts.class_bias[order],
                             log_odds=contexts.log_odds[np.ix_(order, order)],
                             gap_classes=contexts.gap_classes[:, order])


def frequencies_of(contexts: Contexts, residues: Residues) -> Frequencies:
    """Of letters that are known, and of classes."""
    letters = residues.letters[residues.letters < UNKNOWN]
    numbers = (np.bincount(letters, minlength=UNKNOWN),
               np.bincount(contexts.classes_of(residues), minlength=len(contexts.class_bias)))
    return Frequencies(*(number / number.sum() for number in numbers))


def with_tables(contexts: Contexts, rule: Rule) -> Contexts:
    """The same classes, and the tables of a rule."""
    log_odds, gap_letters, gap_classes = _tables(rule)
    contexts = contexts._replace(log_odds=log_odds, gap_letters=gap_letters,
                                 gap_classes=gap_classes)
    check(contexts)
    return contexts


def _tables(rule: Rule) -> tuple["np.ndarray", "np.ndarray", "np.ndarray"]:
    """As they are written; the log odds are symmetric but for rounding."""
    log_odds = (rule.log_odds + rule.log_odds.T) / 2
    return as_written(log_odds), as_written(rule.gap_letters), as_written(rule.gap_classes)


def as_written(values: "np.ndarray") -> "np.ndarray":
    """Logarithms within their limits, with the decimals of the file."""
    return np.round(np.clip(values, -MOST_LOG_ODDS, MOST_LOG_ODDS), 4)


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
    """A file of write_contexts(), and its source."""
    try:
        fields: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        bias, class_bias = (np.array(fields[key], np.int64) for key in ("bias", "class_bias"))
        offsets, count = 2 * fields["radius"] + 1, len(class_bias)
        contexts = Contexts(
            np.array(fields["window"], np.int64).reshape(offsets, CODES, len(bias)), bias,
            np.array(fields["classes"], np.int64).reshape(count, len(bias)), class_bias,
            np.array(fields["log_odds"], float).reshape(count, count),
            np.array(fields["gap_letters"], float).reshape(2, UNKNOWN),
            np.array(fields["gap_classes"], float).reshape(2, count))
        check(contexts)
        if fields["limit"] != LIMIT:
            raise ValueError(f"limit is not {LIMIT}")
        return contexts, str(fields["source"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError, ArithmeticError) as error:
        raise BenchmarkError(f"{path}: not a file of contexts ({error!r})",
                             "scripts/research/train_context.py makes such files") from None
