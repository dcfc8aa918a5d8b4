#!/usr/bin/env python3
"""Counts the host instructions that cycle-level simulation takes per simulated warp instruction.

    host_cost.py [--heddle PROGRAM] [--jobs N] [--table NAME...] [--only WORKLOAD...] [--write]

Runs workloads on one host thread, in valgrind's tool callgrind. It counts the instructions of the
calls that simulate launches; loading programs, creating inputs and checking results do not count. Unlike times,
these counts hardly change from run to run, whatever else the host does. They depend on the compiler and on the
host's vector instructions.

There are two tables: 'machines' has workloads at size small on unchanged machines, 'redundancy' the cost of
redundancy policies at size tiny on two multiprocessors.
With --write, the script writes the tables into docs/performance/host-instructions.md.
"""

import argparse
import concurrent.futures
import datetime
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "performance" / "host-instructions.md"

# The function that simulates a launch, as callgrind names it.
SIMULATION = "heddle::gpu::Chip::run(heddle::exec::Launch const&)"

RUNS = {
    "warpman": ["bfs", "black-scholes", "convolution-texture", "histogram", "hotspot", "matrix-multiply",
                "n-queens", "needle", "reduction", "scan", "srad", "vector-add"],
    "preexec": ["bfs", "kmeans", "matrix-multiply", "pathfinder", "stencil", "vector-add"],
}

# What a policy that exploits redundancy costs, relative to 'none'. With two multiprocessors, small inputs keep
# them busy.
REDUNDANCY_MACHINE = "uniform"
REDUNDANCY_CHIP = ("chip.sms=2",)
REDUNDANCY_WORKLOADS = ["bfs", "matrix-multiply", "pathfinder", "vector-add"]
REDUNDANCY = {
    "none": (),
    "tokens": ("redundancy.policy=token", "redundancy.reuse_entries=0"),
    "scalar file": ("redundancy.policy=scalar-file", "redundancy.reuse_entries=0"),
    "reuse": ("redundancy.policy=token", "redundancy.convert=no"),
    "tokens and reuse": ("redundancy.policy=token",),
}


def measure(heddle, machine, workload, size="small", settings=()):
    """The warp instructions of a run, and the host instructions that simulating them took."""
    with tempfile.TemporaryDirectory() as folder:
        result = pathlib.Path(folder) / "result.json"
        command = ["valgrind", "--tool=callgrind", f"--toggle-collect={SIMULATION}",
                   f"--callgrind-out-file={folder}/calls", heddle, "run", workload, "--machine", machine,
                   "--size", size, "--threads", "1", "--json", str(result)]
        command += [word for setting in settings for word in ("--set", setting)]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"host_cost.py: {' '.join(command)}: exit code {done.returncode}: {done.stderr}")
        collected = re.search(r"Collected : (\d+)", done.stderr)
        host = int(collected[1]) if collected else 0
        if host == 0:
            sys.exit(f"host_cost.py: callgrind counted nothing: the program has no function {SIMULATION}")
        return json.loads(result.read_text())["warp_instructions"], host


def measure_all(heddle, jobs, runs):
    """A list of (the run, warp instructions, host instructions)."""
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        return [(run, *count) for run, count in zip(runs, pool.map(lambda run: measure(heddle, *run), runs))]


def machines_runs(only):
    return [(machine, workload) for machine, workloads in RUNS.items() for workload in workloads
            if not only or workload in only]


def machines_table(results):
    lines = ["| machine | workload | warp instructions | host instructions per warp instruction |",
             "| --- | --- | --- | --- |"]
    for (machine, workload), warp, host in results:
        lines.append(f"| {machine} | {workload} | {warp:,} | {host / warp:,.0f} |")
    mean = statistics.geometric_mean(host / warp for _, warp, host in results)
    lines.append(f"| | geometric mean | | {mean:,.0f} |")
    return "\n".join(lines)


def redundancy_runs(only):
    return [(REDUNDANCY_MACHINE, workload, "tiny", REDUNDANCY_CHIP + settings) for workload in REDUNDANCY_WORKLOADS
            if not only or workload in only for settings in REDUNDANCY.values()]


def redundancy_table(results):
    costs = {(workload, settings): host / warp for (_, workload, _, settings), warp, host in results}
    workloads = list(dict.fromkeys(workload for workload, _ in costs))
    policies = [name for name in REDUNDANCY if name != "none"]
    cost = lambda workload, policy: costs[workload, REDUNDANCY_CHIP + REDUNDANCY[policy]]
    factor = lambda workload, policy: cost(workload, policy) / cost(workload, "none")
    lines = ["| workload | host instructions per warp instruction | " + " | ".join(policies) + " |",
             "| --- " * (len(policies) + 2) + "|"]
    for workload in workloads:
        lines.append(f"| {workload} | {cost(workload, 'none'):,.0f} | "
                     + " | ".join(f"{factor(workload, policy):.2f}" for policy in policies) + " |")
    means = [statistics.geometric_mean(factor(workload, policy) for workload in workloads) for policy in policies]
    lines.append("| geometric mean | | " + " | ".join(f"{mean:.2f}" for mean in means) + " |")
    return "\n".join(lines)


TABLES = {"machines": (machines_runs, machines_table), "redundancy": (redundancy_runs, redundancy_table)}


def host_text():
    compiler = subprocess.run(["g++", "-dumpfullversion"], capture_output=True, text=True).stdout.strip()
    models = re.findall(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text())
    return f"g++ {compiler}, on {models[0] if models else 'an unknown processor'}"


def write(name, lines):
    begin, end = f"<!-- {name} begins -->", f"<!-- {name} ends -->"
    before, rest = PAGE.read_text().split(begin)
    after = rest.split(end)[1]
    note = f"Measured on {datetime.date.today()} with {host_text()}."
    PAGE.write_text(f"{before}{begin}\n{note}\n\n{lines}\n{end}{after}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--heddle", default=str(ROOT / "build/release/apps/heddle/heddle"), metavar="PROGRAM")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="runs at the same time", metavar="N")
    parser.add_argument("--table", nargs="+", choices=TABLES, default=list(TABLES), help="all tables by default")
    parser.add_argument("--only", nargs="+", default=[], metavar="WORKLOAD")
    parser.add_argument("--write", action="store_true", help="write the tables into docs/performance/host-instructions.md")
    options = parser.parse_args()
    if options.write and options.only:
        parser.error("--write needs all workloads: leave out --only")
    measured = {run[1] for name in options.table for run in TABLES[name][0]([])}
    if unknown := set(options.only) - measured:
        parser.error(f"not among the measured workloads: {', '.join(sorted(unknown))}")
    for name in options.table:
        runs_of, table_of = TABLES[name]
        runs = runs_of(options.only)
        if not runs:
            continue
        lines = table_of(measure_all(options.heddle, options.jobs, runs))
        print(lines)
        if options.write:
            write(name, lines)


if __name__ == "__main__":
    main()
