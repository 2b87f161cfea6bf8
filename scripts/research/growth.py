#!/usr/bin/env python3
"""Measures how accord's time and memory grow with number and length of the sequences.

  scripts/research/growth.py -o OUT --time-limit 600                          on the host
  scripts/research/growth.py -o OUT --time-limit 600 --device gpu0 -j 16      on a GPU, then
  scripts/research/growth.py -o OUT --time-limit 600 --device none -j 16      the host beside it
  scripts/research/growth.py -o OUT --time-limit 0 --large 5000,20000,100000  large families, too

Curves: `sequences` of 300 residues, the `length` of 20 sequences, the sequences of a `large` family
of 150 residues (simulated proteins, 40 % identical on average, made in OUT/families), and
neighbour joining by its number of `taxa` (`accord_bench`; wall time alone, that of the joining).
OUT/growth.md has the tables with fitted exponents, OUT/growth.svg the figure, OUT/results.tsv and
OUT/taxa.tsv the measurements; a point that is there is not measured again. A point that takes
longer than the limit, or does not fit the memory, is left out with a message, and with it all
larger ones of its curve. Needs Python 3.9 and accord alone.
"""
import argparse
import json
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

# pylint: disable=wrong-import-position
import simulate_family  # noqa: E402
from benchmark import aligners, process  # noqa: E402
from benchmark.datasets import Family, facts  # noqa: E402
from benchmark.errors import BenchmarkError  # noqa: E402
from benchmark.growth import Point, figure, to_markdown  # noqa: E402
from benchmark.results import ResultFile, from_line, to_line  # noqa: E402
from benchmark.runner import Run, Runner, Settings, result_of  # noqa: E402

SEQUENCES = "50,100,200,500,1000,2000"  # of RESIDUES
LENGTHS = "100,200,500,1000,2000,5000,10000"  # of ROWS sequences
TAXA = "1000,2000,5000,10000,20000,30000"
LARGE = ""  # of LARGE_RESIDUES
RESIDUES, ROWS, LARGE_RESIDUES = 300, 20, 150
TITLES = {"sequences": f"Number of sequences of {RESIDUES} residues",
          "length": f"Residues of each of {ROWS} sequences",
          "large": f"Number of sequences of {LARGE_RESIDUES} residues",
          "taxa": "Taxa of neighbour joining"}
NO_MEMORY = 137  # exit status of accord


class Joining(NamedTuple):
    """A line of taxa.tsv."""

    program: str
    device: str
    threads: int
    taxa: int
    seconds: float


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("-o", "--out", type=Path, required=True, metavar="OUT")
    add("--accord", default=str(ROOT / "build" / "accord"), help="the program (build/accord)")
    add("--device", default="none", help="none, gpu0, cpu0, ... (none)")
    add("-j", "--threads", type=int, default=1, help="threads of accord (1)")
    add("--time-limit", type=float, default=600, metavar="S", help="seconds for a point (600)")
    add("--args", default="", help="more options for accord")
    curves = {"sequences": SEQUENCES, "lengths": LENGTHS, "large": LARGE, "taxa": TAXA}
    for name, sizes in curves.items():
        add(f"--{name}", default=sizes, metavar="N,...",
            help=f"sizes ({sizes or 'none'}); '' for none")
    options = parser.parse_args()
    for name in curves:
        try:
            sizes = sorted(int(size) for size in getattr(options, name).split(",") if size)
        except ValueError:
            parser.error(f"--{name} takes numbers with commas between them")
        setattr(options, name, sizes)
    return options


def family(directory: Path, curve: str, size: int) -> Family:
    """The simulated family of a point, made if it is not there."""
    path = directory / f"{curve}_{size}.fa"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        count, length = {"sequences": (size, RESIDUES), "length": (ROWS, size),
                         "large": (size, LARGE_RESIDUES)}[curve]
        print(f"making {path}", file=sys.stderr)
        made = simulate_family.simulate(simulate_family.arguments(
            ["--out", "x", "--seed", str(size), "--n", str(count), "--length", str(length),
             "--identity", "0.4"]))
        part = path.with_suffix(".part")
        simulate_family.write_fasta(str(part), [(name, letters) for name, letters, _ in made])
        part.replace(path)
    return Family("growth", curve, str(size), path, None)


