#!/usr/bin/env python3
"""Writes the pictures of the page of an alignment that the documents show, docs/images/*.webp:

  scripts/docs/screenshots.py [--to FOLDER] [--program PROGRAM] [NAME...]

PROGRAM is $ACCORD_PROGRAM, else build/accord. It aligns datasets/example.fa, and Chromium without a
screen (Debian: chromium) opens what it writes. NAME makes these pictures alone.
"""
import argparse
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from chromium import CHROMIUM, Chromium

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "datasets"
FAMILY = DATA / "example.fa"
OPENED = "document.getElementById('facts')?.textContent.includes(' sequences, ')"
MOST_BYTES = 80_000
# In a script of a picture: changes a control, presses a key in the alignment.
TOOLS = """const $ = id => document.getElementById(id);
const set = (id, value) => {
  if ($(id).type === 'checkbox') $(id).checked = value; else $(id).value = value;
  for (const kind of ['input', 'change']) $(id).dispatchEvent(new Event(kind, { bubbles: true }));
};
const press = key => $('view').dispatchEvent(new KeyboardEvent('keydown', { key }));
"""


@dataclass
class Picture:
    """A picture: what makes the page p.html, what is done in it, and its size in pixels."""
    commands: list[list[str]]
    script: str = ""
    height: int = 430
    width: int = 1400


def align(*options: str) -> list[str]:
    """The command that aligns the family."""
    return [str(FAMILY), "--html", "p.html", "--device", "none",
            *(options if "-o" in options else ["-o", "fam.aln", *options])]


PICTURES = {
    "page": Picture([align()]),
    "trim": Picture([align()], "press('x'); set('gaps', '0.3'); set('sure', '0.7');", height=500),
    "tutorial": Picture([align()], "press('u');"),
    "track": Picture([align("--track", str(DATA / "example.ss3.fa"), "--track-matrix", "ss3")],
                     "set('colour', 'clustal'); press('ArrowDown');"),
    "ensemble": Picture([["ensemble", str(FAMILY), "-n", "8", "-o", "fam.efa", "--html", "p.html",
                          "--device", "none"]], "press('u');"),
    "compare": Picture([align(), align("--mode", "local", "-o", "local.aln"),
                        ["compare", "fam.aln", "local.aln", "-o", "where.tsv", "--html",
                         "p.html"]], "press('u');"),
}


def made(program: str, picture: Picture, folder: Path) -> bytes:
    """The bytes of a picture."""
    for command in picture.commands:
        subprocess.run([program, *command], check=True, cwd=folder, stderr=subprocess.DEVNULL)
    with Chromium(folder / "profile", picture.width, picture.height) as browser:
        browser.open((folder / "p.html").as_uri(), OPENED)
        browser.run(f"(() => {{ {TOOLS}{picture.script} }})()")
        browser.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
                    ".then(() => true)")
        return browser.picture()


def main() -> int:
    """Writes the pictures; the code of the process."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(PICTURES))
    parser.add_argument("--to", type=Path, default=ROOT / "docs" / "images", metavar="FOLDER")
    parser.add_argument("--program", default=os.environ.get("ACCORD_PROGRAM",
                                                            str(ROOT / "build" / "accord")))
    arguments = parser.parse_args()
    unknown = set(arguments.names) - set(PICTURES)
    if unknown:
        parser.error(f"no picture is named {', '.join(sorted(unknown))}")
    if CHROMIUM is None:
        print("screenshots: no Chromium (Debian: chromium)", file=sys.stderr)
        return 77
    for name in arguments.names or PICTURES:
        with tempfile.TemporaryDirectory() as folder:
            picture = made(str(Path(arguments.program).resolve()), PICTURES[name], Path(folder))
        if len(picture) > MOST_BYTES:
            print(f"screenshots: {name} has {len(picture)} bytes, more than {MOST_BYTES}",
                  file=sys.stderr)
            return 1
        (arguments.to / f"{name}.webp").write_bytes(picture)
        print(f"{name}.webp: {len(picture)} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
