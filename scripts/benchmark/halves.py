"""The training and the test half of families; see docs/development/tuning.md."""
from collections.abc import Sequence
from pathlib import Path

from .datasets import Family
from .errors import BenchmarkError

PATH = Path(__file__).resolve().parent / "halves.tsv"
HALVES = ("training", "test")
Key = tuple[str, str, str]  # set, group, family


def by_place(families: Sequence[Family]) -> dict[Key, str]:
    """Families of a group of a set in the order of their names, counted from 1: those at even
    places are for training, those at odd places for the test."""
    places: dict[tuple[str, str], int] = {}
    halves: dict[Key, str] = {}
    for family in sorted(families, key=lambda f: (f.dataset, f.group, f.name)):
        place = places.setdefault((family.dataset, family.group), 1)
        halves[family.dataset, family.group, family.name] = HALVES[place % 2]
        places[family.dataset, family.group] += 1
    return halves


def read(path: Path = PATH) -> dict[Key, str]:
    """The halves of known families."""
    lines = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()[1:]]
    halves = {(name, group, family): half for name, group, family, half in lines}
    if not set(halves.values()) <= set(HALVES):
        raise BenchmarkError(f"{path}: a half that is neither training nor test")
    return halves


def of_half(families: Sequence[Family], half: str, known: dict[Key, str]) -> list[Family]:
    """The families of a half ("all": of both): that of `known`, or else by place."""
    halves = {**by_place(families), **known}
    return [f for f in families if half in ("all", halves[f.dataset, f.group, f.name])]
