#!/usr/bin/env python3
"""Compiles every GPU kernel for GPUs that are not here, and checks what the compilers say.

  scripts/checks/offline_resources.py [--record] [--list build/tests/accord_kernel_list]

Prints registers, spills, scratch and local memory of each kernel on each target and compares them
with scripts/checks/kernel_budget.json: at most 32 KiB of local memory, and no more of anything than
recorded. Spills and scratch should be 0: a larger recorded number is named each time, and fails
without a reason under "reasons" in that file. --record writes the budget anew for the targets that
can be compiled.
Debian 12: clang-15 lld-15 rocm-device-libs (AMD), intel-opencl-icd (Intel: ocloc), libclc-15 and
ptxas of CUDA (NVIDIA). ACCORD_OFFLINE_ROOT: a directory in which such packages are unpacked.
Exits 77 if no compiler is here; a compiler that is missing is named and left out.
"""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUDGET = Path(__file__).resolve().parent / "kernel_budget.json"
UNPACKED = Path(os.environ.get("ACCORD_OFFLINE_ROOT", "/"))
LIBRARIES = UNPACKED / "usr/lib/x86_64-linux-gnu"
AMD = ["gfx906", "gfx90a", "gfx1030"]
INTEL = ["skl", "tgllp", "dg2-g10", "pvc"]
NVIDIA = ["sm_80", "sm_90"]
NO_DOUBLES = ("tgllp", "dg2-g10")  # these compute likelihoods in single precision alone
DOUBLES = ("likelihood/peel.cl", "shared/peak_doubles.cl")
MOST_LOCAL = 32768
DEBTS = ("spills", "scratch")  # should be 0; a larger recorded number is named each time
Figures = "dict[str, dict[str, int]]"  # kernel -> what -> number


def run(command: "list[str]") -> str:
    """Standard output and errors of a command; fails loudly with both."""
    env = dict(os.environ)
    if UNPACKED != Path("/"):
        env["LD_LIBRARY_PATH"] = str(LIBRARIES)
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          env=env, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{done.stdout}\nfailed with {done.returncode}")
    return done.stdout


def find_tool(*names: str) -> "str | None":
    """The first of the programs that is here."""
    directories = [str(UNPACKED / "usr/bin"), os.environ.get("PATH", ""), "/usr/local/cuda/bin"]
    return next((path for name in names
                 if (path := shutil.which(name, path=os.pathsep.join(directories)))), None)


def compile_amd(clang: str, target: str, source: str, options: "list[str]", work: Path) -> Figures:
    """From clang's remarks."""
    libraries = next(path for path in (LIBRARIES, Path("/usr/lib/x86_64-linux-gnu"))
                     if (path / "amdgcn/bitcode").is_dir())
    text = run([clang, "-x", "cl", "-cl-std=CL1.2", *options, "-target", "amdgcn-amd-amdhsa",
                f"-mcpu={target}", "-Xclang", "-finclude-default-header", "-O3",
                f"--rocm-device-lib-path={libraries}/amdgcn/bitcode",
                "-Rpass-analysis=kernel-resource-usage", "-c", source, "-o", str(work / "a.o")])
    names = {"VGPRs": "registers", "AGPRs": "accumulators", "SGPRs": "scalar registers",
             "ScratchSize [bytes/lane]": "scratch", "SGPRs Spill": "scalar spills",
             "VGPRs Spill": "spills", "LDS Size [bytes/block]": "local"}
    found, kernel = {}, ""
    for name, value in re.findall(r"remark:\s+(.+?): (\S+) \[-Rpass", text):
        if name == "Function Name":
            kernel = value
            found[kernel] = {}
        elif name in names:
            found[kernel][names[name]] = int(value)
    return found


