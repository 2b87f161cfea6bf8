"""Tests of README and documents: their size, their links, their examples, and what they say of the
parameters. scripts/checks/docs.sh builds the site."""
import gzip
import hashlib
import os
import random
import re
import shutil
import subprocess
import sys
import unittest
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

from support import ACCORD, ROOT, HarnessTest

sys.path.insert(0, str(ROOT / "scripts" / "docs"))

# pylint: disable=wrong-import-position
import reference

DOCS = ROOT / "docs"
README = ROOT / "README.md"
GENERATED = {DOCS / "reference.md", DOCS / "development" / "map.md"}  # of the site alone
MARK = "<!-- run -->"
FENCE = re.compile(r"^```(.*)$")
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
# Words of a diary: they compare with a time that a reader does not know.
DIARY = re.compile(
    r"\b(that|this|the next|later that) (morning|evening|night|day)\b|\bmorning after\b"
    r"|\bdays? before\b|\bone sitting\b|\byesterday\b|\bparameters of now\b|\bat night\b"
    r"|\bearlier (program|parameters|versions? of accord)\b"
    r"|\b(program|parameters) of 20\d\d-\d\d-\d\d\b", re.I)


def pages() -> list[Path]:
    """README, what stands beside it, and every page of the documents."""
    beside = [README, ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", ROOT / "datasets/README.md"]
    beside += [ROOT / "src/README.md", *sorted((ROOT / "scripts").rglob("README.md"))]
    return beside + sorted(DOCS.rglob("*.md"))


def text_of(page: Path) -> str:
    """The Markdown of a page, the generated ones too."""
    if page.name == "reference.md":
        return reference.markdown(ACCORD)
    return (ROOT / "src/README.md" if page in GENERATED else page).read_text(encoding="utf-8")


class Block(NamedTuple):
    """A fenced block."""

    page: Path
    line: int  # of its fence
    language: str
    lines: list[str]
    is_run: bool


def blocks(page: Path) -> Iterator[Block]:
    """The fenced blocks of a page."""
    lines = text_of(page).split("\n")
    number = 0
    while number < len(lines):
        fence = FENCE.match(lines[number])
        number += 1
        if not fence:
            continue
        end = next(k for k in range(number, len(lines)) if lines[k] == "```")
        before = "\n".join(lines[:number - 1]).rstrip("\n").rsplit("\n", 1)[-1]
        yield Block(page, number, fence.group(1).strip(), lines[number:end], before == MARK)
        number = end + 1


def prose(page: Path) -> str:
    """A page without fenced blocks and code spans."""
    kept, inside = [], False
    for line in text_of(page).split("\n"):
        inside ^= line.startswith("```")
        if not inside and not line.startswith("```"):
            kept.append(re.sub(r"`[^`]*`", "``", line))
    return "\n".join(kept)


def anchors(page: Path) -> set[str]:
    """The anchors of the headings of a page."""
    found: set[str] = set()
    inside = False
    for line in text_of(page).split("\n"):
        inside ^= line.startswith("```")
        if not inside and re.match(r"#{1,6} ", line):
            words = re.sub(r"[^\w\s-]", "", line.lstrip("#").strip().lower())
            found.add(re.sub(r"\s", "-", words))
    return found


class ReadmeTest(unittest.TestCase):
    """README is read in two minutes."""

    def test_size(self) -> None:
        """At most 200 lines, and 40 decimal numbers, those of versions among them."""
        text = README.read_text(encoding="utf-8")
        self.assertLessEqual(len(text.splitlines()), 200)
        numbers = re.findall(r"\d*\.\d+", text)
        self.assertLessEqual(len(numbers), 40, numbers)
        for image in (DOCS / "images").glob("*.webp"):  # scripts/docs/screenshots.py makes them
            self.assertLess(image.stat().st_size, 80_000, image.name)

    def test_examples_are_those_of_the_program(self) -> None:
        """`accord help examples` prints the same lines."""
        shown = next(block.lines for block in blocks(README)
                     if block.language == "sh" and len(block.lines) > 5)
        said = reference.help_text(ACCORD, "examples").splitlines()
        self.assertEqual(shown, [line.strip() for line in said[1:]])
        self.assertGreaterEqual(len(shown), 10)

    def test_no_words_of_a_diary(self) -> None:
        """Pages tell the present; the notes in docs/lab and the changelog may tell more."""
        for page in pages():
            if DOCS / "lab" in page.parents or page.name == "CHANGELOG.md":
                continue
            for number, line in enumerate(text_of(page).split("\n"), 1):
                found = DIARY.search(line)
                self.assertIsNone(found, f"{page.relative_to(ROOT)}:{number}: {line}")


class LinkTest(unittest.TestCase):
    """Every link leads somewhere."""

    def test_links(self) -> None:
        """Files and anchors of all relative links are there; the page of the command line is that
        of the site."""
        known: dict[Path, set[str]] = {}
        count = 0
        for page in pages():
            for target in LINK.findall(prose(page)):
                if re.match(r"[a-z]+:", target):
                    continue
                count += 1
                name, _, anchor = unquote(target).partition("#")
                file = (page.parent / name).resolve() if name else page
                where = f"{page.relative_to(ROOT)}: {target}"
                self.assertTrue(file.exists() or file in GENERATED, where)
                if DOCS in page.parents:
                    self.assertIn(DOCS, file.parents, f"{where}: not a part of the site")
                if anchor and file.suffix == ".md":
                    if file not in known:
                        known[file] = anchors(file)
                    self.assertIn(anchor, known[file], where)
        self.assertGreater(count, 40)

    def test_named_files_are_there(self) -> None:
        """What stands in code spans as a path of the repository exists."""
        path = re.compile(r"`((?:src|kernels|include|scripts|datasets|tests|examples|docs|cmake)"
                          r"/[\w./+-]*[\w/])`")
        count = 0
        for page in pages():
            if DOCS / "lab" in page.parents or page.name == "CHANGELOG.md":
                continue
            text = re.sub(r"^```.*?^```$", "", text_of(page), flags=re.M | re.S)
            for name in (name for name in path.findall(text) if "NAME" not in name):
                count += 1
                self.assertTrue((ROOT / name).exists() or (page.parent / name).exists(),
                                f"{page.relative_to(ROOT)}: {name}")
        self.assertGreater(count, 50)

    def test_every_page_is_in_the_menu(self) -> None:
        """A page that MkDocs knows only by a link is found by nobody."""
        text = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
        listed = re.findall(r":? (\S+\.md)$", text, re.M)
        self.assertEqual(len(listed), len(set(listed)))
        there = {path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")}
        there |= {path.relative_to(DOCS).as_posix() for path in GENERATED}
        self.assertEqual(set(listed), there)


class ReferencePageTest(unittest.TestCase):
    """The page of the command line."""

    def test_every_option_of_every_command(self) -> None:
        """Each has its row, in the section of its command."""
        sections = dict(re.findall(r"^## accord (\S+)\n(.*?)(?=^## )", reference.markdown(ACCORD),
                                   re.M | re.S))
        self.assertIn("align", sections)
        for command, section in sections.items():
            said = subprocess.run([ACCORD, "help", command], capture_output=True, text=True,
                                  check=True).stdout
            wanted = re.findall(r"^ {2,6}(?:-\w, )?--([\w-]+)", said, re.M)
            self.assertTrue(wanted or command == "as", command)
            self.assertEqual(re.findall(r"^\| `(?:-\w, )?--([\w-]+)", section, re.M), wanted)
        self.assertIn("\\_R\\_", sections["align"])  # no emphasis


# Options of scripts and of other programs that code spans begin with.
OTHERS = {"--draw", "--genafpair", "--install", "--list", "--localpair", "--record",
          "--space", "--subset", "--workers"}


class OptionTest(unittest.TestCase):
    """Options that are named exist."""

    def test_options(self) -> None:
        """Those of accord's commands in blocks, and those at the start of code spans."""
        known = set(re.findall(r"--[a-z][\w-]+", reference.help_text(ACCORD, "all"))) | {"--help"}
        count = 0
        for page in pages():
            if DOCS / "lab" in page.parents or page.name == "CHANGELOG.md":
                continue
            where = page.relative_to(ROOT)
            lines = [line.split("#")[0] for block in blocks(page) for line in block.lines]
            for line in lines:
                if re.match(r"(\$ )?accord ", line):
                    named = re.findall(r"(?<!\S)--[a-z][\w-]+", line)
                    count += len(named)
                    self.assertLessEqual(set(named), known | {"--version"}, f"{where}: {line}")
            text = re.sub(r"<!-- options .*?<!-- end of options -->", "", text_of(page), flags=re.S)
            for name in re.findall(r"`(--[a-z][\w-]+)[^`]*`", text):
                count += 1
                self.assertIn(name, known | OTHERS, where)
        self.assertGreater(count, 100)


class ReplacePageTest(unittest.TestCase):
    """docs/replace.md."""

    def test_tables(self) -> None:
        """They are those of the program."""
        script = ROOT / "scripts" / "docs" / "replaced.py"
        done = subprocess.run([sys.executable, script, "--check"],
                              env={**os.environ, "ACCORD_PROGRAM": str(ACCORD)},
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)


class ErrorPageTest(unittest.TestCase):
    """docs/faq.md."""

    def test_exit_codes(self) -> None:
        """The table has all of them, with their meaning."""
        said = re.findall(r"^  (\d+(?:, \d+)?)  +(\S.*)$",
                          reference.help_text(ACCORD, "exit"), re.M)
        shown = re.findall(r"^\| (\d+(?:, \d+)?) \| ([^|]*?) \|",
                           text_of(DOCS / "faq.md").replace("`", ""), re.M)
        self.assertGreater(len(said), 10)
        self.assertEqual([code for code, _ in shown], [code for code, _ in said])
        for (code, text), (_, meaning) in zip(shown, said):
            self.assertTrue(meaning.startswith(text[:16]), f"{code}: {text} is not {meaning}")


class BenchmarkPageTest(HarnessTest):
    """docs/benchmarks.md is of the parameters that are built in."""

    def test_hashes(self) -> None:
        """Those on the page are those of the files; the report of a run names the same."""
        text = text_of(DOCS / "benchmarks.md")
        named = dict(re.findall(r"\| `(datasets/parameters/\S+)` \| `([0-9a-f]{64})` \|", text))
        self.assertEqual(set(named), {f"datasets/parameters/{name}.json" for name in
                                      ("protein", "protein_context", "nucleotide")})
        for name, checksum in named.items():
            self.assertEqual(hashlib.sha256((ROOT / name).read_bytes()).hexdigest(), checksum,
                             f"{name}: measure the tables anew")
        report = self.directory / "report.json"
        subprocess.run([ACCORD, ROOT / "datasets" / "example.fa", "-d", "none", "-o",
                        self.directory / "out.fa", "--report", report], check=True)
        self.assertIn(named["datasets/parameters/protein.json"], report.read_text())


def codons(protein: Path) -> str:
    """Coding sequences that translate to those of a file, one codon an amino acid."""
    code = dict(zip("ARNDCQEGHILKMFPSTWYV",
                    ("GCT CGT AAT GAT TGT CAA GAA GGT CAT ATT CTT AAA ATG TTT CCT TCT ACT TGG TAT "
                     "GTT").split()))
    lines = protein.read_text(encoding="utf-8").splitlines()
    return "".join((line if line.startswith(">") else "".join(code[c] for c in line.upper())) + "\n"
                   for line in lines)


def genomes() -> tuple[str, str]:
    """A genome, and others that differ from it by bases that are another one, unknown or left out;
    the last one is the reverse complement."""
    dice = random.Random(1)
    reference = "".join(dice.choice("ACGT") for _ in range(10_500))
    others = []
    for k in range(4):
        letters = list(reference)
        for place in dice.sample(range(len(letters)), 40):
            letters[place] = "A" if letters[place] == "C" else "C"
        letters[3000:3200] = "N" * 200
        del letters[1000 * k + 5000:1000 * k + 5012]
        others.append("".join(letters[100:]))
    others[-1] = others[-1].translate(str.maketrans("ACGTN", "TGCAN"))[::-1]
    return (f">reference\n{reference}\n",
            "".join(f">genome{k}\n{letters}\n" for k, letters in enumerate(others)))


def complement(row: str) -> str:
    """The reverse complement of a row of DNA, without its gaps."""
    return row.replace("-", "").translate(str.maketrans("ACGT", "TGCA"))[::-1]


def many_relatives() -> str:
    """More short proteins than are aligned whole."""
    draw = random.Random(1)
    letters = "ARNDCQEGHILKMFPSTWYV"
    root = draw.choices(letters, k=14)
    rows = ("".join(c if draw.random() < 0.8 else draw.choice(letters) for c in root)
            for _ in range(720))
    return "".join(f">s{k}\n{row}\n" for k, row in enumerate(rows))


def pattern(lines: list[str]) -> "re.Pattern[str]":
    """What an output must match; '...' stands for any lines."""
    parts = [r"(?:.*\n)*?" if line.strip() == "..." else re.escape(line.rstrip()) + r"[ ]*\n"
             for line in lines]
    return re.compile("".join(parts))


class ExampleTest(HarnessTest):
    """Blocks behind the line <!-- run -->."""

    def set_up_files(self) -> dict[str, str]:
        """The files that examples use, and the environment to run them in."""
        data, simulated = ROOT / "datasets", ROOT / "datasets" / "simulated"
        rows = (data / "example.true.fa").read_text(encoding="utf-8").split(">")[1:]
        seed, others, family = (">" + ">".join(some) for some in (rows[:5], rows[5:], rows))
        apes = (data / "primates.fa").read_text(encoding="utf-8").split(">")[1:]
        reference, others_of_it = genomes()
        for name, text in {
                "reference.fa": reference, "genomes.fa": others_of_it,
                "fam.fa": (data / "example.fa").read_text(encoding="utf-8"),
                "fam.ss3.fa": (data / "example.ss3.fa").read_text(encoding="utf-8"),
                "fam.aln": family, "ref.fa": family, "seed.aln": seed, "a.aln": seed,
                "b.aln": others, "new.fa": others.replace("-", ""),
                "reads.fa": others.replace("-", ""),
                "large.fa": (simulated / "close_24.fa").read_text(encoding="utf-8"),
                "huge.fa": many_relatives(),
                "dna.aln": (simulated / "dna_8.true.fa").read_text(encoding="utf-8"),
                "blosum62.txt": (data / "substitution" / "blosum62.txt").read_text("utf-8"),
                "apes.aln": ">" + ">".join(apes[:2]),
                "gorilla.fa": ">gorilla\n" + complement("".join(apes[2].split()[1:])) + "\n",
                "genes.fa": codons(simulated / "easy_8.fa"),
                "manifest.tsv": "easy\tfamilies/easy_8.fa\nshort\tfamilies/short_20.fa\n"}.items():
            self.write(name, text)
        shutil.copy(data / "cor66.gb", self.directory)
        (self.directory / "fam.fa.gz").write_bytes(
            gzip.compress((data / "example.fa").read_bytes()))
        (self.directory / "families").mkdir()
        for name in ("easy_8", "short_20", "twilight_6"):
            shutil.copy(simulated / f"{name}.fa", self.directory / "families")
        programs = self.directory / ".bin"
        programs.mkdir()
        (programs / "accord").symlink_to(Path(ACCORD).resolve())
        return {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}", "ACCORD_DEVICE": "none",
                "HOME": str(self.directory)}

    def run_commands(self, commands: str, environment: dict[str, str], where: str) -> str:
        """The output of a script that must succeed."""
        done = subprocess.run(["bash", "-euo", "pipefail", "-c", commands], cwd=self.directory,
                              env=environment, capture_output=True, text=True, timeout=120,
                              check=False)
        self.assertEqual(done.returncode, 0, f"{where}: {commands}\n{done.stdout}{done.stderr}")
        return done.stdout

    def check(self, block: Block, environment: dict[str, str]) -> int:
        """Runs a block; the number of its commands."""
        where = f"{block.page.relative_to(ROOT)}:{block.line}"
        if block.language == "sh":
            self.run_commands("\n".join(block.lines), environment, where)
            return sum(1 for line in block.lines if line and not line.startswith("#"))
        self.assertEqual(block.language, "console", where)
        commands: list[tuple[str, list[str]]] = []
        for line in block.lines:
            if line.startswith("$ "):
                commands.append((line[2:], []))
            else:
                self.assertTrue(commands, f"{where}: output before a command")
                commands[-1][1].append(line)
        for command, shown in commands:
            said = self.run_commands(command, environment, where)
            if shown:
                said = "".join(line.rstrip() + "\n" for line in said.splitlines())
                self.assertTrue(pattern(shown).fullmatch(said),
                                f"{where}: $ {command}\n{said}\nis not\n" + "\n".join(shown))
        return len(commands)

    def test_examples(self) -> None:
        """They run, in the order of their page, and print what is shown."""
        count = 0
        for page in pages():
            found = [block for block in blocks(page) if block.is_run]
            if not found:
                continue
            for path in self.directory.iterdir():
                if path.is_dir():
                    shutil.rmtree(path)
                else:
                    path.unlink()
            environment = self.set_up_files()
            for block in found:
                count += self.check(block, environment)
        self.assertGreater(count, 30)

    def test_a_wrong_output_is_found(self) -> None:
        """And so is a command that fails."""
        environment = self.set_up_files()
        good = Block(README, 1, "console", ["$ printf 'a\\nb\\nc\\n'", "a", "...", "c"], True)
        self.assertEqual(self.check(good, environment), 1)
        for lines in (["$ echo a", "b"], ["$ false"], ["$ printf 'a\\nb\\n'", "a"]):
            with self.assertRaises(AssertionError):
                self.check(good._replace(lines=lines), environment)


if __name__ == "__main__":
    unittest.main()
