#!/usr/bin/env python3
"""Runs clang-tidy, with the checks in .clang-tidy, over the sources of the product.

  scripts/checks/tidy.py [BUILD]

BUILD (build/clang, which scripts/checks/clang.sh makes) was built with Ninja, so that it is known
which headers a source includes. A source is left out if nothing was found in it, and it, its
headers and the checks have not changed since; ACCORD_TIDY_CACHE (BUILD/tidy) knows that.
Exits with 1 if something is found, and with 77, and the reason, where there is no clang-tidy 14,
which other versions of the checks differ from.
"""
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = "clang-tidy-14"


def headers(build: Path) -> dict[str, list[Path]]:
    """The files of the project that each object was made of, by its path in the build."""
    known: dict[str, list[Path]] = {}
    listed = subprocess.run(["ninja", "-C", build, "-t", "deps"], check=True, text=True,
                            stdout=subprocess.PIPE).stdout
    name = ""
    for line in listed.splitlines():
        if line.startswith(" "):
            path = (build / line.strip()).resolve()
            if path.is_relative_to(ROOT):
                known[name].append(path)
        elif line:
            name = line.split(":")[0]
            known[name] = []
    return known


def made(entry: dict[str, str]) -> str:
    """The object that a command of the compiler makes."""
    match = re.search(r" -o (\S+)", entry["command"])
    return match.group(1) if match else ""


def main() -> int:
    """Prints what clang-tidy finds."""
    build = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build" / "clang").resolve()
    if not shutil.which(PROGRAM):
        print(f"SKIPPED tidy: there is no {PROGRAM}")
        return 77
    if not (build / "compile_commands.json").is_file():
        print(f"SKIPPED tidy: {build} was not built (scripts/checks/clang.sh)")
        return 77
    cache = Path(os.environ.get("ACCORD_TIDY_CACHE", build / "tidy"))
    cache.mkdir(parents=True, exist_ok=True)
    version = subprocess.run([PROGRAM, "--version"], check=True, stdout=subprocess.PIPE).stdout
    checks = version + (ROOT / ".clang-tidy").read_bytes()
    known = headers(build)

    def tidy(entry: dict[str, str]) -> str:
        digest = hashlib.sha256(checks + entry["command"].encode())
        for path in sorted(set(known[made(entry)])):
            digest.update(path.read_bytes())
        mark = cache / digest.hexdigest()
        if mark.exists():
            return ""
        run = subprocess.run([PROGRAM, "-p", build, "--quiet", entry["file"]], text=True,
                             capture_output=True, check=False)
        if run.returncode == 0:
            mark.touch()
            return ""
        return run.stdout or run.stderr

    entries = [entry for entry in json.loads((build / "compile_commands.json").read_text())
               if Path(entry["file"]).is_relative_to(ROOT / "src") and made(entry) in known]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        found = [text for text in pool.map(tidy, entries) if text]
    print("\n".join(found) + f"clang-tidy: something was found in {len(found)} of "
          f"{len(entries)} sources")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
