#!/usr/bin/env python3
"""Holds that those who use a chip see its description and what came of a run, and nothing of how it
works: no include leads from them to a component, or to the interface of a seam's answers. A change
there is then compiled where it is made."""

import pathlib
import re
import sys

USERS = ["src/cuda", "src/lab", "src/workload", "apps", "bench"]
# What every user of a machine includes.
DOORS = ["src/gpu/machine.h", "src/gpu/chip.h", "src/gpu/kernel_run.h"]

COMPONENTS = ["sm/sm.h", "sm/front_end/front_end.h", "sm/units/execution_units.h",
              "sm/memory/load_store_unit.h", "memory/partition/partition.h", "memory/coalescer.h",
              "memory/port.h", "gpu/components.h"]
# The header of a seam is the one that has its registry.
REGISTRY = re.compile(r'^#include "(config/answer_registry|base/registry)\.h"', re.M)

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)


class Includes:
    """Who includes whom. A name is looked for beside the file, then in the folders of headers."""

    def __init__(self, root):
        self.folders = [root / "src", root / "apps/heddle", root / "workloads", root]
        self.known = {}

    def of(self, path):
        if path not in self.known:
            folders = [path.parent, *self.folders]
            names = INCLUDE.findall(path.read_text())
            found = [next((f / n for f in folders if (f / n).exists()), None) for n in names]
            self.known[path] = [file.resolve() for file in found if file]
        return self.known[path]

    def way(self, start, ends):
        """The includes from `start` to the first of `ends`, or None."""
        came_from = {start: None}
        waiting = [start]
        for path in waiting:
            if path in ends and path != start:
                way = [path]
                while came_from[way[-1]]:
                    way.append(came_from[way[-1]])
                return way[::-1]
            for other in self.of(path):
                if other not in came_from:
                    came_from[other] = path
                    waiting.append(other)
        return None


def hidden_headers(src):
    seams = [path for room in ("memory", "sm", "gpu") for path in src.glob(f"{room}/**/*.h")
             if REGISTRY.search(path.read_text())]
    names = {str(path.relative_to(src)) for path in seams} | set(COMPONENTS)
    return {src / name for name in names}, len(seams)


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    hidden, seams = hidden_headers(root / "src")
    gone = [str(path) for path in hidden if not path.exists()]
    if gone or seams < 7:
        print(f"headers to hide that are not there: {gone}; {seams} seams")
        return 1
    users = [path for folder in USERS for kind in ("h", "cpp")
             for path in sorted((root / folder).glob(f"**/*.{kind}"))]
    includes = Includes(root)
    ways = [way for path in [root / door for door in DOORS] + users
            if (way := includes.way(path, hidden))]
    for way in ways:
        print(" -> ".join(str(path.relative_to(root)) for path in way))
    print(f"{len(users)} files, {len(hidden)} hidden headers, {len(ways)} ways to them")
    return 1 if ways or not users else 0


if __name__ == "__main__":
    sys.exit(main())
