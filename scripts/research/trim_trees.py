#!/usr/bin/env python3
"""Which columns should a tree be made of? Simulates families down random trees, aligns them, trims
the alignments in several ways, makes a tree of each (FastTree, LG), and compares it with the true
one: the share of the true splits that it does not have (Robinson & Foulds 1981).

  scripts/research/trim_trees.py [--accord FILE] [--families N] [--seed SEED] [--trim 'OPTIONS']...

Tried are no trimming, the default of 'accord trim', trimAl's automated1 (Capella-Gutierrez et al.
2009) where Python has pytrimal, and options of 'accord trim': those of each --trim, else the usual
ones. --table FILE gets a line for each tree. Needs FastTree.
"""
import argparse
import random
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Optional

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
sys.path.insert(0, str(Path(__file__).resolve().parent))

# pylint: disable=wrong-import-position
import simulate_family  # noqa: E402
from benchmark.paired import compare  # noqa: E402
from simulation.model import Dice, protein_model  # noqa: E402
from simulation.tree import Node, birth_death_tree, newick_tree, scaled  # noqa: E402

Split = frozenset[str]
NOTHING, DEFAULT, TRIMAL = "nothing", "default", "trimAl automated1"
USUAL = ["--max-gaps 0.5", "--max-gaps 0.8", "--max-gaps 0.95", "--min-confidence 0.1",
         "--min-confidence 0.3"]


def newick(nodes: list[Node]) -> str:
    """A Newick text of nodes."""
    children: dict[int, list[int]] = {}
    for k, node in enumerate(nodes[1:], 1):
        children.setdefault(node.parent, []).append(k)
    texts: dict[int, str] = {}
    for k in range(len(nodes) - 1, -1, -1):  # parents stand before children
        inner = ",".join(texts[child] for child in children.get(k, []))
        texts[k] = (f"({inner})" if inner else nodes[k].name) + f":{nodes[k].length:.6f}"
    return texts[0].rsplit(":", 1)[0] + ";\n"


def splits(nodes: list[Node]) -> set[Split]:
    """The inner splits of a tree without a root, each by its side without the first leaf."""
    below: list[set[str]] = [set() for _ in nodes]
    for k in range(len(nodes) - 1, -1, -1):
        if not below[k]:
            below[k] = {nodes[k].name}
        if nodes[k].parent >= 0:
            below[nodes[k].parent] |= below[k]
    leaves = below[0]
    first = min(leaves)
    sides = [leaves - side if first in side else side for side in below[1:]]
    return {frozenset(side) for side in sides if 1 < len(side) < len(leaves) - 1}


def without_support(text: str) -> str:
    """FastTree names inner nodes by their support; leaves alone have names here."""
    parts = text.split(")")
    rest = [part[min(at for at in (part.find(c) for c in ":,;") if at >= 0):]
            for part in parts[1:]]
    return ")".join([parts[0], *rest])


def tree_distance(alignment: Path, true: set[Split]) -> float:
    """The share of the true splits that the tree of an alignment does not have."""
    newick = subprocess.run(["fasttree", "-quiet", "-nopr", "-lg", str(alignment)],
                          capture_output=True, text=True, check=True).stdout
    found = splits(newick_tree(without_support(newick)))
    return len(true - found) / len(true)


def simulate(directory: Path, rng: random.Random) -> set[Split]:
    """A family in DIRECTORY/family.fa; its true splits."""
    dice, model = Dice(rng.randrange(10**9)), protein_model()
    identity = rng.uniform(0.18, 0.45)
    nodes = scaled(birth_death_tree(dice, rng.randint(12, 28), 0.3), None, identity, model)
    (directory / "true.nwk").write_text(newick(nodes), encoding="ascii")
    options = simulate_family.arguments(
        ["--newick", str(directory / "true.nwk"), "--out", str(directory / "family"), "--seed",
         str(rng.randrange(10**9)), "--length", str(rng.randint(80, 250)), "--max-indel",
         str(rng.choice([10, 30, 60])), "--indel-rate", f"{rng.uniform(0.02, 0.06):.3f}",
         "--extend", str(rng.choice([0, 0, 40]) or 0)])
    simulate_family.write_fasta(
        str(directory / "family.fa"),
        [(name, text) for name, text, _ in simulate_family.simulate(options)])
    return splits(nodes)


