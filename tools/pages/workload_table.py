#!/usr/bin/env python3
"""Writes the tables of docs/workloads/sizes.md and docs/workloads/divergence.md, and
descriptions/workloads/instruction-counts.toml, or checks them.

    workload_table.py [--heddle PROGRAM] [--sizes SIZE...] [--only REGEX] [--check]

Runs every workload in every size, and resident forms in the three smallest sizes. Writes the counts
between the markers of the pages, and the numbers of warp instructions to the description. --sizes and --only (a pattern for workload names) restrict the runs;
other rows stay as they are. --check compares instead of writing, and fails if the pages differ.
"""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parents[2]
SIZES = ["tiny", "small", "medium", "large", "paper"]
RESIDENT = ", resident"  # The suffix of a row for a workload's resident form.
RESIDENT_SIZES = ["tiny", "small", "medium"]
SIZES_PAGE = ROOT / "docs/workloads/sizes.md"
DIVERGENCE_PAGE = ROOT / "docs/workloads/divergence.md"
INSTRUCTION_COUNTS = ROOT / "descriptions/workloads/instruction-counts.toml"
HEAD = ["workload", "size", "warp instructions", "lanes", "memory", "branch", "SFU", "registers",
        "shared"]

# Divergent branch intensity in Narasiman et al., Improving GPU Performance via Large Warps and
# Two-Level Warp Scheduling, Table 2.
CLASSES = {
    "blackjack": "high", "bucket-sort": "high", "viterbi": "medium", "kmeans": "medium",
    "aes-decrypt": "low", "black-scholes": "low", "needle": "low", "hotspot": "low",
    "matrix-multiply": "low", "reduction": "low", "histogram": "low", "bfs": "high",
}


def class_of(lanes):
    return "high" if lanes < 20 else "medium" if lanes < 30 else "low"


def names_of(heddle):
    """The names of all rows: each workload, and its resident form if it has one."""
    lines = subprocess.run([heddle, "list", "workloads"], check=True, capture_output=True,
                           text=True).stdout.splitlines()
    names = []
    for line in lines[1:]:
        name = line.split()[0]
        names += [name, name + RESIDENT] if "input, resident" in line else [name]
    return names


def has_row(name, size):
    return not name.endswith(RESIDENT) or size in RESIDENT_SIZES


def run(heddle, name, size):
    """The result of a run; None if the workload has no such size."""
    form = ["--grid", "resident"] if name.endswith(RESIDENT) else []
    done = subprocess.run([heddle, "run", name.removesuffix(RESIDENT), "--size", size, *form,
                           "--json", "-"], capture_output=True, text=True)
    if done.returncode == 2 and size == "paper" and "no paper gives a size" in done.stderr:
        return None
    if done.returncode != 0:
        sys.exit(f"heddle run {name} --size {size}: exit code {done.returncode}\n"
                 f"{done.stdout}{done.stderr}")
    return json.loads(done.stdout)


def range_text(values):
    low, high = min(values), max(values)
    return str(low) if low == high else f"{low}-{high}"


def row_of(name, result):
    counts = result["warp_instructions_by_class"]
    share = lambda kind: f"{100 * counts[kind] / result['warp_instructions']:.1f} %"
    kernels = result["kernels"]
    return [name, result["size"], str(result["warp_instructions"]),
            f"{result['mean_active_lanes']:.2f}", share("memory"), share("branch"),
            share("special_function"), range_text([k["registers_per_thread"] for k in kernels]),
            range_text([k["shared_bytes_per_block"] for k in kernels])]


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    return lines + ["| " + " | ".join(row) + " |" for row in rows]


def rows_in(lines):
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines
            if line.startswith("|")]
    return rows[2:]


def instruction_counts(rows):
    """The numbers of warp instructions, as the text of a description."""
    lines = ["# The number of warp instructions that each workload executes in each size. 'heddle experiment'",
             "# estimates from it how long a run takes that was not measured yet. './dev workloads' writes it."]
    written = None
    for name, size, instructions, *_ in rows:
        if name != written:
            grid = "resident" if name.endswith(RESIDENT) else "input"
            lines += ["", "[[workload]]", f'name = "{name.removesuffix(RESIDENT)}"', f'grid = "{grid}"']
            written = name
        lines.append(f"{size} = {instructions}")
    return "\n".join(lines) + "\n"


def classes_table(rows):
    """The lanes at size 'medium' beside the paper's classes."""
    lanes = {row[0]: float(row[3]) for row in rows if row[1] == "medium"}
    return table(["workload", "in the paper", "lanes", "here", "agree"],
                 [[name, paper, f"{lanes[name]:.2f}", class_of(lanes[name]),
                   "yes" if class_of(lanes[name]) == paper else "**no**"]
                  for name, paper in CLASSES.items() if name in lanes])


def marked_range(text, marker):
    """The start and the end of the text between the marker's two lines."""
    begin, end = f"<!-- {marker} -->\n", f"<!-- end of {marker} -->\n"
    start = text.index(begin) + len(begin)
    return start, text.index(end)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--heddle", default=ROOT / "build/release/apps/heddle/heddle")
    parser.add_argument("--sizes", nargs="+", choices=SIZES, default=SIZES)
    parser.add_argument("--only", default="", metavar="REGEX", help="run workloads of such a name only")
    parser.add_argument("--check", action="store_true", help="compare, do not write")
    arguments = parser.parse_args()
    text = SIZES_PAGE.read_text()

    start, end = marked_range(text, "counts")
    old = {(row[0], row[1]): row for row in rows_in(text[start:end].splitlines())}
    names = names_of(arguments.heddle)
    wanted = [(name, size) for size in arguments.sizes for name in names
              if has_row(name, size) and re.search(arguments.only, name)]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda pair: run(arguments.heddle, *pair), wanted))
    new = {pair: row_of(pair[0], result) for pair, result in zip(wanted, results) if result}

    rows = []
    for name in names:
        for size in SIZES:
            row = (new if (name, size) in wanted else old).get((name, size))
            if row:
                rows.append(row)
    if arguments.check:
        wrong = [f"{name}, {size}:\n  counted {row}\n  page    {old.get((name, size), 'has no such row')}"
                 for (name, size), row in new.items() if old.get((name, size)) != row]
        wrong += [f"{pair[0]}, {pair[1]}: the page has a row, but no such run exists" for pair in old
                  if pair[1] in arguments.sizes and re.search(arguments.only, pair[0])
                  and pair not in new or pair[0] not in names]
        divergence = DIVERGENCE_PAGE.read_text()
        start, end = marked_range(divergence, "classes")
        if divergence[start:end].splitlines() != classes_table(list(old.values())):
            wrong.append(f"the table of {DIVERGENCE_PAGE.name} does not agree with {SIZES_PAGE.name}")
        if INSTRUCTION_COUNTS.read_text() != instruction_counts(list(old.values())):
            wrong.append(f"{INSTRUCTION_COUNTS.name} does not agree with {SIZES_PAGE.name}")
        print("\n".join(wrong) if wrong else f"{len(new)} rows of the page are current")
        sys.exit(1 if wrong or not new else 0)

    for page, marker, lines in ((SIZES_PAGE, "counts", table(HEAD, rows)),
                                (DIVERGENCE_PAGE, "classes", classes_table(rows))):
        text = page.read_text()
        start, end = marked_range(text, marker)
        page.write_text(text[:start] + "\n".join(lines) + "\n" + text[end:])
    INSTRUCTION_COUNTS.write_text(instruction_counts(rows))


if __name__ == "__main__":
    main()
