"""Families x aligners x rounds -> results: plans the runs, makes them, scores them."""
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import NamedTuple, Optional

from . import machine, process
from .aligners import Installed
from .datasets import Facts, Family, facts
from .results import Result, ResultFile


class Phase(NamedTuple):
    """Families, and the aligners that are to align them."""

    families: list[Family]
    aligners: list[Installed]


class Run(NamedTuple):
    """A planned run."""

    family: Family
    facts: Facts
    aligner: Installed
    round: int


class Settings(NamedTuple):
    """How runs are made."""

    accord: str  # the program that scores
    jobs: int = 1
    threads: int = 1
    limit_s: float = 0.0
    stop_after_s: float = 0.0
    keep: Optional[Path] = None
    retry: bool = False  # failed runs again


def plan(phases: list[Phase], rounds: int) -> list[Run]:
    """The runs of each phase after those of the one before; in a phase the families with
    the most letters first. The aligners take turns on a family, and every round goes over all
    families, so that runs that are compared are made at the same time."""
    known: dict[Family, Facts] = {}
    runs: list[Run] = []
    for number in range(1, rounds + 1):
        for phase in phases:
            for family in phase.families:
                if family not in known:
                    known[family] = facts(family)
            largest_first = sorted(
                phase.families, key=lambda f: -known[f].letters)
            runs += [Run(family, known[family], aligner, number)
                     for family in largest_first for aligner in phase.aligners
                     if aligner.command_for(known[family].kind)]
    return runs


def result_of(run: Run, results: ResultFile, settings: Settings) -> Optional[Result]:
    """The line of the run, if it has been made."""
    return results.done.get(_result(run, settings, "").key())


def is_done(run: Run, results: ResultFile, settings: Settings) -> bool:
    """Is the run in the file, and not one to be made again?"""
    old = result_of(run, results, settings)
    if old is None:
        return False
    if old.status == "timeout":  # a longer limit is another chance
        return 0 < settings.limit_s <= old.limit_s
    return old.status == "ok" or not settings.retry


def _shown(aligner: Installed, kind: str) -> str:
    name = shlex.quote(Path(aligner.program).name) if aligner.program else ""
    return aligner.command_for(kind).replace("{program}", name)


def _result(run: Run, settings: Settings, host: str) -> Result:
    """The line of a run that has not been made."""
    family, known, aligner = run.family, run.facts, run.aligner
    return Result(family.dataset, family.group, family.name, known.checksum, known.sequences,
                  known.longest, known.kind, aligner.name, aligner.version,
                  " ".join(_shown(aligner, known.kind).split()), run.round, settings.threads,
                  "failed", 0, settings.limit_s, 0, 0, 0, 0, 0.0, 0.0, 0.0, 0.0, host, "")


def score(accord: str, test: Path, reference: Path) -> tuple[Optional[list[int]], str]:
    """The four counts of `accord score`, or its message if it failed."""
    done = subprocess.run([accord, "score", str(test), str(reference)], capture_output=True,
                          text=True, errors="replace", check=False)
    lines = done.stdout.splitlines()
    if done.returncode != 0 or len(lines) != 2:
        return None, process.last_words(done.stderr)
    table = dict(zip(lines[0].split("\t"), lines[1].split("\t")))
    names = ("pairs_correct", "pairs", "columns_correct", "columns")
    return [int(table[name]) for name in names], ""


