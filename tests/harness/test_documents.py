"""Tests of the tables of README and docs/benchmarks.md: the pages have what docs/benchmarks/*.tsv
say, every table says where it comes from, and results become tables."""
import argparse
import re
import shutil
import unittest
from pathlib import Path
from unittest import mock

from support import ACCORD, ROOT, HarnessTest, result

# isort: split
from benchmark import documents, measured, outputs, plans
from benchmark.errors import BenchmarkError
from benchmark.results import Result

DOCS = ROOT / "docs"
PLAN = ROOT / "scripts" / "benchmark" / "documents.plan"
BUILT_IN = DOCS / "benchmarks.md"


def tables() -> dict[str, documents.Table]:
    """All tables, by name."""
    return {path.stem: documents.read_table(path)
            for path in sorted(documents.TABLES.glob("*.tsv"))}


class PageTableTest(unittest.TestCase):
    """What is committed."""

    def test_pages_have_what_the_tables_say(self) -> None:
        """scripts/benchmark.py --documents would change nothing, and every table is shown."""
        shown: list[str] = []
        for page in documents.PAGES:
            text = page.read_text(encoding="utf-8")
            self.assertEqual(documents.filled(text, page), text, f"{page}: --documents writes it")
            marks = [match.group(2) for match in documents.MARKED.finditer(text)]
            self.assertEqual(len(marks), text.count("<!-- table "), page)
            self.assertEqual(len(marks), text.count("<!-- end of table -->"), page)
            shown += marks
        self.assertEqual(set(shown), set(tables()))

    def test_no_scores_beside_the_tables(self) -> None:
        """A pair of scores such as .89/.63 stands in tables alone, where a test sees it."""
        for page in documents.PAGES:
            rest = documents.MARKED.sub("", page.read_text(encoding="utf-8"))
            self.assertIsNone(re.search(r"\.\d+/\.\d+", rest), page)

    def test_sources(self) -> None:
        """Commit, date, machine, parameters and command of each; scores are those of the numbers
        that are built in."""
        text = BUILT_IN.read_text(encoding="utf-8")
        known = {checksum[:12] for checksum in re.findall(r"`([0-9a-f]{64})`", text)}
        known |= set(re.findall(r"`([0-9a-f]{12})`", text))  # files with the same numbers
        self.assertEqual(len(known), 5)
        for name, table in tables().items():
            self.assertTrue(table.runs, name)
            for run in table.runs:
                self.assertRegex(run["commit"], r"^[0-9a-f]{7}$", name)
                self.assertRegex(run["date"], r"^(20\d\d-\d\d-\d\d|[A-Z][a-z]+ 20\d\d)$", name)
                for key in ("commit", "date", "machine", "parameters", "command"):
                    self.assertIn(run[key], documents.source(run), name)
                if run["log"]:
                    self.assertTrue((DOCS / run["log"]).is_file(), f"{name}: {run['log']}")
                of_accord = any(row["run"] == run["run"] and row["program"].startswith("accord")
                                for row in table.rows if "program" in row)
                self.assertTrue(of_accord or table.layout == "plain" or
                                run["parameters"] == "not used", name)
                if of_accord:
                    self.assertLessEqual(set(run["parameters"].split(", ")), known,
                                         f"{name}: measure it anew")

    def test_plan(self) -> None:
        """Every table is of one line of the plan at least: of runs, or of notes that are there."""
        lines = plans.plan_lines(PLAN)
        self.assertEqual({line.table for line in lines}, set(tables()))
        for line in lines:
            self.assertEqual(bool(line.log), not line.directories, line.table)
            if line.log:
                self.assertTrue((DOCS / line.log).is_file(), line.log)
                continue
            self.assertNotEqual(tables()[line.table].layout, "plain")
            for directory in line.directories:
                self.assertIn(directory.name, measured.SETS)


