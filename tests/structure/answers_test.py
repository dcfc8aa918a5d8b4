#!/usr/bin/env python3
"""An answer's name is known to its own file alone: nobody else compares with it. What others have to
know of an answer, its properties tell."""

import pathlib
import re
import sys

# const SchedulerRegistry::Entry round_robin_entry{"round-robin", ...}; a name may be a constant of its file.
ENTRY = re.compile(r'Registry::Entry\s+\w+\{\s*("(?P<text>[^"]+)"|(?P<constant>k\w+))')


def registered_name(text):
    match = ENTRY.search(text)
    if not match or match["text"]:
        return match and match["text"]
    constant = re.search(match["constant"] + r'\s*=\s*"([^"]+)"', text)
    return constant and constant[1]


def main():
    root = pathlib.Path(sys.argv[1])
    texts = {path: path.read_text() for folder in ("src", "apps")
             for path in sorted((root / folder).glob("**/*")) if path.suffix in (".h", ".cpp")}
    files = {name: path for path, text in texts.items() if (name := registered_name(text))}
    if not {"round-robin", "active-set", "banked", "fr-fcfs"} <= files.keys():
        print(f"answers that are known to be there were not found among {sorted(files)}")
        return 1
    names = "|".join(map(re.escape, files))
    compares = re.compile(rf'[=!]=\s*"({names})"|"({names})"\s*[=!]=')
    found = [f'{path}: compares with "{match[1] or match[2]}"' for path, text in texts.items()
             for match in compares.finditer(text) if files[match[1] or match[2]] != path]
    print("\n".join(found) if found else f"nobody asks for one of {len(files)} answers by its name")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
