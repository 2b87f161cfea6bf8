"""Digests of what accord puts out, by which figures that are no longer true are noticed.

A digest is of hashes in tests/golden, which the tests compare. The families of families.tsv there
are made when they are needed. A table names the digests of its day.
"""
import hashlib
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from .errors import BenchmarkError

ROOT = Path(__file__).resolve().parents[2]
GOLDEN = ROOT / "tests" / "golden"
FAMILIES = GOLDEN / "families.tsv"
SIMULATOR = ROOT / "scripts" / "simulation" / "simulate_family.py"
LARGE_SETS = ("HomFam", "QuanTest2", "Balifam", "all four")


def kind_of(row: Mapping[str, str]) -> str:
    """The digest that a line of scores depends on, "" if it is not of accord."""
    if row["set"].startswith(LARGE_SETS):
        kind = "large"
    elif "--mode" in row["program"]:
        kind = "local"
    else:
        kind = "nucleotide" if row["set"].startswith(("BRAliBase", "Rfam")) else "small"
    return kind if row["program"].startswith("accord") else ""


def lines_of(path: Path) -> list[list[str]]:
    """The cells of a file."""
    return [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()]


def digests(golden: Path = GOLDEN) -> dict[str, str]:
    """Of today's outputs, by kind: 12 hexadecimal digits."""
    hashes = [("local", line[0], *line[1:]) for line in lines_of(golden / "local.tsv")]
    hashes += [("nucleotide" if line[0].startswith(("dna", "rna")) else "small", line[0], line[-1])
               for line in lines_of(golden / "goldens.tsv")]  # the alignment is the last stage
    hashes += [(line[0], line[1], line[-1]) for line in lines_of(golden / FAMILIES.name)[1:]]
    return {kind: hashlib.sha256(repr([one for one in sorted(hashes) if one[0] == kind])
                                 .encode()).hexdigest()[:12]
            for kind in sorted({one[0] for one in hashes})}


def named(kinds: set[str], today: Mapping[str, str]) -> str:
    """What a run of these kinds names: 'large:0123456789ab small:...'."""
    return " ".join(f"{kind}:{today[kind]}" for kind in sorted(kinds - {""}))


def families_now(accord: str, path: Path = FAMILIES) -> str:
    """The text of families.tsv with the hashes of this program: makes and aligns each family."""
    head, *lines = lines_of(path)
    text = "\t".join(head) + "\n"
    with tempfile.TemporaryDirectory(prefix="outputs-") as directory:
        for kind, name, options, _ in lines:
            subprocess.run([sys.executable, str(SIMULATOR), "--out", name, *shlex.split(options)],
                           cwd=directory, check=True, stdout=subprocess.DEVNULL)
            done = subprocess.run([accord, f"{name}.fa", "-d", "none", "-q"], cwd=directory,
                                  capture_output=True, check=False)
            if done.returncode:
                raise BenchmarkError(f"{accord} does not align {name}: {done.stderr.decode()}")
            digest = hashlib.sha256(done.stdout).hexdigest()[:16]
            text += "\t".join((kind, name, options, digest)) + "\n"
    return text
