"""Plans: files with a line for each selection of families and aligners."""
import argparse
import shlex
import sys
from pathlib import Path

from .aligners import Installed
from .errors import BenchmarkError
from .halves import HALVES


def add_selection(parser: argparse.ArgumentParser) -> None:
    """The options that choose programs and data; --plan has them on each line."""
    add = parser.add_argument
    add("directories", metavar="DIR", nargs="*", type=Path)
    add("--aligners", metavar="A,B,...", default="", help="only these, see --list (default: accord "
        "and every other program found but the slowest)")
    add("--subset", choices=("full", "bbs", "all"), default="full",
        help="BAliBASE: full-length sets, homologous regions (BBS), or both (full)")
    add("--match", default="*", metavar="GLOB", help="only families like this, as in 'RV11/*'")
    add("--half", choices=(*HALVES, "all"), default="all", help="only this half (all)")
    add("--max-letters", type=int, default=0, metavar="N",
        help="only families of at most N letters together, for slow programs")
    add("--sample", type=int, default=0, metavar="N", help="only N families of a directory, evenly "
        "spread")
    add("--table", default="", metavar="NAME", help=argparse.SUPPRESS)  # of plans: docs/benchmarks
    add("--total", default="", metavar="NAME", help=argparse.SUPPRESS)  # of its sets together
    add("--log", default="", metavar="FILE", help=argparse.SUPPRESS)  # instead of being run


def warn_left_out(what: object) -> None:
    """Says that a part of a plan is not here."""
    print(f"benchmark: warning: {what} is not here; its runs are left out", file=sys.stderr)


def known_directories(directories: list[Path]) -> list[Path]:
    """The directories of a plan that are here; says which are not."""
    for directory in directories:
        if not directory.is_dir():
            warn_left_out(directory)
    return [directory for directory in directories if directory.is_dir()]


def known_of(names: str, found: dict[str, Installed]) -> str:
    """The aligners of a plan that are here; says which are not."""
    wanted = names.split(",") if names else list(found)
    here = [name for name in wanted if name in found]
    for name in wanted:
        if name not in found:
            warn_left_out(name)
    if not here:
        raise BenchmarkError(f"none of {names} is here", "--install gets what Debian packages")
    return ",".join(here) if names else ""


def plan_lines(path: Path) -> list[argparse.Namespace]:
    """The lines of a plan, those with --log too."""
    parser = argparse.ArgumentParser(prog=str(path), add_help=False)
    add_selection(parser)
    lines = [shlex.split(line, comments=True)
             for line in path.read_text(encoding="utf-8").splitlines()]
    return [parser.parse_args(line) for line in lines if line]


def selections_of(options: argparse.Namespace,
                  found: dict[str, Installed]) -> list[argparse.Namespace]:
    """The phases of the plan in order, with the data and programs that are here."""
    if not options.plan:
        return [options]
    wanted = options.tables.split(",") if options.tables else []
    selections = [line for line in plan_lines(options.plan)
                  if not line.log and (not wanted or line.table in wanted)]
    for selection in selections:
        selection.directories = known_directories(
            [options.data / name for name in selection.directories])
        selection.aligners = known_of(selection.aligners, found)
    return selections
