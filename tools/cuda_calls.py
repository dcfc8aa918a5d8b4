#!/usr/bin/env python3
"""Writes the tables of docs/cuda.md that say which of CUDA's calls Heddle has:

    tools/cuda_calls.py [--check]

They are made from calls.def of src/cuda/runtime and src/cuda/driver; --check only says whether they
are current.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
DOCUMENT = ROOT / "docs/cuda.md"
END = "<!-- end -->\n"
KINDS = {"CALL": 0, "UNSUPPORTED": 1}
# Of each interface: where its table begins, the folder of its calls, and what those it lacks return.
INTERFACES = {
    "runtime": ("<!-- made by tools/cuda_calls.py -->\n", "CUDA", "cudaErrorNotSupported"),
    "driver": ("<!-- the driver's, made by tools/cuda_calls.py -->\n", "DRIVER",
               "CUDA_ERROR_NOT_SUPPORTED"),
}


def plain(name):
    """As programs' sources have it: the driver's headers add the number of a version."""
    return re.sub(r"^(cu[A-Z]\w+)_v\d$", r"\1", name)


def table(interface, prefix, answer):
    families = {}
    text = (ROOT / "src/cuda" / interface / "calls.def").read_text()
    pattern = rf'^HEDDLE_{prefix}_(CALL|UNSUPPORTED)\((\w+),(?: \d+,)? "([^"]+)"\)'
    for kind, name, family in re.findall(pattern, text, re.MULTILINE):
        names = families.setdefault(family, ([], []))[KINDS[kind]]
        if f"`{plain(name)}`" not in names:
            names.append(f"`{plain(name)}`")
    lines = [f"| | supported | returns `{answer}` |", "| --- | --- | --- |"]
    for family, (supported, unsupported) in families.items():
        lines.append(f"| {family} | {', '.join(supported)} | {', '.join(unsupported)} |")
    return "\n".join(lines) + "\n"


def main():
    text = DOCUMENT.read_text()
    current = text
    for interface, (begin, prefix, answer) in INTERFACES.items():
        before, rest = current.split(begin)
        after = rest.split(END, 1)[1]
        current = before + begin + table(interface, prefix, answer) + END + after
    if sys.argv[1:] == ["--check"]:
        if current != text:
            print("docs/cuda.md is not what tools/cuda_calls.py makes of the tables of calls")
            return 1
        return 0
    DOCUMENT.write_text(current)
    return 0


if __name__ == "__main__":
    sys.exit(main())
