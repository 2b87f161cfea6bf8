"""Tests of scripts/packaging/publish.sh and the workflows of GitHub that call it."""
import hashlib
import os
import re
import subprocess
import tarfile
import unittest

from support import ROOT, HarnessTest

SCRIPT = ROOT / "scripts" / "packaging" / "publish.sh"
WORKFLOWS = ROOT / ".github" / "workflows"
# What scripts of a workflow must not do themselves; packages and settings come before a checkout.
ALLOWED = (re.compile(r"scripts/\S+\.sh( |$)"), re.compile(r"\.ci/run$"), re.compile(r"cmp "),
           re.compile(r"apt-get update && apt-get install "), re.compile(r"git config "))


def version() -> str:
    """That of CMakeLists.txt."""
    text = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    return re.findall(r"^project\(accord VERSION ([\d.]+)", text, re.M)[0]


class PublishTest(HarnessTest):
    """A release of small files."""

    def setUp(self) -> None:
        """Makes the files, and programs that write down what they are called with."""
        super().setUp()
        self.release, self.publish = self.directory / "release", self.directory / "publish"
        self.bill = f"accord-{version()}.spdx.json"
        for name in ("a-cp311.whl", "arm64/b.whl", "bookworm/accord_1.deb", "trixie/accord_1.deb",
                     "app/index.html", "app/accord.wasm", "windows/accord.zip", self.bill):
            path = self.release / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(name, encoding="utf-8")
        self.write_sums()
        for program in ("gh", "docker"):
            path = self.directory / "bin" / program
            path.parent.mkdir(exist_ok=True)
            path.write_text(f'#!/bin/sh\necho {program} "$@" >>"$CALLED"\n', encoding="utf-8")
            path.chmod(0o755)

    def write_sums(self) -> None:
        """SHA256SUMS of the release."""
        lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  "
                 f"{path.relative_to(self.release).as_posix()}\n"
                 for path in sorted(self.release.rglob("*"))
                 if path.is_file() and path.name != "SHA256SUMS"]
        (self.release / "SHA256SUMS").write_text("".join(lines), encoding="utf-8")

    def run_script(self, *words: str) -> "subprocess.CompletedProcess[str]":
        """Runs the script."""
        path = f"{self.directory / 'bin'}{os.pathsep}{os.environ['PATH']}"
        return subprocess.run(
            [SCRIPT, *words], check=False, capture_output=True, text=True,
            env={**os.environ, "ACCORD_RELEASE": str(self.release), "PATH": path,
                 "CALLED": str(self.directory / "called")})

    def called(self) -> "list[str]":
        """The calls of programs."""
        return (self.directory / "called").read_text(encoding="utf-8").splitlines()

    def test_files(self) -> None:
        """Each file has a name of its own and its sum, PyPI gets the wheels, and the notes are the
        section of the changelog."""
        done = self.run_script("files")
        self.assertEqual(done.returncode, 0, done.stderr)
        page = f"accord-{version()}-browser.tar.gz"
        expected = ["SHA256SUMS", "a-cp311.whl", self.bill, page, "accord.zip", "b.whl",
                    "bookworm-accord_1.deb", "trixie-accord_1.deb"]
        files = self.publish / "files"
        self.assertEqual({path.name for path in files.iterdir()}, set(expected))
        checked = subprocess.run(["sha256sum", "-c", "SHA256SUMS"], cwd=files, check=True,
                                 capture_output=True, text=True).stdout
        self.assertEqual(checked.count(": OK"), len(expected) - 1)
        with tarfile.open(files / page) as tar:
            self.assertIn(f"accord-{version()}-browser/index.html", tar.getnames())
        self.assertEqual({path.name for path in (self.publish / "wheels").iterdir()},
                         {"a-cp311.whl", "b.whl"})
        self.assertEqual((self.publish / "bill.spdx.json").read_text(encoding="utf-8"), self.bill)
        notes = (self.publish / "notes.md").read_text(encoding="utf-8")
        changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
        self.assertIn(notes, changes)
        self.assertNotIn("\n## ", notes)
        self.assertTrue(changes.split(notes)[0].endswith(f"## {version()}\n"))

    def test_faults(self) -> None:
        """Bytes that are not those of the sums, and two files of one name, are not published."""
        (self.release / "windows" / "a-cp311.whl").write_text("other", encoding="utf-8")
        self.write_sums()
        done = self.run_script("files")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("two files of the release would be named a-cp311.whl", done.stderr)
        (self.release / "windows" / "a-cp311.whl").write_text("changed", encoding="utf-8")
        self.assertIn("has other files than its sums", self.run_script("files").stderr)

    def test_containers_and_release(self) -> None:
        """The containers have the version; the release is that of the tag."""
        self.run_script("files")
        done = self.run_script("containers", "ghcr.io/Some/accord")
        self.assertEqual(done.returncode, 0, done.stderr)
        name = f"ghcr.io/some/accord:{version()}"
        pushed = [line.split()[2] for line in self.called() if line.startswith("docker push")]
        self.assertEqual(pushed, [name, name + "-pocl", "ghcr.io/some/accord:latest"])
        self.assertEqual(self.run_script("release").returncode, 0)
        self.assertIn(f"gh release create v{version()} --verify-tag ", self.called()[-1])
        self.assertEqual(self.called()[-1].count(str(self.publish / "files")), 8)


class WorkflowsTest(unittest.TestCase):
    """The workflows of GitHub."""

    def test_steps(self) -> None:
        """A step is an action at a version, or a script that is there."""
        found = 0
        for path in sorted(WORKFLOWS.glob("*.yml")):
            text = path.read_text(encoding="utf-8")
            for action in re.findall(r"^ +-? *uses: (.*)$", text, re.M):
                if action.startswith("./"):
                    self.assertTrue((ROOT / action).is_file(), action)
                else:
                    self.assertRegex(action, r"^[\w./-]+@v\d+(\.\d+\.\d+)?$", path.name)
            for command in re.findall(r"^ +-? *run: (.*)$", text, re.M):
                found += 1
                self.assertTrue(any(rule.match(command) for rule in ALLOWED), command)
                for script in re.findall(r"(?:scripts/\S+\.sh|\.ci/run)", command):
                    self.assertTrue(os.access(ROOT / script, os.X_OK), script)
        self.assertGreater(found, 10)

    def test_parts(self) -> None:
        """The parts of a release that the workflow names are all that release.sh has."""
        text = (WORKFLOWS / "release.yml").read_text(encoding="utf-8")
        named = " ".join(re.findall(r"^ +parts: (.*)$", text, re.M)
                         + re.findall(r"release\.sh (?:--complete )?([\w ]+)$", text, re.M)).split()
        script = (ROOT / "scripts" / "packaging" / "release.sh").read_text(encoding="utf-8")
        parts = re.findall(r"parts=\((source .*)\)", script)
        self.assertEqual(set(named), set(parts[0].split()))


if __name__ == "__main__":
    unittest.main()
