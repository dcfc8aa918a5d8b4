#!/usr/bin/env python3
"""Writes the table of docs/cuda.md that says which of CUDA's calls Heddle has:

    tools/cuda_calls.py [--check]

It is made from src/cuda/runtime/calls.def; --check only says whether it is current.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
DOCUMENT = ROOT / "docs/cuda.md"
BEGIN = "<!-- made by tools/cuda_calls.py -->\n"
END = "<!-- end -->\n"
KINDS = {"CALL": 0, "UNSUPPORTED": 1}


def table():
    families = {}
    text = (ROOT / "src/cuda/runtime/calls.def").read_text()
    pattern = r'^HEDDLE_CUDA_(CALL|UNSUPPORTED)\((\w+), "([^"]+)"\)'
    for kind, name, family in re.findall(pattern, text, re.MULTILINE):
        families.setdefault(family, ([], []))[KINDS[kind]].append(f"`{name}`")
    lines = ["| | supported | returns `cudaErrorNotSupported` |", "| --- | --- | --- |"]
    for family, (supported, unsupported) in families.items():
        lines.append(f"| {family} | {', '.join(supported)} | {', '.join(unsupported)} |")
    return "\n".join(lines) + "\n"


def main():
    text = DOCUMENT.read_text()
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    current = before + BEGIN + table() + END + after
    if sys.argv[1:] == ["--check"]:
        if current != text:
            print("docs/cuda.md is not what tools/cuda_calls.py makes of the table of calls")
            return 1
        return 0
    DOCUMENT.write_text(current)
    return 0


if __name__ == "__main__":
    sys.exit(main())
