#!/usr/bin/env python3
"""Checks who may and who must include whom, that a type is defined once, and what kernels may
contain; prints file:line of each breach.

  scripts/checks/check_includes.py [--draw [dot]]

--draw prints who includes whom instead, the top of the house first (or as a graph for Graphviz).
"""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# The folders of src/, and kernels/, from the bottom of the house to its top. A folder includes
# itself and what stands on lower floors. A folder that stands here has a floor of its own; others
# belong to the one around them.
FLOORS = ["kernels base",
          "core io/files",
          "options",
          "io/structures",
          "models io/formats",
          "align io/families io/trees",
          "align/local tools",
          "engine",
          "engine/host engine/opencl",
          "stages/posteriors",
          "stages/consistency stages/neighbor_joining stages/local_pairs phylogeny/likelihood",
          "stages phylogeny/local_fit",
          "method/structures",
          "method phylogeny",
          "method/folding",
          "method/large",
          "run/family",
          "run/estimate",
          "run/devices",
          "run/batch run/figure",
          "run/report",
          "run",
          "phylogeny/run",
          "api app/outputs",
          "app/cli",
          "app/commands app/names python browser",
          "phylogeny/app",
          "app api/phylogeny bench"]
FLOOR_OF = {room: floor for floor, rooms in enumerate(FLOORS) for room in rooms.split()}
# What may stand only in these places: (pattern, files it is allowed in, what to say).
ONLY_IN = [(r"#\s*include\s*<CL/", r"/src/(engine/opencl/|stages/\w+/(\w+_)?opencl)",
            "OpenCL headers belong in engine/opencl and in the stages' OpenCL files"),
           (r'#\s*include\s*"phylogeny/',
            r"/src/(phylogeny/|(api|bench)/phylogeny/|app/all_commands\.)",
            "the aligner is built without phylogeny"),
           (r"\bstd::filesystem\b|#\s*include\s*<filesystem>", r"/src/base/",
            "base/paths.hpp says how files are named and found"),
           (r"#\s*include\s*<(latch|barrier|semaphore)>", r"^$",
            "on Windows their waits can miss the wake-up (GCC 12): take a mutex"),
           (r"#\s*include\s*<boost/program_options", r"/src/app/cli/",
            "Boost.Program_options belongs in app/cli"),
           (r"#\s*include\s*<gemmi/", r"/src/io/structures/(mmcif_atoms|residue_names)\.",
            "gemmi belongs in io/structures/mmcif_atoms.cpp and residue_names.cpp"),
           (r"#\s*include\s*<(boost/math|Eigen|nlopt)", r"/src/phylogeny/",
            "Boost.Math, Eigen and NLopt belong in phylogeny"),
           (r"#\s*pragma\s+omp|#\s*include\s*<omp\.h>", r"/src/base/parallel\.",
            "OpenMP belongs in base/parallel"),
           (r"\bstd::c(err|out)\b|\bf?(printf|puts)\s*\(|[(,]\s*std(err|out)\s*\)", r"/src/app/",
            "only src/app prints"),
           (r"\b(std::exit|_?_?exit|_Exit|quick_exit|abort)\s*\(", r"/src/app/",
            "only src/app ends the process"),
           (r"#\s*include\s*<([\w/]+\.hpp|zlib\.h)>", r"^/(?!(src|include/accord)/base/)",
            "base/ knows the standard library only")]
# Functions of <algorithm> and <numeric>, which other headers bring on some systems alone.
ALGORITHMS = {"algorithm": """adjacent_find all_of any_of binary_search clamp copy copy_if copy_n
                            count count_if equal equal_range fill fill_n find find_if find_if_not
                            for_each generate includes inplace_merge is_sorted
                            lexicographical_compare lower_bound max max_element merge min
                            min_element minmax minmax_element mismatch next_permutation none_of
                            nth_element partial_sort partition remove remove_if replace replace_if
                            reverse rotate search set_difference set_intersection set_union
                            shuffle sort stable_sort transform unique upper_bound""",
              "numeric": "accumulate inner_product iota partial_sum reduce"}
CALLS = {header: re.compile(rf"\bstd::(ranges::)?({'|'.join(names.split())})\(")
         for header, names in ALGORITHMS.items()}
# The page's compiler has the algorithms of std::ranges that this file gives it.
PAGE_LIBRARY = ROOT / "cmake/emscripten/library.hpp"
PAGE_WORDS = set(re.findall(r"\w+", PAGE_LIBRARY.read_text(encoding="utf-8")))
# The beginnings of a namespace, without a name if it is that of one file, and of a type.
NAMESPACE = re.compile(r"namespace ?([\w:]*) ?\{")
TYPE = re.compile(r"(?:template <.*> )?(?:struct|class|enum class) (\w+)(?: final)?(?: : .*)? \{")
# Kernels in double precision, which devices have that compute it.
DOUBLE = re.compile(r"/(likelihood/peel(_values)?|shared/peak_doubles)\.(h|cl)$")
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


def room_of(name: str) -> str:
    """The room that a file stands in, by its path in the repository; empty if there is none."""
    if name.startswith("kernels/"):
        return "kernels"
    folders = re.sub(r"^(include/accord|src)/", "", name).split("/")[:-1]
    while folders and "/".join(folders) not in FLOOR_OF:
        folders.pop()
    return "/".join(folders)


