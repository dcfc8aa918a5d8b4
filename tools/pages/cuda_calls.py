#!/usr/bin/env python3
"""Writes the tables of supported CUDA calls in docs/cuda/calls.md:

    tools/pages/cuda_calls.py [--check]

The sources are the files calls.def in src/cuda. --check writes nothing; it fails if
the page is not current.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCUMENT = ROOT / "docs/cuda/calls.md"
END = "<!-- end -->\n"
KINDS = {"CALL": 0, "UNVERSIONED": 0, "UNSUPPORTED": 1}
# For each interface: the line before its table, the prefix of its macros in calls.def, and the error that
# unsupported calls return. None: all calls are supported.
INTERFACES = {
    "runtime": ("<!-- made by tools/pages/cuda_calls.py -->\n", "CUDA", "cudaErrorNotSupported"),
    "driver": ("<!-- the driver's, made by tools/pages/cuda_calls.py -->\n", "DRIVER",
               "CUDA_ERROR_NOT_SUPPORTED"),
    "nvrtc": ("<!-- nvrtc's, made by tools/pages/cuda_calls.py -->\n", "NVRTC", None),
    "nvjitlink": ("<!-- nvJitLink's, made by tools/pages/cuda_calls.py -->\n", "JIT_LINK", None),
}


def name_in_sources(name):
    """The name of a call in a program's source. The driver's headers append a version number to some names."""
    return re.sub(r"^(cu[A-Z]\w+)_v\d$", r"\1", name)


def table(interface, prefix, error):
    families = {}
    text = (ROOT / "src/cuda" / interface / "calls.def").read_text()
    kinds = "|".join(KINDS)
    pattern = rf'^HEDDLE_{prefix}_({kinds})\((\w+),(?: \d+,)? "([^"]+)"\)'
    for kind, name, family in re.findall(pattern, text, re.MULTILINE):
        names = families.setdefault(family, ([], []))[KINDS[kind]]
        if f"`{name_in_sources(name)}`" not in names:
            names.append(f"`{name_in_sources(name)}`")
    if error is None:
        lines = ["| | calls |", "| --- | --- |"]
        lines += [f"| {family} | {', '.join(names)} |" for family, (names, _) in families.items()]
        return "\n".join(lines) + "\n"
    lines = [f"| | supported | returns `{error}` |", "| --- | --- | --- |"]
    for family, (supported, unsupported) in families.items():
        lines.append(f"| {family} | {', '.join(supported)} | {', '.join(unsupported)} |")
    return "\n".join(lines) + "\n"


def main():
    text = DOCUMENT.read_text()
    current = text
    for interface, (begin, prefix, error) in INTERFACES.items():
        before, rest = current.split(begin)
        after = rest.split(END, 1)[1]
        current = before + begin + table(interface, prefix, error) + END + after
    if sys.argv[1:] == ["--check"]:
        if current != text:
            print("docs/cuda/calls.md is not current: run tools/pages/cuda_calls.py")
            return 1
        return 0
    DOCUMENT.write_text(current)
    return 0


if __name__ == "__main__":
    sys.exit(main())
