#!/usr/bin/env python3
"""Draws docs/images/likelihood.svg, the speed of likelihoods, from likelihood.tsv beside this file.

  build/tests/accord_likelihood_speed > scripts/figures/likelihood.tsv
  scripts/figures/likelihood.py

A panel for each number of states: partial likelihoods in a second of one thread against patterns,
a line for each program and precision; full lines are for 100 tips, broken ones for 1000.
"""
import csv
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

# pylint: disable=wrong-import-position
from benchmark.svg import COLOURS, Axis, Canvas, frame  # noqa: E402

WIDTH, HEIGHT = 900, 380
LINES = [("accord", "double"), ("accord", "single"), ("beagle", "double"), ("beagle", "single")]
NAMES = {"accord": "accord", "beagle": "libhmsbeagle"}
TIPS = {"100": "", "1000": "5 4"}


def read_rows() -> list[dict[str, str]]:
    """The measurements of one thread."""
    with open(HERE / "likelihood.tsv", encoding="utf-8", newline="") as table:
        return [row for row in csv.DictReader(table, delimiter="\t") if row["threads"] == "1"]


def panel(canvas: Canvas, rows: list[dict[str, str]], left: float, y_range: list[float]) -> None:
    """The lines of one number of states."""
    area = (left, 44.0, left + 205, HEIGHT - 54.0)
    x = Axis([float(row["patterns"]) for row in rows], area[0], area[2], log=True)
    y = Axis(y_range, area[3], area[1], log=True)
    title = f"patterns ({rows[0]['states']} states)"
    frame(canvas, x, y, area, (title, ""))
    for shade, (program, precision) in zip(COLOURS, LINES):
        for tips, dash in TIPS.items():
            points: list[tuple[float, float]] = sorted(
                (float(row["patterns"]), float(row[program])) for row in rows
                if row["precision"] == precision and row["tips"] == tips)
            canvas.line([(x.at(a), y.at(b)) for a, b in points], shade,
                        2.5 if program == "accord" else 1.5, dash)
            for patterns, rate in points:
                canvas.dot(x.at(patterns), y.at(rate), 3, shade,
                           f"{NAMES[program]}, {precision}, {tips} tips, {patterns:g} patterns: "
                           f"{rate:.3g} partials a second")


def main() -> int:
    """Reads the table and writes the figure."""
    rows = read_rows()
    canvas = Canvas(WIDTH, HEIGHT, "Likelihoods: partials a second of one thread")
    rates = [float(row[program]) for row in rows for program in NAMES]
    for k, states in enumerate(dict.fromkeys(row["states"] for row in rows)):
        panel(canvas, [row for row in rows if row["states"] == states], 70 + 262.0 * k, rates)
    for k, (shade, (program, precision)) in enumerate(zip(COLOURS, LINES)):
        canvas.box(70 + 170 * k, HEIGHT - 16, 10, 10, shade)
        canvas.text(85 + 170 * k, HEIGHT - 7, f"{NAMES[program]}, {precision}")
    canvas.text(760, HEIGHT - 7, "broken: 1000 tips")
    image = HERE.parents[1] / "docs" / "images" / "likelihood.svg"
    image.write_text(canvas.finish(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
