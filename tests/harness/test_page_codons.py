"""Tests of the translation of codons on the page of an alignment."""
import unittest
import xml.etree.ElementTree

from pages import PageHarness, rows_of

CODONS = """ATGGCNAAA---TAACTN
ATG-CCRAYTGATAAYTR
---GCCAAATGATA-CTG
"""
# Of each row the amino acids below its codons, "" where there is none.
SCRIPT = """
const translation = () => data.names.map((_, r) => {
  const found = Array(msa.columns / 3).fill('');
  eachAmino(r, { c0: 0, c1: columnsShown.length }, (k, l) => { found[columnsShown[k] / 3] = l; });
  return found;
});
const take = value => { $('translation').value = value; $('translation').onchange(); };
"""


class PageCodonsTest(PageHarness):
    """Codons and their translation together."""

    def fasta(self, headers: list[str]) -> str:
        """The alignment of CODONS."""
        return "".join(f">{header}\n{row}\n" for header, row in zip(headers, CODONS.split()))

    def test_amino_acids(self) -> None:
        """Below whole codons stand the amino acids of the chosen code; X for those that are not
        whole or may be several; a key switches them, and rows have room for both lines."""
        found = self.driven(self.page_of(self.fasta(["a", "b", "c"])), SCRIPT + """
            const found = { offered: !$('translation').parentElement.hidden,
              codes: $('translation').length, off: height() / lineHeight(), none: translates() };
            keys.p(); found.on = [height() / lineHeight(), $('translation').value];
            found.rows = translation();
            move(0, 1); found.says = $('status').textContent;
            move(0, 10); found.gap = $('status').textContent;
            take('2'); found.mitochondrial = translation()[1];
            take('1'); found.picture = svgText();
            const high = room.offsetHeight; keys.p(); found.again = high - room.offsetHeight;
            keys.p(); found.kept = $('translation').value;
            changeSize(6); found.small = height() / lineHeight();""")
        self.assertEqual((found["offered"], found["codes"], found["off"], found["none"]),
                         (True, 28, 1, False))
        self.assertEqual(found["on"], [2, "1"])
        rows = [["M", "A", "K", "", "*", "L"], ["M", "X", "X", "*", "*", "L"],
                ["", "A", "K", "*", "X", "L"]]
        self.assertEqual(found["rows"], rows)
        self.assertIn("codon ATG is M", str(found["says"]))
        self.assertNotIn("codon", str(found["gap"]))
        self.assertEqual(found["mitochondrial"], ["M", "X", "X", "W", "*", "L"])
        root = xml.etree.ElementTree.fromstring(str(found["picture"]))
        lines: dict[str, list[str]] = {}
        for text in root.iter("{http://www.w3.org/2000/svg}text"):
            if "monospace" in text.get("style", ""):
                lines.setdefault(text.get("y", ""), []).append(text.text or "")
        drawn = ["".join(letters) for letters in lines.values()]
        for row, amino in zip(CODONS.split(), rows):
            at = drawn.index(row.replace("-", ""))
            self.assertEqual(drawn[at + 1], "".join(amino))
        self.assertGreater(int(str(found["again"])), 30)
        self.assertEqual((found["kept"], found["small"]), ("1", 1))

    def test_pixels(self) -> None:
        """On the screen amino acids have their colours across their three columns."""
        found = self.driven(self.page_of(self.fasta(["a", "b", "c"])), SCRIPT + """
            take('1'); move(2, 17); paint();
            const colour = place => { const ratio = pixelRatio(), x = (left() + (place + 0.1) * cell
                - view.scrollLeft) * ratio, y = (bodyTop() + 1.8 * lineHeight()) * ratio;
              return [...screenInk.getImageData(x, y, 1, 1).data].slice(0, 3).join(); };
            const found = { drawn: [0, 2, 3, 5, 9].map(colour), wanted: ['M', 'M', 'A', 'A'].map(
              l => aminoTile(l).fill.slice(4, -1)).concat(backColour().join()) };""")
        self.assertEqual(found["drawn"], found["wanted"])

    def test_hidden_columns(self) -> None:
        """A codon of which columns are hidden has no amino acid."""
        found = self.driven(self.page_of(self.fasta(["a", "b", "c"])), SCRIPT + """
            take('1'); cut = new Uint8Array(msa.columns); cut[4] = 1; $('hide').checked = true;
            takeShown(); resize();
            const found = { row: translation()[0] };""")
        self.assertEqual(found["row"], ["M", "", "K", "", "*", "L"])

    def test_codes_of_headers(self) -> None:
        """The code that a header names is taken for its row, where it is asked for."""
        headers = ["a [transl_table=2]", "b", "c [transl_table=6]"]
        found = self.driven(self.page_of(self.fasta(headers)), SCRIPT + """
            keys.p(); const found = { value: $('translation').value, rows: translation() };""")
        self.assertEqual(found["value"], "own")
        rows = found["rows"]
        assert isinstance(rows, list)
        self.assertEqual([rows[0][4], rows[1][3:5], rows[2][3]], ["*", ["*", "*"], "*"])
        six = self.fasta(["a [transl_table=6]", "b", "c"])
        found = self.driven(self.page_of(six), SCRIPT + """
            keys.p(); const found = { row: translation()[0] };""")
        self.assertEqual(found["row"], ["M", "A", "K", "", "Q", "L"])

    def test_page_of_codon(self) -> None:
        """accord codon shows the amino acids that it aligned, with its code."""
        self.write("g.fa", ">a\nATGAAATGAGTT\n>b\nATGTGAGTT\n")
        for options, code in (((), "1"), (("--code", "2"), "2")):
            self.accord("codon", "g.fa", "-o", "g.aln", "--protein-out", "p.fa", "--html", "g.html",
                        "--device", "none", *options)
            page = (self.directory / "g.html").read_text(encoding="utf-8")
            found = self.driven(page, SCRIPT + """
                const found = { code: $('translation').value, rows: translation() };""")
            self.assertEqual(found["code"], code)
            stop = "*" if code == "1" else "W"
            proteins = [list(row.replace("X", stop).replace("-", " "))
                        for row in rows_of(self.directory / "p.fa").values()]
            self.assertEqual([[letter or " " for letter in row] for row in found["rows"]], proteins)

    def test_proteins_have_none(self) -> None:
        """The choice is not there for proteins, nor where columns are no codons."""
        for text in (">a\nMKV\n>b\nMKV\n", ">a\nACGTA\n>b\nACGTA\n"):
            found = self.driven(self.page_of(text), """
                keys.p(); const found = { hidden: $('translation').parentElement.hidden,
                  on: translates() };""")
            self.assertEqual(found, {"hidden": True, "on": False})


if __name__ == "__main__":
    unittest.main()
