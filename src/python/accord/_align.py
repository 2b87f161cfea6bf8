# SPDX-License-Identifier: Apache-2.0
"""Alignments, guide trees and posteriors of sequences."""
import os
from typing import TYPE_CHECKING, NamedTuple, Optional, Union

import numpy as np
import numpy.typing as npt

from . import _accord
from ._alignment import Alignment
from ._device import AnyDevice
from ._errors import text_of
from ._options import Progress, options_of
from ._records import is_path, pairs, sequences_of, warn_of
from ._trees import Newick

if TYPE_CHECKING:
    from ._records import Records


class Posteriors(NamedTuple):
    """The posterior probabilities of a pair: residues of x and y, from 0, and how probable it is
    that they are aligned. The residues of a cell that is not listed are nearly certainly not
    aligned."""

    i: "npt.NDArray[np.uint32]"
    j: "npt.NDArray[np.uint32]"
    probability: "npt.NDArray[np.float32]"


def align(records: "Records", *, type: str = "auto", mode: str = "posterior",
          tree: Optional[str] = None, device: AnyDevice = "none", threads: int = 0,
          confidence: bool = False, large: str = "auto", adjust_direction: bool = False,
          parameters: "Optional[Union[str, os.PathLike[str]]]" = None, memory: int = 0,
          progress: Optional[Progress] = None) -> Alignment:
    """Aligns a family of sequences.

    records     pairs of a name and a sequence, a mapping of names to sequences, sequences or
                alignments of Biopython or scikit-bio, or the path of a file in a format that the
                program reads
    type        what the letters stand for: "protein", "dna", "rna", or "auto", by composition
    mode        how pairs are compared: "posterior", or "local" or "motifs", see --mode of the
                program
    tree        the guide tree: "upgma" or "nj"; None: as the mode has it
    device      what computes: "none" (the processor), as --device of the program ("gpu0"), or a
                Device, which is open
    threads     of the processor; 0: as many as this process may use
    confidence  also compute how sure each column and residue is
    adjust_direction  turn nucleotides round that read backwards; their names get _R_ in front
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
    options = options_of(type=type, mode=mode, tree=tree, device=device, threads=threads,
                         confidence=confidence, large=large, parameters=parameters, memory=memory,
                         adjust_direction=adjust_direction)
    if is_path(records):
        made = _accord.align_file(os.fsencode(records), options, progress)  # type: ignore[arg-type]
    else:
        made = _accord.align(pairs(records), options, progress)
    warn_of(made.warnings)
    return Alignment(made)


def tree(records: "Records", *, type: str = "auto", tree: str = "upgma",
         device: AnyDevice = "none", threads: int = 0, memory: int = 0,
         progress: Optional[Progress] = None) -> Newick:
    """The guide tree of sequences, Newick; the arguments are those of align()."""
    # pylint: disable=redefined-builtin,redefined-outer-name,too-many-arguments
    options = options_of(type=type, tree=tree, device=device, threads=threads, memory=memory)
    given, noticed = sequences_of(records)
    warn_of(noticed)
    return Newick(text_of(_accord.tree(given, options, progress)))


def posteriors(x: str, y: str, *, type: str = "auto", device: AnyDevice = "none", threads: int = 0,
               parameters: "Optional[Union[str, os.PathLike[str]]]" = None) -> Posteriors:
    """The posterior probabilities of a pair of sequences that the method keeps, by i, then j."""
    # pylint: disable=redefined-builtin
    options = options_of(type=type, device=device, threads=threads, parameters=parameters)
    i, j, probability = _accord.posteriors(x, y, options, None)
    return Posteriors(np.array(i, np.uint32), np.array(j, np.uint32),
                      np.array(probability, np.float32))
