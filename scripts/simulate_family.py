#!/usr/bin/env python3
"""Simulates a family of sequences whose true alignment is known.

A root sequence evolves down a tree: residues are substituted by a reversible rate matrix, and
inserted and deleted in pieces whose lengths follow a truncated power law. Every residue carries
the identity of its alignment column, and all columns stand in one global order, so the true
alignment is read off at the end. Writes PREFIX.fa (unaligned) and PREFIX.true.fa (the true
alignment, upper case), and prints one line about the family.

The same options and seed give the same bytes on every Python from 3.9 on, hence fsum: sum() of
floats rounds differently since 3.12. Standard library only.

Rates: proteins use Q = log(P) of the conditional probabilities P(b|a) = p(a,b) / q(a) of
datasets/parameters/protein_pairs.tsv, with negative off-diagonal rates set to 0; nucleotides use
HKY (Hasegawa et al. 1985; Jukes-Cantor with --kappa 1 --gc 0.5). Both are scaled to one expected
substitution per site and unit of branch length. Sites evolve at one of four rates, the means of
the quarters of a gamma distribution of shape 1 (Yang 1994), in runs, as conserved motifs do.
"""
import argparse
import functools
import math
import random
import sys
from pathlib import Path
from typing import Callable, Dict, List, NamedTuple, Optional, Sequence as Items, Tuple

TABLE = Path(__file__).resolve().parent.parent / "datasets" / "parameters" / "protein_pairs.tsv"
SITE_RATES = (0.13695, 0.47675, 1.0, 2.38629)  # Yang 1994, gamma of shape 1 in 4 classes
RUN_LENGTH = 6  # mean number of neighbouring sites that share a rate
GAP_EXPONENT = 1.7  # of the power law of indel lengths (Benner et al. 1993)
COPY_DISTANCE = 0.4  # substitutions per site between a repeat unit and its ancestor
AMBIGUOUS = {"protein": {"D": "B", "N": "B", "E": "Z", "Q": "Z", "C": "U"},
             "dna": {"A": "R", "G": "R", "C": "Y", "T": "Y"},
             "rna": {"A": "R", "G": "R", "C": "Y", "U": "Y"}}
HEAD = 0  # the column before all columns

Matrix = List[List[float]]


class Cell(NamedTuple):
    """A residue: its column and its letter as an index into the alphabet."""

    column: int
    letter: int


Sequence = List[Cell]


class Node(NamedTuple):
    """A node of the tree; parents stand before children, the root has parent -1."""

    parent: int
    length: float
    name: str


def eigen(matrix: Matrix) -> Tuple[List[float], Matrix]:
    """Eigenvalues and eigenvectors (as columns) of a symmetric matrix, by Jacobi rotations."""
    n = len(matrix)
    a = [row[:] for row in matrix]
    v = [[float(i == j) for j in range(n)] for i in range(n)]
    for _ in range(60):
        if math.fsum(a[i][j] * a[i][j] for i in range(n) for j in range(i)) < 1e-30:
            break
        for p in range(n):
            for q in range(p + 1, n):
                if abs(a[p][q]) < 1e-300:
                    continue
                theta = (a[q][q] - a[p][p]) / (2 * a[p][q])
                t = math.copysign(1.0, theta) / (abs(theta) + math.sqrt(theta * theta + 1))
                c = 1 / math.sqrt(t * t + 1)
                s = t * c
                for k in range(n):
                    a[k][p], a[k][q] = c * a[k][p] - s * a[k][q], s * a[k][p] + c * a[k][q]
                for k in range(n):
                    a[p][k], a[q][k] = c * a[p][k] - s * a[q][k], s * a[p][k] + c * a[q][k]
                for k in range(n):
                    v[k][p], v[k][q] = c * v[k][p] - s * v[k][q], s * v[k][p] + c * v[k][q]
    return [a[i][i] for i in range(n)], v


