"""Programs that call an aligner by name run their example twice, with accord under that name and
with the aligner itself; scripts/checks/callers.sh runs this. Each test prints the accuracy and the
time of both. A test without its caller is skipped; where the aligner is not installed, accord runs
alone."""
import os
import random
import re
import shutil
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SIMULATED = ROOT / "datasets" / "simulated"
CALLERS = Path(os.environ["ACCORD_CALLERS"]).resolve()
NAMES = CALLERS / "prefix" / "libexec" / "accord" / "names"
ACCORD = CALLERS / "prefix" / "bin" / "accord"
LIMIT = 300  # seconds of a run

Rows = dict[str, str]


def read_rows(path: Path) -> Rows:
    """The rows of a FASTA file by the first word of their headers, in upper case."""
    rows: Rows = {}
    name = ""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith(">"):
            name = line[1:].split()[0]
            rows[name] = ""
        else:
            rows[name] += line.strip().upper()
    return rows


def write_rows(path: Path, rows: Rows) -> None:
    """Writes a FASTA file."""
    text = "".join(f">{name}\n{letters}\n" for name, letters in rows.items())
    path.write_text(text, encoding="utf-8")


def degapped(rows: Rows) -> Rows:
    """The rows without gaps."""
    return {name: letters.replace("-", "") for name, letters in rows.items()}


class CallerTest(unittest.TestCase):
    """Runs a caller in a directory of its own."""

    def setUp(self) -> None:
        self.directory = Path(tempfile.mkdtemp(prefix="accord-"))
        self.addCleanup(shutil.rmtree, self.directory)

    def program_of(self, caller: str, name: str) -> Path:
        """A program of a caller's environment."""
        path = CALLERS / caller / "bin" / name
        if not path.is_file():
            self.skipTest(f"{caller} is not installed")
        return path

    def run_in(self, folder: Path, command: "list[str]", path: "Path | None" = None,
               shell: bool = False) -> float:
        """Runs a command with a directory at the front of PATH; returns the seconds it took."""
        places = [str(path)] if path else []
        if command[0].startswith("/"):
            places.append(str(Path(command[0]).parent))
        environment = {**os.environ, "PATH": ":".join([*places, "/usr/bin", "/bin"])}
        begin = time.monotonic()
        done = subprocess.run(" ".join(command) if shell else command, cwd=folder, env=environment,
                              capture_output=True, text=True, timeout=LIMIT, check=False,
                              shell=shell)
        said = done.stdout[-3000:] + done.stderr[-3000:]
        self.assertEqual(done.returncode, 0, f"{command}\n{said}")
        return time.monotonic() - begin

    def score(self, test: Path, reference: Path) -> "tuple[float, float]":
        """SP and TC of an alignment."""
        done = subprocess.run([ACCORD, "score", test, reference], capture_output=True, text=True,
                              check=True)
        fields = done.stdout.splitlines()[1].split("\t")
        return float(fields[0]), float(fields[1])

    def folders(self, aligner: str) -> "list[tuple[str, Path, Path | None]]":
        """What runs: its name, a folder for it, and what goes to the front of PATH."""
        runs: list[tuple[str, Path, Path | None]] = [("accord", self.directory / "accord", NAMES)]
        if Path("/usr/bin", aligner).is_file():
            runs.append((aligner, self.directory / aligner, None))
        for _, folder, _ in runs:
            folder.mkdir()
        return runs


def tell(caller: str, results: "dict[str, str]") -> None:
    """Prints what a test found."""
    print(f"\n{caller}: " + "; ".join(f"{name} {text}" for name, text in results.items()))


