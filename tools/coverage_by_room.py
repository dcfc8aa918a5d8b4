#!/usr/bin/env python3
"""Prints which share of each room's lines the tests passed through that ran from a build with
--coverage, and the files where most lines were left out. A line of a header counts once.
    coverage_by_room.py BUILD"""

import collections
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys

from workload_table import table

ROOT = pathlib.Path(__file__).resolve().parent.parent
PLACES = 20


def counts_of(notes):
    """What g++ has noted of one source, and how often each line ran: (file, line, count)."""
    done = subprocess.run(["gcov", "--json-format", "--stdout", notes], cwd=notes.parent, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
    for text in done.stdout.splitlines():
        data = json.loads(text)
        for file in data["files"]:
            path = pathlib.Path(os.path.normpath(
                os.path.join(data["current_working_directory"], file["file"])))
            if path.is_relative_to(ROOT / "src"):
                for line in file["lines"]:
                    yield path.relative_to(ROOT), line["line_number"], line["count"]


def row(name, total, covered):
    return [name, str(total), f"{100 * covered / total:.1f} %"]


def main():
    notes = list(pathlib.Path(sys.argv[1]).resolve().glob("src/**/*.gcno"))
    lines = collections.defaultdict(dict)
    with concurrent.futures.ThreadPoolExecutor() as pool:
        for counts in pool.map(lambda path: list(counts_of(path)), notes):
            for path, line, count in counts:
                lines[path][line] = lines[path].get(line, False) or count > 0
    rooms = collections.defaultdict(lambda: [0, 0])
    for path, passed in lines.items():
        for room in (path.parts[1], "all"):
            rooms[room][0] += len(passed)
            rooms[room][1] += sum(passed.values())
    everything = rooms.pop("all")
    rows = [row(room, *counts) for room, counts in sorted(rooms.items())]
    print("\n".join(table(["room", "lines", "passed through"],
                          rows + [row("all", *everything)])))
    left = sorted(((len(passed) - sum(passed.values()), path.as_posix(), len(passed))
                   for path, passed in lines.items()), reverse=True)[:PLACES]
    print("\n" + "\n".join(table(["file", "lines left out", "of"],
                                  [[path, str(out), str(total)] for out, path, total in left])))


if __name__ == "__main__":
    main()