class Model:
    """A reversible substitution process at one substitution per unit of time."""

    def __init__(self, letters: str, frequencies: List[float], rates: Matrix) -> None:
        """`rates` off the diagonal in any unit, in detailed balance with `frequencies`."""
        n = len(letters)
        self.letters = letters
        self.frequencies = frequencies
        rates = [[0.0 if a == b else rates[a][b] for b in range(n)] for a in range(n)]
        unit = math.fsum(frequencies[a] * math.fsum(rates[a]) for a in range(n))
        rates = [[rate / unit for rate in row] for row in rates]
        self.leaving = [math.fsum(row) for row in rates]
        self.rates = rates
        root = [math.sqrt(f) for f in frequencies]
        symmetric = [[-self.leaving[a] if a == b else root[a] * rates[a][b] / root[b]
                      for b in range(n)] for a in range(n)]
        self.values, vectors = eigen(symmetric)
        self.weights = [math.fsum(frequencies[a] * vectors[a][k] * vectors[a][k]
                                  for a in range(n)) for k in range(n)]

    def identity(self, time: float) -> float:
        """Expected identity of two sequences this far apart, over all site rates."""
        return math.fsum(w * math.exp(value * time * rate) for rate in SITE_RATES
                         for w, value in zip(self.weights, self.values)) / len(SITE_RATES)


@functools.lru_cache(maxsize=None)
def protein_model() -> Model:
    """The model of datasets/parameters/protein_pairs.tsv."""
    lines = [line.split() for line in TABLE.read_text(encoding="ascii").splitlines()
             if not line.startswith("#")]
    letters, n = "".join(lines[0][1:]), len(lines) - 1
    joint = [[float(lines[max(a, b) + 1][min(a, b) + 1]) for b in range(n)] for a in range(n)]
    q = [math.fsum(row) for row in joint]
    root = [math.sqrt(f) for f in q]
    values, v = eigen([[joint[a][b] / (root[a] * root[b]) for b in range(n)] for a in range(n)])
    logs = [math.log(value) for value in values]
    rates = [[max(0.0, math.fsum(v[a][k] * logs[k] * v[b][k] for k in range(n)))
              * root[b] / root[a] for b in range(n)] for a in range(n)]
    return Model(letters, q, rates)


def nucleotide_model(letters: str, kappa: float, gc: float) -> Model:
    """HKY on "ACGT" or "ACGU": transitions are kappa times as fast as transversions."""
    q = [(1 - gc) / 2, gc / 2, gc / 2, (1 - gc) / 2]
    return Model(letters, q, [[q[b] * (kappa if (a + b) % 2 == 0 else 1.0) for b in range(4)]
                              for a in range(4)])


class Dice:
    """All random choices, made from Random.random() alone so that they never change."""

    def __init__(self, seed: int) -> None:
        """Two runs with one seed make the same choices."""
        self.uniform: Callable[[], float] = random.Random(seed).random

    def below(self, n: int) -> int:
        """One of 0 .. n-1."""
        return int(self.uniform() * n)

    def waiting(self, rate: float) -> float:
        """Exponential time to the next event."""
        return -math.log(1.0 - self.uniform()) / rate

    def pick(self, weights: List[float]) -> int:
        """An index, in proportion to its weight."""
        left = self.uniform() * math.fsum(weights)
        for index, weight in enumerate(weights):
            left -= weight
            if left < 0:
                return index
        return max(index for index, weight in enumerate(weights) if weight > 0)

    def shuffle(self, items: List[int]) -> List[int]:
        """The items in random order (Fisher-Yates)."""
        items = items[:]
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]
        return items


class Columns:
    """The global order of all columns, a linked list that starts at HEAD, and their rates."""

    def __init__(self) -> None:
        """Only HEAD."""
        self.next = [-1]
        self.rate = [1.0]

    def add_after(self, column: int, rate: float) -> int:
        """A new column directly after `column`."""
        self.next.append(self.next[column])
        self.rate.append(rate)
        self.next[column] = len(self.next) - 1
        return len(self.next) - 1

    def order(self) -> List[int]:
        """All columns from left to right."""
        found, column = [], self.next[HEAD]
        while column >= 0:
            found.append(column)
            column = self.next[column]
        return found


