#!/usr/bin/env python3
"""Counts the host instructions that cycle-level simulation takes per simulated warp instruction.

    host_cost.py [--heddle PROGRAM] [--jobs N] [--only WORKLOAD...] [--write]

Runs workloads at size small, on one host thread, in valgrind's tool callgrind. It counts the instructions of the
calls that simulate launches; loading programs, creating inputs and checking results do not count. Unlike times,
these counts hardly change from run to run, whatever else the host does. They depend on the compiler and on the
host's vector instructions.

With --write, the script writes the table into docs/performance/host-instructions.md.
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
BEGIN, END = "<!-- host cost begins -->", "<!-- host cost ends -->"

# The function that simulates a launch, as callgrind names it.
SIMULATION = "heddle::gpu::Chip::run(heddle::exec::Launch const&)"

RUNS = {
    "warpman": ["bfs", "black-scholes", "convolution-texture", "histogram", "hotspot", "matrix-multiply",
                "n-queens", "needle", "reduction", "scan", "srad", "vector-add"],
    "preexec": ["bfs", "kmeans", "matrix-multiply", "pathfinder", "stencil", "vector-add"],
}


def measure(heddle, machine, workload):
    """The warp instructions of a run, and the host instructions that simulating them took."""
    with tempfile.TemporaryDirectory() as folder:
        result = pathlib.Path(folder) / "result.json"
        command = ["valgrind", "--tool=callgrind", f"--toggle-collect={SIMULATION}",
                   f"--callgrind-out-file={folder}/calls", heddle, "run", workload, "--machine", machine,
                   "--size", "small", "--threads", "1", "--json", str(result)]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"host_cost.py: {' '.join(command)}: exit code {done.returncode}: {done.stderr}")
        collected = re.search(r"Collected : (\d+)", done.stderr)
        host = int(collected[1]) if collected else 0
        if host == 0:
            sys.exit(f"host_cost.py: callgrind counted nothing: the program has no function {SIMULATION}")
        return json.loads(result.read_text())["warp_instructions"], host


def measure_all(heddle, jobs, only):
    """A list of (machine, workload, warp instructions, host instructions)."""
    chosen = [(machine, workload) for machine, workloads in RUNS.items() for workload in workloads
              if not only or workload in only]
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        counts = pool.map(lambda run: measure(heddle, *run), chosen)
        return [(*run, *count) for run, count in zip(chosen, counts)]


def table(results):
    lines = ["| machine | workload | warp instructions | host instructions per warp instruction |",
             "| --- | --- | --- | --- |"]
    for machine, workload, warp, host in results:
        lines.append(f"| {machine} | {workload} | {warp:,} | {host / warp:,.0f} |")
    mean = statistics.geometric_mean(host / warp for _, _, warp, host in results)
    lines.append(f"| | geometric mean | | {mean:,.0f} |")
    return "\n".join(lines)


def host_text():
    compiler = subprocess.run(["g++", "-dumpfullversion"], capture_output=True, text=True).stdout.strip()
    models = re.findall(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text())
    return f"g++ {compiler}, on {models[0] if models else 'an unknown processor'}"


def write(results):
    page = PAGE.read_text()
    before, rest = page.split(BEGIN)
    after = rest.split(END)[1]
    note = f"Measured on {datetime.date.today()} with {host_text()}."
    PAGE.write_text(f"{before}{BEGIN}\n{note}\n\n{table(results)}\n{END}{after}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--heddle", default=str(ROOT / "build/release/apps/heddle/heddle"), metavar="PROGRAM")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="runs at the same time", metavar="N")
    parser.add_argument("--only", nargs="+", default=[], metavar="WORKLOAD")
    parser.add_argument("--write", action="store_true", help="write the table into docs/performance/host-instructions.md")
    options = parser.parse_args()
    if options.write and options.only:
        parser.error("--write needs all workloads: leave out --only")
    measured = {workload for workloads in RUNS.values() for workload in workloads}
    if unknown := set(options.only) - measured:
        parser.error(f"not among the measured workloads: {', '.join(sorted(unknown))}")
    results = measure_all(options.heddle, options.jobs, options.only)
    print(table(results))
    if options.write:
        write(results)


if __name__ == "__main__":
    main()
