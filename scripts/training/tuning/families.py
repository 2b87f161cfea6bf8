"""The families that a search trains on, and those that it must not see."""
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from benchmark.datasets import Family, find_families
from benchmark.errors import BenchmarkError

HALVES = ("training", "test")
KNOWN_RULE = "see 'Training and test halves' in docs/development/tuning.md"
Key = tuple[str, str, str]  # set, group, family


class Member(NamedTuple):
    """A family with a reference, and the half that it belongs to."""

    family: Family
    half: str

    def key(self) -> str:
        """What the manifest of a batch calls it."""
        return "~".join((self.family.dataset, self.family.group, self.family.name))


def halves_by_place(families: Sequence[Family]) -> dict[Key, str]:
    """Families of a group of a set in the order of their names, counted from 1: those at even
    places are for training, those at odd places for the test."""
    places: dict[tuple[str, str], int] = {}
    halves: dict[Key, str] = {}
    for family in sorted(families, key=lambda f: (f.dataset, f.group, f.name)):
        place = places.setdefault((family.dataset, family.group), 1)
        halves[family.dataset, family.group, family.name] = HALVES[place % 2]
        places[family.dataset, family.group] += 1
    return halves


def find_members(directories: Sequence[Path], known: dict[Key, str]) -> list[Member]:
    """All families of the directories that have a reference. The half is that of `known`, or else
    follows from the place (see halves_by_place)."""
    families: list[Family] = []
    for directory in directories:
        found = [family for family in find_families(directory) if family.reference]
        if not found:
            raise BenchmarkError(f"{directory} has no family with a reference",
                                 "see docs/development/tuning.md")
        families += found
    halves = {**halves_by_place(families), **known}
    return [Member(f, halves[f.dataset, f.group, f.name]) for f in families]
