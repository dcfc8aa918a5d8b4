"""Values other than IPC that Xiang et al., Warp-Level Divergence in GPUs, print for their programs,
computed from our runs for the tables of docs/validation/warpman.md. tools/pages/validation.py runs the
programs and writes the page."""

import csv
import math
from collections import defaultdict

from workload_table import table

# Figure 12's caption and section 3.2: temporal underutilisation of a program (for convolution-texture: of
# one block), and the mean of all programs.
UNDERUTILISED = {"stencil": "81.7 %", "ray-tracing": "39.2 %", "convolution-texture": "6.4 %"}
MEANS_OF_ALL = ("11.3 %", "13.0 %")  # Round robin, two-level.

# Registers that no block uses, in percent: section 3.1, and for the other programs Table 2. Three register
# counts of Table 2 are no multiple of the block's threads, so they are misprints: convolution-texture's
# 3068 (section 3.1 has the right share), pathfinder's 3228 (3328) and neural-network's 6114 (6144). With
# the right values the mean is the 29.6 % of section 3.1.
UNUSED_REGISTERS = {
    "convolution-texture": 1.6, "monte-carlo": 6.3, "radix-sort": 28.1, "sorting-networks": 20.3,
    "hotspot": 18.0, "pathfinder": 39.1, "srad": 76.6, "stencil": 46.9, "ray-tracing": 25.0,
    "matrix-multiply": 6.3, "neural-network": 6.3, "b+tree": 48.4, "histogram": 6.3,
}

# A lower limit of shares. A block without any waste would make the geometric mean 0, regardless of
# all other blocks.
LEAST_SHARE = 0.001


def geometric_mean(shares):
    return math.exp(sum(math.log(max(share, LEAST_SHARE)) for share in shares) / len(shares))


def mean_left_over(shares):
    """The mean of unused shares: one minus the geometric mean of the used shares, which Figure 3 plots."""
    return 1 - math.exp(sum(math.log(1 - share) for share in shares) / len(shares))


def mean(shares):
    return sum(shares) / len(shares)


def temporal_underutilisation(lifetimes, kernels):
    """Section 3.2: for each block of these kernels, the share of its warp slots that are empty before its
    longest warp ends. `lifetimes` is a file that --lifetimes wrote."""
    blocks = defaultdict(list)
    for row in csv.DictReader(lifetimes):
        if row["kernel"] in kernels:
            blocks[row["launch"], row["block"]].append(int(row["end"]) - int(row["begin"]))
    return [1 - mean(warps) / max(warps) for warps in blocks.values()]


def kernels_of_table_2(result):
    """The kernels that the row of Table 2 describes, the longest first."""
    return sorted((kernel for kernel in result["kernels"]
                   if "warpman" in (kernel.get("paper") or {}).get("source", "")),
                  key=lambda kernel: -kernel["cycles"])


def marks(result, lifetimes):
    """The values of a run for the page's tables. Only the kernels that the row of Table 2 describes count:
    others, such as a final reduction in one block, have other warps, blocks and registers."""
    kernels = kernels_of_table_2(result)
    occupancy = kernels[0]["occupancy"]
    registers = result["machine"]["parameters"]["sm.registers"]
    counters = defaultdict(int)
    for kernel in kernels:
        for name, count in kernel["counters"].items():
            counters[name] += count
    block = occupancy["registers_per_thread"] * 32 * occupancy["warps_per_block"]
    underutilised = temporal_underutilisation(
        lifetimes, {kernel["name"] for kernel in kernels})
    share = lambda part, whole: counters[part] / counters[whole] if counters[whole] else None
    return {
        "ipc": sum(kernel["thread_instructions"] for kernel in kernels) /
               sum(kernel["cycles"] for kernel in kernels),
        "underutilised": geometric_mean(underutilised),  # As the paper takes it.
        "underutilised_mean": mean(underutilised),
        "blocks": occupancy["blocks_per_sm"],
        "unused_registers": 1 - occupancy["blocks_per_sm"] * block / registers,
        "l1_misses": share("l1.misses", "l1.accesses"),
        "texture_misses": share("texture.misses", "texture.accesses"),
        "accesses_an_activation": (counters["dram.reads"] + counters["dram.writes"]) /
                                  max(1, counters["dram.activations"]),
    }


def percent(value):
    return "-" if value is None else f"{100 * value:.1f} %"


def programs_table(blocks, compiled, paper, two_level):
    """`blocks`: Table 2's resident blocks, by program. Then runs with our registers, with the paper's,
    and with the paper's and two-level scheduling."""
    mark_of = lambda result, mark: result and result["marks"][mark]
    rows = []
    for name, resident in blocks.items():
        rows.append([name, UNDERUTILISED.get(name, "-"), percent(mark_of(paper[name], "underutilised")),
                     percent(mark_of(paper[name], "underutilised_mean")),
                     percent(mark_of(two_level[name], "underutilised")), f"{UNUSED_REGISTERS[name]} %",
                     percent(mark_of(paper[name], "unused_registers")),
                     percent(mark_of(compiled[name], "unused_registers")), str(resident),
                     *(str(mark_of(each[name], "blocks") or "-") for each in (paper, compiled))])
    mean_text = lambda results, mark, mean_of=geometric_mean: percent(mean_of(
        [result["marks"][mark] for result in results.values() if result]))
    rows.append(["geometric mean", " / ".join(MEANS_OF_ALL), mean_text(paper, "underutilised"),
                 mean_text(paper, "underutilised_mean"), mean_text(two_level, "underutilised"),
                 percent(mean_left_over([share / 100 for share in UNUSED_REGISTERS.values()])),
                 mean_text(paper, "unused_registers", mean_left_over),
                 mean_text(compiled, "unused_registers", mean_left_over), "", "", ""])
    return table(["workload", "underutilisation: paper", "ours", "ours, mean",
                  "ours, two-level scheduling", "unused registers: paper", "ours, paper's registers", "ours, our registers",
                  "blocks: paper", "ours, paper's registers", "ours, our registers"], rows)


def memory_table(paper):
    mark_of = lambda name, mark: paper[name] and paper[name]["marks"][mark]
    accesses = mark_of("radix-sort", "accesses_an_activation")
    return table(["workload", "quantity", "paper", "ours"], [
        ["convolution-texture", "miss rate of texture accesses (section 6.3)", "3.8 %",
         percent(mark_of("convolution-texture", "texture_misses"))],
        ["matrix-multiply", "miss rate of the L1 (section 6.1)", "57.7 %",
         percent(mark_of("matrix-multiply", "l1_misses"))],
        ["radix-sort", "memory accesses per row activation (section 6.1)", "24.96",
         "-" if accesses is None else f"{accesses:.2f}"],
    ])
