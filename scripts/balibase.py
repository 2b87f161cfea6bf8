#!/usr/bin/env python3
"""Aligns every family of a benchmark folder; prints accuracy, time and memory.

DIR is a BAliBASE release (RV*/NAME.tfa beside NAME.xml or NAME.msf), or has in/NAME and, to score,
ref/NAME. SP and TC (`accord score`) are means over families; a family that fails counts as zero.
CPU time is user plus system time of the aligner and all its children; peak memory is that of the
largest process, never less than this script's own 16 MiB. Examples:

  scripts/balibase.py bb3 --with 'linsi=mafft --quiet --localpair --maxiterate 1000 {in} > {out}'
  scripts/balibase.py bb3 -j 2 --args '--tree nj' --compare '--consistency 0' --tsv families.tsv
  scripts/balibase.py bb3 --subset all --identity
"""
import argparse
import contextlib
import os
import random
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Callable, Dict, List, NamedTuple, Optional, Tuple

BUILT = Path(__file__).resolve().parent.parent / "build" / "accord"


class Family(NamedTuple):
    """One input and the reference to score it with."""

    group: str
    name: str
    path: Path
    reference: Optional[Path]


class Run(NamedTuple):
    """What aligning one family took, and what came of it; `error` is empty if all is well."""

    wall_s: float
    user_s: float
    system_s: float
    peak_mib: float
    error: str
    sp: float = 0.0
    tc: float = 0.0


class Aligner(NamedTuple):
    """A named command; {in} and {out} stand for the two files."""

    name: str
    command: str


def find_families(folder: Path, subset: str) -> List[Family]:
    """All families of a folder of either layout, in the order of their names."""
    if (folder / "in").is_dir():
        pairs = [(path, folder / "ref" / path.name) for path in sorted((folder / "in").iterdir())]
        return [Family(folder.resolve().name, path.name, path, ref if ref.exists() else None)
                for path, ref in pairs]
    families = []
    for path in sorted(folder.glob("RV*/*.tfa")):
        if subset == "all" or (subset == "bbs") == path.name.startswith("BBS"):
            references = [path.with_suffix(s) for s in (".xml", ".msf")]
            families.append(Family(path.parent.name, path.stem, path,
                                   next((r for r in references if r.exists()), None)))
    return families


def last_line(messages: str) -> str:
    """The last line of what a program said that is not a hint."""
    lines = [line for line in messages.splitlines()
             if line.strip() and not line.strip().startswith("hint:")]
    return lines[-1].strip() if lines else "no message"


def align(aligner: Aligner, source: Path, target: Path) -> Run:
    """Runs the command and waits for it, with the resources of it and its children."""
    command = aligner.command.replace("{in}", shlex.quote(str(source)))
    command = command.replace("{out}", shlex.quote(str(target)))
    with tempfile.TemporaryFile() as messages:
        start = time.monotonic()
        child = subprocess.Popen(["bash", "-c", command], stdin=subprocess.DEVNULL,
                                 stdout=subprocess.DEVNULL, stderr=messages)
        _, status, used = os.wait4(child.pid, 0)
        wall = time.monotonic() - start
        child.returncode = os.waitstatus_to_exitcode(status)
        error = ""
        if child.returncode != 0 or not target.exists() or target.stat().st_size == 0:
            messages.seek(0)
            error = f"exit {child.returncode}: {last_line(messages.read().decode('latin-1'))}"
    return Run(wall, used.ru_utime, used.ru_stime, used.ru_maxrss / 1024, error)


def score(accord: str, run: Run, test: Path, reference: Optional[Path]) -> Run:
    """The run with the SP and TC of its alignment."""
    if run.error or reference is None:
        return run
    done = subprocess.run([accord, "score", str(test), str(reference)], capture_output=True,
                          text=True, check=False)
    try:
        header, values = (line.split("\t") for line in done.stdout.strip().splitlines())
        table = dict(zip(header, values))
        return run._replace(sp=float(table["SP"]), tc=float(table["TC"]))
    except (ValueError, KeyError):
        return run._replace(error=f"score: {last_line(done.stderr)}")


def for_all(families: List[Family], jobs: int, task: Callable[[Family], Run]) -> List[Run]:
    """task of every family, several at a time, biggest first; results in the given order."""
    order = sorted(range(len(families)), key=lambda i: -families[i].path.stat().st_size)
    results: Dict[int, Run] = {}
    with ThreadPoolExecutor(jobs) as pool:
        for i, result in zip(order, pool.map(lambda i: task(families[i]), order)):
            results[i] = result
            if sys.stderr.isatty():
                print(f"\r{len(results)}/{len(order)} ", end="", file=sys.stderr, flush=True)
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr)
    return [results[i] for i in range(len(families))]


