#!/usr/bin/env python3
"""Checks the format of the tree: what clang-format 14 says of C++ and kernels, and that no line is
longer than 100 characters, but for tables and links of Markdown, and modules of nf-core, where its
lint reads an output from one line.

  scripts/checks/format.py [--fix]

--fix lets clang-format rewrite the files. Exits 77 if clang-format 14 is not here: other versions
format some lines differently.
"""
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DIRECTORIES = ("cmake", "datasets", "docs", "include", "kernels", "scripts", "src", "tests")
VERSION, WIDTH = 14, 100
CLANG = {".cpp", ".hpp", ".h", ".cl"}
TEXT = CLANG | {".py", ".sh", ".cmake", ".txt", ".md", ".nf"}
WHOLE = re.compile(r"^\s*(\||!?\[|.*https?://)")  # rows of tables, links
TABLES = {"datasets/make.sh"}
MODULES = "recipes/nf-core/"
GENERATED = {"THIRD-PARTY.txt"}


def clang_format() -> str:
    """The program of the right version; empty if there is none."""
    for name in (f"clang-format-{VERSION}", "clang-format"):
        program = shutil.which(name)
        if program:
            result = subprocess.run([program, "--version"], capture_output=True, text=True,
                                  check=False).stdout
            match = re.search(r"version (\d+)\.", result)
            if match and int(match.group(1)) == VERSION:
                return program
    return ""


def files() -> "list[Path]":
    """The files of the tree that people write."""
    found = [path for directory in DIRECTORIES for path in (ROOT / directory).rglob("*")]
    found += [path for path in ROOT.iterdir() if path.is_file()]
    return sorted(path for path in found if path.suffix in TEXT and path.name not in GENERATED
                  and "corpus" not in path.parts)


def long_lines(path: Path) -> "list[str]":
    """file:line of each line that is too long."""
    name = path.relative_to(ROOT).as_posix()
    if name in TABLES or MODULES in name:
        return []
    lines = path.read_text(encoding="utf-8").split("\n")
    in_code, found = False, []
    for number, line in enumerate(lines, 1):
        in_code ^= path.suffix == ".md" and line.startswith("```")
        is_table = in_code or (path.suffix == ".md" and WHOLE.match(line))
        if len(line) > WIDTH and not is_table:
            found.append(f"{name}:{number}: {len(line)} characters")
    return found


def main() -> int:
    """Checks the tree, or fixes what clang-format can fix."""
    texts = files()
    too_long = [line for path in texts for line in long_lines(path)]
    print("\n".join(too_long) if too_long else f"no line of {len(texts)} files is too long")
    program = clang_format()
    if not program:
        print(f"SKIPPED clang-format: there is no version {VERSION}")
        return 1 if too_long else 77
    sources = [str(path) for path in texts if path.suffix in CLANG]
    mode = ["-i"] if "--fix" in sys.argv[1:] else ["--dry-run", "--Werror"]
    status = subprocess.run([program, *mode, *sources], check=False).returncode
    print(f"clang-format {VERSION}: " + ("see above" if status else f"{len(sources)} files agree"))
    return 1 if too_long or status else 0


if __name__ == "__main__":
    sys.exit(main())
