#!/usr/bin/env python3
"""Says which tests of the last run of CTest were skipped, and why; fails if one is not expected.

  scripts/checks/skips.py BUILD [--system NAME]

Groups of tests say that they are skipped by their exit code (77); a test skipped inside a group is
read from its output: a line "SKIPPED NAME: REASON", what unittest says with -v, or pytest with -rs.
tests/skips.tsv lists what may be skipped: a pattern of the name, the systems (names separated by
commas, or *) and the reason. Without --system nothing fails.
"""
import argparse
import fnmatch
import re
import sys
import xml.etree.ElementTree as xml
from collections.abc import Iterator
from pathlib import Path

LIST = Path(__file__).resolve().parents[2] / "tests" / "skips.tsv"
UNITTEST = re.compile(r"""^(test_\w+) \(([\w.]+)\)|\.\.\. skipped ['"](.*)['"]$""")
SKIPPED = re.compile(r"^(?:accord: )?SKIPPED ([^:]+): (.*)$")
PYTEST = re.compile(r"^SKIPPED \[\d+\] ([^:]+:\d+): (.*)$")


def skipped_inside(output: str) -> Iterator[tuple[str, str]]:
    """(name, reason) of each test that the output of a group says it skipped."""
    name = ""
    for line in output.split("\n"):
        if match := PYTEST.search(line) or SKIPPED.search(line):
            yield match.group(1), match.group(2)
        for match in UNITTEST.finditer(line):
            if match.group(1):  # the class, from Python 3.11 on with the name
                name = match.group(2).removesuffix("." + match.group(1)) + "." + match.group(1)
            else:
                yield name, match.group(3)


def skipped(results: Path) -> Iterator[tuple[str, str]]:
    """(group or group/name, reason) of all that was skipped, from CTest's file of results."""
    for case in xml.parse(results).getroot().iter("testcase"):
        group, output = case.get("name", ""), case.findtext("system-out") or ""
        inside = list(skipped_inside(output))
        if case.find("skipped") is not None and not inside:
            last = output.strip().split("\n")[-1]
            yield group, last or "it does not say why"
        for name, reason in inside:
            yield f"{group}/{name}", reason


def expected(system: str) -> list[str]:
    """The patterns of tests that may be skipped on a system."""
    rows = [line.split("\t") for line in LIST.read_text(encoding="utf-8").splitlines()
            if line and not line.startswith("#")]
    return [pattern for pattern, systems, _ in rows if systems == "*" or system in
            systems.split(",")]


def main() -> int:
    """Prints the skipped tests; returns 1 if one of them is not in the list."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("build", type=Path, help="where CTest ran with --output-junit results.xml")
    parser.add_argument("--system", help="fail for what tests/skips.tsv does not list for it")
    arguments = parser.parse_args()
    patterns = expected(arguments.system) if arguments.system else ["*"]
    wrong = 0
    for name, reason in sorted(set(skipped(arguments.build / "results.xml"))):
        is_expected = any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)
        wrong += not is_expected
        print(f"skipped{'' if is_expected else ', which is not expected'}: {name}: {reason}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
