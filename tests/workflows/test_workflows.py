"""The workflows of Snakemake with its local executor; scripts/checks/workflows.sh runs this."""
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ACCORD = Path(os.environ.get("ACCORD_PROGRAM", str(ROOT / "build" / "accord"))).resolve()
LARGE = ["--large", "always", "--backbone", "9"]


class WorkflowTest(unittest.TestCase):
    """A test with a directory of its own."""

    def setUp(self) -> None:
        self.directory = Path(tempfile.mkdtemp(prefix="accord-"))
        self.addCleanup(shutil.rmtree, self.directory)
        self.random = random.Random(46)

    def family(self, count: int) -> str:
        """Relatives as FASTA."""
        letters = "ACDEFGHIKLMNPQRSTVWY"
        root = self.random.choices(letters, k=50)
        text = ""
        for k in range(count):
            row = [self.random.choice(letters) if self.random.random() < 0.4 else c
                   for c in root if self.random.random() < 0.95]
            text += f">s{k}\n{''.join(row)}\n"
        return text

    def accord(self, *words: str) -> None:
        """Runs the program without devices."""
        subprocess.run([ACCORD, *words, "-q", "-d", "none"], cwd=self.directory, check=True)

    def snakemake(self, name: str, **config: object) -> str:
        """Runs a workflow; returns what it says."""
        words = [sys.executable, "-m", "snakemake", "-s", str(ROOT / "scripts" / name), "--cores",
                 "2", "--nocolor", "--config", *(f"{key}={value}" for key, value in config.items())]
        path = f"{ACCORD.parent}:{os.environ['PATH']}"
        done = subprocess.run(words, cwd=self.directory, env={**os.environ, "PATH": path},
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def read(self, name: str) -> str:
        """The text of a file."""
        return (self.directory / name).read_text(encoding="utf-8")

    def test_families_in_shards(self) -> None:
        """Alignments of one process, a merged report, and only what is missing is done again."""
        (self.directory / "in").mkdir()
        for k in range(7):
            (self.directory / "in" / f"f{k}.fa").write_text(self.family(3 + k), encoding="utf-8")
        self.accord("batch", "in", "-O", "one")
        (self.directory / "in" / "bad.fa").write_text("no FASTA\n", encoding="utf-8")
        config = {"families": "in", "out": "many", "shards": 3, "options": "-q -d none"}
        said = self.snakemake("batch.smk", **config)
        self.assertIn("1 of 8 families failed: bad", said)
        for k in range(7):
            self.assertEqual(self.read(f"many/f{k}.afa"), self.read(f"one/f{k}.afa"))
        report = json.loads(self.read("many/report.json"))
        self.assertEqual(report["exit_code"], 4)
        self.assertEqual(sorted(family["id"] for family in report["families"]),
                         ["bad", *(f"f{k}" for k in range(7))])
        plan = {line.split("\t")[0]: line.rstrip("\n").split("\t")[1:]
                for line in self.read("many/plan.tsv").splitlines(keepends=True)}
        self.assertEqual(plan["bad"], ["in/bad.fa", ""])
        self.assertGreater(float(plan["f6"][2]), float(plan["f0"][2]))

        # A stopped run: an alignment and the reports are missing.
        (self.directory / "many" / "f3.afa").unlink()
        for report_file in (self.directory / "many").glob("report*.json"):
            report_file.unlink()
        self.snakemake("batch.smk", **config)
        for shard in (1, 2, 3):
            self.assertIn("\nSample\t", self.read(f"many/accord-{shard}_mqc.tsv"))
        status = {family["id"]: family["status"]
                  for family in json.loads(self.read("many/report.json"))["families"]}
        self.assertEqual(status.pop("f3"), "aligned")
        self.assertEqual(status.pop("bad"), "failed")
        self.assertEqual(set(status.values()), {"complete"})
        self.assertEqual(self.read("many/f3.afa"), self.read("one/f3.afa"))

    def nextflow(self, process: str, values: dict[str, str]) -> str:
        """Runs the script of a process of batch.nf as Nextflow does; returns the process."""
        text = (ROOT / "scripts" / "batch.nf").read_text(encoding="utf-8")
        match = re.search(rf'^process {process} {{\n(.*?)^}}', text, re.M | re.S)
        assert match, process
        script = re.search(r'"""\n(.*?)"""', match.group(1), re.S)
        assert script, process
        command = re.sub(r"\$\{(.*?)\}", lambda name: values[name.group(1)], script.group(1))
        command = re.sub(r"\\(.)", r"\1", command, flags=re.S)  # as in a text of Groovy
        path = f"{ACCORD.parent}:{os.environ['PATH']}"
        done = subprocess.run(["/bin/bash", "-ue", "-c", command], cwd=self.directory,
                              env={**os.environ, "PATH": path}, capture_output=True, text=True,
                              check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return match.group(1)

    def test_nextflow_collects_all_files(self) -> None:
        """The globs of the outputs have every file that a shard writes, whatever the options."""
        (self.directory / "in").mkdir()
        for k in range(3):
            (self.directory / "in" / f"f{k}.fa").write_text(self.family(3), encoding="utf-8")
        (self.directory / "in" / "bad.fa").write_text("no FASTA\n", encoding="utf-8")
        values = {"families": "in", "plan": "plan.tsv", "task.cpus": "1", "params.shards": "2",
                  "params.options":
                      "-f stockholm --beside confidence,tree,page -q -d none"}
        self.nextflow("PLAN", values)
        given = set(self.directory.rglob("*"))
        published = set()
        for shard in ("1", "2"):
            values["shard"] = shard
            process = self.nextflow("ALIGN", values)
            globs = re.findall(r"^    path ['\"]([^'\"]+)['\"]", process, re.M)
            self.assertEqual(len(globs), 3)
            for glob in globs:
                published |= set(self.directory.glob(glob.replace("${shard}", shard)))
        written = {path for path in set(self.directory.rglob("*")) - given
                   if path.is_file() and not path.name.startswith(".")}
        self.assertEqual(written - published, set())
        names = {path.name for path in published}
        for name in ("f0.sto", "f1.confidence.tsv", "f2.dnd", "f0.html", "index-1-of-2.html",
                     "index-2-of-2.html", "report-1.json", "report-2.json", "accord-1_mqc.tsv"):
            self.assertIn(name, names)
        self.assertIn("replaceFirst('^results/', '')", process)

    def test_a_large_family(self) -> None:
        """The bytes of one process; the parts are gone at the end."""
        (self.directory / "large.fa").write_text(self.family(90), encoding="utf-8")
        self.accord("large.fa", *LARGE, "-o", "one.aln")
        self.snakemake("large.smk", family="large.fa", out="many.aln", shards=3,
                       core=" ".join(LARGE), run="-q -d none")
        self.assertEqual(self.read("many.aln"), self.read("one.aln"))
        self.assertTrue((self.directory / "many.aln.core.acc").is_file())
        self.assertEqual(list(self.directory.glob("*.part*")), [])

    def test_reports_that_are_not_of_one_batch(self) -> None:
        """They are refused with a line."""
        report = {"shard": {"number": 1, "count": 2}}
        (self.directory / "a.json").write_text(json.dumps(report), encoding="utf-8")
        failed = {**report, "error": {"text": "ended by SIGTERM", "hint": ""}}
        (self.directory / "f.json").write_text(json.dumps(failed), encoding="utf-8")
        for names, text in ((["a.json"], "there are reports of 1 of 2 shards"),
                            (["a.json", "f.json"],
                             "a report is of a run that failed: ended by SIGTERM"),
                            (["a.json", "a.json"], "two reports are of one shard")):
            done = subprocess.run([sys.executable, ROOT / "scripts" / "merge_reports.py", *names],
                                  cwd=self.directory, capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 1)
            self.assertEqual(done.stderr, f"accord: error: {text}\n")


if __name__ == "__main__":
    unittest.main()