class AugurTest(CallerTest):
    """augur align of Nextstrain calls mafft."""

    def test_align(self) -> None:
        """Twelve sequences, two threads."""
        augur = self.program_of("augur", "augur")
        family, truth = SIMULATED / "dna_gaps_12.fa", SIMULATED / "dna_gaps_12.true.fa"
        results = {}
        for name, folder, path in self.folders("mafft"):
            seconds = self.run_in(folder, [str(augur), "align", "-s", str(family), "-o", "out.fa",
                                           "--nthreads", "2"], path)
            rows = read_rows(folder / "out.fa")
            self.assertEqual(degapped(rows), read_rows(family))
            scores = self.score(folder / "out.fa", truth)
            results[name] = f"SP {scores[0]:.3f} TC {scores[1]:.3f} {seconds:.1f} s"
            self.assertGreater(scores[0], 0.8)
        tell("augur align", results)

    def test_added_to_an_alignment_along_a_reference(self) -> None:
        """New sequences in an alignment that keeps its length, and insertions against one row."""
        augur = self.program_of("augur", "augur")
        family = read_rows(SIMULATED / "dna_gaps_12.fa")
        truth = read_rows(SIMULATED / "dna_gaps_12.true.fa")
        names = list(family)
        old, new = self.directory / "old.fa", self.directory / "new.fa"
        columns = [c for c in range(len(truth[names[0]]))
                   if any(truth[name][c] != "-" for name in names[:8])]
        write_rows(old, {name: "".join(truth[name][c] for c in columns) for name in names[:8]})
        write_rows(new, {name: family[name] for name in names[8:]})
        results = {}
        for name, folder, path in self.folders("mafft"):
            seconds = self.run_in(folder, [str(augur), "align", "-s", str(new),
                                           "--existing-alignment", str(old), "-o", "out.fa"], path)
            rows = read_rows(folder / "out.fa")
            self.assertEqual(set(rows), set(names))
            self.assertEqual({len(row) for row in rows.values()}, {len(columns)})
            self.assertEqual({n: rows[n] for n in names[:8]}, read_rows(old))
            same = sum(rows[n][k] == truth[n][c] for n in names[8:] for k, c in enumerate(columns))
            share = same / (len(columns) * len(names[8:]))
            results[name] = f"{share:.3f} of the letters where they belong, {seconds:.1f} s"
            self.run_in(folder, [str(augur), "align", "-s", str(SIMULATED / "dna_gaps_12.fa"),
                                 "--reference-name", names[0], "-o", "stripped.fa"], path)
            stripped = read_rows(folder / "stripped.fa")
            self.assertEqual(stripped[names[0]], family[names[0]])
        tell("augur align --existing-alignment", results)


class MagusTest(CallerTest):
    """MAGUS aligns subsets and backbones with mafft, a copy of which lies in it."""

    def test_magus(self) -> None:
        """24 proteins in subsets of eight."""
        magus = self.program_of("magus", "magus")
        found = list((CALLERS / "magus").glob("lib/python3*/site-packages/magus/tools/mafft/mafft"))
        self.assertEqual(len(found), 1, "where is its mafft?")
        theirs, kept = found[0], found[0].with_name("mafft.own")
        if not kept.exists():
            theirs.rename(kept)
        family, truth = SIMULATED / "close_24.fa", SIMULATED / "close_24.true.fa"
        results = {}
        for name, target in (("accord", NAMES / "mafft"), ("mafft", kept)):
            theirs.unlink(missing_ok=True)
            # A copy of mafft finds what it needs beside the file that is called.
            theirs.write_text(f'#!/bin/sh\nexec "{target}" "$@"\n', encoding="utf-8")
            theirs.chmod(0o755)
            folder = self.directory / name
            folder.mkdir()
            seconds = self.run_in(folder, [str(magus), "-i", str(family), "-o", "out.fa", "-d",
                                           "w", "-np", "2", "--maxsubsetsize", "8", "--recurse",
                                           "false"])
            rows = read_rows(folder / "out.fa")
            self.assertEqual(degapped(rows), read_rows(family))
            scores = self.score(folder / "out.fa", truth)
            results[name] = f"SP {scores[0]:.3f} TC {scores[1]:.3f} {seconds:.1f} s"
            self.assertGreater(scores[0], 0.8)
        tell("MAGUS", results)


class PhylophlanTest(CallerTest):
    """PhyloPhlAn aligns the markers of proteomes with mafft or muscle."""

    def family_of(self, seed: int, genomes: int) -> Rows:
        """Relatives as rows of a true alignment: a fifth of the letters differ, and some lack."""
        made = random.Random(seed)
        letters = "ACDEFGHIKLMNPQRSTVWY"
        root = made.choices(letters, k=180)
        rows = {}
        for genome in range(genomes):
            row = [made.choice(letters) if made.random() < 0.2 else letter for letter in root]
            first, count = made.randrange(30, 150), made.randrange(1, 6)
            row[first:first + count] = "-" * count
            rows[f"g{genome}"] = "".join(row)
        return rows

    def parts_of(self, family: Rows, found: Rows) -> Rows:
        """The rows of a true alignment of which a search found parts, with these parts alone."""
        parts = {}
        for name, part in found.items():
            row = family[name]
            places = [c for c, letter in enumerate(row) if letter != "-"]
            first = "".join(row[c] for c in places).find(part)
            self.assertGreaterEqual(first, 0, name)
            kept = set(places[first:first + len(part)])
            parts[name] = "".join(row[c] if c in kept else "-" for c in range(len(row)))
        return parts

    def test_markers(self) -> None:
        """Six proteomes with five markers, to a tree."""
        phylophlan = self.program_of("phylophlan", "phylophlan")
        for other in ("diamond", "fasttree"):
            if shutil.which(other) is None:
                self.skipTest(f"{other} is not installed")
        genomes, markers = 6, 5
        families = [self.family_of(seed, genomes) for seed in range(markers)]
        results = {}
        for name, folder, path in self.folders("mafft"):
            (folder / "in").mkdir()
            (folder / "markers").mkdir()
            for genome in range(genomes):
                write_rows(folder / "in" / f"g{genome}.faa",
                           {f"g{genome}_m{k}": degapped(rows)[f"g{genome}"]
                            for k, rows in enumerate(families)})
            write_rows(folder / "markers" / "markers.faa",
                       {f"markers_{k}": degapped(rows)["g0"] for k, rows in enumerate(families)})
            self.run_in(folder, [str(phylophlan.with_name("phylophlan_write_config_file")), "-o",
                                 "cfg", "-d", "a", "--db_aa", "diamond", "--map_aa", "diamond",
                                 "--msa", "mafft", "--tree1", "fasttree"], path)
            seconds = self.run_in(
                folder, [str(phylophlan), "-i", "in", "-d", "markers", "--databases_folder", ".",
                         "-f", "cfg", "--diversity", "low", "--fast", "-t", "a",
                         "--proteome_extension", ".faa", "-o", "out", "--output_folder", ".",
                         "--nproc", "2", "--min_num_markers", "1", "--min_num_proteins", "1",
                         "--min_len_protein", "10"], path)
            tree = (folder / "out" / "in.tre").read_text(encoding="utf-8")
            self.assertEqual(set(re.findall(r"g\d", tree)), {f"g{g}" for g in range(genomes)})
            made = sorted((folder / "out" / "tmp" / "msas").glob("*.aln"))
            self.assertEqual(len(made), markers)
            scores = []
            for aligned in made:
                rows = read_rows(aligned)
                self.assertGreaterEqual(len(rows), 4)
                truth = folder / f"true{aligned.stem}.fa"
                write_rows(truth, self.parts_of(families[int(aligned.stem)], degapped(rows)))
                scores.append(self.score(aligned, truth)[0])
            results[name] = f"SP {sum(scores) / len(scores):.3f} {seconds:.1f} s"
        tell("PhyloPhlAn", results)


