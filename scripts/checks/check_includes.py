#!/usr/bin/env python3
"""Checks who may include whom, what kernels may contain, and how large a directory of src/ is;
prints file:line of each breach.

  scripts/checks/check_includes.py [--draw [dot]]

--draw prints who includes whom instead, the top of the house first (or as a graph for Graphviz).
"""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# Rooms from the bottom of the house to its top; each may include itself and what is named. Those of
# LIBRARY are what others may build on.
MAY_INCLUDE = {"kernels": "", "base": "", "files": "base", "core": "base kernels",
               "formats": "base core files", "io": "base core files formats",
               "stages": "base core kernels",
               "host": "base core kernels stages", "align": "base core",
               "opencl": "base core kernels", "opencl_stages": "base core kernels opencl stages",
               "schedule": "base core stages",
               "devices": "base core host opencl opencl_stages schedule stages",
               "method": "base core align files io host schedule stages",
               "large": "base core align schedule method",
               "likelihood": "base core files schedule stages",
               "rows": "base core formats"}
LIBRARY = list(MAY_INCLUDE)
MAY_INCLUDE |= {"bench": " ".join(LIBRARY), "batch": " ".join(LIBRARY),
                "api": " ".join([*LIBRARY, "batch", "report"]), "python": "base api",
                "report": " ".join([*LIBRARY, "batch"]),
                "cli": " ".join([*LIBRARY, "batch", "report"]),
                "commands": " ".join([*LIBRARY, "bench", "batch", "report", "cli"])}
MOST_LINES = 2500  # of a directory in src/
# What may stand only in these places: (pattern, files it is allowed in, what to say).
ONLY_IN = [(r"#\s*include\s*<CL/", r"/opencl(_stages)?/",
            "OpenCL headers belong in opencl/"),
           (r"#\s*include\s*<boost/program_options", r"/cli/",
            "Boost.Program_options belongs in cli/"),
           (r"#\s*include\s*<(boost/math|Eigen|nlopt)", r"/likelihood/",
            "Boost.Math, Eigen and NLopt belong in likelihood/"),
           (r"#\s*pragma\s+omp|#\s*include\s*<omp\.h>", r"/base/parallel\.",
            "OpenMP belongs in base/parallel"),
           (r"\bstd::c(err|out)\b|\bf?(printf|puts)\s*\(|[(,]\s*std(err|out)\s*\)", r"/cli/",
            "only cli/ prints"),
           (r"\b(std::exit|_?_?exit|_Exit|quick_exit|abort)\s*\(", r"/cli/",
            "only cli/ ends the process"),
           (r"#\s*include\s*<([\w/]+\.hpp|zlib\.h)>", r"^/(?!(src|include/accord)/base/)",
            "base/ knows the standard library only")]
# Kernels in double precision, which devices have that compute it.
DOUBLE = re.compile(r"/(likelihood\.(h|cl)|peel_values\.h)$")
# What the arithmetic contract bans from kernels.
BANNED = [(r"\bdouble\d*\b|\bcl_khr_fp64\b", "double"),
          (r"\b(native|half)_\w+\s*\(", "inexact function"),
          (r"\b(exp(2|10|m1)?|log(2|10|1p)?|pow[nr]?|rootn|r?sqrt|cbrt|hypot|mad)\s*\(",
           "function whose rounding is not fixed"),
          (r"fast-math|fast-relaxed|unsafe-math", "fast-math"),
          (r"\w*sub_?groups?\w*", "sub-groups")]
# A division is taken for integer arithmetic if it divides two literals, divides by an integer
# literal or a macro, rounds up as (a + b - 1) / b does, or has a comment on its line that says
# 'integer'.
DIVISION = re.compile(r"/(?!\s*(\d+u?|[A-Z][A-Z0-9_]*)\b(?!\.))")
HARMLESS = re.compile(r"\b[\d.]+f?\s*/\s*[\d.]+f?\b|- 1\)\s*/\s*\w+")


def without_comments(text: str) -> str:
    """The text with comments blanked; strings stay, lines keep their numbers."""
    pattern = r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"'

    def blank(match: "re.Match[str]") -> str:
        return match.group() if match.group()[0] == '"' else re.sub(r"[^\n]", " ", match.group())

    return re.sub(pattern, blank, text, flags=re.S)


