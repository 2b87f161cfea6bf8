"""Runs a command and says what it took, its children included."""
import os
import signal
import subprocess
import tempfile
import threading
import time
from pathlib import Path
from typing import IO, NamedTuple, Optional


class Usage(NamedTuple):
    """What a command took. CPU times are those of it and of all descendants it waited for."""

    wall_s: float = 0.0
    user_s: float = 0.0
    system_s: float = 0.0
    peak_mib: float = 0.0  # of its largest process; at least that of this one when it began


class Ended(NamedTuple):
    """How a command ended."""

    status: str  # ok, failed, timeout or stopped
    exit: int  # minus the signal's number if one ended it
    message: str  # its last words, if it did not end well
    usage: Usage


# Reads which groups begin and end; ends those that are left when the harness is no more.
_WATCH = """declare -A groups
while read -r word group; do
  if [ "$word" = start ]; then groups[$group]=1; else unset "groups[$group]"; fi
done
for group in "${!groups[@]}"; do kill -KILL -- "-$group"; done 2> /dev/null"""
# Before a command: it begins once the watching process knows its group, and never if the harness
# ends before.
_GATE = "read -r && exec < /dev/null || exit\n"


class Running:
    """The process groups that run now, so that an interrupted harness leaves none behind, nor one
    that is killed: a process of its own watches over them."""

    def __init__(self) -> None:
        """None is running."""
        self._lock = threading.Lock()
        self._groups: set[int] = set()
        self._watch: Optional[subprocess.Popen[bytes]] = None
        self.stopped = False

    def _tell(self, word: str, group: int) -> None:
        """Tells the watching process; it is started when it is first needed."""
        if self.stopped:
            return
        if self._watch is None:
            self._watch = subprocess.Popen(["bash", "-c", _WATCH], stdin=subprocess.PIPE,
                                           stdout=subprocess.DEVNULL, start_new_session=True)
        assert self._watch.stdin is not None
        try:
            self._watch.stdin.write(f"{word} {group}\n".encode())
            self._watch.stdin.flush()
        except BrokenPipeError:
            pass  # somebody has ended it, and nothing but its help is lost

    def start(self, command: str, cwd: Path, messages: IO[bytes],
              variables: Optional[dict[str, str]]) -> Optional["subprocess.Popen[bytes]"]:
        """Starts a command in a group of its own; None after stop()."""
        with self._lock:
            if self.stopped:
                return None
            child = subprocess.Popen(["bash", "-c", _GATE + command], cwd=cwd,
                                     stdin=subprocess.PIPE, stdout=messages, stderr=messages,
                                     env=variables, start_new_session=True)
            self._groups.add(child.pid)
            self._tell("start", child.pid)
            assert child.stdin is not None
            with child.stdin as gate:
                gate.write(b"\n")
            return child

    def kill(self, group: int) -> None:
        """Ends a group that has not been reaped yet."""
        with self._lock:
            if group in self._groups:
                self._signal(group)

    def done(self, group: int) -> None:
        """Ends the rest of a group whose leader has ended, and frees the number of the group."""
        with self._lock:
            self._groups.discard(group)
            self._signal(group)
            self._tell("end", group)

    def stop(self) -> None:
        """Ends all groups; no other starts."""
        with self._lock:
            self.stopped = True
            for group in self._groups:
                self._signal(group)
            if self._watch is not None and self._watch.stdin is not None:
                self._watch.stdin.close()
                self._watch.wait()
                self._watch = None

    @staticmethod
    def _signal(group: int) -> None:
        try:
            os.killpg(group, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass


def last_words(messages: str) -> str:
    """The last line of a program's messages that is not a hint."""
    lines = [line.strip() for line in messages.splitlines()
             if line.strip() and not line.strip().startswith("hint:")]
    return lines[-1][:300] if lines else "no message"


def environment(home: Path, cache: Path) -> dict[str, str]:
    """This process's environment with a home and a place for temporary files of its own. Compiled
    OpenCL kernels are kept in `cache`, unless the user says where, or every run would compile."""
    caches = {name: str(cache / name.lower()) for name in ("ACCORD_CACHE_DIR", "POCL_CACHE_DIR")}
    return {**caches, **os.environ, "HOME": str(home), "TMPDIR": str(home), "LC_ALL": "C"}


def run(command: str, cwd: Path, limit_s: float, running: Running,
        variables: Optional[dict[str, str]] = None) -> Ended:
    """Runs a shell command in `cwd`, for `limit_s` seconds at most (0: no limit). What it prints is
    only kept to tell why it failed."""
    with tempfile.TemporaryFile(dir=cwd) as messages:
        start = time.monotonic()
        child = running.start(command, cwd, messages, variables)
        if child is None:
            return Ended("stopped", 0, "", Usage())
        late = threading.Event()

        def expire() -> None:
            late.set()
            running.kill(child.pid)

        timer = threading.Timer(limit_s, expire) if limit_s > 0 else None
        if timer:
            timer.start()
        # Not reaped yet, so the number still means this group when the rest of it is ended.
        os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
        wall = time.monotonic() - start
        if timer:
            timer.cancel()
        running.done(child.pid)
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        usage = Usage(wall, used.ru_utime, used.ru_stime, used.ru_maxrss / 1024)
        if running.stopped:
            return Ended("stopped", child.returncode, "", usage)
        if late.is_set():
            return Ended("timeout", child.returncode, f"stopped after {limit_s:g} s", usage)
        if child.returncode == 0:
            return Ended("ok", 0, "", usage)
        messages.seek(0)
        words = last_words(messages.read().decode("latin-1"))
        return Ended("failed", child.returncode, f"exit {child.returncode}: {words}", usage)
