"""scripts/research/ensemble_trees.py and ensemble_tables.py"""
import unittest

import ensemble_tables
import ensemble_trees
from simulation.tree import newick_tree
from trim_trees import splits


def tree_of(text: str) -> "set[frozenset[str]]":
    """The splits of a Newick text."""
    return splits(newick_tree(text))


class ConsensusTest(unittest.TestCase):
    """The extended majority rule."""

    def test_majority(self) -> None:
        """Two of three trees agree."""
        often, rare = "((a,b),(c,d),e);", "((a,c),(b,d),e);"
        found = ensemble_trees.greedy_consensus([tree_of(often), tree_of(rare), tree_of(often)])
        self.assertEqual(found, tree_of(often))

    def test_extended(self) -> None:
        """A split that one tree has is taken if nothing speaks against it."""
        found = ensemble_trees.greedy_consensus([tree_of("((a,b),c,d,e);"),
                                                 tree_of("((a,b),(c,d),e);")])
        self.assertEqual(found, tree_of("((a,b),(c,d),e);"))


class SupportTest(unittest.TestCase):
    """What is read from a tree of FastTree."""

    def test_splits(self) -> None:
        """The names of inner nodes are supports; both sides of a root are one split."""
        text = "((a:1,b:1)0.9:1,(c:1,(d:1,e:1)0.4:1)0.9:1);"
        nodes = newick_tree(text)
        self.assertEqual(dict(ensemble_trees.supports(nodes)),
                         {frozenset("cde"): 0.9, frozenset("de"): 0.4})
        self.assertEqual(tree_of(text), {frozenset("cde"), frozenset("de")})


class AreaTest(unittest.TestCase):
    """The area under the curve."""

    def test_order(self) -> None:
        """All in order, none in order, and ties."""
        right = [False, False, True]
        self.assertEqual(ensemble_tables.area([1, 2, 3], right), 1)
        self.assertEqual(ensemble_tables.area([3, 2, 1], right), 0)
        self.assertEqual(ensemble_tables.area([1, 1, 1], right), 0.5)


if __name__ == "__main__":
    unittest.main()
