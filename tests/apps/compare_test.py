#!/usr/bin/env python3
"""Tests 'heddle compare': what differs between two results, and in which order.

Usage: compare_test.py HEDDLE
"""

import copy
import json
import sys
import unittest

from program import ProgramTest, heddle


def counts(cycles, instructions, slots, counters):
    return {"cycles": cycles, "warp_instructions": instructions, "issue_slots": {"nsight": slots},
            "counters": counters}


COUNTERS = {"l1.hits": 1000, "l1.misses": 500, "dram.reads": 0, "rare.events": 1, "same": 7}
RUN = {
    "schema": "heddle-run-3", "workload": "bfs", "size": "tiny", "seed": 1,
    "machine": {"name": "one", "parameters": {"l1.bytes": 16384, "schedule.policy": "round-robin"}},
    "totals": counts(100, 4000, {"selected": 50, "wait": 50}, COUNTERS),
    "kernels": [{"name": "first", "block": [64, 1, 1], **counts(60, 2000, {"selected": 1}, {})},
                {"name": "second", "block": [8, 8, 1], **counts(40, 2000, {"selected": 1}, {})}],
}


class Compare(ProgramTest):
    def write(self, name, run):
        file = self.folder / name
        file.write_text(json.dumps(run))
        return file

    def changed(self):
        """A copy of RUN in which some values differ."""
        run = copy.deepcopy(RUN)
        run["machine"]["parameters"]["l1.bytes"] = 65536
        run["totals"].update(counts(80, 4000, {"selected": 40, "wait": 20, "barrier": 20},
                                    {**COUNTERS, "l1.hits": 1200, "l1.misses": 100, "dram.reads": 9,
                                     "rare.events": 3}))
        run["kernels"][0]["cycles"] = 65
        run["kernels"][1]["cycles"] = 15
        return run

    def compare(self, before, after, *options):
        files = self.write("a.json", before), self.write("b.json", after)
        return self.works("compare", *files, *options)

    def difference(self, *options):
        return json.loads(self.compare(RUN, self.changed(), "--json", "-", *options))

    def test_parameters_that_differ_are_shown_with_both_values(self):
        self.assertEqual(self.difference()["parameters"], [{"name": "l1.bytes", "a": "16384", "b": "65536"}])

    def test_shares_of_issue_slots_are_in_the_order_of_their_difference(self):
        slots = self.difference()["issue_slot_shares"]
        # Of 100 slots and of 80.
        self.assertEqual([(slot["name"], slot["a"], slot["b"]) for slot in slots],
                         [("barrier", 0, 0.25), ("wait", 0.5, 0.25)])

    def test_kernels_are_in_the_order_of_their_cycles(self):
        self.assertEqual(self.difference()["kernel_cycles"],
                         [{"name": "second, blocks of 8x8", "a": 40, "b": 15},
                          {"name": "first, blocks of 64", "a": 60, "b": 65}])

    def test_counters_are_in_the_order_of_their_ratio_and_rare_ones_come_last(self):
        # A thousandth of the warp instructions is 4; rare.events stays below.
        self.assertEqual([counter["name"] for counter in self.difference()["counters"]],
                         ["dram.reads", "l1.misses", "l1.hits", "rare.events"])

    def test_text_shows_changes(self):
        text = self.compare(RUN, self.changed())
        for line in (r"cycles +100 +80 +-20\.0 %", r"IPC of warps +40 +50 +\+25\.0 %", r"dram\.reads +0 +9 +new",
                     r"wait +50\.0 % +25\.0 % +-25\.0 points", r"A: .*a\.json: bfs, size tiny, seed 1"):
            self.assertRegex(text, line)

    def test_equal_results_have_no_difference(self):
        text = self.compare(RUN, RUN)
        self.assertIn("The machines are the same.", text)
        self.assertRegex(text, r"cycles +100 +100 +same")
        self.assertNotIn("COUNTER", text)

    def test_without_all_fifteen_counters_are_shown(self):
        before, after = copy.deepcopy(RUN), copy.deepcopy(RUN)
        for i in range(20):
            before["totals"]["counters"][f"c{i:02}"] = 100
            after["totals"]["counters"][f"c{i:02}"] = 101 + i
        self.assertIn("and 5 more; --all shows them", self.compare(before, after))
        text = self.compare(before, after, "--all")
        self.assertNotIn("more;", text)
        self.assertIn("c00", text)

    def test_real_results_are_read(self):
        files = [self.folder / f"{name}.json" for name in ("a", "b")]
        for file, size in zip(files, ("16K", "64K")):
            self.works("run", "spmv", "--size", "tiny", "--machine", "storage", "--set", f"l1.bytes={size}",
                       "--energy", "--json", file)
        text = self.works("compare", *files)
        self.assertRegex(text, r"l1\.bytes +16384 +65536")
        self.assertIn("energy", text)

    def test_a_run_without_cycles_is_refused(self):
        functional = self.folder / "f.json"
        self.works("run", "spmv", "--size", "tiny", "--json", functional)
        self.fails(heddle("compare", functional, functional), "has no cycles")

    def test_broken_files_are_refused(self):
        good = self.write("good.json", RUN)
        self.fails(heddle("compare", good, self.folder / "absent.json"), "absent.json")
        for text in ("", "{", "[]", "3", "{}", '{"kernels": 1, "totals": 2}', '{"kernels": [], "totals": {"cycles": "x"}}',
                     '{"result": {"kernels": [], "totals": {}}}', "[" * 100000,
                     json.dumps({**RUN, "kernels": [{"name": 5}]}), json.dumps({**RUN, "machine": None})):
            bad = self.folder / "bad.json"
            bad.write_text(text)
            self.fails(heddle("compare", good, bad), "bad.json", "no result")


if __name__ == "__main__":
    ProgramTest.HEDDLE = sys.argv.pop(1)
    unittest.main()
