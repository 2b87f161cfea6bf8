"""scripts/train_context.py: posteriors against an enumeration, classes, and the script itself."""
import json
import math
import os
import random
import subprocess
import sys
import unittest
from functools import lru_cache
from pathlib import Path
from typing import Any, Dict, List, Tuple

from support import ROOT, HarnessTest

from tuning.families import find_members

# Compiling takes longer than these tests do; must stand before numba is imported.
os.environ["NUMBA_DISABLE_JIT"] = "1"

try:
    import numpy as np
    from tuning.context import kernels
    from tuning.context.classes import check, contexts_of, linear_rule
    from tuning.context.pair_hmm import PairHmm, pair_hmm
    from tuning.context.residues import LETTERS, OUTSIDE, UNKNOWN, Residues, \
        read_residues
    from tuning.context.training import Net, Settings, evaluate, train
    HAVE_NUMBA = True
except ImportError:
    HAVE_NUMBA = False

SCRIPT = ROOT / "scripts" / "train_context.py"
PARAMETERS = ROOT / "datasets" / "parameters" / "protein.json"


def family(seed: int) -> Tuple[Dict[str, str], Dict[str, str]]:
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

    def test_posteriors_are_those_of_all_alignments(self) -> None:
        """Each alignment of two short sequences, one by one."""
        hmm = self.hmm()
        odds = np.exp(np.random.default_rng(3).normal(0, 1, (5, 4)))
        end = hmm.gaps[:, 3]

        @lru_cache(maxsize=None)
        def paths(i: int, j: int, state: Tuple[str, int]) -> List[Tuple[float, Any]]:
            """(weight, matches) of every way on from a state with i and j residues behind."""
            found = []
            if (i, j) == odds.shape:
                found.append((hmm.match[2] if state[0] == "M" else end[state[1]], ()))
            moves = [("M", 0)] + [(s, k) for s in "XY" for k in range(len(hmm.gaps))]
            for move in moves:
                a, b = i + (move[0] != "Y"), j + (move[0] != "X")
                weight = self.step(hmm, state, move)
                if weight == 0 or a > odds.shape[0] or b > odds.shape[1]:
                    continue
                cell = ((i, j),) if move[0] == "M" else ()
                weight *= odds[i, j] if cell else 1
                found += [(weight * w, cell + rest) for w, rest in paths(a, b, move)]
            return found

        expected, total = np.zeros(odds.shape), 0.0
        for weight, matches in paths(0, 0, ("S", 0)):
            total += weight
            for cell in matches:
                expected[cell] += weight
        found = kernels.posteriors(odds, hmm.match, hmm.gaps)
        np.testing.assert_allclose(found, expected / total, rtol=1e-10)

    @staticmethod
    def step(hmm: "PairHmm", state: Tuple[str, int], move: Tuple[str, int]) -> float:
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
            values = np.empty(odds.shape)
            _, total = kernels.forward(odds, hmm.match, hmm.gaps, values)
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
        met: List[float] = []
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
        """Shape and ranges, the same for the same seed, and what it says of families held out."""
        common: List[object] = [self.data(6), "--half", "all", "--classes", "4", "--epochs", "1",
                                "--hold-out", "0.5", "--subset", "4", "-j", "1"]
        done = self.script(*common, "-o", "a/protein_context.json", status=2)
        self.assertIn("a is not a directory", done.stderr)
        texts = []
        for seed, name in ((1, "a.json"), (1, "b.json"), (2, "c.json")):
            done = self.script(*common, "-o", name, "--seed", seed)
            texts.append((self.directory / name).read_text(encoding="utf-8"))
            self.assertIn("2 families to train on, 2 held out", done.stderr)
            for line in ("trained on, without contexts", "held out, with 0.6 of the classes"):
                self.assertIn(line, done.stdout)
        values = [json.loads(text) for text in texts]
        self.assertEqual(texts[0].replace('"a"', '"b"', 1), texts[1])
        self.assertNotEqual(values[0]["window"], values[2]["window"])
        found = values[0]
        self.assertEqual(list(found), ["name", "source", "residues", "radius", "hidden", "limit",
                                       "window", "bias", "classes", "class_bias", "log_odds"])
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
        self.assertLessEqual(max(len(line) for line in texts[0].splitlines()
                                 if '"source"' not in line), 100)

    def test_mistakes_are_explained(self) -> None:
        """Not a parameter set, a reference of other sequences, no proteins."""
        data = self.data(2)
        bad = self.write("bad.json", "{}")
        common: List[object] = [data, "--half", "all", "-o", "x.json"]
        self.assertIn("not a parameter set", self.script(*common, "--parameters", bad,
                                                         status=2).stderr)
        self.write("made/in/f1", ">a\nACDEFG\n>b\nACDEFG\n>c\nACD\n")
        self.assertIn("does not have the 22 residues", self.script(*common, status=2).stderr)
        for folder in ("in", "ref"):
            self.write(f"rna/{folder}/f", ">a\nACGUACGU\n>b\nACGUACGU\n")
        self.assertIn("no family of proteins", self.script("rna", "--half", "all", "-o", "x.json",
                                                           status=2).stderr)
        self.assertFalse((self.directory / "x.json").exists())


if __name__ == "__main__":
    unittest.main()