def compile_intel(ocloc: str, target: str, source: str, options: "list[str]",
                  work: Path) -> Figures:
    """From the .ze_info section of the binary."""
    binaries, dump = work / target, work / (target + ".dump")
    run([ocloc, "compile", "-file", source, "-device", target, "-options",
         " ".join(["-cl-std=CL1.2", *options]), "-internal_options", "-cl-intel-allow-zebin",
         "-out_dir", str(binaries)])
    binary = next(binaries.glob("*.bin"))
    dump.mkdir()
    run([ocloc, "disasm", "-file", str(binary), "-device", target, "-dump", str(dump)])
    found, kernel, kind, usage = {}, "", "", ""
    text = (dump / ".ze_info").read_text(encoding="utf-8")
    for line in text.partition("kernels_misc_info")[0].splitlines():
        key, _, value = line.strip().lstrip("- ").partition(":")
        value = value.strip()
        if re.match(r"  - name:", line):
            kernel = value
            found[kernel] = {"registers": 0, "local": 0, "spills": 0, "scratch": 0}
        elif key == "type":
            kind, usage = value, ""
        elif kernel and key in ("grf_count", "slm_size", "spill_size"):
            name = {"grf_count": "registers", "slm_size": "local", "spill_size": "spills"}[key]
            found[kernel][name] = int(value)
        elif kernel and key == "usage":
            usage = value
        elif kernel and key == "size" and (kind == "scratch" or usage == "private_space"):
            found[kernel]["scratch"] = int(value)
    found.pop("Intel_Symbol_Table_Void_Program", None)  # the compiler's own
    return found


def compile_nvidia(clang: str, target: str, source: str, options: "list[str]",
                   work: Path) -> Figures:
    """Through PTX; from what ptxas says."""
    library = next(path for path in (UNPACKED / "usr/lib/clc", Path("/usr/lib/clc"))
                   if (path / "nvptx64--nvidiacl.bc").exists())
    ptx = str(work / "k.ptx")
    run([clang, "-x", "cl", "-cl-std=CL1.2", *options, "-target", "nvptx64--nvidiacl", "-Xclang",
         "-target-cpu", "-Xclang", "sm_80", "-Xclang", "-target-feature", "-Xclang", "+ptx72",
         "-Xclang", "-finclude-default-header", "-O3", "-nogpulib", "-Xclang",
         "-mlink-builtin-bitcode", "-Xclang", f"{library}/nvptx64--nvidiacl.bc", "-S", source,
         "-o", ptx])
    if target == "sm_90":  # clang 15 does not know it, nor the PTX that has its matrix units
        Path(ptx).write_text(re.sub(r"^\.version .*$", ".version 7.8",
                                    Path(ptx).read_text(encoding="utf-8"), flags=re.M)
                             .replace(".target sm_80", ".target sm_90"), encoding="utf-8")
    text = run([find_tool("ptxas"), "-v", f"-arch={target}", ptx, "-o", str(work / "k.cubin")])
    found, kernel = {}, ""
    for line in text.splitlines():
        if match := re.search(r"Compiling entry function '(\w+)'", line):
            kernel = match.group(1)
            found[kernel] = {"registers": 0, "local": 0, "spills": 0, "scratch": 0}
        if match := re.search(r"(\d+) bytes stack frame, (\d+) bytes spill", line):
            found[kernel]["scratch"] = int(match.group(1))
            found[kernel]["spills"] = int(match.group(2))
        if match := re.search(r"Used (\d+) registers", line):
            found[kernel]["registers"] = int(match.group(1))
        if match := re.search(r"(\d+) bytes smem", line):
            found[kernel]["local"] = int(match.group(1))
    return found


