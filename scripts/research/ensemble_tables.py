#!/usr/bin/env python3
"""Prints tables (Markdown) of what ensemble_trees.py measured: distances to the true trees, how
right the branches are that more replicates have, and how right the columns are.

  scripts/research/ensemble_tables.py OUT

The area under the curve (AUC) is the chance that a right branch or column has the larger value than
a wrong one. Standard library only.
"""
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

# pylint: disable=wrong-import-position
from benchmark.paired import compare  # noqa: E402

BINS = 10
NAMES = {"accord": "`accord align`", "true": "true alignment", "linsi": "MAFFT L-INS-i",
         "fftns2": "MAFFT FFT-NS-2", "muscle": "MUSCLE 5", "best": "best replicate",
         "consensus": "consensus of 16 trees",
         "bootstraps": "consensus of 16 bootstrap trees", "concatenated": "concatenated replicates",
         "weighted": "weighted columns", "trimmed": "`trim`",
         "trimmed .3": "`trim --min-confidence .3`",
         "trimmed .7": "`trim --min-confidence .7`", "others": "mean of the 15 other replicates"}


def lines(path: Path) -> list[list[str]]:
    """The fields of a table."""
    return [line.split("\t") for line in path.read_text(encoding="ascii").splitlines()]


def mean(values: Sequence[float]) -> float:
    return sum(values) / max(1, len(values))


def area(values: Sequence[float], right: Sequence[bool]) -> float:
    """The AUC, ties counted half."""
    order = sorted(range(len(values)), key=lambda i: values[i])
    total, start = 0.0, 0
    while start < len(order):
        end = start
        while end < len(order) and values[order[end]] == values[order[start]]:
            end += 1
        total += sum(right[i] for i in order[start:end]) * (start + 1 + end) / 2
        start = end
    positive = sum(right)
    negative = len(right) - positive
    return (total - positive * (positive + 1) / 2) / max(1, positive * negative)


def print_trees(directory: Path) -> None:
    """A table for each program: distances, and the comparison with 'accord align'."""
    distance: dict[tuple[str, str], dict[str, float]] = {}
    seconds: dict[tuple[str, str], dict[str, float]] = {}
    height: dict[str, str] = {}
    for family, its_height, what, program, value, time, _, _ in lines(directory / "trees.tsv"):
        if value != "NA":
            height[family] = its_height
            distance.setdefault((program, what), {})[family] = float(value)
            seconds.setdefault((program, what), {})[family] = float(time)
    for family in height:
        others = [values[family] for (program, what), values in distance.items()
                  if program == "FastTree" and what.startswith("p") and family in values]
        if len(others) == 15:
            distance.setdefault(("FastTree", "others"), {})[family] = mean(others)
    heights = sorted(set(height.values()), key=float)
    for program in ("FastTree", "IQ-TREE", "RAxML"):
        if (program, "accord") not in distance:
            continue
        base = distance[program, "accord"]
        print(f"\n{program}\n\n| alignment | families | distance | `accord align` | " +
              " | ".join(heights) + " | better, worse | p | seconds |")
        print("|---" * (7 + len(heights)) + "|---|")
        shown = [(what, values) for (its, what), values in distance.items()
                 if its == program and what in NAMES]
        for what, values in sorted(shown, key=lambda one: mean(list(one[1].values()))):
            both = [family for family in values if family in base]
            paired = compare([-values[family] for family in both],
                             [-base[family] for family in both])
            by_height = " | ".join(f"{mean([values[f] for f in both if height[f] == h]):.4f}"
                                   for h in heights)
            time = mean([seconds.get((program, what), {}).get(f, 0.0) for f in both])
            print(f"| {NAMES[what]} | {len(both)} | {mean([values[f] for f in both]):.4f} | "
                  f"{mean([base[f] for f in both]):.4f} | {by_height} | {paired.better}, "
                  f"{paired.worse} | {paired.p_value:.2g} | {time:.1f} |")


