"""Each program of scripts/research that needs nothing but Python and accord, once and tiny. The
tests of their parts are in scripts/research/tests."""
import importlib.util
import os
import shutil
import subprocess
import sys
import unittest
from unittest import mock

from support import ACCORD, RESEARCH, ROOT, HarnessTest

SIMULATED = ROOT / "datasets" / "simulated"


def missing(*packages: str) -> list[str]:
    """Those of the packages that Python does not have."""
    return [name for name in packages if importlib.util.find_spec(name) is None]


class ResearchTest(HarnessTest):
    """Each runs to its end and writes what it promises."""

    def program(self, name: str, *arguments: object) -> str:
        """Runs a program in the directory of the test; returns what it prints."""
        # Compiling takes longer than these inputs do.
        environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
        done = subprocess.run([sys.executable, str(RESEARCH / name), *map(str, arguments)],
                              cwd=self.directory, capture_output=True, text=True, timeout=300,
                              check=False, env=environment)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def families_of(self, *names: str) -> None:
        """Copies simulated families to the folder `data`."""
        (self.directory / "data").mkdir()
        for name in names:
            for suffix in (".fa", ".true.fa"):
                shutil.copy(SIMULATED / (name + suffix), self.directory / "data")

    def test_help(self) -> None:
        """Of the programs that compare accord with others."""
        for name in ("adding", "likelihood_programs", "loop_registers", "page_speed",
                     "track_accuracy", "track_tables", "trim_trees"):
            self.assertIn("usage:", self.program(f"{name}.py", "--help"))

    def test_check_estimates(self) -> None:
        """One family."""
        self.assertIn("example.fa\t8\t91\t", self.program(
            "check_estimates.py", "--program", ACCORD, ROOT / "datasets" / "example.fa"))

    def test_growth(self) -> None:
        """Two points of a curve."""
        self.assertIn("\n| 5 |", self.program(
            "growth.py", "--accord", ACCORD, "-o", "out", "--sequences", "3,5", "--lengths", "",
            "--taxa", ""))
        self.assertTrue((self.directory / "out" / "growth.svg").is_file())

    def test_simulate_set(self) -> None:
        """Two families."""
        self.assertIn("2 of them new", self.program(
            "simulate_set.py", "--families", 2, "--out", "set", "-j", 1, "--", "--n", 4,
            "--length", 30))

    def test_genomes(self) -> None:
        """Two added to a reference."""
        self.assertIn("of a million pairs", self.program(
            "genomes.py", "out", "add", "--n", 2, "--length", 10_500, "--programs", "accord",
            "--accord", ACCORD))

    def test_calibration(self) -> None:
        """Two families."""
        self.assertIn("ECE", self.program("calibration.py", "--accord", ACCORD, "--families", 2))

    def test_ensemble_trees(self) -> None:
        """Two families, with accord alone."""
        self.program("simulate_families.py", "families", "--families", 2, "--taxa", "5-6",
                     "--length", 30)
        with mock.patch.dict(os.environ, PATH=""):
            self.program("ensemble_trees.py", "families", "out", "--accord", ACCORD)
        self.assertIn("AUC of columns", self.program("ensemble_tables.py", "out"))

    @unittest.skipIf(missing("numpy", "cmaes"), "needs numpy and cmaes")
    def test_tune(self) -> None:
        """A generation of a search."""
        self.families_of("easy_8")
        self.program("tune.py", "data", "--accord", ACCORD, "-o", "out", "--space", "family",
                     "--population", 4, "--half", "all", "--generations", 1)
        self.assertTrue((self.directory / "out" / "mean.json").is_file())

    @unittest.skipIf(missing("numpy", "scipy", "numba"), "needs numpy, scipy and numba")
    def test_train_context(self) -> None:
        """The tables of the built-in classes, once through a family."""
        self.write("data/tiny.fa", ">a\nMKTAYIAKQR\n>b\nMKTAYAKQR\n>c\nMKAYIAKQR\n")
        self.write("data/tiny.true.fa", ">a\nMKTAYIAKQR\n>b\nMKTAY-AKQR\n>c\nMK-AYIAKQR\n")
        self.program("train_context.py", "data", "--half", "all", "--table-epochs", 1, "-j", 1,
                     "-o", "out.json")
        self.assertTrue((self.directory / "out.json").is_file())


if __name__ == "__main__":
    unittest.main()
