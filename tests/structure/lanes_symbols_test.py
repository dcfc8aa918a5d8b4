#!/usr/bin/env python3
"""Checks that objects compiled for different vector units have no mergeable symbols in common.

If several objects define a function (an inline function, a template), the linker keeps one copy. If
that copy was compiled for AVX-512, the program would fail on every other processor."""

import re
import subprocess
import sys


def main():
    unit, objects = sys.argv[1], sys.argv[2:]
    own_prefix = f"heddle::exec::lanes_{unit}::"
    shared = set()
    for path in objects:
        names = subprocess.run(["nm", "-C", "--defined-only", path], check=True,
                               capture_output=True, text=True).stdout
        for line in names.splitlines():
            match = re.match(r"[0-9a-f]+ ([A-Za-z]) (.*)", line)
            # W, V and u are weak and unique symbols, which the linker merges. T are external
            # functions.
            if match and match.group(1) in "WVuT" and own_prefix not in match.group(2):
                if not match.group(2).startswith("DW.ref."):
                    shared.add(match.group(2))
    if not objects:
        print("no objects given")
        return 1
    for name in sorted(shared):
        print(f"{unit}: {name}")
    print(f"{len(objects)} objects, {len(shared)} symbols outside {own_prefix}")
    return 1 if shared else 0


if __name__ == "__main__":
    sys.exit(main())
