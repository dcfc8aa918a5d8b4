#!/usr/bin/env python3
"""Writes docs/costs.md: storage and area of machines, compared with the papers.

    costs_page.py [--heddle PROGRAM] [--check]

Nothing is simulated: all values follow from descriptions of machines and technologies. --check compares
instead of writing, and fails if the page differs.
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
CACHED = ("storage", "operands.policy=register-cache", "operands.entries=6")
ILP = "simt-40nm"  # The usual technology of the machine "ilp".

# Columns of the table of machines: the name, and the arrays that it adds up.
COLUMNS = [("registers", ["register_file"]), ("shared", ["shared_memory"]), ("L1", ["l1"]),
           ("other caches", ["instruction_cache", "constant_cache", "texture_cache"]), ("L2", ["l2"]),
           ("stacks", ["reconvergence_stacks"]),
           ("scoreboard", ["scoreboard", "scoreboard_tags", "scoreboard_data", "scoreboard_lists"]),
           ("collectors", ["operand_collectors"])]

INTRODUCTION = """# Storage and area of machines

This page compares storage and area in Heddle with the papers, and lists both for every machine.

Storage is computed from a machine's parameters, and area from the areas that a technology file states
([energy/storage-and-area.md](energy/storage-and-area.md)). `heddle list storage --machine NAME` and
`heddle list area --machine NAME` print both for one machine. For the energy of a run see [energy.md](energy.md).
In the tables, *Xiang* is *Toward Efficient SIMT Execution*.

`tools/pages/costs_page.py` (`./dev costs`) writes this page. A test compares it with the program.
"""


class Costs:
    def __init__(self, heddle):
        self.heddle = heddle

    @functools.cache
    def listed(self, what, machine, *settings, technology=None):
        words = [self.heddle, "list", what, "--machine", machine, "--json", "-"]
        for setting in settings:
            words += ["--set", setting]
        words += ["--technology", technology] if technology else []
        done = subprocess.run(words, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"costs_page.py: {' '.join(words)}: {done.stderr}")
        return json.loads(done.stdout)

    def area(self, machine):
        """With the machine's usual technology; None if that states no areas."""
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
        """The bits of these arrays in one multiprocessor or partition."""
        storage = self.listed("storage", *machine)["storage"]
        found = [one["bits"] for one in storage if one["name"] in arrays]
        assert len(found) == len(arrays), (machine, arrays)
        return sum(found)

    def chip(self, machine, *settings, technology=None):
        """Square millimetres of all multiprocessors."""
        return self.listed("area", machine, *settings, technology=technology)["chip"]

    def stated(self, technology, machine, *parts):
        """Stated square millimetres of parts, whether or not a machine has them."""
        named = {part["name"]: part for part in
                 self.listed("area", machine, technology=technology)["parts"]}
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


NOT_BUILT = "-"
BY_FORMULA = "computed from its fields; no machine has it yet"


