"""The page docs/app/index.html in Chromium: its results, its messages, and that it asks the network
for nothing. scripts/checks/browser.sh runs it; scripts/packaging/browser.sh makes the page before.
"""
import base64
import json
import os
import shutil
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

from driver import Browser, Server

ROOT = Path(__file__).resolve().parents[2]
APP = ROOT / "docs" / "app"
SIMULATED = ROOT / "datasets" / "simulated"
EXAMPLE = ROOT / "datasets" / "example.fa"
PROGRAM = os.environ.get("ACCORD_PROGRAM", "")  # the same version, for this machine


def hash_of(data: bytes) -> str:
    """FNV-1a, as tests/support/hash.hpp computes it."""
    state = 14695981039346656037
    for byte in data:
        state = ((state ^ byte) * 1099511628211) & 0xFFFFFFFFFFFFFFFF
    return f"{state:016x}"


def goldens(name: str) -> dict[str, dict[str, str]]:
    """The hashes of each family in a file of tests/golden."""
    lines = (ROOT / "tests" / "golden" / name).read_text(encoding="utf-8").splitlines()
    return {family: dict(field.split("=") for field in fields)
            for family, *fields in (line.split("\t") for line in lines)}


def made_up(count: int, length: int) -> str:
    """Sequences that mutate from one another, in a fixed way."""
    state, letters = 7, "ACDEFGHIKLMNPQRSTVWY"

    def draw(limit: int) -> int:
        nonlocal state
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (state >> 33) % limit
    rows = [[letters[draw(20)] for _ in range(length)]]
    while len(rows) < count:
        row = list(rows[draw(len(rows))])
        for _ in range(length // 12):
            row[draw(length)] = letters[draw(20)]
        rows.append(row)
    return "".join(f">s{k}\n{''.join(row)}\n" for k, row in enumerate(rows))


class PageTest(unittest.TestCase):
    """One page for all tests, each of which leaves it usable."""

    headers: dict[str, str] = {}

    @classmethod
    def served(cls) -> Path:
        """The folder of the page."""
        return APP

    @classmethod
    def open(cls) -> None:
        """Loads the page."""
        cls.browser.open(cls.server.address + "index.html")

    @classmethod
    def setUpClass(cls) -> None:
        # pylint: disable-next=consider-using-with
        cls.folder = tempfile.TemporaryDirectory()
        cls.directory = Path(cls.folder.name)
        cls.server = Server(cls.served(), cls.headers)
        cls.browser = Browser(cls.directory)
        cls.open()
        cls.browser.run("while (!part('status').textContent.endsWith('is ready.') && "
                        "part('problem').hidden) await new Promise((r) => setTimeout(r, 50));")
        ready = cls.browser.run("return part('status').textContent + part('problem').textContent;")
        assert ready.endswith("is ready."), ready

    @classmethod
    def tearDownClass(cls) -> None:
        cls.browser.close()
        cls.server.close()
        cls.folder.cleanup()

    def align(self, path: Path, mode: str = "posterior") -> str:
        """Aligns a file by the controls of the page; the problem that it shows, or ''. `mode` may
        be followed by lines of other options."""
        self.browser.run("part('mode').add(new Option('test', given[0]));"
                         "part('mode').value = given[0]; part('file').value = '';", mode)
        self.browser.choose_file("file", path)
        return self.browser.run(
            "part('start').click();"
            "while (!part('stop').hidden) await new Promise((r) => setTimeout(r, 10));"
            "return part('problem').hidden ? '' : part('problem').textContent;")

    def result(self, kind: str, order: str = "input") -> bytes:
        """A result of the last alignment."""
        text = self.browser.run(
            "const {bytes} = await session.call("
            "  {call: 'write', kind: given[0], treeOrder: given[1] === 'tree'});"
            "let text = ''; for (const byte of bytes) text += String.fromCharCode(byte);"
            "return btoa(text);", kind, order)
        return base64.b64decode(text)

    def write(self, name: str, text: str) -> Path:
        """A file for the page."""
        path = self.directory / name
        path.write_text(text, encoding="utf-8")
        return path


class BrowserTest(PageTest):
    """The page whose one thread computes."""

    loaded = ["/accord.js", "/accord.wasm", "/index.html"]

    def test_families(self) -> None:
        """The golden bytes of every family, in every mode."""
        local = goldens("local.tsv")
        seconds = time.monotonic()
        for family, stages in goldens("goldens.tsv").items():
            in_modes = {f"{mode}\ntree=upgma": hashed for mode, hashed in local[family].items()}
            for mode, golden in {"posterior": stages["refined"], **in_modes}.items():
                with self.subTest(family=family, mode=mode):
                    self.assertEqual(self.align(SIMULATED / f"{family}.fa", mode), "")
                    self.assertEqual(hash_of(self.result("fasta")), golden)
        print(f"families: {time.monotonic() - seconds:.0f} s", flush=True)

    def test_again(self) -> None:
        """Another run of the same page has the bytes of the example, and its page shows it."""
        golden = EXAMPLE.with_suffix(".aln").read_bytes()
        for _ in range(2):
            self.assertEqual(self.align(EXAMPLE), "")
            self.assertEqual(self.result("fasta"), golden)
        page = self.browser.request("POST", "/element", {"using": "css selector", "value": "#page"})
        self.browser.request("POST", "/frame", {"id": page})
        try:
            title = self.browser.run("return document.getElementById('title').textContent;")
        finally:
            self.browser.request("POST", "/frame", {"id": None})
        self.assertEqual(title, "example.fa")

    def at_rest(self) -> str:
        """Waits until nothing runs; the line at the bottom, or the problem."""
        return self.browser.run(
            "for (let still = 0; still < 20; ++still) {"
            "  await new Promise((r) => setTimeout(r, 50));"
            "  if (!part('stop').hidden) still = 0;"
            "}"
            "return part('problem').hidden ? part('status').textContent :"
            "  part('problem').textContent;")

    def test_example(self) -> None:
        """The example is aligned with one click, and pasted text with the button."""
        golden = EXAMPLE.with_suffix(".aln").read_bytes()
        self.browser.run("part('example').click();")
        self.assertIn("8 sequences (protein), ", self.at_rest())
        self.assertEqual(self.result("fasta"), golden)
        self.browser.run("part('pasted').value = given[0] + '>more\\n' + given[1];"
                         "part('pasted').dispatchEvent(new Event('input'));"
                         "part('start').click();", EXAMPLE.read_text(encoding="utf-8"), "MKVLA\n")
        self.assertIn("9 sequences", self.at_rest())

    def test_several_files(self) -> None:
        """Sequences of several files are one family; options change its alignment."""
        records = [">" + text for text in EXAMPLE.read_text(encoding="utf-8").split(">")[1:]]
        paths = [self.write("one.fa", "".join(records[:3])),
                 self.write("two.fa", "".join(records[3:]))]
        self.browser.run("part('file').value = '';")
        self.browser.choose_file("file", Path("\n".join(map(str, paths))))
        self.assertEqual(self.at_rest(), "one.fa, two.fa: chosen.")
        self.browser.run("part('start').click();")
        self.assertIn("8 sequences", self.at_rest())
        self.assertEqual(self.result("fasta"), EXAMPLE.with_suffix(".aln").read_bytes())
        self.browser.run("part('refine').value = '0'; part('type').value = 'protein';"
                         "part('start').click();")
        self.at_rest()
        self.browser.run("part('refine').value = part('type').value = '';")
        parameters = json.loads(self.result("report"))["parameters"]
        self.assertEqual(parameters["refine_iterations"], 0)

    def test_alignments(self) -> None:
        """Files with alignments are shown as they are, with a choice of several; a single one can
        be saved in another format; rows that are not aligned are refused."""
        paths = [self.write("a.fa", ">a\nMK-VLA\n>b\nMKRVLA\n"),
                 self.write("b.sto", "# STOCKHOLM 1.0\n#=GF ID x\na MK\nb MR\n//\n"
                                     "# STOCKHOLM 1.0\n#=GF ID y\na MK\nb MR\n//\n")]
        self.browser.run("part('file').value = '';")
        self.browser.choose_file("file", Path("\n".join(map(str, paths))))
        self.assertIn("3 alignments, ", self.at_rest())
        self.assertIn(b'"title":"b.sto:y"', self.result("html"))
        self.browser.run("part('file').value = '';")
        self.browser.choose_file("file", paths[0])
        self.assertIn("2 sequences (protein), 6 columns", self.at_rest())
        self.assertIn(b"a               MK-VLA", self.result("clustal"))
        self.browser.run("part('pasted').value = '>a\\nMK\\n>b\\nM\\n';"
                         "part('pasted').dispatchEvent(new Event('input'));"
                         "part('show').click();")
        self.assertIn("not aligned", self.at_rest())

    def test_threads(self) -> None:
        """All processors compute where the page may have threads, and one elsewhere."""
        self.assertEqual(self.align(EXAMPLE), "")
        may, processors = self.browser.run(
            "return [crossOriginIsolated, navigator.hardwareConcurrency];")
        self.assertEqual(may, bool(self.headers))
        threads = json.loads(self.result("report"))["compute"]["threads"]
        self.assertEqual(threads, processors if may else 1)

    def test_packed(self) -> None:
        """A packed file is read as the program reads it."""
        for command, suffix in [("gzip", "gz"), ("bzip2", "bz2"), ("xz", "xz")]:
            packed = self.directory / f"example.fa.{suffix}"
            packed.write_bytes(subprocess.run([command, "-c", str(EXAMPLE)], check=True,
                                              stdout=subprocess.PIPE).stdout)
            self.assertEqual(self.align(packed), "")
            self.assertEqual(self.result("fasta"), EXAMPLE.with_suffix(".aln").read_bytes())

    def test_outputs(self) -> None:
        """Every result can be had, and has the bytes of the program where there is one."""
        self.assertEqual(self.align(EXAMPLE), "")
        kinds = self.browser.run("return [...part('kind').options].map((o) => o.value);")
        self.assertIn("clustal", kinds)
        for kind in kinds:
            for order in ("input", "tree"):
                found = self.result(kind, order)
                self.assertGreater(len(found), 100, kind)
                if not PROGRAM or kind in ("html", "report"):  # these have times
                    continue
                output = self.directory / "of_program"
                option = {"tree": "--tree-out", "confidence": "--confidence"}.get(kind)
                subprocess.run(
                    [PROGRAM, "align", str(EXAMPLE), "-q", "--device", "none", "--order", order,
                     *([option, str(output), "-o", "/dev/null"] if option else
                       ["--format", kind, "--confidence", str(self.directory / "c"),
                        "-o", str(output)])],
                    check=True, cwd=self.directory)
                self.assertEqual(found, output.read_bytes(), (kind, order))

    def test_saved(self) -> None:
        """The button saves a file."""
        self.assertEqual(self.align(EXAMPLE), "")
        self.browser.run("part('kind').value = 'clustal'; part('save').click();")
        saved = self.directory / "example.clw"
        while not (saved.exists() and saved.stat().st_size > 0):  # however slow the machine is
            time.sleep(0.1)
        self.assertTrue(saved.read_bytes().startswith(b"CLUSTAL"))

    def test_problems(self) -> None:
        """A file that cannot be aligned gives a line that says why, and the page goes on."""
        large = self.directory / "large.fa"
        with large.open("wb") as file:
            file.truncate(513 * 2**20)
        cases = [(self.write("bad.fa", ">a\nACDEFGHIKL\n>b\nACD3FGHIKL\n"), ["bad.fa", "'3'"]),
                 (self.write("empty.fa", ""), ["empty.fa"]),
                 (self.write("text.fa", "no sequences\n"), ["text.fa"]),
                 (large, ["513 MiB", "512"]),
                 (self.write("long.fa", ">a\n" + "ACDEFGHIKL" * 40000 + "\n>b\n" +
                             "ACDEYGHIKL" * 40000 + "\n>c\n" + "ACDEYGHIKM" * 40000 + "\n"),
                  ["3 sequences, mean length 400000, need about", "the limit is 3.2 GiB"])]
        for path, words in cases:
            with self.subTest(path.name):
                problem = self.align(path)
                print(f"{path.name}: {problem!r}", flush=True)
                for word in words:
                    self.assertIn(word, problem)
                self.assertTrue(self.browser.run("return part('result').hidden;"))
        self.assertEqual(self.align(EXAMPLE), "")
        self.assertEqual(self.result("fasta"), EXAMPLE.with_suffix(".aln").read_bytes())

    def test_stop(self) -> None:
        """A run can be stopped, and the next one starts."""
        path = self.write("many.fa", made_up(300, 200))
        self.browser.run("part('file').value = '';")
        self.browser.choose_file("file", path)
        self.browser.run("part('start').click(); await new Promise((r) => setTimeout(r, 500));"
                         "part('stop').click();")
        self.assertEqual(self.browser.run("return part('status').textContent;"), "Stopped.")
        self.assertEqual(self.align(EXAMPLE), "")

    def test_thousand(self) -> None:
        """A thousand sequences of 150 residues; with the bytes of the program where there is one.
        """
        path = self.write("thousand.fa", made_up(1000, 150))
        self.assertEqual(self.align(path), "")
        print("thousand:", self.browser.run("return part('status').textContent;"), flush=True)
        if PROGRAM:
            started = time.monotonic()
            command = [PROGRAM, "align", str(path), "-q", "--device", "none", "-j", "1"]
            made = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
            print(f"thousand, program: {time.monotonic() - started:.1f} s", flush=True)
            self.assertEqual(self.result("fasta"), made)

    def test_network(self) -> None:
        """The page asks for its files alone, and its policy forbids everything else."""
        self.assertEqual(self.align(EXAMPLE), "")
        for script in ("await fetch('/x');", "await fetch('http://127.0.0.1:9/');",
                       "new WebSocket('ws://127.0.0.1:9/'); await new Promise((_, no) => "
                       "document.addEventListener('securitypolicyviolation', no));"):
            with self.assertRaises(RuntimeError):
                self.browser.run(script)
        blocked = self.browser.run(
            "const text = \"fetch('\" + location.origin + \"/y').then("
            "  () => postMessage('sent'), () => postMessage('blocked'));\";"
            "const worker = new Worker(URL.createObjectURL(new Blob([text])));"
            "return new Promise((done) => { worker.onmessage = ({data}) => done(data); });")
        self.assertEqual(blocked, "blocked")
        asked = [path for path in self.server.asked if path != "/favicon.ico"]
        self.assertEqual(sorted(asked), self.loaded)


class ThreadsTest(BrowserTest):
    """The same, with the headers that allow a page to have threads."""

    headers = {"Cross-Origin-Opener-Policy": "same-origin",
               "Cross-Origin-Embedder-Policy": "require-corp"}
    loaded = ["/accord-threads.js", "/accord-threads.wasm", "/accord-threads.worker.js",
              "/index.html"]


class IsolatedTest(PageTest):
    """The page as the site has it: its server sends no headers, and its own worker adds them."""

    @classmethod
    def served(cls) -> Path:
        folder = cls.directory / "app"
        shutil.copytree(APP, folder)
        script = ROOT / "scripts" / "packaging" / "pages" / "isolate.sh"
        subprocess.run([script, folder], check=True)
        return folder

    @classmethod
    def open(cls) -> None:
        super().open()
        end = time.monotonic() + 600  # a slow machine loads the page in seconds
        while time.monotonic() < end:
            try:
                if cls.browser.run("return crossOriginIsolated;"):
                    return
            except RuntimeError:  # the page is being loaded once more
                pass
            time.sleep(0.1)
        raise AssertionError("the page has no worker that adds the headers")

    def test_threads(self) -> None:
        """It computes with threads, has the bytes, and asks for its files and for nothing else."""
        self.assertEqual(self.align(EXAMPLE), "")
        self.assertEqual(self.result("fasta"), EXAMPLE.with_suffix(".aln").read_bytes())
        for script in ("await fetch('/x');", "await fetch('isolate.js');"):
            with self.assertRaises(RuntimeError):
                self.browser.run(script)
        asked = {path for path in self.server.asked if path != "/favicon.ico"}
        self.assertLessEqual({*ThreadsTest.loaded, "/isolate.js"}, asked)
        self.assertLessEqual(asked, {*ThreadsTest.loaded, *BrowserTest.loaded, "/isolate.js"})


if __name__ == "__main__":
    unittest.main(verbosity=2)
