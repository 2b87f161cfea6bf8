"""Tests of scripts/packaging, as far as they need none of the tools that it is for."""
import hashlib
import json
import os
import re
import subprocess
import tarfile
import unittest
import zipfile
from pathlib import Path

from support import ACCORD, ROOT, HarnessTest

PACKAGING = ROOT / "scripts" / "packaging"
# What a package of each distribution has of itself, or needs beside the libraries.
BESIDE = {"g++", "cmake", "ninja-build", "debhelper-compat", "ocl-icd-libopencl1"}


def text_of(path: Path) -> str:
    """The text of a file."""
    return path.read_text(encoding="utf-8")


def found(pattern: str, path: Path) -> str:
    """The group of a pattern in a file, which must have it."""
    match = re.search(pattern, text_of(path), re.M | re.S)
    assert match, f"{path}: no {pattern}"
    return match.group(1)


def table() -> list[dict[str, str]]:
    """The lines of cmake/packages.tsv."""
    lines = [line.split("\t") for line in text_of(ROOT / "cmake" / "packages.tsv").splitlines()
             if not line.startswith("#")]
    return [dict(zip(lines[0], line)) for line in lines[1:]]


def packages(text: str) -> set[str]:
    """The names of Debian packages in a list, without versions and what stands beside."""
    return set(re.sub(r"\([^)]*\)|[,\\\n]", " ", text).split()) - BESIDE


class PackagingTest(unittest.TestCase):
    """What the files of all packages must agree on."""

    def test_versions(self) -> None:
        """All name the version of CMakeLists.txt."""
        version = found(r"project\(accord VERSION ([\d.]+)", ROOT / "CMakeLists.txt")
        for path, pattern in ((ROOT / "CITATION.cff", r"^version: (\S+)$"),
                              (PACKAGING / "debian" / "changelog", r"^accord \(([\d.]+)\)")):
            self.assertEqual(found(pattern, path), version, path)
        said = subprocess.run([ACCORD, "--version"], capture_output=True, text=True, check=True)
        self.assertEqual(said.stdout, f"accord {version}\n")

    def test_containers_run_any_command(self) -> None:
        """Engines of workflows run IMAGE /bin/bash -ue ...; a user names accord."""
        lines = text_of(PACKAGING / "Dockerfile").splitlines()
        self.assertFalse([line for line in lines if line.startswith("ENTRYPOINT")])
        script = found(r"^%runscript\n(.*?)\n\n", PACKAGING / "accord.def")
        for words, said in ((["/bin/bash", "-ue", "-c", "echo run"], "run\n"),
                            (["echo", "a b", "c"], "a b c\n")):
            done = subprocess.run(["sh", "-c", script, "runscript", *words], capture_output=True,
                                  text=True, check=True)
            self.assertEqual(done.stdout, said)

    def test_libraries(self) -> None:
        """Debian's packages and Apptainer's container are built with what lib.sh installs."""
        wanted = {row["debian"] for row in table() if row["for"] == "build"} - BESIDE
        self.assertIn("libnlopt-dev", wanted)
        control = PACKAGING / "debian" / "control"
        self.assertEqual(packages(found(r"^Build-Depends: (.*?)\n\w", control)), wanted)
        definition = found(r'build="(.*?)"', PACKAGING / "accord.def")
        self.assertEqual(packages(definition), wanted)

    def test_copied_files(self) -> None:
        """What the packages copy is in the repository."""
        for line in found(r"%files\n(.*?)\n\n", PACKAGING / "accord.def").split("\n"):
            name, target = line.split()
            self.assertTrue((ROOT / name).exists(), name)
            self.assertEqual(target, f"/accord/{name}")
        for name in text_of(PACKAGING / "debian" / "accord.examples").split():
            self.assertTrue((ROOT / name).is_file(), name)

    def test_container(self) -> None:
        """What Docker copies is what the portable program leaves, and is not ignored."""
        copied = found(r"^COPY (\S+)/accord-\* ", PACKAGING / "Dockerfile")
        self.assertIn(f"!{copied}", text_of(ROOT / ".dockerignore").split("\n"))
        self.assertIn(f'--prefix "${copied}/$name"', text_of(PACKAGING / "portable.sh"))

    def test_scripts(self) -> None:
        """Bash can read every script."""
        for path in (*PACKAGING.glob("*.sh"), PACKAGING / "debian" / "tests" / "align"):
            subprocess.run(["bash", "-n", str(path)], check=True)


