# SPDX-License-Identifier: Apache-2.0
"""Functions of given alignments."""
import os
from typing import TYPE_CHECKING, NamedTuple, Optional, Union

import numpy as np
import numpy.typing as npt

from . import _accord
from ._alignment import Alignment
from ._device import AnyDevice
from ._errors import text_of
from ._options import OptionValue, Progress, options_of, takes
from ._records import encoded, is_path, pairs, rows_of, sequences_of, warn_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ._records import Files, Pairs, Path, Records, Rows


class Score(NamedTuple):
    """How far an alignment agrees with a reference: the part of the reference's aligned pairs, and
    the part of its columns, that it has."""

    sum_of_pairs: float
    total_column: float


def _reference_of(alignment: "Rows") -> "tuple[Pairs, Sequence[bool]]":
    """Rows, and which columns are scored; all, if there is no word on that."""
    if is_path(alignment):
        return _accord.read_reference(os.fsencode(alignment))  # type: ignore[arg-type]
    return pairs(alignment), []


def score(alignment: "Rows", reference: "Rows") -> Score:
    """SP and TC of an alignment over the columns of a reference, which may have fewer rows.

    All columns of the reference count; of a file those that `accord score` scores: upper-case
    columns of FASTA, the core blocks of BAliBASE's XML. Rows are matched by the first words of
    their names. Rows of different length, names or residues are an InputError.
    """
    rows, noticed = rows_of(alignment)
    warn_of(noticed)
    return Score(*_accord.score(rows, *_reference_of(reference)))


class Agreement(NamedTuple):
    """How far other alignments agree with one: shares of pairs of residues, in [0, 1], NaN where
    there is no pair or a column is not scored."""

    columns: "npt.NDArray[np.float32]"
    """[column], the mean over the others"""
    columns_by_other: "npt.NDArray[np.float32]"
    """[alignment, column], of each of the others"""
    residues: "npt.NDArray[np.float32]"
    """[row, column], the mean over the others; NaN in gaps"""
    mean: float
    """of all pairs"""
    table: str
    """what `accord compare` prints; the others have numbers for names"""


def compare(alignment: "Rows", *others: "Rows") -> Agreement:
    """Where other alignments of the same sequences agree with one, as `accord compare` has it.

    All are taken as score() takes an alignment, the first as it takes a reference. Rows are matched
    by the first words of their names; rows that differ in name or residues are an InputError.
    """
    shown, core = _reference_of(alignment)
    rest = []
    for other in others:
        rows, noticed = rows_of(other)
        warn_of(noticed)
        rest.append(rows)
    made = _accord.compare(shown, core, rest)
    columns = np.array(made.columns, np.float32)
    return Agreement(columns, np.array(made.columns_by_other, np.float32),
                     np.array(made.residues, np.float32).reshape(len(shown), len(columns)),
                     made.mean, text_of(made.table))


class VerifyCheck(NamedTuple):
    """One comparison of verify(): its name, whether both sides are equal, and what was compared or
    the first difference."""

    name: str
    equal: bool
    detail: str


class Verification(NamedTuple):
    """The result of verify(); true if the alignment is verified."""

    checks: list[VerifyCheck]
    difference: str
    """the first difference; empty if there is none"""

    def __bool__(self) -> bool:
        return not self.difference


@takes("track", "method", "models")
def verify(inputs: "Union[Path, Iterable[Path]]", alignment: "Path",
           report: "Optional[Path]" = None, *, again: bool = False, device: AnyDevice = "none",
           threads: int = 0, memory: int = 0, progress: Optional[Progress] = None,
           **options: OptionValue) -> Verification:
    """Whether the alignment in a file is the one that accord makes of sequences in other files, as
    `accord verify` has it.

    inputs     the path of the sequences, or the paths of several files of one family
    alignment  the path of the alignment
    report     the path of the report that `accord align --report` wrote; without it only `again`
               verifies
    again      align the sequences once more, and compare the rows

    An option of the method stands in place of the recorded one. A report does not contain the
    files of a guide tree and of tracks, which `tree`, `track` and `track_matrix` name:

    {options}

    The other arguments, and errors, are those of align(). A report that is damaged is an
    InputError.
    """
    # pylint: disable=too-many-arguments
    paths = [inputs] if is_path(inputs) else list(inputs)  # type: ignore[arg-type,list-item]
    made = _accord.verify(
        [os.fsencode(path) for path in paths], os.fsencode(alignment),
        os.fsencode(report) if report is not None else b"", again,
        options_of(options, device=device, threads=threads, memory=memory), progress)
    warn_of(made.warnings)
    return Verification([VerifyCheck(name, equal, text_of(detail))
                         for name, equal, detail in made.checks], text_of(made.difference))


