"""The net that the classes of residues start from: it tells helix, strand and other.

Its hidden units see the letters around a residue (Qian & Sejnowski 1988, J Mol Biol 202:865)."""
import csv
import lzma
import math
from pathlib import Path
from typing import Callable, NamedTuple

import numpy as np
from benchmark.errors import BenchmarkError
from numba import njit, prange

from . import kernels
from .residues import CODE_OF, CODES, OUTSIDE, Residues

STATES = "HEC"  # helix, strand, other
UNSEEN = len(STATES)  # a residue that the experiment did not resolve
BATCH = 16  # chains of a step
START = 0.2  # spread of the first weights: with .05 the hidden units stay linear


class Course(NamedTuple):
    """How the net is trained."""

    radius: int = 10  # letters on either side of a residue that it sees
    hidden: int = 64
    epochs: int = 12
    rate: float = 4e-3
    seed: int = 2


class Chains(NamedTuple):
    """Chains one after the other."""

    letters: "np.ndarray"  # code of each residue, uint8
    states: "np.ndarray"  # place in STATES, or UNSEEN, uint8
    first: "np.ndarray"  # first residue of each chain, and the number of residues


class StateNet(NamedTuple):
    """Weights of the net, all float32."""

    window: "np.ndarray"  # offset x letter x hidden
    bias: "np.ndarray"  # hidden
    output: "np.ndarray"  # hidden x state
    output_bias: "np.ndarray"


def _packed(rows: list[dict[str, str]], path: Path) -> Chains:
    if not rows:
        raise BenchmarkError(f"{path} has no chains of a set that is asked for")
    for row in rows:
        if not len(row["sequence"]) == len(row["structure"]) == len(row["mask"]):
            raise BenchmarkError(f"{path}: sequence, structure and mask of a chain differ in "
                                 f"length ({row['sequence'][:20]}...)")
    letters = [CODE_OF[np.frombuffer(row["sequence"].encode(), np.uint8)] for row in rows]
    states = [np.array([STATES.index(state) if seen == "1" and state in STATES else UNSEEN
                        for state, seen in zip(row["structure"], row["mask"])], np.uint8)
              for row in rows]
    first = np.cumsum([0] + [len(chain) for chain in letters])
    return Chains(np.concatenate(letters), np.concatenate(states), first)


def read_chains(path: Path) -> tuple[Chains, Chains]:
    """The chains to train on, and those to test on, of a table with the columns set (train or
    another), guarded, sequence, structure and mask; guarded chains are left out."""
    opened = lzma.open if path.suffix == ".xz" else open
    try:
        with opened(path, "rt", encoding="utf-8") as file:
            rows = [row for row in csv.DictReader(file, delimiter="\t") if row["guarded"] != "yes"]
        return (_packed([row for row in rows if row["set"] == "train"], path),
                _packed([row for row in rows if row["set"] != "train"], path))
    except (OSError, EOFError, lzma.LZMAError, UnicodeDecodeError, KeyError, TypeError) as error:
        raise BenchmarkError(f"{path}: not a table of secondary structure ({error!r})") from None


@njit
def _add_chain(letters, states, window, bias, output, output_bias, found):
    """Adds the gradients of the cross entropy of a chain's states, and to the counts the loss,
    right residues and residues."""
    window_g, bias_g, output_g, output_bias_g, counts = found
    radius = window.shape[0] // 2
    sums = kernels.window_sums(letters, window, bias)
    inner = np.empty_like(bias)
    for i in range(len(letters)):
        if states[i] >= len(output_bias):
            continue
        scores = output_bias.copy()
        for k in range(len(bias)):
            h = min(np.float32(1), max(np.float32(-1), sums[i, k]))
            for s in range(len(scores)):
                scores[s] += h * output[k, s]
        scores = np.exp(scores - scores.max())
        scores /= scores.sum()
        counts[0] -= math.log(max(scores[states[i]], np.float32(1e-9)))
        counts[1] += scores.argmax() == states[i]
        counts[2] += 1
        scores[states[i]] -= np.float32(1)
        output_bias_g += scores
        for k in range(len(bias)):
            h = min(np.float32(1), max(np.float32(-1), sums[i, k]))
            inner[k] = 0
            for s in range(len(scores)):
                output_g[k, s] += h * scores[s]
                inner[k] += output[k, s] * scores[s]
            if abs(sums[i, k]) >= 1:
                inner[k] = 0
            bias_g[k] += inner[k]
        for o in range(window.shape[0]):
            j = i + o - radius
            letter = letters[j] if 0 <= j < len(letters) else OUTSIDE
            for k in range(len(bias)):
                window_g[o, letter, k] += inner[k]


