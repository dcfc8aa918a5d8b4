#!/usr/bin/env python3
"""Compares simulated cycles and counters with the golden record, or writes the record.

    golden_record.py [--check [FILE] | --write [FILE]] [--heddle PROGRAM] [-j N]
                     [--sizes SIZE...] [--only REGEX] [--sample N [--cover]]

The record has a line for each run of tests/golden/runs.toml, with the cycles and a digest of all
counters. --check, the default, simulates the runs again and prints the lines that differ (exit code
1). --write updates the lines and leaves all others unchanged. --sizes, --only (a regular expression
that is searched for in 'workload size machine settings') and --sample (every N-th of the selected
runs) select runs. With --cover, the sample also has a run of each workload, and of each machine with
each of its settings.
"""

import argparse
import functools
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import time
import tomllib
from collections import namedtuple
from concurrent.futures import ThreadPoolExecutor, as_completed

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "pages"))
from workload_table import SIZES  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
RUNS = ROOT / "tests/golden/runs.toml"
RECORD = ROOT / "tests/golden/record.txt"
# Special entries in the column of settings:
UNCHANGED = "-"  # The machine runs without settings.
GRID = "grid="  # The prefix of the first setting if it is the grid of the run, not a setting of the machine.

HEADER = """\
# The golden record: for each run, the cycles of all its kernels and a digest of all its counters. A
# commit that should not change simulated figures changes no line here. A commit that should change
# simulated figures updates the lines that differ, and CHANGELOG.md states what changed, why, and by how
# much.
#
# runs.toml lists the runs. './dev golden' compares the program with the lines, './dev golden --write'
# updates them. The digest is the first 16 digits of the SHA-256 of each kernel's name, cycles,
# instructions and non-zero counters. A run that heddle rejects, because a block does not fit, for
# example, is 'refused', with heddle's exit code.
#
# workload size machine settings cycles digest
"""

Run = namedtuple("Run", "workload size machine settings")
Outcome = namedtuple("Outcome", "cycles digest")


class Mistake(Exception):
    """A mistake of the user; exit code 2."""


def names_of(heddle, what):
    listed = subprocess.run([heddle, "list", what], check=True, capture_output=True, text=True)
    return [line.split()[0] for line in listed.stdout.splitlines()[1:]]


def planned_runs(heddle, runs=RUNS):
    """All runs of the record, sorted."""
    plan = tomllib.loads(runs.read_text())
    names = names_of(heddle, "workloads")
    variants = {(name, machine, UNCHANGED)
                for name in names for machine in names_of(heddle, "machines")}
    for group in plan["group"]:
        grid = [GRID + group["grid"]] if "grid" in group else []
        for variant in group["variants"]:
            settings = ",".join(grid + group.get("set", []) + variant)
            variants |= {(name, machine, settings) for name in group.get("workloads", names)
                         for machine in group["machines"]}
    return sorted(Run(workload, size, *variant) for workload, *variant in variants
                  for size in plan["sizes"])


def is_selected(run, sizes, only):
    return run.size in sizes and re.search(only, " ".join(run)) is not None


def grid_options(run):
    first = run.settings.split(",")[0]
    return ["--grid", first.removeprefix(GRID)] if first.startswith(GRID) else []


def machine_options(run):
    settings = [] if run.settings == UNCHANGED else run.settings.split(",")
    return ["--machine", run.machine] + [word for each in settings if not each.startswith(GRID)
                                         for word in ("--set", each)]


@functools.cache
def newer_counters():
    """The counters that digests leave out (runs.toml)."""
    return set(tomllib.loads(RUNS.read_text())["newer_counters"])


def digest_of(kernels):
    digest = hashlib.sha256()
    for kernel in kernels:
        counters = sorted(f"{name}={value}" for name, value in kernel["counters"].items()
                          if value and name not in newer_counters())
        lines = [kernel["name"], f"cycles={kernel['cycles']}",
                 f"warp_instructions={kernel['warp_instructions']}",
                 f"thread_instructions={kernel['thread_instructions']}", *counters]
        digest.update("".join(f"{line}\n" for line in lines).encode())
    return digest.hexdigest()[:16]


def perform(heddle, run):
    done = subprocess.run([heddle, "run", run.workload, "--size", run.size, *grid_options(run),
                           *machine_options(run), "--json", "-"], capture_output=True, text=True)
    if done.returncode != 0:
        return Outcome("refused" if done.returncode == 2 else "failed", f"exit:{done.returncode}")
    kernels = json.loads(done.stdout)["kernels"]
    return Outcome(str(sum(kernel["cycles"] for kernel in kernels)), digest_of(kernels))


class Progress:
    """Prints progress: on a terminal a line that is overwritten, otherwise a line every 10 seconds."""

    def __init__(self, total):
        self.total, self.done, self.printed = total, 0, time.monotonic()
        self.terminal = sys.stderr.isatty()

    def step(self):
        self.done += 1
        last = self.done == self.total
        if not last and time.monotonic() - self.printed < (0.1 if self.terminal else 10):
            return
        self.printed = time.monotonic()
        start, end = ("\r", "\n" if last else "") if self.terminal else ("", "\n")
        print(f"{start}{self.done} of {self.total} runs", end=end, file=sys.stderr, flush=True)