@takes("models")
def confidence(alignment: "Rows", *, type: str = "auto", device: AnyDevice = "none",
               threads: int = 0, memory: int = 0, progress: Optional[Progress] = None,
               **options: OptionValue) -> Alignment:
    """How sure an alignment is, whichever program made it, as `accord confidence` has it.

    alignment   rows of names and letters, all of one length, gaps as `-` or `.`: as align() takes
                records, an Alignment, or an alignment of Biopython or scikit-bio

    The result is the alignment, without columns of gaps alone, with `column_confidence`,
    `residue_confidence` and `mean_confidence`. The other arguments, and errors, are those of
    align().
    """
    # pylint: disable=redefined-builtin,too-many-arguments
    rows, noticed = rows_of(alignment)
    warn_of(noticed)
    made = _accord.confidence(rows, options_of(options, type=type, device=device, threads=threads,
                                               memory=memory), progress)
    warn_of(made.warnings)
    return Alignment(made)


class StructurePair(NamedTuple):
    """How two structures of an alignment lie upon each other, by their aligned residues: their
    names, the aligned pairs of residues with known CAs (0: fewer than three), the TM-scores by the
    length of x and of y, and the RMSD in Å."""

    x: str
    y: str
    aligned: int
    tm_x: float
    tm_y: float
    rmsd: float


class StructureFigures(NamedTuple):
    """What structures say of an alignment: the lDDT of it, of its columns and of its residues
    ([row, column]), NaN where nothing is compared; the pairs of structures, and all structures in
    one frame, as a text, if they were asked for."""

    lddt: float
    column_lddt: "npt.NDArray[np.float32]"
    residue_lddt: "npt.NDArray[np.float32]"
    tm_scores: list[StructurePair]
    superposed: str


def structure_figures(alignment: "Rows", structures: "Files", *, tm_scores: bool = False,
                      superposed: str = "", threads: int = 0) -> StructureFigures:
    """Judges an alignment, whichever program made it, by the structures of its rows.

    alignment   as confidence() takes it
    structures  the path of a file (PDB or mmCIF) or of a folder, or several paths; a row has the
                structure whose file has its name
    tm_scores   also superpose all pairs
    superposed  "pdb" or "mmcif": also write all structures, superposed onto the one with the
                highest mean TM-score, as --superposed of the program does
    threads     of the processor; 0: as many as this process may use

    Errors are those of align(), and accord.InputError for a structure with other residues than its
    row.
    """
    rows, noticed = rows_of(alignment)
    warn_of(noticed)
    paths = [structures] if is_path(structures) else list(structures)  # type: ignore
    made = _accord.structure_figures(rows, [os.fsencode(path) for path in paths], tm_scores,
                                     superposed, options_of({}, threads=threads))
    warn_of(made.warnings)
    pairs = [StructurePair(text_of(x), text_of(y), *values) for x, y, *values in made.tm_scores]
    return StructureFigures(made.mean_lddt, np.array(made.column_lddt),
                            np.array(made.residue_lddt), pairs, text_of(made.superposed))


class Trimmed(Alignment):
    """An alignment without some of its rows and columns."""

    def __init__(self, made: _accord.Trimmed) -> None:
        super().__init__(made.alignment)
        self._trimmed = made

    @property
    def fates(self) -> list[str]:
        """For each column of the input "kept", or why not: "not selected", "no residue", "gaps",
        "confidence", "consistency" or "codon"."""
        return list(self._trimmed.fates)

    @property
    def kept(self) -> "npt.NDArray[np.bool_]":
        """Whether each column before is kept."""
        return np.array([fate == "kept" for fate in self._trimmed.fates], bool)

    @property
    def rows_left_out(self) -> list[tuple[str, float]]:
        """The names of the rows that went, with their share of gaps."""
        return [(text_of(name), gaps) for name, gaps in self._trimmed.rows]

    @property
    def complement(self) -> Alignment:
        """The columns that went."""
        return Alignment(self._trimmed.complement)

    @property
    def map(self) -> str:
        """The table of --map of the program: the number of each column before and after."""
        return text_of(self._trimmed.map)

    @property
    def left_out(self) -> str:
        """The table of --left-out of the program: rows and ranges of columns that went, and why."""
        return text_of(self._trimmed.left_out)


