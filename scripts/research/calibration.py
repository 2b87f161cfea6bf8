#!/usr/bin/env python3
"""Is accord's confidence calibrated? Simulates families whose true alignment is known, aligns them,
and compares the confidence of residues and columns with the share of their aligned pairs that are
right: a reliability table, and the expected calibration error (ECE), the mean distance between
confidence and share over ten bins, weighted by pairs (Naeini et al. 2015, AAAI 29:2901).

  scripts/research/calibration.py [--accord FILE] [--families N] [--seed SEED] [--args '...']
                                 [--references DIR] [--plot F.svg]

The families are drawn at random (number, length, identity, indels, extensions, repeats, type), so
that other seeds are other families. With --references they are real ones instead: DIR/in has the
sequences, DIR/ref aligned FASTA files of the same names, whose capital letters are judged; of the
sorted names N are taken, at even distances. Standard library only.
"""
import argparse
import random
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SIMULATOR = Path(__file__).resolve().parent / "simulate_family.py"
BINS = 10
Cell = tuple[float, int, int]  # confidence, pairs, right pairs
Columns = dict[tuple[str, int], int]  # column of each (name, residue number from 1)


def family_options(rng: random.Random) -> list[str]:
    """Options of simulate_family.py for a family drawn at random."""
    is_protein = rng.random() < 0.75
    identity = rng.uniform(0.18, 0.7) if is_protein else rng.uniform(0.45, 0.85)
    options = ["--seed", str(rng.randrange(10**9)), "--n", str(rng.randint(3, 24)),
               "--length", str(rng.randint(40, 250)), "--identity", f"{identity:.3f}",
               "--max-indel", str(rng.choice([10, 20, 40, 80])),
               "--type", "protein" if is_protein else rng.choice(["dna", "rna"])]
    if rng.random() < 0.2:
        options += ["--extend", str(rng.randint(10, 100))]
    if rng.random() < 0.1:
        options += ["--repeat", str(rng.randint(2, 4))]
    return options


def true_columns(path: Path) -> Columns:
    """Columns of the capital letters of an aligned FASTA file."""
    columns: Columns = {}
    name, at, residue = "", 0, 0
    for line in path.read_text().splitlines():
        if line.startswith(">"):
            name, at, residue = line[1:].split()[0], 0, 0
            continue
        for letter in line:
            if letter not in "-.":
                residue += 1
                if letter.isupper():
                    columns[name, residue] = at
            at += 1
    return columns