class TableTest(HarnessTest):
    """Files that are no tables, and what is made of those that are."""

    RUN = "#run " + "\t".join(f"{key}=" + ("small:0123" if key == "outputs" else "x")
                              for key in documents.RUN_KEYS)
    TODAY = {"small": "0123", "large": "4567"}

    def table(self, *lines: str) -> documents.Table:
        """A file of these lines, read."""
        return documents.read_table(self.write("t.tsv", "\n".join(lines) + "\n"))

    def test_refused(self) -> None:
        """What lacks its source, or has a line of another shape."""
        head = ["#title T", "#layout plain", self.RUN, "a\tb\trun"]
        self.assertEqual(self.table(*head, "1\t2\tx").rows, [{"a": "1", "b": "2", "run": "x"}])
        for lines in (head, head + ["1\t2"], head + ["1\t2\ty"],
                      head[:2] + head[3:] + ["1\t2\tx"],
                      ["#title T", "#layout none", *head[2:], "1\t2\tx"], ["#date x"] + head,
                      ["#title T", "#layout sets", *head[2:], "1\t2\tx"],
                      [*head[:2], self.RUN.replace("commit=x", "commit="), head[3], "1\t2\tx"]):
            with self.assertRaises(BenchmarkError):
                self.table(*lines)

    def test_layouts(self) -> None:
        """Bold is the best of several; times stand where there are any."""
        rows = ["\t".join(documents.SCORES), "A\t\t4\taccord\t0.9\t0.5\t1\tx",
                "A\t\t4\tpeer\t0.8\t0.4\t\tx", "B\t\t5\taccord\t0.7\t\t\tx",
                "B\t\t5\tpeer\t0.75\t\t\tx"]
        page = DOCS / "page.md"
        sets = self.table("#title T", "#layout sets", "#note N", self.RUN, *rows)
        self.assertEqual(documents.markdown(sets, page, today=self.TODAY).splitlines()[:6], [
            "|  | A (4) | CPU | B (5) |", "|---|---|---|---|", "| accord | **.9/.5** | 1 s | .7 |",
            "| peer | .8/.4 |  | **.75** |", "", "N"])
        others = self.table("#title T", "#layout others", self.RUN, *rows)
        self.assertEqual(documents.markdown(others, page, "B", self.TODAY).splitlines()[:3], [
            "|  | families | accord | others |", "|---|---|---|---|",
            "| B | 5 | .7 | peer **.75** |"])
        with self.assertRaises(BenchmarkError):
            documents.markdown(others, page, "C")
        text = "a\n<!-- table t: B -->\nold\n<!-- end of table -->\nb"
        new = documents.filled(text, page, self.directory)
        self.assertIn("peer **.75**", new)
        self.assertNotIn("old", new)
        self.assertEqual(documents.filled(new, page, self.directory), new)

    def test_figures_of_earlier_outputs_are_marked(self) -> None:
        """Those of the sets that depend on what changed, at the score and at the run alone."""
        run = self.RUN.replace("small:0123", "large:4567 small:0123")
        table = self.table("#title T", "#layout sets", run, "\t".join(documents.SCORES),
                           "A\t\t4\taccord\t0.9\t0.5\t\tx", "A\t\t4\tpeer\t0.8\t0.4\t\tx",
                           "HomFam\t\t5\taccord\t0.7\t\t\tx")
        page = DOCS / "page.md"
        text = documents.markdown(table, page, today=self.TODAY)
        self.assertIn("| **.9/.5** | .7 |", text)
        self.assertNotIn("changed", text)
        text = documents.markdown(table, page, today={**self.TODAY, "large": "89ab"})
        self.assertIn("| **.9/.5** | .7† |", text)
        self.assertIn("| .8/.4 |", text)
        self.assertIn("† Measured with commit x, x;", text)
        self.assertIn("Outputs have changed since.", text)
        readme = documents.markdown(table, documents.README, today={**self.TODAY, "large": "89ab"})
        self.assertIn("| **.9/.5** | .7 |", readme)  # with the version, and without marks
        self.assertIn("Measured at commit x, x, x. ", readme)
        for mark in (documents.EARLIER[0], "changed", "parameters"):
            self.assertNotIn(mark, readme)
        with self.assertRaises(BenchmarkError):  # a run that names no digest
            self.table("#title T", "#layout sets", self.RUN, "\t".join(documents.SCORES),
                       "HomFam\t\t5\taccord\t0.7\t\t\tx")


