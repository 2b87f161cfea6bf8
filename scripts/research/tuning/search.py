"""CMA-ES (Hansen & Ostermeier 2001) over a space of parameters, that can be interrupted."""
import base64
import json
import os
import pickle
import queue
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Optional

import numpy as np
from benchmark.errors import BenchmarkError
from cmaes import CMA

from .evaluation import Evaluation, Evaluator
from .space import Space, get

SIGMA = 1.0  # the steps of the axes are in the first covariance


class Search:  # pylint: disable=too-many-instance-attributes
    """A search whose state is in a directory: state.json, log.tsv, best.json and mean.json."""

    def __init__(self, space: Space, out: Path, population: Optional[int], seed: int,
                 source: str) -> None:
        """Goes on with the search in `out`. `source`: the origin that the files state."""
        self.space = space
        self.out = out
        self.source = source
        self.seed = seed
        self.state = out / "state.json"
        self.log = out / "log.tsv"
        self.best = [-1.0, 0, 0]  # objective, less the generation, less the place in it
        self.evaluations = 0
        self.points: list[list[float]] = []  # of the generation that is under way
        self.values: list[Optional[float]] = []
        if self.state.exists():
            self._load()
        else:
            self.optimizer = self._new(population, seed)

    def _new(self, population: Optional[int], seed: int) -> CMA:
        axes = self.space.axes
        bounds = []
        for axis, mean, first in zip(axes, self.space.mean, self.space.first):
            ends = [-np.inf, np.inf]
            for end, value in enumerate((axis.least, axis.most)):
                if value is not None and (value > 0 or axis.transform in ("linear", "integer")):
                    ends[end] = axis.encode(value)
            bounds.append(ends)
            if not ends[0] <= mean <= ends[1]:
                raise BenchmarkError(f"{axis.path} is {first}, outside of the search space")
        return CMA(mean=np.array(self.space.mean), sigma=SIGMA, bounds=np.array(bounds),
                   cov=np.diag([axis.step ** 2 for axis in axes]), population_size=population,
                   seed=seed)

    def _load(self) -> None:
        state = json.loads(self.state.read_text(encoding="utf-8"))
        if state["axes"] != [axis.path for axis in self.space.axes]:
            raise BenchmarkError(f"{self.state} is of another search space",
                                 "name another directory with -o")
        self.optimizer = pickle.loads(base64.b64decode(state["optimizer"]))
        self.best, self.evaluations = state["best"], state["evaluations"]
        self.points, self.values = state["points"], state["values"]

    def _save(self) -> None:
        state = {"axes": [axis.path for axis in self.space.axes], "best": self.best,
                 "evaluations": self.evaluations, "points": self.points, "values": self.values,
                 "optimizer": base64.b64encode(pickle.dumps(self.optimizer)).decode()}
        _replace(self.state, json.dumps(state))

    def run(self, evaluate: Evaluator, devices: Sequence[str], end: float,
            generations: Optional[int]) -> None:
        """Searches until the clock (time.monotonic) is at `end`, or `generations` are done; each of
        `devices` runs one evaluation at a time."""
        while time.monotonic() < end and generations != 0:
            if not self.points:
                _seed(self.optimizer, self.seed)
                size = self.optimizer.population_size
                self.points = [self.optimizer.ask().tolist() for _ in range(size)]
                self.values = [None] * size
            self._evaluate_points(evaluate, devices, end)
            if None in self.values:
                return
            self.optimizer.tell([(np.array(point), -value) for point, value
                                 in zip(self.points, self.values) if value is not None])
            self._report()
            self.points, self.values = [], []
            self._save()
            self._write("mean.json", _mean_of(self.optimizer), "the mean of the search")
            generations = None if generations is None else generations - 1

    def _evaluate_points(self, evaluate: Evaluator, devices: Sequence[str], end: float) -> None:
        free: queue.Queue[str] = queue.Queue()
        for device in devices:
            free.put(device)

        def work(place: int) -> None:
            if time.monotonic() >= end or self.values[place] is not None:
                return
            device = free.get()
            try:
                found = evaluate(self.space.parameters(self.points[place]), device)
            finally:
                free.put(device)
            results.put((place, found))

        results: queue.Queue[Any] = queue.Queue()
        with ThreadPoolExecutor(len(devices)) as pool:
            tasks = [pool.submit(work, place) for place in range(len(self.points))]
            while not (all(task.done() for task in tasks) and results.empty()):
                try:
                    self._note(*results.get(timeout=0.1))
                except queue.Empty:
                    pass
        for task in tasks:
            task.result()

    def _note(self, place: int, found: Optional[Evaluation]) -> None:
        point = self.points[place]
        value = found.objective if found else 0.0
        self.values[place] = value
        self.evaluations += 1
        if found:
            self._write_line(point, found)
        # The first of equals, whichever worker was faster.
        rank = [value, -self.optimizer.generation, -place]
        if rank > self.best:
            self.best = rank
            self._write("best.json", point, f"the best of the search, {value:.5f}")
        self._save()

    def _write_line(self, point: list[float], found: Evaluation) -> None:
        sets = sorted(found.by_set)
        paths = [axis.path for axis in self.space.axes]
        with self.log.open("a", encoding="utf-8") as file:
            if file.tell() == 0:
                file.write("\t".join(["evaluation", "generation", "seconds", "objective", *sets,
                                      *paths]) + "\n")
            parameters = self.space.parameters(point)
            file.write("\t".join([
                str(self.evaluations), str(self.optimizer.generation), f"{found.seconds:.1f}",
                f"{found.objective:.6f}", *(f"{found.by_set[name]:.6f}" for name in sets),
                *(f"{get(parameters, path):.6g}" for path in paths)]) + "\n")

    def _report(self) -> None:
        values = sorted(value for value in self.values if value is not None)
        print(f"generation {self.optimizer.generation}: {values[0]:.5f} .. {values[-1]:.5f}, "
              f"best {self.best[0]:.5f}, {self.evaluations} evaluations",
              file=sys.stderr, flush=True)

    def _write(self, name: str, point: list[float], what: str) -> None:
        parameters = self.space.parameters(point)
        parameters["name"] = f"{self.out.name}-{Path(name).stem}"
        parameters["source"] = f"{self.source}; {what}, after {self.evaluations} evaluations"
        _replace(self.out / name, format_parameters(parameters))


def _seed(optimizer: CMA, seed: int) -> None:
    """Makes a generation depend on its number and the seed alone: a pickled optimizer forgets the
    state of its random numbers."""
    optimizer._rng.seed(seed + 1000003 * optimizer.generation)  # pylint: disable=protected-access


def _mean_of(optimizer: CMA) -> list[float]:
    """The centre; cmaes before 0.10 has it only as a private member."""
    mean = getattr(optimizer, "mean", None)
    centre: list[float] = (optimizer._mean if mean is None  # pylint: disable=protected-access
                           else mean).tolist()
    return centre


def format_parameters(parameters: dict[str, Any]) -> str:
    """A parameter file."""
    return json.dumps(parameters, indent=2) + "\n"


def _replace(path: Path, text: str) -> None:
    """Writes a file so that an interruption leaves the old or the new one."""
    scratch = path.with_suffix(".new")
    scratch.write_text(text, encoding="utf-8")
    os.replace(scratch, path)
