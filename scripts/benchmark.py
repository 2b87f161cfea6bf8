#!/usr/bin/env python3
"""Compares accord with the other aligners on this machine: accuracy, time, memory.

DIR is a BAliBASE release (RVnn/*.tfa), has in/ and ref/, is a directory of simulated families
(NAME.fa and NAME.true.fa), or of plain FASTA files (timed only). Results go to OUT/results.tsv, a
line a run; a run with a line there is not made again. OUT/report.md explains them.

  scripts/benchmark.py bb3 prefab4 -j 8                every aligner found, then the report
  scripts/benchmark.py bb3 --aligners accord,mafft-linsi --rounds 3
  scripts/benchmark.py --quick [bb3]                   accord against the committed baseline
  scripts/benchmark.py --quick --against OLD_ACCORD    and the time of another build, taking turns
  scripts/benchmark.py bb3 --half test --compare '--parameters new.json' --aligners \
    'accord,accord --parameters new.json'              two parameter files
  scripts/benchmark.py bb3 --identity --devices none,gpu0
  scripts/benchmark.py --list                          data and programs here
  scripts/benchmark.py --install [DIR...]              first get what Debian packages; build accord
  scripts/benchmark.py --plan scripts/benchmark/comparison.plan --data DATA -j 32
  scripts/benchmark.py --plan scripts/benchmark/documents.plan --data DATA -j 2
                                                       the tables of README and documents
  scripts/benchmark.py --documents                     write them again from docs/benchmarks
  scripts/benchmark.py --outputs                       renew the hashes that tables depend on, too

Exit status: 0 all is well, 1 --quick or --identity found a difference, 2 usage, 4 some families
failed, 73/74 cannot create/write, 124 --stop-after came first, 130 interrupted, 141 closed pipe.
"""
import argparse
import math
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmark import (
    aligners,
    datasets,
    documents,
    draw,
    halves,
    identity,
    measured,
    outputs,
    plans,
    quick,
    report,
)
from benchmark.errors import BenchmarkError
from benchmark.results import Result, ResultFile, read_results
from benchmark.runner import Phase, Runner, Settings, plan
from benchmark.summary import merge_rounds, rows_of

ROOT = Path(__file__).resolve().parent.parent
BUILT = str(ROOT / "build" / "accord")
QUICK_SAMPLE = 24  # families of a directory given to --quick


def program(name: str) -> str:
    """A build of accord by its full path, as it is called from other directories; a program that
    is to be found on PATH stays as it is."""
    return str(Path(name).resolve()) if Path(name).is_file() else name


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    plans.add_selection(parser)
    add("-o", "--out", type=Path, default=Path("benchmark"), metavar="OUT",
        help="directory of results and report (benchmark)")
    add("--accord", type=program, default=BUILT, help="the program (build/accord)")
    add("--args", default="", help="more options for accord, in all its modes")
    add("--compare", action="append", default=[], metavar="ARGS",
        help="also run accord with these options; may be repeated")
    add("--with", dest="others", action="append", default=[], metavar="NAME=COMMAND",
        help="also run this command, with {in} and {out} for the files; may be repeated")
    add("-j", "--jobs", type=int, default=1, help="runs at a time (1)")
    add("--threads", type=int, default=1, help="threads of each program that has threads (1)")
    add("--rounds", type=int, default=1, help="times that everything is run (1); the aligners take "
        "turns, and times are medians")
    add("--time-limit", type=float, default=600, metavar="S",
        help="seconds for a run (600; 0: no limit)")
    add("--stop-after", type=float, default=0, metavar="S",
        help="seconds for everything; the same command goes on later")
    add("--retry", action="store_true", help="run again what failed before")
    add("--keep", type=Path, metavar="DIR", help="keep the alignments there")
    add("--plan", type=Path, metavar="FILE", help="what to run, in this order: a line has DIRs, "
        "--aligners, --subset, --match, --half, --max-letters and --sample; --table NAME has its "
        "results written to docs/benchmarks/NAME.tsv and the pages that show it")
    add("--tables", default="", metavar="A,B,...", help="of a plan only the lines of these tables")
    add("--data", type=Path, default=Path(), metavar="DIR",
        help="where the DIRs of a plan are (here)")
    add("--report-only", action="store_true", help="run nothing; write the report of OUT again")
    add("--no-report", action="store_true", help="only results.tsv")
    add("--documents", action="store_true",
        help="write the tables of README and documents again from docs/benchmarks")
    add("--outputs", action="store_true", help="the same, but first write the hashes of accord's "
        "alignments in tests/golden/families.tsv, by which tables of earlier outputs are marked")
    add("--list", action="store_true", help="say which aligners are here")
    add("--install", action="store_true", help="first install the aligners that Debian packages, "
        "and build accord if build/accord is to be used and is not there")
    add("--quick", action="store_true", help="accord on small families against the baseline, in "
        f"less than three minutes on two cores; of a DIR {QUICK_SAMPLE} families are added")
    add("--baseline", type=Path, default=quick.BASELINE, help="--quick: file to compare with")
    add("--update-baseline", action="store_true", help="--quick: write the file instead")
    add("--against", type=program, metavar="PROGRAM",
        help="--quick: also another build of accord, for time")
    add("--tolerance", type=float, default=1.05, help="--against: largest ratio of times (1.05)")
    add("--identity", action="store_true", help="check instead that devices, threads and the "
        "order of the input do not change the alignment")
    add("--devices", default="none,cpu0", help="--identity: devices to compare (none,cpu0)")
    add("--seed", type=int, default=1, help="--identity: for shuffling (1)")
    options = parser.parse_args()
    if min(options.jobs, options.threads, options.rounds) < 1:
        parser.error("--jobs, --threads and --rounds must be at least 1")
    if options.plan and options.directories:
        parser.error("--plan FILE names the runs")
    return options


