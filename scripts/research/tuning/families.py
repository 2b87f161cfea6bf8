"""The families that a search trains on, and those that it must not see."""
import csv
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from benchmark.datasets import Family, facts, find_families, read_fasta
from benchmark.errors import BenchmarkError

HALVES = ("training", "test")
KNOWN_RULE = "see 'Training and test halves' in docs/development/tuning.md"
NUMBERED = re.compile(r"seq\d+")
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


def kin_marks(family: Family) -> tuple[str, set[str]]:
    """What relatives share: the name up to its first point; names of rows of the reference (not
    those that are but numbers, seq0001, and without '_', since 1abc_A is 1abca elsewhere)."""
    rows = read_fasta(family.reference) if family.reference else []
    names = {header[1:].split()[0].lower().replace("_", "") for header, _ in rows}
    return family.name.split(".")[0], {name for name in names if not NUMBERED.fullmatch(name)}


def halves_by_size(families: Sequence[Family], known: dict[Key, str]) -> dict[Key, str]:
    """Families that are known keep their half, and their namesakes in other sets have the same. The
    others of a set come by their size, the largest first, to the half of the families with which
    most rows are shared, or else to the half with fewer families of the set, or of residues."""
    halves = dict(known)
    by_name = {name.split(".")[0]: half for (_, _, name), half in known.items()}
    by_row: dict[str, str] = {}
    totals = Counter((dataset, half) for (dataset, _, _), half in known.items())
    letters: Counter[tuple[str, str]] = Counter()
    sized = sorted(((f[:3] in known, f.dataset, facts(f).letters, f) for f in families),
                   reverse=True)  # Balifam's names are of Pfam, so that it comes after the others
    for is_known, dataset, size, family in sized:
        name, rows = kin_marks(family)
        shared = Counter(by_row[row] for row in rows if row in by_row)
        half = halves.get(family[:3]) or by_name.get(name) or min(
            HALVES, key=lambda h, s=dataset, n=shared: (-n[h], totals[s, h], letters[s, h]))
        halves[family[:3]] = by_name[name] = half
        by_row = {**dict.fromkeys(rows, half), **by_row}
        totals[dataset, half] += not is_known
        letters[dataset, half] += size
    return halves


def read_halves(path: Path) -> dict[Key, str]:
    """The file that write_halves() wrote."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    halves = {(row["set"], row["group"], row["family"]): row["half"] for row in rows}
    if not set(halves.values()) <= set(HALVES):
        raise BenchmarkError(f"{path}: a half that is neither training nor test")
    return halves


def write_halves(path: Path, halves: dict[Key, str]) -> None:
    """A line for each family: set, group, family, half."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter="\t", lineterminator="\n")
        writer.writerow(("set", "group", "family", "half"))
        writer.writerows((*key, half) for key, half in sorted(halves.items()))


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
