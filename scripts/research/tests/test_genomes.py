"""scripts/research/genomes.py"""
import argparse
import json
import unittest

import genomes
from support import ACCORD, HarnessTest


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
        for measure in (genomes.measure_add, genomes.measure_align):
            _, errors = measure(self.directory, options, truth)["accord"]
            self.assertGreater(errors.judged, 20_000)
            self.assertLess(errors.wrong + errors.missed, errors.judged / 500)


if __name__ == "__main__":
    unittest.main()
