# SPDX-License-Identifier: Apache-2.0
"""Sequences and alignments of callers, whatever they have them in, as the library takes them."""
import inspect
import os
import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Union

from . import _accord
from ._errors import AccordWarning, text_of

if TYPE_CHECKING:
    from Bio.Align import Alignment as BiopythonAlignment
    from Bio.Align import MultipleSeqAlignment
    from Bio.SeqRecord import SeqRecord

    from ._alignment import Alignment

    Text = Union[str, bytes]
    # Also those of scikit-bio, which has no types: a checker would take any object for them.
    Record = Union[tuple[Text, object], SeqRecord]
    Path = Union[str, os.PathLike[str]]
    Rows = Union[Path, Mapping[str, object], Iterable[Record], Alignment, MultipleSeqAlignment,
                 BiopythonAlignment]
    Records = Rows  # whose gaps are left out
    Files = Sequence[Path]

Pairs = list[tuple[bytes, bytes]]


def encoded(text: object) -> bytes:
    """A name or letters, encoded for the library; sequences of Biopython and scikit-bio have their
    letters as str()."""
    return text if isinstance(text, bytes) else str(text).encode("utf-8", "surrogateescape")


def is_path(records: object) -> bool:
    """Whether it is a file that is meant."""
    return isinstance(records, (str, os.PathLike))


def files_of(records: object) -> list[bytes]:
    """The paths of a file or of a list of files; none if the records are something else."""
    listed: list[Any] = list(records) if isinstance(records, (list, tuple)) else [records]
    return [os.fsencode(path) for path in listed] if all(map(is_path, listed)) else []


def _header(name: str, description: str) -> str:
    """The name of a record with what stands behind it in a file, as far as there is more."""
    if not description or description == "<unknown description>":
        return name
    return description if description.split(maxsplit=1)[:1] == [name] else f"{name} {description}"


def _pair(record: Any) -> tuple[bytes, bytes]:
    """The name and the letters of a record."""
    if isinstance(record, (tuple, list)) and len(record) == 2:
        return encoded(record[0]), encoded(record[1])
    if hasattr(record, "seq"):  # Biopython
        return encoded(_header(str(record.id), str(record.description or ""))), encoded(record.seq)
    if hasattr(record, "metadata") and hasattr(record, "values"):  # scikit-bio
        name = str(record.metadata.get("id", ""))
        description = str(record.metadata.get("description", ""))
        return encoded(f"{name} {description}" if description else name), encoded(record)
    raise TypeError("records are pairs of a name and a sequence, a mapping of names to sequences, "
                    "objects of Biopython or scikit-bio, or one path; this is "
                    f"{record!r:.60}")


def pairs(records: Any) -> Pairs:
    """Names and letters of records that are no file."""
    if isinstance(records, Mapping):
        # A value may be a sequence of either library, or a record, whose name is the key then.
        return [(encoded(name), encoded(getattr(record, "seq", record)))
                for name, record in records.items()]
    if hasattr(records, "coordinates") and hasattr(records, "sequences"):  # Bio.Align.Alignment
        return [(encoded(getattr(one, "id", f"seq{k + 1}")), encoded(records[k]))
                for k, one in enumerate(records.sequences)]
    found = [_pair(record) for record in records]
    labels: Any = getattr(records, "index", None)
    if hasattr(labels, "tolist"):  # scikit-bio's TabularMSA
        found = [(name or encoded(label), letters)
                 for (name, letters), label in zip(found, labels.tolist())]
    return found


def warn_of(notices: "Iterable[tuple[bytes, bytes]]") -> None:
    """Warns of what the library noticed, at the place that called a function of the package."""
    frame, level = inspect.currentframe(), 1
    while frame is not None and frame.f_globals.get("__package__") == __package__:
        frame, level = frame.f_back, level + 1
    for text, hint in notices:
        words = text_of(text) + (f" ({text_of(hint)})" if hint else "")
        warnings.warn(words, AccordWarning, stacklevel=level)


def sequences_of(records: Any, coding: bool = False) -> tuple[Pairs, list[tuple[bytes, bytes]]]:
    """The records, of a file too, and the warnings; `coding`: of GenBank and EMBL the
    coding sequences."""
    if is_path(records):
        return _accord.read_sequences(os.fsencode(records), coding)
    return pairs(records), []


def rows_of(alignment: Any) -> tuple[Pairs, list[tuple[bytes, bytes]]]:
    """The rows of an alignment, of a file too, and the warnings."""
    if is_path(alignment):
        return _accord.read_alignment(os.fsencode(alignment))
    return pairs(alignment), []
