"""Runs of scripts/benchmark.py with aligners that crash, hang, lie, or are interrupted."""
import os
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

from support import ACCORD, HarnessTest, end_with_parent, is_running


class RunTest(HarnessTest):
    """What a run leaves in results.tsv."""

    def bench(self, *arguments: object, status: int = 0) -> dict[str, str]:
        """Runs it with -o out; returns the status of each family by aligner and name."""
        self.run_script("-o", "out", *arguments, status=status)
        return {f"{r.aligner}/{r.family}": r.status for r in self.results()}

    def test_accord_and_a_program_of_the_users(self) -> None:
        """Scores, costs and the report of an ordinary run."""
        data = self.families(2)
        # What holds more than this process is seen however short it lives.
        large = f"{sys.executable} -c \"b'x' * (400 << 20)\" && {self.pad()}"
        found = self.bench(data, "--with", f"pad={large}", "--aligners", "accord,pad")
        self.assertEqual(set(found.values()), {"ok"})
        self.assertEqual(len(found), 4)
        by_name = {(r.aligner, r.family): r for r in self.results()}
        pad = by_name["pad", "f2"]  # A, C, D, E of a; A, C, E of b in front of their places
        self.assertEqual((pad.pairs, pad.columns), (1 + 3 + 1 + 1 + 1 + 1, 4))
        self.assertLess(pad.pairs_correct, pad.pairs)
        self.assertGreater(pad.user_s + pad.system_s, 0)
        self.assertGreater(pad.peak_mib, 400)
        for name in ("report.md", "summary.tsv"):
            self.assertTrue((self.directory / "out" / name).is_file(), name)

    def test_a_build_named_by_a_relative_path(self) -> None:
        """It is found, though programs run in other directories."""
        (self.directory / "build").symlink_to(Path(ACCORD).resolve().parent)
        found = self.bench(self.families(1), "--accord", "build/accord", "--aligners", "accord")
        self.assertEqual(found, {"accord/f1": "ok"})

    def test_a_half_and_two_sets_of_parameters(self) -> None:
        """Families at odd places, with and without an option, compared in the report."""
        data = self.families(4)
        found = self.bench(data, "--half", "test", "--compare", "--refine 0", "--aligners",
                           "accord,accord --refine 0")
        self.assertEqual(sorted(found), ["accord --refine 0/f1", "accord --refine 0/f3",
                                         "accord/f1", "accord/f3"])
        text = (self.directory / "out" / "report.md").read_text(encoding="utf-8")
        self.assertIn("\n| accord --refine 0 | 2 | ", text)

    def test_a_crash_a_hang_and_lies_are_listed_and_count_as_zero(self) -> None:
        """The other aligners go on; the report names every failure."""
        data = self.families(2)
        commands = {"crash": "echo so sorry >&2; kill -SEGV $$ # {in} {out}",
                    "hang": "sleep 600; cp {in} {out}",
                    "silent": "true {in} {out}",
                    "wrong": f"{self.pad()} && sed -i s/C/W/ {{out}}",
                    "pad": self.pad()}
        options = [word for name, command in commands.items()
                   for word in ("--with", f"{name}={command}")]
        found = self.bench(data, *options, "--aligners", ",".join(commands), "--time-limit", 6,
                           "-j", 2, status=4)
        for name, status in (("crash", "failed"), ("hang", "timeout"), ("silent", "failed"),
                             ("wrong", "failed"), ("pad", "ok")):
            self.assertEqual([found[f"{name}/f1"], found[f"{name}/f2"]], [status] * 2, name)
        by_name = {r.aligner: r for r in self.results()}
        self.assertEqual(by_name["crash"].exit, -signal.SIGSEGV)
        self.assertIn("so sorry", by_name["crash"].error)
        self.assertIn("no alignment", by_name["silent"].error)
        self.assertIn("residues of row", by_name["wrong"].error)
        for name in ("crash", "hang", "silent", "wrong"):
            self.assertTrue(by_name[name].scored, name)
            self.assertEqual((by_name[name].sp, by_name[name].tc), (0, 0))
        text = (self.directory / "out" / "report.md").read_text(encoding="utf-8")
        self.assertIn("so sorry", text)
        self.assertIn("stopped after 6 s", text)

    def test_what_is_done_is_not_run_again(self) -> None:
        """Resuming is by version, command and checksum; failures on request."""
        data, log = self.families(2), self.directory / "log"
        work = f"mine=echo run >> {log}; {self.pad()}"
        for _ in range(2):
            self.bench(data, "--aligners", "mine", "--with", work)
        self.assertEqual(log.read_text(), "run\n" * 2)
        self.bench(data, "--aligners", "mine", "--with", work, "--rounds", 2)
        self.assertEqual(log.read_text(), "run\n" * 4)
        self.write("data/f1.fa", self.write("data/f1.true.fa", ">a\nAC\n>b\nAC\n").read_text())
        self.bench(data, "--aligners", "mine", "--with", work)  # f1 is another family now
        self.assertEqual(log.read_text(), "run\n" * 5)
        self.bench(data, "--aligners", "mine", "--with", work + " # faster")
        self.assertEqual(log.read_text(), "run\n" * 7)
        failing = f"bad=echo bad >> {log}; exit 3 # {{in}} {{out}}"
        for retry in ([], [], ["--retry"]):
            self.bench(data, "--aligners", "bad", "--with", failing, *retry, status=4)
        self.assertEqual(log.read_text().count("bad"), 4)

    def test_a_directory_named_twice_is_run_once(self) -> None:
        """Nor do two lines of a plan run one thing twice."""
        data = self.families(2)
        pad = ["--with", f"pad={self.pad()}"]
        self.bench(data, data, *pad, "--aligners", "pad")
        self.assertEqual(len(self.results()), 2)
        plan = self.write("plan", f"{data} --aligners pad --match '*/f1'\n# rest\n"
                          "data --aligners pad,accord,nonesuch\nnowhere\n")
        done = self.run_script("-o", "out", "--plan", plan, "--data", self.directory, *pad)
        self.assertIn("nonesuch is not here", done.stderr)
        self.assertIn("nowhere is not here", done.stderr)
        lines = (self.directory / "out" / "results.tsv").read_text().splitlines()
        self.assertEqual(len(lines), 1 + 4)

    def test_no_place_to_write(self) -> None:
        """A plain message and an exit status of its own."""
        data = self.families(1)
        self.write("file", "")
        done = self.run_script(data, "-o", "file/out", "--aligners", "accord", status=73)
        self.assertIn("cannot write file/out/results.tsv", done.stderr)
        self.assertIn("hint: choose another directory", done.stderr)
        (self.directory / "full").mkdir()
        (self.directory / "full" / "results.tsv").symlink_to("/dev/full")
        done = self.run_script(data, "-o", "full", "--aligners", "accord", status=73)
        self.assertIn("not a regular file", done.stderr)

    def test_a_disk_that_fills_up(self) -> None:
        """What was written stays; the same command goes on where there is room again."""
        data = self.families(6)
        arguments = (data, "-o", "out", "--aligners", "pad", "--with", f"pad={self.pad()}")
        command = self.command(*arguments)
        done = subprocess.run(["bash", "-c", 'ulimit -f 1; exec "$@"', "-", *command],
                              cwd=self.directory, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 74, done.stderr)
        self.assertIn("cannot write out/results.tsv", done.stderr)
        self.assertIn(len(self.results()), range(1, 6))
        self.run_script(*arguments)
        self.assertEqual(sorted(r.family for r in self.results()), [f"f{k}" for k in range(1, 7)])

    def test_usage(self) -> None:
        """Each mistake gets an answer."""
        data = self.families(1)
        empty = self.directory / "empty"
        empty.mkdir()
        for arguments, words in (((empty,), "no families"), (("none",), "not a directory"),
                                 ((), "nothing to run"),
                                 ((data, "--aligners", "nonesuch"), "not here"),
                                 ((data, "--with", "x=true"), "{in} and {out}"),
                                 ((data, "--accord", "/none"), "cannot run /none"),
                                 ((data, "--accord", "/bin/true"), "does not say")):
            done = self.run_script("-o", "out", *arguments, status=2)
            self.assertIn(words, done.stderr)
            self.assertIn("hint:", done.stderr)

    def wait_for_lines(self, path: str, count: int, child: "subprocess.Popen[bytes]") -> None:
        """Until a file has so many lines, as long as the process that writes it goes on."""
        file = self.directory / path
        while not file.exists() or file.read_bytes().count(b"\n") < count:
            self.assertIsNone(child.poll(), f"{path} never had {count} lines")
            time.sleep(0.02)

    def test_gone_on_with_on_another_machine(self) -> None:
        """What is done stays done; that times are of two machines is said, also in the report."""
        arguments = (self.families(2), "--aligners", "pad,late", "--with", f"pad={self.pad()}",
                     "--with", f"late={self.pad()}")
        self.bench(*arguments)
        path = self.directory / "out" / "results.tsv"
        header, *lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        cells = [line.split("\t") for line in lines[:-1]]  # the last run was not made
        moved = ["\t".join(line[:-2] + ["elsewhere", line[-1]]) for line in cells]
        path.write_text(header + "".join(moved), encoding="utf-8")
        done = self.run_script("-o", "out", *arguments)
        self.assertIn("has runs of elsewhere; their times are not compared", done.stderr)
        self.assertIn("time of several machines", done.stdout)
        self.assertEqual(len(self.results()), 4)
        self.assertIn("Times are those of elsewhere",
                      (self.directory / "out" / "report.md").read_text(encoding="utf-8"))

    def test_interrupted_and_resumed(self) -> None:
        """Nothing is left running, nothing is lost, nothing is counted twice."""
        data, log = self.families(6), self.directory / "log"
        pids, first, go = (self.directory / name for name in ("pids", "first", "go"))
        # Of the runs before each signal the first one ends by itself.
        slow = (f"slow=echo $$ >> {pids}; mkdir {first} || "
                f"while [ ! -e {go} ]; do sleep 0.1; done; {self.pad()}; echo {{in}} >> {log}")
        arguments = (data, "-o", "out", "--aligners", "slow", "--with", slow, "-j", 2)
        for signal_number in (signal.SIGINT, signal.SIGTERM):
            before = len(self.results()) if log.exists() else 0
            if first.exists():
                first.rmdir()
            # As a script's '&' does it: SIGINT is ignored. SIGTERM must work all the same.
            ignore = signal_number == signal.SIGTERM
            child = subprocess.Popen(
                ["bash", "-c", ("trap '' INT; " if ignore else "") + 'exec "$@"', "-",
                 *self.command(*arguments)],
                cwd=self.directory, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                preexec_fn=end_with_parent)
            self.wait_for_lines("out/results.tsv", 1 + before + 1, child)
            child.send_signal(signal_number)
            _, said = child.communicate()
            self.assertEqual(child.returncode, 130, said)
            self.assertIn(b"the same command goes on", said)
            for pid in map(int, pids.read_text().split()):
                with self.assertRaises(ProcessLookupError):
                    os.kill(pid, 0)
            # A line that a power cut left half is no result.
            with open(self.directory / "out" / "results.tsv", "a", encoding="utf-8") as file:
                file.write("data\tdata\tf1\thalf a li")
        self.assertEqual(len(self.results()), 2)
        go.touch()
        self.run_script(*arguments)
        found = sorted(r.family for r in self.results())
        self.assertEqual(found, [f"f{k}" for k in range(1, 7)])
        lines = (self.directory / "out" / "results.tsv").read_text().splitlines()
        self.assertEqual(len(lines), 1 + 6)

    def wait_until_ended(self, pids: list[int]) -> None:
        """Until none of the processes runs; those that stay are for the limit of the test run."""
        while any(is_running(pid) for pid in pids):
            time.sleep(0.02)

    def test_killed_in_the_middle(self) -> None:
        """What it has started ends, whoever is killed: the harness, or the tests that wait for
        it."""
        data, pids = self.families(2), self.directory / "pids"
        endless = f"slow=echo $$ >> {pids}; while true; do sleep 600; done; {self.pad()}"
        start = self.command(data, "-o", "out", "--aligners", "slow", "--with", endless, "-j", 2)
        tests = ("import subprocess, sys; sys.path.insert(0, sys.argv[1]); "
                 "from support import end_with_parent; "
                 "subprocess.run(sys.argv[2:], preexec_fn=end_with_parent, check=False)")
        here = str(Path(__file__).resolve().parent)
        for command in (start, [sys.executable, "-c", tests, here, *start]):
            pids.unlink(missing_ok=True)
            with subprocess.Popen(command, cwd=self.directory, stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL, preexec_fn=end_with_parent) as child:
                self.wait_for_lines("pids", 2, child)
                child.kill()
            self.wait_until_ended([int(pid) for pid in pids.read_text().split()])

    def test_the_time_for_everything(self) -> None:
        """--stop-after ends what runs, keeps what is done, and can be gone on with."""
        data, first, go = self.families(3), self.directory / "first", self.directory / "go"
        slow = f"slow=mkdir {first} || while [ ! -e {go} ]; do sleep 0.1; done; {self.pad()}"
        arguments = (data, "-o", "out", "--aligners", "slow", "--with", slow)
        done = self.run_script(*arguments, "--stop-after", 6, status=124)
        self.assertIn("2 runs are left", done.stdout)
        self.assertEqual([r.family for r in self.results()], ["f1"])
        go.touch()
        self.run_script(*arguments)
        self.assertEqual(sorted(r.family for r in self.results()), ["f1", "f2", "f3"])

    def test_one_writer_at_a_time(self) -> None:
        """A second run on the same directory is refused."""
        data = self.families(1)
        arguments = self.command(data, "-o", "out", "--aligners", "slow", "--with",
                                 f"slow=sleep 600; {self.pad()}")
        with subprocess.Popen(arguments, cwd=self.directory, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, preexec_fn=end_with_parent) as child:
            self.wait_for_lines("out/results.tsv", 1, child)
            done = self.run_script(data, "-o", "out", "--aligners", "accord", status=2)
            self.assertIn("another run is writing", done.stderr)
            child.send_signal(signal.SIGINT)


