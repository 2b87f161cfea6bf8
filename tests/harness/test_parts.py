"""The parts of the harness: layouts, statistics, results, summaries, report."""
import itertools
import math
import random
import re
import sys
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from benchmark import aligners, datasets, draw, process, report
from benchmark.errors import BenchmarkError
from benchmark.paired import EXACT, compare, signed_rank_p
from benchmark.results import HEADER, ResultFile, from_line, read_results, to_line
from benchmark.summary import coverage, merge_rounds, rows_of, superseded, write_rows
from support import ROOT, HarnessTest, result


class DatasetTest(HarnessTest):
    """Layouts, not names."""

    def labels(self, directory: str, subset: str = "full") -> list[str]:
        """Label of each family, with its reference's suffix."""
        return [f.label() + (f.reference.suffix if f.reference else "")
                for f in datasets.find_families(self.directory / directory, subset)]

    def test_balibase(self) -> None:
        """Full-length and homologous sets; XML before MSF."""
        for name in ("RV11/BB1.tfa", "RV11/BB1.xml", "RV11/BB1.msf", "RV11/BBS1.tfa",
                     "RV11/BBS1.msf", "RV20/BB2.tfa", "other/BB3.tfa"):
            self.write(f"any/{name}", ">a\nAC\n")
        self.assertEqual(self.labels("any"), ["any/RV11/BB1.xml", "any/RV20/BB2"])
        self.assertEqual(self.labels("any", "bbs"), ["any/RV11/BBS1.msf"])
        self.assertEqual(len(self.labels("any", "all")), 3)

    def test_pair_simulated_and_plain(self) -> None:
        """The other three layouts."""
        for name in ("pair/in/x", "pair/in/y", "pair/ref/x", "sim/a.fa", "sim/a.true.fa",
                     "sim/deep/er/b.fa", "sim/deep/er/b.true.fa", "sim/c.fa", "plain/p.fasta",
                     "plain/q.fa.gz", "plain/notes.txt"):
            self.write(name, ">a\nAC\n")
        self.assertEqual(self.labels("pair"), ["pair/pair/x", "pair/pair/y"])
        self.assertEqual([bool(f.reference) for f in
                          datasets.find_families(self.directory / "pair")], [True, False])
        self.assertEqual(self.labels("sim"), ["sim/sim/a.fa", "sim/deep/er/b.fa"])
        self.assertEqual(self.labels("plain"), ["plain/plain/p", "plain/plain/q"])
        with self.assertRaises(BenchmarkError):
            datasets.find_families(self.directory / "none")

    def test_facts_and_selection(self) -> None:
        """Kind by the letters; the checksum is of input and reference."""
        rna = datasets.Family("d", "g", "r", self.write("r", ">a\nACGU-acgun\n>b\nACGGU\n"), None)
        self.assertEqual(datasets.facts(rna)[1:], (2, 9, 14, "nucleotide"))
        protein = rna._replace(path=self.write("p", ">a\nACDEFW\n"))
        self.assertEqual(datasets.facts(protein).kind, "protein")
        with_reference = protein._replace(reference=self.write("q", ">a\nACDEFW\n"))
        self.assertNotEqual(datasets.facts(protein).checksum,
                            datasets.facts(with_reference).checksum)
        self.assertEqual(datasets.smaller([rna, protein], 10), [protein])
        many = [rna._replace(name=str(k)) for k in range(10)]
        self.assertEqual([f.name for f in datasets.sample(many, 3)], ["0", "3", "6"])
        self.assertEqual(datasets.sample(many, 20), many)
        self.assertEqual([f.name for f in datasets.matching(many, "g/[12]")], ["1", "2"])


