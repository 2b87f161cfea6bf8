"""Tests of scripts/packaging/recipes.py and its recipes, as far as Python alone can make them: each
parses, and its commands run with the program. tests/workflows has those that need Snakemake."""
import fnmatch
import gzip
import json
import os
import re
import subprocess
import sys
import unittest
import xml.etree.ElementTree
from pathlib import Path

from support import ACCORD, ROOT, HarnessTest

SCRIPT = ROOT / "scripts" / "packaging" / "recipes.py"
RECIPES = SCRIPT.with_suffix("")
SUM = "0123456789abcdef" * 4
VALUES = {"homepage": "https://example.org/accord", "sha256": SUM, "maintainer": "somebody",
          "source": "https://example.org/accord-9.8.7.tar.gz", "build": "h0_0", "version": "9.8.7"}
FAMILY, ALIGNED = ROOT / "datasets" / "example.fa", ROOT / "datasets" / "example.aln"
# What each recipe calls, and the part of a file that has the calls.
CALLS = (("nf-core/accord/align/main.nf", "align", r"    script:\n(.*?)    stub:"),
         ("nf-core/accord/guidetree/main.nf", "tree", r"    script:\n(.*?)    stub:"),
         ("galaxy/accord.xml", "align", r"<command .*?</inputs>"),
         ("snakemake/wrapper.py", "align", r"\A.*\Z"))
# What snakemake.shell does with a command: {name:q} is quoted, and the values are those of the
# caller.
SHELL_OF_SNAKEMAKE = """
import inspect, shlex, string, subprocess
class Quoting(string.Formatter):
    def format_field(self, value, spec):
        return shlex.quote(str(value)) if spec == "q" else format(value, spec)
def shell(command):
    values = inspect.currentframe().f_back.f_globals
    subprocess.run(["bash", "-euo", "pipefail", "-c", Quoting().vformat(command, (), values)],
                   check=True)
"""
# Runs the wrapper with the names of the family, the tree and the outputs.
RUN_OF_SNAKEMAKE = """
import runpy, sys, types
class Names(dict):
    __getattr__ = dict.__getitem__
family, tree, out = sys.argv[1:]
rule = types.SimpleNamespace(
    params={}, input=Names(fasta=family, tree=tree), threads=1, resources={},
    output=Names(alignment=out + ".aln", html=out + ".html", tree=out + ".out.nwk"),
    log_fmt_shell=lambda **_: "")
runpy.run_path("wrapper.py", {"snakemake": rule})
"""
# Homebrew's names where they are not the keys of cmake/packages.tsv.
HOMEBREW = {"boost-math": "boost", "json": "nlohmann-json", "sodium": "libsodium",
            "opencl-cxx-headers": "opencl-clhpp-headers", "opencl-loader": "opencl-icd-loader",
            "pegtl": "gemmi", "program-options": "boost"}


def packages() -> "list[list[str]]":
    """The rows of cmake/packages.tsv."""
    lines = (ROOT / "cmake" / "packages.tsv").read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines if not line.startswith("#")]


