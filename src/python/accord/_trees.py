# SPDX-License-Identifier: Apache-2.0
"""Trees, which are Newick texts, and those of other packages."""
import io
import os
from typing import TYPE_CHECKING, Any, Union

if TYPE_CHECKING:
    from Bio.Phylo.Newick import Tree
    from skbio import TreeNode

    # Also a TreeNode of scikit-bio, which has no types.
    AnyTree = Union[str, os.PathLike[str], Tree]


class Newick(str):
    """A tree as a Newick text, which it is, for other packages too."""

    __slots__ = ()

    def to_biopython(self) -> "Tree":
        """The tree for Bio.Phylo."""
        from Bio.Phylo import NewickIO  # pylint: disable=import-outside-toplevel

        tree: Tree = next(NewickIO.parse(io.StringIO(self)))  # type: ignore[no-untyped-call]
        return tree

    def to_skbio(self) -> "TreeNode":
        """The tree for scikit-bio."""
        from skbio import TreeNode  # pylint: disable=import-outside-toplevel

        return TreeNode.read(io.StringIO(self), format="newick", convert_underscores=False)


def newick_of(tree: "AnyTree") -> bytes:
    """The Newick text of a tree: a text, which ends with a semicolon, the path of a file, or a tree
    of Biopython or scikit-bio."""
    if isinstance(tree, str) and tree.rstrip().endswith(";"):
        return tree.encode("utf-8", "surrogateescape")
    if isinstance(tree, (str, os.PathLike)):
        with open(tree, "rb") as file:
            return file.read()
    text = io.StringIO()
    given: Any = tree
    if hasattr(given, "clade"):
        from Bio.Phylo import NewickIO  # pylint: disable=import-outside-toplevel

        NewickIO.write([given], text,  # type: ignore[no-untyped-call]
                       format_branch_length="%.17g")
    elif hasattr(given, "tips"):
        given.write(text, format="newick")
    else:
        raise TypeError("a tree is a Newick text, a path, or an object of Biopython or scikit-bio; "
                        f"this is {tree!r:.60}")
    return text.getvalue().encode("utf-8", "surrogateescape")
