"""Tests of scripts/benchmark/timeline.py, on a timeline of the program."""
import json
import subprocess
import sys
import unittest

from benchmark import timeline
from support import ACCORD, ROOT, HarnessTest


def span(row: int, name: str, kind: str, times: tuple[float, float, float]) -> dict[str, object]:
    """An event of a timeline, with its begin, its length and its CPU time in seconds."""
    begin, seconds, cpu = times
    return {"ph": "X", "name": name, "cat": kind, "pid": 1, "tid": row, "ts": begin * 1e6,
            "dur": seconds * 1e6, "tdur": cpu * 1e6}


class TimelineTest(HarnessTest):
    """The table and the picture."""

    def test_innermost_span(self) -> None:
        """A thread counts for the innermost span, and CPU time outside spans is named."""
        names = [{"ph": "M", "name": "process_name", "pid": 1, "tid": 0,
                  "args": {"name": "accord"}}]
        names += [{"ph": "M", "name": "thread_name", "pid": 1, "tid": row,
                   "args": {"name": "main"}} for row in (1, 2)]
        events = names + [span(1, "BB1", "family", (0, 10, 6)),
                          span(1, "align", "stage", (1, 4, 3)),
                          span(1, "align", "loop", (2, 1, 1)),
                          span(1, "refine", "stage", (5, 4, 2)),
                          span(1, "wait for CPUs", "wait", (6, 2, 0)),
                          span(2, "align", "loop", (2, 1, 0.5))]
        path = self.write("t.json", json.dumps(
            {"otherData": {"seconds": 10, "cpu_seconds": 8}, "traceEvents": events}))
        found = timeline.costs(timeline.read(path))
        self.assertEqual(found["align"], timeline.Cost(5, 3.5))
        self.assertEqual(found["refine"], timeline.Cost(2, 2))
        self.assertEqual(found["wait for CPUs"], timeline.Cost(2, 0))
        self.assertEqual(found[timeline.NO_STAGE], timeline.Cost(2, 1))
        lines = timeline.table(timeline.read(path)).splitlines()
        self.assertEqual(lines[1].split(), ["align", "5.000", "3.500", "43.8%"])
        self.assertEqual(lines[-2].split(), ["(in", "no", "span)", "1.500", "18.8%"])

    def test_program(self) -> None:
        """The stages of a run are in the table and in the picture."""
        path, picture = self.directory / "t.json", self.directory / "t.svg"
        subprocess.run([ACCORD, ROOT / "datasets/simulated/easy_8.fa", "-d", "none", "-o",
                        "/dev/null", "--trace", path], check=True)
        said = subprocess.run([sys.executable, ROOT / "scripts/benchmark/timeline.py", path,
                               "--svg", picture], capture_output=True, text=True, check=True)
        for stage in ("posteriors", "consistency", "align", "refine"):
            self.assertIn(f"\n{stage} ", said.stdout)
        self.assertIn(timeline.COLOURS["posteriors"], picture.read_text(encoding="utf-8"))


if __name__ == "__main__":
    unittest.main()