class RecipesTest(HarnessTest):
    """The recipes of a release that does not exist."""

    def setUp(self) -> None:
        """Writes all recipes."""
        super().setUp()
        self.out = self.directory / "out"
        self.assertEqual(self.write_recipes(self.out, **VALUES), "")

    def write_recipes(self, out: Path, **values: str) -> str:
        """Runs the script; returns what it says of recipes that it leaves out."""
        words = [word for name, value in values.items() for word in (f"--{name}", value)]
        return subprocess.run([sys.executable, "-B", str(SCRIPT), *words, str(out)], check=True,
                              capture_output=True, text=True).stderr

    def text(self, name: str) -> str:
        """The text of a file of the recipes."""
        return (self.out / name).read_text(encoding="utf-8")

    def shell(self, script: str, folder: str) -> str:
        """Runs a script of Bash, where `accord` is the program, in a folder; returns its output."""
        directory = self.directory / folder
        directory.mkdir(exist_ok=True)
        path = str(Path(ACCORD).parent) + os.pathsep + os.environ["PATH"]
        done = subprocess.run(["bash", "-ue", "-o", "pipefail", "-c", script], cwd=directory,
                              env={**os.environ, "PATH": path}, capture_output=True, text=True,
                              check=False)
        self.assertEqual(done.returncode, 0, script + done.stderr)
        return done.stdout

    def test_values(self) -> None:
        """Each value stands where the recipes need it, and no placeholder is left."""
        for path in self.out.rglob("*"):
            if path.is_file() and path.suffix != ".gz":
                text = path.read_text(encoding="utf-8")
                self.assertNotRegex(text, "@(" + "|".join(VALUES).upper() + ")@", path)
        for name, expected in (
                ("bioconda/meta.yaml", ['set version = "9.8.7"', f"sha256: {SUM}",
                                        f"url: {VALUES['source']}", "    - somebody\n"]),
                ("galaxy/accord.xml", ['<token name="@TOOL_VERSION@">9.8.7</token>']),
                ("homebrew/accord.rb", [f'sha256 "{SUM}"', f'url "{VALUES["source"]}"']),
                ("nf-core/accord/align/environment.yml", ["bioconda::accord=9.8.7"]),
                ("nf-core/accord/guidetree/main.nf", ["biocontainers/accord:9.8.7--h0_0'"]),
                ("nf-core/accord/guidetree/meta.yml", ['- "@somebody"']),
                ("snakemake/environment.yaml", ["- accord =9.8.7"])):
            for part in expected:
                self.assertIn(part, self.text(name))

    def test_what_is_left_out(self) -> None:
        """A recipe whose values are missing, with their names; the version has a default."""
        said = self.write_recipes(self.directory / "few", homepage=VALUES["homepage"])
        self.assertEqual(said, "bioconda: left out, needs --maintainer, --sha256, --source\n"
                         "homebrew: left out, needs --sha256, --source\n"
                         "nf-core: left out, needs --build, --maintainer\n")
        self.assertEqual(sorted(path.name for path in (self.directory / "few").iterdir()),
                         ["biowasm", "galaxy", "snakemake"])
        named = subprocess.run([ACCORD, "--version"], capture_output=True, text=True, check=True)
        environment = self.directory / "few" / "snakemake" / "environment.yaml"
        self.assertIn(f"- accord ={named.stdout.split()[1]}\n",
                      environment.read_text(encoding="utf-8"))

    def test_options(self) -> None:
        """The recipes use options that the program has."""
        for name, command, part in CALLS:
            found = re.search(part, self.text(name), re.S)
            assert found, name
            options = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", found.group()))
            self.assertGreater(len(options), 2, name)
            page = subprocess.run([ACCORD, command, "--help"], capture_output=True, text=True,
                                  check=True).stdout
            self.assertLessEqual(options, set(re.findall(r"--[a-z][a-z-]+", page)), name)

    def test_bioconda(self) -> None:
        """Its libraries are those of cmake/packages.tsv, its tests pass, Bash reads its script."""
        text = self.text("bioconda/meta.yaml")
        named = set(re.findall(r"^    - ([a-z_0-9-]+)", text.split("test:")[0], re.M))
        wanted = {name for row in packages() if row[1] == "build" for name in row[5].split()}
        self.assertEqual(named, wanted - {"cxx-compiler"} | {"libgomp"})
        for name in re.findall(r"^    - (datasets/\S+)$", text, re.M):
            target = self.directory / "bioconda" / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes((ROOT / name).read_bytes())
        commands = re.findall(r"^    - (.*accord.*)$", text.split("commands:")[1], re.M)
        self.assertEqual(len(commands), 5)
        for command in commands[1:]:  # the first compares the version
            self.shell(command, "bioconda")
        subprocess.run(["bash", "-n", str(self.out / "bioconda" / "build.sh")], check=True)

    def test_galaxy(self) -> None:
        """It is XML, its files of tests are there, and the program takes each choice."""
        tool = xml.etree.ElementTree.parse(self.out / "galaxy" / "accord.xml").getroot()
        for part in tool.findall(".//test//param") + tool.findall(".//test//output"):
            for name in (part.get("value", ""), part.get("file", "")):
                if name.startswith("example"):
                    self.assertTrue((self.out / "galaxy" / "test-data" / name).is_file(), name)
        choices = [(param.get("argument"), option.get("value"))
                   for param in tool.findall("./inputs/param[@argument]")
                   for option in param.findall("option")]
        self.assertEqual(len({name for name, _ in choices}), 5)
        for name, value in choices:
            if value not in ("dna", "rna"):  # the example is of proteins
                self.shell(f"accord align '{FAMILY}' --device none -q {name} {value}", "galaxy")
        compressed = self.out / "galaxy" / "test-data" / "example.fa.gz"
        self.assertEqual(gzip.decompress(compressed.read_bytes()), FAMILY.read_bytes())

    def test_snakemake(self) -> None:
        """Python reads the wrapper; its test has the example."""
        compile(self.text("snakemake/wrapper.py"), "wrapper.py", "exec")
        self.assertEqual(self.text("snakemake/test/example.fa"), FAMILY.read_text(encoding="utf-8"))

    def test_names_that_a_shell_would_run(self) -> None:
        """The wrapper of Snakemake and the modules of Nextflow run nothing of what a name says."""
        evil = "-g'$(touch PWN)'\"`touch PWN`"
        work = self.directory / "evil"
        work.mkdir()
        family, tree = work / f"{evil}.fa", work / f"{evil}.nwk"
        family.write_bytes(FAMILY.read_bytes())
        tree.write_bytes((ROOT / "datasets" / "example.nwk").read_bytes())
        (work / "snakemake").mkdir()
        (work / "snakemake" / "shell.py").write_text(SHELL_OF_SNAKEMAKE, encoding="utf-8")
        (work / "wrapper.py").write_text(self.text("snakemake/wrapper.py"), encoding="utf-8")
        path = str(Path(ACCORD).parent) + os.pathsep + os.environ["PATH"]
        subprocess.run(
            [sys.executable, "-B", "-c", RUN_OF_SNAKEMAKE, family.name, tree.name, evil],
            cwd=work, check=True, env={**os.environ, "ACCORD_DEVICE": "none", "PATH": path,
                                       "PYTHONPATH": str(work)})
        self.assertEqual((work / f"{evil}.aln").read_bytes(), ALIGNED.read_bytes())
        self.assertTrue((work / f"{evil}.html").is_file())
        prefix = evil.replace("'", "'\\''")  # as the modules do
        for module, suffix in (("align", ".aln"), ("guidetree", ".dnd")):
            module = "nf-core/accord/" + module
            text = self.text(f"{module}/main.nf")
            self.assertEqual(text.count(""".toString().replace("'", "'\\\\''")"""), 2)
            for name in ("script", "stub"):
                made = self.run_block(module, name, False, prefix=prefix, sequences=str(FAMILY),
                                      guide="")
                self.assertIn(evil + suffix, made)
                self.assertNotIn("PWN", made)
        self.assertEqual(list(self.directory.rglob("PWN")), [])

    def test_names_of_a_slurm_array(self) -> None:
        """The script for SLURM takes folders whose names look like options."""
        work = self.directory / "slurm"
        (work / "-families").mkdir(parents=True)
        (work / "-families" / "x.fa").write_bytes(FAMILY.read_bytes())
        self.shell(f"export SLURM_ARRAY_TASK_ID=1; bash '{ROOT}/scripts/batch_slurm.sh' 1 "
                   "-families -out --device none -q", "slurm")
        self.assertEqual((work / "-out" / "x.afa").read_bytes(), ALIGNED.read_bytes())

    def test_biowasm(self) -> None:
        """Its entry names a version of which there is an example; Bash reads its script."""
        entry = json.loads(self.text("biowasm/biowasm.json"))
        self.assertEqual(entry["versions"], [{"version": "9.8.7", "branch": "v9.8.7"}])
        self.assertIn(f'Aioli("{entry["name"]}/9.8.7")', self.text("biowasm/examples/9.8.7.html"))
        script = self.out / "biowasm" / "compile.sh"
        self.assertTrue(os.access(script, os.X_OK))
        subprocess.run(["bash", "-n", str(script)], check=True)

    def test_homebrew(self) -> None:
        """It depends on the libraries of cmake/packages.tsv, under Homebrew's names."""
        needs = set(re.findall(r'^  depends_on "([^"]+)"', self.text("homebrew/accord.rb"), re.M))
        keys = {row[0] for row in packages() if row[1] == "build"}
        self.assertEqual(needs, {HOMEBREW.get(key, key) for key in keys - {"compiler"}})

    def run_block(self, module: str, name: str, compress: bool, **values: str) -> "list[str]":
        """Runs script or stub of a Nextflow module with the values that Nextflow would fill in;
        returns the names of the files that it made, which are in a folder of the block's name."""
        block = re.search(rf'^    {name}:\n.*?"""\n(.*?)"""', self.text(f"{module}/main.nf"),
                          re.M | re.S)
        assert block
        suffix, pipe = (".gz", "| gzip") if compress else ("", "")
        values = {"task.cpus": "1", "memory": "--memory 2048M", "args": "--device none",
                  "prefix": "family", "suffix": suffix, "compress ? '| gzip' : ''": pipe, **values}
        script = block.group(1).replace("\\\\", "\\")
        for placeholder, value in values.items():
            script = script.replace("${" + placeholder + "}", value)
        self.assertNotIn("${", script)
        folder = module.replace("/", "-") + name + suffix
        self.shell(script, folder)
        return sorted(path.name for path in (self.directory / folder).iterdir())

    def check_module(self, module: str) -> str:
        """Whether main.nf and meta.yml name the same inputs and outputs; returns main.nf."""
        text, meta = self.text(f"{module}/main.nf"), self.text(f"{module}/meta.yml")
        head = text.split("output:")[0]
        inputs = re.findall(r"\b(?:val|path)\((\w+)\)", head)
        taken = meta.split("\ninput:\n")[1].split("\noutput:\n")[0]
        self.assertEqual(re.findall(r"^[ -]* (\w+):\n +type", taken, re.M), inputs)
        described = meta.split("\noutput:\n")[1].split("\ntopics:\n")[0]
        self.assertEqual(re.findall(r"^  (\w+):", described, re.M),
                         re.findall(r"emit: (\w+)", text))
        version = re.findall(r'eval\("(.*?)"\)', text)
        self.assertEqual(meta.count(f'"{version[0]}"'), 2)
        self.assertRegex(self.shell(version[0], "version"), r"^\d+\.\d+\.\d+\n$")
        test = self.text(f"{module}/tests/main.nf.test")
        process = re.findall(r"^process (\w+) ", text)[0]
        self.assertIn(f'process "{process}"', test)
        self.assertEqual("accord_" + module.rsplit("/", 1)[1], process.lower())
        self.assertIn(f'name: "{process.lower()}"', meta)
        return text

    def test_nextflow_align(self) -> None:
        """Script and stub make a file for each output; the alignment has the bytes."""
        module, text = "nf-core/accord/align", self.check_module("nf-core/accord/align")
        patterns = re.findall(r'path\("([^"]+)"\)', text)
        self.assertEqual(patterns, ["*.aln{.gz,}", "*.json"])
        compressed = self.write("family.fa.gz", "")
        compressed.write_bytes(gzip.compress(FAMILY.read_bytes()))
        for compress, family, tree in ((False, str(compressed), ""),
                                       (True, str(FAMILY), f"--tree {ROOT}/datasets/example.nwk")):
            suffix = ".gz" if compress else ""
            expected = ["family.aln" + suffix, "family.json"]
            for name in ("script", "stub"):
                made = self.run_block(module, name, compress, sequences=family, guide=tree)
                self.assertEqual(made, expected)
            for pattern in patterns:
                each = [pattern.replace("{.gz,}", end) for end in ("", ".gz")]
                self.assertTrue(any(fnmatch.fnmatch(m, one) for m in expected for one in each))
            folder = self.directory / (module.replace("/", "-") + "script" + suffix)
            data = (folder / expected[0]).read_bytes()
            self.assertEqual(gzip.decompress(data) if compress else data, ALIGNED.read_bytes())

    def test_nextflow_structures(self) -> None:
        """A list of structures and a folder of them give one alignment, of superposed chains."""
        module, folder = "nf-core/accord/align", ROOT / "tests" / "data" / "structures"
        files = [str(folder / name) for name in ("1a8o.pdb", "1orc.pdb")]
        copies = self.directory / "models"
        copies.mkdir()
        for name in files:
            (copies / Path(name).name).write_bytes(Path(name).read_bytes())
        made = []
        for sequences in (" ".join(files), str(copies)):
            self.run_block(module, "script", False, sequences=sequences, guide="")
            work = self.directory / (module.replace("/", "-") + "script")
            made.append((work / "family.aln").read_bytes())
            report = json.loads((work / "family.json").read_text(encoding="utf-8"))
            self.assertEqual(report["superposition"]["without_fit"], 1)  # of one pair
        self.assertEqual(made[0], made[1])
        self.assertEqual(made[0].count(b">"), 2)

    def test_nextflow_guidetree(self) -> None:
        """Script and stub make the tree, which is that of the example."""
        module, text = "nf-core/accord/guidetree", self.check_module("nf-core/accord/guidetree")
        self.assertEqual(re.findall(r'path\("([^"]+)"\)', text), ["*.dnd"])
        for name in ("script", "stub"):
            made = self.run_block(module, name, False, sequences=str(FAMILY))
            self.assertEqual(made, ["family.dnd"])
        tree = self.directory / (module.replace("/", "-") + "script") / "family.dnd"
        self.assertEqual(tree.read_bytes(), (ROOT / "datasets" / "example.nwk").read_bytes())


if __name__ == "__main__":
    unittest.main()
