#!/usr/bin/env python3
"""Writes the tables of docs/replace.md, between <!-- options NAME --> and <!-- end of options -->,
from what `accord as NAME --help` prints:

  scripts/docs/replaced.py [--check]

The program is $ACCORD_PROGRAM, else build/accord. --check changes nothing, and fails if a table is
not that of the program.
"""
import argparse
import re
import subprocess
import sys

import reference

PAGE = reference.ROOT / "docs" / "replace.md"
PLACE = re.compile(r"<!-- options (?P<name>\w+) -->\n.*?<!-- end of options -->", re.S)
INDENT = 27  # of the texts of options
FATES = {"becomes": "{}", "no effect": "no effect: {}", "refused": "**refused**: {}"}


def option_texts(text: str) -> "list[tuple[str, str]]":
    """Names and texts of the options in a help text."""
    found: list[tuple[str, str]] = []
    names = ""
    for line in text.partition("\noptions:\n")[2].splitlines():
        if line[2:3] == "-":
            is_whole = line[INDENT - 2:INDENT] == "  "
            names = f"{names} {line[2:INDENT].strip() if is_whole else line.strip()}".strip()
            if not is_whole:
                continue
            line = " " * INDENT + line[INDENT:]
        if names:
            found.append((names, line.strip()))
            names = ""
        else:
            found[-1] = (found[-1][0], f"{found[-1][1]} {line.strip()}")
    return found


def table(program: str, name: str) -> str:
    """The table of a program."""
    try:
        text = subprocess.run([program, "as", name, "--help"], capture_output=True, text=True,
                              check=True).stdout
    except (OSError, subprocess.CalledProcessError) as error:
        raise reference.PageError(f"{program} as {name} --help: {error}") from error
    rows = ["| option | there | in accord |", "|---|---|---|"]
    for names, whole in option_texts(text):
        split = re.match(r"(.*); (becomes|no effect|refused): (.*)", whole)
        if split is None:
            raise reference.PageError(f"{name} {names}: no fate in '{whole}'")
        fate = FATES[split.group(2)].format(reference.cell(split.group(3)))
        rows.append(f"| `{names}` | {reference.cell(split.group(1))} | {fate} |")
    return "\n".join(rows)


def main() -> int:
    """Fills the tables, or checks them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    page = PAGE.read_text(encoding="utf-8")
    try:
        made = PLACE.sub(lambda place: f"<!-- options {place['name']} -->\n\n"
                         f"{table(reference.program_path(), place['name'])}\n\n"
                         "<!-- end of options -->", page)
    except reference.PageError as error:
        print(f"replaced: error: {error}", file=sys.stderr)
        return 2
    if check and made != page:
        print(f"{PAGE}: the tables are not those of the program; run scripts/docs/replaced.py",
              file=sys.stderr)
        return 1
    if not check:
        PAGE.write_text(made, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
