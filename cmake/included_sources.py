#!/usr/bin/env python3
"""Lists a source and all files of its own folder that it needs, one path a line.

    included_sources.py SOURCE

A source needs the headers that it includes, directly or through other headers, and the .cpp beside each
header. Includes that are not found in the folder belong to libraries of src/ or to other projects; they
are ignored.
"""

import pathlib
import re
import sys

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]+"([^"]+)"', re.MULTILINE)


def included_by(path):
    found = set()
    for name in INCLUDE.findall(path.read_text()):
        header = path.parent / name
        found |= {file for file in (header, header.with_suffix(".cpp")) if file.is_file()}
    return found


def needed_by(source):
    reached, new = set(), {source}
    while new:
        reached |= new
        new = {file for path in new for file in included_by(path)} - reached
    return sorted(reached)


if __name__ == "__main__":
    print("\n".join(map(str, needed_by(pathlib.Path(sys.argv[1])))))
