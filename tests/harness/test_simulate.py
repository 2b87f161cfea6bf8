"""Simulated families: what is shipped can be made again, and every option keeps the truth true."""
import subprocess
import sys
import unittest

from support import ROOT, SIMULATION, HarnessTest

# isort: split
from benchmark.datasets import read_fasta


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

    def test_extensions_are_not_homologous(self) -> None:
        """Only the shared middle has columns with two residues."""
        rows = self.simulate("--n", 5, "--length", 60, "--identity", 0.9, "--indel-rate", 0,
                             "--extend", 40, "--seed", 2)
        shared = sum(sum(c != "-" for c in column) > 1 for column in zip(*rows.values()))
        alone = sum(sum(c != "-" for c in column) == 1 for column in zip(*rows.values()))
        self.assertEqual(shared, 60)
        self.assertGreater(alone, 40)

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
