"""Reports of every command that writes one: each field is in datasets/report.schema.json."""
import json
import subprocess
import unittest

from support import ACCORD, ROOT, HarnessTest

try:
    import jsonschema
    HAVE_JSONSCHEMA = True
except ImportError:
    HAVE_JSONSCHEMA = False

EXAMPLE = ROOT / "datasets" / "example.fa"


@unittest.skipUnless(HAVE_JSONSCHEMA, "needs jsonschema")
class ReportTest(HarnessTest):
    """Runs a command, and checks what --report writes."""

    def check(self, *arguments: object, status: int = 0) -> None:
        """The command must end with `status`, its report must fit the schema."""
        line = [ACCORD, *map(str, arguments), "-q", "-d", "none", "--report", "r.json"]
        done = subprocess.run(line, cwd=self.directory, capture_output=True, text=True, timeout=300,
                              check=False)
        self.assertEqual(done.returncode, status, done.stderr)
        report = json.loads((self.directory / "r.json").read_text(encoding="utf-8"))
        schema = json.loads((ROOT / "datasets/report.schema.json").read_text(encoding="utf-8"))
        jsonschema.Draft202012Validator(schema).validate(report)
        with self.assertRaises(jsonschema.ValidationError):  # the schema refuses what it lacks
            jsonschema.Draft202012Validator(schema).validate({**report, "unknown": 1})

    def test_align(self) -> None:
        """Odd inputs, every output, the modes, a large family."""
        self.write("one.fa", ">a\nMKV\n")
        self.write("empty.fa", ">a\n\n>b\n\n")
        self.write("odd.fa", ">a\u00ff\nMK-V\n>a\u00ff\nMKV\n")
        for name in ("one.fa", "empty.fa", "odd.fa"):
            self.check(name, "-o", "out.fa")
        self.check(EXAMPLE, "--type", "protein", "--tree", "nj")
        self.check("one.fa", EXAMPLE, "-o", "a.sto.gz", "-o", "a.phy", "-f", "phylip-strict",
                   "--tree-out", "a.nwk", "--dist-out", "a.dist", "--html", "a.html", "--multiqc",
                   "a_mqc.tsv", "--confidence", "a.tsv", "--name-map", "a.names", "--memory", "4G")
        self.check(EXAMPLE, "--tree", "a.nwk", "--prune", "-o", "out.fa")
        self.check(EXAMPLE, "--mode", "local", "-o", "out.fa")
        self.check(EXAMPLE, "--large", "always", "--backbone", 4, "-o", "out.fa")

    def test_given_alignments(self) -> None:
        """add, merge, and the shards of a large family."""
        self.write("a.fa", ">a\nMKV-LAAG\n>b\nMKVILAAG\n")
        self.write("b.fa", ">c\nMKVLAAG\n>d\nMKVPPPLAAG\n")
        self.write("c.fa", ">e\nMK-LAG\n")
        self.check("add", "a.fa", "b.fa", "-o", "o.sto")
        self.check("add", "a.fa", "b.fa", "-o", "o.a2m", "--keep-columns", "--left-out", "l.tsv")
        self.check("merge", "a.fa", "c.fa", "-o", "o.fa", "--html", "p.html")
        for line in (["core", EXAMPLE, "-o", "core.acc", "--backbone", "4", "--large", "always",
                      "--with-confidence"],
                     ["add", "core.acc", EXAMPLE, "--shard", "1/1", "-o", "part.acc"]):
            subprocess.run([ACCORD, *line, "-q", "-d", "none"], cwd=self.directory, check=True)
        self.check("join", "core.acc", "part.acc", "-o", "o.fa")

    def test_batch(self) -> None:
        """Failed and complete families."""
        self.write("in/good.fa", ">a\nMKVLAAGIVG\n>b\nMKVLAGIVG\n")
        bad = self.write("in/bad.fa", ">a\nMK7\n")
        self.check("batch", "in", "-O", "out", "--resume", status=4)
        bad.unlink()
        self.check("batch", "in", "-O", "out", "--resume")


if __name__ == "__main__":
    unittest.main()