def reported_storage(costs):
    """Rows: claim, structure, source, the paper's value, ours, and what ours is computed from."""
    preexec = ("preexec",)
    ilp_core = ("mixed-i",)
    warps = 48
    stack = costs.bits(preexec, "reconvergence_stacks") // warps
    scoreboard = costs.bits(preexec, "scoreboard") // warps
    # 8 entries of a PC offset, three architected registers, a physical register and two flags; two pointers
    # to entries, and a base.
    queue = 8 * (10 + 3 * 6 + 7 + 2) + 2 * 3 + 32
    renaming = 2 * 63 * (7 + 1)
    preexecution = stack + scoreboard + queue + renaming
    return [
        ("`lw.cost`", "masks of a core for large warps of 256 threads", "Narasiman et al., section 3.3",
         "768", number(costs.bits(LARGE, "large_warp_mask", "large_warp_branch_masks")),
         "`large-warps`, `divergence.policy=large-warp`"),
        ("", "fetch groups", "Narasiman et al., section 3.3", "0",
         number(costs.bits(GROUPS, "fetch_groups")), "`large-warps`, `schedule.policy=fetch-groups`"),
        ("", "workload buffer", "Xiang et al., Warp-Level Divergence, section 4.2", "40",
         number(costs.bits(PARTIAL, "workload_buffer")), "`warpman`, `residency.policy=partial-block`"),
        ("", "register cache of 6 entries for all warps", "Gebhart, section 5.2.6", "24 KB",
         kilobytes(costs.bits((*CACHED, "operands.active_only=no"), "operand_file_registers")) + " KB",
         "`storage`, `operands.policy=register-cache`"),
        ("", "size of the main register file, as a multiple of the same cache for active warps only",
         "Gebhart, section 5.3", "21",
         str(costs.bits(CACHED, "register_file") // costs.bits(CACHED, "operand_file_registers")),
         "`storage`, `operands.policy=register-cache`"),
        ("", "reconvergence stack of a warp, which pre-execution doubles", "Kim et al., section 5.3", "768",
         number(stack), "`preexec`"),
        ("", "scoreboard of a warp, which pre-execution doubles", "Kim et al., section 5.3", "126",
         number(scoreboard), "`preexec`"),
        ("`pm.cost`", "copies, queue and renaming tables of a warp for pre-execution",
         "Kim et al., section 5.3", "2236", number(preexecution), "`preexec`; " + BY_FORMULA),
        ("`pm.cost`", "the same for a multiprocessor", "Kim et al., section 5.3", "13.1 KB",
         kilobytes(warps * preexecution + 128) + " KB", "including a bit vector of 128 free registers; " + BY_FORMULA),
        ("", "instruction reuse buffer (IRB) of 8 entries", "Xiang, section 2.5", "1192",
         number(8 * (10 + 3 * 32 + 32 + (8 - 1).bit_length() + 8)), BY_FORMULA),
        ("", "tags of a scoreboard of 8 entries", "Xiang, section 4.4.4", "80",
         number(costs.bits(ilp_core, "scoreboard_tags")), "`mixed-i`"),
        ("", "data of this scoreboard", "Xiang, section 4.4.4", "8736",
         number(costs.bits(ilp_core, "scoreboard_data")), "`mixed-i`"),
        ("", "scalar register file (SRF) of 128 registers", "Xiang, section 2.5", "4096", number(128 * 32), BY_FORMULA),
        ("", "renaming table of 512 vector registers", "Xiang, section 2.5", "3584",
         number(512 * (128 - 1).bit_length()), "names for 128 scalar registers; " + BY_FORMULA),
    ]


def reported_area(costs):
    parts = functools.partial(costs.stated, ILP, "ilp")
    where = "Xiang, section 4.5"
    own = "`ilp` with `simt-40nm`"
    return [
        ("`ilp.area`", "a multiprocessor of the baseline", where, "11.823",
         number(costs.chip("ilp", "chip.sms=1")), own),
        ("`ilp.area`", "bypass of the eight cores of a multiprocessor", where, "0.224",
         number(parts("bypass")), "as stated"),
        ("`ilp.area`", "scoreboard that all warps of a multiprocessor share", where, "0.917",
         number(parts("scoreboard")), "as stated"),
        ("`ilp.area`", "a multiprocessor with bypass and scoreboard", where, "12.964",
         number(costs.chip("mixed-i", "chip.sms=1")), "`mixed-i`"),
        ("", "such a multiprocessor with 8192 instead of 16384 registers", where, "12.026",
         number(costs.chip("mixed-same-i", "chip.sms=1")), "`mixed-same-i`"),
        ("", "40 multiprocessors of the baseline", where, "472.92", number(costs.chip("ilp", "chip.sms=40")), own),
        ("", "36 multiprocessors with bypass and scoreboard", where, "466.704",
         number(costs.chip("mixed-i")), "`mixed-i`"),
        ("", "20 multiprocessors of the baseline and 18 with bypass and scoreboard", where, "467.812",
         number(costs.chip("mixed-h")),
         "`mixed-h`; the paper multiplies 20 x 11.823 to 234.46, which is 2 too small"),
        ("", "vector register file", "Xiang, Table 2", "2.44", number(parts("vector_register_file")),
         "as stated; part of the multiprocessor's area"),
        ("", "scalar register file", "Xiang, Table 2", "0.005", number(parts("scalar_register_file")),
         "as stated; no machine has a scalar register file"),
        ("", "a multiprocessor of `preexec`", "Kim et al., section 5.3", "22",
         number(costs.chip("preexec", "chip.sms=1")), "as stated"),
        ("", "increase by pre-execution", "Kim et al., section 5.3", "2.3 %",
         f"{100 * costs.stated('preexec-40nm', 'preexec', 'preexecution') / 22:.1f} %",
         "as stated; no machine has pre-execution"),
        ("", "a multiprocessor of `storage`", "Gebhart, section 4.4", "16",
         number(costs.chip("storage", "chip.sms=1")), "as stated"),
        ("", "registers with a decoder per lane", "Narasiman et al., section 3.3",
         "11 to 18.7 % of a register file", NOT_BUILT, "no technology has decoders"),
    ]


def machines_storage(costs):
    rows = []
    for name in costs.names("machines"):
        listed = costs.listed("storage", name)
        bits = {one["name"]: one["bits"] for one in listed["storage"]}
        cells = [sum(bits.pop(array, 0) for array in arrays) for _, arrays in COLUMNS]
        assert not bits, f"{name} has {bits}, which no column shows"
        rows.append([f"`{name}`", *(kilobytes(cell) for cell in cells), kilobytes(listed["bits"])])
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
        "Values are in bits unless a row says otherwise. The storage of mechanisms that no machine has yet is",
        "computed from the fields that the paper lists. `claim` is the identifier of a claim in an experiment about",
        "the same value.",
        "",
        table(head, reported_storage(costs)),
        "## Area compared with the papers",
        "",
        "Values are in mm2 at 40 nm. *As stated* means that the technology file states the paper's value, so that",
        "both are equal by construction.",
        "",
        table(head, reported_area(costs)),
        "## Storage of the machines",
        "",
        "Values are in KB per multiprocessor (L2: per partition); the last column is the whole chip. *Shared* is",
        "shared memory, *stacks* are reconvergence stacks, and *collectors* are operand collectors. Tags, queues",
        "and MSHRs are not included.",
        "",
        table(columns, machines_storage(costs)),
        "## Area of the machines",
        "",
        "Values are in mm2, for machines whose default technology states areas. Of a machine's parameters, only the",
        "number of registers, the bypass and the commit-scoreboard change them.",
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
