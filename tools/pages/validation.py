#!/usr/bin/env python3
"""Writes the tables of docs/validation.md and docs/validation/.

The tables compare our instructions per cycle with two papers', and other values that one of them prints.

    validation.py [--heddle PROGRAM] [--jobs N] [--limit SECONDS] [--size SIZE]

Runs the workloads on the papers' machines and writes the results between the pages' markers. The page
lists runs that exceed the limit or that a machine rejects. With --size all runs have that size, and the
tables are printed instead of written.
"""

import argparse
import json
import math
import pathlib
import subprocess
import sys
import tempfile
import textwrap
from concurrent.futures import ThreadPoolExecutor

import warpman_marks
from workload_table import SIZES, marked_range, table

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = [ROOT / "docs" / "validation.md", *sorted((ROOT / "docs" / "validation").glob("*.md"))]

# Xiang et al., Warp-Level Divergence in GPUs, Table 2: IPC, blocks per multiprocessor, warps per
# block. Then the size of our run, and the size for the sensitivity table.
WARPMAN = {
    "convolution-texture": (814.1, 7, 6, "medium", "small"),
    "monte-carlo": (545.9, 4, 12, "medium", "small"),
    "radix-sort": (536.1, 2, 16, "medium", "small"),
    "sorting-networks": (643.9, 3, 16, "medium", "small"),
    "hotspot": (494.3, 3, 8, "paper", "small"),
    "pathfinder": (740.2, 6, 8, "paper", "small"),
    "srad": (563.5, 3, 16, "medium", "small"),
    "stencil": (216.3, 1, 32, "paper", "small"),
    "ray-tracing": (221.1, 2, 6, "medium", "small"),
    "matrix-multiply": (420.4, 5, 8, "medium", "small"),
    "neural-network": (520.2, 5, 8, "medium", "small"),
    "b+tree": (410.5, 3, 16, "medium", "small"),
    "histogram": (358.8, 3, 16, "medium", "small"),
}

# Xiang, Toward Efficient SIMT Execution, Table 3: IPC and millions of thread instructions.
UNIFORM = {
    "n-queens": (89.3, 0.78, "paper", "small"),
    "vector-add": (207.5, 5.5, "paper", "small"),
    "fft": (164.1, 14, "paper", "small"),
    "convolution-separable": (220.2, 157, "paper", "small"),
    "bfs": (12.2, 11, "paper", "small"),
    "matrix-multiply": (135.2, 2, "paper", "small"),
    "mersenne-twister": (122.9, 1478, "large", "small"),
    "scalar-product": (177.1, 28, "paper", "small"),
    "ray-tracing": (193.6, 123, "paper", "small"),
    "dxtc": (215.6, 573, "paper", "small"),
    "heartwall": (169.8, 4, "paper", "small"),
    "hotspot": (182.3, 103, "paper", "small"),
    "pathfinder": (209.0, 582, "paper", "small"),
}

FEW = ("l1.mshrs=32", "l2.mshrs=32")
TWO_LEVELS = ("schedule.policy=fetch-groups", "schedule.fetch_group=8")
ALU = ("units.integer.latency", "units.fp32.latency", "branch.resolve_cycles")
MEMORY = ("l1.latency", "l2.latency", "interconnect.latency", "dram.overhead")
# Other readings of what simt's authors simulated: the PTX as nvcc wrote it, and the latency of a GT200's ALU.
PTX = ("isa.optimisation=no", "isa.scheduling=no")
# As in the experiments about uniform vectors (descriptions/experiments/uniform).
CHAPTER_2 = (*PTX, "isa.fused_multiply_add=no", "isa.one_word_addresses=yes")
LONG = ("units.integer.latency=24", "units.fp32.latency=24", "branch.resolve_cycles=22", "barrier.latency=24")

# Values that a machine's paper does not state: name, parameters, factors. Only those that had an effect,
# because each row takes two dozen runs.
UNSTATED = [
    ("ALU and branch latency", ALU, (0.5, 1.5)),
    ("memory latencies", MEMORY, (0.5, 1.5)),
    ("MSHRs", ("l1.mshrs", "l2.mshrs"), (0.5, 2)),
    ("merges in the L2", ("l2.merges",), (4,)),
    ("instruction cache", ("icache.bytes",), (2,)),
]

