#!/usr/bin/env python3
"""Checks that Heddle's CUDA library exports exactly the calls that its tables (calls.def) list,
with the symbol versions of CUDA's libraries, and that docs/cuda/calls.md lists these calls."""

import pathlib
import re
import subprocess
import sys
import unittest

LIBRARY = None
ROOT = None
RUNTIME = "libcudart.so.13"
RUNTIME_12 = "libcudart.so.12"
DRIVER = "libcuda.so.1"
NVRTC = "libnvrtc.so.13"
NVRTC_12 = "libnvrtc.so.12"
JIT_LINK = "libnvJitLink.so.13"
JIT_LINK_12 = "libnvJitLink.so.12"


def exported_symbols():
    """The symbols that the library exports: NAME@@VERSION, or NAME@VERSION if the version is not
    the name's default."""
    text = subprocess.run(["readelf", "--dyn-syms", "--wide", LIBRARY], capture_output=True,
                          text=True, check=True).stdout
    names = set()
    for line in text.splitlines():
        fields = line.split()
        if len(fields) < 8 or fields[4] not in ("GLOBAL", "WEAK") or fields[6] == "UND":
            continue
        names.add(fields[7])
    return names - {RUNTIME, RUNTIME_12, DRIVER, NVRTC, NVRTC_12, JIT_LINK, JIT_LINK_12}


def listed_calls(interface, prefix):
    """The calls that the table of an interface lists, with variants for per-thread streams."""
    text = (ROOT / "src/cuda" / interface / "calls.def").read_text()
    names = set(re.findall(rf"^HEDDLE_{prefix}_(?:CALL|UNSUPPORTED|SAME)\((\w+),", text,
                           re.MULTILINE))
    for name, suffix in re.findall(rf"^HEDDLE_{prefix}_PER_THREAD\((\w+), (\w+)\)", text,
                                   re.MULTILINE):
        assert name in names, name
        names.add(f"{name}_{suffix}")
    return names


def jit_link_calls():
    """The calls of nvJitLink, which have further names with the version of CUDA's headers."""
    text = (ROOT / "src/cuda/nvjitlink/calls.def").read_text()
    names = listed_calls("nvjitlink", "JIT_LINK")
    every = names | set(re.findall(r"^HEDDLE_JIT_LINK_UNVERSIONED\((\w+),", text, re.MULTILINE))
    versioned = {f"__{name}_{version}_{minor}" for name in names for version in (12, 13)
                 for minor in range(10)}
    return ({f"{name}@@{JIT_LINK}" for name in every} |
            {f"{name}@{JIT_LINK_12}" for name in every} |
            {f"{name}@@{JIT_LINK_12 if '_12_' in name else JIT_LINK}" for name in versioned})


def cuda_12_calls(macro):
    """The calls that the table of CUDA 12's runtime lists with a macro."""
    text = (ROOT / "src/cuda/runtime/cuda_12.def").read_text()
    return set(re.findall(rf"^{macro}\((\w+), \w+\)", text, re.MULTILINE))


class Calls(unittest.TestCase):
    def test_exports_exactly_the_listed_calls(self):
        runtime = listed_calls("runtime", "CUDA")
        self.assertLessEqual(cuda_12_calls("HEDDLE_CUDA_12"), runtime)
        self.assertFalse(cuda_12_calls("HEDDLE_CUDA_12_ONLY") & runtime)
        self.assertEqual(
            exported_symbols(),
            {f"{name}@@{RUNTIME}" for name in runtime} |
            {f"{name}@{RUNTIME_12}" for name in runtime} |
            {f"{name}@@{RUNTIME_12}" for name in cuda_12_calls("HEDDLE_CUDA_12_ONLY")} |
            {f"{name}@@{DRIVER}" for name in listed_calls("driver", "DRIVER")} |
            {f"{name}@@{NVRTC}" for name in listed_calls("nvrtc", "NVRTC")} |
            {f"{name}@{NVRTC_12}" for name in listed_calls("nvrtc", "NVRTC")} | jit_link_calls())

    def test_document_matches_the_tables(self):
        run = subprocess.run([sys.executable, ROOT / "tools/pages/cuda_calls.py", "--check"],
                             capture_output=True, text=True)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)


if __name__ == "__main__":
    LIBRARY = sys.argv[1]
    ROOT = pathlib.Path(sys.argv[2])
    unittest.main(argv=sys.argv[:1])
