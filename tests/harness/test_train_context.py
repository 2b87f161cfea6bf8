"""scripts/train_context.py: posteriors and gap openings against an enumeration, classes, and the
script itself."""
import json
import math
import os
import random
import subprocess
import sys
import unittest
from functools import cache
from pathlib import Path
from typing import Any

from benchmark.errors import BenchmarkError
from support import ROOT, HarnessTest
from tuning.families import find_members

# Compiling takes longer than these tests do; must stand before numba is imported.
os.environ["NUMBA_DISABLE_JIT"] = "1"

try:
    import numpy as np
    from tuning.context import kernels, openings
    from tuning.context.classes import (
        Contexts,
        check,
        contexts_of,
        linear_rule,
        log_openings,
        no_openings,
        read_contexts,
        write_contexts,
    )
    from tuning.context.pair_hmm import PairHmm, pair_hmm
    from tuning.context.residues import LETTERS, OUTSIDE, UNKNOWN, Residues, read_residues
    from tuning.context.training import Course, Net, Settings, evaluate, train
    HAVE_NUMBA = True
except ImportError:
    HAVE_NUMBA = False

SCRIPT = ROOT / "scripts" / "train_context.py"
PARAMETERS = ROOT / "datasets" / "parameters" / "protein.json"


def family(seed: int) -> tuple[dict[str, str], dict[str, str]]:
    """(sequences, aligned rows) of three relatives: what follows W is kept, all else drifts."""
    source = random.Random(seed)
    letters = "ADEGKLSTV"
    ancestor = "".join("WCHPF"[k % 5] if k % 8 < 5 else source.choice(letters)
                       for k in range(24))
    rows = {}
    for name in "abc":
        row = [c if c in "WCHPF" else source.choice(letters) for c in ancestor]
        gap = source.randrange(5, 20)
        row[gap:gap + 2] = "--"
        rows[name] = "".join(row)
    return {name: row.replace("-", "") for name, row in rows.items()}, rows


