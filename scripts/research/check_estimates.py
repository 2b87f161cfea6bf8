#!/usr/bin/env python3
"""Prints what `accord check` predicts beside what a run takes, one line for each family.

  check_estimates.py [--program accord] [--options='-j 1'] FILE...

Columns: sequences, mean length, predicted and measured seconds (processor time, so that a busy
machine does not matter; with one thread it is the time), their ratio, predicted and measured
memory in MiB (largest resident set), their ratio.
"""
import argparse
import os
import re
import shlex
import subprocess
import sys
import tempfile

UNITS = {"s": 1, "min": 60, "h": 3600, "MiB": 1, "GiB": 1024}


def amount(text: str, units: str) -> float:
    """The first amount with one of these units; 'less than a second' is .0."""
    match = re.search(rf"([\d.]+) ({units})\b", text)
    return float(match.group(1)) * UNITS[match.group(2)] if match else 0.0


def predicted(program: str, options: "list[str]", family: str) -> "tuple[int, int, float, float]":
    """(sequences, mean length, seconds, MiB) of the lines of `check`."""
    done = subprocess.run([program, "check", *options, family], capture_output=True, text=True,
                          check=False)
    lines = dict(line.split(None, 1) for line in done.stdout.splitlines())
    return (int(lines["sequences"]), int(re.search(r"mean (\d+)", lines["lengths"]).group(1)),
            amount(lines["time"], "s|min|h"), amount(lines["memory"], "MiB|GiB"))


def measured(program: str, options: "list[str]", family: str) -> "tuple[float, float]":
    """(processor seconds, MiB) of a run."""
    with tempfile.TemporaryFile() as output:
        run = subprocess.Popen([program, *options, "--device", "none", family], stdout=output,
                               stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(run.pid, 0)
        run.returncode = os.waitstatus_to_exitcode(status)
    if run.returncode != 0:
        sys.exit(f"{family}: exit code {run.returncode}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main() -> None:
    """One line for each family."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--program", default="accord")
    parser.add_argument("--options", default="-j 1")
    parser.add_argument("families", nargs="+")
    args = parser.parse_args()
    options = shlex.split(args.options)
    print("family\tsequences\tlength\tpredicted_s\tmeasured_s\tratio\tpredicted_MiB\tmeasured_MiB"
          "\tratio")
    for family in args.families:
        count, length, seconds, memory = predicted(args.program, options, family)
        took, used = measured(args.program, options, family)
        print(f"{os.path.basename(family)}\t{count}\t{length}\t{seconds:g}\t{took:.2f}"
              f"\t{seconds / took:.2f}\t{memory:.0f}\t{used:.0f}\t{memory / used:.2f}", flush=True)


if __name__ == "__main__":
    main()
