#!/usr/bin/env python3
"""Compares Heddle's register counts with those of ptxas, kernel by kernel.

    ptxas_compare.py [--heddle BUILD/apps/heddle/heddle] [--figures tests/corpus/ptxas_sm75.json]

The figures are a JSON file with ptxas's register count of each kernel (tools/cuda/corpus.sh stores them).
Runs `heddle compile --json` on every PTX file that the figures name. Prints one line per kernel: the
ratio of Heddle's count to ptxas's, both counts, and the kernel's name, sorted by ratio. Below are the
mean deviation of the ratios from 1, and the highest ratio. With `--limits MEAN WORST` it fails if the
mean deviation exceeds MEAN (0.05 is 5 %) or the highest ratio exceeds WORST.
"""

import argparse
import json
import pathlib
import subprocess
import sys


def main():
    root = pathlib.Path(__file__).resolve().parents[2]
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--heddle", default=root / "build/release/apps/heddle/heddle")
    parser.add_argument("--figures", type=pathlib.Path,
                        default=root / "tests" / "corpus" / "ptxas_sm75.json")
    parser.add_argument("--limits", type=float, nargs=2, metavar=("MEAN", "WORST"))
    parser.add_argument("--markdown", action="store_true", help="print a Markdown table")
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
        sys.exit("kernels missing in the PTX: " + ", ".join(missing))
    if arguments.markdown:
        print("| kernel | Heddle | ptxas | ratio |\n| --- | --- | --- | --- |")
    for ratio, name, mine, theirs in rows:
        print(f"| {name} | {mine} | {theirs} | {ratio:.2f} |" if arguments.markdown else
              f"{ratio:5.2f}  {mine:4} {theirs:4}  {name}")
    mean = sum(abs(row[0] - 1) for row in rows) / len(rows)
    worst = rows[-1][0]
    print(f"{len(rows)} kernels: mean deviation {mean:.1%}, highest ratio {worst:.2f}")
    if arguments.limits and (mean > arguments.limits[0] or worst > arguments.limits[1]):
        sys.exit("the mean deviation or the highest ratio exceeds its limit")


if __name__ == "__main__":
    main()
