"""What the tests of the page of an alignment share: Chromium without a screen."""
import base64
import hashlib
import json
import re
import subprocess
import sys
import unittest
from pathlib import Path
from urllib.parse import unquote

from support import ACCORD, ROOT, HarnessTest

sys.path.insert(0, str(ROOT / "scripts" / "docs"))

# pylint: disable=wrong-import-position
from chromium import CHROMIUM, Chromium

EXAMPLE = ROOT / "datasets" / "example.fa"
Found = dict[str, object]


def with_script_allowed(page: str) -> str:
    """The page with the checksum of its script as it is now in the policy: the browser runs no
    other script, not even one that a test adds."""
    script = re.search(r'<script type="module">(.*?)</script>', page, re.S)
    assert script
    digest = base64.b64encode(hashlib.sha256(script.group(1).encode()).digest()).decode()
    allowed, count = re.subn(r"script-src 'sha256-[^']*'", f"script-src 'sha256-{digest}'", page)
    assert count == 1, "the page has no policy"
    return allowed


def rows_of(path: Path) -> dict[str, str]:
    """The rows of a FASTA file by the first word of their headers."""
    records = path.read_text(encoding="utf-8").split(">")[1:]
    return {record.split()[0]: "".join(record.split("\n")[1:]) for record in records}


@unittest.skipUnless(CHROMIUM, "no Chromium")
class PageHarness(HarnessTest):
    """Makes pages and opens them."""

    def accord(self, *arguments: str) -> None:
        """Runs accord in the directory of the test."""
        quiet = [] if arguments[0] in ("compare", "convert") else ["-q"]
        subprocess.run([ACCORD, *arguments, *quiet], check=True, cwd=self.directory)

    def chromium(self, *arguments: str) -> str:
        """Opens a page; what it writes to standard output."""
        done = subprocess.run(
            [str(CHROMIUM), "--headless=new", "--no-sandbox", "--disable-gpu",
             f"--user-data-dir={self.directory / 'profile'}", *arguments],
            capture_output=True, text=True, check=False, timeout=120)
        return done.stdout + done.stderr

    def driven(self, page: str, script: str, fragment: str = "", *options: str) -> Found:
        """What a script that runs after the page's own leaves in `found`."""
        script += ("document.body.innerHTML = '<pre id=\"found\">' + "
                   "encodeURIComponent(JSON.stringify(found)) + '</pre>';")
        end = page.rindex("</script>")
        path = self.write("driven.html", with_script_allowed(page[:end] + script + page[end:]))
        text = self.chromium("--dump-dom", *(options or ["--window-size=1200,600"]),
                             path.as_uri() + fragment)
        match = re.search(r'<pre id="found">(%7B.*?)</pre>', text)
        assert match, "the script failed: " + text[-2000:]
        found: Found = json.loads(unquote(match.group(1)))
        return found

    def driven_later(self, page: str, script: str, fragment: str = "") -> Found:
        """The same of a page whose script waits, as that of packed data does."""
        end = page.rindex("</script>")
        script += "globalThis.whatIsFound = found;"
        path = self.write("driven.html", with_script_allowed(page[:end] + script + page[end:]))
        with Chromium(self.directory / "profile") as browser:
            browser.open(path.as_uri() + fragment, "globalThis.whatIsFound")
            found: Found = browser.run("whatIsFound")
        return found

    def page_of(self, text: str, *options: str, name: str = "a.fa") -> str:
        """The page of accord view, without confidence."""
        self.write(name, text)
        subprocess.run([ACCORD, "view", name, "--no-confidence", "-q", "-o", "a.html", *options],
                       check=True, cwd=self.directory)
        return (self.directory / "a.html").read_text(encoding="utf-8")

    def example(self, *options: str) -> str:
        """The page of the example, whose alignment is x.fa in the order of the page."""
        self.accord(str(EXAMPLE), "--device", "none", "-o", "x.fa", "--order", "tree",
                    "--html", "x.html", *options)
        return (self.directory / "x.html").read_text(encoding="utf-8")

    def ensemble(self, *options: str) -> str:
        """The page of an ensemble of the example, whose replicates are x.efa."""
        self.accord("ensemble", str(EXAMPLE), "--device", "none", "-o", "x.efa", "--html",
                    "x.html", *options)
        return (self.directory / "x.html").read_text(encoding="utf-8")
