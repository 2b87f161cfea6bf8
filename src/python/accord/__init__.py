# SPDX-License-Identifier: Apache-2.0
"""accord aligns families of protein, RNA or DNA sequences.

    import accord
    alignment = accord.align([("a", "MKVLAAGIVGLP"), ("b", "MKVLAGIVGP")])
    print(alignment.format("clustal"))

The alignments have the bytes of the program's, on every device and for any number of threads.
"""
import os
import warnings
from collections.abc import Iterable, Mapping
from typing import (
    TYPE_CHECKING,
    Callable,
    NamedTuple,
    Optional,
    Union,
)

import numpy as np
import numpy.typing as npt

from . import _accord
from ._alignment import Alignment
from ._errors import (
    AccordWarning,
    DeviceError,
    Error,
    FileError,
    InputError,
    OutOfMemoryError,
    text_of,
)

if TYPE_CHECKING:
    from Bio.SeqRecord import SeqRecord

    Record = Union[tuple[str, str], SeqRecord]
    Records = Union[str, "os.PathLike[str]", Mapping[str, str], Iterable[Record]]

__version__: str = _accord.version()
__all__ = ["AccordWarning", "Alignment", "DeviceError", "Error", "FileError", "InputError",
           "OutOfMemoryError", "Posteriors", "Score", "align", "posteriors", "score", "tree"]

Progress = Callable[[str, float], object]


class Posteriors(NamedTuple):
    """The posterior probabilities of a pair: residues of x and y, from 0, and how probable it is
    that they are aligned. The residues of a cell that is not listed are nearly certainly not
    aligned."""

    i: "npt.NDArray[np.uint32]"
    j: "npt.NDArray[np.uint32]"
    probability: "npt.NDArray[np.float32]"


class Score(NamedTuple):
    """How far an alignment agrees with a reference: the part of the reference's aligned pairs, and
    the part of its columns, that it has."""

    sum_of_pairs: float
    total_column: float


def _header(record: "SeqRecord") -> str:
    """The name of a record with what stands behind it in a file, as far as there is more."""
    name, description = str(record.id), str(record.description or "")
    if not description or description == "<unknown description>":
        return name
    return description if description.split(maxsplit=1)[:1] == [name] else f"{name} {description}"


def _pairs(records: "Union[Mapping[str, str], Iterable[Record]]") -> list[tuple[bytes, bytes]]:
    """Names and letters, encoded for the library."""
    if isinstance(records, Mapping):
        records = records.items()
    found = []
    for record in records:
        if isinstance(record, (tuple, list)) and len(record) == 2:
            name, letters = str(record[0]), str(record[1])
        elif hasattr(record, "seq"):
            name, letters = _header(record), str(record.seq)
        else:
            raise TypeError("records are pairs of a name and a sequence, objects with id and seq "
                            f"(Biopython), or one path; this is {record!r:.60}")
        found.append((name.encode("utf-8", "surrogateescape"),
                      letters.encode("utf-8", "surrogateescape")))
    return found


def _options(**values: object) -> _accord.Options:
    """The options with the defaults of the program."""
    settings = {"type": "auto", "mode": "posterior", "tree": "", "device": "none", "threads": 0,
                "confidence": False, "large": "auto", "parameters": b"", "memory": 0}
    settings.update((name, value) for name, value in values.items() if value is not None)
    if settings["parameters"]:
        settings["parameters"] = os.fsencode(settings["parameters"])  # type: ignore[arg-type]
    return _accord.Options(**settings)  # type: ignore[arg-type]


def align(records: "Records", *, type: str = "auto", mode: str = "posterior",
          tree: Optional[str] = None, device: str = "none", threads: int = 0,
          confidence: bool = False, large: str = "auto",
          parameters: "Optional[Union[str, os.PathLike[str]]]" = None, memory: int = 0,
          progress: Optional[Progress] = None) -> Alignment:
    """Aligns a family of sequences.

    records     pairs of a name and a sequence, a mapping of names to sequences, Biopython's
                SeqRecords, or the path of a file in a format that the program reads
    type        what the letters stand for: "protein", "dna", "rna", or "auto", by composition
    mode        how pairs are compared: "posterior", or "local" or "motifs", see --mode of the
                program
    tree        the guide tree: "upgma" or "nj"; None: as the mode has it
    device      what computes: "none" (the processor), or as --device of the program ("gpu0")
    threads     of the processor; 0: as many as this process may use
    confidence  also compute how sure each column and residue is
    large       whether the family is aligned as a backbone to which the others are added: "auto"
                (from 700 sequences on), "never" or "always"
    parameters  the file of a parameter set; the built-in ones if there is none
    memory      bytes that may be used, or else the family is refused; 0: 80 % of what is there
    progress    called with the name of a stage and the part of it that is done, from this thread;
                an exception that it raises ends the call, as Ctrl-C does

    Errors are accord.Error with the text of the program's message and a hint, and warnings are
    accord.AccordWarning. The interpreter's lock is released meanwhile.
    """
    # pylint: disable=redefined-builtin,redefined-outer-name,too-many-arguments
    options = _options(type=type, mode=mode, tree=tree, device=device, threads=threads,
                       confidence=confidence, large=large, parameters=parameters, memory=memory)
    if isinstance(records, (str, os.PathLike)):
        made = _accord.align_file(os.fsencode(records), options, progress)
    else:
        made = _accord.align(_pairs(records), options, progress)
    for text, hint in made.warnings:
        words = text_of(text) + (f" ({text_of(hint)})" if hint else "")
        warnings.warn(words, AccordWarning, stacklevel=2)
    return Alignment(made)


def tree(records: "Iterable[Record]", *, type: str = "auto", tree: str = "upgma",
         device: str = "none", threads: int = 0, memory: int = 0,
         progress: Optional[Progress] = None) -> str:
    """The guide tree of sequences, Newick; the arguments are those of align()."""
    # pylint: disable=redefined-builtin,redefined-outer-name,too-many-arguments
    options = _options(type=type, tree=tree, device=device, threads=threads, memory=memory)
    return text_of(_accord.tree(_pairs(records), options, progress))


def posteriors(x: str, y: str, *, type: str = "auto", device: str = "none", threads: int = 0,
               parameters: "Optional[Union[str, os.PathLike[str]]]" = None) -> Posteriors:
    """The posterior probabilities of a pair of sequences that the method keeps, by i, then j."""
    # pylint: disable=redefined-builtin
    options = _options(type=type, device=device, threads=threads, parameters=parameters)
    i, j, probability = _accord.posteriors(x, y, options, None)
    return Posteriors(np.array(i, np.uint32), np.array(j, np.uint32),
                      np.array(probability, np.float32))


def score(alignment: "Union[Alignment, Iterable[Record]]",
          reference: "Union[Alignment, Iterable[Record]]") -> Score:
    """SP and TC of an alignment over all columns of a reference, which may have fewer rows.

    Rows are matched by name."""
    return Score(*_accord.score(_pairs(alignment), _pairs(reference)))
