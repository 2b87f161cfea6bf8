"""What a figure of accord view shows, read from its SVG, for the tests of figures."""
import re
import subprocess
import xml.etree.ElementTree as ET
from pathlib import Path

from support import ACCORD, ROOT, HarnessTest

SVG = "{http://www.w3.org/2000/svg}"
CELL = 8.0  # the width of a column, in pixels


class Figure:
    """What a figure shows."""

    def __init__(self, text: str) -> None:
        self.root = ET.fromstring(text)
        groups = {g.get("id") or "": g for g in self.root.iter(SVG + "g")}
        self.groups = groups
        self.blocks = [g for name, g in groups.items() if name.startswith("block-")]

    def rows(self, block: int) -> list[str]:
        """The letters of the rows of a block, by their x, from the top."""
        lines: dict[float, dict[float, str]] = {}
        for text in self.blocks[block].findall(SVG + "text"):
            if len(text.get("x", "").split()) == len(text.text or "") and not self.is_number(text):
                line = lines.setdefault(float(text.get("y", "")), {})
                line.update(zip(map(float, text.get("x", "").split()), text.text or ""))
        return ["".join(line[x] for x in sorted(line)) for _, line in sorted(lines.items())]

    @staticmethod
    def is_number(text: ET.Element) -> bool:
        """Whether it is the number of a residue or column, or a name."""
        return text.get("font-size") == "9" or text.get("x") == "10"

    def names(self, block: int) -> list[str]:
        """The names of the rows of a block."""
        return [t.text or "" for t in self.blocks[block].findall(SVG + "text")
                if t.get("x") == "10"]

    def numbers(self, block: int) -> list[int]:
        """The numbers beside the rows of a block: of the first and the last residue of each."""
        tops = [float(t.get("y", "")) for t in self.blocks[block].findall(SVG + "text")
                if t.get("x") == "10"]
        return [int(t.text or "") for t in self.blocks[block].findall(SVG + "text")
                if t.get("font-size") == "9" and float(t.get("y", "")) in tops]

    def fill_at(self, block: int, x: float, y: float) -> "str | None":
        """The colour of the cell around a point."""
        for rect in self.blocks[block].findall(SVG + "rect"):
            left, top = float(rect.get("x", "")), float(rect.get("y", ""))
            if left <= x < left + float(rect.get("width", "")) and \
                    top <= y < top + float(rect.get("height", "")):
                return rect.get("fill")
        return None

    def cells(self, block: int) -> list[list["str | None"]]:
        """The colours of the cells of a block, row by row."""
        found: dict[float, dict[float, str | None]] = {}
        for text in self.blocks[block].findall(SVG + "text"):
            if self.is_number(text):
                continue
            y = float(text.get("y", ""))
            for x in map(float, text.get("x", "").split()):
                found.setdefault(y, {})[x] = self.fill_at(block, x + 2, y - 3)
        return [[line[x] for x in sorted(line)] for _, line in sorted(found.items())]

    def bars(self, name: str) -> list[float]:
        """The heights of the bars of a track, as shares of the room."""
        return [float(rect.get("height", "")) / 24 for rect in self.groups[name].iter(SVG + "rect")]

    def logo(self, group: str, cell: float) -> list[list[tuple[str, float]]]:
        """The letters of each column of a logo from the lowest, with their heights in pixels."""
        columns: dict[int, list[tuple[float, str, float]]] = {}
        for path in self.groups[group].iter(SVG + "path"):
            label = path.get("aria-label")
            if not label:
                continue
            numbers = [float(n) for n in re.findall(r"-?[\d.]+", path.get("transform", ""))]
            middle = numbers[0] + numbers[2] / 2
            columns.setdefault(int(middle // cell), []).append((-numbers[1], label, numbers[3]))
        return [[(label, height) for _, label, height in sorted(columns[c])]
                for c in sorted(columns)]

    def words(self) -> str:
        """All texts."""
        return "\n".join(t.text or "" for t in self.root.iter(SVG + "text"))


def fasta_of(rows: list[str]) -> str:
    """FASTA of rows, named s0, s1, ..."""
    return "".join(f">s{k}\n{row}\n" for k, row in enumerate(rows))


class FigureHarness(HarnessTest):
    """Runs accord view, which draws figures."""

    def drawn(self, fasta: "str | Path", *options: str, name: str = "a.fa") -> Figure:
        """The figure of an alignment, without confidence."""
        file = self.write(name, fasta) if isinstance(fasta, str) else fasta
        out = self.directory / "fig.svg"
        done = subprocess.run([ACCORD, "view", str(file), "--no-confidence", "-o", str(out), "-q",
                               *options], cwd=self.directory, capture_output=True, text=True,
                              check=False)
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)
        return Figure(out.read_text(encoding="utf-8"))

    def refused(self, fasta: str, *options: str) -> str:
        """The message of a figure that is refused."""
        file = self.write("a.fa", fasta)
        done = subprocess.run([ACCORD, "view", str(file), *options], cwd=self.directory,
                              capture_output=True, text=True, check=False)
        self.assertIn(done.returncode, (2, 65))
        return done.stderr

    def example(self) -> tuple[Path, list[tuple[str, str]]]:
        """An alignment, and its names and rows."""
        path = ROOT / "datasets" / "example.true.fa"
        records = path.read_text(encoding="utf-8").split(">")[1:]
        return path, [(r.split()[0], "".join(r.split("\n")[1:])) for r in records]
