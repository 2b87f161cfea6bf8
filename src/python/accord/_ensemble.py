# SPDX-License-Identifier: Apache-2.0
"""Alternative alignments of one family."""
from typing import TYPE_CHECKING, Optional

import numpy as np
import numpy.typing as npt

from . import _accord
from ._alignment import Alignment
from ._device import AnyDevice
from ._errors import text_of
from ._options import OptionValue, Progress, options_of, takes
from ._records import sequences_of, warn_of

if TYPE_CHECKING:
    from ._records import Records


class Replicate(Alignment):
    """An alignment of an ensemble."""

    def __init__(self, name: str, made: _accord.Aligned, columns: list[float],
                 agreement: float) -> None:
        super().__init__(made)
        self.name = name
        """p1.t2 has the parameters 1 and the tree 2"""
        self.ensemble_confidence: npt.NDArray[np.float32] = np.array(columns, np.float32)
        """for each column, the share of the replicates that have the same column"""
        self.agreement = agreement
        """the mean share of aligned pairs that this and another replicate have"""


class Ensemble(list[Replicate]):
    """The replicates of ensemble(). The first is the alignment of align(), and has the report."""

    def __init__(self, made: _accord.Ensemble) -> None:
        super().__init__(Replicate(*replicate) for replicate in made.replicates)
        self.dispersion: float = made.dispersion
        """1 - the median agreement of two replicates"""
        self.best: Replicate = self[made.best]
        """the replicate that agrees best with the others"""
        self._efa = made.efa

    def format(self) -> str:
        """Ensemble FASTA, as `accord ensemble` writes it: a line with `<` and the name before each
        alignment."""
        return text_of(self._efa)


@takes("input", "track", "models", "method")
def ensemble(records: "Records", *, replicates: int = 16, seed: int = 1,
             device: AnyDevice = "none", threads: int = 0, confidence: bool = False,
             memory: int = 0, progress: Optional[Progress] = None,
             **options: OptionValue) -> Ensemble:
    """Aligns a family several times, as `accord ensemble` does: with parameters and guide trees
    that differ by random factors.

    records     the sequences, as align() takes them, or the path of a file
    replicates  how many alignments to make
    seed        with another seed, all replicates but the first are others

    The other arguments, and errors, are those of align():

    {options}
    """
    # pylint: disable=too-many-arguments
    given, noticed = sequences_of(records)
    warn_of(noticed)
    settings = options_of(options, device=device, threads=threads, confidence=confidence,
                          memory=memory)
    made = _accord.ensemble(given, replicates, seed, settings, progress)
    warn_of(made.warnings)
    return Ensemble(made)