class QuickTest(HarnessTest):
    """--quick and --identity."""

    def test_quick_against_a_baseline(self) -> None:
        """The same build is within; a changed count is seen."""
        self.run_script("--quick", "--update-baseline", "--baseline", "base.tsv", "-j", 2)
        done = self.run_script("--quick", "--baseline", "base.tsv", "-j", 2)
        self.assertIn("the same as the baseline on all", done.stdout)
        path = self.directory / "base.tsv"
        lines = path.read_text(encoding="utf-8").splitlines()
        cells = lines[3].split("\t")
        cells[4] = str(int(cells[4]) + 1)
        lines[3] = "\t".join(cells)
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        done = self.run_script("--quick", "--baseline", "base.tsv", "-j", 2,
                               status=1)
        self.assertIn("accuracy: 1 family changed", done.stdout)
        self.assertIn(cells[2] + ": SP", done.stdout)
        done = self.run_script("--quick", "--baseline", "none.tsv", status=2)
        self.assertIn("--update-baseline", done.stderr)

    def test_identity(self) -> None:
        """accord passes; a wrapper that looks at its threads does not."""
        data = self.families(2)
        done = self.run_script(data, "--identity", "--devices", "none")
        self.assertIn("no alignment differs", done.stdout)
        wrapper = self.write("accord-bad", '#!/bin/bash\nout=$3\nshift 0\n'
                             'printf ">a\\n%s\\n" "${!#}" > "$out"\n')
        wrapper.chmod(0o755)
        done = self.run_script(data, "--identity", "--devices", "none", "--accord", wrapper,
                               status=1)
        self.assertIn("2 differ", done.stdout)


if __name__ == "__main__":
    unittest.main()