def device_lines(code: str) -> "list[str]":
    """The lines of a kernel file, empty where only the host compiler reads them."""
    lines, host = [], []
    for line in code.split("\n"):
        if match := re.match(r"\s*#\s*(if\w*)\s*(\S*)", line):
            on_opencl = re.match(r"__OPENCL(_C)?_VERSION__$", match.group(2))
            host.append(bool(on_opencl) and match.group(1) == "ifndef" if on_opencl else None)
        elif re.match(r"\s*#\s*else", line) and host and host[-1] is not None:
            host[-1] = not host[-1]
        elif re.match(r"\s*#\s*endif", line) and host:
            host.pop()
        lines.append("" if any(host) else line)
    return lines


def room_of(path: Path) -> str:
    """The directory below src/ or include/accord/ that a file stands in, or "kernels"."""
    return re.sub(r"^(include/accord|src)/", "", path.relative_to(ROOT).as_posix()).split("/")[0]


def target_of(line: str) -> str:
    """The room of the file that a line includes; empty if it includes none."""
    match = re.match(r'\s*#\s*include\s*"(?:accord/)?(\w+)/', line)
    return {"shared": "kernels"}.get(match.group(1), match.group(1)) if match else ""


def breaches(path: Path) -> "list[tuple[int, str]]":
    """(line number, what is wrong) of one file."""
    name = path.relative_to(ROOT).as_posix()
    layer = room_of(path)
    text = path.read_text(encoding="utf-8")
    raw, code, found = text.split("\n"), without_comments(text).split("\n"), []
    for number, line in enumerate(code, 1):
        if target := target_of(line):
            if target not in [layer, *MAY_INCLUDE.get(layer, "").split()]:
                found.append((number, f"{layer} may not include {target}"))
        found += [(number, what) for pattern, allowed, what in ONLY_IN
                  if re.search(pattern, line) and not re.search(allowed, "/" + name)]
    for number, line in enumerate(device_lines("\n".join(code)) if layer == "kernels" else [], 1):
        found += [(number, f"{what} in a kernel") for pattern, what in BANNED
                  if re.search(pattern, line) and not (what == "double" and DOUBLE.search(name))]
        rest = re.sub(r"^\s*#\s*include.*", "", HARMLESS.sub("", line))
        if DIVISION.search(rest) and "integer" not in raw[number - 1]:
            found.append((number, "division in a kernel (of integers? say so in a comment there)"))
    return found


def large_directories() -> "list[str]":
    """Directories of src/ with too many lines of C++."""
    found = []
    for directory in sorted(path for path in (ROOT / "src").iterdir() if path.is_dir()):
        lines = sum(path.read_text(encoding="utf-8").count("\n")
                    for path in directory.rglob("*.?pp"))
        if lines > MOST_LINES:
            name = directory.relative_to(ROOT).as_posix()
            found.append(f"{name}: {lines} lines, more than {MOST_LINES}: part it")
    return found


def draw(files: "list[Path]", as_dot: bool) -> str:
    """The rooms, each above all that it includes. An arrow upwards, which a circle of rooms would
    need, is marked as such."""
    includes: "dict[str, set[str]]" = {room: set() for room in MAY_INCLUDE}
    lines = dict.fromkeys(MAY_INCLUDE, 0)
    for path in files:
        text = path.read_text(encoding="utf-8")
        room = room_of(path)
        lines[room] += text.count("\n")
        includes[room] |= {target_of(line) for line in text.split("\n")} - {"", room}
    if as_dot:
        edges = [f"  {room} -> {target};" for room, targets in includes.items()
                 for target in sorted(targets)]
        return "\n".join(["digraph rooms {", *edges, "}"])
    floor = dict.fromkeys(includes, 0)
    for _ in includes:  # a chain is no longer than the number of rooms
        for room, targets in includes.items():
            floor[room] = max([0, *(floor[target] + 1 for target in targets)])
    rows = []
    for room in sorted(includes, key=lambda name: (-floor[name], name)):
        names = [target + (" (UPWARDS)" if floor[target] >= floor[room] else "")
                 for target in sorted(includes[room], key=lambda name: (-floor[name], name))]
        rows.append(f"{floor[room]:2}  {room:14}{lines[room]:6} lines  -> "
                    f"{' '.join(names) if names else 'nothing'}")
    return "\n".join(rows)


def main() -> int:
    """Checks include/, src/ and kernels/ of the repository, or draws their graph."""
    files = sorted(path for directory in ("include", "src", "kernels")
                   for path in (ROOT / directory).rglob("*")
                   if path.suffix in {".hpp", ".h", ".cpp", ".cl"})
    if "--draw" in sys.argv[1:]:
        print(draw(files, "dot" in sys.argv[1:]))
        return 0
    lines = [f"{path.relative_to(ROOT)}:{number}: {what}"
             for path in files for number, what in breaches(path)] + large_directories()
    print("\n".join(lines) if lines else f"include rules hold in {len(files)} files")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
