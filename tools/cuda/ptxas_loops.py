#!/usr/bin/env python3
"""Compares the loads in innermost loops with those of ptxas, for every kernel of the corpus and of the
workloads.

    ptxas_loops.py [--heddle BUILD/apps/heddle/heddle]    lists kernels whose loads differ from the figures
    ptxas_loops.py --make                                 stores new figures; needs ptxas

The figures are in tests/corpus/ptxas_loops_sm75.json. For each kernel they have the registers per
thread that `ptxas -v -arch=sm_75` reports, and the number of 32-bit words that each innermost loop
loads, in the order of the code. Loads from global, shared and generic memory and from textures count.
Loads of constants do not count. Loads from local memory do not count, because ptxas may have added
them. A loop unrolled by four loads four times the words of the original. Words are counted, not
loads, because ptxas merges up to four loads at consecutive addresses.
"""

import argparse
import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
FIGURES = ROOT / "tests" / "corpus" / "ptxas_loops_sm75.json"

# sm_75's instructions have 128 bits; the lowest 12 are the opcode.
OPCODE_BITS = 0xFFF
BRANCH = 0x947
# The number of words of a load, by the size code in bits 73 to 75; 1 for other codes.
WORDS = {5: 2, 6: 4}
# LDG (with addresses in registers and in uniform registers), LD, LDS.
LOADS = {0x381, 0x981, 0x980, 0x984}
# TEX, TLD, TLD4 and TXD in their bound and bindless forms.
TEXTURES = {0x361, 0x364, 0x367, 0x369, 0xB61, 0xB60, 0xB66, 0xB67, 0xF60, 0xF61, 0xD61}


def sources():
    return sorted(ROOT.glob("tests/corpus/kernels/*.ptx")) + sorted(
        ROOT.glob("workloads/*/kernel.ptx")
    )


def innermost_loops(branches):
    """The innermost loops: of the backward branches, given as (target, branch) pairs, those whose range
    contains no other."""
    return [
        (target, at)
        for target, at in branches
        if not any(
            target <= inner and end <= at and (inner, end) != (target, at)
            for inner, end in branches
        )
    ]


def code_sections(cubin):
    """The name and the code of each kernel in a 64-bit ELF file."""
    (table,) = struct.unpack_from("<Q", cubin, 0x28)
    count, names = struct.unpack_from("<HH", cubin, 0x3C)
    headers = [struct.unpack_from("<IIQQQQIIQQ", cubin, table + 64 * i) for i in range(count)]
    strings = headers[names][4]
    for header in headers:
        start = strings + header[0]
        name = cubin[start : cubin.index(b"\0", start)].decode()
        if name.startswith(".text."):
            yield name[len(".text.") :], cubin[header[4] : header[4] + header[5]]


def words_loaded_by_sass(code):
    """The number of 32-bit words that each innermost loop of the machine code loads."""
    words = [struct.unpack_from("<QQ", code, at) for at in range(0, len(code), 16)]
    branches = []
    for at, (low, high) in enumerate(words):
        if low & OPCODE_BITS != BRANCH:
            continue
        distance = low >> 32 | (high & 0x3FFFF) << 32
        if distance >> 49:
            distance -= 1 << 50
        target = at + 1 + distance // 16
        if target < at:  # Not a branch to itself, which pads the end of the code.
            branches.append((target, at))

    def words_of(low, high):
        if low & OPCODE_BITS in TEXTURES:
            return 1
        return WORDS.get(high >> 9 & 7, 1) if low & OPCODE_BITS in LOADS else 0

    return [
        sum(words_of(*word) for word in words[target:at]) for target, at in innermost_loops(branches)
    ]


def ptxas_figures(ptx, folder):
    tool = shutil.which("ptxas") or os.path.join(
        os.environ.get("CUDA_HOME", "/usr/local/cuda"), "bin", "ptxas"
    )
    cubin = pathlib.Path(folder) / "code.cubin"
    run = subprocess.run(
        [tool, "-v", "-arch=sm_75", str(ptx), "-o", str(cubin)], capture_output=True, text=True
    )
    if run.returncode != 0:
        sys.exit(f"{ptx}: {run.stderr.strip()}")
    kernels = {}
    name = None
    for line in run.stderr.splitlines():
        if match := re.search(r"Compiling entry function '([^']+)'", line):
            name = match[1]
        elif (match := re.search(r"Used (\d+) registers", line)) and name:
            kernels[name] = {"registers": int(match[1])}
    for name, code in code_sections(cubin.read_bytes()):
        if name in kernels:
            kernels[name]["loops"] = words_loaded_by_sass(code)
    return dict(sorted(kernels.items()))


def store_figures():
    lines = []
    with tempfile.TemporaryDirectory() as folder:
        for ptx in sources():
            kernels = ",\n".join(
                f"    {json.dumps(name)}: {json.dumps(figures)}"
                for name, figures in ptxas_figures(ptx, folder).items()
            )
            name = json.dumps(str(ptx.relative_to(ROOT)))
            lines.append(f"  {name}: {{\n{kernels}\n  }}")
    FIGURES.write_text("{\n" + ",\n".join(lines) + "\n}\n")


def our_figures(heddle, ptx):
    run = subprocess.run([heddle, "compile", str(ptx), "--listing"], capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(f"{ptx}: {run.stderr.strip()}")
    kernels = {}
    branches = loads = None
    for line in run.stdout.splitlines():
        if match := re.match(r"(?:kernel|function) (\S+): (\d+) registers", line):
            branches, loads = [], []
            kernels[match[1]] = (int(match[2]), branches, loads)
        elif match := re.match(r" *(\d+)  (?:@!?P\d+ )?(\S+)(.*)", line):
            at = int(match[1])
            if match[2] == "branch" and int(match[3].split()[0]) <= at:
                branches.append((int(match[3].split()[0]), at))
            elif load := re.match(r"load\.(?:global|shared|generic)(?:\.v(\d))?\.\D(\d+)", match[2]):
                loads.append((at, int(load[1] or 1) * (2 if load[2] == "64" else 1)))
            elif match[2].startswith("texture."):
                loads.append((at, 1))
    return {
        name: {
            "registers": registers,
            "loops": [
                sum(words for at, words in loads if first <= at < last)
                for first, last in innermost_loops(branches)
            ],
        }
        for name, (registers, branches, loads) in kernels.items()
    }


def compare(heddle):
    figures = json.loads(FIGURES.read_text())
    same_count = different_count = 0
    for file, kernels in figures.items():
        ours = our_figures(heddle, ROOT / file)
        for name, theirs in kernels.items():
            # ptxas often adds loops without loads, and orders loops differently.
            mine = sorted(filter(None, ours[name]["loops"]))
            if mine == sorted(filter(None, theirs["loops"])):
                same_count += 1
                continue
            different_count += 1
            print(f"{file} {name}: Heddle {ours[name]['loops']}, ptxas {theirs['loops']}")
    print(f"{same_count} kernels load the same number of words in their innermost loops, {different_count} do not")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--heddle", default=ROOT / "build/release/apps/heddle/heddle")
    parser.add_argument("--make", action="store_true", help="store new figures")
    arguments = parser.parse_args()
    if arguments.make:
        store_figures()
    else:
        compare(arguments.heddle)


if __name__ == "__main__":
    main()
