#!/usr/bin/env python3
"""Writes docs/reproduction.md, docs/reproduction/PAPER.md and docs/reproduction/PAPER/EXPERIMENT.md: which
of the papers' claims hold.

    reproduction.py [--heddle PROGRAM] [--jobs N] [--size SIZE] [--seeds N] [--results FOLDER]
                    [--write-only] [--only NAME ...]

Runs every experiment that has claims, with three seeds (--seeds), and leaves the results and report.html
in a folder (build/reproduction). Heddle first says how many runs are missing, and how long they will take.
Writes the index and the pages of papers and experiments from the results and from the text beside each
experiment (descriptions/experiments/NAME.md), and draws the pictures that the texts show (docs/lifetimes). --size runs everything in that size and prints the pages instead of writing
them. --write-only runs nothing and writes the pages from the results in the folder. --only runs some
experiments, or folders of experiments; the pages of all others stay as they are.
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile

from reproduction_page import Contents, Written, file_of, pages, read_experiments
from workload_table import SIZES

ROOT = pathlib.Path(__file__).resolve().parents[2]


# The pictures of when each warp of a block began and ended: workload, size, launch and block.
LIFETIMES = (("stencil", "paper", 0, 0), ("convolution-texture", "medium", 0, 700))


def draw_lifetimes(heddle, folder):
    """Draws Figures 9 and 11 of Xiang et al., Warp-Level Divergence in GPUs."""
    for workload, size, launch, block in LIFETIMES:
        with tempfile.NamedTemporaryFile("r+") as lifetimes:
            subprocess.run([heddle, "run", workload, "--size", size, "--machine", "warpman",
                            "--registers", "paper", "--lifetimes", lifetimes.name],
                           check=True, stdout=subprocess.DEVNULL)
            subprocess.run([sys.executable, ROOT / "tools/pages/warp_lifetimes.py", lifetimes.name,
                            "--launch", str(launch), "--block", str(block),
                            "-o", folder / f"{workload}.svg"], check=True)


def is_wanted(arguments, experiment):
    names = {experiment.name, experiment.name.split("/")[0]}
    return not arguments.only or not names.isdisjoint(arguments.only)


def contents(arguments):
    if not arguments.only:
        return Contents()
    return Contents(Written(arguments.output.with_suffix("")),
                    lambda experiment: not is_wanted(arguments, experiment))


def perform(arguments, papers):
    """Runs the experiments. Before it simulates, it says how long that will take. Returns whether all runs
    succeeded."""
    arguments.results.mkdir(parents=True, exist_ok=True)
    names = [experiment.name for group in papers.values() for experiment in group
             if is_wanted(arguments, experiment)]
    if not names:
        sys.exit(f"no experiment with claims is named {' or '.join(arguments.only)}")
    for name in names:
        (arguments.results / file_of(name)).unlink(missing_ok=True)
    command = [arguments.heddle, "experiment", *names, "-o", arguments.results]
    for option in ("jobs", "size", "seeds"):
        if getattr(arguments, option):
            command += [f"--{option}", str(getattr(arguments, option))]
    code = subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL).returncode
    # 1: some runs failed; the results of the others are available.
    if code not in (0, 1):
        sys.exit(code)
    return code == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--heddle", type=pathlib.Path,
                        default=ROOT / "build/release/apps/heddle/heddle")
    parser.add_argument("--jobs", type=int)
    parser.add_argument("--size", choices=SIZES)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--results", type=pathlib.Path, default=ROOT / "build/reproduction")
    parser.add_argument("--experiments", type=pathlib.Path, default=ROOT / "descriptions/experiments")
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / "docs/reproduction.md")
    parser.add_argument("--only", metavar="NAME", nargs="+",
                        help="experiments or folders of them: storage, ilp/figure-45")
    parser.add_argument("--write-only", action="store_true", help="run nothing")
    arguments = parser.parse_args()
    arguments.heddle, arguments.results = arguments.heddle.resolve(), arguments.results.resolve()

    well = True
    if not arguments.write_only:
        well = perform(arguments, read_experiments(arguments.experiments, arguments.results))
    papers = read_experiments(arguments.experiments, arguments.results)
    texts = pages(papers, arguments.output, contents(arguments))
    if arguments.size:
        print("\n".join(texts.values()), end="")
    else:
        for path, text in texts.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        if not arguments.write_only and not arguments.only:
            draw_lifetimes(arguments.heddle, arguments.output.parent / "lifetimes")
    if not arguments.write_only:
        report = arguments.results / "report.html"
        done = subprocess.run([arguments.heddle, "report", arguments.results, "-o", report])
        well = well and done.returncode == 0
    sys.exit(0 if well else 1)


if __name__ == "__main__":
    main()