QIIME = """
import sys, skbio
kind = skbio.DNA if sys.argv[1] == "dna" else skbio.Protein
rows = skbio.TabularMSA.read(sys.argv[2], format="fasta", constructor=kind)
print(*(row.metadata["id"] for row in rows))
"""


class LinesTest(CallerTest):
    """The lines that QIIME 2 (q2-alignment) and OrthoFinder run, and how QIIME 2 reads the result:
    with scikit-bio, rows in the order of the input."""

    def ids_of(self, kind: str, path: Path) -> "list[str]":
        """The rows as scikit-bio reads them."""
        python = self.program_of("skbio", "python")
        done = subprocess.run([python, "-c", QIIME, kind, path], capture_output=True, text=True,
                              check=True)
        return done.stdout.split()

    def test_qiime(self) -> None:
        """qiime alignment mafft, and mafft-add."""
        family = SIMULATED / "dna_gaps_12.fa"
        rows = read_rows(family)
        names = list(rows)
        old, new = self.directory / "old.fa", self.directory / "new.fa"
        write_rows(new, {name: rows[name] for name in names[8:]})
        write_rows(old, {name: rows[name] for name in names[:8]})
        results = {}
        for name, folder, path in self.folders("mafft"):
            line = ["mafft", "--preservecase", "--inputorder", "--thread", "2"]
            seconds = self.run_in(folder, [*line, str(family), ">", "out.fa"], path, shell=True)
            self.assertEqual(self.ids_of("dna", folder / "out.fa"), names)
            self.run_in(folder, [*line, "--parttree", str(old), ">", "old.aln"], path, shell=True)
            self.run_in(folder, [*line, "--keeplength", "--addfragments", str(new), "old.aln", ">",
                                 "added.fa"], path, shell=True)
            self.assertEqual(self.ids_of("dna", folder / "added.fa"), names)
            scores = self.score(folder / "out.fa", SIMULATED / "dna_gaps_12.true.fa")
            results[name] = f"SP {scores[0]:.3f} TC {scores[1]:.3f} {seconds:.1f} s"
        tell("QIIME 2", results)

    def test_orthofinder(self) -> None:
        """The lines of its config.json."""
        family = SIMULATED / "moderate_12.fa"
        names = list(read_rows(family))
        results = {}
        for name, folder, path in self.folders("mafft"):
            seconds = self.run_in(folder, ["mafft", "--anysymbol", "--memsave", str(family), ">",
                                           "out.fa"], path, shell=True)
            self.assertEqual(self.ids_of("protein", folder / "out.fa"), names)
            scores = self.score(folder / "out.fa", SIMULATED / "moderate_12.true.fa")
            results[name] = f"SP {scores[0]:.3f} TC {scores[1]:.3f} {seconds:.1f} s"
        folder = self.directory / "accord"
        self.run_in(folder, ["muscle", "-in", str(family), "-out", "muscle.fa"], NAMES)
        self.assertEqual(set(self.ids_of("protein", folder / "muscle.fa")), set(names))
        tell("OrthoFinder", results)


if __name__ == "__main__":
    unittest.main()