def perform_all(heddle, runs, jobs):
    outcomes, progress = {}, Progress(len(runs))
    with ThreadPoolExecutor(jobs) as pool:
        pending = {pool.submit(perform, heddle, run): run for run in runs}
        try:
            for done in as_completed(pending):
                outcomes[pending[done]] = done.result()
                progress.step()
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    return outcomes


def read_record(file):
    record = {}
    for number, line in enumerate(file.read_text().splitlines(), 1):
        words = line.split()
        if not words or line.startswith("#"):
            continue
        run = Run(*words[:4]) if len(words) == 6 else None
        if run is None or run in record:
            raise Mistake(f"{file}:{number}: " + (
                "this run has another line" if run else "a line must have six columns"))
        record[run] = Outcome(*words[4:])
    return record


def write_record(file, record):
    file.write_text(HEADER + "".join(" ".join(run + outcome) + "\n"
                                     for run, outcome in sorted(record.items())))


def reject_invalid_machines(heddle, runs):
    """Without this check, a wrong setting would be recorded as 'refused' for all workloads."""
    for machine in sorted({run[2:]: run for run in runs}.values(), key=lambda run: run[2:]):
        done = subprocess.run([heddle, "list", "parameters", *machine_options(machine)],
                              capture_output=True, text=True)
        if done.returncode != 0:
            raise Mistake(f"{machine.machine} {machine.settings}: {done.stderr.strip()}")


def difference(before, now):
    """A text that describes the difference between two outcomes of a run; None if they are equal."""
    if before == now:
        return None
    if before is None:
        return f"not in the record; now {' '.join(now)}"
    if now is None:
        return "in the record, but not a run of runs.toml"
    if before.cycles == now.cycles:
        return f"{now.cycles} cycles as before, but other counters: {before.digest}, now {now.digest}"
    if not (before.cycles.isdigit() and now.cycles.isdigit()):
        return f"{' '.join(before)} before, now {' '.join(now)}"
    change = int(now.cycles) / int(before.cycles) - 1
    return f"{before.cycles} cycles before, now {now.cycles} ({100 * change:+.2f} %)"


def check(record, gone, outcomes):
    """Prints the differences between the record and the outcomes. `gone` are runs of the record that are
    not runs of runs.toml any more. Returns whether there are no differences."""
    differing = 0
    for run in sorted([*outcomes, *gone]):
        text = difference(record.get(run), outcomes.get(run))
        if text:
            print(f"{' '.join(run)}: {text}")
            differing += 1
    print(f"{differing} of {len(outcomes) + len(gone)} runs differ from the record" if differing
          else f"{len(outcomes)} runs match the record")
    return differing == 0


def write(file, record, outcomes):
    """Writes the record. Returns whether no run failed."""
    write_record(file, record | outcomes)
    failed = [run for run, outcome in outcomes.items() if outcome.cycles == "failed"]
    for run in failed:
        print(f"{' '.join(run)}: failed, {outcomes[run].digest}")
    return not failed


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument("--check", type=pathlib.Path, metavar="FILE", nargs="?", const=RECORD,
                      default=RECORD, help="run and compare with the record (default)")
    mode.add_argument("--write", type=pathlib.Path, metavar="FILE", nargs="?", const=RECORD,
                      help="run and update the record")
    parser.add_argument("--heddle", type=pathlib.Path,
                        default=ROOT / "build/release/apps/heddle/heddle")
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--sizes", nargs="+", choices=SIZES, default=SIZES)
    parser.add_argument("--only", default="", metavar="REGEX")
    parser.add_argument("--sample", type=int, default=1, metavar="N", help="use every N-th run")
    parser.add_argument("--cover", action="store_true",
                        help="add runs of workloads, machines and settings that the sample omits")
    return parser.parse_args()


def covering_sample(runs, every):
    """Every `every`-th run, and the first runs of workloads and of machines with settings that it omits, in order."""
    chosen = set(runs[::every])
    keys = (lambda run: run.workload, lambda run: (run.machine, run.settings))
    covered = {key(run) for run in chosen for key in keys}
    for run in runs:
        if not covered.issuperset(key(run) for key in keys):
            chosen.add(run)
            covered.update(key(run) for key in keys)
    return [run for run in runs if run in chosen]


def main():
    arguments = parse_arguments()
    heddle = arguments.heddle.resolve()
    planned = planned_runs(heddle)
    selected = [run for run in planned if is_selected(run, arguments.sizes, arguments.only)]
    runs = covering_sample(selected, arguments.sample) if arguments.cover else selected[::arguments.sample]
    if not runs:
        raise Mistake("no run matches --sizes and --only; see tests/golden/runs.toml")
    if arguments.write:
        reject_invalid_machines(heddle, runs)
        record = read_record(arguments.write) if arguments.write.exists() else {}
        kept = {run: record[run] for run in planned if run in record}
        return write(arguments.write, kept, perform_all(heddle, runs, arguments.jobs))
    record = read_record(arguments.check)
    gone = [run for run in set(record) - set(planned)
            if is_selected(run, arguments.sizes, arguments.only)]
    return check(record, gone, perform_all(heddle, runs, arguments.jobs))


if __name__ == "__main__":
    try:
        sys.exit(0 if main() else 1)
    except (Mistake, OSError, re.error) as error:
        print(f"golden_record: {error}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
