#!/usr/bin/env python3
"""Is the uncertainty of an alignment worth anything for trees? Aligns simulated families whose true
tree is known (simulate_families.py) in several ways, makes trees of the alignments, and compares
the trees with the true one by the normalised distance of Robinson & Foulds (1981): the splits that
one of both trees has alone, over the splits of both.

  scripts/research/ensemble_trees.py FAMILIES OUT [--accord FILE] [--threads N] [--seconds S]

Alignments: the true one, 'accord align', its columns of some confidence ('accord trim'), the
replicates of 'accord ensemble', the one that agrees best with the others, all replicates side by
side, MAFFT (L-INS-i, FFT-NS-2) and MUSCLE 5. Trees: FastTree; IQ-TREE (-fast); RAxML (-f E);
weights of columns for RAxML, and for IQ-TREE as columns that are repeated; the greedy consensus of
the trees of the replicates, and, to tell what a consensus alone does, of as many trees of bootstrap
samples of 'accord align' (Felsenstein 1985).

OUT gets trees.tsv (a tree a line), splits.tsv (the inner branches of the tree of 'accord align':
the support of FastTree, the share of the trees of replicates that have the split, whether the true
tree has it), columns.tsv (the columns of 'accord align': their confidence, the share of replicates
that have them, how many pairs are right, whether the column is one of the true alignment) and
times.tsv (CPU seconds of alignments).
ensemble_tables.py prints tables of these files. No job begins after --seconds; a second run goes on
where the first one ended. Needs fasttree, iqtree2, mafft, muscle and raxmlHPC on PATH; a program
that PATH does not have is left out, with a warning.
"""
import argparse
import errno
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from calibration import true_columns
from simulation.tree import Node, newick_tree
from trim_trees import Split, splits

ROOT = Path(__file__).resolve().parents[2]
TRIMS = {"trimmed": [], "trimmed .3": ["--min-confidence", "0.3"],
         "trimmed .7": ["--min-confidence", "0.7"]}
REPLICATES = [f"p{p}.t{t}" for p in range(4) for t in range(4)]  # the first is 'accord align'
BOOTSTRAPS = [f"boot{k}" for k in range(16)]
FASTTREE = ["true", "accord", "linsi", "fftns2", "muscle", *TRIMS, *REPLICATES[1:], *BOOTSTRAPS]
IQTREE = ["accord", "weighted", "true", "concatenated", "trimmed .7", "linsi", "muscle"]
RAXML = ["accord", "weighted"]
GRACE = 60  # seconds that a job may last after the time is over


class OutOfTimeError(Exception):
    """A job was ended, since the time is over."""


class Study:
    """Where the families, the results and the programs are."""

    def __init__(self, options: argparse.Namespace) -> None:
        """Reads the results that are there."""
        self.families: Path = options.families
        self.out: Path = options.out
        self.accord: str = options.accord
        self.end = time.monotonic() + options.seconds
        self.lock = threading.Lock()
        rows = [line.split("\t") for line in
                (self.families / "families.tsv").read_text(encoding="ascii").splitlines()[1:]]
        # The largest first, so that no long job is the last.
        self.names = [row[0] for row in sorted(rows, key=lambda row: -int(row[2]))]
        self.heights = {row[0]: row[1] for row in rows}
        self.out.mkdir(parents=True, exist_ok=True)
        trees = self.out / "trees.tsv"
        self.done = {tuple(line.split("\t")[i] for i in (0, 2, 3)) for line in
                     (trees.read_text(encoding="ascii").splitlines() if trees.exists() else [])}

    def folder(self, family: str) -> Path:
        """Where the files of a family are made."""
        path = self.out / "work" / family
        path.mkdir(parents=True, exist_ok=True)
        return path

    def run(self, command: list[str], output: Path, where: Path) -> float:
        """Runs a command, its stdout to a file; the CPU seconds of all its processes."""
        with open(output, "wb") as out, open(str(output) + ".err", "wb") as err:
            process = subprocess.Popen(command, cwd=where, stdin=subprocess.DEVNULL, stdout=out,
                                       stderr=err, start_new_session=True)
            limit = self.end + GRACE - time.monotonic()
            timer = threading.Timer(max(0.0, limit), os.killpg, (process.pid, signal.SIGKILL))
            timer.start()
            _, status, used = os.wait4(process.pid, 0)
            timer.cancel()
            process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode == -signal.SIGKILL:
            raise OutOfTimeError
        if process.returncode != 0:
            raise RuntimeError(f"{' '.join(command)}: status {process.returncode}\n" +
                               Path(str(output) + ".err").read_text(encoding="utf-8")[-2000:])
        return used.ru_utime + used.ru_stime

    def write(self, table: str, rows: Iterable[Iterable[object]]) -> None:
        """Adds lines to a table."""
        text = "".join("\t".join(map(str, row)) + "\n" for row in rows)
        with self.lock, open(self.out / table, "a", encoding="ascii") as file:
            file.write(text)

    def write_tree(self, family: str, what: str, program: str, found: set[Split],
                   seconds: float) -> None:
        """A line of trees.tsv: family, height, alignment, program, distance to the true tree, CPU
        seconds, and the splits that are missed and false."""
        true = splits(newick_tree((self.families / f"{family}.nwk").read_text(encoding="ascii")))
        distance = len(true ^ found) / (len(true) + len(found))
        self.write("trees.tsv", [(family, self.heights[family], what, program, f"{distance:.6f}",
                                  f"{seconds:.3f}", len(true - found), len(found - true))])