class BillTest(HarnessTest):
    """The bill of materials of a release."""

    def bill(self) -> dict[str, list[dict[str, object]]]:
        """That of the directory release."""
        done = subprocess.run([PACKAGING / "bill_of_materials.py", self.directory / "release"],
                              env={**os.environ, "SOURCE_DATE_EPOCH": "1700000000"},
                              capture_output=True, check=True)
        parsed: dict[str, list[dict[str, object]]] = json.loads(done.stdout)
        return parsed

    def test_bill(self) -> None:
        """It has the checksum of each file, and the libraries of each archive."""
        release, notices = self.directory / "release", self.directory / "THIRD-PARTY.txt"
        (release / "arm64").mkdir(parents=True)
        notices.write_text("======== zlib1g-dev 1:1.2.13\n\n...\n======== Apache-2.0\n",
                           encoding="utf-8")
        with tarfile.open(release / "arm64" / "a.tar.gz", "w:gz") as tar:
            tar.add(notices, "a/share/doc/accord/THIRD-PARTY.txt")
        with zipfile.ZipFile(release / "a.whl", "w") as wheel:
            wheel.writestr("a.dist-info/THIRD-PARTY.txt", "======== libzstd-dev 1.5\n")
        (release / "app").mkdir()
        (release / "app" / "accord.wasm").write_bytes(b"")
        (release / "app" / "THIRD-PARTY.txt").write_text("======== emscripten 3.1.6~dfsg-5\n",
                                                         encoding="utf-8")
        (release / "SHA256SUMS").write_text("", encoding="utf-8")
        found = self.bill()
        sums = {entry["fileName"]: entry["checksums"] for entry in found["files"]}
        self.assertEqual(set(sums), {"./a.whl", "./arm64/a.tar.gz", "./app/accord.wasm",
                                     "./app/THIRD-PARTY.txt"})
        content = (release / "a.whl").read_bytes()
        self.assertIn({"algorithm": "SHA256", "checksumValue": hashlib.sha256(content).hexdigest()},
                      sums["./a.whl"])
        names = {(entry["name"], entry["versionInfo"]) for entry in found["packages"]}
        self.assertEqual({name for name in names if name[0] != "accord"},
                         {("zlib1g-dev", "1:1.2.13"), ("libzstd-dev", "1.5"),
                          ("emscripten", "3.1.6~dfsg-5")})
        self.assertIn({"spdxElementId": "SPDXRef-File-arm64-a.tar.gz",
                       "relationshipType": "CONTAINS",
                       "relatedSpdxElement": "SPDXRef-Package-zlib1g-dev-1-1.2.13"},
                      found["relationships"])
        self.assertEqual(self.bill(), found)


class DistributionTest(HarnessTest):
    """scripts/lib.sh on other distributions."""

    SYSTEMS = {"debian": ("debian", "apt-get install "), "linuxmint ubuntu": ("debian", "apt-get "),
               "fedora": ("fedora", "dnf install "), "rocky rhel centos fedora": ("fedora", "dnf "),
               "arch": ("arch", "pacman -S "), "manjaro arch": ("arch", "pacman -S "),
               "void": ("words", "- ")}

    def output_of(self, script: str, **environment: str) -> str:
        """Both outputs of a script that has sourced lib.sh."""
        done = subprocess.run(
            ["bash", "-c", f"source '{ROOT / 'scripts' / 'lib.sh'}'\n{script}"], check=False,
            env={**os.environ, "CONDA_PREFIX": "", **environment}, capture_output=True, text=True)
        return done.stdout + done.stderr

    def test_table(self) -> None:
        """Every cell of it is filled; keys are those that lib.sh looks for."""
        rows = table()
        keys = [row["key"] for row in rows]
        self.assertEqual(len(keys), len(set(keys)))
        for row in rows:
            self.assertEqual(len(row), 7, row)
            self.assertTrue(all(cell.strip() == cell != "" for cell in row.values()), row)
        probed = re.findall(r"^  need ([\w-]+) ", text_of(ROOT / "scripts" / "lib.sh"), re.M)
        self.assertEqual(set(probed), {row["key"] for row in rows if row["for"] != "extra"}
                         - {"opencl-loader", "pocl"})

    def test_names_of_each(self) -> None:
        """What is missing is named as the distribution calls it."""
        nlopt = next(row for row in table() if row["key"] == "nlopt")
        for names, (column, command) in self.SYSTEMS.items():
            text = self.output_of(f"distribution() {{ echo '{names}'; }}\n"
                             'install_command "$(packages_column)" nlopt cmake')
            self.assertIn(command, text, names)
            self.assertIn(nlopt[column], text, names)

    def test_messages_where_nothing_can_be_installed(self) -> None:
        """Words, then the distribution's command, then that of an active conda environment."""
        script = (f"build='{self.directory}'; distribution() {{ echo fedora; }}\n"
                  "missing_by_probing() { printf 'eigen\\nopencl-cxx-headers\\n'; }\nset_up build")
        text = self.output_of(script, CONDA_PREFIX="/opt/conda")
        self.assertIn("  - Eigen 3.3 or newer\n", text)
        self.assertIn("  as root: dnf install /usr/include/CL/opencl.hpp eigen3-devel\n", text)
        self.assertIn("conda install -c conda-forge clhpp eigen\n", text)
        self.assertNotIn("conda", self.output_of(script))
        test = self.output_of(script.replace("set_up build", "set_up test"))
        self.assertIn(" pocl", test)


class DebianTest(HarnessTest):
    """The test that the Debian package brings along."""

    def test_example(self) -> None:
        """It passes on the example."""
        path = str(Path(ACCORD).parent) + os.pathsep + os.environ["PATH"]
        done = subprocess.run(
            ["sh", str(PACKAGING / "debian" / "tests" / "align"), str(ROOT / "datasets")],
            env={**os.environ, "PATH": path}, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("TC", done.stdout)


if __name__ == "__main__":
    unittest.main()