@unittest.skipUnless(HAVE_NUMBA, "needs numpy, scipy and numba")
class TrainContextTest(HarnessTest):
    """The parts, and the script as a user runs it."""

    def data(self, count: int) -> Path:
        """Made-up families in the layout in/ beside ref/."""
        for k in range(count):
            for folder, rows in zip(("in", "ref"), family(k)):
                self.write(f"made/{folder}/f{k}",
                           "".join(f">{name}\n{row}\n" for name, row in rows.items()))
        return self.directory / "made"

    def script(self, *arguments: object, status: int = 0) -> "subprocess.CompletedProcess[str]":
        """Runs the script in the directory; the exit status must be `status`."""
        done = subprocess.run([sys.executable, str(SCRIPT), *map(str, arguments)],
                              cwd=self.directory, capture_output=True, text=True, timeout=300,
                              check=False)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        self.assertNotIn("Traceback", done.stderr)
        return done

    @staticmethod
    def hmm() -> "PairHmm":
        """The pair-HMM of the built-in parameter set."""
        return pair_hmm(json.loads(PARAMETERS.read_text(encoding="utf-8")), "protein.json")

    @staticmethod
    def lines(rows: int, columns: int, seed: int) -> list["kernels.Line"]:
        """Two sequences with openings of random factors."""
        drawn = np.random.default_rng(seed)
        return [kernels.line(drawn.normal(0, 1, size)) for size in (rows, columns)]

    def enumerated(self, odds: "np.ndarray", x: "kernels.Line",
                   y: "kernels.Line") -> list["np.ndarray"]:
        """Posteriors, and expected openings in x and y, from each alignment one by one."""
        hmm = self.hmm()
        end = hmm.gaps[:, 3]

        @cache
        def paths(i: int, j: int, state: tuple[str, int]) -> list[tuple[float, Any]]:
            """(weight, events) of every way on from a state with i and j residues behind."""
            found = []
            if (i, j) == odds.shape:
                found.append((hmm.match[2] if state[0] == "M" else end[state[1]], ()))
            moves = [("M", 0)] + [(s, k) for s in "XY" for k in range(len(hmm.gaps))]
            for move in moves:
                a, b = i + (move[0] != "Y"), j + (move[0] != "X")
                weight = self.step(hmm, state, move)
                if weight == 0 or a > odds.shape[0] or b > odds.shape[1]:
                    continue
                event: Any = ((0, (i, j)),)
                if move[0] == "M":
                    weight *= odds[i, j]
                else:
                    weight *= x.alone[i] if move[0] == "X" else y.alone[j]
                    event = ()
                    if state[0] == "M":  # residues of x alone are a gap in y
                        weight *= y.opening[j] if move[0] == "X" else x.opening[i]
                        event = ((2, j),) if move[0] == "X" else ((1, i),)
                found += [(weight * w, event + rest) for w, rest in paths(a, b, move)]
            return found

        counts = [np.zeros(odds.shape), np.zeros(len(x.opening)), np.zeros(len(y.opening))]
        total = 0.0
        for weight, events in paths(0, 0, ("S", 0)):
            total += weight
            for which, place in events:
                counts[which][place] += weight
        return [count / total for count in counts]

    def test_posteriors_are_those_of_all_alignments(self) -> None:
        """Of two short sequences: as the net is trained, with openings, and with a reference's
        pairs kept, where x begins with a gap."""
        hmm = self.hmm()
        odds = np.exp(np.random.default_rng(3).normal(0, 1, (5, 4)))
        bound, (x, y) = odds.copy(), self.lines(5, 4, 2)
        of_x, of_y = np.array([-1, -1, 0, 2, -1]), np.array([2, -1, 3, -1])
        openings.confine(bound, of_x, of_y, x, y)
        cases = [(odds, *(kernels.line(np.zeros(size)) for size in odds.shape)),
                 (odds, *self.lines(5, 4, 1)), (bound, x, y)]
        for cells, *both in cases:
            found = kernels.posteriors(cells, hmm.match, hmm.gaps, *both)
            for values, expected in zip(found, self.enumerated(cells, *both)):
                np.testing.assert_allclose(values, expected, rtol=1e-10)
        np.testing.assert_allclose(found[0][[2, 3], [0, 2]], 1)
        np.testing.assert_allclose(found[1][3], 1)  # y has a residue between the two pairs

    @staticmethod
    def log_total(cells: "np.ndarray", hmm: "PairHmm", x: "kernels.Line",
                  y: "kernels.Line") -> float:
        """Of all alignments."""
        return float(kernels.forward(cells, hmm.match, hmm.gaps, x, y, np.empty(cells.shape))[1])

    def test_expected_openings_are_slopes_of_the_total(self) -> None:
        """In the logarithm of the factor of each place, for more rows than share a factor."""
        hmm = self.hmm()
        odds = np.exp(np.random.default_rng(4).normal(0, 1, (11, 9)))
        both = self.lines(11, 9, 5)
        found = kernels.posteriors(odds, hmm.match, hmm.gaps, *both)[1:]
        for line, opened in zip(both, found):
            for p in range(1, len(opened) - 1):
                totals = []
                kept = line.opening[p]
                for step in (1e-5, -1e-5):
                    line.opening[p] = kept * math.exp(step)
                    totals.append(self.log_total(odds, hmm, *both))
                line.opening[p] = kept
                self.assertAlmostEqual((totals[0] - totals[1]) / 2e-5, opened[p], places=7)
            self.assertEqual(opened[0], 0)

    def test_the_gradient_of_openings_is_that_of_the_likelihood(self) -> None:
        """In the entries of letters and classes; unknown letters have none."""
        letters = np.array([0, 5, UNKNOWN, 9, 3, 0, 5, 8, 3], np.uint8)
        columns = np.array([0, 1, -1, 2, 3, 0, 1, 2, 3], np.int32)
        classes = np.array([0, 1, 1, 0, 2, 1, 2, 0, 0])
        pair = kernels.Pairs(*(np.array([value]) for value in (0, 5, 5, 4)))
        hmm, none = self.hmm(), np.zeros((9, 3))
        odds = np.exp(hmm.log_odds)
        start = np.random.default_rng(6).normal(0, 0.5, (2, UNKNOWN + 3))

        def before(tables: "np.ndarray") -> "np.ndarray":
            return log_openings(letters, classes, tables[:, :UNKNOWN], tables[:, UNKNOWN:])

        def likelihood(tables: "np.ndarray") -> float:
            """Logarithm of the probability of the reference's pairs."""
            cells = odds[letters[:5, None], letters[5:]]
            x, y = kernels.line(before(tables)[:5]), kernels.line(before(tables)[5:])
            total = self.log_total(cells, hmm, x, y)
            openings.confine(cells, *kernels.partners(columns[:5], columns[5:]), x, y)
            return self.log_total(cells, hmm, x, y) - total

        slope, _ = openings.gradients(letters, classes, columns, pair, odds, hmm.match, hmm.gaps,
                                      none, none, before(start))
        for seed in range(3):
            direction = np.random.default_rng(seed).normal(0, 1, start.shape)
            up, down = (likelihood(start + s * 1e-5 * direction) for s in (1, -1))
            self.assertAlmostEqual((up - down) / 2e-5 / 2, float((slope[0] * direction).sum()),
                                   places=6)  # divided by the root of four pairs

    def test_gaps_behind_a_letter_are_learnt(self) -> None:
        """Half of the sequences lack what follows some G. The tables have the mean 0."""
        drawn = random.Random(3)
        rows: list[tuple[str, list[int]]] = []
        for _ in range(4):
            source = "".join(drawn.choice("ADEKLSTV") for _ in range(14))
            source = source[:7] + "G" + source[7:]
            rows.append((source, list(range(15))))
            rows.append((source[:8] + source[10:], [*range(8), *range(10, 15)]))
        letters = np.array([LETTERS.index(c) for row, _ in rows for c in row], np.uint8)
        letters[0] = UNKNOWN
        first = np.cumsum([0] + [len(row) for row, _ in rows])
        data = Residues(letters, np.array([c for _, row in rows for c in row], np.int32), first,
                        np.arange(0, 9, 2))
        rule = Contexts(np.zeros((13, 22, 1), np.int64), np.zeros(1, np.int64),
                        np.zeros((2, 1), np.int64), np.array([1, 0]), np.zeros((2, 2)),
                        *no_openings(2))
        rule.window[6, :10] = 64  # class 1: one of the first ten letters
        rule.classes[1] = 1
        found = openings.train_openings(data, range(4), self.hmm(), rule,
                                        Course(epochs=4, draws=3, batch=2, rate=0.1, seed=1),
                                        lambda epoch, quality: None)
        behind = found.gap_letters[0]
        self.assertEqual(LETTERS[behind.argmax()], "G")
        self.assertGreater(behind.max(), 0.2)
        known, classes = letters[letters < UNKNOWN], rule.classes_of(data)
        self.assertEqual(set(classes), {0, 1})
        np.testing.assert_allclose(found.gap_letters[:, known].mean(axis=1), 0, atol=1e-4)
        np.testing.assert_allclose(found.gap_classes[:, classes].mean(axis=1), 0, atol=1e-4)
        self.assertTrue(found.gap_classes.any())
        place = 7  # behind the G of the first sequence
        self.assertAlmostEqual(found.log_openings(data)[place + 1], sum(
            found.gap_letters[side, letters[place + side]]
            + found.gap_classes[side, classes[place + side]] for side in range(2)))

    @staticmethod
    def step(hmm: "PairHmm", state: tuple[str, int], move: tuple[str, int]) -> float:
        """Weight of going from a state (S is the start) to another."""
        open_, stay, start, _ = hmm.gaps.T
        if state[0] == "S":
            return float(hmm.match[1] if move[0] == "M" else start[move[1]])
        if state[0] == "M":
            return float(hmm.match[0] if move[0] == "M" else open_[move[1]])
        if move[0] == "M":
            return float(1 - stay[state[1]])
        return float(stay[state[1]]) if move == state else 0.0

    def test_the_log_odds_are_those_of_accord(self) -> None:
        """ProbCons' odds from another file of the same table; a mixture; unknown letters."""
        parameters = {"residues": "protein", "pair_hmm": {
            "start_match": 0.6, "vtml200_share": 0, "sharpness": 1,
            "gap_classes": [{"open": 0.01, "stay": 0.5, "start": 0.2}]}}
        odds = pair_hmm(parameters, "test").log_odds
        lines = (ROOT / "datasets" / "parameters" / "protein_pairs.tsv").read_text().splitlines()
        rows = [line.split("\t") for line in lines if not line.startswith("#")][1:]
        pairs = np.zeros((20, 20))
        for k, row in enumerate(rows):
            pairs[k, :k + 1] = pairs[:k + 1, k] = [float(value) for value in row[1:]]
        background = pairs.sum(axis=0)
        np.testing.assert_allclose(odds[:20, :20],
                                   np.log(pairs / np.outer(background, background)), atol=1e-5)
        self.assertEqual("".join(row[0] for row in rows), LETTERS)
        self.assertFalse(odds[UNKNOWN].any() or odds[:, UNKNOWN].any())
        parameters["pair_hmm"]["vtml200_share"] = 1  # type: ignore[index]
        self.assertAlmostEqual(pair_hmm(parameters, "test").log_odds[1, 0], -2 * 0.2319)

    def test_the_gradient_is_that_of_the_likelihood(self) -> None:
        """Of a pair whose every residue is aligned; a step along it and one against it."""
        letters = np.array([0, 5, 9, 3, 0, 5, 8, 3], np.uint8)
        columns = np.tile(np.arange(4, dtype=np.int32), 2)
        pair = kernels.Pairs(*(np.array([value]) for value in (0, 4, 4, 4)))
        hmm, net = self.hmm(), Net(Settings(seed=2))
        slope, _ = kernels.gradients(letters, columns, pair, hmm.log_odds, hmm.match, hmm.gaps,
                                     net.vector, net.shape)
        slope = slope[0] * math.sqrt(4)  # it is divided by the root of the aligned pairs
        data = Residues(letters, columns, np.array([0, 4, 8]), np.array([0, 2]))
        net.vector[:net.in_table] = 0

        def likelihood(vector: "np.ndarray") -> float:
            """Logarithm of the probability of the diagonal among all alignments."""
            net.vector[:] = vector
            left, right = net.features(data)
            odds = np.exp(hmm.log_odds + net.table)[letters[:4, None], letters[4:]] * np.exp(
                left[:4] @ right[4:].T)
            total = self.log_total(odds, hmm, *(kernels.line(np.zeros(4)) for _ in "xy"))
            return float(np.log(odds.diagonal()).sum() + 3 * math.log(hmm.match[0])
                         + 2 * math.log(hmm.match[1]) - total)

        start, random_ = net.vector.copy(), np.random.default_rng(5)
        for _ in range(4):
            direction = random_.normal(0, 1, len(start))
            direction[:net.in_table] = 0  # pairs of equal letters count there twice
            up, down = (likelihood(start + s * 1e-5 * direction) for s in (1, -1))
            self.assertAlmostEqual((up - down) / 2e-5, float(slope @ direction), places=3)

    def test_training_raises_the_likelihood(self) -> None:
        """Of the families that it sees: with the net, and with classes at least a little."""
        data = read_residues(find_members([self.data(6)], {}))
        self.assertEqual((len(data.first) - 1, len(data.family_first) - 1), (18, 6))
        hmm, chosen = self.hmm(), list(range(6))
        met: list[float] = []
        net = train(data, chosen, hmm, Settings(epochs=6, rate=0.03, decay=1e-3),
                    lambda epoch, quality: met.append(quality.log_posterior))
        self.assertEqual(len(met), 6)
        contexts = contexts_of(net, data, chosen, 3, 1)
        plain = evaluate(data, chosen, hmm, hmm.log_odds)
        trained = evaluate(data, chosen, hmm, hmm.log_odds + net.table, net.features(data))
        classed = evaluate(data, chosen, hmm, hmm.log_odds, contexts.features(data))
        self.assertEqual(plain.pairs, trained.pairs)
        self.assertGreater(trained.log_posterior, plain.log_posterior + 0.02)
        self.assertGreater(trained.posterior, plain.posterior)
        self.assertGreater(classed.log_posterior, plain.log_posterior)
        np.testing.assert_array_equal(contexts.features(data, 0.5)[0],
                                      contexts.features(data)[0] / 2)
        check(contexts)
        with self.assertRaises(OverflowError):
            check(contexts._replace(window=contexts.window + 40000))

    def test_the_class_is_that_of_the_nearest_centroid(self) -> None:
        """The linear rule in integers, but for residues that lie between two of them."""
        letters = np.random.default_rng(1).integers(0, UNKNOWN + 1, 400).astype(np.uint8)
        data = Residues(letters, letters, np.array([0, 150, 400]), np.array([0, 2]))
        net = Net(Settings(seed=4))
        net.window *= 4
        net.output[:, -1] = 0.3
        values = net.embeddings(data)
        scale = np.append(values[:, :-1].std(axis=0), 1.0)
        centroids = values[::70]
        distances = (((values[:, None] - centroids) * scale) ** 2).sum(axis=2)
        contexts = linear_rule(net, centroids, scale)
        chosen = contexts.classes_of(data)
        nearest = np.sort(distances, axis=1)
        sure = nearest[:, 1] - nearest[:, 0] > 0.1 * nearest[:, 1]
        self.assertGreater(sure.sum(), 200)
        np.testing.assert_array_equal(chosen[sure], distances.argmin(axis=1)[sure])
        self.assertEqual(OUTSIDE, contexts.window.shape[1] - 1)

    def test_the_file(self) -> None:
        """Shape and ranges, the same for the same seed, what it says of families held out, and
        gap openings for the classes of a file."""
        common: list[object] = [self.data(6), "--half", "all", "--classes", "4", "--epochs", "1",
                                "--gap-epochs", "1", "--hold-out", "0.5", "--subset", "2",
                                "-j", "1"]
        done = self.script(*common, "-o", "a/protein_context.json", status=2)
        self.assertIn("a is not a directory", done.stderr)
        share = json.loads(PARAMETERS.read_text(encoding="utf-8"))["pair_hmm"]["context_share"]
        texts = []
        for seed, name in ((1, "a.json"), (1, "b.json"), (2, "c.json")):
            done = self.script(*common, "-o", name, "--seed", seed)
            texts.append((self.directory / name).read_text(encoding="utf-8"))
            self.assertIn("1 families to train on, 1 held out", done.stderr)
            for line in ("trained on, without contexts", "held out, with 0.6 of the classes",
                         f"held out, with {share:g} of the classes' log odds and 0.5 of the gap"):
                self.assertIn(line, done.stdout)
        values = [json.loads(text) for text in texts]
        self.assertEqual(texts[0].replace('"a"', '"b"', 1), texts[1])
        self.assertNotEqual(values[0]["window"], values[2]["window"])
        found = values[0]
        self.assertEqual(list(found), ["name", "source", "residues", "radius", "hidden", "limit",
                                       "window", "bias", "classes", "class_bias", "log_odds",
                                       "gap_letters", "gap_classes"])
        self.assertEqual([found[key] for key in ("name", "residues", "radius", "hidden", "limit")],
                         ["a", "protein", 6, 16, 64])
        self.assertEqual([len(found[key]) for key in ("window", "bias", "classes", "class_bias")],
                         [13 * 22 * 16, 16, 4 * 16, 4])
        for key in ("window", "bias", "classes", "class_bias"):
            self.assertTrue(all(isinstance(value, int) for value in found[key]))
        self.assertLessEqual(max(map(abs, found["window"] + found["classes"])), 32767)
        table = found["log_odds"]
        self.assertEqual([len(row) for row in table], [4] * 4)
        self.assertEqual(table, [list(column) for column in zip(*table)])
        self.assertTrue(all(value == round(value, 4) for row in table for value in row))
        self.assertEqual([len(row) for key in ("gap_letters", "gap_classes") for row in found[key]],
                         [20, 20, 4, 4])
        self.assertLessEqual(max(len(line) for line in texts[0].splitlines()
                                 if '"source"' not in line), 100)
        done = self.script(*common, "-o", "d.json", "--classes-of", "a.json")
        self.assertNotIn("with the net", done.stdout)
        again = json.loads((self.directory / "d.json").read_text(encoding="utf-8"))
        self.assertEqual([again[key] for key in list(again)[2:]],
                         [found[key] for key in list(found)[2:]])
        net, gaps = found["source"].split(" Gap openings: ")
        self.assertTrue(again["source"].startswith(f"{net} Gap openings: scripts/train_context.py"))
        self.assertIn("by the same command", gaps)
        self.assertIn("--classes-of a.json", again["source"])

    def test_a_file_is_read_back(self) -> None:
        """The built-in one: written again, it is the same but for its layout."""
        built_in = ROOT / "datasets" / "parameters" / "protein_context.json"
        contexts, source = read_contexts(built_in)
        write_contexts(self.directory / "protein_context.json", contexts, source)
        again, source_again = read_contexts(self.directory / "protein_context.json")
        for values, expected in zip(again, contexts):
            np.testing.assert_array_equal(values, expected)
        self.assertEqual(source_again, source)
        fields = json.loads(built_in.read_text(encoding="utf-8"))
        written = json.loads((self.directory / "protein_context.json").read_text(encoding="utf-8"))
        self.assertEqual({**fields, "name": "protein_context"}, written)

    def test_mistakes_are_explained(self) -> None:
        """Not a parameter set, a reference of other sequences, no proteins."""
        data = self.data(2)
        bad = self.write("bad.json", "{}")
        common: list[object] = [data, "--half", "all", "-o", "x.json"]
        self.assertIn("not a parameter set", self.script(*common, "--parameters", bad,
                                                         status=2).stderr)
        with self.assertRaisesRegex(BenchmarkError, "not a file of contexts"):
            read_contexts(bad)
        self.write("made/in/f1", ">a\nACDEFG\n>b\nACDEFG\n>c\nACD\n")
        self.assertIn("does not have the 22 residues", self.script(*common, status=2).stderr)
        for folder in ("in", "ref"):
            self.write(f"rna/{folder}/f", ">a\nACGUACGU\n>b\nACGUACGU\n")
        self.assertIn("no family of proteins", self.script("rna", "--half", "all", "-o", "x.json",
                                                           status=2).stderr)
        self.assertFalse((self.directory / "x.json").exists())


if __name__ == "__main__":
    unittest.main()