class PairedTest(unittest.TestCase):
    """Wilcoxon's test against its definition."""

    @staticmethod
    def by_definition(differences: list[float]) -> float:
        """All assignments of signs to the ranks, counted."""
        values = [d for d in differences if d]
        ranks = [sum(abs(b) < abs(a) for b in values) +
                 (sum(abs(b) == abs(a) for b in values) + 1) / 2 for a in values]
        total = sum(ranks)
        low = sum(r for r, d in zip(ranks, values) if d > 0)
        low = min(low, total - low)
        sums = [sum(itertools.compress(ranks, signs))
                for signs in itertools.product((0, 1), repeat=len(values))]
        return min(1.0, 2 * sum(s <= low + 1e-9 for s in sums) / len(sums))

    def test_exact_distribution(self) -> None:
        """Random differences with ties and zeros."""
        seed = 5
        dice = random.Random(seed)
        for trial in range(60):
            values = [float(dice.randint(-4, 5)) for _ in range(dice.randint(1, 10))]
            with self.subTest(seed=seed, trial=trial, values=values):
                expected = self.by_definition(values) if any(values) else 1.0
                self.assertAlmostEqual(signed_rank_p(values), expected, places=12)

    def test_known_values(self) -> None:
        """n = 5, all of one sign: 2 / 2^5; nothing to tell: 1."""
        self.assertAlmostEqual(signed_rank_p([1, 2, 3, 4, 5]), 0.0625)
        self.assertEqual(signed_rank_p([]), 1.0)
        self.assertEqual(signed_rank_p([0.0, 0.0]), 1.0)

    def test_approximation_meets_the_exact_value(self) -> None:
        """At the size where one takes over from the other."""
        dice = random.Random(1)
        values = [round(dice.gauss(0.15, 1), 2) for _ in range(EXACT)]
        exact, approximate = signed_rank_p(values), signed_rank_p(values + [1e-9])
        self.assertLess(abs(math.log(exact / approximate)), 0.05)

    def test_counts(self) -> None:
        """Better, equal and worse, to six decimals."""
        found = compare([1, 2, 3, 4], [0, 2 + 1e-9, 4, 3])
        self.assertEqual((found.families, found.better, found.equal, found.worse), (4, 2, 1, 1))
        self.assertAlmostEqual(found.mean_difference, 0.25)


class ResultTest(HarnessTest):
    """The file of results."""

    def test_lines_round_trip(self) -> None:
        """Tabs and line ends cannot break the table."""
        self.assertEqual(from_line(to_line(result()).rstrip("\n")), result())
        odd = from_line(to_line(result(error="a\tb\nc")).rstrip("\n"))
        self.assertEqual(odd.error, "a b c")
        with self.assertRaises(ValueError):
            from_line("too\tfew")

    def test_the_last_of_two_lines_counts(self) -> None:
        """And half a line does not."""
        path = self.write("r.tsv", HEADER + "\n" + to_line(result(wall_s=1.0)) +
                          to_line(result(family="f2")) + to_line(result(wall_s=2.0)) + "half\ta")
        self.assertEqual([(r.family, r.wall_s) for r in read_results(path)],
                         [("f2", 1.0), ("f1", 2.0)])
        ResultFile(path).close()
        self.assertTrue(path.read_text().endswith("\n"))
        self.write("r.tsv", "other\theader\n")
        with self.assertRaises(BenchmarkError):
            read_results(path)
        self.write("r.tsv", HEADER + "\nbroken\n")
        with self.assertRaisesRegex(BenchmarkError, "r.tsv:2"):
            read_results(path)


