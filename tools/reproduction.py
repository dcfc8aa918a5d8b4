#!/usr/bin/env python3
"""Writes docs/reproduction.md: which of the papers' claims come out.

    reproduction.py [--heddle PROGRAM] [--jobs N] [--size SIZE] [--seeds N] [--results FOLDER]
                    [--write-only] [--only NAME ...]

Runs every experiment that claims something with three seeds (--seeds), leaves its results and
report.html in the folder (build/reproduction), and writes the page from them and from the text beside
each experiment (experiments/NAME.md), and the pictures that the texts show (docs/lifetimes). With --size
all runs have that size, and the page is printed instead of written. --write-only runs nothing: it makes
the page of what the folder has. --only runs, and writes, some experiments, or folders of them: the page
keeps what it has of others.
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile

from reproduction_page import Sections, Written, file_of, page, read_experiments
from workload_table import SIZES

ROOT = pathlib.Path(__file__).resolve().parent.parent


# When the warps of a block came and went: the workload, its size, the launch and the block.
LIFETIMES = (("stencil", "paper", 0, 0), ("convolution-texture", "medium", 0, 700))


def draw_lifetimes(heddle, folder):
    """Figures 9 and 11 of Xiang et al., Warp-Level Divergence in GPUs."""
    for workload, size, launch, block in LIFETIMES:
        with tempfile.NamedTemporaryFile("r+") as lifetimes:
            subprocess.run([heddle, "run", workload, "--size", size, "--machine", "warpman",
                            "--registers", "paper", "--lifetimes", lifetimes.name],
                           check=True, stdout=subprocess.DEVNULL)
            subprocess.run([sys.executable, ROOT / "tools/warp_lifetimes.py", lifetimes.name,
                            "--launch", str(launch), "--block", str(block),
                            "-o", folder / f"{workload}.svg"], check=True)


def is_wanted(arguments, experiment):
    names = {experiment.name, experiment.name.split("/")[0]}
    return not arguments.only or not names.isdisjoint(arguments.only)


def sections(arguments):
    if not arguments.only:
        return Sections()
    return Sections(Written(arguments.output.read_text()),
                    lambda experiment: not is_wanted(arguments, experiment))


def perform(arguments, papers):
    """Runs the experiments. Whether all their runs ended well."""
    arguments.results.mkdir(parents=True, exist_ok=True)
    well = True
    for experiment in (e for group in papers.values() for e in group):
        if not is_wanted(arguments, experiment):
            continue
        (arguments.results / file_of(experiment.name)).unlink(missing_ok=True)
        command = [arguments.heddle, "experiment", experiment.name, "-o", arguments.results]
        for option in ("jobs", "size", "seeds"):
            if getattr(arguments, option):
                command += [f"--{option}", str(getattr(arguments, option))]
        code = subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL).returncode
        # 1: some runs failed, and the rest is there.
        if code not in (0, 1):
            sys.exit(code)
        well = well and code == 0
    return well


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--heddle", type=pathlib.Path,
                        default=ROOT / "build/release/apps/heddle/heddle")
    parser.add_argument("--jobs", type=int)
    parser.add_argument("--size", choices=SIZES)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--results", type=pathlib.Path, default=ROOT / "build/reproduction")
    parser.add_argument("--experiments", type=pathlib.Path, default=ROOT / "experiments")
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / "docs/reproduction.md")
    parser.add_argument("--only", metavar="NAME", nargs="+",
                        help="experiments or folders of them: storage, ilp/figure-45")
    parser.add_argument("--write-only", action="store_true", help="run nothing")
    arguments = parser.parse_args()
    arguments.heddle, arguments.results = arguments.heddle.resolve(), arguments.results.resolve()

    well = True
    if not arguments.write_only:
        well = perform(arguments, read_experiments(arguments.experiments, arguments.results))
    text = page(read_experiments(arguments.experiments, arguments.results), sections(arguments))
    if arguments.size:
        print(text, end="")
    else:
        arguments.output.write_text(text)
        if not arguments.write_only and not arguments.only:
            draw_lifetimes(arguments.heddle, arguments.output.parent / "lifetimes")
    if not arguments.write_only:
        report = arguments.results / "report.html"
        done = subprocess.run([arguments.heddle, "report", arguments.results, "-o", report])
        well = well and done.returncode == 0
    sys.exit(0 if well else 1)


if __name__ == "__main__":
    main()
