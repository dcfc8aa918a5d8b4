#!/usr/bin/env python3
"""Writes the tables of docs/validation/warp-divergence.md: sections 2 and 3.2 of Xiang et al., Warp-Level
Divergence in GPUs, on our machine 'warpman'.

    warp_divergence.py [--heddle PROGRAM]

Runs the microbenchmark of section 2, and traces the programs whose warps Figures 4 and 6 to 11 show.
"""

import argparse
import csv
import pathlib
import subprocess
import tempfile
from collections import Counter, defaultdict

from warp_lifetimes import underutilisation
from workload_table import marked_range, table

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/validation/warp-divergence.md"
KERNEL = ROOT / "tools/pages/kernels/block_allocation.ptx"
DELAY = 20_000  # Cycles for which the first warp of a block runs; all other warps end within 400.

# Section 2: threads in a block, blocks, settings, what they are called, and how many blocks the paper says run at
# once. It measures at most 6 on its GPUs, and says why.
POLICIES = [
    (256, 1000, (), "by blocks", "4"),
    (256, 1000, ("residency.policy=partial-block",), "by warps (WarpMan)", "8"),
    (256, 1000, ("residency.policy=partial-block", "sm.blocks=48"), "by warps, 48 blocks", "48"),
    (1024, 120, (), "by blocks", "1"),
    (1024, 120, ("residency.policy=partial-block",), "by warps (WarpMan)", "many more than 1"),
]

# Figures 4, 9 and 11: workload, size, launch and block of ours, the paper's block and its ratio.
BLOCKS = [
    ("ray-tracing", "medium", 0, 0, "Figure 4, block 0", 49.7),
    ("stencil", "paper", 0, 0, "Figure 9, block 0", 70.1),
    ("convolution-texture", "medium", 0, 700, "Figure 11, block (127, 23)", 6.4),
]

# Section 3.2.3 on Figure 10: misses per 1000 instructions of a warp of the paper's block.
MISSES = {0: "150.5", 1: "188.2", 2: "139.8", 3: "188.2", 5: "188.2"}

# Figures 6 and 8: the shares of warps that section 3.2 states, by the limits of their instructions; the upper one
# is inclusive.
HISTOGRAMS = [
    ("ray-tracing", "medium", 0, 500, "Figure 6", "52.5 %"),
    ("ray-tracing", "medium", 500, 1000, "Figure 6", "-"),
    ("ray-tracing", "medium", 1000, 1500, "Figure 6", "29.6 %"),
    ("ray-tracing", "medium", 1500, 3500, "Figure 6", "-"),
    ("ray-tracing", "medium", 3500, 4000, "Figure 6", "1.9 %"),
    ("ray-tracing", "medium", 4000, None, "Figure 6", "-"),
    ("stencil", "paper", 0, 50, "Figure 8", "one kind"),
    ("stencil", "paper", 50, 1000, "Figure 8", "none"),
    ("stencil", "paper", 1000, 1500, "Figure 8", "the other kind"),
    ("stencil", "paper", 1500, None, "Figure 8", "none"),
]


def on_warpman(workload, size):
    return ["run", workload, "--size", size, "--machine", "warpman", "--registers", "paper"]


def lifetimes(heddle, command):
    """The rows that --lifetimes writes for this command."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "lifetimes.csv"
        subprocess.run([heddle, *command, "--lifetimes", file], check=True, stdout=subprocess.DEVNULL)
        with file.open() as rows:
            return [{name: value if name == "kernel" else int(value) for name, value in row.items()}
                    for row in csv.DictReader(rows)]


def spans(rows):
    """The first and the last cycle of each block, by multiprocessor and block."""
    found = {}
    for row in rows:
        begin, end = found.get((row["sm"], row["block"]), (row["begin"], row["end"]))
        found[row["sm"], row["block"]] = min(begin, row["begin"]), max(end, row["end"])
    return found


def most_at_once(rows):
    """The largest number of blocks that run at once on a multiprocessor."""
    changes = defaultdict(list)
    for (sm, _), (begin, end) in spans(rows).items():
        changes[sm] += [(begin, 1), (end, -1)]
    most = 0
    for of_one in changes.values():
        running = 0
        for _, change in sorted(of_one):  # An end precedes a beginning in the same cycle.
            running += change
            most = max(most, running)
    return most


def microbenchmark_command(threads, blocks, settings):
    results = f"{4 * threads * blocks}"  # Bytes: a word per thread.
    return ["exec", str(KERNEL), "--grid", str(blocks), "--block", str(threads), "--machine", "warpman",
            "--arg", f"buf:begins:{results}", "--arg", f"buf:ends:{results}", "--arg", f"u32:{DELAY}",
            "--arg", "buf:data:4K", "--arg", "s32:0", *(word for one in settings for word in ("--set", one))]


def microbenchmark(heddle):
    rows = []
    for threads, blocks, settings, name, paper in POLICIES:
        found = lifetimes(heddle, microbenchmark_command(threads, blocks, settings))
        rows.append([str(threads), str(blocks), name, paper, str(most_at_once(found)),
                     str(max(end for _, end in spans(found).values()))])
    return table(["threads in a block", "blocks", "allocation", "blocks at once: paper", "ours", "our cycles"], rows)


def warps_of_block(rows, launch, block):
    return sorted((row["warp"], row["begin"], row["end"]) for row in rows
                  if (row["launch"], row["block"]) == (launch, block))


def agrees(paper, ours):
    """Whether shares in percent agree, by the rule for claims about shares (docs/laboratory.md)."""
    return abs(ours - paper) <= min(10, min(paper, 100 - paper) / 2)


def blocks_table(heddle):
    rows = []
    for workload, size, launch, block, figure, paper in BLOCKS:
        warps = warps_of_block(lifetimes(heddle, on_warpman(workload, size)), launch, block)
        lengths = " ".join(str(end - begin) for _, begin, end in warps) if len(warps) <= 8 else "-"
        ours = 100 * underutilisation(warps)
        rows.append([workload, figure, f"{paper} %", str(block), f"{ours:.1f} %",
                     "yes" if agrees(paper, ours) else "no", lengths])
    return table(["workload", "paper's block", "waste: paper", "our block", "waste: ours", "agrees",
                  "our warps' cycles"], rows)


def counts_by_warp(lines, events):
    """How often these events occur for each warp, as {(start number, block, static warp): Counter}, from the lines
    of a trace. A warp's slot belongs to the static warp that started in it last."""
    counts, in_slot, starts = {}, {}, 0
    for line in lines:
        words = line.split()
        if len(words) < 5 or words[0] == "#":
            continue
        slot, event = (words[1], words[2]), words[4]
        if event == "start":
            details = dict(word.split("=") for word in words[6:])
            in_slot[slot] = (starts, int(details["block"]), int(details["static_warp"]))
            counts[in_slot[slot]] = Counter()
            starts += 1
        elif event in events and slot in in_slot:
            counts[in_slot[slot]][event] += 1
    return counts


