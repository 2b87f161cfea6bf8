"""Tests of the tools of the page of an alignment: colours, order, differences, hidden columns,
logo, lines of markup, patterns, selections, figures and printing; and of pages of several files."""
import json
import math
import re
import subprocess
import unittest

from pages import Found, PageHarness, rows_of
from support import ACCORD, ROOT

SCHEMES = {scheme["name"]: scheme for scheme in json.loads(
    (ROOT / "src/run/figure/drawing.json").read_text(encoding="utf-8"))["schemes"]}


class PageToolsTest(PageHarness):
    """What the page's tools make of an alignment."""

    def viewed(self, text: str, script: str, *options: str, name: str = "a.fa") -> Found:
        """What a script finds in the page of an alignment."""
        return self.driven(self.page_of(text, *options, name=name), script)

    def test_colours_are_those_of_figures(self) -> None:
        """In every scheme the page's cells have the colours that the program's figure has."""
        rows = ["DDWLKG", "DDWLDG", "DDAIED", "DKFVWS", "EGPKAN"]
        text = "".join(f">s{k}\n{row}\n" for k, row in enumerate(rows))
        found = self.viewed(text, """
            const found = { names: [...$('colour').options].map(o => o.value), cells: {} };
            for (const name of found.names) {
              takeTiles(name, 1);
              found.cells[name] = data.names.map((_, r) => [...rowText(r, 0, msa.columns)].map(
                (_, c) => tileOf(residueAt(r, c).i, c).fill));
            }""")
        names = [name for name, scheme in SCHEMES.items()
                 if "by_confidence" not in scheme and scheme.get("of") != "nucleotide"]
        self.assertEqual(found["names"], names)
        cells = found["cells"]
        assert isinstance(cells, dict)
        for name in names:
            subprocess.run([ACCORD, "view", "a.fa", "--no-confidence", "-q", "-o", "a.svg",
                            "--colours", name, "--above", "none"], check=True, cwd=self.directory)
            svg = (self.directory / "a.svg").read_text(encoding="utf-8")
            with self.subTest(colours=name):
                self.assertEqual(self.fills(svg, rows), [
                    [self.hex(cell) for cell in row] for row in cells[name]])

    @staticmethod
    def hex(colour: "str | None") -> "str | None":
        """A colour of CSS, rgb(1,2,3), as #010203."""
        if colour is None:
            return None
        return "#" + "".join(f"{int(n):02x}" for n in colour[4:-1].split(","))

    @staticmethod
    def fills(svg: str, rows: list[str]) -> list[list["str | None"]]:
        """The colours of the cells of a figure of one block."""
        # pylint: disable=import-outside-toplevel
        from test_figure import Figure
        cells = Figure(svg).cells(0)
        assert len(cells) == len(rows)
        return cells

    def test_differences(self) -> None:
        """Letters equal to the consensus, or to a row, are dots on the screen and in pictures."""
        found = self.viewed(">a\nMKVL\n>b\nMRVL\n>c\nmK-A\n", """
            const drawn = () => data.names.map((_, r) => [...rowText(r, 0, msa.columns)].map(
              (l, c) => { const { i, is } = residueAt(r, c);
                return is ? String.fromCharCode(cellOf(i, c, r).letter) : l; }).join(''));
            const found = { all: drawn() };
            keys.d(); found.consensus = drawn();
            move(1, 0); keys.d(); found.row = drawn(); found.said = $('said').textContent;
            found.dots = (svgText().match(/>\\.<\\/text>/g) || []).length;
            keys.d(); found.again = drawn();""")
        self.assertEqual(found["all"], ["MKVL", "MRVL", "mK-A"])
        self.assertEqual(found["consensus"], ["....", ".R..", "..-A"])
        self.assertEqual(found["row"], [".K..", "MRVL", ".K-A"])
        self.assertEqual(found["dots"], 4)
        self.assertIn("this row: b", str(found["said"]))
        self.assertEqual(found["again"], found["all"])

    def test_order(self) -> None:
        """Rows by name, by length, by identity to a row, and as given; the tree is drawn only
        along itself."""
        text = ">s10\nMKVL\n>s2\nMRVA\n>s1\nMK--\n>s3\nMKV-\n"
        self.write("t.nwk", "#NEXUS\nbegin trees;\n"
                   "tree one = ((s1:1,s2:1):1,(s3:1,s10:1):1);\nend;\n")
        found = self.viewed(text, """
            const found = { trees: [] };
            move(data.names.indexOf('s2'), 0);
            for (const kind of ['name', 'length', 'identity', 'given']) {
              $('order').value = kind; $('order').onchange();
              found[kind] = shown.map(r => data.names[r]); found.trees.push(treeWidth > 0);
            }""", "--tree", "t.nwk")
        self.assertEqual(found["name"], ["s1", "s2", "s3", "s10"])
        self.assertEqual(found["length"], ["s2", "s10", "s3", "s1"])
        self.assertEqual(found["identity"], ["s2", "s3", "s1", "s10"])
        self.assertEqual(found["given"], ["s1", "s2", "s3", "s10"])
        self.assertEqual(found["trees"], [False, False, False, True])

    def test_gappy_columns(self) -> None:
        """They are hidden by themselves where they fill the first screen, which is said, and by a
        key; what is in them is still found."""
        core, insert = "MKVLAAGIVG", "WQRSTNPQYH" * 8
        gappy = "".join(f">s{k}\n{core[:3]}{insert if k == 0 else '-' * 80}{core[3:]}\n"
                        for k in range(12))
        script = """
            const found = { checked: $('gappy').checked, columns: columnsShown.length,
              said: $('said').textContent };
            keys.g(); found.then = columnsShown.length;
            $('gappy').checked = true; changeColumns();
            $('search').value = 'nnnn'; search(); found.none = columnsShown.length;
            $('search').value = 'wqrs'; search();
            found.found = [columnsShown.length, cursor.column];"""
        found = self.viewed(gappy, script)
        self.assertEqual((found["checked"], found["columns"], found["then"]), (True, 10, 90))
        self.assertIn("80 gappy columns are hidden", str(found["said"]))
        self.assertEqual((found["none"], found["found"]), (10, [90, 3]))
        found = self.viewed(gappy.replace("-" * 80, insert), script)
        self.assertEqual((found["checked"], found["columns"]), (False, 90))

    def test_logo(self) -> None:
        """The logo of the page has the heights of that of the program, in pictures, too."""
        found = self.viewed(">a\nMKW\n>b\nMRW\n>c\nMKF\n" * 1, """
            const found = { logo: [0, 1, 2].map(logoColumn) };
            const before = bodyTop(); keys.l(); found.grew = bodyTop() - before;
            found.letters = (svgText().match(/scale\\(/g) || []).length;""", "--type", "protein")
        correction = 19 / (2 * math.log(2) * 3)
        self.assertEqual(found["logo"], [[["M", 0]], [["R", 0], ["K", 0]], [["F", 0], ["W", 0]]])
        self.assertGreater(correction, math.log2(20))
        self.assertEqual((found["grew"], found["letters"]), (60, 0))
        rows = ["MK", "MR", "MK", "MK"] * 6
        found = self.viewed("".join(f">s{k}\n{row}\n" for k, row in enumerate(rows)), """
            keys.l(); const found = { logo: [0, 1].map(logoColumn),
              letters: (svgText().match(/scale\\(/g) || []).length };""", "--type", "protein")
        whole = math.log2(20) - 19 / (2 * math.log(2) * 24)
        entropy = 2 - 0.75 * math.log2(3)
        logo = found["logo"]
        assert isinstance(logo, list)
        self.assertAlmostEqual(logo[0][0][1], whole)
        self.assertEqual([letter for letter, _ in logo[1]], ["R", "K"])
        self.assertAlmostEqual(logo[1][1][1], 0.75 * (whole - entropy))
        self.assertEqual(found["letters"], 3)

    def test_lines_of_markup(self) -> None:
        """Lines of Stockholm stand above the rows: those of columns, and those of the cursor's
        row; a switch hides them."""
        sto = ("# STOCKHOLM 1.0\na MKVL\n#=GR a SS HHHC\n#=GR a PP 9*87\nb MKVL\n#=GR b SS CEEE\n"
               "#=GC RF xx.x\n#=GC SS_cons HHCC\n//\n")
        found = self.viewed(sto, """
            const texts = () => linesShown().map(l => [l.tag, l.text]);
            move(0, 0);
            const found = { a: texts(), picture: svgText(), size: [cell, lineHeight()] };
            move(1, 0); found.b = texts(); found.arrow = svgText();
            const before = bodyTop(); $('lines').click(); found.hidden = before - bodyTop() > 0;
            found.none = texts();""", name="a.sto")
        of_columns = [["RF", "xx.x"], ["SS_cons", "HHCC"]]
        self.assertEqual(found["a"], of_columns + [["a SS", "HHHC"], ["a PP", "9*87"]])
        self.assertEqual(found["b"], of_columns + [["b SS", "CEEE"], ["b PP", ""]])
        self.assertIn(">SS_cons</text>", str(found["picture"]))
        cell, height = found["size"]  # type: ignore[misc]
        waves = re.findall(r'<path d="M([\d.]+) [^"]*L([\d.]+) [\d.]+" fill="none" '
                           'stroke="#c23b5a"', str(found["picture"]))
        # HH of the columns, and HHH of row a; the last C of both is a letter.
        self.assertEqual([round((float(to) - float(start)) / cell) for start, to in waves], [2, 3])
        arrow = re.search(r'<path d="M([\d.]+) ([\d.]+)L.*?" fill="#d99600"', str(found["arrow"]))
        assert arrow
        points = re.findall(r"[ML]([\d.]+) ([\d.]+)", arrow.group(0))
        self.assertEqual(len(points), 7)
        self.assertAlmostEqual(float(points[3][0]) - float(points[0][0]), 3 * cell)
        self.assertAlmostEqual(float(points[4][1]) - float(points[2][1]), height - 4)
        self.assertEqual((found["hidden"], found["none"]), (True, []))

    def test_tracks(self) -> None:
        """The page of an alignment with tracks shows them as lines of their rows."""
        data = ROOT / "datasets"
        page = self.example("--track", str(data / "example.ss3.fa"), "--track-matrix", "ss3")
        found = self.driven(page, """
            move(2, 0); const found = { name: data.names[2], lines: linesShown().map(l => l.tag),
              text: linesShown()[0].text, row: rowText(2, 0, msa.columns) };""")
        name, text, row = str(found["name"]), str(found["text"]), str(found["row"])
        self.assertEqual(found["lines"], [f"{name} SS"])
        tracks = rows_of(data / "example.ss3.fa")
        self.assertEqual("".join(t for t, c in zip(text, row, strict=True) if c != "-"),
                         tracks[name])

    def test_patterns(self) -> None:
        """Wildcards and patterns of PROSITE, over gaps, and the list of the hits."""
        text = ">C-x\nMC--AACSTP\n>b\nMCAACSTWCC\n"
        found = self.viewed(text, """
            const found = { hits: {} };
            for (const pattern of ['c??c', 'C-x(2)-C', 'C-x(2,3)-[ST]-{P}', '[ST](2)', 'C-x-A>',
                '<M-C', 'C-C>', 'c-x', '[S', 'x(3,2)-C', '{C}-S', 'zz']) {
              $('search').value = pattern; search();
              found.hits[pattern] = matches.map(m => m.from === undefined ? data.names[m.row]
                : [m.row, m.from, m.to]);
              if (pattern === 'C-x(2)-C') {
                keys.f(); found.list = [...$('hitlist').children].map(li => li.textContent);
                found.head = $('hithead').textContent;
                $('hitlist').lastElementChild.firstElementChild.click();
                found.at = [cursor.row, cursor.column, $('hitbox').open];
              }
            }
            $('search').value = '[S'; search(); found.says = $('found').textContent;""")
        self.assertEqual(found["hits"], {
            "c??c": [[0, 1, 6], [1, 1, 4]], "C-x(2)-C": [[0, 1, 6], [1, 1, 4]],
            "C-x(2,3)-[ST]-{P}": [[0, 1, 8], [1, 1, 6]], "[ST](2)": [[0, 7, 8], [1, 5, 6]],
            "C-x-A>": [], "<M-C": [[0, 0, 1], [1, 0, 1]], "C-C>": [[1, 8, 9]],
            "c-x": ["C-x", [0, 1, 4], [0, 6, 7], [1, 1, 2], [1, 4, 5], [1, 8, 9]], "[S": [],
            "x(3,2)-C": [], "{C}-S": [], "zz": []})
        self.assertEqual(found["list"], ["C-x: 2 to 5, CAAC", "b: 2 to 5, CAAC"])
        self.assertEqual((found["head"], found["at"]), ("2 hits", [1, 1, False]))
        self.assertEqual(found["says"], "no pattern of PROSITE")

    def test_selection(self) -> None:
        """Rows and columns that are selected, as FASTA with the numbers of the residues."""
        found = self.viewed(">a one\nMK-VLA\n>b\n----LA\n>c\nMKWVLA\n", """
            move(0, 1); keys.m(); move(0, 3); keys.m(); choose(0, false); choose(1, false);
            const found = { part: fasta(), said: $('said').textContent, chosen: columnsChosen() };
            keys.m(); found.rows = fasta();
            chooseColumns(4, 5); selected.delete(0); found.pointer = fasta();
            keys.Escape(); move(2, 0); found.none = fasta();""")
        self.assertEqual(found["part"], ">a/2-3 one\nK-V\n>b\n---\n")
        self.assertEqual(found["chosen"], {"from": 1, "to": 3})
        self.assertEqual(found["rows"], ">a one\nMK-VLA\n>b\n----LA\n")
        self.assertEqual(found["pointer"], ">b\nLA\n")
        self.assertEqual(found["none"], ">c\nMKWVLA\n")
        found = self.viewed(">a/12-16 one\nMK-VLA\n>b/12-99\nMKWVLA\n", """
            const found = { says: [[0, 3], [0, 2], [1, 3]].map(([row, column]) => {
              tell({ row, column }); return $('status').textContent; }) };
            chooseColumns(1, 3); choose(0, false); choose(1, false); found.part = fasta();""")
        says = found["says"]
        assert isinstance(says, list)
        for said, number in zip(says, (" V14 ", " gap behind residue 13 ", " V4 ")):
            self.assertIn(number, said)
        self.assertEqual(found["part"], ">a/13-14 one\nK-V\n>b/12-99/2-4\nKWV\n")

    def test_pictures(self) -> None:
        """A PNG at a scale has the pixels of the screen times it; pictures have no cursor, and the
        command for a figure is one that the program takes."""
        found = self.viewed(">a\nMKVL\n>b\nMRVL\n", """
            resize(); const screen = [canvas.width, canvas.height], found = {};
            asPicture(4, () => { found.times = [canvas.width / screen[0],
              canvas.height / screen[1]]; });
            found.back = [canvas.width, canvas.height].join() === screen.join();
            selected.add(0); found.marks = /#2b7de9|stroke-width="1.5"/.test(svgText());
            chooseColumns(1, 2); $('colour').value = 'zappo'; $('logo').checked = true;
            found.command = figureCommand();""")
        self.assertEqual((found["times"], found["back"], found["marks"]), ([4, 4], True, False))
        command = str(found["command"])
        self.assertEqual(command, "accord view MSA -o figure.svg --colours zappo --above "
                         "conservation,logo --columns 2-3 --no-confidence")
        words = command.replace("MSA", "a.fa").split()[1:]
        self.accord(*words)
        self.assertIn(">bits</text>", (self.directory / "figure.svg").read_text(encoding="utf-8"))

    def test_print(self) -> None:
        """Printing gives a PDF of one page with the alignment, without the controls."""
        self.page_of(">a\nMKVL\n>b\nMRVL\n")
        pdf = self.directory / "a.pdf"
        self.chromium("--no-pdf-header-footer", f"--print-to-pdf={pdf}",
                      (self.directory / "a.html").as_uri())
        data = pdf.read_bytes()
        self.assertTrue(data.startswith(b"%PDF-"))
        self.assertEqual(data.count(b"/Type /Page\n"), 1)
        found = self.viewed(">a\nMKVL\n", """
            const rules = [...document.styleSheets[0].cssRules].filter(r =>
              r.media && r.media.mediaText === 'print')[0].cssText;
            const found = { rules, size: [] };
            const w = canvas.width; dispatchEvent(new Event('beforeprint'));
            found.size = [canvas.width / w, isPicture];
            dispatchEvent(new Event('afterprint')); found.size.push(isPicture);""")
        self.assertIn(".tools", str(found["rules"]))
        size = found["size"]
        assert isinstance(size, list)
        self.assertEqual((size[1:], size[0] > 1), ([True, False], True))

    def test_several_files(self) -> None:
        """A page of several files shows the one that the address says, and offers the others."""
        self.write("b.sto", "# STOCKHOLM 1.0\nx MKV\ny MRV\n//\n")
        self.write("a.fa", ">a\nMKVL\n")
        subprocess.run([ACCORD, "view", "a.fa", "b.sto", "--no-confidence", "-q", "-o", "s.html"],
                       check=True, cwd=self.directory)
        page = (self.directory / "s.html").read_text(encoding="utf-8")
        script = """const found = { names: data.names, link: linkText(),
            files: [...$('file').options].map(o => o.text), shown: $('file').value,
            seen: !$('file').parentElement.hidden };"""
        found = self.driven(page, script)
        self.assertEqual((found["names"], found["shown"], found["seen"]), (["a"], "0", True))
        self.assertEqual(found["files"], ["a.fa", "b.sto"])
        found = self.driven(page, script, "#file=2&row=y&column=2")
        self.assertEqual((found["names"], found["shown"]), (["x", "y"], "1"))
        self.assertEqual(found["link"], "#row=y&column=2&file=2")
        self.assertEqual(self.driven(page, script, "#file=9")["shown"], "1")
        self.write("e.efa", "<p0\n>a\nMK-\n>b\nM-K\n<p1\n>a\nMK\n>b\nMK\n")
        found = self.driven(self.page_of(">a\nMK\n", "e.efa"), script, "#file=3")
        self.assertEqual((found["files"], found["shown"]),
                         (["a.fa", "e.efa:p0", "e.efa:p1"], "2"))
        refused = subprocess.run([ACCORD, "view", "e.efa", "-o", "x.svg"], cwd=self.directory,
                                 capture_output=True, text=True, check=False)
        self.assertIn("a figure is of one alignment, and e.efa has 2 (p0, p1)", refused.stderr)

    def test_several_alignments_in_a_file(self) -> None:
        """Of Stockholm with several, the page offers all by their names, and figures take one."""
        of = "# STOCKHOLM 1.0\n#=GF ID {}\n{} MKV\n{} M-V\n#=GC RF {}\n//\n"
        text = of.format("PF1", "a", "b", "x.x") + of.format("PF2/x", "c", "d", "xxx") + \
            of.format("<i>", "e", "f", "..x")
        script = """const found = { names: data.names, title: $('title').textContent,
            files: [...$('file').options].map(o => o.text), lines: data.lines.map(l => l.text) };"""
        page = self.page_of(text, name="s.sto")
        files = ["s.sto:PF1", "s.sto:PF2/x", "s.sto:<i>"]
        for k, rows in enumerate((["a", "b"], ["c", "d"], ["e", "f"])):
            found = self.driven(page, script, f"#file={k + 1}")
            self.assertEqual(found, {"names": rows, "title": files[k], "files": files,
                                     "lines": [("x.x", "xxx", "..x")[k]]})
        for name, rows in (("PF2/x", ["c", "d"]), ("3", ["e", "f"])):
            found = self.driven(self.page_of(text, "--replicate", name, name="s.sto"), script)
            self.assertEqual(found["names"], rows)
            self.accord("view", "s.sto", "--replicate", name, "-o", "s.svg", "--no-confidence")
            svg = (self.directory / "s.svg").read_text(encoding="utf-8")
            self.assertIn(f">{rows[0]}</text>", svg)
        for options, message in (((), "and s.sto has 3 (PF1, PF2/x, <i>)"),
                                 (("--replicate", "PF9"), "none is named \"PF9\"")):
            refused = subprocess.run([ACCORD, "view", "s.sto", "-o", "x.svg", *options],
                                     cwd=self.directory, capture_output=True, text=True,
                                     check=False)
            self.assertIn(message, refused.stderr)

    def test_marked_rows(self) -> None:
        """Rows that a file names are marked, and can be shown alone."""
        self.write("names", "c\r\n\na\n")
        script = """const found = { marked: data.names.filter((_, r) => core[r]),
            options: [...$('rows').options].map(o => o.text).slice(0, 3),
            legend: $('grouplegend').textContent };
            $('rows').value = 'core'; changeRows(); found.shown = shown.map(r => data.names[r]);"""
        text = ">a b\nMKVL\n>b\nMRVL\n>c\nMKIL\n"
        self.write("t.nwk", "(c:1,(a:1,b:1):1);")
        for options in ((), ("--tree", "t.nwk")):
            found = self.driven(self.page_of(text, "--mark", "names", *options), script)
            marked = ["c", "a"] if options else ["a", "c"]
            self.assertEqual(found, {"marked": marked, "shown": marked, "legend": "marked rows",
                                     "options": ["all", "marked (2)", "others (1)"]})
        self.write("names", "c\nnobody\n")
        refused = subprocess.run([ACCORD, "view", "a.fa", "--mark", "names", "-o", "x.html"],
                                 cwd=self.directory, capture_output=True, text=True, check=False)
        self.assertIn("no alignment has a row nobody", refused.stderr)
        self.assertFalse((self.directory / "x.html").exists())

    def test_commands(self) -> None:
        """convert, confidence and codon write pages, too."""
        self.write("a.sto", "# STOCKHOLM 1.0\na MKVL\nb MRVL\n#=GC RF xxxx\n//\n")
        self.accord("convert", "a.sto", "-o", "/dev/null", "--html", "c.html")
        self.accord("confidence", "a.sto", "--html", "d.html", "--device", "none")
        self.write("g.fa", ">a\nATGAAAGTT\n>b\nATGGTT\n")
        self.write("b.fa", ">c\nMKIL\n")
        self.accord("merge", "a.sto", "b.fa", "--html", "m.html", "--device", "none", "-o", "m.fa")
        self.accord("codon", "g.fa", "-o", "g.aln", "--html", "e.html", "--device", "none")
        found = {}
        for name in ("c", "d", "e", "m"):
            page = (self.directory / f"{name}.html").read_text(encoding="utf-8")
            found[name] = self.driven(page, """const found = { sure: msa.hasConfidence,
                title: data.title, tags: data.lines.map(l => l.tag),
                rows: data.names.map((_, r) => rowText(r, 0, msa.columns)) };""")
        self.assertEqual(found["m"]["rows"], list(rows_of(self.directory / "m.fa").values()))
        self.assertEqual(found["c"], {"sure": False, "title": "a.sto", "tags": ["RF"],
                                      "rows": ["MKVL", "MRVL"]})
        self.assertEqual((found["d"]["sure"], found["d"]["tags"]), (True, ["RF"]))
        self.assertEqual((found["e"]["sure"], found["e"]["rows"]),
                         (True, list(rows_of(self.directory / "g.aln").values())))


if __name__ == "__main__":
    unittest.main()