class SummaryTest(HarnessTest):
    """Means and medians."""

    def test_rounds_become_medians_and_a_failure_stays(self) -> None:
        """Of the newest version only."""
        old = result(version="0", wall_s=99.0)
        runs = [old] + [result(round=k, wall_s=w) for k, w in ((1, 5.0), (2, 1.0), (3, 2.0))]
        merged = merge_rounds(runs)
        self.assertEqual([(r.version, r.wall_s) for r in merged], [("1", 2.0)])
        bad = result(round=4, status="failed", pairs_correct=0)
        self.assertEqual(merge_rounds(runs + [bad])[0].status, "failed")

    def test_times_of_two_machines_are_not_added(self) -> None:
        """Scores count wherever they were made, times where most runs were made."""
        runs = [result(family=f, aligner=a,
                       machine="small" if (f, a) == ("f3", "peer") else "large")
                for f in ("f1", "f2", "f3") for a in ("accord", "peer")]
        ours, theirs = [row for row in rows_of(runs) if row.group == "all"]
        self.assertAlmostEqual(ours.cpu_s, 3.0)
        self.assertEqual((theirs.aligner, theirs.families, theirs.sp), ("peer", 3, 0.5))
        self.assertTrue(math.isnan(theirs.cpu_s) and math.isnan(theirs.wall_s))
        text = report.to_markdown(runs)
        self.assertIn("Machine: large (5 runs); small (1 runs).", text)
        self.assertIn("Times are those of large; programs with '-' ran", text)
        self.assertRegex(text, r"peer 1 \| 0\.5000/0\.2500 \| - \| - \| 30")

    def test_rounds_on_two_machines_have_no_time(self) -> None:
        """Their median would be of neither."""
        runs = [result(round=1), result(round=2, machine="other"), result(family="f2")]
        self.assertTrue(math.isnan(rows_of(merge_rounds(runs))[-1].cpu_s))

    def test_report_names_what_a_later_version_replaced(self) -> None:
        """Even if it ran on more families."""
        runs = [result(version="0", family=f) for f in ("f1", "f2")] + [result()]
        self.assertEqual(superseded(runs), {("accord", "0"): 2})
        self.assertIn("later version or command: 2 runs of accord 0.",
                      report.to_markdown(runs))
        self.assertNotIn("later version", report.to_markdown(runs[:2]))

    def test_a_failed_family_counts_as_zero(self) -> None:
        """And one without a reference not at all."""
        runs = [result(), result(family="f2", status="failed", pairs_correct=0, columns_correct=0),
                result(family="f3", pairs_correct=0, pairs=0, columns_correct=0, columns=0)]
        row = rows_of(runs)[-1]
        self.assertEqual((row.group, row.families, row.failed), ("all", 3, 1))
        self.assertAlmostEqual(row.sp, 0.25)
        self.assertAlmostEqual(row.tc, 0.125)
        self.assertAlmostEqual(row.cpu_s, 3.0)
        write_rows(self.directory / "rows.tsv", rows_of(runs))
        lines = (self.directory / "rows.tsv").read_text(encoding="utf-8").splitlines()
        self.assertEqual([line.split("\t")[4] for line in lines], ["families", "3", "3"])

    def test_tables_compare_the_same_families(self) -> None:
        """An aligner that ran fewer gets a table of its own, with the others on these."""
        runs = [result(family=f, aligner=a) for f in ("f1", "f2", "f3") for a in ("accord", "x")]
        runs += [result(family="f2", aligner="slow")]
        (names, every), (fewer, some) = coverage(runs)
        self.assertEqual((sorted(names), len(every)), (["accord", "x"], 6))
        self.assertEqual(sorted(fewer), ["accord", "slow", "x"])
        self.assertEqual({r.family for r in some}, {"f2"})


class ReportTest(unittest.TestCase):
    """The report of a benchmark."""

    def test_report(self) -> None:
        """Tables, tests and failures."""
        runs = [result(group=g, family=g + f, aligner=a, pairs_correct=40 + 10 * (a == "accord"))
                for g in ("g", "h") for f in "xyz" for a in ("accord", "a|b")]
        runs.append(result(family="f9", status="timeout", error="stopped after 1 s"))
        markdown = report.to_markdown(runs, [("famsa", "not packaged")])
        self.assertIn("famsa (not packaged)", markdown)
        self.assertIn("| accord | set/g1/f9 | timeout | stopped after 1 s |", markdown)
        self.assertIn("a\\|b 1 | ", markdown)
        paired = report.paired_lines(merge_rounds(runs), "accord")
        self.assertEqual(paired[0][:4], ["a|b", "6", "+0.1000", "6/0/0"])
        self.assertEqual(paired[0][4], "0.031")  # 2 / 2^6


