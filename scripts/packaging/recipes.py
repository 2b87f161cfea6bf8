#!/usr/bin/env python3
"""Writes the recipes of a release, ready to hand in:

  scripts/packaging/recipes.py --homepage URL --source URL --sha256 SUM --maintainer ACCOUNT \\
    [--build STRING] [--version V] OUT

A recipe is a folder below scripts/packaging/recipes. Its files have @VERSION@, @SOURCE@ and so on
where a value of the release stands. A recipe whose values are not all given is left out, with a
message. The example goes beside the recipes that test with it.
"""
import argparse
import gzip
import re
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RECIPES = Path(__file__).resolve().parent / "recipes"
VALUES = {
    "version": "the version (that of CMakeLists.txt)",
    "homepage": "the address of the project",
    "source": "the address of the tarball with the source of the version",
    "sha256": "the SHA-256 of this tarball",
    "maintainer": "the account on GitHub of the recipes' maintainer",
    "build": "the build string of Bioconda's package, such as h9ee0642_0: known once it is built"}
PLACEHOLDER = re.compile("@(" + "|".join(name.upper() for name in VALUES) + ")@")
DATA = {"galaxy/test-data": ["example.fa", "example.fa.gz", "example.aln", "example.nwk"],
        "snakemake/test": ["example.fa", "example.nwk"]}


def present_version() -> str:
    """The version that CMakeLists.txt names."""
    text = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    return re.findall(r"^project\(accord VERSION ([\d.]+)", text, re.M)[0]


def files_of(recipe: Path) -> "dict[str, str]":
    """The text of every file of a recipe, by its path in the recipe."""
    return {path.relative_to(recipe).as_posix(): path.read_text(encoding="utf-8")
            for path in sorted(recipe.rglob("*")) if path.is_file()}


def example(name: str) -> bytes:
    """A file of datasets; the suffix .gz compresses it."""
    if name.endswith(".gz"):
        return gzip.compress(example(name[:-3]), mtime=0)
    return (ROOT / "datasets" / name).read_bytes()


def filled(text: str, values: "dict[str, str]") -> str:
    """A text with the values in the places of their placeholders."""
    return PLACEHOLDER.sub(lambda match: values[match.group(1)], text)


def write_recipe(recipe: Path, values: "dict[str, str]", out: Path) -> None:
    """Writes a recipe with its values and its example into a folder of its name in `out`."""
    for name, text in files_of(recipe).items():
        target = out / recipe.name / filled(name, values)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(filled(text, values), encoding="utf-8")
        shutil.copymode(recipe / name, target)
    for folder, names in DATA.items():
        if folder.startswith(recipe.name + "/"):
            (out / folder).mkdir(exist_ok=True)
            for name in names:
                (out / folder / name).write_bytes(example(name))


def main() -> int:
    """Writes the recipes whose values are given."""
    parser = argparse.ArgumentParser(description="Writes the recipes of a release.")
    for name, meaning in VALUES.items():
        parser.add_argument(f"--{name}", help=meaning,
                            default=present_version() if name == "version" else None)
    parser.add_argument("out", type=Path, metavar="OUT", help="a folder that is made")
    arguments = vars(parser.parse_args())
    out: Path = arguments.pop("out")
    values = {name.upper(): value for name, value in arguments.items() if value}
    out.mkdir(parents=True)
    for recipe in sorted(path for path in RECIPES.iterdir() if path.is_dir()):
        needed = {name for text in files_of(recipe).values() for name in PLACEHOLDER.findall(text)}
        if missing := sorted(name.lower() for name in needed - set(values)):
            print(f"{recipe.name}: left out, needs --{', --'.join(missing)}", file=sys.stderr)
        else:
            write_recipe(recipe, values, out)
            print(out / recipe.name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
