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


class Search:
    """A search whose state is in a directory: state.json, log.tsv, best.json and mean.json."""

    def __init__(self, space: Space, out: Path, population: Optional[int], seed: int,
                 source: str) -> None:
        """Goes on with the search in `out`. `source`: the origin that the files state."""
        self.space = space
        self.out = out
        self.source = source
        self.seed = seed
        self.state = out / "state.json"
        self.best = -1.0
        self.evaluations = 0
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

    def run(self, evaluate: Evaluator, devices: Sequence[str], end: float,
            generations: Optional[int]) -> None:
        """Searches until the clock (time.monotonic) is at `end`, or `generations` are done; each of
        `devices` runs one evaluation at a time. A generation that is interrupted begins anew."""
        free: queue.Queue[str] = queue.Queue()
        for device in devices:
            free.put(device)

        def work(point: list[float]) -> Optional[Evaluation]:
            device = free.get()
            try:
                return evaluate(self.space.parameters(point), device)
            finally:
                free.put(device)

        while time.monotonic() < end and generations != 0:
            _seed(self.optimizer, self.seed)
            points = [self.optimizer.ask().tolist() for _ in range(self.optimizer.population_size)]
            with ThreadPoolExecutor(len(devices)) as pool:
                found = list(pool.map(work, points))
            values = [one.objective if one else 0.0 for one in found]
            lines = []
            for point, one, value in zip(points, found, values):
                self.evaluations += 1
                if one:
                    lines.append(self._line(point, one))
                if value > self.best:
                    self.best = value
                    self._write("best.json", point, f"the best of the search, {value:.5f}")
            self._append(lines, found)
            self.optimizer.tell([(np.array(point), -value) for point, value in zip(points, values)])
            print(f"generation {self.optimizer.generation}: {min(values):.5f} .. "
                  f"{max(values):.5f}, best {self.best:.5f}, {self.evaluations} evaluations",
                  file=sys.stderr, flush=True)
            self._write("mean.json", _mean_of(self.optimizer), "the mean of the search")
            state = {"axes": [axis.path for axis in self.space.axes], "best": self.best,
                     "evaluations": self.evaluations,
                     "optimizer": base64.b64encode(pickle.dumps(self.optimizer)).decode()}
            _replace(self.state, json.dumps(state))
            generations = None if generations is None else generations - 1

    def _line(self, point: list[float], found: Evaluation) -> str:
        parameters = self.space.parameters(point)
        return "\t".join([
            str(self.evaluations), str(self.optimizer.generation), f"{found.seconds:.1f}",
            f"{found.objective:.6f}", *(f"{found.by_set[name]:.6f}" for name in
                                        sorted(found.by_set)),
            *(f"{get(parameters, axis.path):.6g}" for axis in self.space.axes)])

    def _append(self, lines: list[str], found: Sequence[Optional[Evaluation]]) -> None:
        sets = next((sorted(one.by_set) for one in found if one), [])
        with (self.out / "log.tsv").open("a", encoding="utf-8") as file:
            if file.tell() == 0:
                lines = ["\t".join(["evaluation", "generation", "seconds", "objective", *sets,
                                    *(axis.path for axis in self.space.axes)]), *lines]
            file.writelines(line + "\n" for line in lines)

    def _write(self, name: str, point: list[float], what: str) -> None:
        parameters = self.space.parameters(point)
        parameters["name"] = f"{self.out.name}-{Path(name).stem}"
        parameters["source"] = f"{self.source}; {what}, after {self.evaluations} evaluations"
        _replace(self.out / name, json.dumps(parameters, indent=2) + "\n")


def _seed(optimizer: CMA, seed: int) -> None:
    """Makes a generation depend on its number and the seed alone: a pickled optimizer forgets the
    state of its random numbers."""
    optimizer._rng.seed(seed + 1000003 * optimizer.generation)  # pylint: disable=protected-access


def _mean_of(optimizer: CMA) -> list[float]:
    """The centre; cmaes before 0.10 has it only as a private member."""
    mean: Any = getattr(optimizer, "mean", None)
    centre: list[float] = (optimizer._mean if mean is None  # pylint: disable=protected-access
                           else mean).tolist()
    return centre


def _replace(path: Path, text: str) -> None:
    """Writes a file so that an interruption leaves the old or the new one."""
    scratch = path.with_suffix(".new")
    scratch.write_text(text, encoding="utf-8")
    os.replace(scratch, path)
