#!/usr/bin/env python3
"""Tests the page about warps of a block that end apart: its counts, and the microbenchmark on 'warpman'."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools/pages"))
import warp_divergence as page  # noqa: E402

HEDDLE = None

TRACE = """# heddle-trace-2, cycles of the core's clock
       100 sm0     w0        pc0 start            -                  block=3 static_warp=0 static_warps=1
       100 sm0     w1        pc0 start            -                  block=3 static_warp=1 static_warps=1
       100 sm1     w0        pc0 start            -                  block=4 static_warp=0 static_warps=1
       101 sm0     w0        pc0 issue            -                  lanes=32 passes=1
       102 sm0     w0        pc1 issue            -                  lanes=32 passes=1
       103 sm1     w0        pc0 issue            -                  lanes=32 passes=1
       104 sm0     w0        pc1 end              -
       110 sm0     w0        pc0 start            -                  block=5 static_warp=0 static_warps=1
       111 sm0     w0        pc0 issue            -                  lanes=32 passes=1
       112 sm0     w0        pc0 texture_miss     -                  line=0x10 sectors=0x1
# end
"""


def lifetime(sm, block, begin, end):
    return {"sm": sm, "block": block, "begin": begin, "end": end}


class Counts(unittest.TestCase):
    def test_most_at_once_counts_blocks_of_one_multiprocessor(self):
        # Two warps of block 0 span 0 to 30. Block 1 begins when it ends, block 2 before.
        rows = [lifetime(0, 0, 0, 10), lifetime(0, 0, 0, 30), lifetime(0, 1, 30, 40), lifetime(0, 2, 29, 40),
                lifetime(1, 3, 0, 40), lifetime(1, 4, 50, 60)]
        self.assertEqual(page.most_at_once(rows), 2)

    def test_events_count_for_the_warp_that_started_last_in_the_slot(self):
        counts = page.counts_by_warp(TRACE.splitlines(), ["issue", "texture_miss"])
        self.assertEqual({warp: dict(count) for warp, count in counts.items()},
                         {(0, 3, 0): {"issue": 2}, (1, 3, 1): {}, (2, 4, 0): {"issue": 1},
                          (3, 5, 0): {"issue": 1, "texture_miss": 1}})

    def test_a_range_excludes_its_lower_limit_and_includes_its_upper_one(self):
        self.assertEqual(page.share_between([500, 501, 1000, 1001], 500, 1000), 0.5)
        self.assertEqual(page.share_between([500, 501, 1000, 1001], 1000, None), 0.25)

    def test_shares_agree_within_ten_points_or_half_the_distance_to_an_end(self):
        self.assertTrue(page.agrees(70.1, 80.1))
        self.assertFalse(page.agrees(70.1, 80.2))
        self.assertTrue(page.agrees(6.4, 9.6))
        self.assertFalse(page.agrees(6.4, 9.7))


class Microbenchmark(unittest.TestCase):
    """On 'warpman' with 32 registers per thread (section 2): 4 blocks of 8 warps have all registers, and 1 of 32
    warps. Each block keeps one warp, so by warps the limit is that of blocks, or 32 warps of 1024 registers."""

    def at_once(self, threads, blocks, *settings):
        return page.most_at_once(page.lifetimes(HEDDLE, page.microbenchmark_command(threads, blocks, settings)))

    def test_blocks_with_all_their_registers_are_resident_by_blocks(self):
        self.assertEqual(self.at_once(256, 120), 4)
        self.assertEqual(self.at_once(1024, 30), 1)

    def test_blocks_with_one_warp_each_are_resident_by_warps(self):
        for policy in ("partial-block", "partial-block-reuse", "warp-release"):
            with self.subTest(policy):
                self.assertEqual(self.at_once(256, 240, f"residency.policy={policy}"), 8)
        self.assertEqual(self.at_once(1024, 240, "residency.policy=partial-block"), 8)

    def test_registers_limit_warps_if_the_number_of_blocks_does_not(self):
        self.assertEqual(self.at_once(256, 600, "residency.policy=partial-block", "sm.blocks=48"), 32)


if __name__ == "__main__":
    HEDDLE = sys.argv.pop(1)
    unittest.main()
