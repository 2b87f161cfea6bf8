#!/usr/bin/env python3
"""How much do tracks help? Aligns the families of a set with their tracks and without them, and
prints the mean SP and TC, the differences from without, and Wilcoxon's p.

  scripts/research/track_accuracy.py DIR TRACKS [--half HALF] [--full FAMILIES.tsv]
                                     [--accord FILE] [--conditions WORD...] [--table TABLE]
                                     [--identity FROM TO] [-- OPTION...]

DIR has in/ and ref/, TRACKS a FASTA file of letters of a table (mu) for each family. --half takes
the families
that scripts/benchmark/halves.tsv has in this half. --full takes those whose column `full` of a
table says yes, --identity those of BRAliBase whose identity (apsi) is from FROM to below TO.
Conditions: plain, unknown (all letters ?), shuffle (the known letters of each
sequence in a random order), exchange:X (a share X of them), ss3 (secondary structure alone), hide
(no track for every other sequence). OPTIONs go to accord where it has tracks.
"""
import argparse
import csv
import json
import random
import re
import statistics
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
MU = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghij"
UNKNOWN = "?"
RNA_TABLE = ROOT / "datasets" / "parameters" / "track_rna.tsv"
# Brackets whose pairs an exchange breaks are letters of a file, which accord does not pair.
PLAIN = str.maketrans("().", "LRU")

# pylint: disable=wrong-import-position
from benchmark.datasets import read_fasta  # noqa: E402
from benchmark.measured import HALVES  # noqa: E402
from benchmark.paired import compare  # noqa: E402


class Result(NamedTuple):
    """Of one family."""

    sp: float
    tc: float
    weight: float  # of the tracks


def exchanged(track: str, share: float, rng: random.Random) -> str:
    """The track with a share of its known letters in a random order."""
    known = [i for i, letter in enumerate(track) if letter != UNKNOWN]
    places = rng.sample(known, round(len(known) * share))
    order = places[:]
    rng.shuffle(order)
    letters = list(track)
    for i, j in zip(places, order):
        letters[i] = track[j]
    return "".join(letters)


def plain_table() -> str:
    """The table rna with letters for brackets."""
    lines = RNA_TABLE.read_text().splitlines(keepends=True)
    return "".join(line if line[0] == "#" else line.translate(PLAIN) if line[0] == "\t"
                   else line[0].translate(PLAIN) + line[1:] for line in lines)


def changed(tracks: "list[tuple[str, str]]", condition: str, seed: str) -> "list[tuple[str, str]]":
    """The tracks of a family under a condition."""
    rng = random.Random(seed)
    kind, _, share = condition.partition(":")
    if kind == "unknown":
        return [(name, UNKNOWN * len(track)) for name, track in tracks]
    if kind == "hide":
        return tracks[::2]
    if kind == "ss3":
        return [(name, "".join(letter if letter == UNKNOWN else "HEC"[MU.index(letter) % 3]
                               for letter in track)) for name, track in tracks]
    if kind in ("shuffle", "exchange"):
        return [(name, exchanged(track, float(share or 1), rng)) for name, track in tracks]
    return tracks


def align(family: Path, reference: Path, tracks: "Path | None", condition: str,
          arguments: argparse.Namespace) -> Result:
    """Aligns a family and scores it; without tracks if there is no condition."""
    with tempfile.TemporaryDirectory() as folder:
        out, report = Path(folder, "out.fa"), Path(folder, "report.json")
        program = arguments.accord
        line = [program, str(family), "-q", "-j", "1", "-o", str(out), "--report", str(report)]
        if condition and tracks:
            path = Path(folder, "track.fa")
            letters = [(header[1:].split()[0], track) for header, track in read_fasta(tracks)]
            table = "ss3" if condition == "ss3" else arguments.table
            if table == "rna":
                letters = [(name, track.translate(PLAIN)) for name, track in letters]
                table = str(Path(folder, "rna.tsv"))
                Path(table).write_text(plain_table())
            path.write_text("".join(f">{name}\n{track}\n" for name, track
                                    in changed(letters, condition, family.name)))
            line += ["--track", str(path), "--track-matrix", table, *arguments.options]
        subprocess.run(line, check=True)
        scored = subprocess.run([program, "score", str(out), str(reference), "-f", "json"],
                                check=True, capture_output=True, text=True)
        score, track = json.loads(scored.stdout), json.loads(report.read_text())["track"]
        return Result(score["SP"], score["TC"], track["weight"] if track else 0.0)


def families_of(arguments: argparse.Namespace) -> "list[str]":
    """The names of the families that are measured."""
    names = [path.name for path in sorted(arguments.tracks.iterdir())
             if (arguments.directory / "ref" / path.name).exists()]
    group = arguments.directory.name
    if arguments.half:
        with HALVES.open(encoding="utf-8") as table:
            of_half = {row["family"] for row in csv.DictReader(table, delimiter="\t")
                       if (row["set"], row["half"]) == (group, arguments.half)}
        names = [name for name in names if name in of_half]
    if arguments.full:
        with arguments.full.open(encoding="utf-8") as table:
            full = {row["family"] for row in csv.DictReader(table, delimiter="\t")
                    if (row["set"], row["full"]) == (group, "yes")}
        names = [name for name in names if name in full]
    if arguments.identity:
        least, most = arguments.identity
        names = [name for name in names if least <= identity(name) < most]
    return names


def identity(name: str) -> int:
    """The mean identity of a family of BRAliBase, which its name has, in per cent."""
    found = re.search(r"apsi-(\d+)", name)
    return int(found[1]) if found else 0


def main() -> None:
    """See the top of the file."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory", type=Path)
    parser.add_argument("tracks", type=Path)
    parser.add_argument("--half")
    parser.add_argument("--full", type=Path)
    parser.add_argument("--accord", default=str(ROOT / "build" / "accord"))
    parser.add_argument("--conditions", nargs="+",
                        default=["plain", "ss3", "hide", "exchange:0.3", "shuffle", "unknown"])
    parser.add_argument("--table", default="mu")
    parser.add_argument("--identity", nargs=2, type=int)
    parser.add_argument("options", nargs="*")
    arguments = parser.parse_args()
    names = families_of(arguments)
    without: list[Result] = []
    print("condition\tfamilies\tSP\tTC\tdSP\tp\tdTC\tp\tweight")
    for condition in ["", *arguments.conditions]:
        def one(name: str, condition: str = condition) -> Result:
            return align(arguments.directory / "in" / name, arguments.directory / "ref" / name,
                         arguments.tracks / name, condition, arguments)
        with ThreadPoolExecutor(2) as pool:
            found = list(pool.map(one, names))
        without = without or found
        cells = [condition or "none", str(len(names))]
        cells += [f"{statistics.mean(values):.4f}"
                  for values in ([r.sp for r in found], [r.tc for r in found])]
        for field in ("sp", "tc"):
            after = [getattr(r, field) for r in found]
            before = [getattr(r, field) for r in without]
            change = compare(after, before)
            cells += [f"{change.mean_difference:+.4f}", f"{change.p_value:.1g}"]
        cells.append(f"{statistics.mean(r.weight for r in found):.2f}")
        print("\t".join(cells), flush=True)


if __name__ == "__main__":
    main()
