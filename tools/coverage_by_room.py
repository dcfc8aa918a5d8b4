#!/usr/bin/env python3
"""Prints which share of each room's lines was passed through, and where most were not.
    coverage_by_room.py SUMMARY        what 'gcovr --json-summary' has written"""

import collections
import json
import pathlib
import sys

from workload_table import table

PLACES = 10


def main():
    files = json.loads(pathlib.Path(sys.argv[1]).read_text())["files"]
    rooms = collections.defaultdict(lambda: [0, 0])
    for file in files:
        for room in (pathlib.Path(file["filename"]).parts[1], "all"):
            rooms[room][0] += file["line_total"]
            rooms[room][1] += file["line_covered"]
    rows = [[room, str(total), f"{100 * covered / total:.1f} %"]
            for room, (total, covered) in rooms.items() if room != "all"]
    total, covered = rooms["all"]
    rows = sorted(rows) + [["all", str(total), f"{100 * covered / total:.1f} %"]]
    print("\n".join(table(["room", "lines", "passed through"], rows)))

    left = sorted(files, key=lambda file: file["line_covered"] - file["line_total"])[:PLACES]
    rows = [[file["filename"], str(file["line_total"] - file["line_covered"]),
             str(file["line_total"])]
            for file in left]
    print("\n" + "\n".join(table(["file", "lines left out", "of"], rows)))


if __name__ == "__main__":
    main()
