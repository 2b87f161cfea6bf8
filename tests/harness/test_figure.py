"""Tests of figures (accord view -o FILE.svg): the SVG is parsed, and its letters, places, colours
and heights are compared with the alignment."""
import json
import math
import re
import subprocess
import unittest

from figures import CELL, SVG, Figure, FigureHarness, fasta_of
from support import ACCORD, ROOT

TABLE = json.loads((ROOT / "src/run/figure/drawing.json").read_text(encoding="utf-8"))
SCHEMES = {scheme["name"]: scheme for scheme in TABLE["schemes"]}
# BLOSUM62 (Henikoff & Henikoff 1992): the letters, and half of the matrix.
LETTERS = "ARNDCQEGHILKMFPSTWYV"
BLOSUM62 = """4
-1 5
-2 0 6
-2 -2 1 6
0 -3 -3 -3 9
-1 1 0 0 -3 5
-1 0 0 2 -4 2 5
0 -2 0 -1 -3 -2 -2 6
-2 0 1 -1 -3 0 0 -2 8
-1 -3 -3 -3 -1 -3 -3 -4 -3 4
-1 -2 -3 -4 -1 -2 -3 -4 -3 2 4
-1 2 0 -1 -3 1 1 -2 -1 -3 -2 5
-1 -1 -2 -3 -1 0 -2 -3 -2 1 2 -1 5
-2 -3 -3 -3 -2 -3 -3 -3 -1 0 0 -3 0 6
-1 -2 -2 -1 -3 -1 -1 -2 -2 -3 -3 -1 -2 -4 7
1 -1 1 0 -1 0 0 0 -1 -2 -2 0 -1 -2 -1 4
0 -1 0 -1 -1 -1 -1 -2 -2 -1 -1 -1 -1 -2 -1 1 5
-3 -3 -4 -4 -2 -2 -3 -2 -2 -3 -2 -3 -1 1 -4 -3 -2 11
-2 -2 -2 -3 -2 -1 -2 -3 2 -1 -1 -2 -1 3 -3 -2 -2 2 7
0 -3 -3 -3 -1 -2 -2 -3 -3 3 1 -2 1 -1 -2 -2 0 -3 -1 4"""


def mixed(colour: str, strength: float) -> str:
    """A colour of a strength, on white."""
    parts = [int(colour[k:k + 2], 16) for k in (1, 3, 5)]
    return "#" + "".join(f"{math.floor(255 + (p - 255) * strength + 0.5):02x}" for p in parts)