def select_families(options: argparse.Namespace) -> list[datasets.Family]:
    """The families of all directories of a command line, or of a line of a plan."""
    found: list[datasets.Family] = []
    for directory in options.directories:
        families = datasets.find_families(directory, options.subset)
        families = datasets.matching(families, options.match)
        families = datasets.smaller(families, options.max_letters)
        families = halves.of_half(families, options.half, halves.read())
        if not families:
            raise BenchmarkError(f"no families in {directory}", "a directory holds RVnn/*.tfa, in/ "
                                 "and ref/, NAME.fa with NAME.true.fa, or FASTA files")
        found += datasets.sample(families, options.sample)
    return found


def available(options: argparse.Namespace) -> dict[str, aligners.Installed]:
    """Every aligner that can be run here, by name."""
    found = [aligners.accord(options.accord, name, f"{device} {options.args}".strip(),
                             on_request=name != "accord")
             for name, device in aligners.accord_on_devices(options.accord).items()]
    found += [aligners.accord(options.accord, name, f"--device none {mode}", on_request=True)
              for name, mode in aligners.ACCORD_MODES.items()]
    found += [aligners.accord(options.accord, f"accord {extra}", f"--device none {extra}")
              for extra in options.compare]
    found += [installed for installed in map(aligners.find, aligners.TABLE) if installed]
    found += [aligners.given(text) for text in options.others]
    return {aligner.name: aligner for aligner in found}


def choose(names: str, found: dict[str, aligners.Installed]) -> list[aligners.Installed]:
    """The named aligners, or by default all that need not be named."""
    if not names:
        return [aligner for aligner in found.values() if not aligner.on_request]
    for name in names.split(","):
        if name not in found:
            raise BenchmarkError(f"--aligners {name}: not here; here are {', '.join(found)}",
                                 "--list says which package has it, --install gets it")
    return [found[name] for name in names.split(",")]


def phases(options: argparse.Namespace, selections: list[argparse.Namespace],
           found: dict[str, aligners.Installed]) -> list[Phase]:
    """The families of the selections, and their aligners."""
    planned = [Phase(select_families(s), choose(s.aligners, found)) for s in selections]
    if not any(phase.families for phase in planned):
        raise BenchmarkError("nothing to run", "name a directory of families; see --help")
    return planned


def write_pages() -> None:
    """Writes the tables of all pages, and the figure that shows one."""
    for page in documents.write_pages():
        print(f"wrote the tables of {page}")
    draw.FIGURE.write_text(draw.figure(), encoding="utf-8")


def write_documents(selections: list[argparse.Namespace], results: list[Result],
                    plan_file: Path) -> None:
    """Writes the tables that a plan names, and the pages that show them."""
    command = f"scripts/benchmark.py --plan {os.path.relpath(plan_file, ROOT)}"
    for name in dict.fromkeys(s.table for s in selections if s.table):
        measured.write(name, [s for s in selections if s.table == name], results, command)
    write_pages()


def settings_of(options: argparse.Namespace) -> Settings:
    """How runs are made."""
    return Settings(str(Path(options.accord).resolve()), options.jobs, options.threads,
                    options.time_limit, options.stop_after, options.keep, options.retry)


def print_summary(results: list[Result]) -> None:
    """Means on the terminal."""
    for row in rows_of(merge_rounds(results)):
        if row.group == "all":
            print(f"{row.dataset}\t{row.aligner}\t{row.families} families\tSP {row.sp:.4f}\t"
                  f"TC {row.tc:.4f}\t" + ("time of several machines" if math.isnan(row.cpu_s)
                                            else f"{row.cpu_s:.1f} s CPU")
                  + f"\t{row.failed} failed")


def run_benchmark(options: argparse.Namespace) -> int:
    """Makes the runs that are not done, and writes the report."""
    path = options.out / "results.tsv"
    left = 0
    found = available(options)
    selections = [] if options.report_only else plans.selections_of(options, found)
    if selections:
        results = ResultFile(path)
        try:
            runs = plan(phases(options, selections, found), options.rounds)
            left = Runner(settings_of(options), results).make_all(runs)
        finally:
            results.close()
    every = read_results(path)
    if not every:
        raise BenchmarkError(f"there are no results in {path}", "name a directory of families")
    print_summary(every)
    for result in every:
        if result.status != "ok":
            print(f"{result.aligner} {result.status} on {result.dataset}/{result.group}/"
                  f"{result.family}: {result.error}")
    if not options.no_report:
        report.write(options.out, every, aligners.absent(r.aligner for r in every))
        print(f"report: {options.out / 'report.md'}")
    if left:
        print(f"{left} runs are left; the same command goes on")
        return 124
    if any(selection.table for selection in selections):
        write_documents(selections, every, options.plan)
    return 4 if any(result.status != "ok" for result in every) else 0