def print_times(directory: Path) -> None:
    """Mean CPU seconds of each alignment."""
    found: dict[str, list[float]] = {}
    for _, what, seconds in lines(directory / "times.tsv"):
        found.setdefault(what, []).append(float(seconds))
    print("\n| made | CPU seconds for a family |\n|---|---|")
    for what, values in found.items():
        print(f"| {NAMES.get(what, what)} | {mean(values):.2f} |")


def print_branches(directory: Path) -> None:
    """The branches of the tree of 'accord align', by the share of the trees that have them."""
    rows = [(float(share), float(support), right == "1")
            for _, _, support, share, right in lines(directory / "splits.tsv")]
    print("\n| trees that have the branch | branches | right | support below .9: branches | right |"
          "\n|---|---|---|---|---|")
    limits = [0.0, 0.25, 0.5, 0.75, 0.99, 1.01]
    for low, high in zip(limits, limits[1:]):
        part = [row for row in rows if low <= row[0] < high]
        unsure = [row for row in part if row[1] < 0.9]
        print(f"| {low:.2f} to {min(1.0, high):.2f} | {len(part)} | "
              f"{mean([row[2] for row in part]):.3f} | {len(unsure)} | "
              f"{mean([row[2] for row in unsure]):.3f} |")
    right = [row[2] for row in rows]
    for what, values in (("share of trees", [row[0] for row in rows]),
                         ("support of FastTree", [row[1] for row in rows]),
                         ("mean of both", [(row[0] + row[1]) / 2 for row in rows]),
                         ("the smaller one", [min(row[0], row[1]) for row in rows])):
        print(f"AUC of branches, {what}: {area(values, right):.3f}")


def print_columns(directory: Path) -> None:
    """How right the columns of 'accord align' are, by confidence and by share of replicates."""
    rows = [(float(confidence), float(share), int(pairs), int(good), whole == "1")
            for _, _, confidence, share, pairs, good, whole in lines(directory / "columns.tsv")]
    for at, name in ((0, "confidence"), (1, "share of replicates")):
        print(f"\n| {name} | columns | mean | pairs right | columns of the true alignment |"
              "\n|---|---|---|---|---|")
        for k in range(BINS):
            part = [row for row in rows if min(int(row[at] * BINS), BINS - 1) == k]
            if part:
                pairs = max(1, sum(row[2] for row in part))
                print(f"| {k / BINS:.1f} to {(k + 1) / BINS:.1f} | {len(part)} | "
                      f"{mean([row[at] for row in part]):.3f} | "
                      f"{sum(row[3] for row in part) / pairs:.3f} | "
                      f"{mean([row[4] for row in part]):.3f} |")
    total = sum(row[2] for row in rows)
    print(f"\nof all pairs: mean confidence {sum(r[0] * r[2] for r in rows) / total:.3f}, right "
          f"{sum(r[3] for r in rows) / total:.3f}")
    for what, right in (("of the true alignment", [row[4] for row in rows]),
                        ("all pairs right", [row[2] == row[3] for row in rows])):
        for at, name in ((0, "confidence"), (1, "share of replicates")):
            print(f"AUC of columns, {what}, {name}: {area([row[at] for row in rows], right):.3f}")


def main() -> int:
    """Prints all tables for which there are results."""
    if len(sys.argv) != 2 or sys.argv[1] in ("-h", "--help"):
        print("usage: ensemble_tables.py OUT\n\n" + (__doc__ or ""))
        return 0 if sys.argv[1:] in (["-h"], ["--help"]) else 2
    directory = Path(sys.argv[1])
    for table, print_table in (("trees.tsv", print_trees), ("times.tsv", print_times),
                               ("splits.tsv", print_branches), ("columns.tsv", print_columns)):
        if (directory / table).exists():
            print_table(directory)
    return 0


if __name__ == "__main__":
    sys.exit(main())