def targets() -> "list[tuple[str, str, object, str]]":
    """(maker, target, function, compiler) of all that can be compiled here; says what cannot."""
    found = []
    clang = find_tool("clang-15", "clang-16", "clang")
    device_libraries = any((path / "amdgcn/bitcode").is_dir()
                           for path in (LIBRARIES, Path("/usr/lib/x86_64-linux-gnu")))
    clc = any((path / "nvptx64--nvidiacl.bc").exists()
              for path in (UNPACKED / "usr/lib/clc", Path("/usr/lib/clc")))
    for maker, names, function, compiler, missing in (
            ("AMD", AMD, compile_amd, clang if device_libraries else None,
             "clang-15, rocm-device-libs"),
            ("Intel", INTEL, compile_intel, find_tool("ocloc"), "ocloc (intel-opencl-icd)"),
            ("NVIDIA", NVIDIA, compile_nvidia, clang if clc and find_tool("ptxas") else None,
             "clang-15, libclc-15, ptxas")):
        if compiler:
            found += [(maker, name, function, compiler) for name in names]
        else:
            print(f"SKIPPED {maker}: needs {missing}")
    return found


def breaches(target: str, kernel: str, figures: "dict[str, int]",
             budget: "dict[str, int] | None", reasons: "dict[str, str]") -> "list[str]":
    """The faults of a kernel on a target."""
    where, wrong = f"{target} {kernel}", []
    for what in DEBTS:
        if 0 < figures.get(what, 0) <= (budget or {}).get(what, 0):
            print(f"KNOWN {where}: {figures[what]} {what}, should be 0: {reasons.get(kernel)}")
            if kernel not in reasons:
                wrong.append(f"{where}: {what} without a reason")
    if figures.get("local", 0) > MOST_LOCAL:
        wrong.append(f"{where}: {figures['local']} bytes of local memory, more than {MOST_LOCAL}")
    if budget is None:
        return wrong + [f"{where}: has no recorded budget"]
    return wrong + [f"{where}: {number} {what}, the budget is {budget.get(what, 0)}"
                    for what, number in figures.items() if number > budget.get(what, 0)]


def main() -> int:
    """Compiles, prints, compares or records."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--record", action="store_true", help="write the budget anew")
    parser.add_argument("--list", default=str(ROOT / "build/tests/accord_kernel_list"),
                        help="the program that lists the kernels")
    arguments = parser.parse_args()
    compilers = targets()
    if not compilers:
        return 77
    budget = json.loads(BUDGET.read_text(encoding="utf-8")) if BUDGET.exists() else {}
    wrong, found = [], {}
    for maker, target, function, compiler in compilers:
        found[target] = {}
        capability = [target.removeprefix("sm_")] if maker == "NVIDIA" else []
        for line in run([arguments.list, maker, *capability]).splitlines():
            file, defines = line.split("\t")
            if file in DOUBLES and target in NO_DOUBLES and "ACCORD_SINGLE" not in defines:
                continue
            with tempfile.TemporaryDirectory() as work:
                options = [re.sub(r"^-D ", "-D", part.strip())
                           for part in re.split(r"(?=-D )", defines) if part.strip()]
                made = function(compiler, target, str(ROOT / "kernels" / file),
                                [*options, f"-I{ROOT}/kernels"], Path(work))
            for kernel, figures in made.items():  # the most of all programs that have the kernel
                most = found[target].setdefault(kernel, figures)
                found[target][kernel] = {what: max(number, most.get(what, 0))
                                         for what, number in figures.items()}
        for kernel, figures in found[target].items():
            print(f"{target:8} {kernel:18} " +
                  ", ".join(f"{number} {what}" for what, number in figures.items()))
            wrong += breaches(target, kernel, figures, budget.get(target, {}).get(kernel),
                              budget.get("reasons", {}))
    if arguments.record:
        text = json.dumps({**budget, **found}, indent=1, sort_keys=True)
        text = re.sub(r"\{\n +(\"\w+\": \d[^{}]*?)\n +\}",  # a line for each kernel
                      lambda match: "{" + re.sub(r"\n +", " ", match.group(1)) + "}", text)
        BUDGET.write_text(text + "\n", encoding="utf-8")
        wrong = [line for line in wrong if "budget" not in line]
    for line in wrong:
        print(f"FAILED {line}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
