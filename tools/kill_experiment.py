#!/usr/bin/env python3
"""Kills an experiment again and again, at random moments, and looks whether anything is lost.

    kill_experiment.py [EXPERIMENT] [--size SIZE] [--heddle PROGRAM] [--kills N] [--seed N]

The experiment is run once undisturbed. Then it is begun with an empty store and ended by SIGKILL, as
often as it takes until it comes to its end by itself, and anew until there were so many kills. After
each, 'heddle results check' must find the store sound, with all the runs that were in it before; at
each end the tables, the JSON and the page with its charts must be those of the undisturbed run.
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

ROOT = pathlib.Path(__file__).resolve().parent.parent
STORE = "store.sqlite"
OUTPUT = "out"
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")


class Lost(Exception):
    pass


class Study:
    """An experiment in a folder of its own, with its store and what it writes."""

    def __init__(self, options, folder):
        self.folder = pathlib.Path(folder)
        self.heddle = str(pathlib.Path(options.heddle).resolve())
        self.command = [self.heddle, "experiment", options.experiment, "--size", options.size,
                        "--store", STORE, "-o", OUTPUT]
        self.runs = 0
        # The store of whoever runs this is none of its business.
        self.environment = {name: value for name, value in os.environ.items()
                            if name != "HEDDLE_STORE"}

    def start(self):
        return subprocess.Popen(self.command, cwd=self.folder, env=self.environment, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def call(self, *arguments):
        return subprocess.run([self.heddle, *arguments], cwd=self.folder, env=self.environment,
                              capture_output=True, text=True)

    def survives(self, seconds):
        """Whether it comes to its end within that time; else it is killed."""
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
        """Throws Lost where the store is not sound, or has fewer runs than it had."""
        if not (self.folder / STORE).exists():
            if self.runs > 0:
                raise Lost("the store is gone")
            return
        checked = self.call("results", "check", "--store", STORE)
        count = re.search(r"; (\d+) runs? checked, 0 of them damaged", checked.stdout)
        if checked.returncode != 0 or not count:
            raise Lost(f"the store is not sound: {checked.stdout}{checked.stderr}")
        if int(count.group(1)) < self.runs:
            raise Lost(f"of {self.runs} runs {count.group(1)} are left")
        self.runs = int(count.group(1))

    def outputs(self):
        """What it wrote, by name, without the time of day; and the page that is made of it."""
        page = self.call("report", OUTPUT, "-o", "page.html")
        if page.returncode != 0:
            raise Lost(f"there is no page: {page.stderr}")
        files = [*(self.folder / OUTPUT).glob("*.json"), *(self.folder / OUTPUT).glob("*.csv"),
                 self.folder / "page.html"]
        return {file.name: TIME.sub("TIME", file.read_text()) for file in files}


class Undisturbed:
    """What the experiment comes to where nobody kills it, and how long it takes."""

    def __init__(self, options):
        with tempfile.TemporaryDirectory() as folder:
            study = Study(options, folder)
            begin = time.monotonic()
            study.survives(None)
            middle = time.monotonic()
            study.survives(None)
            self.seconds_of_runs = middle - begin
            self.seconds_of_the_rest = time.monotonic() - middle
            study.check()
            self.outputs, self.runs = study.outputs(), study.runs

    def seconds_left(self, stored):
        return self.seconds_of_the_rest + self.seconds_of_runs * (1 - stored / self.runs)


def until_its_end(options, undisturbed, chance, kills):
    """One experiment, killed until it survives; counts in `kills` how many runs there were."""
    with tempfile.TemporaryDirectory() as folder:
        study = Study(options, folder)
        while True:
            # Where only the tables are left, it is to survive often enough for the next to begin.
            slack = 1.2 if study.runs < undisturbed.runs else 4
            longest = slack * undisturbed.seconds_left(study.runs)
            if study.survives(chance.uniform(0, longest) if kills.total() < options.kills else None):
                break
            study.check()
            kills[study.runs] += 1
        study.check()
        outputs = study.outputs()
        differing = [name for name in outputs.keys() | undisturbed.outputs.keys()
                     if outputs.get(name) != undisturbed.outputs.get(name)]
        if differing:
            raise Lost(f"not what the undisturbed run wrote: {', '.join(differing)}")


def shown(kills, runs):
    """How many kills fell into each fifth of the experiment, by the runs that were stored."""
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
    chance = random.Random(options.seed)
    kills = collections.Counter()
    ends = 0
    try:
        undisturbed = Undisturbed(options)
        while kills.total() < options.kills:
            until_its_end(options, undisturbed, chance, kills)
            ends += 1
    except Lost as lost:
        sys.exit(f"LOST after {kills.total()} kills (--seed {options.seed}): {lost}")
    print(f"{options.experiment}: {undisturbed.runs} runs; killed {kills.total()} times "
          f"({shown(kills, undisturbed.runs)}); all {ends} that came to their end wrote the same")


if __name__ == "__main__":
    main()
