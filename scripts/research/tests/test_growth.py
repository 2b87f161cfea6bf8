"""scripts/research/growth.py and scripts/research/simulate_set.py."""
import json
import math
import subprocess
import sys
import unittest
import xml.etree.ElementTree as ElementTree

from benchmark.growth import Point, exponent, exponents, figure, to_markdown
from support import ACCORD, RESEARCH, HarnessTest

TITLES = {"sequences": "Number", "length": "Length", "taxa": "Taxa"}


class GrowthTest(HarnessTest):
    """Fits, tables, and the script on tiny sizes."""

    def test_exponents_of_power_laws(self) -> None:
        """Exact ones are found; points of a moment and missing ones do not count."""
        self.assertAlmostEqual(exponent([(2, 12.0), (4, 48.0), (10, 300.0)]) or 0, 2.0)
        self.assertIsNone(exponent([(2, 12.0), (2, 13.0)]))
        points = [Point("length", n, "none", 1e-4 * n ** 1.5, 3e-4 * n ** 1.5, 1.0 * n)
                  for n in (200, 400, 1600)]
        points += [Point("length", 1, "none", 0.1, 0.1, 60.0),
                   Point("length", 6400, "none", note="not within 9 s")]
        fitted = exponents(points)
        self.assertAlmostEqual(fitted["wall_s"] or 0, 1.5)
        self.assertAlmostEqual(fitted["peak_mib"] or 0, 1.0)
        alone = [p._replace(curve="taxa", wall_s=p.wall_s / 100, cpu_s=math.nan) for p in points]
        self.assertAlmostEqual(exponents(alone[:3])["wall_s"] or 0, 1.5)
        text = to_markdown(points, TITLES)
        self.assertIn("| 6400 | - | - | - | not within 9 s |", text)
        self.assertIn("| exponent | 1.50 | 1.50 | 1.00 |", text)
        self.assertLess(text.index("| 400 |"), text.index("| 1600 |"))

    def test_the_figure(self) -> None:
        """A dot for each time and each memory; joining has no memory."""
        points = [Point(curve, n, device, n / 10, n / 10, 50.0 + n if curve == "length" else
                        math.nan) for curve in ("length", "taxa") for n in (10, 100)
                  for device in ("none", "gpu0")]
        points.append(Point("taxa", 1000, "none", note="not within 9 s"))
        svg = ElementTree.fromstring(figure(points, TITLES))
        self.assertEqual(len(list(svg.iter("{http://www.w3.org/2000/svg}circle"))), 8 + 4)
        self.assertIn("gpu0: taxa^1.00", figure(points, TITLES))

    def growth(self, *arguments: object) -> str:
        """What the script prints."""
        done = subprocess.run(
            [sys.executable, RESEARCH / "growth.py", "--accord", ACCORD, "-o",
             self.directory / "out", *map(str, arguments)], check=False, capture_output=True,
            text=True, timeout=300)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def test_measured_once_and_put_beside_other_devices(self) -> None:
        """Four curves; the second call measures nothing again."""
        sizes: list[object] = ["--sequences", "3,5", "--lengths", "20,40", "--large", "4,6",
                               "--taxa", "5,10"]
        text = self.growth(*sizes)
        for row in ("| 3 |", "| 5 |", "| 20 |", "| 40 |", "| 4 |", "| 6 |", "| 10 |"):
            self.assertIn("\n" + row, text)
        self.assertNotRegex(text, r"\| \d+ \| - \|")
        lines = (self.directory / "out" / "results.tsv").read_text(encoding="utf-8")
        self.assertEqual(lines.count("\n"), 1 + 6)
        self.assertEqual(self.growth(*sizes), text)
        results = self.directory / "out" / "results.tsv"
        self.assertEqual(results.read_text(encoding="utf-8"), lines)
        both = self.growth("--sequences", "3", "--lengths", "", "--taxa", "5", "--device", "cpu0")
        self.assertIn("residues, host\n", both)
        self.assertIn("residues, cpu0\n", both)
        self.assertTrue((self.directory / "out" / "growth.svg").is_file())
        self.assertGreater(len(json.loads((self.directory / "out" / "points.json").read_text())), 6)

    def test_points_beyond_the_limit(self) -> None:
        """The first says why, the larger ones are not tried; the other curves go on."""
        text = self.growth("--sequences", "60,80", "--lengths", "20", "--taxa", "5,10",
                           "--time-limit", "0.001")
        for size in (60, 20, 5):
            self.assertIn(f"| {size} | - | - | - | not within 0.001 s |", text)
        for size in (80, 10):
            self.assertIn(f"| {size} | - | - | - | left out, as a smaller one |", text)
        self.assertFalse((self.directory / "out" / "growth.svg").exists())
        text = self.growth("--sequences", "3,4", "--lengths", "", "--taxa", "", "--args=--bad")
        self.assertIn("| 3 | - | - | - | exit 2: ", text)


class SimulateSetTest(HarnessTest):
    """Many families at once."""

    def test_the_families_are_those_of_the_seeds(self) -> None:
        """The same bytes, on two processes, and not made twice."""
        command = [sys.executable, str(RESEARCH / "simulate_set.py"), "--families", "10",
                   "--out", str(self.directory / "set"), "-j", "2", "--truth", "--", "--n", "4",
                   "--length", "30"]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        self.assertIn("10 of them new", done.stdout)
        subprocess.run([sys.executable, RESEARCH / "simulate_family.py", "--out",
                        self.directory / "one", "--seed", "7", "--n", "4", "--length", "30"],
                       check=True, capture_output=True)
        for suffix in (".fa", ".true.fa"):
            self.assertEqual((self.directory / "set" / f"07{suffix}").read_bytes(),
                             (self.directory / f"one{suffix}").read_bytes())
        (self.directory / "set" / "03.fa").unlink()
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        self.assertIn("1 of them new", done.stdout)


if __name__ == "__main__":
    unittest.main()