# Values that a machine's file has although the paper's table does not: machine, settings.
CHOSEN = [
    ("one scheduler, one pipe", "warpman",
     ("schedule.schedulers=1", "units.integer.pipes=1", "units.fp32.pipes=1")),
    ("4 texels per cycle", "warpman", ("texture.lanes=4",)),
    ("L1 sets not hashed", "warpman", ("l1.hash_sets=no",)),
    ("one issue per cycle", "uniform", ("schedule.interval=1",)),
]

# Causes of outliers: workload, machine, size, registers; then the changed settings, another size if it
# changes, and the change in words.
EVIDENCE = [
    ("pathfinder", "warpman", "paper", "paper", FEW, None, "32 MSHRs in the L1 and the L2"),
    ("histogram", "warpman", "medium", "paper", FEW, None, "32 MSHRs in the L1 and the L2"),
    ("matrix-multiply", "warpman", "medium", "paper", ("l2.merges=15",), None,
     "15 merges in the L2, one per multiprocessor"),
    ("convolution-texture", "warpman", "medium", "paper", ("texture.lanes=4",), None,
     "4 texels per cycle"),
    ("ray-tracing", "warpman", "medium", "paper", ("icache.bytes=4096",), None,
     "4 KB of instruction cache"),
    ("neural-network", "warpman", "medium", "paper",
     ("l1.line_bytes=128", "coalescer.segment_bytes=128"), None, "L1 lines of 128 bytes"),
    ("monte-carlo", "warpman", "medium", "paper", (), "large", "size `large`"),
    ("radix-sort", "warpman", "medium", "paper", (), "large", "size `large`"),
    ("sorting-networks", "warpman", "medium", "paper", (), "large", "size `large`"),
    ("srad", "warpman", "medium", "paper", (), "large", "size `large`"),
    ("hotspot", "warpman", "paper", "paper", ("l1.hash_sets=no",), None,
     "L1 sets not hashed"),
    ("n-queens", "uniform", "paper", "compiled", LONG, None,
     "24 cycles for an ALU instruction, a branch or a barrier"),
    ("n-queens", "uniform", "paper", "compiled", PTX, None, "PTX as it is written"),
    ("fft", "uniform", "paper", "compiled", PTX, None, "PTX as it is written"),
    ("bfs", "uniform", "paper", "compiled", PTX, None, "PTX as it is written"),
]


class Runs:
    """Runs workloads and keeps their results. A key is a tuple (workload, machine, size, registers, settings)."""

    def __init__(self, arguments):
        self.heddle, self.limit, self.size = arguments.heddle, arguments.limit, arguments.size
        self.jobs = arguments.jobs
        self.done = {}
        self.left_out = {}

    def wanted(self, name, machine, size, registers="compiled", settings=()):
        return (name, machine, self.size or size, registers, tuple(settings))

    def perform(self, wanted):
        wanted = [key for key in dict.fromkeys(wanted) if key not in self.done]
        with ThreadPoolExecutor(self.jobs) as pool:
            for key, result in zip(wanted, pool.map(self._run, wanted)):
                self.done[key] = result

    def __getitem__(self, key):
        return self.done[key]

    def _run(self, key):
        name, machine, size, registers, settings = key
        with (tempfile.NamedTemporaryFile(suffix=".json") as file,
              tempfile.NamedTemporaryFile("r", suffix=".csv") as lifetimes):
            command = [self.heddle, "run", name, "--machine", machine, "--size", size,
                       "--registers", registers, "--json", file.name]
            if machine == "warpman":
                command += ["--lifetimes", lifetimes.name]
            for setting in settings:
                command += ["--set", setting]
            try:
                done = subprocess.run(command, capture_output=True, text=True, timeout=self.limit)
            except subprocess.TimeoutExpired:
                self.left_out[key] = f"longer than {self.limit} s"
                return None
            if done.returncode != 0:
                reason = done.stderr.strip().removeprefix("heddle: ").splitlines() or ["wrong"]
                self.left_out[key] = reason[0]
                return None
            result = json.load(open(file.name))
            if machine == "warpman":
                result["marks"] = warpman_marks.marks(result, open(lifetimes.name))
            result["totals"].pop("counters")  # Not kept: there are hundreds of runs.
            for part in ("launches", "kernels"):
                result.pop(part)
            return result


