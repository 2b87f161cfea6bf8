# SPDX-License-Identifier: Apache-2.0
"""Alignments, guide trees and posteriors of sequences."""
from typing import TYPE_CHECKING, NamedTuple, Optional, Union

import numpy as np
import numpy.typing as npt

from . import _accord
from ._alignment import Alignment
from ._device import AnyDevice
from ._errors import text_of
from ._options import OptionValue, Progress, options_of, takes
from ._records import files_of, pairs, sequences_of, warn_of
from ._trees import Newick

if TYPE_CHECKING:
    from ._records import Files, Records


class Posteriors(NamedTuple):
    """The posterior probabilities of a pair: residues of x and y, from 0, and how probable it is
    that they are aligned. The residues of a cell that is not listed are nearly certainly not
    aligned."""

    i: "npt.NDArray[np.uint32]"
    j: "npt.NDArray[np.uint32]"
    probability: "npt.NDArray[np.float32]"


@takes("input", "track", "models", "method")
def align(records: "Union[Records, Files]", *, device: AnyDevice = "none", threads: int = 0,
          confidence: bool = False, memory: int = 0, progress: Optional[Progress] = None,
          **options: OptionValue) -> Alignment:
    """Aligns a family of sequences.

    records     pairs of a name and a sequence, a mapping of names to sequences, sequences or
                alignments of Biopython or scikit-bio, or the path of a file in a format that the
                program reads, or several paths. The chains of structures (PDB, mmCIF) are aligned
                with their secondary structure as tracks; "FILE:A,B" takes chains A and B of FILE,
                and a folder stands for the structures in it
    device      what computes: "none" (the processor), as --device of the program ("gpu0"), or a
                Device, which is open
    threads     of the processor; 0: as many as this process may use
    confidence  also compute how sure each column and residue is
    memory      bytes that may be used, or else the family is refused; 0: 80 % of the free memory
    progress    called with the name of a stage and the part of it that is done, from this thread;
                an exception that it raises ends the call, as Ctrl-C does

    The options of the program:

    {options}

    Errors are accord.Error with the text of the program's message and a hint, and warnings are
    accord.AccordWarning. The interpreter's lock is released meanwhile.
    """
    settings = options_of(options, device=device, threads=threads, confidence=confidence,
                          memory=memory)
    files = files_of(records)
    if files:
        made = _accord.align_files(files, settings, progress)
    else:
        made = _accord.align(pairs(records), settings, progress)
    warn_of(made.warnings)
    return Alignment(made)


@takes("models")
def tree(records: "Records", *, type: str = "auto", tree: str = "upgma",
         device: AnyDevice = "none", threads: int = 0, memory: int = 0,
         progress: Optional[Progress] = None, **options: OptionValue) -> Newick:
    """The guide tree of sequences, Newick; the arguments are those of align()."""
    # pylint: disable=redefined-builtin,redefined-outer-name,too-many-arguments
    settings = options_of(options, type=type, tree=tree, device=device, threads=threads,
                          memory=memory)
    given, noticed = sequences_of(records)
    warn_of(noticed)
    return Newick(text_of(_accord.tree(given, settings, progress)))


@takes("models")
def posteriors(x: str, y: str, *, type: str = "auto", device: AnyDevice = "none", threads: int = 0,
               **options: OptionValue) -> Posteriors:
    """The posterior probabilities of a pair of sequences that the method keeps, by i, then j."""
    # pylint: disable=redefined-builtin
    settings = options_of(options, type=type, device=device, threads=threads)
    i, j, probability = _accord.posteriors(x, y, settings, None)
    return Posteriors(np.array(i, np.uint32), np.array(j, np.uint32),
                      np.array(probability, np.float32))
