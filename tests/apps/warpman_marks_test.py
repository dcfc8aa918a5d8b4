#!/usr/bin/env python3
"""What is taken from a run to be held against the programs of warpman's paper."""

import io
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
import warpman_marks as marks  # noqa: E402

HEAD = "launch,kernel,block,warp,sm,begin,end\n"


def lifetimes(*rows):
    return io.StringIO(HEAD + "".join(f"{launch},k,{block},{warp},0,{begin},{end}\n"
                                      for launch, block, warp, begin, end in rows))


def result(**counters):
    kernel = {"cycles": 10, "paper": {"source": "warpman Table 2"},
              "occupancy": {"registers_per_thread": 24, "warps_per_block": 8, "blocks_per_sm": 5}}
    other = {"cycles": 90, "paper": None,
             "occupancy": {"registers_per_thread": 10, "warps_per_block": 1, "blocks_per_sm": 8}}
    none = {"l1.misses": 0, "l1.accesses": 0, "texture.misses": 0, "texture.accesses": 0,
            "dram.reads": 0, "dram.writes": 0, "dram.activations": 0}
    return {"kernels": [other, kernel], "machine": {"parameters": {"sm.registers": 32768}},
            "totals": {"counters": none | counters}}


class Underutilisation(unittest.TestCase):
    def test_is_what_is_lacking_to_the_longest_of_a_block(self):
        # (0 + 50 + 75 + 75) of 4 x 100, as warps that begin later are no longer for it.
        of = marks.temporal_underutilisation(lifetimes(
            (0, 0, 0, 0, 100), (0, 0, 1, 0, 50), (0, 0, 2, 10, 35), (0, 0, 3, 0, 25)))
        self.assertEqual(of, [0.5])

    def test_is_of_each_block_of_each_launch(self):
        of = marks.temporal_underutilisation(lifetimes(
            (0, 0, 0, 0, 100), (0, 0, 1, 0, 50), (0, 1, 0, 0, 7), (1, 0, 0, 0, 8), (1, 0, 1, 0, 8)))
        self.assertEqual(of, [0.25, 0, 0])

    def test_has_a_geometric_mean_though_a_block_has_none(self):
        self.assertAlmostEqual(marks.geometric_mean([0.1, 0.4]), 0.2)
        self.assertAlmostEqual(marks.geometric_mean([0.1, 0]), 0.01)


class Marks(unittest.TestCase):
    def test_are_of_the_kernel_that_the_paper_is_about(self):
        of = marks.marks(result(), lifetimes((0, 0, 0, 0, 1)))
        self.assertEqual(of["blocks"], 5)
        # The example of the paper's section 4: 30720 of 32768 registers.
        self.assertEqual(of["unused_registers"], 2048 / 32768)

    def test_are_shares_of_accesses_where_there_are_any(self):
        of = marks.marks(result(**{"l1.misses": 3, "l1.accesses": 4, "dram.reads": 40,
                                   "dram.writes": 10, "dram.activations": 2}),
                         lifetimes((0, 0, 0, 0, 1)))
        self.assertEqual((of["l1_misses"], of["texture_misses"]), (0.75, None))
        self.assertEqual(of["accesses_an_activation"], 25)


if __name__ == "__main__":
    unittest.main()
