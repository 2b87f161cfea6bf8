"""The figures, drawn from summary rows alone."""
import math
import re

from .summary import ALL, Row, parse_stages
from .svg import COLOURS, Axis, Canvas, frame, horizontal_grid, spread

WIDTH = 760


def colours(rows: list[Row]) -> dict[str, str]:
    """A colour for each aligner; accord has the first, whatever its place."""
    names = sorted(dict.fromkeys(row.aligner for row in rows), key=lambda n: n != "accord")
    return {name: COLOURS[i % len(COLOURS)] for i, name in enumerate(names)}


def accuracy_against_time(rows: list[Row], title: str, measure: str = "tc") -> str:
    """One point an aligner: mean SP or TC against CPU seconds (logarithmic)."""
    rows = [row for row in rows if not math.isnan(row.sp)]
    canvas = Canvas(WIDTH, 420, title)
    area = (66.0, 40.0, WIDTH - 150.0, 366.0)
    left, top, right, bottom = area
    value = {row.aligner: getattr(row, measure) for row in rows}
    x = Axis([row.cpu_s for row in rows], left, right, log=True)
    y = Axis(list(value.values()), bottom, top)
    frame(canvas, x, y, area, ("CPU seconds (user + system), all families together",
                               f"mean {measure.upper()}"))
    colour = colours(rows)
    labels = spread([y.at(value[row.aligner]) + 4 for row in rows], 14)
    for row, place in zip(rows, labels):
        here = x.at(row.cpu_s), y.at(value[row.aligner])
        canvas.line([here, (right + 6, place - 4)], colour[row.aligner], 0.5)
        bold = "bold" if row.aligner.startswith("accord") else "normal"
        canvas.text(right + 10, place, row.aligner, weight=bold, colour=colour[row.aligner])
    for row in rows:
        canvas.dot(x.at(row.cpu_s), y.at(value[row.aligner]),
                   7 if row.aligner.startswith("accord") else 5, colour[row.aligner],
                   f"{row.aligner} {row.version}: SP {row.sp:.4f}, TC {row.tc:.4f}, "
                   f"{row.cpu_s:.1f} s, {row.peak_mib:.0f} MiB")
    return canvas.finish()


def bars(rows: list[Row], title: str, measure: str = "tc") -> str:
    """A group of bars for each subset, a bar an aligner."""
    rows = [row for row in rows if not math.isnan(row.sp)]
    colour = colours(rows)
    groups = list(dict.fromkeys(row.group for row in rows))
    per_line = 4
    canvas = Canvas(WIDTH, 330 + 18 * math.ceil(len(colour) / per_line), title)
    area = (66.0, 40.0, WIDTH - 14.0, 286.0)
    left, _, right, bottom = area
    y = Axis([getattr(row, measure) for row in rows], bottom, area[1], low=0.0)
    horizontal_grid(canvas, y, area, f"mean {measure.upper()}")
    slot = (right - left) / len(groups)
    names = list(colour)
    width = slot * 0.86 / len(names)
    for row in rows:
        value = getattr(row, measure)
        start = left + groups.index(row.group) * slot + slot * 0.07
        canvas.box(start + names.index(row.aligner) * width, y.at(value), width * 0.92,
                   bottom - y.at(value), colour[row.aligner],
                   f"{row.group}, {row.aligner}: {value:.4f} ({row.families} families)")
    for i, group in enumerate(groups):
        canvas.text(left + (i + 0.5) * slot, bottom + 17, group, "middle")
    _legend(canvas, colour, left, bottom + 42, (right - left) / per_line, per_line)
    return canvas.finish()


def _legend(canvas: Canvas, colour: dict[str, str], left: float, top: float, step: float,
            per_line: int) -> None:
    for i, (name, shade) in enumerate(colour.items()):
        x, y = left + i % per_line * step, top + i // per_line * 18
        canvas.box(x, y - 9, 10, 10, shade)
        canvas.text(x + 15, y, name)


