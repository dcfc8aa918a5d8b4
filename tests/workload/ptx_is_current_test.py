#!/usr/bin/env python3
"""Checks that the PTX of every workload was made from its current kernel.cu and kernel.h, and from the
other headers that kernel.cu includes. The first line of a PTX file states the hash of these sources."""

import hashlib
import pathlib
import re
import sys


def expected_first_line(folder):
    digest = hashlib.sha256()
    headers = re.findall(r'^#include "(.*)"$', (folder / "kernel.cu").read_text(), re.MULTILINE)
    others = [header for header in headers if header != "kernel.h"]
    for name in ("kernel.cu", "kernel.h", *others):
        if (folder / name).exists():
            digest.update((folder / name).read_bytes())
    return f"// Made from sources of SHA-256 {digest.hexdigest()}"


def main():
    folders = sorted(path.parent for path in pathlib.Path(sys.argv[1]).glob("*/kernel.cu"))
    stale = []
    for folder in folders:
        for name in ("kernel.ptx", "kernel-unfused.ptx"):
            ptx = folder / name
            first = ptx.read_text().split("\n", 1)[0] if ptx.exists() else "no PTX"
            if first != expected_first_line(folder):
                stale.append(f"{ptx} does not match its source; run ./dev ptx")
    print("\n".join(stale) if stale else f"the PTX of {len(folders)} folders matches its sources")
    return 1 if stale or not folders else 0


if __name__ == "__main__":
    sys.exit(main())
