"""The modules of nf-core, judged by what `nf-core modules lint` calls. scripts/checks/packaging.sh
runs this, in the environment of that tool, with the recipes of a release in ACCORD_RECIPES.

The lint takes schemas from a clone of nf-core/modules: ACCORD_NF_CORE_MODULES names one, or they
are not checked. What it asks Nextflow, it asks where Nextflow is."""
import contextlib
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path
from unittest import mock

RECIPES = Path(os.environ["ACCORD_RECIPES"])
CLONE = os.environ.get("ACCORD_NF_CORE_MODULES", "")
# What no module can pass before it is handed in.
LATER = {"test_snapshot_exists": "nf-test writes the snapshot in a clone of nf-core/modules",
         "bioconda_version": "it asks Bioconda for the package, which is not published"}
# What Nextflow answers.
OF_NEXTFLOW = dict.fromkeys(("docker_tag", "singularity_tag"),
                            "there is no Nextflow, which says which container it takes")
CONFIG = "repository_type: modules\norg_path: nf-core\n"


def repository(folder: Path) -> Path:
    """A repository of modules without a module."""
    (folder / "modules" / "nf-core").mkdir(parents=True)
    (folder / "tests" / "config").mkdir(parents=True)
    (folder / ".nf-core.yml").write_text(CONFIG, encoding="utf-8")
    subprocess.run(["git", "init", "-q", "-b", "master", folder], check=True)
    return folder


def commit(folder: Path) -> None:
    """Commits all files."""
    git = ["git", "-C", folder, "-c", "user.name=test", "-c", "user.email=test@example.org"]
    subprocess.run([*git, "add", "."], check=True)
    subprocess.run([*git, "commit", "-q", "-m", "Modules"], check=True)


class NfCoreTest(unittest.TestCase):
    """The modules, in a repository of modules."""

    def test_lint(self) -> None:
        """It has no failure and no warning, but for what this system or the time does not allow."""
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            repo = repository(folder / "repository")
            shutil.copytree(RECIPES / "nf-core", repo / "modules" / "nf-core", dirs_exist_ok=True)
            remote = Path(CLONE)
            if not CLONE:
                remote = repository(folder / "remote")
                for schema in ("meta", "environment"):
                    (remote / "modules" / f"{schema}-schema.json").write_text("{}", "utf-8")
                print("\nSKIPPED nf-core/schemas: no clone of nf-core/modules, which has them",
                      flush=True)
                commit(remote)
            # Where the tool keeps its clone.
            os.environ["XDG_CONFIG_HOME"] = str(folder / "config")
            clone = folder / "config" / "nfcore" / "nf-core" / "modules"
            subprocess.run(["git", "clone", "-q", remote, clone], check=True)
            found, passed = self.lint(repo)
        later = {**LATER, **({} if shutil.which("nextflow") else OF_NEXTFLOW)}
        for name in sorted({name for _, name, _ in found if name in later}):
            print(f"\nSKIPPED nf-core/{name}: {later[name]}", flush=True)
        self.assertEqual([one for one in found if one[1] not in later], [])
        self.assertLessEqual({"correct_meta_inputs", "correct_meta_outputs", "correct_meta_topics",
                              "main_nf_version_topic", "test_main_tags"}, passed)

    def lint(self, repo: Path) -> tuple[list[tuple[str, str, str]], set[str]]:
        """(module, check, message) of each failure and warning; the checks that pass."""
        from nf_core.modules.lint import ModuleLint

        with contextlib.ExitStack() as replaced:
            if not shutil.which("nextflow"):
                for function, value in (("fetch_wf_config", {}), ("get_nf_version", None)):
                    replaced.enter_context(mock.patch(f"nf_core.utils.{function}",
                                                      return_value=value))
            lint = ModuleLint(repo, no_pull=True, hide_progress=True)
            lint.lint(all_modules=True, print_results=False)
        self.assertEqual({result.component_name for result in lint.passed},
                         {"accord/align", "accord/guidetree"})
        return ([(result.component_name, result.lint_test, result.message)
                 for result in lint.failed + lint.warned],
                {result.lint_test for result in lint.passed})


if __name__ == "__main__":
    unittest.main()
