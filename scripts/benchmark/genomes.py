#!/usr/bin/env python3
"""Aligns long similar nucleotides with a known true alignment with accord and MAFFT, and measures
accuracy and time.

  scripts/benchmark/genomes.py DIR add    [--n 200] [--identity .995]   genomes added to a reference
  scripts/benchmark/genomes.py DIR align  [--n 60] [--identity .995]    a family from scratch

A root genome evolves down a random tree (simulate_family.py): substitutions, and indels of a power
law. Then runs of unknown bases are put into the genomes, their ends are cut off, and of some the
reverse complement is taken (--reversed). DIR gets the sequences and what the programs write; what
is there is not simulated again.

`add`: `accord add --keep-columns --left-out` and `mafft --6merpair --keeplength --addfragments`
place the genomes beside a reference that is one of the leaves, whole. An error is a known base in
the column of a base of the reference that it is not homologous to (wrong), or without the column
that it has (missed). `align`: `accord` and `mafft --retree 1`; errors are pairs of known bases that
stand in one column and are not homologous (wrong), and the reverse (missed). Times are user and
system seconds of one thread.
"""
import argparse
import csv
import json
import shlex
import sys
from collections import Counter
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "scripts" / "simulation")]

# pylint: disable=wrong-import-position
import simulate_family  # noqa: E402
from model import Dice  # noqa: E402

from benchmark import process  # noqa: E402
from benchmark.datasets import read_fasta  # noqa: E402

REFERENCE = "seq1"  # the name that a simulated leaf has
TURNED = "_R_"
COMPLEMENT = str.maketrans("ACGTN", "TGCAN")
UNKNOWN = -1  # in place of the column of a base that is not judged
NOWHERE = -1  # in place of the column of a base that is left out


class Genome(NamedTuple):
    """A leaf: its letters forward, and the true column of each, UNKNOWN for N."""

    name: str
    letters: str
    columns: list[int]


class Errors(NamedTuple):
    """Of an alignment: pairs of bases (`add`: each with the base of the reference)."""

    wrong: int
    missed: int
    judged: int


def masked(genome: Genome, dice: Dice, options: argparse.Namespace) -> Genome:
    """The genome with its ends cut off and runs of N."""
    first = dice.below(options.cut + 1)
    end = len(genome.letters) - dice.below(options.cut + 1)
    letters, columns = list(genome.letters[first:end]), genome.columns[first:end]
    for _ in range(dice.below(2 * options.runs + 1)):
        size = min(1 + int(dice.waiting(1 / options.run_length)), 4 * options.run_length)
        start = dice.below(len(letters))
        for i in range(start, min(len(letters), start + size)):
            letters[i], columns[i] = "N", UNKNOWN
    return Genome(genome.name, "".join(letters), columns)


def simulated(options: argparse.Namespace) -> list[Genome]:
    """The reference, then the others."""
    words = ["--out", "-", "--type", "dna", "--n", options.n + 1, "--length", options.length,
             "--identity", options.identity, "--indel-rate", options.indel_rate, "--max-indel",
             options.max_indel, "--gc", .4, "--kappa", 4, "--seed", options.seed]
    dice = Dice(options.seed + 1)
    genomes = []
    for name, letters, row in simulate_family.simulate(
            simulate_family.arguments([str(word) for word in words])):
        genome = Genome(name, letters, [c for c, letter in enumerate(row) if letter != "-"])
        genomes.append(genome if name == REFERENCE else masked(genome, dice, options))
    return genomes


def write_inputs(directory: Path, options: argparse.Namespace) -> None:
    """reference.fa, new.fa, all.fa and columns.json."""
    genomes = simulated(options)
    turned = Dice(options.seed + 2)
    records = [(genome.name, genome.letters if genome.name == REFERENCE or
                turned.uniform() >= options.reversed
                else genome.letters.translate(COMPLEMENT)[::-1]) for genome in genomes]
    simulate_family.write_fasta(str(directory / "reference.fa"), records[:1])
    simulate_family.write_fasta(str(directory / "new.fa"), records[1:])
    simulate_family.write_fasta(str(directory / "all.fa"), records)
    (directory / "columns.json").write_text(json.dumps(
        {genome.name: genome.columns for genome in genomes}))


def forward_name(header: str) -> str:
    """The name without the mark of a sequence that was turned round."""
    name = header.removeprefix(">").split()[0]
    return name.removeprefix(TURNED)


def judge_added(truth: dict[str, list[int]], found: dict[str, list[int]]) -> Errors:
    """`found`: of each base of the added genomes the base of the reference, or NOWHERE."""
    base_at = {column: base for base, column in enumerate(truth[REFERENCE])}
    wrong = missed = judged = 0
    for name, bases in found.items():
        for column, base in zip(truth[name], bases):
            right = NOWHERE if column == UNKNOWN else base_at.get(column, NOWHERE)
            judged += right != NOWHERE
            wrong += column != UNKNOWN and base not in (NOWHERE, right)
            missed += right not in (NOWHERE, base)
    return Errors(wrong, missed, judged)


