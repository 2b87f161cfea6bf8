"""What the tests of scripts/benchmark.py share: the program under test, tiny families, and
aligners that behave in ways that real ones should not."""
import ctypes
import os
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SIMULATION = ROOT / "scripts" / "simulation"
TRAINING = ROOT / "scripts" / "training"
SCRIPT = ROOT / "scripts" / "benchmark.py"
ACCORD = os.environ.get("ACCORD_PROGRAM", str(ROOT / "build" / "accord"))
sys.path[:0] = [str(ROOT / "scripts"), str(SIMULATION), str(TRAINING)]

# pylint: disable=wrong-import-position
from benchmark.results import Result, read_results  # noqa: E402

PAD = '''
import sys
records = open(sys.argv[1]).read().split(">")[1:]
rows = [(r.split("\\n")[0], "".join(r.split("\\n")[1:])) for r in records]
width = max(len(row) for _, row in rows)
open(sys.argv[2], "w").write("".join(f">{n}\\n{row.ljust(width, '-')}\\n" for n, row in rows))
'''


def end_with_parent() -> None:
    """For what a test starts: SIGTERM when the process of the tests ends, however it ends."""
    set_signal_at_parents_death = 1  # PR_SET_PDEATHSIG
    ctypes.CDLL(None).prctl(set_signal_at_parents_death, signal.SIGTERM)


def is_running(pid: int) -> bool:
    """Whether a process is there and not just waits to be reaped."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="latin-1")
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state.rpartition(")")[2].split()[0] not in "ZX"


def result(**values: object) -> Result:
    """A result with some values that matter."""
    known: dict[str, object] = {
        "dataset": "set", "group": "g1", "family": "f1", "checksum": "c1", "sequences": 4,
        "longest": 50, "kind": "protein", "aligner": "accord", "version": "1", "command": "accord",
        "round": 1, "threads": 1, "status": "ok", "exit": 0, "limit_s": 0.0, "pairs_correct": 50,
        "pairs": 100, "columns_correct": 5, "columns": 20, "wall_s": 1.0, "user_s": 0.75,
        "system_s": 0.25, "peak_mib": 30.0, "machine": "test machine", "error": ""}
    known.update(values)
    return Result(**known)  # type: ignore[arg-type]


class HarnessTest(unittest.TestCase):
    """A test with a directory of its own and a way to run the script in it."""

    def setUp(self) -> None:
        """Makes the directory."""
        scratch = tempfile.TemporaryDirectory(prefix="harness-test-")
        self.addCleanup(scratch.cleanup)
        self.directory = Path(scratch.name)

    def write(self, name: str, text: str) -> Path:
        """A file below the directory."""
        path = self.directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def families(self, count: int) -> Path:
        """A data set of simulated layout; f1 is the largest."""
        for k in range(1, count + 1):
            tail = "ACDEFGHIKL" * (count - k)
            self.write(f"data/f{k}.fa", f">a\nACDE{tail}\n>b\nACE{tail}\n>c\nCDE{tail}\n")
            self.write(f"data/f{k}.true.fa",
                       f">a\nACDE{tail}\n>b\nAC-E{tail}\n>c\n-CDE{tail}\n")
        return self.directory / "data"

    def pad(self) -> str:
        """The command of an aligner that puts all gaps at the ends."""
        script = self.write("pad.py", PAD)
        return f"{sys.executable} {script} {{in}} {{out}}"

    def command(self, *arguments: object) -> list[str]:
        """The script's command line."""
        return [sys.executable, str(SCRIPT), "--accord", ACCORD, *map(str, arguments)]

    def run_script(self, *arguments: object, status: int = 0) -> "subprocess.CompletedProcess[str]":
        """Runs the script in the directory; the exit status must be `status`."""
        done = subprocess.run(self.command(*arguments), cwd=self.directory, capture_output=True,
                              text=True, timeout=300, check=False, preexec_fn=end_with_parent)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        self.assertNotIn("Traceback", done.stderr)
        return done

    def results(self, out: str = "out") -> list[Result]:
        """The results of a run with -o OUT."""
        return read_results(self.directory / out / "results.tsv")


__all__ = ["ACCORD", "HarnessTest", "ROOT", "SCRIPT", "SIMULATION", "TRAINING", "end_with_parent",
           "is_running", "result"]
