"""How time and memory grow: points of a curve, fitted exponents, a table and a figure."""
import math
from collections.abc import Sequence
from typing import NamedTuple, Optional

from .svg import COLOURS, Axis, Canvas, frame

SHORTEST = 0.2  # seconds; below, starting the program is a good part of it
SMALLEST = 100.0  # MiB; below, the program and this harness are a good part of it


class Point(NamedTuple):
    """One measurement of a curve; `note` says why there is none."""

    curve: str  # what grows: sequences, length or taxa
    size: int
    device: str
    wall_s: float = math.nan
    cpu_s: float = math.nan
    peak_mib: float = math.nan
    stages: str = ""  # name=seconds;...
    note: str = ""

    @property
    def measured(self) -> bool:
        """Is there a measurement?"""
        return not math.isnan(self.wall_s)


def exponent(points: Sequence[tuple[float, float]]) -> Optional[float]:
    """The k of value ~ size^k by least squares of the logarithms; None for fewer than two sizes."""
    logs = [(math.log(size), math.log(value)) for size, value in points if size > 0 < value]
    if len({x for x, _ in logs}) < 2:
        return None
    mean_x = math.fsum(x for x, _ in logs) / len(logs)
    mean_y = math.fsum(y for _, y in logs) / len(logs)
    return (math.fsum((x - mean_x) * (y - mean_y) for x, y in logs)
            / math.fsum((x - mean_x) ** 2 for x, _ in logs))


def exponents(points: Sequence[Point]) -> dict[str, Optional[float]]:
    """Of wall time, processor time and memory of one curve on one device. Left out are times of
    less than SHORTEST (unless they are of a stage alone, which has no processor time) and memory
    of less than SMALLEST."""
    some = [p for p in points if p.measured and (p.wall_s >= SHORTEST or math.isnan(p.cpu_s))]
    return {"wall_s": exponent([(p.size, p.wall_s) for p in some]),
            "cpu_s": exponent([(p.size, p.cpu_s) for p in some if not math.isnan(p.cpu_s)]),
            "peak_mib": exponent([(p.size, p.peak_mib) for p in points
                                  if p.measured and p.peak_mib >= SMALLEST])}


def by_curve(points: Sequence[Point]) -> dict[tuple[str, str], list[Point]]:
    """Points of each (curve, device), by size."""
    found: dict[tuple[str, str], list[Point]] = {}
    for point in points:
        found.setdefault((point.curve, point.device), []).append(point)
    return {key: sorted(some, key=lambda p: p.size) for key, some in found.items()}


def _shown(device: str) -> str:
    return "host" if device == "none" else device


def _cell(value: Optional[float], digits: int = 1) -> str:
    return "-" if value is None or math.isnan(value) else f"{value:.{digits}f}"


def _stages(point: Point) -> str:
    parts = [part.partition("=") for part in point.stages.split(";") if part]
    return ", ".join(f"{name} {float(seconds):.1f}" for name, _, seconds in parts
                     if float(seconds) >= 0.05)


def to_markdown(points: Sequence[Point], titles: dict[str, str]) -> str:
    """A table for each curve and device; `titles` say what each curve is."""
    left_out = f"from {SHORTEST} s, {SMALLEST:.0f} MiB on"
    out = []
    for (curve, device), some in by_curve(points).items():
        out += [f"## {titles[curve]}, {_shown(device)}", "",
                f"| {curve} | wall s | CPU s | peak MiB | stages, wall s |",
                "|---|---|---|---|---|"]
        for point in some:
            if point.measured:
                out.append(f"| {point.size} | {_cell(point.wall_s, 2)} | {_cell(point.cpu_s)} | "
                           f"{_cell(point.peak_mib, 0)} | {_stages(point)} |")
            else:
                out.append(f"| {point.size} | - | - | - | {point.note} |")
        fitted = exponents(some)
        out.append(f"| exponent | {_cell(fitted['wall_s'], 2)} | {_cell(fitted['cpu_s'], 2)} | "
                   f"{_cell(fitted['peak_mib'], 2)} | {left_out if curve != 'taxa' else ''} |")
        out.append("")
    return "\n".join(out)


def figure(points: Sequence[Point], titles: dict[str, str]) -> str:
    """Wall time, and below it memory, against each size; everything is logarithmic."""
    some = [p for p in points if p.measured]
    curves = list(dict.fromkeys(p.curve for p in some))
    devices = list(dict.fromkeys(p.device for p in some))
    colour = {device: COLOURS[i % len(COLOURS)] for i, device in enumerate(devices)}
    has_memory = any(not math.isnan(p.peak_mib) for p in some)
    width, height = 70 + 310 * len(curves), 390 + 330 * has_memory
    canvas = Canvas(width, height, "How time and memory grow")
    for column, curve in enumerate(curves):
        for row, (measure, label) in enumerate((("wall_s", "wall seconds"),
                                                ("peak_mib", "peak MiB"))):
            here = [p for p in some if p.curve == curve and not math.isnan(getattr(p, measure))]
            if not here:
                continue
            left, top = 70.0 + 310 * column, 50.0 + 340 * row
            area = (left, top, left + 220, top + 240)
            x = Axis([p.size for p in here], area[0], area[2], log=True)
            y = Axis([getattr(p, measure) for p in here], area[3], area[1], log=True)
            frame(canvas, x, y, area, (titles[curve], label))
            for number, device in enumerate(devices):
                line = sorted((p for p in here if p.device == device), key=lambda p: p.size)
                canvas.line([(x.at(p.size), y.at(getattr(p, measure))) for p in line],
                            colour[device], 2)
                for point in line:
                    canvas.dot(x.at(point.size), y.at(getattr(point, measure)), 4, colour[device],
                               f"{_shown(device)}, {curve} {point.size}: "
                               f"{point.wall_s:.2f} s, "
                               f"{_cell(point.peak_mib, 0)} MiB")
                power = exponents(line)[measure]
                if power is not None:
                    canvas.text(area[0] + 8, area[1] + 14 + 15 * number,
                                f"{_shown(device)}: {curve}^{power:.2f}", colour=colour[device])
    return canvas.finish()
