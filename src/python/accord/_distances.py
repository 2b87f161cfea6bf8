# SPDX-License-Identifier: Apache-2.0
"""Distances of sequences."""
from typing import TYPE_CHECKING, Any, Optional

import numpy as np
import numpy.typing as npt

from . import _accord
from ._device import AnyDevice
from ._errors import error_of, text_of
from ._named import Named
from ._options import OptionValue, Progress, options_of, takes
from ._records import rows_of, sequences_of, warn_of

if TYPE_CHECKING:

    from Bio.Phylo.TreeConstruction import DistanceMatrix as BiopythonMatrix
    from skbio import DistanceMatrix

    from ._records import Rows


class Distances(Named):
    """The distances of each two sequences, in their order."""

    def __init__(self, made: _accord.Distances) -> None:
        super().__init__(made.names)
        self._made = made

    @property
    def unit(self) -> str:
        """The unit of the values: "distance", "percent_identity", or "count", of columns."""
        return self._made.unit

    @property
    def distances(self) -> "npt.NDArray[np.float32]":
        """The distances, [sequence, sequence], also where the values are identities; a view of the
        library's memory."""
        return np.asarray(self._made.values)

    @property
    def values(self) -> "npt.NDArray[np.float32]":
        """The values, [sequence, sequence]; NaN or infinite where there is none."""
        if self.unit != "percent_identity":
            return self.distances
        return 100 * (1 - self.distances)

    def format(self, format: str = "phylip") -> str:  # pylint: disable=redefined-builtin
        """The values as the program writes them: phylip, phylip-lower, tsv, csv or pairs."""
        return text_of(self._made.format(format))

    def to_skbio(self) -> "DistanceMatrix":
        """The distances for scikit-bio, which has no place for those that are not known."""
        from skbio import DistanceMatrix  # pylint: disable=import-outside-toplevel

        return DistanceMatrix(self.distances.astype(float), self._names)

    def to_biopython(self) -> "BiopythonMatrix":
        """The distances for Bio.Phylo.TreeConstruction."""
        # pylint: disable=import-outside-toplevel
        from Bio.Phylo.TreeConstruction import DistanceMatrix

        rows = self.distances.astype(float)
        matrix: BiopythonMatrix = DistanceMatrix(  # type: ignore[no-untyped-call]
            self._names, [rows[k, :k + 1].tolist() for k in range(len(rows))])
        return matrix

    def __array__(self, *arguments: Any, **keywords: Any) -> "npt.NDArray[Any]":
        return np.array(self.values, *arguments, **keywords)

    def __str__(self) -> str:
        return self.format()

    def __repr__(self) -> str:
        return f"<accord.Distances of {len(self)} sequences, {self.unit}>"


@takes("models")
def distances(records: "Rows", *, aligned: bool = False, model: Optional[str] = None,
              percent_id: bool = False, identity_over: Optional[str] = None,
              unknown: str = "ignore", type: str = "auto", device: AnyDevice = "none",
              threads: int = 0, memory: int = 0, progress: Optional[Progress] = None,
              **options: OptionValue) -> Distances:
    """The distances of all pairs of sequences, as `accord dist` has them.

    records        as align() takes them; with `aligned` the rows of an alignment
    aligned        the records are rows: their gaps count, and the distance is 1 - the identity
    model          distances in columns, of the alignment that is given or that align() makes: "p",
                   "snps", "jc", "k80", "tn93" of nucleotides, "kimura" of proteins, or a model with
                   all of its parameters, such as "LG" or "HKY{2.5}+G4{0.5}"
    percent_id     identities in per cent instead of distances
    identity_over  what identical pairs are divided by: "aligned" (columns in which both rows have a
                   residue), "shorter" (residues of the shorter row) or "columns"
    unknown        letters such as N and X in p and snps: "ignore", or "count", as letters of their
                   own

    Without model, percent_id and aligned they are 1 - the expected accuracy of the alignment of the
    two sequences, in [0, 1]. Others are substitutions per site, or per cent, or numbers of columns.
    The other arguments are those of align(). Errors are those of align(); a model of other residues
    is an InputError.
    """
    # pylint: disable=redefined-builtin,too-many-arguments,too-many-locals
    if unknown not in ("ignore", "count"):
        raise error_of("usage", f"unknown {unknown}: unknown word".encode(),
                       b"use ignore or count")
    given, noticed = rows_of(records) if aligned else sequences_of(records)
    warn_of(noticed)
    settings = options_of(options, type=type, device=device, threads=threads, memory=memory)
    made = _accord.distances(given, aligned, model or "", identity_over or "", percent_id,
                             unknown == "count", settings, progress)
    warn_of(made.warnings)
    return Distances(made)