def ipc(result):
    return result["totals"]["ipc"] if result else None


def number(value, digits=1):
    return "-" if value is None else f"{value:.{digits}f}"


def ratio(result, paper):
    return "-" if result is None else f"{ipc(result) / paper:.2f}"


def limits(result):
    slots = result["totals"]["issue_slots"]["nsight"]
    whole = sum(slots.values())
    stalls = sorted((item for item in slots.items() if item[0] != "selected"),
                    key=lambda item: -item[1])
    return ", ".join(f"{name.replace('_', ' ')} {100 * count / whole:.0f} %"
                     for name, count in stalls[:3])


def warps(result):
    return number(result and result["totals"]["occupancy"]["warps_per_sm"])


def correlation(first, second):
    means = sum(first) / len(first), sum(second) / len(second)
    product = sum((a - means[0]) * (b - means[1]) for a, b in zip(first, second))
    squares = sum((a - means[0]) ** 2 for a in first) * sum((b - means[1]) ** 2 for b in second)
    return product / math.sqrt(squares) if squares else math.nan


def ranks(values):
    """The rank of each value, counted from 0 for the smallest; equal values get their mean rank."""
    return [sum(other < value for other in values) + (values.count(value) - 1) / 2
            for value in values]


def summary(papers, results, ipc=ipc):
    """The cells of a row under STATISTICS, for the workloads that have a result."""
    names = [name for name in papers if results.get(name)]
    if len(names) < 3:
        return ["-"] * 5 + [str(len(names))]
    theirs = [math.log(papers[name][0]) for name in names]
    ours = [math.log(ipc(results[name])) for name in names]
    log_ratios = [b - a for a, b in zip(theirs, ours)]
    count_within = lambda factor: f"{sum(abs(d) <= math.log(factor) for d in log_ratios)} of {len(names)}"
    return [f"{correlation(theirs, ours):.2f}",
            f"{correlation(ranks(theirs), ranks(ours)):.2f}",
            f"{math.exp(sum(log_ratios) / len(log_ratios)):.2f}", count_within(2), count_within(10), str(len(names))]


STATISTICS = ["Pearson (logarithms)", "Spearman", "geometric mean of ours / paper",
              "within a factor of 2", "within a factor of 10", "workloads"]

READINGS = [
    ("`warpman`", "warpman", WARPMAN, "compiled", ()),
    ("`warpman`, paper's registers", "warpman", WARPMAN, "paper", ()),
    ("`warpman-1400`, paper's registers", "warpman-1400", WARPMAN, "paper", ()),
    ("`uniform`", "uniform", UNIFORM, "compiled", ()),
    ("`uniform`, PTX as it is written", "uniform", UNIFORM, "compiled", PTX),
    ("`uniform`, ALU latency of 24 cycles", "uniform", UNIFORM, "compiled", LONG),
    ("`uniform`, PTX as it is written, ALU latency of 24 cycles", "uniform", UNIFORM, "compiled",
     PTX + LONG),
    ("`uniform`, as in the experiments of chapter 2", "uniform", UNIFORM, "compiled", CHAPTER_2),
]


def readings(runs):
    keys = [{name: runs.wanted(name, machine, figures[-2], registers, settings)
             for name, figures in papers.items()}
            for _, machine, papers, registers, settings in READINGS]
    runs.perform(key for reading in keys for key in reading.values())
    return [{name: runs[key] for name, key in reading.items()} for reading in keys]


