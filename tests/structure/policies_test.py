#!/usr/bin/env python3
"""Checks that no code compares a string with the name of a policy: it must ask for the policy's properties
instead. Two kinds of files are allowed to compare: the file that registers the policy, and the header and
source that declare its name as a constant, because several policies share their parameters."""

import pathlib
import re
import sys

# const SchedulerRegistry::Entry round_robin_entry{"round-robin", ...}; a name may be a constant of
# its file.
CONSTANT = re.compile(r'\b(k\w+)\s*=\s*"([^"]+)"')
ENTRY = re.compile(r'Registry::Entry\s+\w+\{\s*("(?P<text>[^"]+)"|(?P<constant>k\w+))')


def registered_name(text):
    """The name of the policy that a file registers, or None."""
    match = ENTRY.search(text)
    if not match or match["text"]:
        return match and match["text"]
    constant = re.search(match["constant"] + r'\s*=\s*"([^"]+)"', text)
    return constant and constant[1]


def compared_literals(texts, files):
    """Comparisons with a policy's name outside of its file. `texts` maps files to their texts, `files` maps
    policies to their files."""
    names = "|".join(map(re.escape, files))
    compares = re.compile(rf'[=!]=\s*"({names})"|"({names})"\s*[=!]=')
    return [f'{path}: compares with "{match[1] or match[2]}"' for path, text in texts.items()
            for match in compares.finditer(text) if files[match[1] or match[2]] != path]


def compared_constants(texts, files):
    """Comparisons with constants that hold a policy's name, outside of the files that declare them."""
    declared = {}
    for path, text in texts.items():
        for constant, value in CONSTANT.findall(text):
            if value in files:
                declared.setdefault(constant, set()).add(path.with_suffix(""))
    if "kManaged" not in declared:
        return ["expected to find the constant kManaged, which names a policy"]
    names = "|".join(declared)
    compares = re.compile(rf'[=!]=\s*({names})\b|\b({names})\s*[=!]=')
    return [f"{path}: compares with {match[1] or match[2]}" for path, text in texts.items()
            for match in compares.finditer(text)
            if path.with_suffix("") not in declared[match[1] or match[2]]]


def main():
    root = pathlib.Path(sys.argv[1])
    texts = {path: path.read_text() for folder in ("src", "apps")
             for path in sorted((root / folder).glob("**/*")) if path.suffix in (".h", ".cpp")}
    files = {name: path for path, text in texts.items() if (name := registered_name(text))}
    if not {"round-robin", "active-set", "banked", "fr-fcfs"} <= files.keys():
        print(f"expected to find some well-known policies, found only {sorted(files)}")
        return 1
    found = compared_literals(texts, files) + compared_constants(texts, files)
    print("\n".join(found) if found else f"no code compares with the names of {len(files)} policies")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
