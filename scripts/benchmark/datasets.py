"""Finds the families of a directory by its layout, whatever it is called.

BAliBASE release   RVnn/NAME.tfa beside NAME.xml (core blocks) or NAME.msf
pair of directories    in/NAME and ref/NAME; without ref/NAME a family is only timed
simulated          NAME.fa beside NAME.true.fa, at any depth
plain              *.fa *.fasta *.tfa (.gz): only timed
"""
import gzip
import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple, Optional

from .errors import BenchmarkError

NUCLEOTIDES = frozenset("ACGTUNRYSWKMBDHV")
PLAIN_SUFFIXES = (".fa", ".fasta", ".tfa", ".fa.gz", ".fasta.gz", ".tfa.gz")
TRUTH = ".true.fa"


class Family(NamedTuple):
    """One input, and the reference to score it with if there is one."""

    dataset: str
    group: str  # the subset that gets a column of its own: RV11, ...
    name: str
    path: Path
    reference: Optional[Path]

    def label(self) -> str:
        """How messages call it."""
        return f"{self.dataset}/{self.group}/{self.name}"


class Facts(NamedTuple):
    """What a family's files say."""

    checksum: str  # of the input and the reference, 16 hexadecimal digits
    sequences: int
    longest: int  # residues
    letters: int  # of all sequences
    kind: str  # protein or nucleotide


def _open(path: Path) -> bytes:
    data = path.read_bytes()
    return gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data


def read_fasta(path: Path) -> list[tuple[str, str]]:
    """(header line, letters) of each record."""
    records: list[tuple[str, list[str]]] = []
    for line in _open(path).decode("latin-1").splitlines():
        if line.startswith(">"):
            records.append((line, []))
        elif records:
            records[-1][1].append(line.strip())
    return [(name, "".join(parts)) for name, parts in records]


def facts(family: Family) -> Facts:
    """Reads the family's files."""
    digest = hashlib.sha256(family.path.read_bytes())
    if family.reference:
        digest.update(b"\0" + family.reference.read_bytes())
    letters = ["".join(c for c in text if c.isalpha()).upper()
               for _, text in read_fasta(family.path)]
    total = sum(len(text) for text in letters)
    plain = sum(text.count(c) for text in letters for c in "ACGTUN")
    allowed = all(set(text) <= NUCLEOTIDES for text in letters)
    kind = "nucleotide" if total and allowed and plain >= 0.9 * total else "protein"
    return Facts(digest.hexdigest()[:16], len(letters), max(map(len, letters), default=0),
                 total, kind)


def _plain_name(path: Path) -> str:
    for suffix in sorted(PLAIN_SUFFIXES, key=len, reverse=True):
        if path.name.endswith(suffix):
            return path.name[:-len(suffix)]
    return path.name


def _balibase(directory: Path, name: str, subset: str) -> list[Family]:
    families = []
    for path in sorted(directory.glob("RV*/*.tfa")):
        if subset != "all" and (subset == "bbs") != path.name.startswith("BBS"):
            continue
        references = [path.with_suffix(s) for s in (".xml", ".msf")]
        families.append(Family(name, path.parent.name, path.stem, path,
                               next((r for r in references if r.exists()), None)))
    return families


def _pair(directory: Path, name: str) -> list[Family]:
    inputs = sorted(path for path in (directory / "in").iterdir() if path.is_file())
    references = [directory / "ref" / path.name for path in inputs]
    return [Family(name, name, path.name, path, ref if ref.exists() else None)
            for path, ref in zip(inputs, references)]


def _simulated(directory: Path, name: str) -> list[Family]:
    families = []
    for truth in sorted(directory.rglob("*" + TRUTH)):
        path = truth.with_name(truth.name[:-len(TRUTH)] + ".fa")
        if path.exists():
            group = name if truth.parent == directory else str(truth.parent.relative_to(directory))
            families.append(Family(name, group, path.stem, path, truth))
    return families


def _plain(directory: Path, name: str) -> list[Family]:
    return [Family(name, name, _plain_name(path), path, None)
            for path in sorted(directory.iterdir()) if path.name.endswith(PLAIN_SUFFIXES)]


def find_families(directory: Path, subset: str = "full") -> list[Family]:
    """All families of a directory, in the order of their names. `subset` is for BAliBASE: full
    (BBnnnnn), bbs (BBSnnnnn, homologous regions) or all."""
    if not directory.is_dir():
        raise BenchmarkError(f"{directory} is not a directory", "name a directory of families")
    name = directory.resolve().name
    if (directory / "in").is_dir():
        return _pair(directory, name)
    return (_balibase(directory, name, subset) or _simulated(directory, name)
            or _plain(directory, name))


def sample(families: list[Family], size: int) -> list[Family]:
    """At most `size` families, spread evenly over their order, so over the groups too."""
    if size <= 0 or size >= len(families):
        return families
    return [families[i * len(families) // size] for i in range(size)]


def smaller(families: Iterable[Family], letters: int) -> list[Family]:
    """The families with at most `letters` letters together; 0 is no limit."""
    return [f for f in families if letters <= 0 or facts(f).letters <= letters]


def matching(families: Iterable[Family], pattern: str) -> list[Family]:
    """The families whose GROUP/NAME fits the pattern, as in 'RV11/*'."""
    return [f for f in families if Path(f.group, f.name).match(pattern)]
