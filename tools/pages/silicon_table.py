#!/usr/bin/env python3
"""Writes the table of docs/silicon.md: instructions that an H100 and Heddle execute for the workloads.

    silicon_table.py [--check]

The H100's counts are from docs/silicon/h100-counters.json, Heddle's from docs/workloads/sizes.md.
--check compares instead of writing, and fails if the page differs.
"""

import argparse
import json
import math
import pathlib
import sys

from workload_table import marked_range, table

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "silicon.md"
HEAD = ["workload", "warp instructions, H100", "Heddle", "Heddle / H100", "lanes, H100", "Heddle",
        "registers, H100", "Heddle"]


def heddle_counts():
    """Warp instructions, lanes and registers of every workload at size small, from the page."""
    found = {}
    for line in (ROOT / "docs/workloads/sizes.md").read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("|") and len(cells) == 9 and cells[1] == "small":
            found[cells[0]] = (int(cells[2]), cells[3], cells[7])
    return found


def range_text(values):
    return f"{min(values)}" if min(values) == max(values) else f"{min(values)}-{max(values)}"


def rows():
    heddle = heddle_counts()
    h100 = json.loads((ROOT / "docs" / "silicon" / "h100-counters.json").read_text())
    ratios = []
    for workload in h100["workloads"]:
        kernels = workload["kernels"]
        instructions = sum(kernel["warp_instructions"] for kernel in kernels)
        lanes = sum(kernel["thread_instructions"] for kernel in kernels) / instructions
        name = workload["workload"]
        our_instructions, our_lanes, our_registers = heddle[name]
        ratios.append(our_instructions / instructions)
        yield [name, str(instructions), str(our_instructions), f"{ratios[-1]:.2f}", f"{lanes:.2f}", our_lanes,
               range_text([kernel["registers"] for kernel in kernels]), our_registers]
    mean = math.exp(sum(math.log(ratio) for ratio in ratios) / len(ratios))
    yield ["geometric mean", "", "", f"{mean:.2f}", "", "", "", ""]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    page = PAGE.read_text()
    start, end = marked_range(page, "instructions")
    new = page[:start] + "\n".join(table(HEAD, rows())) + "\n" + page[end:]
    if not arguments.check:
        PAGE.write_text(new)
    elif new != page:
        sys.exit("docs/silicon.md is not current: run tools/pages/silicon_table.py")


if __name__ == "__main__":
    main()
