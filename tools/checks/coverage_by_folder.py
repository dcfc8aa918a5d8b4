#!/usr/bin/env python3
"""Prints the fraction of the lines of each folder of src that the tests have executed, and the files with
the most lines that were not executed. A line of a header counts once.

    coverage_by_folder.py BUILD

BUILD is the folder of a build with --coverage in which the tests have run.
"""

import collections
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "pages"))
from workload_table import table  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
LISTED_FILES = 20


def counts_of(notes):
    """How often each line of a source and its headers ran: (file, line, count)."""
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
    folders = collections.defaultdict(lambda: [0, 0])
    for path, has_run in lines.items():
        for folder in (path.parts[1], "all"):
            folders[folder][0] += len(has_run)
            folders[folder][1] += sum(has_run.values())
    everything = folders.pop("all")
    rows = [row(folder, *counts) for folder, counts in sorted(folders.items())]
    print("\n".join(table(["folder", "lines", "covered"],
                          rows + [row("all", *everything)])))
    least_covered = sorted(((len(has_run) - sum(has_run.values()), path.as_posix(), len(has_run))
                   for path, has_run in lines.items()), reverse=True)[:LISTED_FILES]
    print("\n" + "\n".join(table(["file", "lines not covered", "of lines"],
                                  [[path, str(uncovered), str(total)] for uncovered, path, total in least_covered])))


if __name__ == "__main__":
    main()
