#!/usr/bin/env python3
"""Checks that every workload's kernel.ptx was made from its current kernel.cu and kernel.h. The
first line of kernel.ptx states the hash of both files."""

import hashlib
import pathlib
import sys


def expected_first_line(folder):
    digest = hashlib.sha256()
    for name in ("kernel.cu", "kernel.h"):
        if (folder / name).exists():
            digest.update((folder / name).read_bytes())
    return f"// Made from sources of SHA-256 {digest.hexdigest()}"


def main():
    folders = sorted(path.parent for path in pathlib.Path(sys.argv[1]).glob("*/kernel.cu"))
    stale = []
    for folder in folders:
        ptx = folder / "kernel.ptx"
        first = ptx.read_text().split("\n", 1)[0] if ptx.exists() else "no PTX"
        if first != expected_first_line(folder):
            stale.append(f"{ptx} does not match its source; run ./dev ptx")
    print("\n".join(stale) if stale else f"{len(folders)} kernel.ptx files match their sources")
    return 1 if stale or not folders else 0


if __name__ == "__main__":
    sys.exit(main())
