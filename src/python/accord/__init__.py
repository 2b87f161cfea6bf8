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
from ._batch import batch
from ._device import Device
from ._distances import Distances, distances
from ._ensemble import Ensemble, Replicate, ensemble
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
    Agreement,
    Codons,
    ResiduesLeftOut,
    Score,
    StructureFigures,
    StructurePair,
    Trimmed,
    Verification,
    VerifyCheck,
    add,
    codon,
    compare,
    confidence,
    merge,
    score,
    structure_figures,
    trim,
    verify,
)
from ._likelihood import FittedModel, Likelihood, likelihood
from ._options import OPTIONS, Option
from ._trees import Newick

__version__: str = _accord.version()
__all__ = ["OPTIONS", "AccordWarning", "Added", "Agreement", "Alignment", "Codons", "Device",
           "DeviceError", "Distances", "Ensemble", "Error", "FileError", "FittedModel",
           "InputError", "Likelihood", "Newick", "Option", "OutOfMemoryError", "Posteriors",
           "Replicate", "ResiduesLeftOut", "Score", "StructureFigures", "StructurePair", "Trimmed",
           "Verification", "VerifyCheck", "add", "align", "batch", "codon", "compare", "confidence",
           "distances", "ensemble", "likelihood", "merge", "posteriors", "score",
           "structure_figures", "tree", "trim", "verify"]