@takes("models")
def trim(alignment: "Rows", *, columns: str = "", by_row: "Union[str, bytes]" = "",
         max_row_gaps: Optional[float] = None, max_gaps: Optional[float] = None,
         min_confidence: Optional[float] = None, min_consistency: Optional[float] = None,
         among: "Iterable[Rows]" = (), ends: bool = False, codons: bool = False,
         mask: Optional[float] = None, keep_names: bool = False, confidence: bool = False,
         type: str = "auto", device: AnyDevice = "none", threads: int = 0,
         memory: int = 0, progress: Optional[Progress] = None, **options: OptionValue) -> Trimmed:
    """An alignment without gappy or uncertain columns, as `accord trim` makes it.

    alignment        as confidence() takes it
    columns          keep only these columns, numbered from 1: "5-90,120-"
    by_row           keep only the columns in which this row has a residue: a name, or "first"
    max_row_gaps     leave out rows with a gap in a larger share of these columns
    max_gaps         leave out columns in which a larger share of the rows has a gap; 0.9 if nothing
                     else decides, else 1
    min_confidence   leave out columns of less confidence, and those of a single residue
    min_consistency  leave out columns if the alignments of `among` have a smaller share of their
                     pairs
    among            other alignments of these sequences
    ends             leave out columns at the two ends alone
    codons           three columns are a codon, which stays or goes as a whole
    mask             write residues of less confidence in lower case, all others in upper case
    keep_names       leave numbers in names such as NAME/12-80 as they are
    confidence       the result has its confidence; it does anyway if that decides something

    Shares are in [0, 1]. The other arguments are those of align(). A column or row that is not
    there, and an alignment without a row left, are an InputError.
    """
    # pylint: disable=redefined-builtin,redefined-outer-name,too-many-arguments,too-many-locals
    rows, noticed = rows_of(alignment)
    warn_of(noticed)
    others = []
    for other in among:
        read, noticed = rows_of(other)
        warn_of(noticed)
        others.append(read)
    wanted = _accord.TrimOptions(columns, encoded(by_row), max_row_gaps, max_gaps, min_confidence,
                                 min_consistency, mask, others, ends, codons, keep_names)
    settings = options_of(options, type=type, device=device, threads=threads, confidence=confidence,
                         memory=memory)
    made = _accord.trim(rows, wanted, settings, progress)
    warn_of(made.alignment.warnings)
    return Trimmed(made)


class ResiduesLeftOut(NamedTuple):
    """Residues of a sequence that stand in no column of an alignment that it was added to: the
    first and the last, from 1, and their letters."""

    name: str
    first: int
    last: int
    letters: str


class Added(Alignment):
    """An alignment with sequences that were added to it."""

    def __init__(self, made: _accord.Aligned,
                 left_out: "Iterable[tuple[bytes, int, int, bytes]]") -> None:
        super().__init__(made)
        self._left_out = [ResiduesLeftOut(text_of(name), first + 1, last + 1, text_of(letters))
                          for name, first, last, letters in left_out]

    @property
    def left_out(self) -> list[ResiduesLeftOut]:
        """The residues that have no column, with `keep_columns`: what --left-out of the program
        writes."""
        return list(self._left_out)


