"""Says in one line what machine this is."""
import os
import platform
from pathlib import Path


def _value(path: str, key: str, separator: str) -> str:
    try:
        for line in Path(path).read_text(encoding="utf-8", errors="replace").splitlines():
            name, found, value = line.partition(separator)
            if found and name.strip() == key:
                return value.strip().strip('"')
    except OSError:
        pass
    return ""


def describe() -> str:
    """Processor, CPUs this process may use, memory, system."""
    processor = _value("/proc/cpuinfo", "model name", ":") or platform.machine()
    memory = _value("/proc/meminfo", "MemTotal", ":").split()
    size = f", {int(memory[0]) / 2 ** 20:.0f} GiB" if memory else ""
    system = _value("/etc/os-release", "PRETTY_NAME", "=") or platform.system()
    return (f"{processor}, {len(os.sched_getaffinity(0))} of {os.cpu_count()} CPUs{size}, "
            f"{system}, Linux {platform.release()}")
