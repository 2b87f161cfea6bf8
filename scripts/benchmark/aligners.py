"""The table of aligners: a name, a command, how to ask for the version, who packages it.

In a command {program} is the program found, {in} and {out} the files, {threads} a number. Every run
has a directory of its own as working and home directory, so that programs which leave files about
leave them there.
"""
import hashlib
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple, Optional

from .errors import BenchmarkError


class Aligner(NamedTuple):
    """A program in one of its modes; `nucleotide` is its command for DNA and RNA, if another."""

    name: str
    programs: tuple[str, ...]  # the first one found that has a fitting version is used
    command: str
    version_command: str
    package: str  # of the distribution; "" if it has none
    version_pattern: str = r"(\d+(?:\.\d+)+)"
    nucleotide: Optional[str] = None  # "" if it cannot align nucleotides
    on_request: bool = False  # run only if named: takes hours on an ordinary benchmark


class Installed(NamedTuple):
    """An aligner that is there."""

    name: str
    program: str
    version: str
    command: str
    nucleotide: Optional[str]
    on_request: bool = False

    def command_for(self, kind: str) -> str:
        """The command template for a family of this kind; "" if it cannot align it."""
        return self.nucleotide if kind == "nucleotide" and self.nucleotide is not None \
            else self.command


_MAFFT = "{program} --quiet --anysymbol --thread {threads} "
_T_COFFEE = ("export DIR_4_TCOFFEE=$PWD/tc TMP_4_TCOFFEE=$PWD/tc CACHE_4_TCOFFEE=$PWD/tc "
             "LOCKDIR_4_TCOFFEE=$PWD/tc; {program} -seq {in} -outfile {out} -output fasta_aln "
             "-n_core {threads} -quiet")
_PROBCONS_VERSION = r"(?i)version\s+(\d+(?:\.\d+)+)"


# A core of 500 sequences with G-INS-i, to which the others are added.
_SPARSECORE = ("ruby {program} -i {in} -o i -C '--globalpair --maxiterate 100 --anysymbol "
               "--thread {threads}' -A '--anysymbol --thread {threads}' > {out}")
_PYFAMSA = shlex.quote(str(Path(__file__).resolve().with_name("run_pyfamsa.py")))


def _mafft(name: str, options: str, on_request: bool = False) -> Aligner:
    return Aligner(name, ("mafft",), f"{_MAFFT}{options} {{in}} > {{out}}", "{program} --version",
                   "mafft", on_request=on_request)


# Modes of accord that run on request, by name.
ACCORD_MODES = {"accord-local": "--mode local", "accord-motifs": "--mode motifs"}

TABLE: tuple[Aligner, ...] = (
    _mafft("mafft", ""),
    _mafft("mafft-auto", "--auto"),
    _mafft("mafft-linsi", "--localpair --maxiterate 1000"),
    _mafft("mafft-ginsi", "--globalpair --maxiterate 1000"),
    _mafft("mafft-einsi", "--ep 0 --genafpair --maxiterate 1000"),
    _mafft("mafft-parttree", "--retree 2 --parttree", on_request=True),
    Aligner("mafft-sparsecore",
            ("mafft-sparsecore.rb", "/usr/lib/mafft/bin/mafft-sparsecore.rb"), _SPARSECORE,
            "ruby --version && mafft --version", "ruby", r"v(\d+(?:\.\d+)+)", on_request=True),
    Aligner("muscle5", ("muscle", "muscle5"),
            "{program} -align {in} -output {out} -threads {threads} -quiet", "{program} -version",
            "muscle", r"\b(5\.\d+)"),
    Aligner("muscle5-super5", ("muscle", "muscle5"),
            "{program} -super5 {in} -output {out} -threads {threads} -quiet", "{program} -version",
            "muscle", r"\b(5\.\d+)", on_request=True),
    Aligner("muscle3", ("muscle3", "muscle"), "{program} -in {in} -out {out} -quiet",
            "{program} -version", "muscle3", r"\bv(3\.[\d.]+)"),
    Aligner("clustalo", ("clustalo",), "{program} -i {in} -o {out} --threads {threads} --force",
            "{program} --version", "clustalo"),
    Aligner("clustalw", ("clustalw", "clustalw2"),
            "{program} -INFILE={in} -OUTFILE={out} -OUTPUT=FASTA -QUIET", "{program} -help",
            "clustalw", r"CLUSTAL (\d+(?:\.\d+)+)"),
    Aligner("kalign", ("kalign",), "{program} -n {threads} -i {in} -o {out}",
            "{program} --version", "kalign"),
    Aligner("probcons", ("probcons",), "{program} {in} > {out}", "{program}", "probcons",
            _PROBCONS_VERSION, "probcons-RNA {in} > {out}"),
    Aligner("probalign", ("probalign",), "{program} {in} > {out}", "{program}", "probalign",
            _PROBCONS_VERSION, "{program} -nuc {in} > {out}"),
    Aligner("t_coffee", ("t_coffee",), _T_COFFEE, "{program} -version", "t-coffee",
            r"Version_(\d+(?:\.\d+)+)"),
    Aligner("famsa", ("famsa",), "{program} -t {threads} {in} {out}", "{program} -help", "",
            nucleotide=""),
    Aligner("pyfamsa", ("python3",), f"{{program}} {_PYFAMSA} {{in}} {{out}} {{threads}}",
            "{program} -c 'import pyfamsa; print(\"pyfamsa\", pyfamsa.__version__)'", "",
            r"pyfamsa (\d+(?:\.\d+)+)", nucleotide="", on_request=True),
    Aligner("magus", ("magus",),
            "{program} -d parts -i {in} -o {out} -np {threads} > log", "{program} --version", "",
            on_request=True),
    Aligner("prank", ("prank",), "{program} -d={in} -o={out} -quiet && mv {out}.best.fas {out}",
            "{program} -version", "prank", r"v\.?(\d+)", on_request=True),
    Aligner("quickprobs", ("quickprobs",), "{program} -t {threads} -o {out} {in}", "{program}", "",
            nucleotide=""),
    Aligner("msaprobs", ("msaprobs",), "{program} -num_threads {threads} -o {out} {in}",
            "{program} -version", "", nucleotide=""),
)


