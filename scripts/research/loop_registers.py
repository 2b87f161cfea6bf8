#!/usr/bin/env python3
"""Shows which registers the loops of a CUDA kernel hold, and which values spill in them.

  scripts/research/posterior_ptx.sh kernels 8 > 8.ptx
  ptxas -arch=sm_90 -maxrregcount 168 8.ptx -o 8.cubin
  scripts/research/loop_registers.py 8.cubin [ADDRESS]

Prints a line for each loop of 200 or more instructions: its first and last address; instructions,
loads and stores of spilled values, and the most registers that live at the same time. With the
first address of a loop: the registers that live in it without being touched, and the instruction
and the line of the source that wrote each. Needs nvdisasm, of CUDA.
"""
import argparse
import re
import subprocess
from typing import NamedTuple

SHORTEST = 200
INSTRUCTION = re.compile(r"\s+/\*([0-9a-f]{4,})\*/\s+([A-Z@][^;(]*)")


class Instruction(NamedTuple):
    """Text and place of an instruction, and the registers that live there: a sign each."""
    text: str
    line: str
    live: "dict[int, str]"


def disassemble(cubin: str, option: str) -> "list[str]":
    """Lines of nvdisasm."""
    return subprocess.run(["nvdisasm", option, cubin], capture_output=True, text=True,
                          check=True).stdout.splitlines()


def read_live(cubin: str) -> "dict[int, dict[int, str]]":
    """By address: the registers that live there; '^' written, 'v' read, 'x' both, ':' neither."""
    live, columns = {}, []
    for text in disassemble(cubin, "-plr"):
        _, comment, ranges = text.partition("//")
        general = ranges.split("|", 2)[1] if comment and ranges.count("|") > 1 else ""
        if re.search(r"\b0\s+1\s+2\b", general):
            columns = [(int(m[0]), m.start(), m.end()) for m in re.finditer(r"\d+", general)]
        elif match := INSTRUCTION.match(text):
            full = ranges.partition("|")[2]
            live[int(match[1], 16)] = {register: sign for register, start, end in columns
                                       if (sign := full[start:end].strip())}
    return live


def read(cubin: str) -> "tuple[dict[int, Instruction], dict[str, int]]":
    """Instructions by address, and addresses of labels."""
    live, found, labels, waiting, line = read_live(cubin), {}, {}, [], ""
    for text in disassemble(cubin, "-g"):
        if match := re.search(r'//## File "(?:[^"]*/)?([^"]*)", line (\d+)', text):
            line = f"{match[1]}:{match[2]}"
        elif match := re.match(r"(\.L_x_\d+):", text):
            waiting.append(match[1])
        elif match := INSTRUCTION.match(text):
            address = int(match[1], 16)
            labels.update((label, address) for label in waiting)
            waiting = []
            whole = text[match.start(2):].partition(";")[0].strip()
            found[address] = Instruction(whole, line, live.get(address, {}))
    return found, labels


def main() -> None:
    """Prints the loops, or the registers of one."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("cubin")
    parser.add_argument("address", nargs="?", help="the first of a loop")
    arguments = parser.parse_args()
    found, labels = read(arguments.cubin)
    loops = {}  # from the first address to the last
    for address, instruction in found.items():
        match = re.search(r"BRA.*(\.L_x_\d+)", instruction.text)
        if match and labels.get(match[1], address + 1) <= address:
            loops[labels[match[1]]] = address
    if not arguments.address:
        for first, last in sorted(loops.items()):
            body = [i for address, i in found.items() if first <= address <= last]
            if len(body) < SHORTEST:
                continue
            loads, stores = (sum(word in i.text for i in body) for word in ("LDL", "STL"))
            print(f"{first:x} to {last:x}: {len(body)} instructions, {loads} loads and {stores} "
                  f"stores of spilled values, {max(len(i.live) for i in body)} registers")
        return
    first = int(arguments.address, 16)
    body = [i for address, i in found.items() if first <= address <= loops[first]]
    for register in sorted(found[first].live):
        if all(i.live.get(register) == ":" for i in body):
            written = [i for address, i in found.items()
                       if address < first and i.live.get(register) in ("^", "x")]
            print(f"R{register}", *((written[-1].line, written[-1].text) if written else ()))


if __name__ == "__main__":
    main()
