"""A search space over the numbers of a parameter file."""
import copy
import json
import math
from pathlib import Path
from typing import Any, NamedTuple, Optional

from benchmark.errors import BenchmarkError

SPACES = Path(__file__).resolve().parent / "spaces"
Json = dict[str, Any]


class Axis(NamedTuple):
    """A number of the file, and how the search steps through it.

    transform is `linear`; `log`: the logarithm of the absolute value, the sign stays; `logit` of a
    probability; `integer`: linear, rounded. least and most bound the number itself."""

    path: str  # keys and places in lists, with dots
    transform: str
    step: float  # first standard deviation, in what the transform gives
    least: Optional[float]
    most: Optional[float]

    def encode(self, value: float) -> float:
        """From the file to the search."""
        if self.transform == "log":
            return math.log(abs(value))
        if self.transform == "logit":
            return math.log(value / (1 - value))
        return value

    def decode(self, x: float, start: float) -> float:
        """Back again; `start` gives the sign."""
        value = x
        if self.transform == "log":
            value = math.copysign(math.exp(x), start)
        if self.transform == "logit":
            value = 1 / (1 + math.exp(-x))
        if self.least is not None:
            value = max(self.least, value)
        if self.most is not None:
            value = min(self.most, value)
        return round(value) if self.transform == "integer" else float(f"{value:.6g}")


def _steps(path: str) -> list[Any]:
    return [int(step) if step.isdigit() else step for step in path.split(".")]


def get(json_: Json, path: str) -> Any:
    """The value at a path."""
    value: Any = json_
    for step in _steps(path):
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            raise BenchmarkError(f"the parameter file has no {path}") from None
    return value


def put(json_: Json, path: str, value: Any) -> None:
    """Replaces the value at a path."""
    *parents, last = _steps(path)
    place: Any = json_
    for step in parents:
        place = place[step]
    place[last] = value


class Space:
    """The axes of a search around a parameter set."""

    def __init__(self, axes: list[Axis], start: Json) -> None:
        """`start` has all numbers of the axes, within their bounds."""
        self.axes = axes
        self.start = start
        self.first = [float(get(start, axis.path)) for axis in axes]
        self.mean = [axis.encode(value) for axis, value in zip(axes, self.first)]

    def parameters(self, point: list[float]) -> Json:
        """The parameter set at a point of the search."""
        result = copy.deepcopy(self.start)
        for axis, x, first in zip(self.axes, point, self.first):
            put(result, axis.path, axis.decode(float(x), first))
        _share_out_starts(result["pair_hmm"])
        return result


def _share_out_starts(hmm: Json) -> None:
    """Makes the start probabilities sum to 1: only their ratios matter to posteriors."""
    total = hmm["start_match"] + 2 * sum(gap["start"] for gap in hmm["gap_classes"])
    hmm["start_match"] /= total
    for gap in hmm["gap_classes"]:
        gap["start"] /= total


def load_space(name: str, start: Json) -> Space:
    """A space of this package by name, or a file: {"gap_classes": [...], "axes": [...]}, where
    gap classes beyond those of `start` are added to it."""
    path = SPACES / f"{name}.json"
    path = path if path.exists() else Path(name)
    try:
        text = json.loads(path.read_text(encoding="utf-8"))
    except OSError:
        known = ", ".join(sorted(p.stem for p in SPACES.glob("*.json")))
        raise BenchmarkError(f"no search space {name}", f"there are {known}, or name a file") \
            from None
    except ValueError as error:
        raise BenchmarkError(f"{path}: no JSON: {error}") from None
    start = copy.deepcopy(start)
    classes = start["pair_hmm"]["gap_classes"]
    classes += text.get("gap_classes", [])[len(classes):]
    axes = []
    for entry in text["axes"]:
        axis = Axis(entry["path"], entry["transform"], entry["step"], entry.get("least"),
                    entry.get("most"))
        if axis.transform not in ("linear", "log", "logit", "integer"):
            raise BenchmarkError(f"{path}: unknown transform {axis.transform} of {axis.path}")
        axes.append(axis)
        if "start" in entry:
            put(start, axis.path, entry["start"])
    return Space(axes, start)