def ask(command: str, program: str) -> str:
    """What a program says, on either stream; "" if it says nothing within 20 s."""
    try:
        done = subprocess.run(["bash", "-c", command.replace("{program}", shlex.quote(program))],
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=20, check=False)
    except subprocess.TimeoutExpired:
        return ""
    return done.stdout.decode("latin-1")


def find(aligner: Aligner) -> Optional[Installed]:
    """The aligner as it is installed here, or None."""
    for name in aligner.programs:
        program = shutil.which(name)
        if not program:
            continue
        version = re.search(aligner.version_pattern, ask(aligner.version_command, program))
        if version:
            return Installed(aligner.name, program, version.group(1), aligner.command,
                             aligner.nucleotide, aligner.on_request)
    return None


def accord(program: str, name: str = "accord", options: str = "--device none",
           on_request: bool = False) -> Installed:
    """accord with these options. Its version has eight digits of the program's checksum, so that
    two builds are not taken for one."""
    found = shutil.which(program)
    if not found:
        raise BenchmarkError(f"cannot run {program}", "build it (scripts/align.sh does), or name "
                             "it with --accord")
    version = re.search(r"accord (\S+)", ask("{program} --version", found))
    if not version:
        raise BenchmarkError(f"{found} does not say that it is accord", "name accord with --accord")
    with open(found, "rb") as file:
        build = hashlib.sha256(file.read()).hexdigest()[:8]
    threads = "" if re.search(r"(^|\s)(-j|--threads)", options) else " -j {threads}"
    command = f"{{program}} {{in}} -o {{out}} -q {options}{threads}"
    return Installed(name, found, f"{version.group(1)}+{build}", command, None, on_request)


def accord_on_devices(program: str) -> dict[str, str]:
    """Names of accord on its devices, and the options for each."""
    modes = {"accord": "--device none"}
    for device in re.findall(r"\b((?:gpu|cpu)\d+)\b", ask("{program} devices", program)):
        modes.setdefault(f"accord-{device}", f"--device {device}")
    return modes


def given(text: str) -> Installed:
    """An aligner of the user's own, from NAME=COMMAND."""
    name, found, command = text.partition("=")
    if not found or "{in}" not in command or "{out}" not in command:
        raise BenchmarkError(f"--with {text}: not NAME=COMMAND with {{in}} and {{out}} in it",
                             "as in --with 'mine=mine --fast {in} > {out}'")
    return Installed(name.strip(), "", "-", command, None)


def absent(names: Iterable[str]) -> list[tuple[str, str]]:
    """(name, package) of the aligners of the table that are not among `names`."""
    known = set(names)
    return [(a.name, f"package {a.package}" if a.package else "not packaged by Debian")
            for a in TABLE if a.name not in known]


def packages() -> list[str]:
    """The distribution's packages of all aligners."""
    return sorted({a.package for a in TABLE if a.package})
