"""train_context.py: posteriors and gap openings against an enumeration, gradients against
differences, classes, and the script itself."""
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
from unittest import mock

from benchmark.errors import BenchmarkError
from support import RESEARCH, ROOT, HarnessTest
from tuning.families import find_members

# Compiling takes longer than these tests do; must stand before numba is imported.
os.environ["NUMBA_DISABLE_JIT"] = "1"

try:
    import numpy as np
    from tuning.context import classes, kernels, structure, training
    from tuning.context.classes import Contexts, check, read_contexts, write_contexts
    from tuning.context.pair_hmm import PairHmm, pair_hmm
    from tuning.context.residues import LETTERS, OUTSIDE, UNKNOWN, Residues, read_residues
    HAVE_NUMBA = True
except ImportError:
    HAVE_NUMBA = False

SCRIPT = RESEARCH / "train_context.py"
PARAMETERS = ROOT / "datasets" / "parameters" / "protein.json"
BUILT_IN = ROOT / "datasets" / "parameters" / "protein_context.json"


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

    def chains(self) -> Path:
        """Made-up chains in which A, D and E are helix, K and L strand, and all else other."""
        drawn = random.Random(5)
        rows = ["chain\tset\tguarded\tsequence\tstructure\tmask"]
        for k, (kind, guarded) in enumerate([("train", "no")] * 6 + [("test", "no"),
                                                                     ("train", "yes")]):
            letters = "".join(drawn.choice("ADEGKLSTV") for _ in range(40))
            states = "".join("H" if c in "ADE" else "E" if c in "KL" else "C" for c in letters)
            rows.append(f"c{k}\t{kind}\t{guarded}\t{letters}\t{states}\t" + "1" * 39 + "0")
        return self.write("chains.tsv", "\n".join(rows) + "\n")

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
    def drawn_factors(rows: int, columns: int, seed: int) -> list["np.ndarray"]:
        """Two sequences with openings of random factors."""
        drawn = np.random.default_rng(seed)
        return [kernels.factors(drawn.normal(0, 1, size)) for size in (rows, columns)]

    def enumerated(self, odds: "np.ndarray", open_x: "np.ndarray",
                   open_y: "np.ndarray") -> list["np.ndarray"]:
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
                    event = ()
                    if state[0] == "M":  # residues of x alone are a gap in y
                        weight *= open_y[j] if move[0] == "X" else open_x[i]
                        event = ((2, j),) if move[0] == "X" else ((1, i),)
                found += [(weight * w, event + rest) for w, rest in paths(a, b, move)]
            return found

        counts = [np.zeros(odds.shape), np.zeros(len(open_x)), np.zeros(len(open_y))]
        total = 0.0
        for weight, events in paths(0, 0, ("S", 0)):
            total += weight
            for which, place in events:
                counts[which][place] += weight
        return [count / total for count in counts]

    def test_posteriors_are_those_of_all_alignments(self) -> None:
        """Of two short sequences, without and with factors of openings."""
        hmm = self.hmm()
        odds = np.exp(np.random.default_rng(3).normal(0, 1, (5, 4)))
        for both in ([kernels.factors(np.zeros(size)) for size in odds.shape],
                     self.drawn_factors(5, 4, 1)):
            found = kernels.posteriors(odds, hmm.match, hmm.gaps, *both)
            for values, expected in zip(found, self.enumerated(odds, *both)):
                np.testing.assert_allclose(values, expected, rtol=1e-10)

    @staticmethod
    def log_total(cells: "np.ndarray", hmm: "PairHmm", open_x: "np.ndarray",
                  open_y: "np.ndarray") -> float:
        """Of all alignments."""
        return float(kernels.forward(cells, hmm.match, hmm.gaps, open_x, open_y,
                                     np.empty(cells.shape))[1])

    def test_expected_openings_are_slopes_of_the_total(self) -> None:
        """In the logarithm of the factor of each place, for more rows than share a factor."""
        hmm = self.hmm()
        odds = np.exp(np.random.default_rng(4).normal(0, 1, (11, 9)))
        both = self.drawn_factors(11, 9, 5)
        found = kernels.posteriors(odds, hmm.match, hmm.gaps, *both)[1:]
        for opening, opened in zip(both, found):
            for p in range(1, len(opened) - 1):
                totals = []
                kept = opening[p]
                for step in (1e-5, -1e-5):
                    opening[p] = kept * math.exp(step)
                    totals.append(self.log_total(odds, hmm, *both))
                opening[p] = kept
                self.assertAlmostEqual((totals[0] - totals[1]) / 2e-5, opened[p], places=7)
            self.assertEqual(opened[0], 0)

    @staticmethod
    def rule(size: "kernels.Size", seed: int) -> "np.ndarray":
        """A vector of random numbers whose log odds are symmetric."""
        drawn = np.random.default_rng(seed)
        vector = drawn.normal(0, 0.3, kernels.length_of(size))
        log_odds = kernels.views_of(vector, size).log_odds
        log_odds[:] = (log_odds + log_odds.T) / 2
        return vector

    def test_the_gradient_is_that_of_the_mean_posterior(self) -> None:
        """In all that is trained; at the temperature 0 in the tables alone."""
        letters = np.array([0, 5, UNKNOWN, 9, 3, 0, 5, 8, 3], np.uint8)
        columns = np.array([0, 1, -1, 2, 3, 0, 1, 2, 3], np.int32)
        pair = kernels.Pairs(*(np.array([value]) for value in (0, 5, 5, 4)))
        hmm, size = self.hmm(), kernels.Size(2, 3, 3)

        def found(vector: "np.ndarray", temperature: float) -> tuple["np.ndarray", float]:
            slopes, quality = kernels.gradients(letters, columns, pair, np.exp(hmm.log_odds),
                                                hmm.match, hmm.gaps, vector, size, temperature)
            self.assertEqual(quality[0, 0], 4)
            return slopes[0], float(quality[0, 1])

        start = self.rule(size, 1)
        for temperature in (0.5, 0.0):
            with mock.patch.object(kernels, "STEP", 1e-5):
                slope, _ = found(start, temperature)
            kernels.views_of(slope, size).log_odds[:] /= 2  # each pair counts on both sides
            for seed in range(2, 5):
                direction = self.rule(size, seed)
                if temperature == 0:
                    rule = kernels.views_of(direction, size)
                    rule.window[:] = rule.bias[:] = rule.classes[:] = rule.class_bias[:] = 0
                up, down = (found(start + s * 1e-5 * direction, temperature)[1] for s in (1, -1))
                self.assertAlmostEqual((up - down) / 2e-5, float(slope @ direction), places=5)
        self.assertFalse(kernels.views_of(slope, size).window.any())

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
        given = Contexts(np.zeros((13, 22, 1), np.int64), np.zeros(1, np.int64),
                         np.zeros((2, 1), np.int64), np.array([1, 0]), np.zeros((2, 2)),
                         np.zeros((2, UNKNOWN)), np.zeros((2, 2)))
        given.window[6, :10] = 64  # class 1: one of the first ten letters
        given.classes[1] = 2
        vector, size = given.rule()
        with mock.patch.object(training, "WARM_UP", 1):
            training.train(data, range(4), self.hmm(), vector, size,
                           training.Course(epochs=10, first_temperature=0, rate=0.01),
                           classes.frequencies_of(given, data), lambda epoch, quality: None)
        found = classes.with_tables(given, kernels.views_of(vector, size))
        behind = found.gap_letters[0]
        self.assertEqual(LETTERS[behind.argmax()], "G")
        self.assertGreater(behind.max(), 0.2)
        known, of_all = letters[letters < UNKNOWN], found.classes_of(data)
        self.assertEqual(set(of_all), {0, 1})
        np.testing.assert_array_equal(of_all, given.classes_of(data))
        np.testing.assert_allclose(found.gap_letters[:, known].mean(axis=1), 0, atol=1e-4)
        np.testing.assert_allclose(found.gap_classes[:, of_all].mean(axis=1), 0, atol=1e-4)
        self.assertTrue(found.gap_classes.any() and found.log_odds.any())
        place = 7  # behind the G of the first sequence
        self.assertAlmostEqual(found.log_openings(data)[place + 1], sum(
            found.gap_letters[side, letters[place + side]]
            + found.gap_classes[side, of_all[place + side]] for side in range(2)))

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

    def test_training_raises_the_posteriors(self) -> None:
        """Of the families that it sees; the most frequent class comes first."""
        data, members = read_residues(find_members([self.data(3)], {}))
        self.assertEqual((len(data.first) - 1, len(data.family_first) - 1, len(members)), (9, 3, 3))
        hmm, chosen, size = self.hmm(), list(range(3)), kernels.Size(2, 8, 3)
        vector = self.rule(size, 4)
        rule = kernels.views_of(vector, size)
        rule.log_odds[:] = rule.gap_letters[:] = rule.gap_classes[:] = 0
        rule.window[:] *= 3
        met: list[float] = []
        with mock.patch.object(training, "WARM_UP", 1):
            training.train(data, chosen, hmm, vector, size, training.Course(epochs=20, rate=0.03),
                           None, lambda epoch, quality: met.append(quality.posterior))
        self.assertEqual(len(met), 20)
        contexts = classes.in_integers(rule, data)
        of_all = contexts.classes_of(data)
        plain, trained = (training.evaluate(
            data, chosen, hmm, of_all, share * contexts.log_odds,
            share * contexts.log_openings(data)) for share in (0, 1))
        self.assertEqual(plain.pairs, trained.pairs)
        self.assertEqual(plain.pairs, 9)
        self.assertGreater(trained.posterior, plain.posterior + 0.01)
        self.assertEqual(sorted(np.bincount(of_all, minlength=3))[::-1],
                         list(np.bincount(of_all, minlength=3)))
        with self.assertRaises(OverflowError):
            check(contexts._replace(window=contexts.window + 40000))

    def test_the_first_class_is_that_of_the_nearest_centroid(self) -> None:
        """As a rule and in integers, but for residues that lie between two of them."""
        letters = np.random.default_rng(1).integers(0, UNKNOWN + 1, 400).astype(np.uint8)
        data = Residues(letters, letters, np.array([0, 150, 400]), np.array([0, 2]))
        drawn = np.random.default_rng(4)
        net = structure.StateNet(*(drawn.normal(0, 0.5, shape).astype(np.float32) for shape in
                                   ((5, 22, 6), (6,), (6, 3), (3,))))
        values = structure.logits(net, data)
        centroids = classes.centroids_of(values, data, [0], 4, 1)
        vector, size = classes.first_rule(net, centroids)
        rule = kernels.views_of(vector, size)
        distances = ((values[:, None] - centroids) ** 2).sum(axis=2)
        chosen = np.concatenate([kernels.memberships(
            kernels.window_sums(letters[a:b], rule.window, rule.bias), rule.classes,
            rule.class_bias, 0.0) for a, b in ((0, 150), (150, 400))])
        np.testing.assert_array_equal(chosen.argmax(axis=1), distances.argmin(axis=1))
        order = np.argsort(-np.bincount(distances.argmin(axis=1), minlength=4), kind="stable")
        nearest = np.sort(distances, axis=1)
        sure = nearest[:, 1] - nearest[:, 0] > 0.1 * nearest[:, 1]
        self.assertGreater(sure.sum(), 200)
        found = classes.in_integers(rule, data).classes_of(data)
        np.testing.assert_array_equal(order[found[sure]], distances.argmin(axis=1)[sure])
        self.assertEqual(OUTSIDE, rule.window.shape[1] - 1)

    def test_the_net_of_states_learns_them(self) -> None:
        """Of chains whose states follow from their letters; guarded ones are not read."""
        chains, tested = structure.read_chains(self.chains())
        self.assertEqual((len(chains.first), len(tested.first), len(chains.letters)), (7, 2, 240))
        self.assertEqual((chains.states == structure.UNSEEN).sum(), 6)
        lines: list[str] = []
        with mock.patch.object(structure, "BATCH", 2):
            structure.train_states(chains, tested, structure.Course(
                radius=1, hidden=8, epochs=40, rate=0.3), lambda epoch, what: lines.append(what))
        self.assertEqual(len(lines), 40)
        self.assertGreater(float(lines[-1].split()[2]), 0.9)
        with self.assertRaisesRegex(BenchmarkError, "not a table of secondary structure"):
            structure.read_chains(self.write("no.tsv", "a\tb\n1\t2\n"))
        with self.assertRaisesRegex(BenchmarkError, "differ in length"):
            structure.read_chains(self.write(
                "cut.tsv", "set\tguarded\tsequence\tstructure\tmask\ntrain\tno\tACD\tHH\t11\n"))

    def test_the_file(self) -> None:
        """Shape and ranges, the same for the same seed, what it says of families held out, and
        gap openings for the classes of a file."""
        common: list[object] = [self.data(6), "--half", "all", "--table-epochs", "1", "--hold-out",
                                "0.5", "--subset", "2", "-j", "1"]
        of_net: list[object] = ["--chains", self.chains(), "--classes", "4", "--state-epochs", "1",
                                "--epochs", "1"]
        done = self.script(*common, "-o", "a/protein_context.json", status=2)
        self.assertIn("a is not a directory", done.stderr)
        share = json.loads(PARAMETERS.read_text(encoding="utf-8"))["pair_hmm"]["context_share"]
        texts = []
        for seed, name in ((1, "a.json"), (1, "b.json"), (2, "c.json")):
            done = self.script(*common, *of_net, "-o", name, "--seed", seed)
            texts.append((self.directory / name).read_text(encoding="utf-8"))
            self.assertIn("1 families to train on, 1 held out", done.stderr)
            for line in ("trained on, made, with 0 of the", "held out, made, with 0.6 of the",
                         f"held out, made, with {share:g} of the classes' log odds and 0.5 of the"):
                self.assertIn(line, done.stdout)
        values = [json.loads(text) for text in texts]
        self.assertEqual(texts[0].replace('"a"', '"b"', 1), texts[1])
        self.assertNotEqual(values[0]["window"], values[2]["window"])
        found = values[0]
        self.assertEqual(list(found), ["name", "source", "residues", "radius", "hidden", "limit",
                                       "window", "bias", "classes", "class_bias", "log_odds",
                                       "gap_letters", "gap_classes"])
        self.assertEqual([found[key] for key in ("name", "residues", "radius", "hidden", "limit")],
                         ["a", "protein", 10, 64, 64])
        self.assertEqual([len(found[key]) for key in ("window", "bias", "classes", "class_bias")],
                         [21 * 22 * 64, 64, 4 * 64, 4])
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
        self.script(*common, "-o", "d.json")
        again = json.loads((self.directory / "d.json").read_text(encoding="utf-8"))
        built_in = json.loads(BUILT_IN.read_text(encoding="utf-8"))
        for key in ("window", "bias", "classes", "class_bias"):
            self.assertEqual(again[key], built_in[key])
        self.assertNotEqual(again["log_odds"], built_in["log_odds"])
        self.assertIn("the chains of chains.tsv", found["source"])
        self.assertIn("the classes of protein_context.json", again["source"])

    def test_a_file_is_read_back(self) -> None:
        """The built-in one: written again, it is the same but for its layout."""
        contexts, source = read_contexts(BUILT_IN)
        write_contexts(self.directory / "protein_context.json", contexts, source)
        again, source_again = read_contexts(self.directory / "protein_context.json")
        for values, expected in zip(again, contexts):
            np.testing.assert_array_equal(values, expected)
        self.assertEqual(source_again, source)
        fields = json.loads(BUILT_IN.read_text(encoding="utf-8"))
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
