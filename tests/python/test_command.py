"""Tests of the command accord that the Python package brings along."""
import subprocess
import sys
from pathlib import Path

import accord

DATASETS = Path(__file__).resolve().parents[2] / "datasets"
COMMAND = Path(sys.executable).parent / "accord"


def test_the_command_is_the_program() -> None:
    """It aligns as the program does, has its version, and ends with its exit codes."""
    done = subprocess.run([COMMAND, DATASETS / "example.fa", "--device", "none"],
                          capture_output=True, check=True)
    assert done.stdout == (DATASETS / "example.aln").read_bytes()
    said = subprocess.run([COMMAND, "--version"], capture_output=True, text=True, check=True)
    assert said.stdout == f"accord {accord.__version__}\n"
    missing = subprocess.run([COMMAND, "missing.fa"], capture_output=True, text=True, check=False)
    assert missing.returncode == 66 and "missing.fa" in missing.stderr
