#!/usr/bin/env python3
"""How good are the replicates of `accord ensemble`, and are the columns that most of them have
right? Aligns families of BAliBASE 3, and compares every replicate with the core columns of the
reference: the mean SP and TC of the first replicate, which is that of `accord align`, and of the
others; the dispersion; and for columns of the first replicate, by the share of replicates that
have them, how many are right: all residues of core columns are in one column of the reference.

  scripts/research/ensembles.py [--accord FILE] [--data DIR] [--half training] [--families N]
                                [--group RV11,...] [--args '-n 16']

Of the sorted names of a half (scripts/benchmark/halves.tsv) N are taken, at even distances.
Standard library only.
"""
import argparse
import json
import shlex
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BINS = (0.0, 0.25, 0.5, 0.75, 0.95, 1.01)  # of the share of replicates; the last one: all
Columns = dict[tuple[str, int], int]  # the core column of each (name, number of a residue)


def families(data: Path, half: str, groups: list[str], count: int) -> list[Path]:
    """The paths, without suffix, of `count` families."""
    found = []
    for line in (ROOT / "scripts" / "benchmark" / "halves.tsv").read_text().splitlines():
        name_of_set, group, family, which = line.split("\t")
        if name_of_set == "balibase3" and which == half and group in groups:
            found.append(data / group / family)
    found.sort()
    count = min(count, len(found))
    return [found[k * len(found) // count] for k in range(count)]


def core_columns(path: Path) -> Columns:
    """The core columns of a reference."""
    root = ET.parse(path).getroot()
    core = [int(word) > 0 for word in (root.findtext(".//colsco-data") or "").split()]
    columns: Columns = {}
    for sequence in root.iter("sequence"):
        name = (sequence.findtext("seq-name") or "").strip()
        residue = 0
        for at, letter in enumerate("".join((sequence.findtext("seq-data") or "").split())):
            if letter in "-.":
                continue
            if core[at]:
                columns[name, residue] = at
            residue += 1
    return columns


def judged_columns(alignment: Path, table: Path, truth: Columns) -> list[tuple[float, bool]]:
    """Confidence and rightness of the columns of the first replicate with two core residues."""
    confidence = [float(line.split("\t")[3]) for line in table.read_text().splitlines()
                  if line.startswith("p0.t0\t")]
    found: list[list[int]] = [[] for _ in confidence]
    name, at, residue = "", 0, 0
    for line in alignment.read_text().splitlines():
        if line.startswith(">"):
            name, at, residue = line[1:].split()[0], 0, 0
            continue
        for letter in line:
            if letter != "-":
                if (name, residue) in truth:
                    found[at].append(truth[name, residue])
                residue += 1
            at += 1
    return [(value, len(set(columns)) == 1)
            for value, columns in zip(confidence, found) if len(columns) > 1]


def score(accord: str, alignment: Path, reference: Path) -> tuple[float, float]:
    """SP and TC."""
    done = subprocess.run([accord, "score", str(alignment), str(reference)], check=True,
                          capture_output=True, text=True)
    sp, tc = done.stdout.splitlines()[-1].split("\t")[:2]
    return float(sp), float(tc)


def mean(values: list[float]) -> float:
    return sum(values) / max(1, len(values))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--accord", default=str(ROOT / "build" / "accord"))
    parser.add_argument("--data", type=Path, default=Path("balibase3"))
    parser.add_argument("--half", choices=("training", "test"), default="training")
    parser.add_argument("--families", type=int, default=20)
    parser.add_argument("--group", default="RV11,RV12,RV20,RV30,RV40,RV50")
    parser.add_argument("--args", default="-n 16", help="more arguments for accord ensemble")
    options = parser.parse_args()
    first, others, best, dispersion = [], [], [], []
    columns: list[tuple[float, bool]] = []
    with tempfile.TemporaryDirectory() as directory:
        folder = Path(directory)
        for family in families(options.data, options.half, options.group.split(","),
                               options.families):
            reference = family.with_suffix(".xml")
            subprocess.run([options.accord, "ensemble", str(family.with_suffix(".tfa")), "-q",
                            "-o", directory, "--columns-out", str(folder / "columns.tsv"),
                            "--report", str(folder / "report.json"), "--device", "none"]
                           + shlex.split(options.args), check=True)
            ensemble = json.loads((folder / "report.json").read_text())["ensemble"]
            scores = [score(options.accord, folder / (replicate["name"] + ".afa"), reference)
                      for replicate in ensemble["replicates"]]
            names = [replicate["name"] for replicate in ensemble["replicates"]]
            first.append(scores[0])
            others.append((mean([sp for sp, _ in scores[1:]]), mean([tc for _, tc in scores[1:]])))
            best.append(scores[names.index(ensemble["best"])])
            dispersion.append(ensemble["dispersion"])
            columns += judged_columns(folder / "p0.t0.afa", folder / "columns.tsv",
                                      core_columns(reference))
    print(f"{len(first)} families, mean dispersion {mean(dispersion):.4f}")
    for what, scores in (("first", first), ("others", others), ("best", best)):
        print(f"{what}\tSP {mean([sp for sp, _ in scores]):.4f}\t"
              f"TC {mean([tc for _, tc in scores]):.4f}")
    print("share of replicates\tcolumns\tright")
    for low, high in zip(BINS, BINS[1:]):
        right = [float(is_right) for value, is_right in columns if low <= value < high]
        print(f"{low:.2f}-{min(high, 1):.2f}\t{len(right)}\t{mean(right):.3f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
