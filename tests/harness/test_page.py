"""Tests of the page of an alignment (--html) in Chromium without a screen, if it is installed."""
import json
import re
import shutil
import subprocess
import unittest
from urllib.parse import unquote

from support import ACCORD, ROOT, HarnessTest

CHROMIUM = next((path for name in ("chromium", "chromium-browser", "google-chrome")
                 if (path := shutil.which(name))), None)
# Runs after the page's own script and leaves what it found in the page.
SCRIPT = """
const found = { consensus, regions: regions.slice(0, 3), first: cursor.column,
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
document.body.innerHTML = '<pre id="found">' + encodeURIComponent(JSON.stringify(found)) + '</pre>';
"""


@unittest.skipUnless(CHROMIUM, "no Chromium")
class PageTest(HarnessTest):
    """What the page's script makes of an alignment."""

    def open_page(self, page: str, searched: str) -> dict[str, object]:
        """What SCRIPT finds in a page."""
        script = SCRIPT.replace("SEARCHED", json.dumps(searched))
        end = page.rindex("</script>")
        path = self.write("driven.html", page[:end] + script + page[end:])
        done = subprocess.run(
            [str(CHROMIUM), "--headless=new", "--no-sandbox", "--disable-gpu", "--dump-dom",
             "--window-size=1200,600", f"--user-data-dir={self.directory / 'profile'}",
             path.as_uri()], capture_output=True, text=True, check=False, timeout=120)
        match = re.search(r'<pre id="found">(.*?)</pre>', done.stdout)
        assert match, done.stdout[:2000] + done.stderr[:2000]
        found: dict[str, object] = json.loads(unquote(match.group(1)))
        return found

    def test_example(self) -> None:
        """Consensus, least certain regions, search, and pictures in every colouring."""
        subprocess.run([ACCORD, str(ROOT / "datasets" / "example.fa"), "--device", "none", "-q",
                        "-o", str(self.directory / "x.json"), "--order", "tree", "--html",
                        str(self.directory / "x.html")], check=True)
        alignment = json.loads((self.directory / "x.json").read_text(encoding="utf-8"))
        rows = [row["row"].upper() for row in alignment["sequences"]]
        page = (self.directory / "x.html").read_text(encoding="utf-8")
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
        self.assertEqual(found["colours"], ["both", "residue", "confidence", "clustal",
                                            "hydrophobicity", "none"])
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
        """The page of a comparison: its word in the status and the colours, and a track for each
        alignment."""
        data = ROOT / "datasets"
        page = self.directory / "c.html"
        subprocess.run([ACCORD, "compare", str(data / "example.true.fa"),
                        str(data / "example.aln"), "-o", "/dev/null", "--html", str(page)],
                       check=True)
        found = self.open_page(page.read_text(encoding="utf-8"), "zzz")
        self.assertIn("mean agreement 0.", str(found["status"]))
        pictures = found["pictures"]
        assert isinstance(pictures, list)
        for picture in pictures:
            self.assertIn(">agreement</text>", picture)
            self.assertRegex(picture, r"example\.aln</text>|\u2026</text>")
            self.assertNotIn("confidence", picture)

    def opened(self, letters: list[str]) -> tuple[list[str], dict[str, object]]:
        """The rows of the page of a family, and what is found in it."""
        family = self.write("family.fa", "".join(f">s{k}\n{text}\n"
                                                 for k, text in enumerate(letters)))
        page = self.directory / "family.html"
        subprocess.run([ACCORD, str(family), "--device", "none", "-q", "-o", "/dev/null",
                        "--html", str(page)], check=True)
        text = page.read_text(encoding="utf-8")
        data = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.S)
        assert data
        return json.loads(data.group(1))["rows"], self.open_page(text, "zzz")

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


if __name__ == "__main__":
    unittest.main()
