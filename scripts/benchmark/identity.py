"""Checks that devices, thread counts and the order of the input do not change an alignment."""
import random
import shlex
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from . import process
from .datasets import Family, read_fasta

Rows = list[tuple[str, str]]


class Variant(NamedTuple):
    """A way to run accord that must not matter."""

    name: str
    options: str
    shuffled: bool = False


def variants(devices: str) -> list[Variant]:
    """The first device with 1, 2 and 4 threads and a shuffled input, then the other devices."""
    first, *others = devices.split(",")
    found = [Variant(f"{first} -j {n}", f"--device {first} -j {n}") for n in (1, 2, 4)]
    found.append(Variant(f"{first} shuffled", f"--device {first} -j 1", True))
    return found + [Variant(device, f"--device {device}") for device in others]


def shuffled_copy(source: Path, target: Path, seed: int) -> Path:
    """The records of a FASTA file in another order."""
    records = read_fasta(source)
    order = records[:]
    random.Random(seed).shuffle(order)
    if order == records:
        order.reverse()
    target.write_text("".join(f"{name}\n{text}\n" for name, text in order), encoding="latin-1")
    return target


def _align(accord: str, family: Family, variant: Variant, options: str, directory: Path,
           seed: int) -> tuple[Rows, str]:
    """The rows by name, or what went wrong."""
    stem = "-".join((family.dataset, family.group.replace("/", "_"), family.name))
    source, target = family.path.resolve(), directory / (stem + ".fa")
    if variant.shuffled:
        source = shuffled_copy(source, directory / (stem + ".in"), seed)
    target.unlink(missing_ok=True)
    command = f"{shlex.quote(accord)} {shlex.quote(str(source))} -o {shlex.quote(str(target))} "
    ended = process.run(command + f"{options} {variant.options}", directory, 0, process.Running())
    return (sorted(read_fasta(target)), "") if ended.status == "ok" else ([], ended.message)


def check(accord: str, families: list[Family], devices: str, options: str, jobs: int, seed: int,
          directory: Path) -> int:
    """Aligns every family in every way and prints what differs from the first; returns how many
    alignments differ or failed."""
    expected: dict[Family, Rows] = {}
    bad = 0
    for number, variant in enumerate(variants(devices)):
        with ThreadPoolExecutor(jobs) as pool:
            count = len(families)
            found = list(pool.map(_align, [accord] * count, families, [variant] * count,
                                  [options] * count, [directory] * count, [seed] * count))
        failed = [(f, message) for f, (_, message) in zip(families, found) if message]
        if number == 0:
            expected = {f: rows for f, (rows, message) in zip(families, found) if not message}
        differ = [f for f, (rows, message) in zip(families, found)
                  if not message and rows != expected.get(f)]
        same = len(families) - len(failed) - len(differ)
        print(f"{variant.name}: {same} identical, {len(differ)} differ, {len(failed)} failed",
              flush=True)
        for family, message in failed[:20]:
            print(f"  failed on {family.label()}: {message}")
        for family in differ[:20]:
            print(f"  differs: {family.label()}")
        bad += len(differ) + len(failed)
    print("some alignments differ or failed" if bad else "no alignment differs")
    return bad
