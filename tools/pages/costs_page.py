#!/usr/bin/env python3
"""Writes docs/costs.md: storage and area of machines, compared with the papers.

    costs_page.py [--heddle PROGRAM] [--check]

Nothing is simulated: all values follow from descriptions of machines and technologies. With --check, the
script writes nothing and fails if the page differs from what it would write.
"""

import argparse
import functools
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "costs.md"

LARGE = ("large-warps", "divergence.policy=large-warp")
GROUPS = ("large-warps", "schedule.policy=fetch-groups")
PARTIAL = ("warpman", "residency.policy=partial-block")
SCALAR = ("uniform", "redundancy.policy=scalar-file")
CACHED = ("storage", "operands.policy=register-cache", "operands.entries=6")
ILP = "simt-40nm"  # The default technology of the machine "ilp".

# Columns of the table of machines: the name of the column, and the storage arrays that it adds up.
COLUMNS = [("registers", ["register_file"]), ("shared", ["shared_memory"]), ("L1", ["l1"]),
           ("other caches", ["instruction_cache", "constant_cache", "texture_cache"]), ("L2", ["l2"]),
           ("stacks", ["reconvergence_stacks"]),
           ("scoreboard", ["scoreboard", "scoreboard_tags", "scoreboard_data", "scoreboard_lists"]),
           ("collectors", ["operand_collectors"])]

INTRODUCTION = """# Storage and area of machines

This page compares the storage and the area of Heddle's machines with the values in the papers, and lists both for
every machine.

Heddle computes storage from a machine's parameters. It computes area from the areas that a technology file states
([energy/storage-and-area.md](energy/storage-and-area.md)). `heddle list storage --machine NAME` and
`heddle list area --machine NAME` print them for one machine. For the energy of a run see [energy.md](energy.md).

The tables cite these sources: *Narasiman et al.* is *Improving GPU Performance via Large Warps and Two-Level Warp
Scheduling*, *Gebhart* is the dissertation *Energy-Efficient Mechanisms for Managing On-Chip Storage in Throughput
Processors*, *Kim et al.* is *Warped-Preexecution*, and *Xiang* is the dissertation *Toward Efficient SIMT Execution*.

`tools/pages/costs_page.py` (`./dev costs`) writes this page. A test checks that the page agrees with the program.
"""


class Costs:
    def __init__(self, heddle):
        self.heddle = heddle

    @functools.cache
    def list_json(self, what, machine, *settings, technology=None):
        words = [self.heddle, "list", what, "--machine", machine, "--json", "-"]
        for setting in settings:
            words += ["--set", setting]
        words += ["--technology", technology] if technology else []
        done = subprocess.run(words, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"costs_page.py: {' '.join(words)}: {done.stderr}")
        return json.loads(done.stdout)

    def area(self, machine):
        """The areas with the machine's default technology; None if that technology states no areas."""
        done = subprocess.run([self.heddle, "list", "area", "--machine", machine, "--json", "-"],
                              capture_output=True, text=True)
        assert done.returncode == 0 or "[[area]]" in done.stderr, done.stderr
        return json.loads(done.stdout) if done.returncode == 0 else None

    @functools.cache
    def names(self, what):
        lines = subprocess.run([self.heddle, "list", what], check=True, capture_output=True,
                               text=True).stdout.splitlines()
        return [line.split()[0] for line in lines[1:]]

    def bits(self, machine, *arrays):
        """The sum of the bits of these arrays in one multiprocessor or partition."""
        storage = self.list_json("storage", *machine)["storage"]
        found = [one["bits"] for one in storage if one["name"] in arrays]
        assert len(found) == len(arrays), (machine, arrays)
        return sum(found)

    def chip_area(self, machine, *settings, technology=None):
        """The area of all multiprocessors in mm2."""
        return self.list_json("area", machine, *settings, technology=technology)["chip"]

    def stated_area(self, technology, machine, *parts):
        """The sum of the areas in mm2 that the technology states for these parts, whether or not the
        machine has them."""
        named = {part["name"]: part for part in
                 self.list_json("area", machine, technology=technology)["parts"]}
        return sum(named[part]["stated"] * named[part]["times"] for part in parts)


def number(value):
    text = f"{value:.3f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
    whole, _, rest = text.partition(".")
    return f"{int(whole):,}".replace(",", " ") + ("." + rest if rest else "") if len(whole) > 4 else text


def kilobytes(bits):
    return number(round(bits / 8 / 1024, 1))


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


NO_VALUE = "-"
WITH_SCALARS = "`uniform`, `redundancy.policy=scalar-file`"
PRE_EXECUTION = ("preexec", "lookahead.policy=pre-execution")
WITH_PRE_EXECUTION = "`preexec`, `lookahead.policy=pre-execution`"


