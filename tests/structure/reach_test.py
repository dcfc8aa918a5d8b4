#!/usr/bin/env python3
"""Checks that users of a chip include its description and its results, but not its implementation. No
include may lead from a user to a component, or to the interface of a seam (an interface with several
policies). A change of the implementation then does not recompile the users."""

import pathlib
import re
import sys

USERS = ["src/cuda", "src/lab", "src/workload", "apps", "bench"]
# The headers that every user of a machine includes.
ENTRY_HEADERS = ["src/gpu/machine.h", "src/gpu/chip.h", "src/gpu/kernel_run.h"]

COMPONENTS = ["sm/sm.h", "sm/front_end/front_end.h", "sm/units/execution_units.h",
              "sm/memory/load_store_unit.h", "memory/partition/partition.h", "memory/coalescer.h",
              "memory/port.h", "gpu/components.h"]
# The header of a seam is the one that includes the header of registries.
REGISTRY = re.compile(r'^#include "(config/policy_registry|base/registry)\.h"', re.M)

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)


class Includes:
    """The graph of includes. A name is looked up beside the file, then in the folders of
    headers."""

    def __init__(self, root):
        self.folders = [root / "src", root / "apps/heddle", root / "workloads", root]
        self.known = {}

    def included_by(self, path):
        if path not in self.known:
            folders = [path.parent, *self.folders]
            names = INCLUDE.findall(path.read_text())
            found = [next((f / n for f in folders if (f / n).exists()), None) for n in names]
            self.known[path] = [file.resolve() for file in found if file]
        return self.known[path]

    def path_to(self, start, ends):
        """The chain of includes from `start` to the first of `ends`, or None."""
        predecessor = {start: None}
        queue = [start]
        for path in queue:
            if path in ends and path != start:
                chain = [path]
                while predecessor[chain[-1]]:
                    chain.append(predecessor[chain[-1]])
                return chain[::-1]
            for other in self.included_by(path):
                if other not in predecessor:
                    predecessor[other] = path
                    queue.append(other)
        return None


def hidden_headers(src):
    """The headers that users must not include, and the number of seams among them."""
    seams = [path for library in ("memory", "sm", "gpu") for path in src.glob(f"{library}/**/*.h")
             if REGISTRY.search(path.read_text())]
    names = {str(path.relative_to(src)) for path in seams} | set(COMPONENTS)
    return {src / name for name in names}, len(seams)


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    hidden, seams = hidden_headers(root / "src")
    missing = [str(path) for path in hidden if not path.exists()]
    if missing or seams < 7:
        print(f"hidden headers that do not exist: {missing}; found {seams} seams, expected at least 7")
        return 1
    users = [path for folder in USERS for kind in ("h", "cpp")
             for path in sorted((root / folder).glob(f"**/*.{kind}"))]
    includes = Includes(root)
    chains = [chain for path in [root / header for header in ENTRY_HEADERS] + users
              if (chain := includes.path_to(path, hidden))]
    for chain in chains:
        print(" -> ".join(str(path.relative_to(root)) for path in chain))
    print(f"{len(users)} files, {len(hidden)} hidden headers, {len(chains)} forbidden chains of includes")
    return 1 if chains or not users else 0


if __name__ == "__main__":
    sys.exit(main())
