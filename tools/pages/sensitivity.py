#!/usr/bin/env python3
"""Writes docs/sensitivity.md, which shows how the main claims depend on parameters that no paper states, and
docs/sensitivity/choices.md, which lists these parameters.

    sensitivity.py [--heddle PROGRAM] [--size SIZE] [--seeds N] [--jobs N] [--only NAME...] [--claims ID...]
                   [--results FOLDER] [--store FILE] [--write-only]

Runs each experiment of tools/pages/sensitivity.toml with the base values of its machine, then with each
other value of each choice (heddle experiment --set), and writes the choices that change its claims
most. All runs go into one store, so an interrupted call can be repeated and continues. --only runs some
experiments, or folders of experiments; the claims of all others stay as they are on the page. --claims tries only
these claims and prints their page instead of writing the pages. --write-only runs nothing and writes the pages from
the results in the folder.
"""

import argparse
import pathlib
import subprocess
import sys

from reproduction_page import file_of
from sensitivity_page import Written, choices_page, folder_of, page, read_studies
from workload_table import SIZES

ROOT = pathlib.Path(__file__).resolve().parents[2]


def run(arguments, study, settings, folder):
    """Runs an experiment's claims and writes their results to a folder. Some of the runs may fail."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / file_of(study.name)).unlink(missing_ok=True)
    command = [arguments.heddle, "experiment", study.name, "-o", folder, "--store", arguments.store,
               "--size", study.size, "--seeds", str(arguments.seeds)]
    for claim in study.claims:
        command += ["--claim", claim["id"]]
    if arguments.jobs:
        command += ["--jobs", str(arguments.jobs)]
    for setting in settings:
        command += ["--set", setting]
    code = subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL).returncode
    # 1: some runs failed; the results of the others are available.
    if code not in (0, 1):
        sys.exit(code)


def perform(arguments, studies):
    for study in studies:
        if study.kept:
            continue
        changes = [value for choice in study.choices for value in choice.values]
        run(arguments, study, [], arguments.results / folder_of(""))
        for i, value in enumerate(changes, 1):
            print(f"{study.name}, {i} of {len(changes)}: {value}", file=sys.stderr)
            run(arguments, study, value.split(), arguments.results / folder_of(value))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--heddle", type=pathlib.Path,
                        default=ROOT / "build/release/apps/heddle/heddle")
    parser.add_argument("--size", choices=SIZES, help="default: the sizes in the file of choices")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--jobs", type=int)
    parser.add_argument("--only", metavar="NAME", nargs="+",
                        help="experiments or folders of them: storage, large-warps/figure-9")
    parser.add_argument("--claims", nargs="+", metavar="ID")
    parser.add_argument("--results", type=pathlib.Path, default=ROOT / "build/sensitivity")
    parser.add_argument("--store", type=pathlib.Path,
                        default=ROOT / "build/sensitivity/results.sqlite")
    parser.add_argument("--choices", type=pathlib.Path, default=ROOT / "tools/pages/sensitivity.toml")
    parser.add_argument("--experiments", type=pathlib.Path, default=ROOT / "descriptions/experiments")
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / "docs/sensitivity.md")
    parser.add_argument("--write-only", action="store_true", help="run nothing")
    arguments = parser.parse_args()
    for name in ("heddle", "results", "store"):
        setattr(arguments, name, getattr(arguments, name).resolve())

    written = Written(arguments.output.read_text()) if arguments.only else None

    def is_kept(name):
        return arguments.only and {name, name.split("/")[0]}.isdisjoint(arguments.only)

    def studies():
        return read_studies(arguments, is_kept, written)

    if not arguments.write_only:
        arguments.results.mkdir(parents=True, exist_ok=True)
        perform(arguments, studies())
    found = studies()
    if arguments.claims:
        print(page(found), end="")
        return
    choices = arguments.output.with_suffix("") / "choices.md"
    choices.parent.mkdir(parents=True, exist_ok=True)
    arguments.output.write_text(page(found))
    choices.write_text(choices_page(found))


if __name__ == "__main__":
    main()