def agreement_table(results):
    rows = [[name, *summary(papers, result)]
            for (name, _, papers, _, _), result in zip(READINGS, results)]
    rows.insert(2, ["`warpman`, paper's registers, kernels of Table 2",
                    *summary(WARPMAN, results[1], lambda result: result["marks"]["ipc"])])
    return table(["", *STATISTICS], rows)


def warpman_table(chosen, compiled, paper, fast):
    rows = []
    for name, (theirs, blocks, block_warps, size, _) in WARPMAN.items():
        row = [name, chosen or size, str(theirs)]
        kernel = paper[name] and paper[name]["marks"]["ipc"]
        row += [number(ipc(compiled[name])), ratio(compiled[name], theirs),
                number(ipc(paper[name])), ratio(paper[name], theirs),
                number(kernel), number(kernel and kernel / theirs, 2),
                number(ipc(fast[name])), ratio(fast[name], theirs)]
        row += [str(blocks * block_warps), warps(compiled[name]), warps(paper[name]),
                limits(paper[name]) if paper[name] else "-"]
        rows.append(row)
    return table(["workload", "size", "paper", "ours", "ratio", "paper's registers", "ratio",
                  "kernels of Table 2", "ratio", "1400 MHz", "ratio", "warps: paper", "ours",
                  "paper's registers", "most frequent stalls, paper's registers"], rows)


def uniform_table(chosen, results):
    rows = []
    for name, (theirs, millions, size, _) in UNIFORM.items():
        ours = results[name]
        rows.append([name, chosen or size, str(theirs), number(ipc(ours)), ratio(ours, theirs),
                     str(millions), number(ours and ours["thread_instructions"] / 1e6),
                     number(1000 * millions / theirs),
                     number(ours and ours["totals"]["cycles"] / 1000), warps(ours),
                     limits(ours) if ours else "-"])
    return table(["workload", "size", "paper", "ours", "ratio", "instructions (10^6): paper", "ours",
                  "cycles (10^3): paper", "ours", "warps", "most frequent stalls"], rows)


def uniform_readings_table(readings):
    """IPC and instructions on `uniform`, with optimised code and PTX, and two ALU latencies."""
    compiled, ptx, compiled_long, ptx_long = readings
    millions = lambda result: number(result and result["thread_instructions"] / 1e6)
    rows = []
    for name, (theirs, instructions, *_) in UNIFORM.items():
        row = [name, str(theirs)]
        for results in (compiled, ptx, compiled_long, ptx_long):
            row += [number(ipc(results[name])), ratio(results[name], theirs)]
        rows.append(row + [str(instructions), millions(compiled[name]), millions(ptx[name])])
    return table(["workload", "paper", "optimised, 4 cycles", "ratio", "PTX, 4 cycles", "ratio",
                  "optimised, 24 cycles", "ratio", "PTX, 24 cycles", "ratio",
                  "instructions (10^6): paper", "optimised", "PTX"], rows)


def chapter_2_table(results):
    """The baseline of the experiments about uniform vectors."""
    rows = [[name, str(theirs), number(ipc(results[name])), ratio(results[name], theirs), str(millions),
             number(results[name] and results[name]["thread_instructions"] / 1e6)]
            for name, (theirs, millions, *_) in UNIFORM.items()]
    return table(["workload", "paper", "ours", "ratio", "instructions (10^6): paper", "ours"], rows)


def values_of(heddle, machine):
    text = subprocess.run([heddle, "list", "parameters", "--machine", machine, "--json", "-"],
                          check=True, capture_output=True, text=True).stdout
    return {p["name"]: p["value"] for p in json.loads(text)["parameters"]}


