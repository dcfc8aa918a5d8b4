#!/usr/bin/env python3
"""Checks that stall causes remain labels. What a warp waits for is its WaitReason; the stall cause of a
profile is derived from it. If other code could use a stall cause, a new name or grouping of causes could
change a cycle. Only the accounting of stalls, texts about warps and the report of a run may use it."""

import pathlib
import re
import sys

PERMITTED_FOLDERS = ("src/sm/stalls/", "src/sm/accounting/")
PERMITTED_FILES = {
    "src/sm/warps/warp_trace.cpp",   # The texts of a trace.
    "src/sm/warps/slot_status.cpp",  # Messages about launches that hang.
    "apps/heddle/issue_slots.cpp",   # The report of a run.
}
# The type, arrays by cause, the function that derives a cause, and the header of all these.
USES = re.compile(r"\b(StallCause|ByStallCause|kStallCauses|cause_of)\b|sm/stalls/stall_cause\.h")


def uses(text):
    """What the text uses, without its comments."""
    code = re.sub(r"//.*", "", text)
    return sorted({match[0] for match in USES.finditer(code)})


def main():
    root = pathlib.Path(sys.argv[1])
    paths = [path for folder in ("src", "apps") for kind in ("h", "cpp")
             for path in sorted((root / folder).glob(f"**/*.{kind}"))]
    used = {str(path.relative_to(root)): found for path in paths if (found := uses(path.read_text()))}
    forbidden = [f"{path}: uses {', '.join(found)}" for path, found in used.items()
                 if path not in PERMITTED_FILES and not path.startswith(PERMITTED_FOLDERS)]
    unused = [f"{path}: is permitted to use stall causes, but does not"
              for path in sorted(PERMITTED_FILES - used.keys())]
    for message in forbidden + unused:
        print(message)
    print(f"{len(paths)} files, {len(used)} of them use stall causes, {len(forbidden)} of these must not")
    return 1 if forbidden or unused else 0


if __name__ == "__main__":
    sys.exit(main())