def print_table(rows: List[List[str]]) -> None:
    """Columns of equal width; the first is flush left."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for row in rows:
        print("  ".join(cell.ljust(width) if i == 0 else cell.rjust(width)
                        for i, (cell, width) in enumerate(zip(row, widths))))
    print(flush=True)


def print_failures(aligner: str, families: List[Family], runs: List[Run]) -> None:
    """One line for each family that failed, up to twenty; --tsv has all."""
    lines = [f"{aligner} failed on {family.group}/{family.name}: {run.error}"
             for family, run in zip(families, runs) if run.error]
    for line in lines[:20]:
        print(line)
    if len(lines) > 20:
        print(f"{aligner} failed on {len(lines) - 20} more")


def measure(families: List[Family], aligners: List[Aligner], options: argparse.Namespace,
            folder: Path) -> int:
    """Runs every aligner on all families, one aligner after the other, and prints both tables."""
    groups = sorted({family.group for family in families})
    counts = [sum(family.group == group for family in families) for group in groups]
    accuracy = [["SP/TC"] + [f"{g} ({n})" for g, n in zip(groups, counts)] +
                [f"all ({len(families)})"]]
    cost = [["time", "wall s", "user s", "system s", "CPU s", "peak MiB", "(in)", "failed"]]
    lines, failed = ["aligner\tgroup\tfamily\tSP\tTC\twall_s\tuser_s\tsystem_s\tpeak_mib\terror"], 0
    for number, aligner in enumerate(aligners):
        outputs = {family: folder / str(number) / family.group / family.name
                   for family in families}
        for output in outputs.values():
            output.parent.mkdir(parents=True, exist_ok=True)
        start = time.monotonic()
        runs = for_all(families, options.jobs, lambda f: align(aligner, f.path, outputs[f]))
        wall = time.monotonic() - start
        by_family = dict(zip(families, runs))
        runs = for_all(families, options.jobs, lambda f: score(
            options.accord, by_family[f], outputs[f], f.reference))
        row = [aligner.name]
        for group in groups + [None]:
            # A family without a reference has no score, and no place in the mean.
            scored = [run for family, run in zip(families, runs)
                      if family.reference and group in (None, family.group)]
            row.append("-" if not scored else "/".join(
                f"{sum(values) / len(values):.4f}"
                for values in ([r.sp for r in scored], [r.tc for r in scored])))
        accuracy.append(row)
        user, system = sum(run.user_s for run in runs), sum(run.system_s for run in runs)
        peak, peak_family = max((run.peak_mib, family.name) for family, run in zip(families, runs))
        errors = sum(bool(run.error) for run in runs)
        failed += errors
        cost.append([aligner.name, f"{wall:.1f}", f"{user:.1f}", f"{system:.1f}",
                     f"{user + system:.1f}", f"{peak:.0f}", peak_family, str(errors)])
        print_failures(aligner.name, families, runs)
        lines += [f"{aligner.name}\t{family.group}\t{family.name}\t{run.sp:.4f}\t{run.tc:.4f}\t"
                  f"{run.wall_s:.3f}\t{run.user_s:.3f}\t{run.system_s:.3f}\t{run.peak_mib:.0f}\t"
                  f"{run.error}" for family, run in zip(families, runs)]
    print_table(accuracy)
    print_table(cost)
    if options.tsv:
        Path(options.tsv).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return 1 if failed else 0


def read_fasta(path: Path) -> List[Tuple[str, str]]:
    """(header, letters) of each record."""
    records: List[Tuple[str, List[str]]] = []
    for line in path.read_text(encoding="latin-1").splitlines():
        if line.startswith(">"):
            records.append((line, []))
        elif records:
            records[-1][1].append(line.strip())
    return [(name, "".join(parts)) for name, parts in records]


def shuffled_copy(source: Path, target: Path, seed: int) -> Path:
    """The records of a FASTA file in another order."""
    records = read_fasta(source)
    order = records[:]
    random.Random(seed).shuffle(order)
    if order == records:
        order.reverse()
    target.write_text("".join(f"{name}\n{text}\n" for name, text in order), encoding="latin-1")
    return target


def check_identity(families: List[Family], options: argparse.Namespace, folder: Path) -> int:
    """Runs accord in several ways that must not matter, and compares the rows by name."""
    first, *others = options.devices.split(",")
    command = f"{shlex.quote(options.accord)} {{in}} -o {{out}} {options.args}"
    variants = [(f"{first} -j {n}", f"{command} --device {first} -j {n}", False)
                for n in (1, 2, 4)]
    variants += [(f"{first} shuffled", f"{command} --device {first} -j 1", True)]
    variants += [(device, f"{command} --device {device}", False) for device in others]
    expected: Dict[Family, List[Tuple[str, str]]] = {}
    table, notes = [["against " + variants[0][0], "identical", "differ", "failed"]], []
    for name, text, shuffle in variants:
        aligner = Aligner(name, text)

        def compare(family: Family) -> Run:
            stem = folder / f"{family.group}-{family.name}"
            source, output = family.path, stem.with_name(stem.name + ".out")
            if shuffle:
                source = shuffled_copy(source, stem.with_name(stem.name + ".in"), options.seed)
            output.unlink(missing_ok=True)
            run = align(aligner, source, output)
            if run.error:
                return run
            rows = sorted(read_fasta(output))
            # sp serves as the verdict: 1 if identical.
            return run._replace(sp=float(expected.setdefault(family, rows) == rows))

        runs = for_all(families, options.jobs, compare)
        differ = [f"{family.group}/{family.name}" for family, run in zip(families, runs)
                  if not run.error and not run.sp]
        errors = sum(bool(run.error) for run in runs)
        print_failures(name, families, runs)
        table.append([name, str(len(runs) - len(differ) - errors), str(len(differ)), str(errors)])
        notes += [f"{name} differs: {' '.join(differ)}"] if differ else []
    print_table(table)
    bad = any(row[2:] != ["0", "0"] for row in table[1:])
    print("\n".join(notes or ["some runs failed" if bad else "no alignment differs"]))
    return 1 if bad else 0


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("folder", metavar="DIR", type=Path)
    add("--accord", default=str(BUILT), help="the program to run (build/accord)")
    add("--args", default="", help="options for accord")
    add("--compare", action="append", default=[], metavar="ARGS",
        help="also run accord with these options instead; may be repeated")
    add("--with", dest="others", action="append", default=[], metavar="NAME=COMMAND",
        help="also run this command, with {in} and {out} for the files; may be repeated")
    add("--only-with", action="store_true", help="run the --with commands, but not accord")
    add("-j", "--jobs", type=int, default=1, help="families at a time (1); biggest first. Each "
        "accord gets an equal share of the CPUs as its -j unless --args has one")
    add("--subset", choices=("full", "bbs", "all"), default="full",
        help="BAliBASE: full-length sets, homologous regions (BBS), or both (full)")
    add("--match", default="*", metavar="GLOB", help="only families like this, as in 'RV11/*'")
    add("--tsv", metavar="FILE", help="write one line a family and aligner")
    add("--keep", metavar="FOLDER", help="keep the alignments there")
    add("--identity", action="store_true", help="check instead that devices, threads and the "
        "order of the input do not change the alignment")
    add("--devices", default="none,cpu0", help="--identity: devices to compare (none,cpu0)")
    add("--seed", type=int, default=1, help="--identity: for shuffling (1)")
    options = parser.parse_args()
    families = [f for f in find_families(options.folder, options.subset)
                if Path(f.group, f.name).match(options.match)]
    if not families:
        parser.error(f"no families in {options.folder}")
    if options.only_with and not options.others:
        parser.error("--only-with needs a --with")
    if not options.only_with and shutil.which(options.accord) is None:
        parser.error(f"cannot run {options.accord}: build it, or name it with --accord")
    threads = f" -j {max(1, len(os.sched_getaffinity(0)) // options.jobs)}"

    def accord(name: str, args: str) -> Aligner:
        chosen = any(word.startswith(("-j", "--threads")) for word in shlex.split(args))
        return Aligner(name, f"{shlex.quote(options.accord)} {{in}} -o {{out}} {args}"
                       + ("" if chosen else threads))

    aligners = [] if options.only_with else [accord("accord", options.args)]
    aligners += [accord(f"accord {args}", args) for args in options.compare]
    for other in options.others:
        name, found, command = other.partition("=")
        if not found or "{in}" not in command or "{out}" not in command:
            parser.error("--with takes NAME=COMMAND with {in} and {out} in it")
        aligners.append(Aligner(name, command))
    with contextlib.ExitStack() as stack:
        folder = Path(options.keep or stack.enter_context(tempfile.TemporaryDirectory()))
        if options.identity:
            folder.mkdir(parents=True, exist_ok=True)
            return check_identity(families, options, folder)
        return measure(families, aligners, options, folder)


if __name__ == "__main__":
    sys.exit(main())
