#!/usr/bin/env python3
"""Tests the picture of the lifetimes of a block's warps."""

import io
import pathlib
import sys
import unittest
import xml.etree.ElementTree as xml

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools/pages"))
import warp_lifetimes as drawn  # noqa: E402

LIFETIMES = """launch,kernel,block,warp,sm,begin,end
0,k,0,1,0,100,150
0,k,0,0,0,100,300
0,k,1,0,1,100,120
1,k,0,0,0,7,9
"""


class Picture(unittest.TestCase):
    def warps(self):
        return drawn.warps_of(io.StringIO(LIFETIMES), 0, 0)

    def test_shows_one_block_of_one_launch(self):
        self.assertEqual(self.warps(), [(0, 100, 300), (1, 100, 150)])

    def test_has_a_bar_for_each_warp_from_begin_to_end(self):
        picture = xml.fromstring(drawn.picture(self.warps(), "block 0"))
        bars = picture.findall("{http://www.w3.org/2000/svg}rect")
        self.assertEqual([float(bar.get("width")) for bar in bars],
                         [drawn.WIDTH, drawn.WIDTH / 4])
        self.assertEqual({float(bar.get("x")) for bar in bars}, {drawn.LEFT})

    def test_states_the_underutilisation(self):
        # Of 2 warps times 200 cycles, the warps use 200 + 50.
        self.assertEqual(drawn.underutilisation(self.warps()), 1 - 250 / 400)


if __name__ == "__main__":
    unittest.main()