def judge_family(truth: dict[str, list[int]], found: dict[str, list[int]]) -> Errors:
    """`found`: of each base of all genomes its column."""
    def pairs(counts: Counter) -> int:
        return sum(k * (k - 1) // 2 for k in counts.values())

    true_columns: Counter = Counter()
    columns: Counter = Counter()
    both: Counter = Counter()
    for name, own in found.items():
        known = [(column, place) for column, place in zip(truth[name], own) if column != UNKNOWN]
        true_columns.update(column for column, _ in known)
        columns.update(place for _, place in known)
        both.update(known)
    right, judged = pairs(both), pairs(true_columns)
    return Errors(pairs(columns) - right, judged - right, judged)


def columns_of_rows(path: Path) -> dict[str, list[int]]:
    """Of each row of an aligned FASTA file."""
    return {forward_name(header): [c for c, letter in enumerate(row) if letter not in "-."]
            for header, row in read_fasta(path)}


def kept_by_accord(rows: Path, left_out: Path) -> dict[str, list[int]]:
    """Of each base of the new sequences the base of the reference, from --keep-columns."""
    columns = columns_of_rows(rows)
    columns.pop(REFERENCE)
    lost: dict[str, list[tuple[int, int]]] = {}
    with open(left_out, encoding="ascii", newline="") as file:
        for line in csv.DictReader(file, delimiter="\t"):
            lost.setdefault(forward_name(line["sequence"]), []).append(
                (int(line["first"]) - 1, int(line["last"])))
    for name, stretches in lost.items():
        for first, last in sorted(stretches):
            columns[name][first:first] = [NOWHERE] * (last - first)
    return columns


def kept_by_mafft(path: Path) -> dict[str, list[int]]:
    """The same from the file of --mapout: letter, place in the sequence, place in the reference."""
    found: dict[str, list[int]] = {}
    name = ""
    for line in path.read_text().splitlines():
        if line.startswith(">"):
            name = forward_name(line)
            found[name] = []
        elif not line.startswith("#"):
            place = line.split(",")[2].strip()
            found[name].append(NOWHERE if place == "-" else int(place) - 1)
    return found


def seconds_of(command: str, directory: Path) -> float:
    """User and system seconds of a command, which has to succeed."""
    running = process.Running()
    try:
        ended = process.run(command, directory, 0, running)
    finally:
        running.stop()
    if ended.status != "ok":
        sys.exit(f"error: {command}: {ended.message}")
    return ended.usage.user_s + ended.usage.system_s


def measure(task: str, directory: Path, options: argparse.Namespace,
            truth: dict[str, list[int]]) -> dict[str, tuple[float, Errors]]:
    """Seconds and errors of each program."""
    adds, turned = task == "add", options.reversed > 0
    accord = [options.accord, *(["add", "reference.fa", "new.fa", "--keep-columns", "--left-out",
                                 "left.tsv"] if adds else ["all.fa"]),
              "-o", "accord.fa", "-j", "1", "-d", "none", *["--adjust-direction"] * turned]
    mafft = ["mafft", "--quiet", "--thread", "1", *["--adjustdirection"] * turned,
             *(["--6merpair", "--keeplength", "--mapout", "--addfragments", "new.fa",
                "reference.fa"] if adds else ["--retree", "1", "all.fa"])]
    commands = {"accord": shlex.join(accord), "mafft": f"{shlex.join(mafft)} > mafft.fa"}
    measured = {}
    for name in options.programs.split(","):
        seconds = seconds_of(commands[name], directory)
        if not adds:
            errors = judge_family(truth, columns_of_rows(directory / f"{name}.fa"))
        elif name == "accord":
            errors = judge_added(truth, kept_by_accord(directory / "accord.fa",
                                                       directory / "left.tsv"))
        else:
            errors = judge_added(truth, kept_by_mafft(directory / "new.fa.map"))
        measured[name] = (seconds, errors)
    return measured


def main() -> None:
    """See above."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory", metavar="DIR", type=Path)
    parser.add_argument("task", choices=["add", "align"])
    parser.add_argument("--n", type=int, default=200, help="genomes beside the reference (200)")
    parser.add_argument("--length", type=int, default=30_000)
    parser.add_argument("--identity", type=float, default=.995, help="of two of them (.995)")
    parser.add_argument("--indel-rate", type=float, default=.05, help="for a substitution (.05)")
    parser.add_argument("--max-indel", type=int, default=60)
    parser.add_argument("--runs", type=int, default=3, help="of N in a genome, on average (3)")
    parser.add_argument("--run-length", type=int, default=300, help="on average (300)")
    parser.add_argument("--cut", type=int, default=200, help="bases that an end lacks, at most")
    parser.add_argument("--reversed", type=float, default=0, help="share of the genomes (0)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--programs", default="accord,mafft")
    parser.add_argument("--accord", default=str(ROOT / "build" / "accord"))
    options = parser.parse_args()
    options.directory.mkdir(parents=True, exist_ok=True)
    if not (options.directory / "columns.json").exists():
        write_inputs(options.directory, options)
    truth = json.loads((options.directory / "columns.json").read_text())
    measured = measure(options.task, options.directory, options, truth)
    for name, (seconds, errors) in measured.items():
        million = 1e6 / max(1, errors.judged)
        print(f"{name:6s} {seconds:7.1f} CPU s, of a million pairs {errors.wrong * million:.0f} "
              f"wrong, {errors.missed * million:.0f} missed")


if __name__ == "__main__":
    main()
