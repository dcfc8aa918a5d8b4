#!/usr/bin/env python3
"""Writes docs/costs.md: the storage and the area of machines, beside what the papers report.

    costs_page.py [--heddle PROGRAM] [--check]

Nothing is simulated: all of it follows from descriptions of machines and technologies. --check compares
instead of writing, and fails where the page says something else.
"""

import argparse
import functools
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "costs.md"

LARGE = ("large-warps", "divergence.policy=large-warp")
GROUPS = ("large-warps", "schedule.policy=fetch-groups")
PARTIAL = ("warpman", "sm.residency=partial-block")
CACHED = ("storage", "operands.policy=register-cache", "operands.entries=6")
# With the usual machine's own names.
ILP = "simt-40nm"

# Columns of the table of machines: its name, and the arrays in it.
COLUMNS = [("registers", ["register_file"]), ("shared", ["shared_memory"]), ("L1", ["l1"]),
           ("other caches", ["instruction_cache", "constant_cache", "texture_cache"]), ("L2", ["l2"]),
           ("stacks", ["reconvergence_stacks"]),
           ("scoreboard", ["scoreboard", "scoreboard_tags", "scoreboard_data", "scoreboard_lists"]),
           ("collectors", ["operand_collectors"])]

INTRODUCTION = """# What machines cost

Storage and area as they follow from descriptions of machines ([energy.md](energy.md#storage)) and from what
technologies state, beside what the papers report. `tools/costs_page.py` writes this page (`./dev costs`), and a
test holds it against the program. What energy a run takes is in [energy.md](energy.md).
"""


class Costs:
    def __init__(self, heddle):
        self.heddle = heddle

    @functools.cache
    def told(self, what, machine, *settings, technology=None):
        words = [self.heddle, "list", what, "--machine", machine, "--json", "-"]
        for setting in settings:
            words += ["--set", setting]
        words += ["--technology", technology] if technology else []
        done = subprocess.run(words, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"costs_page.py: {' '.join(words)}: {done.stderr}")
        return json.loads(done.stdout)

    def area(self, machine):
        """With the machine's usual technology; none where that states no areas."""
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
        """Of arrays in one multiprocessor or partition."""
        storage = self.told("storage", *machine)["storage"]
        found = [one["bits"] for one in storage if one["name"] in arrays]
        assert len(found) == len(arrays), (machine, arrays)
        return sum(found)

    def chip(self, machine, *settings, technology=None):
        """Square millimetres of all multiprocessors."""
        return self.told("area", machine, *settings, technology=technology)["chip"]

    def stated(self, technology, machine, *parts):
        """Square millimetres of parts as they are stated, whether or not a machine has them."""
        named = {part["name"]: part for part in
                 self.told("area", machine, technology=technology)["parts"]}
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
BY_FORMULA = "by formula: no machine has it yet"


