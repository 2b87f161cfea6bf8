"""Makes the families of the scaling curves: protein families of growing number and length."""
import subprocess
import sys
from pathlib import Path

from .errors import BenchmarkError

SIMULATOR = Path(__file__).resolve().parent.parent / "research" / "simulate_family.py"
NUMBERS = (10, 20, 40, 80, 160)  # of sequences of about 150 residues
LENGTHS = (100, 200, 400, 800, 1600)  # of 10 sequences


def make(directory: Path) -> Path:
    """Families in directory/scaling, made once: a data set of the simulated layout."""
    root = directory / "scaling"
    wanted = [("sequences", n, n, 150) for n in NUMBERS]
    wanted += [("length", length, 10, length) for length in LENGTHS]
    for what, size, sequences, length in wanted:
        stem = root / f"{what} {size}" / f"{what}_{size}"
        if stem.with_name(stem.name + ".true.fa").exists():
            continue
        stem.parent.mkdir(parents=True, exist_ok=True)
        done = subprocess.run(
            [sys.executable, str(SIMULATOR), "--out", str(stem), "--seed", str(size), "--n",
             str(sequences), "--length", str(length), "--identity", "0.4"],
            capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise BenchmarkError(f"simulate_family.py made no family for {what} {size}: "
                                 + (done.stderr.strip().splitlines() or ["no message"])[-1])
    return root
