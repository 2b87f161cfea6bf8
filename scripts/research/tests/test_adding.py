"""scripts/research/adding.py"""
import unittest

import adding


class JudgeTest(unittest.TestCase):
    """What counts as found."""

    reference = [("a", "AC-DE"), ("b", "ACKDE"), ("c", "A--Fg")]
    given = [("a", "ACDE"), ("c", "A-Fg")]

    def judged(self, **added: str) -> adding.Result:
        """The result of an alignment that the second row was added to."""
        return adding.judge(self.reference, self.given, added)

    def test_all_found(self) -> None:
        """An inserted residue is in no column of given rows, and is not judged."""
        result = self.judged(a="A-CDE", b="AKCDE", c="A--Fg")
        self.assertEqual(result.residues, 0.75)
        self.assertEqual(self.judged(a="AC-DE", b="ACKDE", c="A--Fg"), (1, 1, True))

    def test_shifted(self) -> None:
        """A residue in another column is wrong, and so is the column."""
        result = self.judged(a="AC-DE-", b="AC-KDE", c="A--Fg-")
        self.assertEqual(result.residues, 0.5)
        self.assertEqual(result.columns, 0.5)

    def test_changed_rows(self) -> None:
        """Given rows whose residues moved are not kept."""
        self.assertFalse(self.judged(a="AC-DE", b="ACKDE", c="-A-Fg").is_kept)

    def test_capitals(self) -> None:
        """Small letters of the reference are not judged."""
        reference = [("a", "AC"), ("b", "Ac")]
        result = adding.judge(reference, [("a", "AC")], {"a": "AC-", "b": "A-C"})
        self.assertEqual(result, (1, 1, True))


if __name__ == "__main__":
    unittest.main()