def target_of(line: str) -> str:
    """The room of the file that a line includes; empty if it includes none of ours."""
    match = re.match(r'\s*#\s*include\s*"(accord/)?([^"]+)"', line)
    if not match:
        return ""
    if not match.group(1) and (ROOT / "kernels" / match.group(2)).is_file():
        return "kernels"
    return room_of(f"src/{match.group(2)}")


def breaches(path: Path) -> "list[tuple[int, str]]":
    """The breaches in one file: line number and message."""
    name = path.relative_to(ROOT).as_posix()
    room = room_of(name)
    text = path.read_text(encoding="utf-8")
    raw, code, found = text.split("\n"), without_comments(text).split("\n"), []
    for number, line in enumerate(code, 1):
        if not room:
            return [(1, "a folder without a floor: give it one in FLOORS")]
        target = target_of(line)
        if target and target != room and FLOOR_OF[target] >= FLOOR_OF[room]:
            found.append((number, f"{room} may not include {target}"))
        found += [(number, what) for pattern, allowed, what in ONLY_IN
                  if re.search(pattern, line) and not re.search(allowed, "/" + name)]
        found += [(number, f"std::ranges::{word}: add it to {PAGE_LIBRARY.name}, or take std::")
                  for word in re.findall(r"\bstd::ranges::(\w+)", line)
                  if word not in PAGE_WORDS]
    is_kernel = path.suffix in {".h", ".cl"}
    for number, line in enumerate(device_lines("\n".join(code)) if is_kernel else [], 1):
        found += [(number, f"{what} in a kernel") for pattern, what in BANNED
                  if re.search(pattern, line) and not (what == "double" and DOUBLE.search(name))]
        rest = re.sub(r"^\s*#\s*include.*", "", HARMLESS.sub("", line))
        if DIVISION.search(rest) and "integer" not in raw[number - 1]:
            found.append((number, "division in a kernel (of integers? say so in a comment there)"))
    return found


def missing_headers(path: Path) -> "list[tuple[int, str]]":
    """(line number, what is wrong) where a file and its header include no header of ALGORITHMS."""
    code, header = path.read_text(encoding="utf-8"), path.with_suffix(".hpp")
    included = code + (header.read_text(encoding="utf-8") if header.is_file() else "")
    lines = without_comments(code).split("\n")
    calls = {name: next((k for k, line in enumerate(lines, 1) if call.search(line)), 0)
             for name, call in CALLS.items()}
    return [(number, f"needs #include <{name}>") for name, number in calls.items()
            if number and f"#include <{name}>" not in included]


def second_types(files: "list[Path]") -> "list[str]":
    """A line for each type that another file defines, too, under the same name in the same
    namespace: the linker takes the functions of one for those of the other."""
    found, first = [], {}
    for path in files:
        spaces = []
        for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
            if match := NAMESPACE.match(line):
                spaces.append(match.group(1))
            elif line.startswith("}  // namespace") and spaces:
                spaces.pop()
            elif (match := TYPE.match(line)) and "" not in spaces:
                place = f"{path.relative_to(ROOT)}:{number}"
                name = "::".join([*spaces, match.group(1)])
                if (other := first.setdefault(name, place)) != place:
                    found.append(f"{place}: {name} is defined in {other}, too")
    return found


def draw(files: "list[Path]", as_dot: bool) -> str:
    """The rooms, those of the highest floor first, with what each includes."""
    includes: dict[str, set[str]] = {room: set() for room in FLOOR_OF}
    lines = dict.fromkeys(FLOOR_OF, 0)
    for path in files:
        text = path.read_text(encoding="utf-8")
        room = room_of(path.relative_to(ROOT).as_posix())
        lines[room] += text.count("\n")
        includes[room] |= {target_of(line) for line in text.split("\n")} - {"", room}
    if as_dot:
        edges = [f'  "{room}" -> "{target}";' for room, targets in includes.items()
                 for target in sorted(targets)]
        return "\n".join(["digraph rooms {", *edges, "}"])
    rows = []
    for room in sorted(includes, key=lambda name: (-FLOOR_OF[name], name)):
        names = " ".join(sorted(includes[room], key=lambda name: (-FLOOR_OF[name], name)))
        rows.append(f"{FLOOR_OF[room]:2}  {room:24}{lines[room]:6} lines  -> {names or 'nothing'}")
    return "\n".join(rows)


def main() -> int:
    """Checks the sources of the repository, or draws the graph of the house."""
    def sources(*folders: str) -> "list[Path]":
        return sorted(path for folder in folders for path in (ROOT / folder).rglob("*")
                      if path.suffix in {".hpp", ".h", ".cpp", ".cl"})

    files = sources("include", "src", "kernels")
    if "--draw" in sys.argv[1:]:
        print(draw(files, "dot" in sys.argv[1:]))
        return 0
    lines = [f"{path.relative_to(ROOT)}:{number}: {what}"
             for path in files for number, what in breaches(path)]
    lines += [f"{path.relative_to(ROOT)}:{number}: {what}"
              for path in [*files, *sources("tests")] for number, what in missing_headers(path)]
    lines += second_types([*files, *sources("tests")])
    print("\n".join(lines) if lines else f"include rules hold in {len(files)} files")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