def fasta(path: Path) -> dict[str, str]:
    """Rows by name."""
    rows: dict[str, str] = {}
    for record in path.read_text(encoding="utf-8").split(">")[1:]:
        head, _, letters = record.partition("\n")
        rows[head.split()[0]] = letters.replace("\n", "")
    return rows


def write_repeated(source: Path, weights: Path, target: Path) -> None:
    """The alignment with each column as often as its weight says."""
    often = [int(word) for word in weights.read_text(encoding="ascii").split()]
    with open(target, "w", encoding="ascii") as out:
        for name, row in fasta(source).items():
            out.write(f">{name}\n" + "".join(c * n for c, n in zip(row, often)) + "\n")


def write_bootstraps(source: Path, where: Path) -> None:
    """Alignments of columns drawn from that of the source, as many as it has."""
    rows = fasta(source)
    columns = len(next(iter(rows.values())))
    for number, what in enumerate(BOOTSTRAPS):
        drawn = random.Random(number).choices(range(columns), k=columns)
        with open(where / f"{what}.fa", "w", encoding="ascii") as out:
            for name, row in rows.items():
                out.write(f">{name}\n" + "".join(row[at] for at in drawn) + "\n")


def greedy_consensus(trees: list[set[Split]]) -> set[Split]:
    """The extended majority-rule consensus: splits in the order of their number, equal ones by
    their names, as far as they agree with those before. No split contains the first leaf, so two
    of them agree if they are apart or one is in the other."""
    count = Counter(split for tree in trees for split in tree)
    taken: set[Split] = set()
    for split in sorted(count, key=lambda one: (-count[one], sorted(one))):
        if all(split <= other or other <= split or not split & other for other in taken):
            taken.add(split)
    return taken


def align_accord(study: Study, family: str) -> None:
    """'accord align', and what trim and confidence make of it."""
    where, source = study.folder(family), study.families / f"{family}.fa"
    quiet = ["-q", "--device", "none", "-j", "1"]
    whole = where / "accord.fa"
    log = where / "accord.log"
    study.write("times.tsv", [(family, "accord", study.run(
        [study.accord, str(source), *quiet, "-o", str(whole), "--confidence",
         str(where / "confidence.tsv")], log, where))])
    for what, options in TRIMS.items():
        study.write("times.tsv", [(family, what, study.run(
            [study.accord, "trim", str(whole), *quiet, *options, "-o", str(where / f"{what}.fa")],
            log, where))])
    study.write("times.tsv", [(family, "weighted", study.run(
        [study.accord, "confidence", str(whole), *quiet, "--weights", str(where / "weights.txt"),
         "-o", str(where / "accord.phy")], log, where))])
    write_repeated(whole, where / "weights.txt", where / "weighted.fa")
    write_bootstraps(whole, where)
    shutil.copy(study.families / f"{family}.true.fa", where / "true.fa")


def align_ensemble(study: Study, family: str) -> None:
    """The replicates, and all of them side by side."""
    where, source = study.folder(family), study.families / f"{family}.fa"
    make = [study.accord, "ensemble", str(source), "-q", "--device", "none", "-j", "1"]
    log = where / "ensemble.log"
    study.write("times.tsv", [(family, "ensemble", study.run(
        [*make, "-o", str(where / "all") + "/", "-f", "fasta", "--columns-out",
         str(where / "columns.tsv"), "--report", str(where / "ensemble.json")], log, where))])
    for path in (where / "all").iterdir():
        shutil.move(str(path), where / (path.name.rpartition(".")[0] + ".fa"))
    study.write("times.tsv", [(family, "concatenated", study.run(
        [*make, "--concatenate", "-o", str(where / "concatenated.fa")], log, where))])