class OutputsTest(HarnessTest):
    """The digests."""

    def test_families_are_as_they_were(self) -> None:
        """Made and aligned anew."""
        self.assertEqual(outputs.families_now(ACCORD),
                         outputs.FAMILIES.read_text(encoding="utf-8"),
                         "if alignments are to change: scripts/benchmark.py --outputs")

    def test_each_kind_depends_on_its_families(self) -> None:
        """One hash changes one digest; that of an earlier stage none."""
        before = outputs.digests()
        self.assertEqual(sorted(before), ["large", "local", "nucleotide", "small"])
        for name, line, old, new, kind in (
                ("families.tsv", "large\tclose_800", "\t", "\t0", "large"),
                ("families.tsv", "small\tmoderate_120", "\t", "\t0", "small"),
                ("local.tsv", "easy_8", "motifs=", "motifs=0", "local"),
                ("goldens.tsv", "easy_8", "refined=", "refined=0", "small"),
                ("goldens.tsv", "dna_8", "refined=", "refined=0", "nucleotide"),
                ("goldens.tsv", "easy_8", "upgma=", "upgma=0", "")):
            for path in outputs.GOLDEN.glob("*.tsv"):
                text = path.read_text(encoding="utf-8").splitlines()
                if path.name == name:
                    text = [new.join(one.rsplit(old, 1)) if one.startswith(line) else one
                            for one in text]
                self.write(path.name, "\n".join(text) + "\n")
            after = outputs.digests(self.directory)
            self.assertEqual([k for k in before if before[k] != after[k]], [kind] if kind else [])

    def test_kinds(self) -> None:
        """Every large set of the tables is known as one."""
        for (name, program), kind in {
                ("Balifam 10000", "accord"): "large", ("QuanTest2", "FAMSA 2"): "",
                ("PREFAB 4", "accord --mode local"): "local", ("HOMSTRAD", "accord"): "small",
                ("BRAliBase, 10 sequences", "accord"): "nucleotide"}.items():
            self.assertEqual(outputs.kind_of({"set": name, "program": program}), kind, name)


class MeasuredTest(HarnessTest):
    """Results become tables."""

    def write_anew(self, name: str, results: list[Result], aligners: str,
                   total: str = "") -> documents.Table:
        """A copy of a table after these results."""
        copy = self.directory / f"{name}.tsv"
        if not copy.exists():
            shutil.copy(documents.TABLES / f"{name}.tsv", copy)
        sets = sorted({r.dataset for r in results})
        line = argparse.Namespace(directories=[Path("data") / one for one in sets],
                                  aligners=aligners, total=total)
        with mock.patch.object(measured, "commit", lambda: "abc1234"):
            measured.write(name, [line], results, "scripts/benchmark.py --plan x", self.directory)
        return documents.read_table(copy)

    def test_what_was_not_measured_stays(self) -> None:
        """With its run; what was measured has the new one, in its place."""
        before = tables()["nucleotides"]
        after = self.write_anew("nucleotides", [
            result(dataset="bralibase-k10", kind="nucleotide", family=f, pairs_correct=p)
            for f, p in (("f1", 50), ("f2", 70))], "accord,mafft-ginsi")
        ours, *rest = after.rows
        self.assertEqual((ours["program"], ours["families"], ours["SP"], ours["TC"], ours["CPU_s"]),
                         ("accord", "2", "0.6000", "0.2500", "2.0"))
        self.assertEqual(rest, before.rows[1:])
        new = after.runs[0]
        self.assertEqual((new["run"], new["commit"], new["machine"], new["command"]),
                         (ours["run"], "abc1234", "test machine", "scripts/benchmark.py --plan x"))
        self.assertEqual(new["parameters"], measured.parameters_of([result(kind="nucleotide")]))
        self.assertEqual(after.runs[1:], before.runs)
        self.assertEqual(new["outputs"], outputs.named({"nucleotide"}, outputs.digests()))

    def test_halves(self) -> None:
        """The test half is that of halves.tsv; groups have lines of their own."""
        after = self.write_anew("given", [
            result(dataset="balibase3", group=group, family=family, pairs_correct=correct)
            for group, family, correct in (("RV11", "BB11001", 80), ("RV11", "BB11003", 40),
                                           ("RV12", "BB12001", 60))], "accord")
        values = {(row["set"], row["part"]): (row["families"], row["SP"]) for row in after.rows
                  if row["run"] == after.runs[0]["run"]}
        self.assertEqual(values["- RV11", measured.TEST], ("1", "0.8000"))
        self.assertEqual(values["- RV11", measured.GIVEN], ("2", "0.6000"))
        self.assertEqual(values["BAliBASE 3, odd sets", measured.GIVEN], ("3", "0.6000"))
        self.assertEqual([row["set"] for row in after.rows],
                         [row["set"] for row in tables()["given"].rows])

    def test_pairs_and_totals(self) -> None:
        """Of pairs of sequences SP alone; a line for all sets together."""
        after = self.write_anew("given", [result(dataset="prefab4", group="prefab4")], "accord")
        row = next(row for row in after.rows if row["run"] == after.runs[0]["run"])
        self.assertEqual((row["set"], row["TC"]), ("PREFAB 4", ""))
        large = self.write_anew("large", [
            result(dataset=name, group=name, pairs_correct=correct)
            for name, correct in (("homfam", 40), ("quantest2", 60))], "accord", "all four")
        sums = next(row for row in large.rows if row["set"] == "all four")
        self.assertEqual((sums["program"], sums["families"], sums["SP"]), ("accord", "2", "0.5000"))


if __name__ == "__main__":
    unittest.main()