@njit(parallel=True)
def gradients(letters, states, first, places, window, bias, output, output_bias):
    """Of these chains, each by itself: the gradients of the cross entropy of their states, and
    loss, right residues and residues. For window and so on see StateNet."""
    size = len(places)
    windows = np.zeros((size,) + window.shape, np.float32)
    biases = np.zeros((size,) + bias.shape, np.float32)
    outputs = np.zeros((size,) + output.shape, np.float32)
    output_biases = np.zeros((size,) + output_bias.shape, np.float32)
    counts = np.zeros((size, 3))
    for k in prange(size):
        a, b = first[places[k]], first[places[k] + 1]
        _add_chain(letters[a:b], states[a:b], window, bias, output, output_bias,
                   (windows[k], biases[k], outputs[k], output_biases[k], counts[k]))
    return windows, biases, outputs, output_biases, counts


def _found(chains: Chains, places: "np.ndarray", net: StateNet) -> tuple[list["np.ndarray"],
                                                                        "np.ndarray"]:
    """Gradients of the loss on these chains, in the order of the net's weights; and loss, right
    residues, residues."""
    each = gradients(chains.letters, chains.states, chains.first, places, *net)
    return [values.sum(axis=0) for values in each[:-1]], each[-1].sum(axis=0)


def train_states(chains: Chains, tested: Chains, course: Course,
                 report: Callable[[int, str], None]) -> StateNet:
    """A net trained by Adam (Kingma & Ba 2015) on the cross entropy. `report` gets each epoch, and
    the share of residues that are right. The same seed gives the same net."""
    random = np.random.default_rng(course.seed)
    size, hidden = (2 * course.radius + 1, CODES, course.hidden), course.hidden
    net = StateNet(random.normal(0, START, size).astype(np.float32), np.zeros(hidden, np.float32),
                   random.normal(0, 0.3, (hidden, len(STATES))).astype(np.float32),
                   np.zeros(len(STATES), np.float32))
    means, squares = ([np.zeros_like(weights) for weights in net] for _ in range(2))
    count, step = len(chains.first) - 1, 0
    for epoch in range(course.epochs):
        batches: list[np.ndarray] = np.array_split(random.permutation(count),
                                                     max(1, count // BATCH))
        met = np.zeros(3)
        for number, places in enumerate(batches):
            slopes, counts = _found(chains, places, net)
            met += counts
            step += 1
            left = 1 - (epoch + number / len(batches)) / course.epochs
            rate = course.rate * left * min(1.0, step / 200)
            for weights, slope, mean, square in zip(net, slopes, means, squares):
                slope = slope / max(1.0, counts[2])
                mean += 0.1 * (slope - mean)
                square += 0.001 * (slope * slope - square)
                weights -= rate * (mean / (1 - 0.9 ** step)) / (
                    np.sqrt(square / (1 - 0.999 ** step)) + 1e-8)
        _, test = _found(tested, np.arange(len(tested.first) - 1), net)
        report(epoch + 1, f"{met[1] / met[2]:.4f} right, {test[1] / test[2]:.4f} of other chains")
    return net


def logits(net: StateNet, residues: Residues) -> "np.ndarray":
    """Logarithms of the odds of the states of each residue of all sequences, less their mean."""
    parts = [np.clip(kernels.window_sums(residues.letters[a:b], net.window, net.bias), -1, 1)
             @ net.output + net.output_bias
             for a, b in zip(residues.first[:-1], residues.first[1:])]
    found = np.concatenate(parts).astype(float)
    return found - found.mean(axis=1, keepdims=True)
