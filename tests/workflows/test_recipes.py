"""Snakemake runs the wrapper of scripts/packaging/recipes; run by scripts/checks/workflows.sh."""
import gzip
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ACCORD = Path(os.environ.get("ACCORD_PROGRAM", str(ROOT / "build" / "accord"))).resolve()
VALUES = {"homepage": "https://example.org", "source": "https://example.org/accord-9.8.7.tar.gz",
          "sha256": "0123456789abcdef" * 4, "maintainer": "somebody", "build": "h0_0",
          "version": "9.8.7"}


class RecipesTest(unittest.TestCase):
    """The recipes of a release that does not exist."""

    def setUp(self) -> None:
        self.directory = Path(tempfile.mkdtemp(prefix="accord-"))
        self.addCleanup(shutil.rmtree, self.directory)
        self.out = self.directory / "out"
        words = [word for name, value in VALUES.items() for word in (f"--{name}", value)]
        subprocess.run([sys.executable, "-B", ROOT / "scripts" / "packaging" / "recipes.py", *words,
                        self.out], check=True, capture_output=True)

    def test_snakemake(self) -> None:
        """The rules of the wrapper's test make every output, with the program's bytes."""
        shutil.copytree(self.out / "snakemake", self.directory / "master" / "bio" / "accord")
        work = self.directory / "master" / "bio" / "accord" / "test"
        targets = ["example.aln", "example.sto.gz", "example.json", "example.out.nwk",
                   "example.tsv", "example.html"]
        path = f"{ACCORD.parent}:{os.environ['PATH']}"
        done = subprocess.run(
            [sys.executable, "-m", "snakemake", "--cores", "2", "--nocolor", "--wrapper-prefix",
             f"file://{self.directory}/", *targets], cwd=work, capture_output=True, text=True,
            env={**os.environ, "PATH": path, "ACCORD_DEVICE": "none"}, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        datasets = ROOT / "datasets"
        self.assertEqual((work / "example.aln").read_bytes(),
                         (datasets / "example.aln").read_bytes())
        packed = gzip.decompress((work / "example.sto.gz").read_bytes())
        self.assertTrue(packed.startswith(b"# STOCKHOLM 1.0\n"))
        self.assertEqual((work / "example.out.nwk").read_bytes(),
                         (datasets / "example.nwk").read_bytes())
        report = json.loads((work / "example.json").read_text(encoding="utf-8"))
        self.assertEqual(report["exit_code"], 0)
        self.assertEqual(report["parameters"]["refine_iterations"], 10)


if __name__ == "__main__":
    unittest.main()
