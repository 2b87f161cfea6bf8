#!/usr/bin/env python3
"""What a timeline of accord (--trace FILE) says: the seconds of each stage as a table on stdout,
and, with --svg FILE, a picture of all threads and devices."""
import argparse
import json
import re
from collections import defaultdict
from html import escape
from pathlib import Path
from typing import NamedTuple

COLOURS = {"posteriors": "#0072b2", "consistency": "#d55e00", "align": "#009e73",
           "refine": "#cc79a7", "tree": "#e69f00", "read": "#56b4e9", "write": "#999933",
           "confidence": "#882255", "superposition": "#44aa99", "fold": "#aa4499"}
WAIT, OTHER, IDLE = "#d9d9d9", "#777777", "#f6f6f6"
WIDTH, LEFT, STEP, TOP = 860, 150, 17, 40
NO_STAGE = "(no stage)"


class Span(NamedTuple):
    """A span of the timeline; seconds. `cpu` is the CPU time of its thread, 0 where that is not
    known: of devices, and of spans that have not ended."""
    row: int
    name: str
    kind: str
    begin: float
    end: float
    cpu: float


class Timeline(NamedTuple):
    """The spans of a run, and the names of its rows: those of threads, and of devices."""
    spans: list[Span]
    rows: dict[int, str]
    devices: set[int]
    seconds: float
    cpu_seconds: float


def read(path: Path) -> Timeline:
    """Reads a file of --trace."""
    data = json.loads(path.read_text(encoding="utf-8"))
    spans, rows, processes, process_of = [], {}, {}, {}
    for event in data["traceEvents"]:
        if event["name"] == "thread_name":
            rows[event["tid"]] = event["args"]["name"]
            process_of[event["tid"]] = event["pid"]
        elif event["name"] == "process_name":
            processes[event["pid"]] = event["args"]["name"]
        elif event["ph"] == "X":
            spans.append(Span(event["tid"], event["name"], event["cat"], event["ts"] / 1e6,
                              (event["ts"] + event["dur"]) / 1e6, event.get("tdur", 0) / 1e6))
    devices = {row for row, process in process_of.items() if process != 1}
    for row in devices:
        rows[row] = processes[process_of[row]].split(":")[0] + " " + rows[row]
    other = data["otherData"]
    return Timeline(spans, rows, devices, other["seconds"], other["cpu_seconds"])


class Cost(NamedTuple):
    """Seconds of the threads in spans of one name, without those in spans within them."""
    wall: float = 0
    cpu: float = 0


def costs(timeline: Timeline) -> dict[str, Cost]:
    """The cost of each stage, step and wait; a thread counts for the innermost span it is in."""
    found: defaultdict[str, Cost] = defaultdict(Cost)

    def add(span: Span, sign: int, outer: Span) -> None:
        before = found[label(outer)]
        found[label(outer)] = Cost(before.wall + sign * (span.end - span.begin),
                                   before.cpu + sign * span.cpu * (outer.cpu > 0))

    spans = [span for span in timeline.spans if span.row not in timeline.devices]
    open_spans: list[Span] = []
    for span in sorted(spans, key=lambda span: (span.row, span.begin, -span.end)):
        while open_spans and (open_spans[-1].row != span.row or open_spans[-1].end <= span.begin):
            open_spans.pop()
        if open_spans:
            add(span, -1, open_spans[-1])
        add(span, 1, span)
        open_spans.append(span)
    return dict(found)


def label(span: Span) -> str:
    """The line of the table to which a span belongs."""
    return NO_STAGE if span.kind == "family" else span.name


def table(timeline: Timeline) -> str:
    """A line for each stage, step and wait: wall and CPU seconds of all threads, share of CPU."""
    lines = [("stage", "thread s", "CPU s", "share")]
    rest, whole = timeline.cpu_seconds, max(timeline.cpu_seconds, 1e-9)
    for name, cost in sorted(costs(timeline).items(), key=lambda item: -item[1].cpu):
        rest -= cost.cpu
        lines.append((name, f"{cost.wall:.3f}", f"{cost.cpu:.3f}", f"{cost.cpu / whole:.1%}"))
    lines.append(("(in no span)", "", f"{rest:.3f}", f"{rest / whole:.1%}"))
    lines.append(("(whole process)", f"{timeline.seconds:.3f}", f"{timeline.cpu_seconds:.3f}", ""))
    width = max(len(line[0]) for line in lines)
    return "\n".join(f"{line[0]:{width}} {line[1]:>10} {line[2]:>10} {line[3]:>7}"
                     for line in lines)


def colour(span: Span) -> str:
    """The colour of a span."""
    if span.kind == "wait":
        return WAIT
    known = [name for name in COLOURS if span.name.startswith(name[:9])]  # of kernels, too
    return COLOURS[known[0]] if known else OTHER


def figure(timeline: Timeline) -> str:
    """The timeline as SVG: a line for each thread and each kind of commands of a device, without
    those that have little to show."""
    shown = [span for span in timeline.spans if span.kind != "family"]
    first = min(span.begin for span in shown)
    seconds = max(span.end for span in shown) - first
    busy: defaultdict[int, float] = defaultdict(float)
    for span in shown:
        busy[span.row] += span.end - span.begin
    rows = [row for row in timeline.rows if busy[row] > seconds / 100]
    scale = (WIDTH - LEFT - 12) / seconds
    bottom = TOP + STEP * len(rows)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {bottom + 24}" '
             'font-family="Helvetica,Arial,sans-serif" font-size="11" role="img">',
             "<title>Timeline of a batch</title>",
             '<rect width="100%" height="100%" fill="white"/>']
    x = LEFT
    used = {colour(span) for span in shown}
    for name, fill in [*COLOURS.items(), ("other", OTHER), ("waiting", WAIT)]:
        if fill in used:
            parts += [f'<rect x="{x}" y="12" width="10" height="10" fill="{fill}"/>',
                      f'<text x="{x + 14}" y="21">{name}</text>']
            x += 26 + 6 * len(name)
    for place, row in enumerate(rows):
        y = TOP + STEP * place
        parts += [f'<text x="{LEFT - 6}" y="{y + 11}" text-anchor="end">'
                  f'{escape(re.split("[:(]", timeline.rows[row])[0])}</text>',
                  f'<rect x="{LEFT}" y="{y}" width="{WIDTH - LEFT - 12}" height="14" '
                  f'fill="{IDLE}"/>']
        for span in sorted((span for span in shown if span.row == row),
                           key=lambda span: (span.begin, -span.end)):
            width = (span.end - span.begin) * scale
            if width >= 0.2:
                parts.append(f'<rect x="{LEFT + (span.begin - first) * scale:.1f}" y="{y}" '
                             f'width="{width:.1f}" height="14" fill="{colour(span)}"/>')
    step = next(step for step in (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 1e9)
                if seconds / step <= 12)
    for tick in range(int(seconds / step) + 1):
        parts.append(f'<text x="{LEFT + tick * step * scale:.1f}" y="{bottom + 16}" '
                     f'text-anchor="middle">{tick * step:g} s</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def main() -> None:
    """Prints the table, and writes the picture."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("trace", type=Path)
    parser.add_argument("--svg", type=Path)
    options = parser.parse_args()
    timeline = read(options.trace)
    print(table(timeline))
    if options.svg:
        options.svg.write_text(figure(timeline), encoding="utf-8")


if __name__ == "__main__":
    main()