def scaling_series(rows: list[Row]) -> dict[str, dict[str, list[tuple[float, Row]]]]:
    """Rows of groups called 'WHAT NUMBER', as {WHAT: {aligner: [(NUMBER, row)]}}."""
    series: dict[str, dict[str, list[tuple[float, Row]]]] = {}
    for row in rows:
        match = re.fullmatch(r"(\w+) (\d+)", row.group)
        if match and row.failed == 0 and not math.isnan(row.cpu_s):
            series.setdefault(match.group(1), {}).setdefault(row.aligner, []).append(
                (float(match.group(2)), row))
    return {what: {name: sorted(points, key=lambda p: p[0]) for name, points in lines.items()}
            for what, lines in series.items()
            if max(len(points) for points in lines.values()) > 1}


def scaling(rows: list[Row], title: str) -> str:
    """CPU time against the number of sequences and against their length, both logarithmic, one
    panel each; "" if the rows have no such groups."""
    series = scaling_series(rows)
    if not series:
        return ""
    canvas = Canvas(WIDTH, 420, title)
    colour = colours(rows)
    room = (WIDTH - 130.0) / len(series)
    every = [row.cpu_s for lines in series.values() for ps in lines.values() for _, row in ps]
    for panel, (what, lines) in enumerate(series.items()):
        area = (66.0 + panel * room, 40.0, 66.0 + (panel + 1) * room - 60, 366.0)
        x = Axis([size for ps in lines.values() for size, _ in ps], area[0], area[2], log=True)
        y = Axis(every, area[3], area[1], log=True)
        frame(canvas, x, y, area, (what, "CPU seconds" if panel == 0 else ""))
        for name, points in lines.items():
            width = 3.0 if name.startswith("accord") else 1.5
            canvas.line([(x.at(s), y.at(row.cpu_s)) for s, row in points], colour[name], width)
            for size, row in points:
                canvas.dot(x.at(size), y.at(row.cpu_s), width + 1, colour[name],
                           f"{name}, {what} {size:g}: {row.cpu_s:.2f} s, {row.peak_mib:.0f} MiB")
    for i, (name, shade) in enumerate(colour.items()):
        canvas.box(WIDTH - 118, 46 + 18 * i, 10, 10, shade)
        canvas.text(WIDTH - 103, 55 + 18 * i, name)
    return canvas.finish()


def stage_shares(rows: list[Row], title: str) -> str:
    """How accord's wall time divides over its stages, a bar a group; "" without such figures."""
    shown = [(row, parse_stages(row.stages)) for row in rows if row.stages]
    shown = [(row, stages) for row, stages in shown if sum(stages.values()) > 0]
    if not shown:
        return ""
    names = list(dict.fromkeys(name for _, stages in shown for name in stages))
    shade = {name: COLOURS[(i + 1) % len(COLOURS)] for i, name in enumerate(names)}
    canvas = Canvas(WIDTH, 62 + 24 * len(shown) + 18 * math.ceil(len(names) / 5), title)
    left, right = 190.0, WIDTH - 70.0
    for i, (row, stages) in enumerate(shown):
        total, x, y = sum(stages.values()), left, 36 + 24 * i
        label = row.dataset if row.group == ALL else row.group
        label += "" if row.aligner == "accord" else f", {row.aligner}"
        canvas.text(left - 8, y + 13, label, "end")
        for name, seconds in stages.items():
            width = (right - left) * seconds / total
            canvas.box(x, y, width, 18, shade[name],
                       f"{label}, {name}: {seconds:.2f} s, {seconds / total:.0%}")
            x += width
        canvas.text(right + 6, y + 13, f"{total:.1f} s", size=11)
    _legend(canvas, shade, 20, 56 + 24 * len(shown), (WIDTH - 40) / 5, 5)
    return canvas.finish()
