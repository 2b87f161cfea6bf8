"""scripts/training/tune.py: halves, and a search on simulated families."""
import json
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

from support import ACCORD, ROOT, TRAINING, HarnessTest

# isort: split
from benchmark import halves
from benchmark.datasets import Family, find_families
from tuning.evaluation import Score, key, objective
from tuning.space import SPACES, load_space

try:
    import cmaes  # noqa: F401  pylint: disable=unused-import
    import numpy  # noqa: F401  pylint: disable=unused-import
    HAVE_CMAES = True
except ImportError:
    HAVE_CMAES = False

TUNE = TRAINING / "tune.py"
SIMULATED = ROOT / "datasets" / "simulated"
KNOWN = halves.read()
KNOWN_RULE = "see 'Training and test halves' in docs/development/tuning.md"
LARGE = ("homfam", "quantest2", "balifam1000", "balifam10000")
SMALL = ("twilight_6", "swapped_6", "fragments_8", "easy_8")


class TuneTest(HarnessTest):
    """The parts, and the script as a user runs it."""

    def tune(self, *arguments: object, status: int = 0) -> "subprocess.CompletedProcess[str]":
        """Runs the script in the directory; the exit status must be `status`."""
        done = subprocess.run([sys.executable, str(TUNE), "--accord", ACCORD,
                               *map(str, arguments)], cwd=self.directory, capture_output=True,
                              text=True, timeout=300, check=False)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        self.assertNotIn("Traceback", done.stderr)
        return done

    def data(self) -> Path:
        """A few simulated families."""
        directory = self.directory / "data"
        directory.mkdir()
        for name in SMALL:
            for suffix in (".fa", ".true.fa"):
                shutil.copy(SIMULATED / (name + suffix), directory)
        return directory

    def test_halves_follow_from_places(self) -> None:
        """Sorted names of each group, counted from 0; the file has nothing else of small sets."""
        family = [Family("s", group, name, Path(name), None)
                  for group, name in (("g", "b"), ("g", "a"), ("h", "c"), ("g", "d"))]
        self.assertEqual(halves.by_place(family), {
            ("s", "g", "a"): "test", ("s", "g", "b"): "training", ("s", "g", "d"): "test",
            ("s", "h", "c"): "test"})
        known = {key: half for key, half in KNOWN.items() if key[0] not in LARGE}
        self.assertEqual(known, halves.by_place(
            [Family(*key, Path(), None) for key in known]), KNOWN_RULE)
        data = find_families(self.data())
        self.assertEqual([f.name for f in halves.of_half(
            data, "test", {("data", "data", "easy_8"): "test"})], ["easy_8", "swapped_6"])
        self.assertEqual(halves.of_half(data, "all", {}), data)

    def test_halves_of_large_families(self) -> None:
        """Of each set one half has as many as the other; namesakes are in one half, but for
        kunitz, which was in both before."""
        sets = {name: {family: half for (one, _, family), half in KNOWN.items() if one == name}
                for name in LARGE}
        self.assertEqual([len(found) for found in sets.values()], [47, 81, 28, 3], KNOWN_RULE)
        for found in sets.values():
            self.assertLessEqual(abs(2 * list(found.values()).count("test") - len(found)), 1)
        both = sets["homfam"].keys() & sets["quantest2"].keys()
        self.assertEqual(sorted(both), ["Rhodanese", "Sulfotransfer", "cys", "kunitz", "tim"])
        for name in both - {"kunitz"}:
            self.assertEqual(sets["homfam"][name], sets["quantest2"][name], name)
        for name, half in sets["balifam10000"].items():
            self.assertEqual(sets["balifam1000"][name.replace("10000", "1000")], half, name)

    def test_the_objective_weighs_sets_and_groups_alike(self) -> None:
        """However many families they have."""
        moved = [Family(name, group, str(k), Path(), None) for k, (name, group) in
                 enumerate([("a", "x"), ("a", "x"), ("a", "y"), ("b", "b")])]
        values = [Score(k, 10, k, 10) for k in (2, 4, 9, 10)]
        scores = {key(family): score for family, score in zip(moved, values)}
        whole, by_set = objective(moved, scores)
        self.assertAlmostEqual(by_set["a"], (0.3 + 0.9) / 2)
        self.assertAlmostEqual(whole, (0.6 + 1.0) / 2)

    def test_every_space_decodes_to_parameters_that_accord_takes(self) -> None:
        """At the start, and a step away in every direction."""
        for path in sorted(SPACES.glob("*.json")):
            residues = "nucleotide" if "nucleotide" in path.stem else "protein"
            start = json.loads(subprocess.run([ACCORD, "help", f"parameters-{residues}"],
                                              capture_output=True, text=True, check=True).stdout)
            space = load_space(path.stem, start)
            family = SIMULATED / ("dna_8.fa" if residues == "nucleotide" else "easy_8.fa")
            for sign in (0, 1, -1):
                point = [m + sign * a.step for m, a in zip(space.mean, space.axes)]
                parameters = self.write("p.json", json.dumps(space.parameters(point)))
                done = subprocess.run([ACCORD, "check", str(family), "--parameters",
                                       str(parameters)], capture_output=True, text=True,
                                      check=False)
                self.assertEqual(done.returncode, 0, f"{path.stem} {sign}: {done.stderr}")

    @unittest.skipUnless(HAVE_CMAES, "needs cmaes")
    def test_a_search_goes_on_where_it_was(self) -> None:
        """Two generations of one call and two of two calls are the same search."""
        data = self.data()
        common: list[object] = [data, "--space", "family", "--population", "4", "--half", "all"]
        self.tune(*common, "-o", "whole", "--generations", "2", "--workers", "2")
        for _ in range(2):
            self.tune(*common, "-o", "parts", "--generations", "1")
        log = [line.split("\t") for line in (self.directory / "whole" / "log.tsv").read_text()
               .splitlines()]
        self.assertEqual(len(log), 9)
        self.assertEqual(log[0][:5], ["evaluation", "generation", "seconds", "objective", "data"])
        for name in ("best.json", "mean.json"):
            texts = [(self.directory / out / name).read_text() for out in ("whole", "parts")]
            values = [json.loads(text) for text in texts]
            self.assertEqual(values[0]["consistency"], values[1]["consistency"])
            self.assertIn("8 evaluations" if name == "mean.json" else "evaluations",
                          values[0]["source"])
        best = max(float(line[3]) for line in log[1:])
        self.assertIn(f"the best of the search, {best:.5f}",
                      json.loads((self.directory / "whole" / "best.json").read_text())["source"])
        self.tune(data, "-o", "whole", "--space", "pair", "--generations", "1", status=2)

    def test_mistakes_are_explained(self) -> None:
        """No reference, no space."""
        plain = self.write("plain/a.fa", ">a\nACD\n").parent
        self.assertIn("no family with a reference", self.tune(plain, "-o", "o", status=2).stderr)
        data = self.data()
        self.assertIn("no search space", self.tune(data, "-o", "o", "--space", "x",
                                                   status=2).stderr)


if __name__ == "__main__":
    unittest.main()
