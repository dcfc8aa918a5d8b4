"""What Xiang et al., Warp-Level Divergence in GPUs, print of their programs beside IPC, taken from
runs and put into the tables of docs/validation.md. tools/validation.py runs and writes."""

import csv
import math
from collections import defaultdict

from workload_table import table

# Figure 12's caption and section 3.2: a program's temporal underutilisation (of convolution-texture
# that of one block), and what is printed of all programs.
UNDERUTILISED = {"stencil": "81.7 %", "ray-tracing": "39.2 %", "convolution-texture": "6.4 %"}
OF_ALL = ("11.3 %", "13.0 %")  # Round robin, two-level.

# Section 3.1, and for the others Table 2: registers that no block has. Three of Table 2's registers a
# block are no multiple of its threads, and misprinted: convolution-texture's 3068 (section 3.1 says what
# they should give), pathfinder's 3228 (3328) and neural-network's 6114 (6144). With these the mean is
# the 29.6 % that section 3.1 prints.
UNUSED_REGISTERS = {
    "convolution-texture": 1.6, "monte-carlo": 6.3, "radix-sort": 28.1, "sorting-networks": 20.3,
    "hotspot": 18.0, "pathfinder": 39.1, "srad": 76.6, "stencil": 46.9, "ray-tracing": 25.0,
    "matrix-multiply": 6.3, "neural-network": 6.3, "b+tree": 48.4, "histogram": 6.3,
}

# A block without any waste would make a geometric mean 0, whatever the others are.
LEAST_SHARE = 0.001


def geometric_mean(shares):
    return math.exp(sum(math.log(max(share, LEAST_SHARE)) for share in shares) / len(shares))


def mean_left_over(shares):
    """One less the geometric mean of what is used, which is what Figure 3 plots."""
    return 1 - math.exp(sum(math.log(1 - share) for share in shares) / len(shares))


def mean(shares):
    return sum(shares) / len(shares)


def temporal_underutilisation(lifetimes, kernels):
    """Section 3.2: of each block of these kernels the share of its warps' places that are left before
    its longest warp ends. `lifetimes` is a file of --lifetimes."""
    blocks = defaultdict(list)
    for row in csv.DictReader(lifetimes):
        if row["kernel"] in kernels:
            blocks[row["launch"], row["block"]].append(int(row["end"]) - int(row["begin"]))
    return [1 - mean(warps) / max(warps) for warps in blocks.values()]


def kernels_of_table_2(result):
    """Those that Table 2's row is about, that which takes longest first."""
    return sorted((kernel for kernel in result["kernels"]
                   if "warpman" in (kernel.get("paper") or {}).get("source", "")),
                  key=lambda kernel: -kernel["cycles"])


def marks(result, lifetimes):
    """What this page's tables need of a run: of the kernels that Table 2's row is about, as others
    (of one block, that adds up what blocks left) have other warps, blocks and registers."""
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
    """`blocks`: of Table 2, by program; then runs with our registers, with the paper's, and with
    these and two levels of scheduling."""
    of = lambda result, mark: result and result["marks"][mark]
    rows = []
    for name, resident in blocks.items():
        rows.append([name, UNDERUTILISED.get(name, "-"), percent(of(paper[name], "underutilised")),
                     percent(of(paper[name], "underutilised_mean")),
                     percent(of(two_level[name], "underutilised")), f"{UNUSED_REGISTERS[name]} %",
                     percent(of(paper[name], "unused_registers")),
                     percent(of(compiled[name], "unused_registers")), str(resident),
                     *(str(of(each[name], "blocks") or "-") for each in (paper, compiled))])
    all_of = lambda results, mark, mean_of=geometric_mean: percent(mean_of(
        [result["marks"][mark] for result in results.values() if result]))
    rows.append(["geometric mean", " / ".join(OF_ALL), all_of(paper, "underutilised"),
                 all_of(paper, "underutilised_mean"), all_of(two_level, "underutilised"),
                 percent(mean_left_over([share / 100 for share in UNUSED_REGISTERS.values()])),
                 all_of(paper, "unused_registers", mean_left_over),
                 all_of(compiled, "unused_registers", mean_left_over), "", "", ""])
    return table(["workload", "underutilised: paper", "ours", "ours, mean", "ours, two levels",
                  "registers unused: paper", "ours, paper's registers", "ours, our registers",
                  "blocks: paper", "ours, paper's registers", "ours, our registers"], rows)


def memory_table(paper):
    of = lambda name, mark: paper[name] and paper[name]["marks"][mark]
    accesses = of("radix-sort", "accesses_an_activation")
    return table(["workload", "what", "paper", "ours"], [
        ["convolution-texture", "texture accesses that miss (section 6.3)", "3.8 %",
         percent(of("convolution-texture", "texture_misses"))],
        ["matrix-multiply", "accesses to the L1 that miss (section 6.1)", "57.7 %",
         percent(of("matrix-multiply", "l1_misses"))],
        ["radix-sort", "accesses of memory an activation (section 6.1)", "24.96",
         "-" if accesses is None else f"{accesses:.2f}"],
    ])
