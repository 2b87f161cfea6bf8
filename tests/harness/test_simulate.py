"""Simulated families: what is shipped can be made again, and every option keeps the truth true."""
import subprocess
import sys
import unittest

from benchmark.datasets import read_fasta
from support import ROOT, SIMULATION, HarnessTest


class SimulateTest(HarnessTest):
    """scripts/simulation/simulate_family.py and datasets/make.sh."""

    def simulate(self, *options: object) -> dict[str, str]:
        """Rows of the true alignment by name, checked against the sequences."""
        subprocess.run([sys.executable, SIMULATION / "simulate_family.py", "--out",
                        self.directory / "x", *map(str, options)], check=True, capture_output=True)
        letters = {name[1:]: text for name, text in read_fasta(self.directory / "x.fa")}
        rows = {name[1:]: row for name, row in read_fasta(self.directory / "x.true.fa")}
        self.assertEqual({n: row.replace("-", "") for n, row in rows.items()}, letters)
        self.assertEqual(len({len(row) for row in rows.values()}), 1)
        for column in zip(*rows.values()):
            self.assertNotEqual(set(column), {"-"})
        return rows

    def test_the_shipped_families_are_what_make_sh_makes(self) -> None:
        """Byte for byte."""
        subprocess.run([ROOT / "datasets" / "make.sh", self.directory], check=True,
                       capture_output=True)
        made = sorted(path.relative_to(self.directory) for path in self.directory.rglob("*.fa"))
        here = sorted(path.relative_to(ROOT / "datasets")
                      for path in (ROOT / "datasets").rglob("*.fa")
                      # real sequences, and a track of the example
                      if path.name not in ("primates.fa", "example.ss3.fa"))
        self.assertEqual(made, here)
        for path in made:
            self.assertEqual((self.directory / path).read_bytes(),
                             (ROOT / "datasets" / path).read_bytes(), path)

    def test_types(self) -> None:
        """Proteins, DNA and RNA of the wanted number, the same for a seed."""
        for kind, alphabet in (("protein", "ACDEFGHIKLMNPQRSTVWY"), ("dna", "ACGT"),
                               ("rna", "ACGU")):
            rows = self.simulate("--type", kind, "--n", 6, "--seed", 3)
            self.assertEqual(len(rows), 6)
            self.assertLessEqual(set("".join(rows.values())), set(alphabet + "-"))
            self.assertEqual(rows, self.simulate("--type", kind, "--n", 6, "--seed", 3))
            self.assertNotEqual(rows, self.simulate("--type", kind, "--n", 6, "--seed", 4))

    def test_a_given_tree(self) -> None:
        """Leaves have its names; close leaves are more alike than distant ones."""
        tree = self.write("tree", "((near:0.01,next:0.01):2,far:2);\n")
        rows = self.simulate("--newick", tree, "--length", 300, "--indel-rate", 0)
        self.assertEqual(set(rows), {"near", "next", "far"})
        equal = {name: sum(a == b for a, b in zip(rows["near"], rows[name]))
                 for name in ("next", "far")}
        self.assertGreater(equal["next"], 280)
        self.assertLess(equal["far"], 150)

    def test_extensions_are_not_homologous(self) -> None:
        """Only the shared middle has columns with two residues."""
        rows = self.simulate("--n", 5, "--length", 60, "--identity", 0.9, "--indel-rate", 0,
                             "--extend", 40, "--seed", 2)
        shared = sum(sum(c != "-" for c in column) > 1 for column in zip(*rows.values()))
        alone = sum(sum(c != "-" for c in column) == 1 for column in zip(*rows.values()))
        self.assertEqual(shared, 60)
        self.assertGreater(alone, 40)

    def test_motifs_in_unrelated_sequence(self) -> None:
        """The root in pieces of equal length, whose columns all rows share, and between them and
        at the ends columns of one residue."""
        rows = self.simulate("--n", 5, "--length", 60, "--identity", 0.9, "--indel-rate", 0,
                             "--motifs", 3, "--spacer", 40, "--extend", 30, "--seed", 2)
        shared = [sum(c != "-" for c in column) > 1 for column in zip(*rows.values())]
        runs = [len(run) for run in "".join("s" if s else " " for s in shared).split()]
        self.assertEqual(runs, [20, 20, 20])
        self.assertGreater(shared.count(False), 3 * 40)
        for column, is_shared in zip(zip(*rows.values()), shared):
            self.assertEqual(column.count("-"), 0 if is_shared else 4)
        together = self.simulate("--n", 5, "--length", 60, "--motifs", 3, "--spacer", 0,
                                 "--seed", 2)
        self.assertEqual(together, self.simulate("--n", 5, "--length", 60, "--seed", 2))

    def test_lost_motifs(self) -> None:
        """Some sequences lack some of the motifs, none lacks all."""
        rows = self.simulate("--n", 12, "--length", 60, "--identity", 0.9, "--indel-rate", 0,
                             "--motifs", 3, "--spacer", 40, "--lost", 0.4, "--seed", 2)
        shared = [c for c in zip(*rows.values()) if sum(letter != "-" for letter in c) > 1]
        self.assertEqual(len(shared), 60)
        kept = [[row[k] != "-" for k in (0, 20, 40)] for row in zip(*shared)]
        for row, motifs in zip(zip(*shared), kept):
            for k, letter in enumerate(row):
                self.assertEqual(letter != "-", motifs[k // 20])
        self.assertTrue(all(any(motifs) for motifs in kept))
        self.assertTrue(4 < sum(motifs.count(False) for motifs in kept) < 20)

    def test_repeats_and_swapped_domains(self) -> None:
        """Units look alike; what was moved has columns of its own."""
        rows = self.simulate("--n", 4, "--length", 120, "--repeat", 3, "--identity", 0.95,
                             "--indel-rate", 0)
        full = next(row for row in rows.values() if "-" not in row)
        alike = sum(a == b for a, b in zip(full[:40], full[40:80]))
        self.assertGreater(alike, 8)  # by chance 2 of 40
        rows = self.simulate("--n", 4, "--length", 90, "--shuffle", 0.5, "--indel-rate", 0)
        self.assertEqual({len(row.replace("-", "")) for row in rows.values()}, {90})
        moved = [row for row in rows.values() if row[0] != "-"]
        self.assertEqual((len(moved), len(rows["seq1"])), (2, 120))


if __name__ == "__main__":
    unittest.main()
