#!/usr/bin/env python3
"""Kills an experiment repeatedly, at random times, and checks that no result is lost.

    kill_experiment.py [EXPERIMENT] [--size SIZE] [--heddle PROGRAM] [--kills N] [--seed N]

The experiment runs once undisturbed. Then it starts with an empty store and is killed by SIGKILL and started
again until it completes. This is repeated until there have been N kills. After each kill, 'heddle results check'
must find the store sound, with all runs that it had before. After each completion, the tables, the
JSON and the page with charts must equal those of the undisturbed run.
"""

import argparse
import collections
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
STORE = "store.sqlite"
OUTPUT = "out"
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")


class Lost(Exception):
    """A result was lost or changed, or the experiment failed."""


class Study:
    """An experiment in a folder of its own, with its store and its output files."""

    def __init__(self, options, folder):
        self.folder = pathlib.Path(folder)
        self.heddle = str(pathlib.Path(options.heddle).resolve())
        self.command = [self.heddle, "experiment", options.experiment, "--size", options.size,
                        "--store", STORE, "-o", OUTPUT]
        self.runs = 0
        # The experiment must not use the store of the user who runs this script.
        self.environment = {name: value for name, value in os.environ.items()
                            if name != "HEDDLE_STORE"}

    def start(self):
        return subprocess.Popen(self.command, cwd=self.folder, env=self.environment, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def call(self, *arguments):
        return subprocess.run([self.heddle, *arguments], cwd=self.folder, env=self.environment,
                              capture_output=True, text=True)

    def completes_within(self, seconds):
        """Runs the experiment, and kills it after `seconds` (None: never). Returns whether it completed
        before that."""
        process = self.start()
        try:
            _, errors = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            return False
        if process.returncode != 0:
            raise Lost(f"it ended with exit code {process.returncode}: {errors}")
        return True

    def check(self):
        """Raises Lost if the store is not sound or has fewer runs than before."""
        if not (self.folder / STORE).exists():
            if self.runs > 0:
                raise Lost("the store is gone")
            return
        checked = self.call("results", "check", "--store", STORE)
        count = re.search(r"; (\d+) runs? checked, 0 of them damaged", checked.stdout)
        if checked.returncode != 0 or not count:
            raise Lost(f"the store is not sound: {checked.stdout}{checked.stderr}")
        if int(count.group(1)) < self.runs:
            raise Lost(f"{count.group(1)} of {self.runs} runs are left")
        self.runs = int(count.group(1))

    def outputs(self):
        """The content of the files that the experiment wrote and of the page made from them, by file name and
        without times."""
        page = self.call("report", OUTPUT, "-o", "page.html")
        if page.returncode != 0:
            raise Lost(f"the page could not be written: {page.stderr}")
        files = [*(self.folder / OUTPUT).glob("*.json"), *(self.folder / OUTPUT).glob("*.csv"),
                 self.folder / "page.html"]
        return {file.name: TIME.sub("TIME", file.read_text()) for file in files}


class Undisturbed:
    """The outputs of the experiment without kills, and its duration in seconds: that of its runs, and that
    of the rest, when all runs are in the store."""

    def __init__(self, options):
        with tempfile.TemporaryDirectory() as folder:
            study = Study(options, folder)
            begin = time.monotonic()
            study.completes_within(None)
            middle = time.monotonic()
            study.completes_within(None)
            self.seconds_of_runs = middle - begin
            self.seconds_of_the_rest = time.monotonic() - middle
            study.check()
            self.outputs, self.runs = study.outputs(), study.runs

    def seconds_left(self, stored):
        """The expected seconds to completion with `stored` runs in the store."""
        return self.seconds_of_the_rest + self.seconds_of_runs * (1 - stored / self.runs)


def run_with_kills(options, undisturbed, random_source, kills):
    """Kills one experiment repeatedly until it completes. `kills` counts the kills by the number of
    runs that were in the store."""
    with tempfile.TemporaryDirectory() as folder:
        study = Study(options, folder)
        while True:
            # If all runs are stored and only the tables remain, it gets more time, so that it
            # completes often enough.
            slack = 1.2 if study.runs < undisturbed.runs else 4
            longest = slack * undisturbed.seconds_left(study.runs)
            limit = random_source.uniform(0, longest) if kills.total() < options.kills else None
            if study.completes_within(limit):
                break
            study.check()
            kills[study.runs] += 1
        study.check()
        outputs = study.outputs()
        differing = [name for name in outputs.keys() | undisturbed.outputs.keys()
                     if outputs.get(name) != undisturbed.outputs.get(name)]
        if differing:
            raise Lost(f"files differ from those of the undisturbed run: {', '.join(differing)}")


def kills_text(kills, runs):
    """Text for the number of kills in each fifth of the experiment, by the number of runs in the store."""
    by_fifth = collections.Counter(stored * 5 // runs for stored in kills.elements())
    parts = [f"{by_fifth[fifth]} with {fifth * 20} to {fifth * 20 + 20} %" for fifth in range(5)]
    return f"{', '.join(parts)}, {by_fifth[5]} with all of the runs stored"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("experiment", nargs="?", default="schedulers")
    parser.add_argument("--size", default="tiny")
    parser.add_argument("--heddle", default=ROOT / "build/release/apps/heddle/heddle")
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    random_source = random.Random(options.seed)
    kills = collections.Counter()
    ends = 0
    try:
        undisturbed = Undisturbed(options)
        while kills.total() < options.kills:
            run_with_kills(options, undisturbed, random_source, kills)
            ends += 1
    except Lost as lost:
        sys.exit(f"LOST after {kills.total()} kills (--seed {options.seed}): {lost}")
    print(f"{options.experiment}: {undisturbed.runs} runs; killed {kills.total()} times "
          f"({kills_text(kills, undisturbed.runs)}); all {ends} completed experiments wrote the same files")


if __name__ == "__main__":
    main()
