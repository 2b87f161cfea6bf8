"""What the tests of the Python package share. ACCORD_PROGRAM names the program."""
import os
import signal
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("ACCORD_PROGRAM", str(ROOT / "build" / "accord"))
DATASETS = ROOT / "datasets"
SIMULATED = DATASETS / "simulated"
EXAMPLE = DATASETS / "example.fa"


def program(*arguments: object, status: int = 0) -> "subprocess.CompletedProcess[bytes]":
    """Runs the program on the host."""
    command = [PROGRAM, *map(str, arguments)]
    if arguments[0] not in ("compare", "help", "score"):  # which compute nothing on devices
        command += ["--device", "none"]
    done = subprocess.run(command, capture_output=True, check=False, timeout=300)
    assert done.returncode == status, done.stderr.decode()
    return done


def output(*arguments: object) -> str:
    """What the program prints."""
    return program(*arguments).stdout.decode()


def read_fasta(path: Path) -> list[tuple[str, str]]:
    """Headers and letters."""
    found: list[tuple[str, str]] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith(">"):
            found.append((line[1:], ""))
        else:
            found[-1] = (found[-1][0], found[-1][1] + line.strip())
    return found


def check_ctrl_c(call: str) -> None:
    """Interrupts a call, as Ctrl-C does, whose argument `family` takes far longer than a test may,
    and which tells its progress; it ends with KeyboardInterrupt, long before its end."""
    script = ("import accord\n"
              "letters = 'ACDEFGHIKLMNPQRSTVWY' * 5000\n"
              "family = [('x', letters), ('y', letters[7:])]\n"
              "options = {'memory': 1 << 40,\n"
              "           'progress': lambda stage, done: print(stage, flush=True)}\n"
              "try:\n"
              f"    {call}\n"
              "except KeyboardInterrupt:\n"
              "    print('interrupted')\n")
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE,
                          text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "posteriors\n"
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=120)[0].splitlines()[-1] == "interrupted"
        assert process.returncode == 0
