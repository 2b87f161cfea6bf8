"""Programs that repeat a table of the documents, or make a table of parameters."""
import argparse
import json
import subprocess
import sys
import unittest

from support import ACCORD, ROOT, HarnessTest

# isort: split
from benchmark import genomes


class JudgeTest(unittest.TestCase):
    """What counts as an error."""

    def test_added(self) -> None:
        """Bases in a wrong column of the reference, without their column, unknown, inserted."""
        truth = {"seq1": [0, 1, 3, 4], "a": [0, 1, 2, 3, 4], "b": [0, -1, 3, 4]}
        right = {"a": [0, 1, -1, 2, 3], "b": [0, 3, 2, 3]}
        self.assertEqual(genomes.judge_added(truth, right), (0, 0, 7))
        self.assertEqual(genomes.judge_added(truth, {"a": [0, 1, 2, -1, 3]}), (1, 1, 4))
        self.assertEqual(genomes.judge_added(truth, {"b": [0, 1, 3, 2]}), (2, 2, 3))

    def test_family(self) -> None:
        """Pairs of known bases."""
        truth = {"a": [0, 1, 2], "b": [0, 1, 2], "c": [0, -1, 2]}
        right = {name: [0, 1, 2] for name in truth}
        self.assertEqual(genomes.judge_family(truth, right), (0, 0, 7))
        shifted = {**right, "c": [1, 2, 3]}
        self.assertEqual(genomes.judge_family(truth, shifted), (2, 4, 7))


class RunTest(HarnessTest):
    """Simulated genomes, and the files of the programs."""

    def test_files(self) -> None:
        """What accord and MAFFT leave out."""
        self.write("rows.fa", ">seq1\nACGT\n>_R_a b\nA-GT\n")
        self.write("left.tsv", "sequence\tfirst\tlast\tletters\n_R_a\t2\t3\tCC\n")
        self.assertEqual(genomes.kept_by_accord(self.directory / "rows.fa",
                                                self.directory / "left.tsv"),
                         {"a": [0, -1, -1, 2, 3]})
        self.write("a.map", ">a\n# letter, position in the original sequence, position in the "
                            "reference alignment\na, 1, 1\nc, 2, -\ng, 3, 3\n")
        self.assertEqual(genomes.kept_by_mafft(self.directory / "a.map"), {"a": [0, -1, 2]})

    def test_runs(self) -> None:
        """accord makes few errors of genomes of either strand, added and from scratch."""
        options = argparse.Namespace(
            n=3, length=10_500, identity=.99, indel_rate=.05, max_indel=20, runs=2,
            run_length=100, cut=50, reversed=.5, seed=3, programs="accord", accord=str(ACCORD))
        genomes.write_inputs(self.directory, options)
        truth = json.loads((self.directory / "columns.json").read_text())
        self.assertEqual(set(truth), {"seq1", "seq2", "seq3", "seq4"})
        for task in ("add", "align"):
            _, errors = genomes.measure(task, self.directory, options, truth)["accord"]
            self.assertGreater(errors.judged, 20_000)
            self.assertLess(errors.wrong + errors.missed, errors.judged / 500)


class HelpTest(unittest.TestCase):
    """Programs that need other programs or data."""

    def test_help(self) -> None:
        """Says what they do, so that their imports are there."""
        for name in ("benchmark/genomes", "benchmark/likelihood_programs", "training/track_tables"):
            done = subprocess.run([sys.executable, ROOT / "scripts" / f"{name}.py", "--help"],
                                  capture_output=True, text=True, check=True)
            self.assertIn("usage:", done.stdout)


class TrackTableTest(HarnessTest):
    """scripts/training/track_tables.py"""

    def test_table_of_pairs(self) -> None:
        """Letters that stand together have the higher log odds; of one pair that is all equal."""
        letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghij"
        row = len(letters) * "A"
        self.write("ref/pair", f">a\n{row}\n>b\n{row}\n")
        self.write("tracks/pair", f">a\n{letters}\n>b\n{letters}\n")
        subprocess.run([sys.executable, ROOT / "scripts" / "training" / "track_tables.py", "ref",
                        "tracks", "--output", "."], cwd=self.directory, check=True)
        text = (self.directory / "track_mu.tsv").read_text(encoding="utf-8")
        self.assertIn("# estimated them from 36 pairs", text)
        of_a = next(line for line in text.splitlines() if line.startswith("A\t")).split("\t")
        self.assertGreater(float(of_a[1]), 0)
        self.assertEqual({float(odds) < 0 for odds in of_a[2:]}, {True})


if __name__ == "__main__":
    unittest.main()