class FigureTest(FigureHarness):
    """Figures of alignments."""

    def test_blocks(self) -> None:
        """Blocks of 60 columns: letters, names, and numbers of residues at both ends."""
        path, rows = self.example()
        figure = self.drawn(path)
        columns = len(rows[0][1])
        self.assertEqual(len(figure.blocks), math.ceil(columns / 60))
        for k in range(len(figure.blocks)):
            part = slice(60 * k, 60 * k + 60)
            self.assertEqual(figure.rows(k), [row[part] for _, row in rows])
            self.assertEqual(figure.names(k), [name for name, _ in rows])
            numbers = []
            for _, row in rows:
                before = sum(c != "-" for c in row[:60 * k])
                here = sum(c != "-" for c in row[part])
                numbers += [before + 1, before + here] if here else []
            self.assertEqual(figure.numbers(k), numbers)
        for text in figure.root.iter(SVG + "text"):
            self.assertNotIn("style", text.attrib)
            self.assertNotIn("dominant-baseline", text.attrib)
        self.assertTrue(figure.root.get("font-family", "").endswith("monospace"))

    def test_strip_region_and_rows(self) -> None:
        """One strip, chosen columns and rows, in the order of the file, with their numbers."""
        path, rows = self.example()
        figure = self.drawn(path, "--wrap", "0")
        self.assertEqual(figure.rows(0), [row for _, row in rows])
        self.write("names", f"{rows[3][0]}\r\n{rows[0][0]}\n")
        figure = self.drawn(path, "--columns", "11-20,31-", "--rows", "names", "--wrap", "15")
        chosen = [row[10:20] + row[30:] for row in (rows[3][1], rows[0][1])]
        self.assertEqual(figure.rows(0), [row[:15] for row in chosen])
        self.assertEqual(figure.rows(1), [row[15:30] for row in chosen])
        before = sum(c != "-" for c in rows[3][1][:10])
        self.assertEqual(figure.numbers(0)[0], before + 1)
        self.assertIn("has no row nobody", self.refused(">a\nMK\n", "-o", "x.svg", "--rows",
                                                        str(self.write("other", "nobody\n"))))
        self.assertIn("no column is left", self.refused(">a\nMK\n", "-o", "x.svg", "--columns",
                                                        "7-9"))

    def test_marked_rows(self) -> None:
        """A bar and the ink of marks are at the names of a file, also among chosen rows."""
        fasta, mark = ">a\nMK\n>b\nMR\n>c\nMW\n", "#9a4d00"
        names, rows = self.write("names", "c\na\n"), self.write("rows", "b\na\n")

        def marked(figure: Figure) -> list[str]:
            texts = [t for t in figure.blocks[0].findall(SVG + "text") if t.get("x") == "10"]
            inked = [t.text or "" for t in texts if t.get("fill") == mark]
            barred = [t.text for t in texts
                      if figure.fill_at(0, 5, float(t.get("y", "")) - 4) == mark]
            self.assertEqual(inked, barred)
            return inked
        figure = self.drawn(fasta, "--mark", str(names))
        self.assertEqual(marked(figure), ["a", "c"])
        self.assertIn("marked rows", figure.words())
        figure = self.drawn(fasta, "--mark", str(names), "--rows", str(rows))
        self.assertEqual((figure.names(0), marked(figure)), (["b", "a"], ["a"]))
        figure = self.drawn(fasta)
        self.assertEqual(marked(figure), [])
        self.assertNotIn("marked rows", figure.words())
        self.assertIn("has no row b", self.refused(">a\nMK\n", "-o", "x.svg", "--mark", str(rows)))
        self.assertIn("a logo has no rows", self.refused(fasta, "-o", "x.svg", "--logo", "--mark",
                                                         str(names)))

    def test_numbers_of_names(self) -> None:
        """NAME/12-15 begins at 12, if the row has so many residues."""
        figure = self.drawn(">a/12-15\nMKVL\n>b/12-90\nMKVL\n>c/15-12\nMKV-\n")
        self.assertEqual(figure.numbers(0), [12, 15, 1, 4, 1, 3])

    def test_colours(self) -> None:
        """The colours of every scheme, by the table, and by what the rules say of columns."""
        path, rows = self.example()
        for name in ("residues", "safe", "zappo", "taylor", "hydrophobicity"):
            scheme = SCHEMES[name]
            fill = {letter: mixed(line[1], line[2] if len(line) > 2 else scheme["strength"])
                    for line in scheme["protein"] for letter in line[0]}
            cells = self.drawn(path, "--colours", name, "--wrap", "0").cells(0)
            with self.subTest(scheme=name):
                self.assertEqual(cells, [[fill.get(c) for c in row] for _, row in rows])
        cells = self.drawn(path, "--colours", "none", "--wrap", "0").cells(0)
        self.assertEqual({cell for row in cells for cell in row}, {None})
        # A column of five: D is four fifths, and K has no positive score with it, E has.
        fasta = fasta_of(["DDW", "DDW", "DDA", "DKF", "EGP"])
        cells = self.drawn(fasta, "--colours", "blosum62").cells(0)
        same, similar = SCHEMES["blosum62"]["same"], SCHEMES["blosum62"]["similar"]
        self.assertEqual([row[0] for row in cells], [same] * 4 + [similar])
        self.assertEqual([row[1] for row in cells], [same] * 3 + [None] * 2)
        self.assertEqual([row[2] for row in cells], [same] * 2 + [None, similar, None])
        cells = self.drawn(fasta, "--colours", "identity").cells(0)
        steps = [colour for _, colour in SCHEMES["identity"]["steps"]]
        self.assertEqual([row[0] for row in cells], [steps[1]] * 4 + [None])
        self.assertEqual([row[1] for row in cells], [steps[2]] * 3 + [None] * 2)
        self.assertEqual([row[2] for row in cells], [None] * 5)
        # Clustal X: hydrophobic residues where they are over 60 %; G always; K with others like it.
        fasta = fasta_of(["LKG", "LDG", "IED", "VWS", "KAN"])
        cells = self.drawn(fasta, "--colours", "clustal").cells(0)
        blue, orange = mixed("#80a0f0", 0.85), mixed("#f09048", 0.85)
        self.assertEqual([row[0] for row in cells], [blue] * 4 + [None])
        self.assertEqual([row[1] for row in cells], [None] * 5)
        self.assertEqual([row[2] for row in cells], [orange] * 2 + [None] * 3)

    def test_blosum62(self) -> None:
        """The table has the pairs of a positive score of the matrix."""
        lines = [list(map(int, line.split())) for line in BLOSUM62.split("\n")]
        for a, letter in enumerate(LETTERS):
            like = {LETTERS[b] for b in range(20)
                    if b != a and lines[max(a, b)][min(a, b)] > 0}
            self.assertEqual(set(SCHEMES["blosum62"]["positive"][letter]), like, letter)

    def test_contrast_of_letters(self) -> None:
        """Letters are black or white, whichever has the larger contrast with their cell."""
        figure = self.drawn(">a\nRGA\n>b\nRGA\n", "--colours", "taylor")
        inks = {c: t.get("fill") for t in figure.blocks[0].findall(SVG + "text")
                if t.get("font-size") == "11" and t.get("x") != "10" for c in t.text or ""}
        self.assertEqual(inks, {"R": "#ffffff", "G": "#000000", "A": "#000000"})

    def test_confidence(self) -> None:
        """With the confidence residues fade and columns have bars; without, colours that need it
        are refused."""
        path, rows = self.example()
        out = self.directory / "fig.svg"
        subprocess.run([ACCORD, "view", str(path), "-o", str(out), "-q", "--device", "none",
                        "--colours", "confidence"], check=True)
        figure = Figure(out.read_text(encoding="utf-8"))
        table = subprocess.run([ACCORD, "confidence", str(path), "-q", "--device", "none"],
                               check=True, capture_output=True, text=True).stdout
        sure = [line.split("\t")[-1] for line in table.split("\n") if line.startswith("column\t")]
        bars = [float(value) for value in sure[:60] if value not in ("NA", "0")]
        found = figure.bars("confidence-1")
        self.assertEqual(len(found), len(bars))
        for bar, value in zip(found, bars):
            self.assertAlmostEqual(bar, value, delta=0.001)
        shades = {cell for row in figure.cells(0) for cell in row} - {None}
        self.assertGreater(len(shades), 4)
        self.assertLessEqual(shades, {mixed("#2b6cb0", 0.85 * k) for k in
                                      [j / 10 for j in range(11)] + [0.975]})
        self.assertIn("need the confidence",
                      self.refused(">a\nMK\n>b\nMK\n", "-o", "x.svg", "--no-confidence",
                                   "--colours", "confidence"))

    def test_bars_and_consensus(self) -> None:
        """Conservation, gaps and consensus of each column."""
        fasta = ">a\nMK-W\n>b\nMR-W\n>c\nMR-A\n>d\nMEV-\n"
        figure = self.drawn(fasta, "--above", "gaps,consensus,conservation")
        self.assertEqual(figure.bars("conservation-1"), [1, 0.5, 0.25, 0.5])
        self.assertEqual(figure.bars("gaps-1"), [0.75, 0.25])
        letters = [t.text for t in figure.groups["consensus-1"].iter(SVG + "text")]
        self.assertEqual(letters, ["MR-W", "consensus"])
        none = self.drawn(fasta, "--above", "none")
        self.assertEqual([n for n in none.groups if not n.startswith(("block", "legend"))], [])

    def check_logo(self, rows: list[str], kind: int, figure: Figure, group: str, cell: float,
                   height: float) -> None:
        """Compares a logo with the formula of Schneider et al. (1986)."""
        left = min(float(n) for p in figure.groups[group].iter(SVG + "path")
                   for n in re.findall(r"translate\(([\d.]+)", p.get("transform", "")))
        columns = figure.logo(group, cell)
        wanted = []
        for column in zip(*rows):
            letters = [c for c in column if c != "-"]
            counts = {c: letters.count(c) for c in set(letters)}
            entropy = -sum(n / len(letters) * math.log2(n / len(letters)) for n in counts.values())
            bits = max(0.0, math.log2(kind) - entropy -
                       (kind - 1) / (2 * math.log(2) * len(letters)))
            stack = sorted(((c, n / len(letters) * bits * height / math.log2(kind))
                            for c, n in counts.items()), key=lambda entry: (entry[1], entry[0]))
            if bits > 0:
                wanted.append(stack)
        self.assertEqual([[c for c, _ in stack] for stack in columns],
                         [[c for c, _ in stack] for stack in wanted])
        for stack, want in zip(columns, wanted):
            for (_, found), (_, should) in zip(stack, want):
                self.assertAlmostEqual(found, should, delta=0.01)
        self.assertGreater(left, 0)

    def test_logo(self) -> None:
        """Heights in bits, the most frequent letter on top; above the rows, and alone."""
        rows = ["ACGTA", "ACGTA", "ACCTC", "ACCT-", "ACGA-", "ACTA-", "ATTA-", "CTAA-"]
        fasta = fasta_of(rows)
        figure = self.drawn(fasta, "--above", "logo")
        self.check_logo(rows, 4, figure, "logo-1", CELL, 56)
        self.assertEqual(figure.rows(0), rows)
        alone = self.drawn(fasta, "--logo")
        self.check_logo(rows, 4, alone, "logo-1", 16, 100)
        self.assertEqual(alone.names(0), [])
        self.assertIn("Schneider", alone.words())
        swatches = [r.get("fill") for r in alone.groups["legend"].iter(SVG + "rect")]
        self.assertEqual(swatches, [line[1] for line in SCHEMES["residues"]["nucleotide"]])
        self.assertIn("not of letters alone", self.refused(fasta, "-o", "x.svg", "--logo",
                                                           "--colours", "identity"))
        rna = self.drawn(fasta.replace("T", "U"), "--logo")
        self.assertEqual({c for stack in rna.logo("logo-1", 16) for c, _ in stack}, set("ACU"))
        protein = ["MKW", "MKW", "MKW", "MKF"] * 5
        figure = self.drawn(fasta_of(protein), "--logo")
        self.check_logo(protein, 20, figure, "logo-1", 16, 100)

    def test_structure(self) -> None:
        """Helices are waves, strands arrows, above the columns and below rows; of RNA letters."""
        sto = ("# STOCKHOLM 1.0\na MKVLAWQRST\n#=GR a SS HHHHCCEEEE\nb MKVLAWQRST\n"
               "#=GC SS_cons HHHHCEEEEE\n//\n")
        figure = self.drawn(sto, name="a.sto")
        above = list(figure.groups["structure-1"].iter(SVG + "path"))
        self.assertEqual([p.get("aria-label") for p in above], [None, None, "strand"])
        self.assertIn("C", above[0].get("d", ""))
        row = [p for p in figure.blocks[0].findall(SVG + "path")
               if p.get("aria-label") == "strand" or "C" in p.get("d", "")]
        self.assertEqual([p.get("aria-label") for p in row], [None, "strand"])
        scale = re.search(r"scale\(([\d.]+)", row[1].get("transform", ""))
        assert scale
        self.assertEqual(float(scale.group(1)), 4 * CELL)
        self.assertEqual(figure.rows(0), ["MKVLAWQRST"] * 2)
        self.assertIn("arrows are strands", figure.words())
        rna = self.drawn("# STOCKHOLM 1.0\na GGGAAACCC\nb GGGAAACCC\n#=GC SS_cons <<<...>>>\n//\n",
                         name="b.sto")
        self.assertEqual(next(rna.groups["structure-1"].iter(SVG + "text")).text, "<<<...>>>")

    def test_odd_alignments(self) -> None:
        """Names with markup, one row, one column, rows of gaps alone, bases, 5,000 columns."""
        figure = self.drawn(">a<b>&\"'</text>\nMK\n>\u00e4\x01" + "n" * 40 + "\nMK\n")
        self.assertEqual(figure.names(0)[0], "a<b>&\"'</text>")
        self.assertEqual(len(figure.names(0)[1]), 30)
        self.assertIn("\u2026", figure.names(0)[1])
        figure = self.drawn(">a\nM\n")
        self.assertEqual((figure.rows(0), figure.numbers(0)), (["M"], [1, 1]))
        figure = self.drawn(">a\nM-\n>b\n--\n", "--above", "conservation,gaps,logo,consensus")
        self.assertEqual((figure.rows(0), figure.numbers(0)), (["M-", "--"], [1, 1]))
        self.assertEqual(figure.bars("gaps-1"), [0.5, 1])
        rows = ["ACGURYN", "ACGU-KM"]
        figure = self.drawn(fasta_of(rows), "--type", "rna",
                            "--colours", "nucleotides")
        self.assertEqual(figure.rows(0), rows)
        fill = {c: line[1] for line in SCHEMES["nucleotides"]["nucleotide"] for c in line[0]}
        self.assertEqual(figure.cells(0), [[fill.get(c) for c in row] for row in rows])
        wide = "MKVLAWQRST" * 500
        figure = self.drawn(f">a\n{wide}\n>b\n{wide}\n", "--wrap", "0")
        self.assertEqual(figure.rows(0), [wide, wide])
        self.assertGreaterEqual(float(figure.root.get("width", "")), 5000 * CELL)

    def test_refused(self) -> None:
        """Colours that do not exist or are not for these residues, other endings, and options of
        figures for a page."""
        msa = ">a\nMKVLW\n>b\nMKVLW\n"
        self.assertIn("no colours are named pink", self.refused(msa, "-o", "x.svg", "--colours",
                                                                "pink"))
        self.assertIn("not for protein", self.refused(msa, "-o", "x.svg", "--colours",
                                                      "nucleotides"))
        self.assertIn("figures are written as SVG", self.refused(msa, "-o", "x.png"))
        self.assertIn("--wrap: for figures", self.refused(msa, "-o", "x.html", "--wrap", "5"))
        self.assertIn("--logo with --rows", self.refused(
            msa, "-o", "x.svg", "--logo", "--rows", str(self.write("names", "a\n"))))
        self.assertIn("above its columns", self.refused(msa, "-o", "x.svg", "--above", "hats"))

    def test_pdf(self) -> None:
        """A PDF has the letters, rectangles and shapes of the SVG, at their places, and tables that
        fit; what its font lacks is said."""
        fasta = ">a(\\)\nMKVLAW-R\n>\u00e4\u0416\nMRVLAWQR\n"
        svg = self.drawn(fasta, "--above", "conservation,logo", "--colours", "zappo")
        done = subprocess.run([ACCORD, "view", "a.fa", "--no-confidence", "-o", "f.pdf", "--above",
                               "conservation,logo", "--colours", "zappo"], cwd=self.directory,
                              capture_output=True, text=True, check=True)
        self.assertIn("which are shown as ?", done.stderr)
        data = (self.directory / "f.pdf").read_bytes()
        start = int(data.rsplit(b"startxref\n", 1)[1].split()[0])
        offsets = [int(line[:10]) for line in data[start:].split(b"\n")[3:9]]
        for k, offset in enumerate(offsets):
            self.assertTrue(data[offset:].startswith(f"{k + 1} 0 obj\n".encode()))
        length = re.search(rb"/Length (\d+) >>\nstream\n", data)
        assert length
        stream = data[length.end():length.end() + int(length.group(1))]
        self.assertTrue(data[length.end() + len(stream):].startswith(b"\nendstream"))
        content = stream.decode("cp1252")
        letters = {(x, y, c) for x, y, c in
                   re.findall(r"^1 0 0 -1 (\S+) (\S+) Tm \((.)\) Tj$", content, re.M)}
        wanted = {(x, t.get("y"), c) for t in svg.blocks[0].findall(SVG + "text")
                  if not svg.is_number(t) for x, c in zip(t.get("x", "").split(), t.text or "")}
        self.assertEqual(letters, wanted)
        self.assertIn("(a\\(\\\\\\)) Tj", content)
        self.assertIn("(\u00e4?) Tj", content)
        rectangles = re.findall(r"(\S+) (\S+) (\S+) (\S+) re f", content)
        self.assertEqual(rectangles, [
            tuple(r.get(key) for key in ("x", "y", "width", "height"))
            for r in svg.root.iter(SVG + "rect") if r.get("x")])
        shapes = [p for p in svg.root.iter(SVG + "path") if p.get("transform")]
        self.assertEqual(content.count("f* Q"), len(shapes))
        self.assertEqual(content.count("q\n"), content.count("\nQ\n"))
        wide = "MKVLAWQRST" * 5000
        subprocess.run([ACCORD, "view", str(self.write("w.fa", f">a\n{wide}\n")), "-o", "w.pdf",
                        "--wrap", "0", "-q", "--above", "none"], cwd=self.directory, check=True)
        box = re.search(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\] /UserUnit (\d+)",
                        (self.directory / "w.pdf").read_bytes())
        assert box
        self.assertLessEqual(float(box.group(1)), 14400)
        self.assertGreater(float(box.group(1)) * int(box.group(3)), 50000 * CELL * 0.75)

    def test_tree_orders_rows(self) -> None:
        """Rows stand as the leaves of --tree, with their lines of markup."""
        self.write("t.nwk", "((c:1,a:1):1,b:2);\n")
        figure = self.drawn(">a\nMK\n>b\nMR\n>c\nMW\n", "--tree", "t.nwk")
        self.assertEqual(figure.names(0), ["c", "a", "b"])
        self.assertEqual(figure.rows(0), ["MW", "MK", "MR"])


if __name__ == "__main__":
    unittest.main()
