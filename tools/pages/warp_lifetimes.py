#!/usr/bin/env python3
"""Draws when the warps of a block came and went, as Figures 4, 9 and 11 of Xiang et al., Warp-Level
Divergence in GPUs, do.

    heddle run stencil --machine warpman --lifetimes warps.csv
    warp_lifetimes.py warps.csv --launch 0 --block 0 -o stencil.svg
"""

import argparse
import csv
import sys

ROW, BAR, LEFT, WIDTH, TOP = 14, 10, 70, 600, 40


def warps_of(lifetimes, launch, block):
    """A tuple (warp, begin, end) for each warp of a block, from a file that --lifetimes wrote, by warp."""
    rows = [row for row in csv.DictReader(lifetimes)
            if (int(row["launch"]), int(row["block"])) == (launch, block)]
    return sorted((int(row["warp"]), int(row["begin"]), int(row["end"])) for row in rows)


def underutilisation(warps):
    """Temporal underutilisation (section 3.2): the fraction of the block's warp cycles in which a warp has
    ended, but the longest warp of the block has not."""
    lengths = [end - begin for _, begin, end in warps]
    return 1 - sum(lengths) / (len(lengths) * max(lengths))


def text(x, y, words, anchor="start"):
    return (f'<text x="{x}" y="{y}" text-anchor="{anchor}" font-family="sans-serif" '
            f'font-size="11">{words}</text>')


def picture(warps, title):
    first = min(begin for _, begin, _ in warps)
    scale = WIDTH / (max(end for _, _, end in warps) - first)
    height = TOP + ROW * len(warps) + 30
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{LEFT + WIDTH + 20}" '
             f'height="{height}" style="background: white">', text(LEFT, 20, title)]
    for row, (warp, begin, end) in enumerate(warps):
        y = TOP + ROW * row
        x, length = LEFT + (begin - first) * scale, (end - begin) * scale
        lines.append(text(LEFT - 8, y + BAR, f"warp {warp}", "end"))
        lines.append(f'<rect x="{x:.1f}" y="{y}" width="{length:.1f}" height="{BAR}" '
                     f'fill="#4477aa"><title>{begin} to {end}</title></rect>')
    bottom = TOP + ROW * len(warps) + 16
    lines.append(text(LEFT, bottom, f"cycle {first}"))
    lines.append(text(LEFT + WIDTH, bottom, f"{max(end for _, _, end in warps)}", "end"))
    return "\n".join(lines + ["</svg>", ""])


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lifetimes", type=argparse.FileType())
    parser.add_argument("--launch", type=int, default=0)
    parser.add_argument("--block", type=int, default=0)
    parser.add_argument("-o", dest="output", type=argparse.FileType("w"), default=sys.stdout)
    arguments = parser.parse_args()
    warps = warps_of(arguments.lifetimes, arguments.launch, arguments.block)
    if not warps:
        sys.exit(f"there is no block {arguments.block} in launch {arguments.launch}")
    title = (f"block {arguments.block}: temporal underutilisation "
             f"{100 * underutilisation(warps):.1f} %")
    arguments.output.write(picture(warps, title))


if __name__ == "__main__":
    main()
