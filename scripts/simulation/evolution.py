"""A family while it evolves. Every residue carries the identity of its alignment column, and all
columns stand in one global order, so the true alignment is read off at the end.
"""
from typing import NamedTuple

from model import SITE_RATES, Dice, Model

RUN_LENGTH = 6  # mean number of neighbouring sites that share a rate
GAP_EXPONENT = 1.7  # of the power law of indel lengths (Benner et al. 1993)
COPY_DISTANCE = 0.4  # substitutions per site between a repeat unit and its ancestor
HEAD = 0  # the column before all columns


class Cell(NamedTuple):
    """A residue: its column and its letter as an index into the alphabet."""

    column: int
    letter: int


Sequence = list[Cell]


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

    def order(self) -> list[int]:
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

    def insert_after(self, column: int, letters: list[int], rate: float) -> Sequence:
        """A piece of sequence in new columns after `column`."""
        piece = []
        for letter in letters:
            column = self.columns.add_after(column, rate)
            piece.append(Cell(column, letter))
        return piece

    def root(self, length: int, copies: int, low_complexity: int) -> list[Sequence]:
        """The root in `copies` repeat units, with a stretch of three letters in its middle."""
        unit: list[tuple[int, float]] = []
        for _ in range(max(1, length // copies)):
            new_run = not unit or self.dice.below(RUN_LENGTH) == 0
            unit.append((self.new_letter(), self.new_rate() if new_run else unit[-1][1]))
        if low_complexity:
            few = [self.new_letter() for _ in range(3)]
            start = (len(unit) - low_complexity) // 2
            for i in range(max(0, start), min(len(unit), start + low_complexity)):
                unit[i] = few[self.dice.below(3)], SITE_RATES[0]
        units: list[Sequence] = []
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

    def move_to_front(self, leaves: list[Sequence], chosen: list[int], first: int) -> None:
        """In the chosen leaves, moves the domain from column `first` on to the N-terminus. What
        moved is homologous, and in one order, among the chosen only: it gets columns of its own,
        shared by them."""
        order = self.columns.order()
        domain = order[order.index(first):]
        moved: dict[int, int] = {}
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