def align_other(study: Study, family: str, what: str, command: list[str]) -> None:
    """An alignment of another program, on stdout if the command names no file."""
    where, target = study.folder(family), study.folder(family) / f"{what}.fa"
    words = [word.format(source=study.families / f"{family}.fa", target=target)
             for word in command]
    to_file = any("{target}" in word for word in command)
    study.write("times.tsv", [(family, what, study.run(
        words, where / f"{what}.log" if to_file else target, where))])


def judge_columns(study: Study, family: str) -> None:
    """Lines of columns.tsv: family, height, confidence, share of replicates, pairs, right pairs,
    and 1 if the column is one of the true alignment."""
    where = study.folder(family)
    truth = true_columns(where / "true.fa")
    size = Counter(truth.values())
    confidence = [line.split("\t")[6]
                  for line in (where / "confidence.tsv").read_text().splitlines()
                  if line.startswith("column\t")]
    share = [line.split("\t")[3] for line in (where / "columns.tsv").read_text().splitlines()
             if line.startswith("p0.t0\t")]
    columns: list[list[int]] = [[] for _ in confidence]
    for name, row in fasta(where / "accord.fa").items():
        residue = 0
        for at, letter in enumerate(row):
            if letter != "-":
                residue += 1
                columns[at].append(truth[name, residue])
    study.write("columns.tsv", (
        (family, study.heights[family], confidence[at], share[at],
         len(true) * (len(true) - 1) // 2,
         sum(n * (n - 1) // 2 for n in Counter(true).values()),
         int(len(set(true)) == 1 and size[true[0]] == len(true)))
        for at, true in enumerate(columns) if len(true) > 1))


def make_tree(study: Study, family: str, what: str, program: str) -> None:
    """A tree of an alignment."""
    where = study.folder(family)
    source, stem = where / f"{what}.fa", f"{program}.{what.replace(' ', '')}"
    log = where / f"{stem}.log"
    if not source.exists() and program != "RAxML":
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(source))
    if program == "FastTree":
        tree, command = log, ["fasttree", "-quiet", "-nopr", "-lg", str(source)]
    elif program == "IQ-TREE":
        tree = where / f"{stem}.treefile"
        command = ["iqtree2", "-s", str(source), "-m", "LG+G4", "-fast", "-T", "1", "-seed", "1",
                   "-redo", "--prefix", stem, "-quiet"]
    else:
        tree = where / f"RAxML_fastTree.{stem}"
        for old in where.glob(f"RAxML_*.{stem}"):
            old.unlink()
        weights = ["-a", "weights.txt"] if what == "weighted" else []
        command = ["raxmlHPC", "-f", "E", "-m", "PROTCATLG", "-p", "1", "-T", "1", "-s",
                   "accord.phy", *weights, "-n", stem]
    seconds = study.run(command, log, where)
    found = newick_tree(tree.read_text(encoding="ascii"))
    shutil.copy(tree, where / f"{stem}.nwk")
    study.write_tree(family, what, program, splits(found), seconds)


def supports(nodes: list[Node]) -> list[tuple[Split, float]]:
    """The inner splits of a tree of FastTree, with their supports (0 if there is none)."""
    inner = {node.parent for node in nodes}
    found: dict[Split, float] = {}
    for k, node in enumerate(nodes):
        if k in inner and node.parent >= 0:
            at = [k if i == k else node_i.parent for i, node_i in enumerate(nodes)]
            below = {k}
            for i in range(k + 1, len(nodes)):
                if at[i] in below:
                    below.add(i)
            side = frozenset(nodes[i].name for i in below if i not in inner)
            leaves = frozenset(one.name for i, one in enumerate(nodes) if i not in inner)
            side = leaves - side if min(leaves) in side else side
            if 1 < len(side) < len(leaves) - 1:
                found[side] = float(node.name or 0)
    return list(found.items())


def judge_replicates(study: Study, family: str) -> None:
    """The consensus of the trees of the replicates and the tree of the best one, in trees.tsv; the
    branches of the tree of 'accord align', in splits.tsv."""
    where = study.folder(family)
    texts = {what: (where / f"FastTree.{what}.nwk").read_text(encoding="ascii")
             for what in ["accord", *REPLICATES[1:]]}
    trees = {what: splits(newick_tree(text)) for what, text in texts.items()}
    best = json.loads((where / "ensemble.json").read_text())["ensemble"]["best"]
    study.write_tree(family, "best", "FastTree",
                     trees["accord" if best == REPLICATES[0] else best], 0.0)
    study.write_tree(family, "consensus", "FastTree", greedy_consensus(list(trees.values())), 0.0)
    true = splits(newick_tree((study.families / f"{family}.nwk").read_text(encoding="ascii")))
    study.write("splits.tsv", (
        (family, study.heights[family], support,
         sum(split in tree for tree in trees.values()) / len(trees), int(split in true))
        for split, support in supports(newick_tree(texts["accord"]))))


