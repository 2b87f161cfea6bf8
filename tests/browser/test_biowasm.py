"""The program as biowasm has it, accord.js and accord.wasm, in Chromium: its bytes, its files, its
errors. scripts/checks/browser.sh makes both by the recipe in scripts/packaging/recipes/biowasm."""
import shutil
import tempfile
import unittest
from pathlib import Path

from driver import Browser, Server
from test_browser import EXAMPLE, ROOT, SIMULATED, goldens, hash_of

BUILD = ROOT.parent / "build"  # where bin/compile.sh of biowasm takes the files from


class BiowasmTest(unittest.TestCase):
    """One module for all tests: each call of the program leaves it usable."""

    @classmethod
    def setUpClass(cls) -> None:
        # pylint: disable-next=consider-using-with
        cls.folder = tempfile.TemporaryDirectory()
        directory = Path(cls.folder.name)
        for name in ("accord.js", "accord.wasm"):
            shutil.copy(BUILD / name, directory)
        (directory / "index.html").write_text('<!doctype html><script src="accord.js"></script>',
                                              encoding="utf-8")
        cls.server = Server(directory, {})
        cls.browser = Browser(directory)
        cls.browser.open(cls.server.address + "index.html")
        cls.browser.run(
            "window.shown = {out: '', err: ''};"
            "window.program = await Module({print: (text) => { shown.out += text + '\\n'; },"
            "                               printErr: (text) => { shown.err += text + '\\n'; }});")

    @classmethod
    def tearDownClass(cls) -> None:
        cls.browser.close()
        cls.server.close()
        cls.folder.cleanup()

    def call(self, *words: str) -> "tuple[int, str, str]":
        """The code of a call of the program, and what it prints on stdout and stderr."""
        code, shown = self.browser.run("shown.out = shown.err = '';"
                                       "return [program.callMain(given[0]), shown];", words)
        return code, shown["out"], shown["err"]

    def mount(self, name: str, text: str) -> None:
        """A file for the program."""
        self.browser.run("program.FS.writeFile(given[0], given[1]);", name, text)

    def test_families(self) -> None:
        """The golden bytes of every family on stdout, and not a word on stderr."""
        for family, stages in goldens("goldens.tsv").items():
            with self.subTest(family=family):
                self.mount("/family.fa", (SIMULATED / f"{family}.fa").read_text(encoding="utf-8"))
                code, out, err = self.call("/family.fa")
                self.assertEqual((code, err), (0, ""))
                self.assertEqual(hash_of(out.encode()), stages["refined"])

    def test_files(self) -> None:
        """An output is a file, which another call reads."""
        self.mount("/example.fa", EXAMPLE.read_text(encoding="utf-8"))
        self.assertEqual(self.call("/example.fa", "-o", "/a.aln.gz")[0], 0)
        code, out, _ = self.call("convert", "/a.aln.gz")
        self.assertEqual((code, out), (0, EXAMPLE.with_suffix(".aln").read_text(encoding="utf-8")))

    def test_problems(self) -> None:
        """The codes and lines of the program."""
        code, out, err = self.call("/missing.fa")
        self.assertEqual((code, out), (66, ""))
        self.assertIn("cannot open /missing.fa", err)
        self.assertEqual(self.call("--version")[0], 0)


if __name__ == "__main__":
    unittest.main()
