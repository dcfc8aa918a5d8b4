#!/usr/bin/env python3
"""Every workload's kernel.ptx must have been made from the kernel.cu and kernel.h that lie beside it:
its first line holds their hash."""

import hashlib
import pathlib
import sys


def stamp_of(folder):
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
        if first != stamp_of(folder):
            stale.append(f"{ptx} is older than its source; ./dev ptx renews it")
    print("\n".join(stale) if stale else f"{len(folders)} are current")
    return 1 if stale or not folders else 0


if __name__ == "__main__":
    sys.exit(main())
