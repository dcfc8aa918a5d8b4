#!/usr/bin/env python3
"""Checks the direction of includes: a library may include itself and earlier libraries only."""

import pathlib
import re
import sys

# In order: a library may include itself and those before it.
LIBRARIES = ["base", "trace", "config", "ptx", "code", "exec", "device", "memory", "locality", "sm", "gpu", "energy",
         "workload", "lab", "cuda"]
# The simulation works on machine code. It must not depend on the text of PTX.
FORBIDDEN = {"sm": {"ptx"}, "memory": {"ptx"}, "exec": {"ptx"}}

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"/]+)/')


def violations(root):
    found = []
    for path in sorted(root.glob("src/*/**/*")) + sorted(root.glob("src/*/*")):
        if path.suffix not in (".h", ".cpp", ".def"):
            continue
        library = path.relative_to(root / "src").parts[0]
        if library not in LIBRARIES:
            found.append(f"{path}: '{library}' is not a known library: add it to {sys.argv[0]}")
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            match = INCLUDE.match(line)
            if not match:
                continue
            other = match.group(1)
            if other not in LIBRARIES:
                found.append(f"{path}:{number}: includes from '{other}', which is not a known library")
            elif LIBRARIES.index(other) > LIBRARIES.index(library) or other in FORBIDDEN.get(library, ()):
                found.append(f"{path}:{number}: {library} must not include {other}")
    return sorted(set(found))


def main():
    root = pathlib.Path(sys.argv[1])
    files = list(root.glob("src/*/*.h"))
    if not files:
        print(f"found no sources below {root}/src")
        return 1
    found = violations(root)
    print("\n".join(found) if found else f"all includes are allowed ({len(files)} headers)")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
