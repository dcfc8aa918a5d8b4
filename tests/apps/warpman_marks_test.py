#!/usr/bin/env python3
"""Tests the figures of a run that are compared with the programs of warpman's paper."""

import io
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools/pages"))
import warpman_marks as marks  # noqa: E402

HEAD = "launch,kernel,block,warp,sm,begin,end\n"


def lifetimes(*rows):
    return io.StringIO(HEAD + "".join(f"{launch},k,{block},{warp},0,{begin},{end}\n"
                                      for launch, block, warp, begin, end in rows))


NO_ACCESSES = {"l1.misses": 0, "l1.accesses": 0, "texture.misses": 0, "texture.accesses": 0,
               "dram.reads": 0, "dram.writes": 0, "dram.activations": 0}


def kernel(name, cycles, registers, paper="warpman Table 2", **counters):
    return {"name": name, "cycles": cycles, "thread_instructions": 8 * cycles,
            "paper": paper and {"source": paper}, "counters": NO_ACCESSES | counters,
            "occupancy": {"registers_per_thread": registers, "warps_per_block": 8,
                          "blocks_per_sm": 5}}


def result(*kernels):
    return {"kernels": kernels, "machine": {"parameters": {"sm.registers": 32768}}}


class Underutilisation(unittest.TestCase):
    def test_is_relative_to_the_longest_warp_of_a_block(self):
        # The idle cycles are 0 + 50 + 75 + 75 of 4 x 100. A lifetime's length counts, not its
        # begin.
        ratios = marks.temporal_underutilisation(lifetimes(
            (0, 0, 0, 0, 100), (0, 0, 1, 0, 50), (0, 0, 2, 10, 35), (0, 0, 3, 0, 25)), {"k"})
        self.assertEqual(ratios, [0.5])

    def test_is_computed_for_each_block_of_each_launch(self):
        ratios = marks.temporal_underutilisation(lifetimes(
            (0, 0, 0, 0, 100), (0, 0, 1, 0, 50), (0, 1, 0, 0, 7), (1, 0, 0, 0, 8), (1, 0, 1, 0, 8)),
            {"k"})
        self.assertEqual(ratios, [0.25, 0, 0])

    def test_geometric_mean_allows_zeros(self):
        self.assertAlmostEqual(marks.geometric_mean([0.1, 0.4]), 0.2)
        self.assertAlmostEqual(marks.geometric_mean([0.1, 0]), 0.01)


class Means(unittest.TestCase):
    def test_mean_left_over_is_the_mean_of_the_used_shares(self):
        self.assertAlmostEqual(marks.mean_left_over([0.19, 0.19]), 0.19)
        self.assertAlmostEqual(marks.mean_left_over([0, 0.75]), 0.5)

    def test_mean_of_the_papers_registers_equals_the_papers(self):
        # Section 3.1 prints 29.6 %.
        shares = [share / 100 for share in marks.UNUSED_REGISTERS.values()]
        self.assertAlmostEqual(marks.mean_left_over(shares), 0.296, places=3)


class Marks(unittest.TestCase):
    def test_use_only_kernels_of_the_paper(self):
        found = marks.marks(result(kernel("other", 90, 10, paper=None), kernel("short", 5, 20),
                                   kernel("k", 10, 24)),
                            lifetimes((0, 0, 0, 0, 1)))
        self.assertEqual(found["blocks"], 5)
        self.assertEqual(found["ipc"], 8)
        # The longest kernel uses 30720 of 32768 registers, as in the example of the paper's section
        # 4.
        self.assertEqual(found["unused_registers"], 2048 / 32768)

    def test_are_shares_of_accesses_if_there_are_any(self):
        found = marks.marks(
            result(kernel("k", 10, 24, **{"l1.misses": 3, "l1.accesses": 3, "dram.reads": 40,
                                          "dram.activations": 1}),
                   kernel("also", 5, 24, **{"l1.accesses": 1, "dram.writes": 10,
                                            "dram.activations": 1}),
                   kernel("other", 90, 10, paper=None, **{"l1.accesses": 99, "dram.reads": 99})),
            lifetimes((0, 0, 0, 0, 1)))
        self.assertEqual((found["l1_misses"], found["texture_misses"]), (0.75, None))
        self.assertEqual(found["accesses_an_activation"], 25)


if __name__ == "__main__":
    unittest.main()