def traced(heddle, command, events, selection=()):
    """counts_by_warp() for the trace of this command."""
    with subprocess.Popen([heddle, *command, "--trace", "-", *selection], stdout=subprocess.PIPE) as simulated:
        wanted = subprocess.Popen(["grep", "-E", f" (start|{'|'.join(events)}) "], stdin=simulated.stdout,
                                  stdout=subprocess.PIPE, text=True)
        simulated.stdout.close()
        counts = counts_by_warp(wanted.stdout, events)
        wanted.wait()
    if simulated.returncode != 0:
        raise subprocess.CalledProcessError(simulated.returncode, command)
    return counts


def share_between(counts, above, up_to):
    """The share of counts in the range that excludes its lower limit and includes its upper one."""
    return sum(above < count and (up_to is None or count <= up_to) for count in counts) / len(counts)


def histogram_table(heddle):
    executed = {}
    for workload, size in dict.fromkeys((row[0], row[1]) for row in HISTOGRAMS):
        executed[workload] = [counts["issue"] for counts in
                              traced(heddle, on_warpman(workload, size), ["issue"]).values()]
    rows = []
    for workload, _, above, up_to, figure, paper in HISTOGRAMS:
        limits = f"{above + 1} to {up_to}" if up_to else f"more than {above}"
        share = share_between(executed[workload], above, up_to)
        rows.append([workload, figure, limits, paper, f"{100 * share:.1f} %"])
    return table(["workload", "figure", "instructions of a warp", "warps: paper", "warps: ours"], rows)


def texture_table(heddle):
    """Figure 10: texture misses per 1000 instructions, for each warp of the block of Figure 11."""
    workload, size, launch, block = BLOCKS[-1][:4]
    command = on_warpman(workload, size)
    rows = [row for row in lifetimes(heddle, command) if (row["launch"], row["block"]) == (launch, block)]
    begin, end = min(row["begin"] for row in rows), max(row["end"] for row in rows)
    counts = traced(heddle, command, ["issue", "texture_miss", "texture_merged"],
                    ["--trace-sms", str(rows[0]["sm"]), "--trace-cycles", f"{begin}:{end + 1}"])
    of_block = {warp: count for (_, its_block, warp), count in counts.items() if its_block == block}
    cells = []
    for row in sorted(rows, key=lambda each: each["warp"]):
        count = of_block[row["warp"]]
        misses, merged = count["texture_miss"], count["texture_merged"]
        per_thousand = [f"{1000 * number / count['issue']:.1f}" for number in (misses, misses + merged)]
        cells.append([str(row["warp"]), MISSES.get(row["warp"], "-"), *per_thousand, str(count["issue"]),
                      str(row["end"] - row["begin"])])
    return table(["warp", "misses per 1000 instructions: paper", "ours", "ours, with merged accesses",
                  "our instructions", "our cycles"], cells)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--heddle", default=ROOT / "build/release/apps/heddle/heddle")
    heddle = parser.parse_args().heddle
    text = PAGE.read_text()
    for marker, lines in {"microbenchmark": microbenchmark(heddle), "blocks": blocks_table(heddle),
                          "instructions": histogram_table(heddle), "texture misses": texture_table(heddle)}.items():
        start, end = marked_range(text, marker)
        text = text[:start] + "\n".join(lines) + "\n" + text[end:]
    PAGE.write_text(text)


if __name__ == "__main__":
    main()