def reported_storage(costs):
    """Rows: claim, structure, source, the paper's value, Heddle's value, and what it is computed from."""
    preexec = ("preexec",)
    ilp_core = ("mixed-i",)
    warps = 48
    stack = costs.bits(preexec, "reconvergence_stacks") // warps
    scoreboard = costs.bits(preexec, "scoreboard") // warps
    of_warps = costs.bits(PRE_EXECUTION, "ahead_stacks", "ahead_scoreboard", "ahead_queues", "renaming_tables")
    of_core = costs.bits(PRE_EXECUTION, "renaming_registers_free")
    return [
        ("`lw.cost`", "masks for large warps of 256 threads, in a multiprocessor", "Narasiman et al., section 3.3",
         "768", number(costs.bits(LARGE, "large_warp_mask", "large_warp_branch_masks")),
         "`large-warps`, `divergence.policy=large-warp`"),
        ("", "groups of warps of the two-level scheduler", "Narasiman et al., section 3.3", "0",
         number(costs.bits(GROUPS, "fetch_groups")), "`large-warps`, `schedule.policy=fetch-groups`"),
        ("", "workload buffer of partial blocks", "Xiang et al., Warp-Level Divergence, section 4.2", "40",
         number(costs.bits(PARTIAL, "workload_buffer")), "`warpman`, `residency.policy=partial-block`"),
        ("", "register cache of 6 entries for each warp", "Gebhart, section 5.2.6", "24 KB",
         kilobytes(costs.bits((*CACHED, "operands.active_only=no"), "operand_file_registers")) + " KB",
         "`storage`, `operands.policy=register-cache`"),
        ("", "size of the main register file, divided by that of such a cache for active warps only",
         "Gebhart, section 5.3", "21 times",
         f'{costs.bits(CACHED, "register_file") // costs.bits(CACHED, "operand_file_registers")} times',
         "`storage`, `operands.policy=register-cache`"),
        ("", "reconvergence stack of a warp; pre-execution needs a second one", "Kim et al., section 5.3", "768",
         number(stack), "`preexec`"),
        ("", "scoreboard of a warp; pre-execution needs a second one", "Kim et al., section 5.3", "126",
         number(scoreboard), "`preexec`"),
        ("`pm.cost`", "all that a warp needs for pre-execution: second stack and scoreboard, queue, renaming tables",
         "Kim et al., section 5.3", "2236", number(of_warps // warps), WITH_PRE_EXECUTION),
        ("`pm.cost`", "all that a multiprocessor needs for pre-execution", "Kim et al., section 5.3", "13.1 KB",
         kilobytes(of_warps + of_core) + " KB", WITH_PRE_EXECUTION + "; all warps, and the vector of free registers"),
        ("", "instruction reuse buffer (IRB) of 8 entries", "Xiang, section 2.5", "1192",
         number(costs.bits(SCALAR, "reuse_buffer")), WITH_SCALARS),
        ("", "tags of a shared scoreboard of 8 entries", "Xiang, section 4.4.4", "80",
         number(costs.bits(ilp_core, "scoreboard_tags")), "`mixed-i`"),
        ("", "data of this scoreboard", "Xiang, section 4.4.4", "8736",
         number(costs.bits(ilp_core, "scoreboard_data")), "`mixed-i`"),
        ("", "scalar register file (SRF) of 128 registers", "Xiang, section 2.5", "4096",
         number(costs.bits(SCALAR, "scalar_register_file")), WITH_SCALARS),
        ("", "renaming table of 512 vector registers", "Xiang, section 2.5", "3584",
         number(costs.bits(SCALAR, "scalar_renaming")), WITH_SCALARS),
    ]


def reported_area(costs):
    parts = functools.partial(costs.stated_area, ILP, "ilp")
    section = "Xiang, section 4.5"
    ilp_machine = "`ilp` with `simt-40nm`"
    return [
        ("`ilp.area`", "a multiprocessor of the baseline", section, "11.823",
         number(costs.chip_area("ilp", "chip.sms=1")), ilp_machine),
        ("`ilp.area`", "bypass of the eight cores of a multiprocessor", section, "0.224",
         number(parts("bypass")), "as stated"),
        ("`ilp.area`", "scoreboard that all warps of a multiprocessor share", section, "0.917",
         number(parts("scoreboard")), "as stated"),
        ("`ilp.area`", "a multiprocessor with bypass and scoreboard", section, "12.964",
         number(costs.chip_area("mixed-i", "chip.sms=1")), "`mixed-i`"),
        ("", "such a multiprocessor with 8192 instead of 16384 registers", section, "12.026",
         number(costs.chip_area("mixed-same-i", "chip.sms=1")), "`mixed-same-i`"),
        ("", "40 multiprocessors of the baseline", section, "472.92", number(costs.chip_area("ilp", "chip.sms=40")), ilp_machine),
        ("", "36 multiprocessors with bypass and scoreboard", section, "466.704",
         number(costs.chip_area("mixed-i")), "`mixed-i`"),
        ("", "20 multiprocessors of the baseline and 18 with bypass and scoreboard", section, "467.812",
         number(costs.chip_area("mixed-h")),
         "`mixed-h`; the paper multiplies 20 x 11.823 to 234.46, which is 2 too small"),
        ("", "vector register file", "Xiang, Table 2", "2.44", number(parts("vector_register_file")),
         "as stated; included in the multiprocessor's area"),
        ("", "scalar register file", "Xiang, Table 2", "0.005", number(parts("scalar_register_file")),
         "as stated; " + WITH_SCALARS),
        ("", "a multiprocessor of `preexec`", "Kim et al., section 5.3", "22",
         number(costs.chip_area("preexec", "chip.sms=1")), "as stated"),
        ("", "increase of this area by pre-execution", "Kim et al., section 5.3", "2.3 %",
         f"{100 * costs.stated_area('preexec-40nm', 'preexec', 'preexecution') / 22:.1f} %",
         "as stated; " + WITH_PRE_EXECUTION),
        ("", "a multiprocessor of `storage`", "Gebhart, section 4.4", "16",
         number(costs.chip_area("storage", "chip.sms=1")), "as stated"),
        ("", "increase of a register file's area by a decoder per lane", "Narasiman et al., section 3.3",
         "11 to 18.7 %", NO_VALUE, "no technology has decoders"),
    ]


def bits_by_kind(arrays):
    """For each kind of multiprocessor: its name in the table (empty if there is only one kind), and the
    bits of each of its arrays and of the partitions' arrays, by name."""
    partition = {one["name"]: one["bits"] for one in arrays if one["of"] == "partition"}
    kinds = {}
    for one in arrays:
        if one["of"] == "multiprocessor":
            kinds.setdefault((one.get("group"), one["places"]), {})[one["name"]] = one["bits"]
    for (group, count), bits in kinds.items():
        name = f"group `{group}`" if group else "others"
        yield f", {name}: {count}" if len(kinds) > 1 else "", bits | partition


def machines_storage(costs):
    rows = []
    for name in costs.names("machines"):
        listed = costs.list_json("storage", name)
        for kind, bits in bits_by_kind(listed["storage"]):
            cells = [sum(bits.pop(array, 0) for array in arrays) for _, arrays in COLUMNS]
            assert not bits, f"{name} has {bits}, which no column shows"
            rows.append([f"`{name}`{kind}", *(kilobytes(cell) for cell in cells), kilobytes(listed["bits"])])
    return rows


def machines_area(costs):
    rows = []
    for name in costs.names("machines"):
        listed = costs.area(name)
        if listed is not None:
            rows.append([f"`{name}`", f"`{listed['technology']}`", number(listed["multiprocessor"]),
                         number(listed["chip"])])
    return rows


def page(costs):
    columns = ["machine", *(column for column, _ in COLUMNS), "whole chip"]
    head = ["claim", "structure", "source", "paper", "Heddle", "computed from"]
    return "\n".join([
        INTRODUCTION,
        "## Storage compared with the papers",
        "",
        "Values are in bits unless a row says otherwise. The columns *paper* and *Heddle* have the two values that",
        "are compared. *Computed from* names the machine and its settings. The column *claim* has a short name for",
        "the paper's claim; the experiment `large-warps/storage` also judges `lw.cost`.",
        "",
        table(head, reported_storage(costs)),
        "## Area compared with the papers",
        "",
        "Values are in mm2 at 40 nm unless a row says otherwise. *As stated* means that the technology file states",
        "the paper's value, so that both are equal by construction.",
        "",
        table(head, reported_area(costs)),
        "## Storage of the machines",
        "",
        "Values are in KB (1024 bytes) per multiprocessor, for the L2 per partition; the last column is the whole",
        "chip. *Shared* is shared memory, *other caches* are those of instructions, constants and textures, *stacks*",
        "are reconvergence stacks, and *collectors* are operand collectors. Tags, queues and MSHRs are not included.",
        "",
        "A chip with two kinds of multiprocessor has a row for each kind, with the number of its multiprocessors.",
        "",
        table(columns, machines_storage(costs)),
        "## Area of the machines",
        "",
        "Values are in mm2, for machines whose default technology states areas. Only four parameters of a machine",
        "change its area per multiprocessor: the number of registers, the bypass, the commit-scoreboard and",
        "pre-execution. A chip with two kinds of multiprocessor has the average of all its multiprocessors in the",
        "third column.",
        "",
        table(["machine", "technology", "one multiprocessor", "all multiprocessors"], machines_area(costs)),
    ])


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--heddle", default=ROOT / "build/release/apps/heddle/heddle")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    text = page(Costs(str(options.heddle)))
    if not options.check:
        PAGE.write_text(text)
        print(f"wrote {PAGE.relative_to(ROOT)}")
    elif PAGE.read_text() != text:
        sys.exit(f"{PAGE.relative_to(ROOT)} differs from the program: run ./dev costs to write it again")


if __name__ == "__main__":
    main()
