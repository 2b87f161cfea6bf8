#!/usr/bin/env python3
"""Writes the page of the command line, docs' reference.md, from the help texts of the program:

  scripts/docs/reference.py [PROGRAM] > reference.md

PROGRAM is $ACCORD_PROGRAM, else build/accord, if it is not given. The texts come from the one table
of options, so that the page needs no care of its own.
"""
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RULE = re.compile(r"^-{60,}$", re.M)
USAGE = re.compile(r"usage: accord \[?(?P<name>[a-z]+)\]?")
OPTION = re.compile(r"^ {2}(?:-\w, | {4})--[a-z]")
TOPICS = (("Examples", "examples"), ("Formats", "formats"), ("Exit codes", "exit"),
          ("Environment", "environment"), ("Genetic codes", "codes"),
          ("Parameter files", "parameters"), ("Report", "report"))


class PageError(Exception):
    """The program, or what it prints, is not as this script expects."""


def program_path() -> str:
    """The program that is asked."""
    return os.environ.get("ACCORD_PROGRAM", str(ROOT / "build" / "accord"))


def help_text(program: str, topic: str) -> str:
    """What `accord help TOPIC` prints."""
    try:
        done = subprocess.run([program, "help", topic], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise PageError(f"{program} help {topic}: {error} (build accord first, or set "
                             "ACCORD_PROGRAM)") from error
    return done.stdout


def cell(text: str) -> str:
    """A text of the program as Markdown, in which nothing means more than its letters."""
    return re.sub(r"([\\`*_\[\]|])", r"\\\1", text).replace("&", "&amp;").replace("<", "&lt;")


def option_rows(lines: list[str]) -> list[str]:
    """Rows of a table from the lines of a group of options."""
    found: list[tuple[str, str]] = []
    for line in lines:
        if OPTION.match(line):
            names, _, text = line.strip().partition("  ")
            found.append((names.strip(), text.strip()))
        elif found:
            found[-1] = (found[-1][0], f"{found[-1][1]} {line.strip()}".strip())
    return ["| option | meaning |", "|---|---|",
            *(f"| `{names.replace('|', chr(92) + '|')}` | {cell(text)} |" for names, text in found)]


def command_section(text: str) -> str:
    """The help of one command as Markdown."""
    usage = USAGE.match(text)
    if usage is None:
        raise PageError(f"no usage in '{text[:60]}'")
    first, _, rest = text.partition("\n")
    parts = [f"## accord {usage['name']}", f"```text\n{first}\n```"]
    for block in re.split(r"\n\s*\n", rest.strip("\n")):
        lines = block.split("\n")
        if len(lines) > 1 and OPTION.match(lines[1]):
            parts += [f"**{lines[0].rstrip(':').capitalize()}**", "\n".join(option_rows(lines[1:]))]
        elif lines[0].startswith(" "):
            parts.append(f"```text\n{block}\n```")
        else:
            parts.append(cell(block))
    return "\n\n".join(parts)


def markdown(program: str) -> str:
    """The whole page."""
    short, *commands = RULE.split(help_text(program, "all"))
    if not commands:
        raise PageError(f"{program} help all: no command found")
    parts = ["# Command line",
             "This page holds what `accord help all` prints. `accord COMMAND --help` prints one "
             "command, `man accord` the manual page.",
             f"```text\n{short.strip()}\n```"]
    parts += [command_section(text.strip("\n")) for text in commands]
    for title, topic in TOPICS:
        parts += [f"## {title}", f"`accord help {topic}`:",
                  f"```text\n{help_text(program, topic).rstrip()}\n```"]
    return "\n\n".join(parts) + "\n"


def main() -> int:
    """Prints the page."""
    try:
        sys.stdout.write(markdown(sys.argv[1] if len(sys.argv) > 1 else program_path()))
    except PageError as error:
        print(f"reference: error: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