class TimeOnlyTest(HarnessTest):
    """Families without a reference."""

    def test_the_report_has_times_and_no_scores(self) -> None:
        """The fastest aligner comes first; nothing is tested."""
        runs = [result(aligner=a, user_s=t, pairs=0, columns=0, pairs_correct=0,
                       columns_correct=0) for a, t in (("accord", 5.0), ("quick", 1.0))]
        markdown = report.to_markdown(runs)
        rows = [line for line in markdown.splitlines() if line.startswith(("| quick 1", "| **acc"))]
        self.assertEqual([row.split("|")[2].strip(" *") for row in rows], ["-", "-"])
        self.assertIn("quick", rows[0])
        self.assertNotIn("paired comparison", markdown)


class DrawnFigureTest(unittest.TestCase):
    """The figure of README."""

    def test_the_figure_is_that_of_the_table(self) -> None:
        """scripts/benchmark.py --documents draws it again; it is XML, with two dots a program."""
        text = draw.figure()
        self.assertEqual(draw.FIGURE.read_text(encoding="utf-8"), text)
        dots = list(ElementTree.fromstring(text).iter("{http://www.w3.org/2000/svg}circle"))
        self.assertEqual(len(dots), 2 * len(draw.rows()))


class MemoryTest(HarnessTest):
    """Peak memory of a command."""

    def test_a_short_process_counts(self) -> None:
        """The largest one, though nobody may have looked while it lived."""
        ended = process.run(f"{sys.executable} -c \"b'x' * (400 << 20)\"", self.directory, 0,
                            process.Running())
        self.assertEqual(ended.status, "ok", ended.message)
        self.assertGreater(ended.usage.peak_mib, 400)


class AlignerTest(HarnessTest):
    """The table of aligners."""

    def test_every_command_has_its_files(self) -> None:
        """And a program that is not there is not found."""
        for aligner in aligners.TABLE:
            for command in (aligner.command, aligner.nucleotide):
                if command:
                    self.assertIn("{in}", command, aligner.name)
                    self.assertIn("{out}", command, aligner.name)
            self.assertIsNone(aligners.find(aligner._replace(programs=("no-such-program",))))
        names = [aligner.name for aligner in aligners.TABLE]
        self.assertEqual(len(names), len(set(names)))

    def test_plans_name_aligners_of_the_table(self) -> None:
        """A misspelt one would be left out with a warning."""
        known = {aligner.name for aligner in aligners.TABLE} | {"accord", *aligners.ACCORD_MODES}
        plans = sorted((ROOT / "scripts" / "benchmark").glob("*.plan"))
        self.assertGreaterEqual(len(plans), 3)
        for plan in plans:
            named = set(",".join(re.findall(r"^[^#].*--aligners (\S+)", plan.read_text(), re.M))
                        .split(","))
            self.assertLessEqual(named, known, plan.name)

    def test_versions_tell_programs_of_one_name_apart(self) -> None:
        """muscle may be of the third or the fifth kind."""
        program = self.write("muscle", "#!/bin/sh\necho 'MUSCLE v3.8.1551 by R. C. Edgar'\n")
        program.chmod(0o755)
        by_name = {aligner.name: aligner for aligner in aligners.TABLE}
        third = aligners.find(by_name["muscle3"]._replace(programs=(str(program),)))
        assert third is not None
        self.assertEqual(third.version, "3.8.1551")
        self.assertIsNone(aligners.find(by_name["muscle5"]._replace(programs=(str(program),))))

    def test_nucleotides(self) -> None:
        """Some have another command, some none."""
        here = aligners.Installed("x", "/bin/x", "1", "p", None)
        self.assertEqual(here.command_for("nucleotide"), "p")
        self.assertEqual(here._replace(nucleotide="n").command_for("nucleotide"), "n")
        self.assertEqual(here._replace(nucleotide="").command_for("nucleotide"), "")
        self.assertEqual(here._replace(nucleotide="").command_for("protein"), "p")


if __name__ == "__main__":
    assert Path(__file__).name.startswith("test_")
    unittest.main()