def sensitivity_table(runs):
    machines = [("warpman", WARPMAN, "paper"), ("uniform", UNIFORM, "compiled")]
    values = {machine: values_of(runs.heddle, machine) for machine, *_ in machines}
    variants = {("unchanged", machine): () for machine, *_ in machines}
    variants |= {(words, machine): changed for words, machine, changed in CHOSEN}
    variants |= {(f"{name} x {factor:g}", machine):
                 [f"{p}={max(1, round(values[machine][p] * factor))}" for p in parameters]
                 for name, parameters, factors in UNSTATED for factor in factors
                 for machine, *_ in machines}
    keys = {(words, machine, name): runs.wanted(name, machine, figures[-1], registers,
                                                variants[words, machine])
            for machine, papers, registers in machines for name, figures in papers.items()
            for words, variant_machine in variants if variant_machine == machine}
    runs.perform(keys.values())
    rows = []
    for words in dict.fromkeys(words for words, _ in variants):
        row = [words]
        for machine, papers, _ in machines:
            row += (summary(papers, {name: runs[keys[words, machine, name]] for name in papers})[:4]
                    if (words, machine) in variants else ["-"] * 4)
        rows.append(row)
    four = ["Pearson", "Spearman", "geometric mean ratio", "within 2"]
    return table(["", *(f"{machine}: {word}" for machine, *_ in machines for word in four)], rows)


def evidence_table(runs):
    pairs = [(runs.wanted(name, machine, size, registers),
              runs.wanted(name, machine, other_size or size, registers, changed))
             for name, machine, size, registers, changed, other_size, _ in EVIDENCE]
    runs.perform(key for pair in pairs for key in pair)
    share = lambda result: f"{100 * result['totals']['dram']['share']:.0f} %" if result else "-"
    rows = []
    for (name, machine, size, *_, words), (before, after) in zip(EVIDENCE, pairs):
        rows.append([name, machine, runs.size or size, words, number(ipc(runs[before])),
                     number(ipc(runs[after])), share(runs[before]), share(runs[after])])
    return table(["workload", "machine", "size", "change", "IPC before", "after",
                  "DRAM bandwidth used before", "after"], rows)


def two_levels(runs):
    keys = {name: runs.wanted(name, "warpman", size, "paper", TWO_LEVELS)
            for name, (*_, size, _) in WARPMAN.items()}
    runs.perform(keys.values())
    return {name: runs[key] for name, key in keys.items()}


def write(tables):
    """Writes each table to the page that has its markers."""
    texts = {page: page.read_text() for page in PAGES}
    for marker, lines in tables.items():
        page = next((page for page, text in texts.items() if f"<!-- {marker} -->\n" in text), None)
        if page is None:
            sys.exit(f"no page in docs/validation has the line <!-- {marker} -->")
        text = texts[page]
        start, end = marked_range(text, marker)
        texts[page] = text[:start] + "\n".join(lines) + "\n" + text[end:]
    for page, text in texts.items():
        page.write_text(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--heddle", default=ROOT / "build/release/apps/heddle/heddle")
    parser.add_argument("--jobs", type=int, default=2, help="runs at the same time")
    parser.add_argument("--limit", type=int, default=300, help="of a run, in seconds")
    parser.add_argument("--size", choices=SIZES, help="of all runs; prints, does not write")
    arguments = parser.parse_args()
    runs = Runs(arguments)

    results = readings(runs)
    tables = {
        "warpman": warpman_table(runs.size, *results[:3]),
        "programs": warpman_marks.programs_table(
            {name: figures[1] for name, figures in WARPMAN.items()}, *results[:2],
            two_levels(runs)),
        "memory": warpman_marks.memory_table(results[1]),
        "uniform": uniform_table(runs.size, results[3]),
        "uniform readings": uniform_readings_table(results[3:7]),
        "chapter 2": chapter_2_table(results[7]),
        "agreement": agreement_table(results),
        "evidence": evidence_table(runs),
        "sensitivity": sensitivity_table(runs),
    }
    first = {}
    for (name, machine, size, *_), reason in runs.left_out.items():
        first.setdefault((name, machine), textwrap.fill(
            f"- {name} on `{machine}`, {size}: {reason}", 119, subsequent_indent="  ",
            break_long_words=False, break_on_hyphens=False))
    tables["left out"] = list(first.values()) or ["Nothing was left out."]

    if arguments.size:
        for name, lines in tables.items():
            print(f"{name}\n" + "\n".join(lines) + "\n")
        return
    write(tables)


if __name__ == "__main__":
    main()