def judge_bootstraps(study: Study, family: str) -> None:
    """The consensus of the trees of bootstrap samples, in trees.tsv."""
    where = study.folder(family)
    study.write_tree(family, "bootstraps", "FastTree", greedy_consensus([
        splits(newick_tree((where / f"FastTree.{what}.nwk").read_text(encoding="ascii")))
        for what in BOOTSTRAPS]), 0.0)


class Job(NamedTuple):
    """What is done once for a family."""

    family: str
    what: str
    program: str
    action: Callable[[], None]


def rounds(study: Study) -> Iterable[list[Job]]:
    """The jobs, in rounds; those of a round need results of the rounds before."""
    def for_all(what: str, program: str, action: Callable[[str], None]) -> list[Job]:
        return [Job(name, what, program, lambda name=name: action(name)) for name in study.names]

    def trees(program: str, whats: list[str]) -> list[Job]:
        return [job for what in whats for job in for_all(
            what, program, lambda name, what=what: make_tree(study, name, what, program))]

    def by_family(jobs: list[Job]) -> list[Job]:
        return sorted(jobs, key=lambda job: study.names.index(job.family))

    others = {"muscle": ["muscle", "-align", "{source}", "-output", "{target}", "-threads", "1"],
              "linsi": ["mafft", "--localpair", "--maxiterate", "1000", "--thread", "1", "--amino",
                        "{source}"],
              "fftns2": ["mafft", "--retree", "2", "--maxiterate", "0", "--thread", "1", "--amino",
                         "{source}"]}
    yield [*[job for what, command in others.items() if shutil.which(command[0]) for job in for_all(
        what, "align", lambda name, what=what, command=command:
        align_other(study, name, what, command))],
           *for_all("ensemble", "align", lambda name: align_ensemble(study, name)),
           *for_all("accord", "align", lambda name: align_accord(study, name))]
    yield [*(trees("FastTree", FASTTREE) if shutil.which("fasttree") else []),
           *for_all("columns", "judge", lambda name: judge_columns(study, name))]
    yield [*for_all("replicates", "judge", lambda name: judge_replicates(study, name)),
           *for_all("bootstraps", "judge", lambda name: judge_bootstraps(study, name)),
           *(trees("IQ-TREE", IQTREE) if shutil.which("iqtree2") else []),
           *(trees("FastTree", ["concatenated"]) if shutil.which("fasttree") else []),
           *(by_family(trees("RAxML", RAXML)) if shutil.which("raxmlHPC") else [])]


def do(study: Study, job: Job) -> str:
    """Does a job, unless the time is over or it is done; what became of it."""
    if (job.family, job.what, job.program) in study.done:
        return "done before"
    if time.monotonic() > study.end:
        return "no time"
    try:
        job.action()
    except OutOfTimeError:
        return "no time"
    except FileNotFoundError as error:
        return f"not made: {job.family} {job.what} {job.program}, as there is no {error.filename}"
    except (RuntimeError, ValueError) as error:
        return f"failed: {job.family} {job.what} {job.program}: {error}"
    if job.program in ("align", "judge"):
        study.write("trees.tsv", [(job.family, study.heights[job.family], job.what, job.program,
                                   "NA", "NA", "NA", "NA")])
    return "done"


def main() -> int:
    """Does all jobs for which there is time, and says how many."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("families", type=lambda word: Path(word).resolve())
    parser.add_argument("out", type=lambda word: Path(word).resolve())
    parser.add_argument("--accord", default=str(ROOT / "build" / "accord"))
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--seconds", type=float, default=86400.0)
    options = parser.parse_args()
    study = Study(options)
    for program in ("fasttree", "iqtree2", "mafft", "muscle", "raxmlHPC"):
        if not shutil.which(program):
            print(f"warning: no {program} on PATH", file=sys.stderr)
    failed = False
    for number, jobs in enumerate(rounds(study), 1):
        with ThreadPoolExecutor(options.threads) as pool:
            became = Counter(pool.map(lambda job: do(study, job), jobs))
        failed = failed or any(what.startswith("failed") for what in became)
        for what, count in became.most_common():
            print(f"round {number}: {count} jobs {what}", file=sys.stderr, flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
