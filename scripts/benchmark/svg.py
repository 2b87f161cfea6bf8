"""The little of SVG that the figures need: a plot area with axes, marks and labels."""
import math
from collections.abc import Sequence
from html import escape
from typing import Optional

# Tol's and Okabe and Ito's colours, which most colour-blind people can tell apart.
COLOURS = ("#c1272d", "#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#7f7f7f", "#332288",
           "#999933", "#882255", "#44aa99", "#d55e00", "#000000", "#117733", "#aa4499")
FONT = "font-family=\"Helvetica,Arial,sans-serif\""


def number(value: float) -> str:
    """A coordinate, short."""
    return f"{value:.1f}".rstrip("0").rstrip(".")


class Canvas:
    """Elements one after the other."""

    def __init__(self, width: int, height: int, title: str) -> None:
        """A white page."""
        self.width, self.height = width, height
        self._parts: list[str] = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            f'width="{width}" height="{height}" {FONT} font-size="12" role="img">',
            f"<title>{escape(title)}</title>",
            f'<rect width="{width}" height="{height}" fill="white"/>']
        self.text(12, 20, title, size=14, weight="bold")

    def line(self, points: Sequence[tuple[float, float]], colour: str, width: float = 1.0,
             dash: str = "") -> None:
        """An open line."""
        path = " ".join(f"{number(x)},{number(y)}" for x, y in points)
        extra = f' stroke-dasharray="{dash}"' if dash else ""
        self._parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" '
                           f'stroke-width="{width:g}"{extra}/>')

    def box(self, x: float, y: float, width: float, height: float, colour: str,
            tip: str = "") -> None:
        """A filled rectangle; `tip` shows when pointed at."""
        self._parts.append(f'<rect x="{number(x)}" y="{number(y)}" width="{number(width)}" '
                           f'height="{number(height)}" fill="{colour}">'
                           f"<title>{escape(tip)}</title></rect>")

    def dot(self, x: float, y: float, radius: float, colour: str, tip: str = "") -> None:
        """A filled circle."""
        self._parts.append(f'<circle cx="{number(x)}" cy="{number(y)}" r="{radius:g}" '
                           f'fill="{colour}"><title>{escape(tip)}</title></circle>')

    def text(self, x: float, y: float, text: str, anchor: str = "start", size: int = 12,
             weight: str = "normal", colour: str = "#222", turn: bool = False) -> None:
        """A label; `turn` makes it run upwards."""
        rotate = f' transform="rotate(-90 {number(x)} {number(y)})"' if turn else ""
        bold = f' font-weight="{weight}"' if weight != "normal" else ""
        self._parts.append(f'<text x="{number(x)}" y="{number(y)}" text-anchor="{anchor}" '
                           f'font-size="{size}" fill="{colour}"{bold}{rotate}>'
                           f"{escape(text)}</text>")

    def finish(self) -> str:
        """The whole document."""
        return "\n".join(self._parts + ["</svg>"]) + "\n"


class Axis:
    """Maps values to pixels, linearly or by their logarithm."""

    def __init__(self, values: Sequence[float], start: float, end: float, log: bool = False,
                 low: Optional[float] = None) -> None:
        """From pixel `start` to pixel `end`, with room for all values; `low` is the least."""
        self.log = log
        least, most = min(values), max(values)
        if log:
            self._low = math.floor(math.log10(max(least, 1e-4)) * 2) / 2
            self._high = max(math.ceil(math.log10(max(most, 1e-4)) * 2 + 0.01) / 2,
                             self._low + 0.5)
        else:
            span = (most - (least if low is None else low)) or 1.0
            self._step = _round_step(span / 5)
            self._low = math.floor(least / self._step) * self._step if low is None else low
            self._high = math.ceil(most / self._step + 1e-9) * self._step
        self._start, self._end = start, end

    def at(self, value: float) -> float:
        """The pixel of a value."""
        place = math.log10(max(value, 1e-4)) if self.log else value
        share = (place - self._low) / (self._high - self._low)
        return self._start + share * (self._end - self._start)

    def ticks(self) -> list[tuple[float, str]]:
        """Values to mark, with their labels."""
        if not self.log:
            count = round((self._high - self._low) / self._step)
            return [(self._low + i * self._step, f"{self._low + i * self._step:.10g}")
                    for i in range(count + 1)]
        found = []
        narrow = self._high - self._low < 2
        for power in range(math.floor(self._low), math.ceil(self._high) + 1):
            for factor in ((1, 2, 5) if narrow else (1,)):
                value = factor * 10.0 ** power
                if self._low - 1e-9 <= math.log10(value) <= self._high + 1e-9:
                    found.append((value, f"{value:g}"))
        return found


def _round_step(raw: float) -> float:
    power = 10.0 ** math.floor(math.log10(raw))
    return next(step * power for step in (1, 2, 2.5, 5, 10) if step * power >= raw * 0.999)


def frame(canvas: Canvas, x: Axis, y: Axis, area: tuple[float, float, float, float],
          labels: tuple[str, str]) -> None:
    """Grid, ticks and axis labels of a plot area (left, top, right, bottom)."""
    left, top, right, bottom = area
    for value, text in x.ticks():
        canvas.line([(x.at(value), top), (x.at(value), bottom)], "#e4e4e4")
        canvas.text(x.at(value), bottom + 16, text, "middle", 11)
    horizontal_grid(canvas, y, area, labels[1])
    canvas.text((left + right) / 2, bottom + 34, labels[0], "middle")


def horizontal_grid(canvas: Canvas, y: Axis, area: tuple[float, float, float, float],
                    label: str) -> None:
    """The y axis of a plot area."""
    left, top, right, bottom = area
    for value, text in y.ticks():
        canvas.line([(left, y.at(value)), (right, y.at(value))], "#e4e4e4")
        canvas.text(left - 6, y.at(value) + 4, text, "end", 11)
    canvas.line([(left, top), (left, bottom), (right, bottom)], "#444")
    canvas.text(left - 44, (top + bottom) / 2, label, "middle", turn=True)


def spread(wanted: Sequence[float], gap: float) -> list[float]:
    """Places at least `gap` apart, each close to the wanted one; in the order of `wanted`."""
    order = sorted(range(len(wanted)), key=lambda i: wanted[i])
    places = list(wanted)
    for _ in range(100):
        moved = False
        for a, b in zip(order, order[1:]):
            short = gap - (places[b] - places[a])
            if short > 1e-6:
                places[a] -= short / 2
                places[b] += short / 2
                moved = True
        if not moved:
            break
    return places
