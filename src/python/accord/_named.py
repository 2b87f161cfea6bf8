# SPDX-License-Identifier: Apache-2.0
"""The base of alignments and distances: names, and a text."""
from ._errors import text_of


class Named:
    """Something with a name for each of its sequences, in their order."""

    def __init__(self, names: "list[bytes]") -> None:
        self._names = [text_of(name) for name in names]

    @property
    def names(self) -> list[str]:
        """The names: of an alignment the whole headers of FASTA; of distances their first words,
        which differ from each other."""
        return list(self._names)

    def __len__(self) -> int:
        return len(self._names)


def id_and_description(name: str) -> tuple[str, str]:
    """The first word of a header, and the rest."""
    words = name.split(maxsplit=1)
    return words[0] if words else "", words[1] if len(words) > 1 else ""