def run_quick(options: argparse.Namespace) -> int:
    """Accord on the shipped families and a sample of the directories, against the baseline."""
    families = datasets.find_families(ROOT / "datasets")
    if options.directories:
        options.sample = options.sample or QUICK_SAMPLE
        families += select_families(options)
    programs = [aligners.accord(options.accord, "accord", f"--device none {options.args}".strip())]
    if options.against:
        programs.append(aligners.accord(options.against, "other", "--device none"))
    rounds = max(options.rounds, 3 if options.against else 1)
    with tempfile.TemporaryDirectory(prefix="benchmark-quick-") as directory:
        results = ResultFile(Path(directory) / "results.tsv")
        try:
            Runner(settings_of(options), results).make_all(
                plan([Phase(families, programs)], rounds))
        finally:
            results.close()
        merged = merge_rounds(results.done.values())
    ours = [r for r in merged if r.aligner == "accord"]
    if options.update_baseline:
        quick.write_baseline(options.baseline, ours)
        print(f"wrote {options.baseline}: {len(ours)} families")
        return 0
    same = quick.compare_accuracy(ours, quick.read_baseline(options.baseline))
    fast = not options.against or quick.compare_builds(merged, "accord", "other",
                                                       options.tolerance)
    return 0 if same and fast else 1


def run_identity(options: argparse.Namespace) -> int:
    """Compares alignments instead of scores."""
    families = select_families(options)
    if not families:
        raise BenchmarkError("nothing to compare", "name a directory of families")
    with tempfile.TemporaryDirectory(prefix="benchmark-") as directory:
        bad = identity.check(str(Path(options.accord).resolve()), families, options.devices,
                             options.args, options.jobs, options.seed, Path(directory))
    return 1 if bad else 0


def list_aligners(options: argparse.Namespace) -> int:
    """Lists the data sets and programs that are here, and those that are not."""
    found = available(options)
    for aligner in found.values():
        note = "\tonly if named" if aligner.on_request else ""
        print(f"{aligner.name}\t{aligner.version}\t{aligner.program}{note}")
    for name, package in aligners.absent(found):
        print(f"{name}\tabsent\t{package}")
    return 0


def build() -> None:
    """Builds build/accord as a user would."""
    done = subprocess.run([str(ROOT / "scripts" / "align.sh"), "--version"], stdout=sys.stderr,
                          check=False)
    if done.returncode != 0:
        raise BenchmarkError("scripts/align.sh could not build accord", "it says why, above")


def install() -> int:
    """Installs the packaged aligners, each for itself: not every release has all of them, and in
    Debian 12 muscle and muscle3 exclude each other, so nothing is removed for another."""
    apt = ["apt-get", "-q", "-y", "-o", "DPkg::Lock::Timeout=300"]
    if os.geteuid() != 0:
        apt.insert(0, "sudo")
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    try:
        subprocess.run(apt + ["update"], stdout=sys.stderr, env=environment, check=False)
        command = apt + ["install", "--no-install-recommends", "--no-remove"]
        missing = [name for name in aligners.packages() if subprocess.run(
            command + [name], stdout=sys.stderr, env=environment, check=False).returncode != 0]
    except FileNotFoundError as error:
        raise BenchmarkError(f"cannot run {error.filename}", "install by hand: "
                             + " ".join(aligners.packages())) from error
    print("installed: " + " ".join(n for n in aligners.packages() if n not in missing))
    if missing:
        print("could not install: " + " ".join(missing))
    return 1 if missing else 0


def main() -> int:
    """Runs what the command line asks for."""
    options = arguments()
    # Not by way of SIGINT, which is ignored in what a script has put into the background.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        if options.install:
            if options.accord == BUILT and not Path(BUILT).exists():
                build()
            installed = install()
            if not (options.directories or options.plan):
                return installed
        if options.list:
            return list_aligners(options)
        if options.outputs:
            outputs.FAMILIES.write_text(outputs.families_now(options.accord), encoding="utf-8")
        if options.documents or options.outputs:
            write_pages()
            return 0
        if options.identity:
            return run_identity(options)
        return run_quick(options) if options.quick else run_benchmark(options)
    except BenchmarkError as error:
        print(f"benchmark: error: {error}", file=sys.stderr)
        if error.hint:
            print(f"  hint: {error.hint}", file=sys.stderr)
        return error.status
    except BrokenPipeError:  # nobody reads on, as in '--list | head'
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except OSError as error:
        print(f"benchmark: error: {error}", file=sys.stderr)
        return 74
    except KeyboardInterrupt:
        print("benchmark: interrupted; the same command goes on", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