@takes("track", "models")
def add(alignment: "Rows", records: "Records", *, keep_columns: bool = False,
        adjust_direction: bool = False, confidence: bool = False, type: str = "auto",
        device: AnyDevice = "none", threads: int = 0,
        memory: int = 0, progress: Optional[Progress] = None, **options: OptionValue) -> Added:
    """Adds sequences or fragments to an alignment, as `accord add` does.

    alignment         as confidence() takes it; its rows stay as they are, and keep their columns
    records           the sequences, as align() takes them, whose rows follow
    keep_columns      no new columns: residues that fit no column are left out, see Added.left_out
    adjust_direction  turn nucleotides among the records round that read backwards
    confidence        of the pairs of a new sequence with the rows that it was aligned with
    track             the tracks of the rows and of the new sequences

    The other arguments are those of align(). A name that occurs twice, and rows of different
    length, are an InputError.
    """
    # pylint: disable=redefined-builtin,redefined-outer-name,too-many-arguments
    rows, noticed = rows_of(alignment)
    more, also = sequences_of(records)
    warn_of([*noticed, *also])
    settings = options_of(options, type=type, device=device, threads=threads, confidence=confidence,
                         memory=memory, adjust_direction=adjust_direction)
    made, left_out = _accord.add(rows, more, keep_columns, settings, progress)
    warn_of(made.warnings)
    return Added(made, left_out)


@takes("track", "models")
def merge(alignments: "Iterable[Rows]", *, confidence: bool = False, type: str = "auto",
          device: AnyDevice = "none", threads: int = 0,
          memory: int = 0, progress: Optional[Progress] = None,
          **options: OptionValue) -> Alignment:
    """Merges alignments whose rows are related into one, as `accord merge` does.

    alignments  two or more, each as confidence() takes one; each stays as it is, but for columns of
                gaps
    confidence  of pairs of rows of different alignments

    The other arguments, and errors, are those of add().
    """
    # pylint: disable=redefined-builtin,redefined-outer-name,too-many-arguments
    given = []
    for alignment in alignments:
        rows, noticed = rows_of(alignment)
        warn_of(noticed)
        given.append(rows)
    settings = options_of(options, type=type, device=device, threads=threads, confidence=confidence,
                         memory=memory)
    made = _accord.merge(given, settings, progress)
    warn_of(made.warnings)
    return Alignment(made)


class Codons(Alignment):
    """An alignment of codons: three columns for each of the proteins."""

    def __init__(self, made: _accord.Aligned, protein: _accord.Aligned) -> None:
        super().__init__(made)
        self._protein = Alignment(protein)

    @property
    def protein(self) -> Optional[Alignment]:
        """The alignment of the proteins that was made; None if one was given."""
        return self._protein if len(self._protein) > 0 else None


@takes("models", "method")
def codon(records: "Records", *, protein: "Optional[Rows]" = None, code: Optional[int] = None,
          frame: "Union[str, int]" = "", frameshifts: bool = False, stops: str = "",
          confidence: bool = False, adjust_direction: bool = False, type: str = "auto",
          device: AnyDevice = "none", threads: int = 0,
          memory: int = 0, progress: Optional[Progress] = None, **options: OptionValue) -> Codons:
    """Aligns coding DNA or RNA through its translation, as `accord codon` does.

    records      the coding sequences, as align() takes them; of GenBank and EMBL files the CDS
    protein      an alignment of their proteins, as confidence() takes one: the sequences are
                 threaded through it; rows have the names of the genes
    code         the number of the genetic code; else what a name says as [transl_table=4], or 1
    frame        the base that whole codons begin with, 1, 2 or 3, or "auto": that of each sequence
                 with the fewest stops inside; else what a name says as [frame=2], or 1
    frameshifts  find frameshifts by the closest sequences without stops inside, and mark them with
                 `!` in place of the bases that a codon lacks
    stops        "keep" or "drop" the stop codons at the ends; else they are kept, or as `protein`
                 has them

    The other arguments are those of align(). Warnings tell of stops inside, of frameshifts, and of
    residues that are not those of their codons. Proteins, and genes that do not code for their row
    of `protein`, are an InputError.
    """
    # pylint: disable=redefined-builtin,redefined-outer-name,too-many-arguments,too-many-locals
    genes, noticed = sequences_of(records, coding=True)
    rows, also = rows_of(protein) if protein is not None else ([], [])
    warn_of([*noticed, *also])
    settings = options_of(options, type=type, device=device, threads=threads, confidence=confidence,
                         memory=memory, adjust_direction=adjust_direction)
    made, proteins = _accord.codon(genes, code, str(frame), frameshifts, stops, rows, settings,
                                   progress)
    warn_of(made.warnings)
    return Codons(made, proteins)
