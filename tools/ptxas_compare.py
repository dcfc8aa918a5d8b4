#!/usr/bin/env python3
"""Compares our register counts with those of ptxas, kernel by kernel.

    ptxas_compare.py [--heddle BUILD/apps/heddle/heddle] [--figures tests/corpus/ptxas_sm75.json]

Runs `heddle compile --json` on every kernel file that the figures name, and prints ours, theirs and
the ratio, sorted, then the mean deviation and the worst ratio. `--limits MEAN WORST` makes it fail
beyond them.
"""

import argparse
import json
import pathlib
import subprocess
import sys


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--heddle", default=root / "build/release/apps/heddle/heddle")
    parser.add_argument("--figures", type=pathlib.Path,
                        default=root / "tests" / "corpus" / "ptxas_sm75.json")
    parser.add_argument("--limits", type=float, nargs=2, metavar=("MEAN", "WORST"))
    parser.add_argument("--markdown", action="store_true", help="print the rows as a table")
    arguments = parser.parse_args()

    figures = json.loads(arguments.figures.read_text())
    ours = {}
    for file in sorted({entry["file"] for entry in figures.values()}):
        ptx = (arguments.figures.parent / file).with_suffix(".ptx")
        run = subprocess.run([arguments.heddle, "compile", str(ptx), "--json", "-"],
                             capture_output=True, text=True)
        if run.returncode != 0:
            sys.exit(f"{ptx}: {run.stderr.strip()}")
        for kernel in json.loads(run.stdout)["kernels"]:
            ours[kernel["name"]] = kernel["registers"]

    rows = sorted((ours[name] / entry["registers"], name, ours[name], entry["registers"])
                  for name, entry in figures.items() if name in ours)
    missing = sorted(set(figures) - set(ours))
    if missing:
        sys.exit("not compiled: " + ", ".join(missing))
    if arguments.markdown:
        print("| kernel | Heddle | ptxas | ratio |\n| --- | --- | --- | --- |")
    for ratio, name, mine, theirs in rows:
        print(f"| {name} | {mine} | {theirs} | {ratio:.2f} |" if arguments.markdown else
              f"{ratio:5.2f}  {mine:4} {theirs:4}  {name}")
    mean = sum(abs(row[0] - 1) for row in rows) / len(rows)
    worst = rows[-1][0]
    print(f"{len(rows)} kernels: mean deviation {mean:.1%}, highest ratio {worst:.2f}")
    if arguments.limits and (mean > arguments.limits[0] or worst > arguments.limits[1]):
        sys.exit("beyond the limits")


if __name__ == "__main__":
    main()
