#!/usr/bin/env python3
"""Checks who may include whom, and what kernels may contain; prints file:line of each breach."""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# Rooms from the bottom of the house to its top; each may include itself and what is named. Those of
# LIBRARY are what others may build on.
MAY_INCLUDE = {"kernels": "", "base": "", "core": "base kernels", "io": "base core",
               "host": "base core kernels", "align": "base core",
               "opencl": "base core kernels", "opencl_stages": "base core kernels opencl",
               "schedule": "base core",
               "devices": "base core host opencl opencl_stages schedule",
               "method": "base core align io host schedule"}
LIBRARY = list(MAY_INCLUDE)
MAY_INCLUDE |= {"bench": " ".join(LIBRARY), "batch": " ".join(LIBRARY),
                "report": " ".join([*LIBRARY, "batch"]),
                "cli": " ".join([*LIBRARY, "batch", "report"]),
                "commands": " ".join([*LIBRARY, "bench", "batch", "report", "cli"])}
# What may stand only in these places: (pattern, files it is allowed in, what to say).
ONLY_IN = [(r"#\s*include\s*<CL/", r"/opencl(_stages)?/",
            "OpenCL headers belong in opencl/"),
           (r"#\s*include\s*<boost/", r"/cli/", "Boost belongs in cli/"),
           (r"#\s*pragma\s+omp|#\s*include\s*<omp\.h>", r"/base/parallel\.",
            "OpenMP belongs in base/parallel"),
           (r"\bstd::c(err|out)\b|\bf?(printf|puts)\s*\(|[(,]\s*std(err|out)\s*\)", r"/cli/",
            "only cli/ prints"),
           (r"\b(std::exit|_?_?exit|_Exit|quick_exit|abort)\s*\(", r"/cli/",
            "only cli/ ends the process"),
           (r"#\s*include\s*<([\w/]+\.hpp|zlib\.h)>", r"^/(?!(src|include/accord)/base/)",
            "base/ knows the standard library only")]
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


def breaches(path: Path) -> "list[tuple[int, str]]":
    """(line number, what is wrong) of one file."""
    name = path.relative_to(ROOT).as_posix()
    layer = re.sub(r"^(include/accord|src)/", "", name).split("/")[0]
    text = path.read_text(encoding="utf-8")
    raw, code, found = text.split("\n"), without_comments(text).split("\n"), []
    for number, line in enumerate(code, 1):
        if match := re.match(r'\s*#\s*include\s*"(?:accord/(\w+)/|(shared)/)', line):
            target = match.group(1) or "kernels"
            allowed = [layer, *MAY_INCLUDE.get(layer, "").split()]
            if target not in allowed:
                found.append((number, f"{layer} may not include {target}"))
        found += [(number, what) for pattern, allowed, what in ONLY_IN
                  if re.search(pattern, line) and not re.search(allowed, "/" + name)]
    for number, line in enumerate(device_lines("\n".join(code)) if layer == "kernels" else [], 1):
        found += [(number, f"{what} in a kernel") for pattern, what in BANNED
                  if re.search(pattern, line)]
        rest = re.sub(r"^\s*#\s*include.*", "", HARMLESS.sub("", line))
        if DIVISION.search(rest) and "integer" not in raw[number - 1]:
            found.append((number, "division in a kernel (of integers? say so in a comment there)"))
    return found


def main() -> int:
    """Checks include/, src/ and kernels/ of the repository."""
    files = sorted(path for folder in ("include", "src", "kernels")
                   for path in (ROOT / folder).rglob("*")
                   if path.suffix in {".hpp", ".h", ".cpp", ".cl"})
    lines = [f"{path.relative_to(ROOT)}:{number}: {what}"
             for path in files for number, what in breaches(path)]
    print("\n".join(lines) if lines else f"include rules hold in {len(files)} files")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