def reported_storage(costs):
    """What, where, reported, here, how."""
    preexec = ("preexec",)
    ilp_core = ("mixed-i",)
    warps = 48
    stack = costs.bits(preexec, "reconvergence_stacks") // warps
    scoreboard = costs.bits(preexec, "scoreboard") // warps
    # 8 entries of a PC offset, three architected and a physical register and two flags; two pointers
    # into them, and a base.
    queue = 8 * (10 + 3 * 6 + 7 + 2) + 2 * 3 + 32
    renaming = 2 * 63 * (7 + 1)
    preexecution = stack + scoreboard + queue + renaming
    return [
        ("`lw.cost`", "a core's masks for large warps of 256 threads", "Narasiman et al., section 3.3",
         "768", number(costs.bits(LARGE, "large_warp_mask", "large_warp_branch_masks")),
         "`large-warps`, `divergence.policy=large-warp`"),
        ("", "fetch groups", "Narasiman et al., section 3.3", "0",
         number(costs.bits(GROUPS, "fetch_groups")), "`large-warps`, `schedule.policy=fetch-groups`"),
        ("", "workload buffer", "Xiang et al., Warp-Level Divergence, section 4.2", "40",
         number(costs.bits(PARTIAL, "workload_buffer")), "`warpman`, `sm.residency=partial-block`"),
        ("", "register cache of 6 entries for all warps", "Gebhart, section 5.2.6", "24 KB",
         kilobytes(costs.bits((*CACHED, "operands.active_only=no"), "upper_registers")) + " KB",
         "`storage`, `operands.policy=register-cache`"),
        ("", "the same for active warps: so many times smaller than the main file",
         "Gebhart, section 5.3", "21",
         str(costs.bits(CACHED, "register_file") // costs.bits(CACHED, "upper_registers")),
         "`storage`, `operands.policy=register-cache`"),
        ("", "a warp's stack, which pre-execution has twice", "Kim et al., section 5.3", "768",
         number(stack), "`preexec`"),
        ("", "a warp's scoreboard, which it has twice", "Kim et al., section 5.3", "126",
         number(scoreboard), "`preexec`"),
        ("`pm.cost`", "a warp's copies, queue and renaming tables for pre-execution",
         "Kim et al., section 5.3", "2236", number(preexecution), "`preexec`; " + BY_FORMULA),
        ("`pm.cost`", "the same of a multiprocessor", "Kim et al., section 5.3", "13.1 KB",
         kilobytes(warps * preexecution + 128) + " KB", "with a vector of 128 free registers; " + BY_FORMULA),
        ("", "instruction reuse buffer of 8 entries", "Xiang, section 2.5", "1192",
         number(8 * (10 + 3 * 32 + 32 + (8 - 1).bit_length() + 8)), BY_FORMULA),
        ("", "tags of a scoreboard of 8 entries", "Xiang, section 4.4.4", "80",
         number(costs.bits(ilp_core, "scoreboard_tags")), "`mixed-i`"),
        ("", "its data", "Xiang, section 4.4.4", "8736",
         number(costs.bits(ilp_core, "scoreboard_data")), "`mixed-i`"),
        ("", "scalar register file of 128", "Xiang, section 2.5", "4096", number(128 * 32), BY_FORMULA),
        ("", "renaming table of 512 vector registers", "Xiang, section 2.5", "3584",
         number(512 * (128 - 1).bit_length()), "names of 128 scalar registers; " + BY_FORMULA),
    ]


def reported_area(costs):
    parts = functools.partial(costs.stated, ILP, "ilp")
    where = "Xiang, section 4.5"
    own = "of `ilp`, with `simt-40nm`"
    return [
        ("`ilp.area`", "a multiprocessor of the baseline", where, "11.823",
         number(costs.chip("ilp", "chip.sms=1")), own),
        ("`ilp.area`", "bypass in its eight cores", where, "0.224", number(parts("bypass")), "as stated"),
        ("`ilp.area`", "scoreboard of all its warps", where, "0.917", number(parts("scoreboard")), "as stated"),
        ("`ilp.area`", "a multiprocessor with both", where, "12.964",
         number(costs.chip("mixed-i", "chip.sms=1")), "of `mixed-i`"),
        ("", "the same with 8192 registers in place of 16384", where, "12.026",
         number(costs.chip("mixed-same-i", "chip.sms=1")), "of `mixed-same-i`"),
        ("", "40 of the baseline", where, "472.92", number(costs.chip("ilp", "chip.sms=40")), own),
        ("", "36 with both", where, "466.704", number(costs.chip("mixed-i")), "of `mixed-i`"),
        ("", "20 of the baseline and 18 with both", where, "467.812", number(costs.chip("mixed-h")),
         "of `mixed-h`; the paper takes 20 x 11.823 for 234.46, 2 too little"),
        ("", "vector register file", "Xiang, Table 2", "2.44", number(parts("vector_register_file")),
         "as stated: in the multiprocessor's"),
        ("", "scalar register file", "Xiang, Table 2", "0.005", number(parts("scalar_register_file")),
         "as stated: no machine keeps scalars apart"),
        ("", "a multiprocessor of `preexec`", "Kim et al., section 5.3", "22",
         number(costs.chip("preexec", "chip.sms=1")), "as stated"),
        ("", "the share that pre-execution adds", "Kim et al., section 5.3", "2.3 %",
         f"{100 * costs.stated('preexec-40nm', 'preexec', 'preexecution') / 22:.1f} %",
         "as stated: no machine pre-executes"),
        ("", "a multiprocessor of `storage`", "Gebhart, section 4.4", "16",
         number(costs.chip("storage", "chip.sms=1")), "as stated"),
        ("", "registers with a decoder for each lane", "Narasiman et al., section 3.3",
         "11 to 18.7 % of a register file", NOT_BUILT, "no technology has decoders"),
    ]


def machines_storage(costs):
    rows = []
    for name in costs.names("machines"):
        told = costs.told("storage", name)
        bits = {one["name"]: one["bits"] for one in told["storage"]}
        cells = [sum(bits.pop(array, 0) for array in arrays) for _, arrays in COLUMNS]
        assert not bits, f"{name} has {bits}, which no column shows"
        rows.append([f"`{name}`", *(kilobytes(cell) for cell in cells), kilobytes(told["bits"])])
    return rows


def machines_area(costs):
    rows = []
    for name in costs.names("machines"):
        told = costs.area(name)
        if told is not None:
            rows.append([f"`{name}`", f"`{told['technology']}`", number(told["multiprocessor"]),
                         number(told["chip"])])
    return rows


def page(costs):
    columns = ["machine", *(column for column, _ in COLUMNS), "all of the chip"]
    head = ["claim", "what", "where", "reported", "here", "of"]
    return "\n".join([
        INTRODUCTION,
        "## Storage that papers report",
        "",
        "In bits. What a mechanism needs that no machine has yet is worked out from its fields, as the paper has",
        "them.",
        "",
        table(head, reported_storage(costs)),
        "## Area that papers report",
        "",
        "In square millimetres at 40 nm.",
        "",
        table(head, reported_area(costs)),
        "## Storage of the machines",
        "",
        "In KB of a multiprocessor (of the L2: of a partition), and of the whole chip; `heddle list storage "
        "--machine NAME` has the bits, the formulas and who says so. Tags, queues and what keeps misses apart "
        "are in no figure.",
        "",
        table(columns, machines_storage(costs)),
        "## Area of the machines",
        "",
        "In square millimetres, of those whose usual technology states any: a multiprocessor's, and that of all. "
        "It goes by registers and by nothing else.",
        "",
        table(["machine", "technology", "a multiprocessor", "all"], machines_area(costs)),
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
        sys.exit(f"{PAGE.relative_to(ROOT)} says something else: ./dev costs writes it anew")


if __name__ == "__main__":
    main()