def read_cells(path: Path, truth: Columns) -> dict[str, list[Cell]]:
    """Confidence and right pairs of every residue and column, among those with a true column."""
    cells: dict[str, list[Cell]] = {"residue": [], "column": []}
    column: list[tuple[float, int]] = []  # confidence of each residue, its true column

    def finish(confidence: float) -> None:
        count: dict[int, int] = {}
        for _, true in column:
            count[true] = count.get(true, 0) + 1
        pairs = len(column) * (len(column) - 1) // 2
        if pairs == 0:
            return
        for own, true in column:
            cells["residue"].append((own, len(column) - 1, count[true] - 1))
        cells["column"].append((confidence, pairs, sum(k * (k - 1) // 2 for k in count.values())))

    confidence = 0.0
    for line in path.read_text().splitlines()[1:]:
        level, _, name, residue, _, _, value = line.split("\t")
        if level == "column":
            finish(confidence)
            column, confidence = [], 0.0 if value == "NA" else float(value)
        elif (name, int(residue)) in truth:
            column.append((float(value), truth[name, int(residue)]))
    finish(confidence)
    return cells


def reliability(cells: list[Cell]) -> tuple[list[tuple[int, float, float]], float]:
    """Of each bin: pairs, mean confidence, share right; and the ECE."""
    pairs, confidence, right = [0] * BINS, [0.0] * BINS, [0] * BINS
    for value, count, correct in cells:
        k = min(int(value * BINS), BINS - 1)
        pairs[k] += count
        confidence[k] += value * count
        right[k] += correct
    rows = [(n, c / n, r / n) for n, c, r in zip(pairs, confidence, right) if n > 0]
    return rows, sum(n * abs(c - r) for n, c, r in rows) / max(1, sum(pairs))


def simulated_families(count: int, seed: int, directory: Path) -> Iterator[tuple[Path, Path]]:
    """Sequences and true alignment of families drawn at random; the next replaces the last."""
    rng = random.Random(seed)
    for _ in range(count):
        subprocess.run([sys.executable, str(SIMULATOR), "--out",
                        str(directory / "family")] + family_options(rng), check=True,
                       stdout=subprocess.DEVNULL)
        yield directory / "family.fa", directory / "family.true.fa"


def given_families(directory: Path, count: int) -> list[tuple[Path, Path]]:
    """`count` of the families of DIR/in and DIR/ref, or all if there are no more."""
    names = sorted(path.name for path in (directory / "ref").iterdir())
    count = min(count, len(names))
    chosen = [names[k * len(names) // count] for k in range(count)]
    return [(directory / "in" / name, directory / "ref" / name) for name in chosen]


def plot(tables: dict[str, list[tuple[int, float, float]]], path: Path) -> None:
    """The reliability diagram as SVG: share right over confidence."""
    size, edge = 320, 40
    def place(x, y):
        return (edge + x * size, edge + (1 - y) * size)
    svg = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{size + 2 * edge}" '
           f'height="{size + 2 * edge}" font-family="sans-serif" font-size="12">',
           f'<rect x="{edge}" y="{edge}" width="{size}" height="{size}" fill="none" '
           f'stroke="#888"/>',
           f'<path d="M{edge},{edge + size}L{edge + size},{edge}" stroke="#bbb"/>']
    for (level, rows), colour in zip(tables.items(), ["#1f77b4", "#d62728"]):
        points = [place(c, r) for _, c, r in rows]
        svg.append(f'<polyline fill="none" stroke="{colour}" points="' +
                   " ".join(f"{x:.1f},{y:.1f}" for x, y in points) + '"/>')
        svg += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in points]
        svg.append(f'<text x="{edge + 8}" y="{edge + 16 + 16 * (colour != "#1f77b4")}" '
                   f'fill="{colour}">{level}s</text>')
    svg += [f'<text x="{edge + size / 2 - 30}" y="{size + 2 * edge - 12}">confidence</text>',
            f'<text x="12" y="{edge - 12}">share of aligned pairs that are right</text>', "</svg>"]
    path.write_text("\n".join(svg) + "\n")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--accord", default=str(ROOT / "build" / "accord"))
    parser.add_argument("--families", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--args", default="--device none -q", help="more arguments for accord")
    parser.add_argument("--references", type=Path, metavar="DIR", help="real families of DIR")
    parser.add_argument("--plot", type=Path, metavar="FILE.svg")
    options = parser.parse_args()
    cells: dict[str, list[Cell]] = {"residue": [], "column": []}
    with tempfile.TemporaryDirectory() as directory:
        tsv = Path(directory) / "confidence.tsv"
        families: Iterable[tuple[Path, Path]] = (
            given_families(options.references, options.families) if options.references
            else simulated_families(options.families, options.seed, Path(directory)))
        for sequences, truth in families:
            subprocess.run([options.accord, str(sequences), "--confidence", str(tsv), "-o",
                            "/dev/null"] + shlex.split(options.args), check=True)
            for level, found in read_cells(tsv, true_columns(truth)).items():
                cells[level] += found
    tables = {}
    for level, found in cells.items():
        tables[level], error = reliability(found)
        total = sum(n for _, n, _ in found)
        print(f"{level}s: {len(found)}, pairs {total}, mean confidence "
              f"{sum(v * n for v, n, _ in found) / total:.4f}, share right "
              f"{sum(r for _, _, r in found) / total:.4f}, ECE {error:.4f}")
        print("  pairs       confidence  right")
        for n, confidence, right in tables[level]:
            print(f"  {n:<10}  {confidence:.3f}       {right:.3f}")
    if options.plot:
        plot(tables, options.plot)
    return 0


if __name__ == "__main__":
    sys.exit(main())
