"""Tests of the page of an alignment (--html): what its scripts make of the data."""
import json
import re
import unittest
from collections.abc import Mapping, Sequence
from urllib.parse import quote

from pages import Found, PageHarness, rows_of
from support import ROOT

# Runs after the page's own script.
SCRIPT = """
const found = { consensus: msa.consensus, regions: regions.slice(0, 3), first: cursor.column,
                shown: visible().c0 };
showRegion();
found.column = cursor.column;
found.status = $('status').textContent;
found.colours = [...$('colour').options].filter(o => !o.disabled).map(o => o.value);
found.pictures = found.colours.map(colour => { $('colour').value = colour; return svgText(); });
$('search').value = SEARCHED; search();
found.found = $('found').textContent;
$('report').onclick();
found.report = { top: $('reportbox').scrollTop,
                 scrolls: $('reportbox').scrollHeight > $('reportbox').clientHeight };
"""

class PageTest(PageHarness):
    """What the page's script makes of an alignment."""

    def open_page(self, page: str, searched: str) -> Found:
        """What SCRIPT finds in a page."""
        return self.driven(page, SCRIPT.replace("SEARCHED", json.dumps(searched)))

    def test_example(self) -> None:
        """Consensus, least certain regions, search, and pictures in every colouring."""
        page = self.example()
        rows = [row.upper() for row in rows_of(self.directory / "x.fa").values()]
        found = self.open_page(page, rows[0].replace("-", "")[10:16])
        self.assertEqual(len(str(found["consensus"])), len(rows[0]))
        for letter, column in zip(str(found["consensus"]), zip(*rows)):
            most = max(column.count(other) for other in set(column) - {"-"})
            if letter == "-":
                self.assertGreater(2 * column.count("-"), len(rows))
                continue
            self.assertEqual(column.count(letter.upper()), most)
            self.assertEqual(letter.isupper(), 2 * most >= len(rows))
        regions = found["regions"]
        assert isinstance(regions, list) and regions
        self.assertEqual(found["column"], regions[0]["from"])
        self.assertIn(f"columns {regions[0]['from'] + 1} to", str(found["status"]))
        means: list[float] = [region["mean"] for region in regions]
        self.assertEqual(means, sorted(means))
        self.assertEqual(found["colours"], ["faded", "residues", "safe", "confidence", "clustal",
                                            "zappo", "taylor", "hydrophobicity", "identity",
                                            "blosum62", "none"])
        pictures = found["pictures"]
        assert isinstance(pictures, list)
        self.assertEqual(len(set(pictures)), len(pictures))
        for picture in pictures:
            self.assertTrue(picture.startswith("<svg ") and picture.endswith("</svg>\n"))
            self.assertIn(">seq1</text>", picture)
            self.assertEqual(picture.count("<g "), picture.count("</g>"))
        self.assertTrue(str(found["found"]).startswith("1 of "))
        self.assertEqual(found["report"], {"top": 0, "scrolls": True})

    def test_agreement(self) -> None:
        """The page of a comparison: its word in the status and the colours, a track for each
        alignment, and the other alignments, in which the same residue stays under the cursor."""
        data = ROOT / "datasets"
        page = self.directory / "c.html"
        self.accord("compare", str(data / "example.true.fa"), str(data / "example.aln"),
                    "-o", "/dev/null", "--html", str(page))
        text = page.read_text(encoding="utf-8")
        found = self.open_page(text, "zzz")
        self.assertIn("mean agreement 0.", str(found["status"]))
        pictures = found["pictures"]
        assert isinstance(pictures, list)
        for picture in pictures:
            self.assertIn(">agreement</text>", picture)
            self.assertRegex(picture, r"example\.aln</text>|\u2026")
            self.assertNotIn("confidence", picture)
        found = self.driven(text, """
            const rows = () => data.names.map((_, r) => rowText(r, 0, msa.columns));
            const found = { names: data.names, shown: rows() };
            move(3, msa.column[msa.start[3] + 60]);
            const above = bodyTop(), x = placeOfColumn[cursor.column] * cell - view.scrollLeft;
            showAlignment(1);
            found.moved = [bodyTop() - above,
                           placeOfColumn[cursor.column] * cell - view.scrollLeft - x];
            found.other = rows(); found.link = linkText();
            found.number = residueAt(3, cursor.column).number;
            found.says = $('facts').textContent;
            found.choices = [...$('alignment').options].map(o => o.text);""")
        names = found["names"]
        assert isinstance(names, list)
        self.accord("convert", str(data / "example.aln"), "-o", "other.fa")
        for key, rows in (("shown", rows_of(data / "example.true.fa")),
                          ("other", rows_of(self.directory / "other.fa"))):
            self.assertEqual(found[key], [rows[name] for name in names])
        self.assertEqual(found["number"], 61)
        self.assertEqual(found["moved"], [0, 0])
        self.assertTrue(str(found["link"]).endswith("&alignment=2"))
        self.assertEqual(found["choices"], ["example.true.fa", "example.aln"])
        self.assertIn("mean agreement 0.", str(found["says"]))

    def test_ensemble(self) -> None:
        """The page of an ensemble: all replicates, the best one marked, in which the same residue
        stays under the cursor; their agreement and shares of columns are those of the tables."""
        page = self.ensemble("-n", "6", "--columns-out", "columns.tsv", "--replicates-out", "r.tsv")
        found = self.driven(page, """
            const found = { names: data.names, replicates: [], numbers: [], regions: [],
              choices: [...$('alignment').options].map(o => o.text),
              label: $('alignment').labels[0].textContent.trim().split(' ')[0],
              means: $('meaning').textContent.slice(0, 24), button: $('uncertain').textContent };
            move(3, msa.column[msa.start[3] + 60]);
            for (let k = 0; k < sources.length; ++k) {
              $('alignment').value = String(k); $('alignment').onchange();
              found.numbers.push(residueAt(3, cursor.column).number);
              found.replicates.push({ rows: data.names.map((_, r) => rowText(r, 0, msa.columns)),
                agreement: msa.confidence, same: msa.tracks[0].values });
              const at = cursor; showRegion();
              found.regions.push(regions[0].from === cursor.column && at.row === cursor.row);
              move(at.row, at.column);
            }
            keys.a(); found.first = msa === decoded[0];
            found.picture = svgText();""")
        parts = (self.directory / "x.efa").read_text(encoding="utf-8").split("<")[1:]
        table = [line.split("\t") for line in
                 (self.directory / "r.tsv").read_text(encoding="utf-8").splitlines()[1:]]
        self.assertEqual(found["choices"], [row[0] + (" (best)" if row[4] == "yes" else "")
                                            for row in table])
        self.assertEqual((found["label"], found["button"], found["means"]),
                         ("Alignment", "Least agreement", "Agreement is the share o"))
        self.assertEqual(found["numbers"], [61] * 6)
        self.assertEqual(found["regions"], [True] * 6)
        self.assertTrue(found["first"])
        self.assertIn(">same column</text>", str(found["picture"]))
        names, replicates = found["names"], found["replicates"]
        assert isinstance(names, list) and isinstance(replicates, list)
        shares = [line.split("\t") for line in
                  (self.directory / "columns.tsv").read_text(encoding="utf-8").splitlines()[1:]]
        for k, (part, replicate) in enumerate(zip(parts, replicates, strict=True)):
            name, _, fasta = part.partition("\n")
            one = self.write(f"{k}.fa", fasta)
            rows = rows_of(one)
            self.assertEqual(replicate["rows"], [rows[row] for row in names])
            self.assertEqual([f"{share:.4f}" for share in replicate["same"]],
                             [row[3] for row in shares if row[0] == name])
        others = [f"{k}.fa" for k in range(6) if k != 2]
        self.accord("compare", "2.fa", *others, "--table", "where.tsv", "-o", "/dev/null")
        lines = (self.directory / "where.tsv").read_text(encoding="utf-8").splitlines()[1:]
        self.assertEqual(["NA" if value is None else f"{value:.4f}"
                          for value in replicates[2]["agreement"]],
                         [line.split("\t")[6] for line in lines if line.startswith("column")])

    def opened(self, letters: list[str]) -> tuple[list[str], Found]:
        """The rows of the page of a family, and what is found in it."""
        family = self.write("family.fa", "".join(f">s{k}\n{text}\n"
                                                 for k, text in enumerate(letters)))
        self.accord(str(family), "--device", "none", "-o", "family.out.fa", "--html",
                    "family.html")
        text = (self.directory / "family.html").read_text(encoding="utf-8")
        return (list(rows_of(self.directory / "family.out.fa").values()),
                self.open_page(text, "zzz"))

    def test_the_first_column_seen(self) -> None:
        """It opens where more than half of the rows have a residue, three columns before at the
        left edge; at the first column if all rows begin there."""
        core = "MKVLAAGIVGLCWDEFHKRSTNPQYHWMCE" * 6
        tail = "GAVLIMFWPSTCYNQDEKRH" * 3
        rows, found = self.opened([tail + core, tail[:20] + core, core, core[2:], core])
        shared = [2 * sum(row[c] != "-" for row in rows) > len(rows) for c in range(len(rows[0]))]
        self.assertGreater(shared.index(True), 40)
        self.assertEqual((found["first"], found["shown"]),
                         (shared.index(True), shared.index(True) - 3))
        _, found = self.opened([core, core[:-4], core])
        self.assertEqual((found["first"], found["shown"]), (0, 0))

    def test_link(self) -> None:
        """The fragment of the address says row and column, and is followed."""
        page = self.example()
        name = "seq4"
        script = """const found = { row: data.names[cursor.row], column: cursor.column + 1,
                      sees: visible().c0 <= cursor.column && cursor.column < visible().c1 };
                    move(2, 7); writeLink();
                    found.hash = location.hash; found.then = data.names[2];"""
        found = self.driven(page, script, f"#row={quote(name)}&column=100", "--window-size=800,600")
        self.assertEqual((found["row"], found["column"], found["sees"]), (name, 100, True))
        self.assertEqual(found["hash"], f"#row={found['then']}&column=8")
        found = self.driven(page, script, "#row=nobody&column=0")
        self.assertEqual(found["column"], 1)

    def check_preview(self, page: str, msa: str, rules: Sequence[Mapping[str, float]]) -> None:
        """Compares the preview of controls with what accord trim does with the same options."""
        found = self.driven(page, f"""
            toggleTrim(true);
            const off = {{ gaps: 0.9, sure: 0, rowgaps: 1, ends: false, codons: false }};
            const found = {{ all: {json.dumps(rules)}.map(rule => {{
              for (const [id, value] of Object.entries({{ ...off, ...rule }}))
                if ($(id).type === 'checkbox') $(id).checked = value; else $(id).value = value;
              previewTrim();
              return {{ fates: [...cut].map(f => FATES[f]), command: $('command').textContent,
                       rows: data.names.filter((_, r) => rowGoes[r]).sort() }};
            }}) }};""")
        previews = found["all"]
        assert isinstance(previews, list)
        names = {"sure": "--min-confidence", "rowgaps": "--max-row-gaps", "ends": "--ends",
                 "codons": "--codons"}
        for rule, preview in zip(rules, previews, strict=True):
            options = ["--max-gaps", str(rule.get("gaps", 0.9))]
            for key, option in names.items():
                if key in rule:
                    options += [option] if rule[key] is True else [option, str(rule[key])]
            self.accord("trim", msa, "--device", "none", "-o", "/dev/null", "--map", "map.tsv",
                        "--left-out", "out.tsv", *options)
            table = (self.directory / "map.tsv").read_text(encoding="utf-8").split("\n")[1:-1]
            gone = (self.directory / "out.tsv").read_text(encoding="utf-8").split("\n")
            with self.subTest(options=options):
                self.assertEqual(preview["fates"], [line.split("\t")[-1] for line in table])
                self.assertEqual(preview["rows"], sorted(
                    line.split("\t")[1] for line in gone if line.startswith("row\t")))
                self.assertEqual(preview["command"], "accord trim MSA " + " ".join(options))

    def test_trim_preview(self) -> None:
        """The columns and rows that the page says go are those that accord trim leaves out."""
        self.check_preview(self.example(), "x.fa", [
            {}, {"gaps": 0.3}, {"gaps": 1, "sure": 0.7}, {"gaps": 0.5, "sure": 0.62},
            {"gaps": 0.2, "sure": 0.7, "ends": True}, {"gaps": 0.25, "ends": True},
            {"rowgaps": 0.1}, {"gaps": 0.2, "rowgaps": 0.15}, {"gaps": 0, "rowgaps": 0.16},
            {"sure": 0.7, "rowgaps": 0.5}])

    def test_no_preview_of_what_is_not_known(self) -> None:
        """Where a page has some of the rows, or the confidence of some pairs, which is not the one
        that the command computes."""
        page = self.example()
        script = """keys.x(); const found = { hidden: [$('trim').hidden, $('trimbar').hidden,
                      $('sure').parentElement.hidden] };"""
        self.assertEqual(self.driven(page, script), {"hidden": [False, False, False]})
        part = page.replace('"part":false', '"part":true')
        self.assertEqual(self.driven(part, script), {"hidden": [True, True, False]})
        some = self.example("--large", "always", "--backbone", "4")
        self.assertEqual(self.driven(some, script), {"hidden": [False, False, True]})

    def test_trim_preview_of_codons(self) -> None:
        """Whole codons go, as the command has them go, also where a codon lacks one column."""
        rows = ["ATGGCCAAA---CTGTAA", "ATG-CC------CTGTAA", "ATG-CCAAA---C-GTAA",
                "------AA--GGCTGTAA"]
        self.write("codons.fa", "".join(f">s{k}\n{row}\n" for k, row in enumerate(rows)))
        self.accord("trim", "codons.fa", "--max-gaps", "1", "-o", "/dev/null", "--html", "c.html")
        page = (self.directory / "c.html").read_text(encoding="utf-8")
        self.check_preview(page, "codons.fa", [
            {"gaps": gaps, **more} for gaps in (0, 0.25, 0.5, 0.75, 1)
            for more in ({"codons": True}, {}, {"codons": True, "ends": True},
                         {"rowgaps": 0.4, "codons": True})])
        found = self.driven(self.example(), "toggleTrim(true); const found = "
                            "{ offered: !$('codons').parentElement.hidden };")
        self.assertEqual(found, {"offered": False})

    def test_rows_that_go(self) -> None:
        """They are told of, can be hidden, and leave the confidence of fewer rows unknown."""
        found = self.driven(self.example(), """
            toggleTrim(true); $('sure').value = 0.7; $('rowgaps').value = 0.1; previewTrim();
            const goes = data.names.map((_, r) => r).filter(r => rowGoes[r]), found = { goes };
            found.sure = [$('sure').disabled, $('surevalue').textContent];
            tell({ row: goes[0], column: 0 }); found.says = $('status').textContent;
            found.count = $('cutcount').textContent;
            $('hide').click(); found.shown = [...shown];
            move(goes[0], 40); found.then = shown.length;
            $('rowgaps').value = 0; previewTrim(); found.none = $('cutcount').textContent;
            found.copy = $('copycommand').hidden;
            toggleTrim(false); found.closed = rowGoes.includes(1);""")
        goes, shown = found["goes"], found["shown"]
        assert isinstance(goes, list) and isinstance(shown, list)
        self.assertTrue(0 < len(goes) < 8)
        self.assertEqual(found["sure"], [True, "off"])
        self.assertIn("row goes", str(found["says"]))
        self.assertIn(f"{8 - len(goes)} of 8 rows and ", str(found["count"]))
        self.assertEqual(shown, [r for r in range(8) if r not in goes])
        self.assertEqual(found["then"], 8)  # a row that is hidden shows all again
        self.assertEqual((found["none"], found["copy"], found["closed"]),
                         ("no row stays, which accord trim refuses", True, False))

    def test_hidden_columns(self) -> None:
        """Columns that go can be hidden: places and numbers of the others stay right."""
        page = self.example()
        row = next(iter(rows_of(self.directory / "x.fa").values()))
        found = self.driven(page, """
            toggleTrim(true); $('gaps').value = 0; previewTrim(); $('hide').click();
            const found = { shown: [...columnsShown], cut: [...cut] };
            keys.Home(); keys.ArrowRight({}); found.second = cursor.column;
            keys.End(); found.last = cursor.column;
            $('colour').value = 'none';
            found.letters = [...svgText().matchAll(/>([A-Z])<\\/text>/g)].map(m => m[1]);
            move(0, found.cut.findIndex(f => f > 0)); found.then = columnsShown.length;""", "",
            "--window-size=2400,900")
        cut, shown = found["cut"], found["shown"]
        assert isinstance(cut, list) and isinstance(shown, list)
        self.assertEqual(shown, [c for c, fate in enumerate(cut) if fate == 0])
        self.assertLess(len(shown), len(row))
        self.assertEqual((found["second"], found["last"]), (shown[1], shown[-1]))
        letters = found["letters"]
        assert isinstance(letters, list)
        self.assertEqual("".join(letters[:len(shown)]), "".join(row[c] for c in shown))
        self.assertEqual(found["then"], len(row))  # a column that is hidden shows all again

    def test_page_of_trim(self) -> None:
        """It says why columns are gone, until a rule is moved."""
        self.example()
        self.accord("trim", "x.fa", "--columns", "5-90", "--max-gaps", "0.5", "-o", "/dev/null",
                    "--map", "map.tsv", "--html", "cut.html")
        found = self.driven((self.directory / "cut.html").read_text(encoding="utf-8"), """
            const found = { fates: [...cut].map(f => FATES[f]), open: !$('trimbar').hidden };
            $('gaps').value = 1; previewTrim();
            found.then = [...cut].some(f => f > 0);""")
        table = (self.directory / "map.tsv").read_text(encoding="utf-8").split("\n")[1:-1]
        self.assertEqual(found, {"fates": [line.split("\t")[-1] for line in table], "open": True,
                                 "then": False})

    def test_given_tree(self) -> None:
        """The tree of --tree stands beside the rows, in their order."""
        tree = "((seq1:1,(seq8:2,seq5:1):1):1,((seq2:1,seq7:1):1,(seq3:1,(seq4:1,seq6:4):1):1):1);"
        self.write("t.nwk", tree)
        found = self.driven(self.example("--tree", "t.nwk"), """
            const clades = [];
            for (let k = tree.n; k < tree.total; ++k)
              clades.push(data.names.slice(tree.low[k], tree.high[k] + 1).sort().join());
            const deepest = [...tree.x].indexOf(tree.far);
            const found = { names: data.names, clades: clades.sort(), far: tree.far,
                            deepest: data.names[tree.low[deepest]] };""")
        names = re.findall(r"seq\d", tree)
        self.assertEqual(found["names"], names)
        self.assertEqual(found["clades"], sorted([
            "seq5,seq8", "seq1,seq5,seq8", "seq2,seq7", "seq4,seq6", "seq3,seq4,seq6",
            "seq2,seq3,seq4,seq6,seq7", ",".join(sorted(names))]))
        self.assertEqual((found["far"], found["deepest"]), (7, "seq6"))

    def test_copied_rows(self) -> None:
        """Selected rows and clades as FASTA; clades widen to the whole tree."""
        page = self.example()
        found = self.driven(page, """
            const found = { one: fasta() };
            choose(1, false); choose(3, true); found.three = fasta(); chooseNone();
            move(0, 0); found.clades = [];
            for (let k = 0; k < 9; ++k) { keys.w(); found.clades.push([...selected].sort()); }
            chooseNone(); chooseClade(nodeAt(nodeX(tree.n), bodyTop() + (tree.y[tree.n] + 0.5) *
              height())); found.node = [...selected].length;
            found.rowsOfNode = tree.high[tree.n] - tree.low[tree.n] + 1;""")
        text = (self.directory / "x.fa").read_text(encoding="utf-8")
        records = [f">{r.split()[0]}\n{''.join(r.splitlines()[1:])}\n" for r in text.split(">")[1:]]
        self.assertEqual(found["one"], records[0])
        self.assertEqual(found["three"], "".join(records[1:4]))
        clades = found["clades"]
        assert isinstance(clades, list)
        self.assertEqual(clades[0], [0])
        self.assertEqual(clades[-1], list(range(8)))
        for narrow, wide in zip(clades, clades[1:]):
            self.assertLessEqual(set(narrow), set(wide))
        self.assertGreaterEqual(len({len(clade) for clade in clades}), 4)
        self.assertEqual(found["node"], found["rowsOfNode"])

    def test_groups(self) -> None:
        """The backbone of a large family is told apart, and can be seen alone, with its tree; so
        are the rows that accord add was given."""
        page = self.example("--large", "always", "--backbone", "4")
        script = """const found = { options: [...$('rows').options].map(o => o.text) };
            tell({ row: data.groups.rows[0], column: 0 }); found.says = $('status').textContent;
            $('rows').value = 'core'; changeRows();
            found.shown = shown.map(r => data.names[r]);
            found.y = tree && [...tree.y].filter(y => y === y).length;
            found.hidden = [...tree ? tree.y : []].some(y => y > 3);"""
        found = self.driven(page, script)
        options = found["options"]
        assert isinstance(options, list)
        self.assertEqual(options[:3], ["all", "backbone (4)", "placed (4)"])
        self.assertIn("backbone", str(found["says"]))
        self.assertFalse(found["hidden"])
        text = (self.directory / "x.fa").read_text(encoding="utf-8")
        family = self.write("given.fa", "".join(">" + r for r in text.split(">")[1:6]))
        new = self.write("new.fa", ">new\n" + text.split(">")[6].split("\n")[1].replace("-", ""))
        self.accord("add", str(family), str(new), "--device", "none", "-o", "/dev/null", "--html",
                    "added.html")
        found = self.driven((self.directory / "added.html").read_text(encoding="utf-8"), script)
        options, shown = found["options"], found["shown"]
        assert isinstance(options, list) and isinstance(shown, list)
        self.assertEqual(options[:3], ["all", "given (5)", "added (1)"])
        self.assertEqual(sorted(shown), sorted(r.split()[0] for r in text.split(">")[1:6]))

    def test_gaps_of_wide_rows(self) -> None:
        """Long gaps are numbers in the file, and gaps again in the page."""
        rows = [["MK", "-" * 12, "L", "-" * 130, "A--W"], ["-" * 147, "CW"]]
        wide = self.write("wide.fa", "".join(f">s{k}\n{''.join(r)}\n" for k, r in enumerate(rows)))
        self.accord("trim", str(wide), "--max-gaps", "1", "-o", "/dev/null", "--html", "w.html")
        page = (self.directory / "w.html").read_text(encoding="utf-8")
        self.assertIn('"rows":["MK12L130A--W","147CW"]', page)
        found = self.driven(page, """const found = {
            rows: data.names.map((_, r) => rowText(r, 0, msa.columns)),
            parts: [rowText(0, 13, 20), residueAt(0, 146).number, residueAt(0, 146).is] };""")
        self.assertEqual(found["rows"], ["".join(row) for row in rows])
        self.assertEqual(found["parts"], ["-L-----", 4, False])

    def test_long_names(self) -> None:
        """A name of ten thousand letters is cut to its place, in steps that halve it."""
        long = self.write("long.fa", f">{'b' * 5000}{'e' * 5000}\nMKVL\n>short\nMKIL\n")
        self.accord("trim", str(long), "--max-gaps", "1", "-o", "/dev/null", "--html", "long.html")
        page = (self.directory / "long.html").read_text(encoding="utf-8")
        found = self.driven(page, """
            const found = { measured: 0 }, measure = screenInk.measureText.bind(screenInk);
            screenInk.measureText = text => { ++found.measured; return measure(text); };
            screenInk.font = nameFont(); fits.clear();
            found.cut = fitted(data.names[0], 100); found.fits = measure(found.cut).width <= 100;
            found.whole = fitted('short', 100);""")
        cut = found["cut"]
        assert isinstance(cut, str) and isinstance(found["measured"], int)
        self.assertRegex(cut, "^b{4,}\u2026e{3,}$")
        self.assertEqual((found["fits"], found["whole"]), (True, "short"))
        self.assertLess(found["measured"], 30)


if __name__ == "__main__":
    unittest.main()
