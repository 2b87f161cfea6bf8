"""The recipes that are YAML; scripts/checks/packaging.sh runs this, with the recipes of a release
in ACCORD_RECIPES."""
import os
import unittest
from pathlib import Path
from typing import Any

import jinja2
import yaml

RECIPES = Path(os.environ["ACCORD_RECIPES"])


def bioconda() -> Any:
    """What conda makes of the recipe for Bioconda."""
    def call(function: str) -> Any:
        return lambda *words, **_: " ".join((function, *words))

    source = (RECIPES / "bioconda" / "meta.yaml").read_text(encoding="utf-8")
    template = jinja2.Environment(undefined=jinja2.StrictUndefined).from_string(source)
    return yaml.safe_load(template.render({name: call(name) for name in (
        "compiler", "stdlib", "pin_subpackage")}))


class RecipesTest(unittest.TestCase):
    """The recipes of a release that does not exist."""

    def test_yaml(self) -> None:
        """Every file of YAML holds a map."""
        files = sorted(RECIPES.rglob("*.y*ml"))
        self.assertEqual(len(files), 8, files)
        for path in files:
            with self.subTest(path.name):
                read = bioconda() if path.parent.name == "bioconda" else yaml.safe_load(
                    path.read_text(encoding="utf-8"))
                self.assertIsInstance(read, dict)

    def test_bioconda(self) -> None:
        """What the lint of Bioconda asks of a recipe: its fields, compilers and constraints."""
        print("\nSKIPPED bioconda/lint: bioconda-utils and conda-build are not on PyPI; the fields "
              "that the lint asks for are checked without them", flush=True)
        recipe = bioconda()
        self.assertEqual(recipe["package"]["name"], "accord")
        self.assertRegex(recipe["package"]["version"], r"^\d+\.\d+\.\d+$")
        self.assertEqual(set(recipe["source"]), {"url", "sha256"})
        self.assertRegex(recipe["source"]["sha256"], "^[0-9a-f]{64}$")
        self.assertEqual(recipe["build"]["number"], 0)
        self.assertEqual(recipe["build"]["run_exports"], ["pin_subpackage accord"])
        about = recipe["about"]
        for name in ("home", "license", "license_file", "summary"):
            self.assertTrue(about[name], name)
        self.assertLessEqual(len(about["summary"]), 120)
        self.assertTrue(recipe["test"]["commands"])
        self.assertTrue(recipe["extra"]["recipe-maintainers"])
        needs = recipe["requirements"]
        self.assertEqual(needs["build"][:2], ["compiler cxx", "stdlib c"])
        for section in ("host", "run"):
            self.assertFalse([need for need in needs[section] if "compiler" in need], section)
        for need in sum(needs.values(), []):
            self.assertRegex(need, r"^[a-z0-9_-]+( [a-z0-9<>=!,.*]+)?$")  # a blank before versions


if __name__ == "__main__":
    unittest.main()
