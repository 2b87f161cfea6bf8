"""docs/images/accuracy.svg: SP and TC of the programs of docs/benchmarks/accuracy.tsv on all of
BAliBASE 3."""
import math
from html import escape

from . import documents
from .outputs import ROOT

FIGURE = ROOT / "docs" / "images" / "accuracy.svg"
TITLE = "BAliBASE 3, all 218 full-length sets"
OURS, THEIRS, GRID = "#c1272d", "#0072b2", "#e4e4e4"
WIDTH, STEP, TOP, LABEL = 760, 26, 62, 116


def text(x: float, y: float, words: str, more: str = "") -> str:
    """A label."""
    return f'<text x="{x:.1f}" y="{y:.1f}" fill="#222"{more}>{escape(words)}</text>'


def line(x: float, y: float, x2: float, y2: float) -> str:
    """A line of the grid."""
    return f'<path d="M{x:.1f} {y:.1f}L{x2:.1f} {y2:.1f}" stroke="{GRID}"/>'


def rows() -> list[documents.Row]:
    """The programs."""
    return [row for row in documents.read_table(documents.TABLES / "accuracy.tsv").rows
            if documents.label(row) == "BAliBASE 3"]


def figure() -> str:
    """A panel for SP and one for TC, with a line and a dot for each program."""
    programs = rows()
    bottom = TOP + STEP * len(programs) - 8
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {bottom + 52}" '
             'font-family="Helvetica,Arial,sans-serif" font-size="12" role="img">',
             f"<title>{TITLE}</title>", '<rect width="100%" height="100%" fill="white"/>',
             text(12, 20, TITLE, ' font-size="14" font-weight="bold"')]
    for left, measure in ((LABEL, "SP"), (LABEL + 325, "TC")):
        values = [float(row[measure]) for row in programs]
        # Ticks of .02 around all values.
        low, high = 2 * math.floor(min(values) * 50), 2 * math.ceil(max(values) * 50)
        scale = 245 / (high - low)
        for tick in range(low, high + 1, 2):
            x = left + (tick - low) * scale
            parts += [line(x, TOP - 14, x, bottom),
                      text(x, bottom + 16, f"{tick / 100:.2f}".lstrip("0"),
                           ' text-anchor="middle" font-size="11"')]
        parts.append(text(left + 122, bottom + 34, f"mean {measure}", ' text-anchor="middle"'))
        for place, (row, value) in enumerate(zip(programs, values)):
            is_ours = row["program"] == "accord"
            x, y = left + (value * 100 - low) * scale, TOP + STEP * place
            bold = ' font-weight="bold"' if is_ours else ""
            parts += [line(left, y, left + 245, y),
                      f'<circle cx="{x:.1f}" cy="{y}" r="5" fill="{OURS if is_ours else THEIRS}"/>',
                      text(x + 9, y + 4, f"{value:.4f}".lstrip("0"), bold)]
            if measure == "SP":
                parts.append(text(left - 8, y + 4, row["program"], f' text-anchor="end"{bold}'))
    return "\n".join([*parts, "</svg>"]) + "\n"
