# SPDX-License-Identifier: Apache-2.0
"""The alignment that accord.align() and others return."""
import html
import json
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _accord
from ._errors import text_of
from ._named import Named, id_and_description
from ._trees import Newick

if TYPE_CHECKING:
    from Bio.Align import MultipleSeqAlignment
    from skbio import TabularMSA


class Alignment(Named):
    """Rows of names and letters, in the order of the sequences, with confidence if it was computed.

    ``len(alignment)`` is the number of rows, ``alignment[k]`` the name and the letters of a row;
    iteration goes over such pairs. Arrays are views of the library's memory and cannot be changed.
    """

    def __init__(self, made: _accord.Aligned) -> None:
        super().__init__(made.names)
        self._made = made

    @property
    def type(self) -> str:
        """The type of the letters: "protein", "dna" or "rna"."""
        return self._made.type

    @property
    def columns(self) -> int:
        """The number of columns."""
        return int(self._made.letters.shape[1])

    @property
    def letters(self) -> "npt.NDArray[np.bytes_]":
        """The letters, of dtype S1, [row, column]; gaps are b"-"."""
        return np.asarray(self._made.letters).view("S1")

    @property
    def column_confidence(self) -> "npt.NDArray[np.float32]":
        """The confidence of each column, in [0, 1]; NaN where a residue is alone.

        It is empty, as residue_confidence, if align() was not asked for the confidence.
        """
        return np.asarray(self._made.column_confidence)

    @property
    def column_weights(self) -> "npt.NDArray[np.int32]":
        """The weight of each column, 1 to 100, for a program that makes a tree, as --weights of
        `accord confidence` has it; empty as column_confidence."""
        return np.array(_accord.column_weights(self._made.column_confidence), np.int32)

    @property
    def residue_confidence(self) -> "npt.NDArray[np.float32]":
        """The confidence of each residue, [row, column]; NaN in gaps."""
        return np.asarray(self._made.residue_confidence)

    @property
    def mean_confidence(self) -> float:
        """The mean of all pairs of residues in one column: the expected share of right pairs."""
        return self._made.mean_confidence if self.column_confidence.size else float("nan")

    @property
    def column_lddt(self) -> "npt.NDArray[np.float32]":
        """The lDDT of each column of structures (see structure_figures()), NaN where nothing is
        compared; empty as column_confidence, and without structures."""
        return np.asarray(self._made.column_lddt)

    @property
    def mean_lddt(self) -> float:
        """The lDDT of an alignment of structures; NaN if it was not computed."""
        return self._made.mean_lddt

    @property
    def tracks(self) -> list[str]:
        """The tracks of the rows in the columns of the alignment, of the option `track` or of
        structures: gaps are "-", unknown letters "?"; empty without tracks."""
        return list(self._made.tracks)

    @property
    def tree(self) -> Newick:
        """The guide tree, Newick; empty for an alignment that was given."""
        return Newick(text_of(self._made.tree))

    @property
    def report(self) -> dict[str, Any]:
        """The report, as --report of the program: parameters, devices, times, memory, checksums;
        empty for an alignment that was given."""
        report: dict[str, Any] = json.loads(self._made.report or b"{}")
        return report

    def format(self, format: str = "fasta") -> str:  # pylint: disable=redefined-builtin
        """The alignment as the program writes it in a format: fasta, clustal, stockholm, phylip,
        phylip-strict, msf, nexus, a2m, a3m or json.

        Names that are no UTF-8 have their bytes as surrogates; encode with "surrogateescape".
        """
        return text_of(self._made.format(format))

    def html(self, path: "str | os.PathLike[str]") -> None:
        """Writes the page that shows the alignment in a browser, as `accord view` does: one file
        that loads nothing. It has the confidence if that was computed."""
        page = self._made.html(os.path.basename(os.fspath(path)).encode("utf-8", "surrogateescape"))
        with open(path, "wb") as file:
            file.write(page)

    def _repr_html_(self) -> str:
        """The first rows and columns, for a notebook."""
        rows, columns = 12, 80
        names = [id_and_description(name)[0] for name in self._names[:rows]]
        width = min(20, max(map(len, names), default=0))
        lines = [f"{name[:width]:{width}}  " +
                 self.letters[k, :columns].tobytes().decode("ascii")
                 for k, name in enumerate(names)]
        shown = html.escape("\n".join(lines).encode("utf-8", "replace").decode("utf-8"))
        left_out = [f"{len(self) - rows} more rows"] if len(self) > rows else []
        left_out += [f"{self.columns - columns} more columns"] if self.columns > columns else []
        return (f"<p>{html.escape(repr(self)[8:-1])}</p><pre>{shown}</pre><p>" +
                (", ".join(left_out) + ". " if left_out else "") +
                "<code>alignment.html('page.html')</code> writes the whole page.</p>")

    def to_biopython(self) -> "MultipleSeqAlignment":
        """The alignment for Biopython, with the confidence as annotations of its letters."""
        # pylint: disable=import-outside-toplevel
        from Bio.Align import MultipleSeqAlignment
        from Bio.Seq import Seq
        from Bio.SeqRecord import SeqRecord

        rows = []
        for name, letters in self:
            rows.append(SeqRecord(Seq(letters), id=id_and_description(name)[0], description=name))
        alignment = MultipleSeqAlignment(rows)  # type: ignore[no-untyped-call]
        if self.column_confidence.size:
            alignment.column_annotations["confidence"] = self.column_confidence.tolist()
            for row, confidence in zip(rows, self.residue_confidence):
                row.letter_annotations["confidence"] = confidence.tolist()
        return alignment

    def to_skbio(self) -> "TabularMSA":
        """The alignment for scikit-bio: of Protein, DNA or RNA, in upper case, with the names as
        its index and the confidence of columns as its positional metadata."""
        # pylint: disable=import-outside-toplevel
        from skbio import DNA, RNA, Protein, TabularMSA

        kind = {"protein": Protein, "dna": DNA, "rna": RNA}[self.type]
        rows = []
        for name, letters in self:
            metadata = dict(zip(("id", "description"), id_and_description(name)))
            rows.append(kind(letters, metadata=metadata, lowercase=True))
        confidence = {"confidence": self.column_confidence} if self.column_confidence.size else None
        return TabularMSA(rows, positional_metadata=confidence,
                          index=[row.metadata["id"] for row in rows])

    def __getitem__(self, row: int) -> tuple[str, str]:
        return self._names[row], self.letters[row].tobytes().decode("ascii")

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return (self[row] for row in range(len(self)))

    def __str__(self) -> str:
        return self.format()

    def __repr__(self) -> str:
        return f"<accord.Alignment of {len(self)} {self.type} sequences in {self.columns} columns>"
