# SPDX-License-Identifier: Apache-2.0
"""accord aligns families of protein, RNA or DNA sequences.

    import accord
    alignment = accord.align([("a", "MKVLAAGIVGLP"), ("b", "MKVLAGIVGP")])
    print(alignment.format("clustal"))

The alignments have the bytes of the program's, on every device and for any number of threads.
"""
from . import _accord
from ._align import Posteriors, align, posteriors, tree
from ._alignment import Alignment
from ._distances import Distances, distances
from ._errors import (
    AccordWarning,
    DeviceError,
    Error,
    FileError,
    InputError,
    OutOfMemoryError,
)
from ._given import (
    Added,
    Codons,
    ResiduesLeftOut,
    Score,
    Trimmed,
    add,
    codon,
    confidence,
    merge,
    score,
    trim,
)
from ._trees import Newick

__version__: str = _accord.version()
__all__ = ["AccordWarning", "Added", "Alignment", "Codons", "DeviceError", "Distances", "Error",
           "FileError", "InputError", "Newick", "OutOfMemoryError", "Posteriors",
           "ResiduesLeftOut", "Score", "Trimmed", "add", "align", "codon", "confidence",
           "distances", "merge", "posteriors", "score", "tree", "trim"]