class Family:
    """A family while it evolves."""

    def __init__(self, model: Model, dice: Dice, indel_rate: float, max_indel: int) -> None:
        """Columns are empty until a root is made."""
        self.model = model
        self.dice = dice
        self.columns = Columns()
        self.indel_rate = indel_rate
        self.gap_weights = [k ** -GAP_EXPONENT for k in range(1, max_indel + 1)]

    def new_letter(self) -> int:
        """A letter from the stationary distribution."""
        return self.dice.pick(self.model.frequencies)

    def new_rate(self) -> float:
        """One of the four site rates."""
        return SITE_RATES[self.dice.below(len(SITE_RATES))]

    def insert_after(self, column: int, letters: List[int], rate: float) -> Sequence:
        """A piece of sequence in new columns after `column`."""
        piece = []
        for letter in letters:
            column = self.columns.add_after(column, rate)
            piece.append(Cell(column, letter))
        return piece

    def root(self, length: int, copies: int, low_complexity: int) -> List[Sequence]:
        """The root in `copies` repeat units, with a stretch of three letters in its middle."""
        unit: List[Tuple[int, float]] = []
        for _ in range(max(1, length // copies)):
            new_run = not unit or self.dice.below(RUN_LENGTH) == 0
            unit.append((self.new_letter(), self.new_rate() if new_run else unit[-1][1]))
        if low_complexity:
            few = [self.new_letter() for _ in range(3)]
            start = (len(unit) - low_complexity) // 2
            for i in range(max(0, start), min(len(unit), start + low_complexity)):
                unit[i] = few[self.dice.below(3)], SITE_RATES[0]
        units: List[Sequence] = []
        last = HEAD
        for _ in range(copies):
            units.append([])
            for letter, rate in unit:
                last = self.columns.add_after(last, rate)
                time = COPY_DISTANCE * rate if copies > 1 else 0.0
                units[-1].append(Cell(last, self.substitute(letter, time)))
        return units

    def substitute(self, letter: int, time: float) -> int:
        """What a letter has become after some time."""
        time -= self.dice.waiting(self.model.leaving[letter])
        while time > 0:
            letter = self.dice.pick(self.model.rates[letter])
            time -= self.dice.waiting(self.model.leaving[letter])
        return letter

    def evolve(self, parent: Sequence, time: float) -> Sequence:
        """The sequence at the lower end of a branch: insertions and deletions, then
        substitutions. At least one residue is left."""
        cells, left = parent[:], time
        while self.indel_rate > 0:
            places = 2 * len(cells) + 1
            left -= self.dice.waiting(self.indel_rate * places / 2)
            if left <= 0:
                break
            size = 1 + self.dice.pick(self.gap_weights)
            place = self.dice.below(places)
            if place <= len(cells):
                before = cells[place - 1].column if place else HEAD
                cells[place:place] = self.insert_after(
                    before, [self.new_letter() for _ in range(size)], self.new_rate())
            else:
                start = place - len(cells) - 1
                end = min(len(cells), start + size)
                if end - start < len(cells):
                    del cells[start:end]
        rate = self.columns.rate
        return [Cell(c, self.substitute(letter, time * rate[c])) for c, letter in cells]

    def move_to_front(self, leaves: List[Sequence], chosen: List[int], first: int) -> None:
        """In the chosen leaves, moves the domain from column `first` on to the N-terminus. What
        moved is homologous, and in one order, among the chosen only: it gets columns of its own,
        shared by them."""
        order = self.columns.order()
        domain = order[order.index(first):]
        moved: Dict[int, int] = {}
        for column in reversed(domain):
            moved[column] = self.columns.add_after(HEAD, 1.0)
        for leaf in chosen:
            stay = [cell for cell in leaves[leaf] if cell.column not in moved]
            go = [Cell(moved[c], letter) for c, letter in leaves[leaf] if c in moved]
            leaves[leaf] = go + stay

    def extend(self, leaf: Sequence, longest: int) -> Sequence:
        """The leaf with unrelated residues at none, one or both of its ends."""
        for at_start in (True, False):
            if self.dice.below(2):
                letters = [self.new_letter() for _ in range(1 + self.dice.below(longest))]
                last = HEAD if at_start else self.columns.order()[-1]
                piece = self.insert_after(last, letters, 1.0)
                leaf = piece + leaf if at_start else leaf + piece
        return leaf


def birth_death_tree(dice: Dice, n: int, death: float) -> List[Node]:
    """A random tree with n leaves that live at its end: two lineages at the root, births at rate
    1, deaths at rate `death`; branches are stretched by 0.5 to 1.5, so there is no exact clock."""
    if n == 1:
        return [Node(-1, 0.0, "seq1")]
    while True:
        parent, born, ended = [-1, 0, 0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]
        alive, time = [1, 2], 0.0
        while alive:
            time += dice.waiting(len(alive) * (1 + death))
            if len(alive) == n:  # this wait only gives the youngest leaves some length
                break
            node = alive.pop(dice.below(len(alive)))
            ended[node] = time
            if dice.uniform() * (1 + death) >= death:
                for _ in range(2):
                    alive.append(len(parent))
                    parent.append(node)
                    born.append(time)
                    ended.append(time)
        if alive:
            break
    for node in alive:
        ended[node] = time
    kept = [False] * len(parent)
    for node in alive:
        while node >= 0 and not kept[node]:
            kept[node] = True
            node = parent[node]
    number: Dict[int, int] = {-1: -1}
    nodes: List[Node] = []
    names = {node: f"seq{rank + 1}" for rank, node in enumerate(dice.shuffle(alive))}
    for node in range(len(parent)):
        if kept[node]:
            number[node] = len(nodes)
            length = (ended[node] - born[node]) * (0.5 + dice.uniform())
            nodes.append(Node(number[parent[node]], length, names.get(node, "")))
    return nodes


def newick_tree(text: str) -> List[Node]:
    """The nodes of a Newick tree; a missing branch length is 1."""
    nodes, current, i = [Node(-1, 0.0, "")], 0, 0
    while i < len(text) and text[i] != ";":
        if text[i] in "(,":
            above = current if text[i] == "(" else nodes[current].parent
            if above < 0:
                sys.exit("error: --newick: a comma outside of all brackets")
            nodes.append(Node(above, 1.0, ""))
            current, i = len(nodes) - 1, i + 1
        elif text[i] == ")":
            current, i = nodes[current].parent, i + 1
            if current < 0:
                sys.exit("error: --newick: more closing than opening brackets")
        elif text[i].isspace():
            i += 1
        else:
            start = i
            while i < len(text) and text[i] not in "(),;":
                i += 1
            name, _, length = text[start:i].strip().partition(":")
            old = nodes[current]
            nodes[current] = Node(old.parent, float(length) if length else old.length,
                                  name.strip() or old.name)
    if current != 0:
        sys.exit("error: --newick: more opening than closing brackets")
    return nodes


def leaf_numbers(nodes: List[Node]) -> List[int]:
    """The nodes without children."""
    inner = {node.parent for node in nodes}
    return [i for i in range(len(nodes)) if i not in inner]


def distance(nodes: List[Node], depth: List[float], x: int, y: int) -> float:
    """Length of the path between two nodes."""
    total = depth[x] + depth[y]
    while x != y:  # parents have lower numbers, so the higher one goes up
        x, y = (nodes[x].parent, y) if x > y else (x, nodes[y].parent)
    return total - 2 * depth[x]


def scaled(nodes: List[Node], height: Optional[float], identity: Optional[float],
           model: Model) -> List[Node]:
    """The tree with this mean distance from root to leaf, or this mean expected identity of two
    leaves (of at most 40 leaves)."""
    leaves = leaf_numbers(nodes)
    if len(leaves) < 2:
        return nodes
    depth: List[float] = []
    for node in nodes:
        depth.append((depth[node.parent] if depth else 0.0) + node.length)
    factor = 1.0
    if identity is not None:
        some = leaves[::(len(leaves) + 39) // 40]
        apart = [distance(nodes, depth, x, y) for x in some for y in some if x < y]
        low, high = 0.0, 100.0 / max(max(apart), 1e-9)
        for _ in range(60):
            factor = (low + high) / 2
            mean = math.fsum(model.identity(factor * t) for t in apart) / len(apart)
            low, high = (factor, high) if mean > identity else (low, factor)
    elif height is not None:
        factor = height / (math.fsum(depth[leaf] for leaf in leaves) / len(leaves))
    return [Node(node.parent, node.length * factor, node.name) for node in nodes]


def spoiled(letters: str, kind: str, unknown: float, ambiguous: float, dice: Dice) -> str:
    """The letters, some of them replaced by the unknown or by an ambiguous one."""
    out = []
    for letter in letters:
        if unknown and dice.uniform() < unknown:
            letter = "X" if kind == "protein" else "N"
        elif ambiguous and dice.uniform() < ambiguous:
            letter = AMBIGUOUS[kind].get(letter, letter)
        out.append(letter)
    return "".join(out)


def partly_lower(letters: str, share: float, dice: Dice) -> str:
    """The letters with runs of lower case, about ten long, that make up `share` of them."""
    out, low = [], dice.uniform() < share
    for letter in letters:
        if dice.uniform() < 0.1:
            low = dice.uniform() < share
        out.append(letter.lower() if low else letter)
    return "".join(out)


def write_fasta(path: str, records: List[Tuple[str, str]]) -> None:
    """FASTA with 60 letters a line and plain line ends."""
    with open(path, "w", encoding="ascii", newline="\n") as out:
        for name, letters in records:
            out.write(f">{name}\n")
            for i in range(0, len(letters), 60):
                out.write(letters[i:i + 60] + "\n")


def mean_identity(rows: List[str]) -> float:
    """Mean share of equal letters in the columns that two rows have in common."""
    shares = []
    for x in range(0, len(rows)):
        for y in range(x + 1, len(rows)):
            both = [(a, b) for a, b in zip(rows[x], rows[y]) if a != "-" and b != "-"]
            if both:
                shares.append(sum(a == b for a, b in both) / len(both))
    return math.fsum(shares) / len(shares) if shares else 1.0


def arguments(words: Optional[Items[str]] = None) -> argparse.Namespace:
    """The options of these words, or of the command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    add = parser.add_argument
    add("--out", required=True, metavar="PREFIX", help="writes PREFIX.fa and PREFIX.true.fa")
    add("--seed", type=int, default=1)
    add("--type", choices=("protein", "dna", "rna"), default="protein")
    add("--n", type=int, default=8, help="number of sequences (8)")
    add("--length", type=int, default=150, help="residues of the root sequence (150)")
    add("--height", type=float, help="mean substitutions per site from root to leaf (0.7)")
    add("--identity", type=float, help="instead: expected mean identity of two sequences, 0 to 1")
    add("--newick", metavar="FILE", help="use this tree instead of a random one")
    add("--death", type=float, default=0.3, help="deaths per birth in the random tree (0.3)")
    add("--kappa", type=float, default=2.0, help="nucleotides: transition rate ratio (2)")
    add("--gc", type=float, default=0.5, help="nucleotides: share of G and C (0.5)")
    add("--indel-rate", type=float, default=0.03, help="indels per substitution (0.03)")
    add("--max-indel", type=int, default=20, help="longest indel (20)")
    add("--extend", type=int, default=0, help="longest unrelated extension at either end (0)")
    add("--repeat", type=int, default=1, help="tandem copies of one unit that make the root (1)")
    add("--shuffle", type=float, default=0.0, metavar="SHARE",
        help="share of sequences whose last third is moved to the front (0)")
    add("--low-complexity", type=int, default=0, metavar="N",
        help="length of a stretch of three letters in the middle (0)")
    add("--unknown", type=float, default=0.0, metavar="SHARE", help="letters that become X or N")
    add("--ambiguous", type=float, default=0.0, metavar="SHARE",
        help="letters that become B, Z, U (protein) or R, Y")
    add("--lower", type=float, default=0.0, metavar="SHARE", help="letters in lower case")
    add("--duplicates", type=int, default=0, help="sequences that are copies of another (0)")
    add("--fragments", default="", metavar="L1,L2,...",
        help="cut the first sequences to windows of these lengths")
    options = parser.parse_args(words)
    if min(options.n, options.length, options.max_indel, options.repeat) < 1:
        parser.error("--n, --length, --max-indel and --repeat must be at least 1")
    if options.identity is not None and not 0.08 < options.identity < 1:
        parser.error("--identity must be between 0.08 and 1")
    try:
        options.fragments = [int(part) for part in options.fragments.split(",") if part]
    except ValueError:
        parser.error("--fragments takes numbers with commas between them")
    if not options.newick and max(len(options.fragments), options.duplicates + 1) > options.n:
        parser.error("too many --fragments or --duplicates for so few sequences")
    if options.height is None and options.identity is None and not options.newick:
        options.height = 0.7
    return options


def simulate(options: argparse.Namespace) -> List[Tuple[str, str, str]]:
    """(name, letters, row of the true alignment) of each sequence."""
    dice = Dice(options.seed)
    model = (protein_model() if options.type == "protein" else
             nucleotide_model("ACGT" if options.type == "dna" else "ACGU", options.kappa,
                              options.gc))
    if options.newick:
        nodes = newick_tree(Path(options.newick).read_text(encoding="ascii"))
    else:
        nodes = birth_death_tree(dice, options.n, options.death)
    nodes = scaled(nodes, options.height, options.identity, model)

    family = Family(model, dice, options.indel_rate, options.max_indel)
    units = family.root(options.length, options.repeat, options.low_complexity)
    unit_columns = [{cell.column for cell in unit} for unit in units]
    root = [cell for unit in units for cell in unit]
    at_node: List[Sequence] = []
    for node in nodes:
        at_node.append(root if node.parent < 0 else
                       family.evolve(at_node[node.parent], node.length))
    numbers = sorted(leaf_numbers(nodes), key=lambda i: (len(nodes[i].name), nodes[i].name))
    names = [nodes[i].name or f"node{i}" for i in numbers]
    leaves = [at_node[i] for i in numbers]

    if options.repeat > 1:  # every fourth sequence or so has lost one unit
        for x, leaf in enumerate(leaves):
            if dice.below(4) == 0:
                lost = unit_columns[dice.below(options.repeat)]
                leaves[x] = [cell for cell in leaf if cell.column not in lost] or leaf
    if options.shuffle:
        chosen = dice.shuffle(list(range(len(leaves))))[:round(options.shuffle * len(leaves))]
        family.move_to_front(leaves, sorted(chosen), root[len(root) * 2 // 3].column)
    if options.extend:
        leaves = [family.extend(leaf, options.extend) for leaf in leaves]
    for x, length in enumerate(options.fragments[:len(leaves)]):
        start = dice.below(max(1, len(leaves[x]) - length + 1))
        leaves[x] = leaves[x][start:start + length]
    letters = ["".join(model.letters[cell.letter] for cell in leaf) for leaf in leaves]
    letters = [partly_lower(spoiled(text, options.type, options.unknown, options.ambiguous, dice),
                            options.lower, dice) for text in letters]
    shuffled = dice.shuffle(list(range(len(leaves))))
    copies, originals = shuffled[:options.duplicates], shuffled[options.duplicates:]
    for x in copies if originals else []:
        other = originals[dice.below(len(originals))]
        leaves[x], letters[x] = leaves[other], letters[other]

    used = {cell.column for leaf in leaves for cell in leaf}
    place = {column: i for i, column in enumerate(c for c in family.columns.order() if c in used)}
    records = []
    for name, leaf, text in zip(names, leaves, letters):
        row = ["-"] * len(place)
        for cell, letter in zip(leaf, text):
            row[place[cell.column]] = letter.upper()
        records.append((name, text, "".join(row)))
    return records


def main() -> None:
    """Simulates, writes both files and prints one line."""
    options = arguments()
    records = simulate(options)
    write_fasta(options.out + ".fa", [(name, text) for name, text, _ in records])
    write_fasta(options.out + ".true.fa", [(name, row) for name, _, row in records])
    lengths = [len(text) for _, text, _ in records]
    print(f"{Path(options.out).name}\t{len(records)} sequences\t{min(lengths)}-{max(lengths)} "
          f"residues\t{len(records[0][2])} columns\tidentity "
          f"{mean_identity([row for _, _, row in records[:60]]):.2f}")


if __name__ == "__main__":
    main()