def columns_of(path: Path) -> int:
    """Columns of an aligned FASTA file."""
    return len("".join(path.read_text(encoding="utf-8").split(">")[1].split("\n")[1:]))


def trimal(source: Path, target: Path) -> bool:
    """Trims by trimAl's automated1; False if it is not here."""
    try:
        import pytrimal  # pylint: disable=import-outside-toplevel
    except ImportError:
        return False
    trimmed = pytrimal.AutomaticTrimmer("automated1").trim(pytrimal.Alignment.load(str(source)))
    trimmed.dump(str(target), "fasta")
    return True


def trimmed_by(variant: str, accord: str, whole: Path, part: Path) -> Optional[Path]:
    """Where the alignment is that VARIANT makes of `whole`; None if that cannot be made here."""
    if variant == NOTHING:
        return whole
    if variant == TRIMAL:
        return part if trimal(whole, part) else None
    subprocess.run([accord, "trim", str(whole), "-q", "--device", "none", "-o", str(part),
                    *shlex.split("" if variant == DEFAULT else variant)], check=True)
    return part


def measure(options: argparse.Namespace, variants: list[str]) -> "dict[str, list[list[float]]]":
    """Of each way to trim, distances and shares of columns that are kept, family by family."""
    rng = random.Random(options.seed)
    found: dict[str, list[list[float]]] = {}
    with tempfile.TemporaryDirectory() as scratch:
        directory = Path(scratch)
        whole, part = directory / "whole.fa", directory / "part.fa"
        for number in range(options.families):
            true = simulate(directory, rng)
            subprocess.run([options.accord, str(directory / "family.fa"), "-q", "--device", "none",
                            "-o", str(whole)], check=True)
            known: dict[bytes, float] = {}  # several ways may keep the same columns
            for variant in variants:
                source = trimmed_by(variant, options.accord, whole, part)
                if source is None:
                    continue
                kept, rows = columns_of(source) / columns_of(whole), source.read_bytes()
                if rows not in known:
                    # Nothing left is no tree: none of its splits is there.
                    known[rows] = tree_distance(source, true) if kept > 0 else 1.0
                found.setdefault(variant, []).append([known[rows], kept])
                if options.table:
                    print(number + 1, variant, f"{known[rows]:.6f}\t{kept:.6f}", sep="\t",
                          file=options.table, flush=True)
            print(f"family {number + 1} of {options.families}", file=sys.stderr, flush=True)
    return found


def compared(ours: "list[list[float]]", theirs: "list[list[float]]") -> str:
    """Two cells of the table: on how many families the tree is better or worse, and p."""
    paired = compare([-distance for distance, _ in ours], [-distance for distance, _ in theirs])
    return f" {paired.better} better, {paired.worse} worse | {paired.p_value:.2g} |"


def main() -> int:
    """Runs the study and prints a table (Markdown)."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--accord", default=str(ROOT / "build" / "accord"))
    parser.add_argument("--families", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--trim", action="append", metavar="OPTIONS")
    parser.add_argument("--table", type=argparse.FileType("w"), metavar="FILE")
    options = parser.parse_args()
    if not shutil.which("fasttree"):
        parser.error("needs FastTree on PATH")
    found = measure(options, [NOTHING, DEFAULT, TRIMAL, *(options.trim or USUAL)])
    others = [other for other in (NOTHING, TRIMAL) if other in found]
    print("| trimmed by | columns kept | true splits missed |" +
          "".join(f" against {other} | p |" for other in others))
    print("|---|---|---|" + "---|---|" * len(others))
    for variant, values in sorted(found.items(), key=lambda item: sum(d for d, _ in item[1])):
        kept, missed = statistics.mean(k for _, k in values), statistics.mean(d for d, _ in values)
        print(f"| {variant} | {kept:.2f} | {missed:.4f} |" +
              "".join(compared(values, found[other]) for other in others))
    return 0


if __name__ == "__main__":
    sys.exit(main())