def measure_families(options: argparse.Namespace, results: ResultFile) -> list[Point]:
    """The curves of sequences, length and large families."""
    aligner = aligners.accord(options.accord, f"accord on {options.device}",
                              f"--device {options.device} {options.args}".strip())
    settings = Settings(options.accord, 1, options.threads, options.time_limit)
    points: list[Point] = []
    warm = False
    for curve, sizes in (("sequences", options.sequences), ("length", options.lengths),
                         ("large", options.large)):
        note = ""
        for size in sizes:
            if note:
                points.append(Point(curve, size, options.device, note="left out, as a smaller one"))
                continue
            point = family(options.out / "families", curve, size)
            run = Run(point, facts(point), aligner, 1)
            if not warm:  # compiles kernels and reads files, which are not measured
                Runner(settings, results).make(run)
                warm = True
            Runner(settings, results).make_all([run])
            found = result_of(run, results, settings)
            if found is None:
                raise KeyboardInterrupt  # it was stopped
            found = from_line(to_line(found).rstrip("\n"))  # rounded as it is when read again
            if found.status == "ok":
                points.append(Point(curve, size, options.device, found.wall_s, found.cpu_s,
                                    found.peak_mib, found.stages))
                continue
            note = (f"not within {found.limit_s:g} s" if found.status == "timeout" else
                    "does not fit the memory: " + found.error if found.exit == NO_MEMORY else
                    found.error)
            points.append(Point(curve, size, options.device, note=note))
    return points


def read_joinings(path: Path) -> list[Joining]:
    """The measurements of earlier runs; a line that an interruption cut off does not count."""
    if not path.exists():
        return []
    cells = [line.split("\t") for line in path.read_text(encoding="utf-8").split("\n")[:-1]]
    return [Joining(c[0], c[1], int(c[2]), int(c[3]), float(c[4])) for c in cells if len(c) == 5]


def measure_taxa(options: argparse.Namespace) -> list[Point]:
    """The curve of neighbour joining, one measurement after one that is not counted."""
    version = aligners.accord(options.accord).version
    path = options.out / "taxa.tsv"
    done: dict[int, float] = {j.taxa: j.seconds for j in read_joinings(path)
                              if j[:3] == (version, options.device, options.threads)}
    points: list[Point] = []
    note = ""
    for taxa in options.taxa:
        if note:
            points.append(Point("taxa", taxa, options.device, note="left out, as a smaller one"))
            continue
        if taxa not in done:
            with tempfile.TemporaryDirectory(prefix="growth-") as directory:
                variables = process.environment(Path(directory), options.out.resolve() / "cache")
                ended = process.run(
                    f"{options.accord}_bench --stages neighbor_joining --repeats 1 --taxa {taxa} "
                    f"--json --device {options.device} -j {options.threads} > out.json",
                    Path(directory), options.time_limit, process.Running(), variables)
                if ended.status == "ok":
                    text = (Path(directory) / "out.json").read_text(encoding="utf-8")
                    done[taxa] = round(json.loads(text)["results"][0]["seconds"], 9)
                    with open(path, "a", encoding="utf-8") as file:
                        file.write(f"{version}\t{options.device}\t{options.threads}\t{taxa}\t"
                                   f"{done[taxa]:.9f}\n")
                else:
                    note = (f"not within {options.time_limit:g} s" if ended.status == "timeout"
                            else ended.message)
                    points.append(Point("taxa", taxa, options.device, note=note))
                    continue
        points.append(Point("taxa", taxa, options.device, done[taxa]))
    return points


def remember(path: Path, points: list[Point]) -> list[Point]:
    """Puts the points in the place of those of the same curve and device that were kept before,
    so that the report has all devices."""
    here = {(p.curve, p.device) for p in points}
    kept = json.loads(path.read_text(encoding="utf-8")) if path.exists() else []
    every = [p for p in (Point(*cells) for cells in kept) if (p.curve, p.device) not in here]
    every += points
    path.write_text(json.dumps(every, indent=1) + "\n", encoding="utf-8")
    return every


def main() -> int:
    """Measures the points that are missing, and writes tables and figure."""
    options = arguments()
    try:
        options.accord = str(Path(options.accord).resolve())
        results = ResultFile(options.out / "results.tsv")
        try:
            points = measure_families(options, results) + measure_taxa(options)
        finally:
            results.close()
        every = remember(options.out / "points.json", points)
        text = to_markdown(every, TITLES)
        (options.out / "growth.md").write_text(text, encoding="utf-8")
        if any(point.measured for point in every):
            (options.out / "growth.svg").write_text(figure(every, TITLES), encoding="utf-8")
    except BenchmarkError as error:
        print(f"growth: error: {error}", file=sys.stderr)
        if error.hint:
            print(f"  hint: {error.hint}", file=sys.stderr)
        return error.status
    except KeyboardInterrupt:
        print("growth: interrupted; the same command goes on", file=sys.stderr)
        return 130
    print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
