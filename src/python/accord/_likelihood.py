# SPDX-License-Identifier: Apache-2.0
"""Likelihoods of alignments on trees."""
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple, Optional, Union

import numpy as np
import numpy.typing as npt

from . import _accord
from ._device import AnyDevice
from ._errors import text_of
from ._options import Progress, options_of
from ._records import rows_of, warn_of
from ._trees import Newick, newick_of

if TYPE_CHECKING:
    from ._records import Rows
    from ._trees import AnyTree


class FittedModel(NamedTuple):
    """A model that was fitted in a choice."""

    name: str
    log_likelihood: float
    free_parameters: int
    bic: float


class Likelihood:
    """The likelihood of an alignment on a tree, and the fitted tree and model."""

    def __init__(self, made: _accord.Likelihood) -> None:
        self._made = made

    @property
    def log_likelihood(self) -> float:
        """The natural logarithm of the likelihood."""
        return self._made.total

    @property
    def sites(self) -> "npt.NDArray[np.float64]":
        """The logarithm of each column, or of each codon."""
        return np.array(self._made.sites, float)

    @property
    def tree(self) -> Newick:
        """The tree, with lengths in substitutions per site (per codon for models of codons) and
        the support of branches as labels of nodes."""
        return Newick(text_of(self._made.tree))

    @property
    def values(self) -> dict[str, Union[str, float]]:
        """The table that the program prints: model, log_likelihood, AIC, BIC, tree_length, the
        parameters and frequencies; all but the model are numbers, with 10 digits."""
        lines = [line.split("\t") for line in self.table.splitlines()[1:]]
        return {name: value if name == "model" else float(value) for name, value in lines}

    @property
    def table(self) -> str:
        """The same as text."""
        return text_of(self._made.table)

    @property
    def models(self) -> list[FittedModel]:
        """The models that model="auto" has fitted, the best first."""
        return [FittedModel(*model) for model in self._made.models]

    def __repr__(self) -> str:
        return f"<accord.Likelihood {self.log_likelihood:.4f} by {self.values['model']}>"


def likelihood(alignment: "Rows", *, model: str = "", tree: "Optional[AnyTree]" = None,
               code: Optional[int] = None, prune: bool = False, fit: str = "all",
               nni: bool = False, spr: int = 0, support: "Union[str, Iterable[str]]" = "",
               precision: str = "double", type: str = "auto", device: AnyDevice = "none",
               threads: int = 0, memory: int = 0,
               progress: Optional[Progress] = None) -> Likelihood:
    """The likelihood of an alignment on a tree, as `accord likelihood` has it.

    alignment   as confidence() takes it
    model       such as "WAG+F+G4" or "HKY{2.5}+I"; "auto": the model of the lowest BIC; empty:
                LG+G4, or GTR+G4 of nucleotides
    tree        a Newick text, which ends with a semicolon, the path of a file, or a tree of
                Bio.Phylo or scikit-bio; None: that of neighbour joining
    code        the number of the genetic code, of models of codons
    prune       leave out rows that are not in the tree or have no known residue, and leaves that
                are not in the alignment; they are an InputError otherwise
    fit         the values that the fit changes: "none", "lengths" of branches, or "all"
    nni         improve the shape of the tree by nearest-neighbour interchanges
    spr         then prune subtrees and regraft them up to this number of branches away
    support     label branches with their support: "sh-alrt", "alrt", "abayes", or several of them
    precision   of partial likelihoods: "double" or "single"

    The other arguments are those of align(); `progress` gets 0 until the end. Options that do
    not go together, and a tree or rows that do not fit, are an InputError.
    """
    # pylint: disable=redefined-builtin,too-many-arguments,too-many-locals
    rows, noticed = rows_of(alignment)
    warn_of(noticed)
    kinds = support if isinstance(support, str) else ",".join(support)
    options = options_of({}, type=type, device=device, threads=threads, memory=memory)
    made = _accord.likelihood(rows, model, code, newick_of(tree) if tree is not None else b"",
                              prune, fit, nni, spr, kinds, precision, options, progress)
    warn_of(made.warnings)
    return Likelihood(made)
