#!/usr/bin/env python3
"""Holds the direction of includes: a room may include itself and those before it, none behind it."""

import pathlib
import re
import sys

ROOMS = ["base", "trace", "config", "ptx", "code", "exec", "device", "memory", "sm", "gpu", "energy",
         "observe", "workload", "lab", "cuda"]
# Time knows machine code, not the text that it was made from.
NEVER = {"sm": {"ptx"}, "memory": {"ptx"}, "exec": {"ptx"}}

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"/]+)/')


def violations(root):
    found = []
    for path in sorted(root.glob("src/*/**/*")) + sorted(root.glob("src/*/*")):
        if path.suffix not in (".h", ".cpp", ".def"):
            continue
        room = path.relative_to(root / "src").parts[0]
        if room not in ROOMS:
            found.append(f"{path}: '{room}' is not a room; name it in {sys.argv[0]}")
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            match = INCLUDE.match(line)
            if not match:
                continue
            other = match.group(1)
            if other not in ROOMS:
                found.append(f"{path}:{number}: includes of '{other}', which is not a room")
            elif ROOMS.index(other) > ROOMS.index(room) or other in NEVER.get(room, ()):
                found.append(f"{path}:{number}: {room} must not know {other}")
    return sorted(set(found))


def main():
    root = pathlib.Path(sys.argv[1])
    files = list(root.glob("src/*/*.h"))
    if not files:
        print(f"no sources below {root}/src")
        return 1
    found = violations(root)
    print("\n".join(found) if found else f"includes point the right way ({len(files)} headers)")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
