#!/usr/bin/env python3
"""Times the pages that accord writes (--html) in Chromium without a screen.

  scripts/research/page_speed.py PAGE.html...

Prints a line for each page: its size; the time from the start of loading to the first picture; and
of 40 steps of a scroll down and 40 across, at four sizes of a cell, the median and the longest but
two of the time that a picture takes, in milliseconds. Chromium draws on the processor here; a frame
of 60 a second has 16.7 ms.
"""
import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from urllib.parse import unquote

SIZES = (14, 8, 4, 1)
SCRIPT = """
paint(); screenInk.getImageData(0, 0, 1, 1);  // waits until all is drawn
const found = { first: performance.now(), rows: count, columns: msa.columns, frames: {} };
for (const size of SIZES) {
  changeSize(size); paint();
  const times = [];
  for (let k = 0; k < 80; ++k) {
    if (k < 40) view.scrollTop = k * 97; else view.scrollLeft = (k - 40) * 61;
    const from = performance.now();
    paint(); screenInk.getImageData(0, 0, 1, 1);
    times.push(performance.now() - from);
  }
  times.sort((a, b) => a - b);
  found.frames[size] = [times[40], times[77]];
}
document.body.innerHTML = '<pre id="found">' + encodeURIComponent(JSON.stringify(found)) + '</pre>';
"""


def measured(chromium: str, page: Path) -> dict[str, object]:
    """What SCRIPT finds in a page."""
    text = page.read_text(encoding="utf-8")
    end = text.rindex("</script>")
    with tempfile.TemporaryDirectory() as directory:
        driven = Path(directory) / "page.html"
        driven.write_text(text[:end] + SCRIPT.replace("SIZES", json.dumps(SIZES)) + text[end:],
                          encoding="utf-8")
        done = subprocess.run(
            [chromium, "--headless=new", "--no-sandbox", "--disable-gpu", "--dump-dom",
             "--window-size=1600,900", f"--user-data-dir={directory}/profile", driven.as_uri()],
            capture_output=True, text=True, check=False, timeout=300)
    match = re.search(r'<pre id="found">(.*?)</pre>', done.stdout)
    if not match:
        sys.exit(f"{page}: Chromium did not show it: {done.stderr[-500:]}")
    found: dict[str, object] = json.loads(unquote(match.group(1)))
    return found


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("pages", nargs="+", type=Path, metavar="PAGE")
    pages = parser.parse_args().pages
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if not chromium:
        sys.exit("no Chromium")
    print("page", "MB", "rows", "columns", "first_ms",
          *(f"{what}_ms_{size}px" for size in SIZES for what in ("median", "long")), sep="\t")
    for page in pages:
        found = measured(chromium, page)
        frames = found["frames"]
        assert isinstance(frames, dict)
        print(page.name, f"{page.stat().st_size / 1e6:.1f}", found["rows"], found["columns"],
              f"{found['first']:.0f}",
              *(f"{value:.1f}" for size in SIZES for value in frames[str(size)]), sep="\t")


if __name__ == "__main__":
    main()
