"""Programs of others read what accord writes for them: ensembles, concatenated replicates and
weights of columns. Each test needs one of these programs on PATH."""
import os
import re
import shutil
import subprocess
import unittest
from pathlib import Path

from support import ACCORD, ROOT, HarnessTest

EXAMPLE = ROOT / "datasets" / "example.true.fa"
PROGRAMS = {"muscle": "MUSCLE 5", "iqtree2": "IQ-TREE 2", "fasttree": "FastTree",
            "raxmlHPC": "RAxML 8", "raxml-ng": "RAxML-NG"}


def is_here(program: str) -> bool:
    """Whether PATH has the program; MUSCLE 3 has the name of MUSCLE 5, but other options."""
    if not shutil.which(program):
        return False
    return program != "muscle" or "muscle 5" in subprocess.run(
        ["muscle", "-version"], capture_output=True, text=True, check=False).stdout


def needs(program: str):
    """Skips a test where a program is not here."""
    return unittest.skipUnless(is_here(program), f"needs {PROGRAMS[program]} ({program})")


def rows_of(path: Path) -> dict[str, str]:
    """Rows of an aligned FASTA file by name."""
    records = path.read_text(encoding="ascii").split(">")[1:]
    return {record.split("\n")[0].split()[0]: "".join(record.split("\n")[1:])
            for record in records}


class TreeProgramsTest(HarnessTest):
    """What each program makes of the example."""

    def setUp(self) -> None:
        """The directory of the test."""
        super().setUp()
        self.sequences = ROOT / "datasets" / "example.fa"
        self.names = set(rows_of(EXAMPLE))

    def command(self, *words: object) -> str:
        """Runs a program in the directory; what it prints."""
        done = subprocess.run([*map(str, words)], cwd=self.directory, capture_output=True,
                              text=True, timeout=300, check=False, stdin=subprocess.DEVNULL,
                              env={**os.environ, "OMP_NUM_THREADS": "1"})
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def ensemble(self, *words: object) -> None:
        """Four replicates of the example."""
        self.command(ACCORD, "ensemble", self.sequences, "-n", 4, "--device", "none", *words)

    def concatenated(self) -> int:
        """Writes long.phy; its number of columns."""
        self.ensemble("--concatenate", "-o", "long.phy")
        sequences, columns = (self.directory / "long.phy").read_text().split("\n")[0].split()
        self.assertEqual(int(sequences), len(self.names))
        return int(columns)

    def check_tree(self, newick: str) -> None:
        """The tree has all sequences."""
        self.assertEqual(set(re.findall(r"[(,]([^(),:]+):", newick)), self.names)

    @needs("muscle")
    def test_muscle_reads_an_ensemble(self) -> None:
        """It finds the replicates, by their names, and their dispersion."""
        self.ensemble("-o", "fam.efa")
        self.assertRegex(self.command("muscle", "-disperse", "fam.efa"), r"D_LP=0\.\d+")
        self.assertRegex(self.command("muscle", "-maxcc", "fam.efa", "-output", "best.afa"),
                         r"best p\d\.t\d")
        self.assertEqual(set(rows_of(self.directory / "best.afa")), self.names)

    @needs("iqtree2")
    def test_iqtree_reads_concatenated_replicates(self) -> None:
        """It finds all columns."""
        columns = self.concatenated()
        printed = self.command("iqtree2", "-s", "long.phy", "-m", "LG", "-fast", "-T", 1, "-seed",
                               1, "--prefix", "long")
        self.assertIn(f"{len(self.names)} sequences with {columns} columns", printed)
        self.check_tree((self.directory / "long.treefile").read_text())

    @needs("fasttree")
    def test_fasttree_reads_concatenated_replicates(self) -> None:
        """It makes a tree of all sequences."""
        self.concatenated()
        self.command("sh", "-c", "fasttree -quiet -nopr -lg long.phy > long.nwk")
        self.check_tree((self.directory / "long.nwk").read_text())

    @needs("raxml-ng")
    def test_raxml_ng_reads_concatenated_replicates_and_weights(self) -> None:
        """It makes a tree of all replicates, and one of weighted columns."""
        columns = self.concatenated()
        search = ["--model", "LG", "--seed", 1, "--threads", 1, "--tree", "pars{1}"]
        printed = self.command("raxml-ng", "--msa", "long.phy", "--prefix", "long", *search)
        self.assertIn(f"with {len(self.names)} taxa and {columns} sites", printed)
        self.check_tree((self.directory / "long.raxml.bestTree").read_text())
        self.command(ACCORD, "confidence", EXAMPLE, "--device", "none", "--weights", "weights.txt",
                     "-o", "columns.phy")
        self.command("raxml-ng", "--msa", "columns.phy", "--site-weights", "weights.txt",
                     "--prefix", "weighted", *search)
        self.check_tree((self.directory / "weighted.raxml.bestTree").read_text())

    @needs("raxmlHPC")
    def test_raxml_reads_weights(self) -> None:
        """The likelihood of weighted columns is that of columns that are repeated as often."""
        self.command(ACCORD, "confidence", EXAMPLE, "--device", "none", "--weights", "weights.txt",
                     "-o", "columns.phy")
        self.command(ACCORD, "tree", self.sequences, "--device", "none", "-o", "tree.nwk")
        often = [int(word) for word in (self.directory / "weights.txt").read_text().split()]
        rows = {name: "".join(letter * count for letter, count in zip(row, often))
                for name, row in rows_of(EXAMPLE).items()}
        self.write("repeated.phy", f"{len(rows)} {sum(often)}\n" +
                   "".join(f"{name} {row}\n" for name, row in rows.items()))
        found = []
        for name, words in (("weighted", ["-s", "columns.phy", "-a", "weights.txt"]),
                            ("repeated", ["-s", "repeated.phy"])):
            printed = self.command("raxmlHPC", "-T", 1, "-f", "e", "-t", "tree.nwk", "-m",
                                   "PROTGAMMALG", "-p", 1, "-n", name, *words)
            likelihood = re.search(r"Final GAMMA\s+likelihood: (-[\d.]+)", printed)
            self.assertIsNotNone(likelihood, printed)
            found.append(float(likelihood.group(1)))
        self.assertAlmostEqual(found[0], found[1], delta=0.01)


if __name__ == "__main__":
    unittest.main()