class Runner:
    """Makes runs, several at a time."""

    def __init__(self, settings: Settings, results: ResultFile) -> None:
        """Results go to `results` as the runs end."""
        self.settings = settings
        self.results = results
        self.running = process.Running()
        self._host = machine.describe()
        self._lock = threading.Lock()
        self._queue: list[Run] = []
        self._error: Optional[BaseException] = None
        self.made = 0

    def make(self, run: Run) -> Optional[Result]:
        """One run, in a directory of its own; None if it was stopped."""
        settings = self.settings
        with tempfile.TemporaryDirectory(prefix="benchmark-") as name:
            directory = Path(name)
            source = directory / ("in.fa.gz" if run.family.path.name.endswith(".gz") else "in.fa")
            shutil.copyfile(run.family.path, source)
            target = directory / "out.aln"
            command = run.aligner.command_for(run.facts.kind)
            for key, value in (("program", shlex.quote(run.aligner.program)), ("in", source.name),
                               ("out", target.name), ("threads", str(settings.threads))):
                command = command.replace("{" + key + "}", value)
            cache = self.results.path.parent.resolve() / "cache"
            ended = process.run(command, directory, settings.limit_s, self.running,
                                process.environment(directory, cache))
            if ended.status == "stopped":
                return None
            status, message = ended.status, ended.message
            if status == "ok" and not (target.is_file() and target.stat().st_size):
                status, message = "failed", "exit 0, but no alignment was written"
            result = _result(run, settings, self._host)._replace(
                exit=ended.exit, wall_s=ended.usage.wall_s, user_s=ended.usage.user_s,
                system_s=ended.usage.system_s, peak_mib=ended.usage.peak_mib)
            if run.family.reference:
                counts, problem = self._counts(run.family.reference, target, status)
                if problem:
                    status, message = "failed", f"cannot be scored: {problem}"
                result = result._replace(pairs_correct=counts[0], pairs=counts[1],
                                         columns_correct=counts[2], columns=counts[3])
            if settings.keep and target.is_file():
                kept = settings.keep / run.aligner.name / run.family.dataset / run.family.group
                kept.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(target, kept / f"{run.family.name}.aln")
            return result._replace(status=status, error=message)

    def _counts(self, reference: Path, target: Path, status: str) -> tuple[list[int], str]:
        """The counts of the alignment, or zeros over the reference's own and what went wrong."""
        if status == "ok":
            counts, problem = score(self.settings.accord, target, reference)
            if counts:
                return counts, ""
        else:
            problem = ""
        whole, broken = score(self.settings.accord, reference, reference)
        if not whole:
            return [0, 1, 0, 1], broken  # nobody can score against such a reference
        return [0, whole[1], 0, whole[3]], problem

    def _work(self) -> None:
        while True:
            with self._lock:
                if not self._queue or self.running.stopped:
                    return
                run = self._queue.pop(0)
            try:
                result = self.make(run)
                if result:
                    with self._lock:
                        self.results.add(result)
                        self.made += 1
            except BaseException as error:  # pylint: disable=broad-except
                self._error = self._error or error
                self.running.stop()
                return

    def make_all(self, runs: list[Run]) -> int:
        """Makes the runs that are not done; returns how many are left, which is 0 unless the time
        of `stop_after_s` was over. An interruption ends running programs, and is passed on."""
        seen = set()
        for run in runs:
            key = _result(run, self.settings, "").key()
            if key not in seen and not is_done(run, self.results, self.settings):
                self._queue.append(run)
            seen.add(key)
        elsewhere = {r.machine for r in self.results.done.values()} - {self._host}
        if self._queue and elsewhere:
            print(f"benchmark: warning: {self.results.path} has runs of {'; '.join(elsewhere)}; "
                  "their times are not compared with those made now", file=sys.stderr)
        planned, start, shown = len(self._queue), time.monotonic(), 0.0
        workers = [threading.Thread(target=self._work, daemon=True)
                   for _ in range(min(self.settings.jobs, planned))]
        try:
            for worker in workers:
                worker.start()
            while any(worker.is_alive() for worker in workers):
                time.sleep(0.02)
                now = time.monotonic() - start
                if 0 < self.settings.stop_after_s <= now:
                    break
                if now - shown >= (1 if sys.stderr.isatty() else 30):
                    shown = now
                    self._progress(planned)
        finally:
            self.running.stop()
            for worker in workers:
                worker.join()
            self._progress(planned, end="\n")
        if self._error:
            raise self._error
        return planned - self.made

    def _progress(self, planned: int, end: str = "") -> None:
        if planned == 0:
            return
        tty = sys.stderr.isatty()
        text = f"{self.made} of {planned} runs done"
        print(("\r" if tty else "") + text, end=end if tty else "\n", file=sys.stderr, flush=True)
