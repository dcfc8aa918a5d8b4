#!/usr/bin/env python3
"""Writes the tables of docs/workloads/capacity.md: cycles with half or twice of a resource.

    capacity_table.py [--heddle PROGRAM] [--jobs N] [--results FOLDER] [--write-only]

Runs the experiments of descriptions/experiments/capacity and writes the results between the markers
of the page. All runs use one result store, so an interrupted call resumes when it is repeated.
--write-only runs nothing and writes the tables from the results in the folder.
"""

import argparse
import csv
import pathlib
import subprocess
import sys

from workload_table import marked_range, table

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/workloads/capacity.md"
FOLDER = "capacity"


def file_of(results, machine):
    """The file to which heddle writes the table of an experiment."""
    return results / f"{FOLDER}-{machine}.csv"


def lines_of(path):
    """The lines of a Markdown table. Ratios have two decimals; those that differ from 1 by a tenth or more are
    bold."""
    with path.open(newline="") as file:
        head, *rows = csv.reader(file)

    def cell(text):
        if not text:
            return "-"
        value = float(text)
        rounded = f"{value:.2f}"
        return f"**{rounded}**" if abs(float(rounded) - 1) >= 0.0999 else rounded

    return table(head, [[row[0], *map(cell, row[1:])] for row in rows])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--heddle", default=ROOT / "build/release/apps/heddle/heddle")
    parser.add_argument("--jobs", type=int)
    parser.add_argument("--results", type=pathlib.Path, default=ROOT / "build/capacity")
    parser.add_argument("--write-only", action="store_true", help="run nothing; use earlier results")
    arguments = parser.parse_args()

    if not arguments.write_only:
        arguments.results.mkdir(parents=True, exist_ok=True)
        command = [arguments.heddle, "experiment", FOLDER, "-o", arguments.results,
                   "--store", arguments.results / "results.sqlite"]
        if arguments.jobs:
            command += ["--jobs", str(arguments.jobs)]
        code = subprocess.run(command, stdout=subprocess.DEVNULL).returncode
        if code not in (0, 1):  # 1: some runs failed; the others have results.
            sys.exit(code)

    text = PAGE.read_text()
    for path in sorted((ROOT / "descriptions/experiments" / FOLDER).glob("*.toml")):
        start, end = marked_range(text, f"{FOLDER}/{path.stem}")
        lines = lines_of(file_of(arguments.results, path.stem))
        text = text[:start] + "\n".join(lines) + "\n" + text[end:]
    PAGE.write_text(text)


if __name__ == "__main__":
    main()
