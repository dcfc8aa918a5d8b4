#!/usr/bin/env python3
"""Tests the lists of a machine's storage and area."""

import json
import re
import sys
import unittest

from program import ProgramTest, heddle

STUDY = """title = "What large warps store"
machine = "large-warps"
size = "tiny"
workloads = ["vector-add"]
[metric]
name = "storage.large_warp_mask + storage.large_warp_branch_masks"
[[variant]]
name = "large"
set = ["divergence.policy=large-warp"]
[[claim]]
id = "lw.cost"
text = "768 bits a core"
kind = "figure"
value = 768
within = 0
variant = "large"
"""


class Costs(ProgramTest):
    def storage(self, *arguments):
        """The JSON of the list of storage of a machine."""
        return json.loads(self.works("list", "storage", "--json", "-", "--machine", *arguments))

    def test_lists_storage_with_bits_formula_and_source(self):
        text = self.works("list", "storage", "--machine", "warpman", "--set",
                          "residency.policy=partial-block")
        self.assertRegex(text, r"\nworkload_buffer +40 +15 multiprocessors +"
                               r"bits\(sm\.blocks\) \+ 26 \+ 2 \* bits\(32\) \+ 1 +.*section 4\.2\n")
        self.assertRegex(text, r"\nl2 +\d+ +6 partitions +8 \* l2\.bytes \* l2\.present +")

    def test_listed_storage_adds_up_to_the_chip(self):
        text = self.works("list", "storage", "--machine", "preexec")
        rows = re.findall(r"^\w+ +(\d+) +(\d+) (?:multiprocessor|partition|chip)s?\b", text, re.MULTILINE)
        *arrays, (total, chips) = [(int(bits), int(places)) for bits, places in rows]
        self.assertEqual(chips, 1)
        self.assertGreater(len(arrays), 8)
        self.assertEqual(sum(bits * places for bits, places in arrays), total)
        listed = self.storage("preexec")
        self.assertEqual(listed["bits"], total)
        self.assertEqual(sum(one["bits"] * one["places"] for one in listed["storage"]), total)

    def test_unknown_storage_is_listed_without_bits(self):
        settings = ("large-warps", "--set", "divergence.policy=dynamic-formation", "--set",
                    "schedule.policy=majority")
        pool, = [one for one in self.storage(*settings)["storage"] if one["name"] == "warp_pool"]
        self.assertIsNone(pool["bits"])
        self.assertRegex(self.works("list", "storage", "--machine", *settings),
                         r"\nwarp_pool +no figure: not included +1 multiprocessor +")

    def test_experiment_can_claim_bits(self):
        study = self.folder / "study.toml"
        study.write_text(STUDY)
        self.works("experiment", study, "--store", study.with_suffix(".sqlite"), "-o", self.folder)
        claim, = json.loads(study.with_suffix(".json").read_text())["claims"]
        self.assertEqual((claim["measured"], claim["holds"]), (768, True))

    def test_lists_area_by_part(self):
        text = self.works("list", "area", "--machine", "ilp")
        self.assertRegex(text, r"\nmultiprocessor +11\.823000 +30 multiprocessors +354\.690000 +")
        self.assertRegex(text, r"\nbypass +0\.000000 +0 multiprocessors +0\.000000 +8 of 0\.028 ")
        self.assertRegex(text, r"\nscalar_register_file +0\.000000 +0 multiprocessors +0\.000000 +0\.005 +Table 2: ")
        listed = json.loads(self.works("list", "area", "--machine", "ilp", "--json", "-"))
        self.assertEqual((listed["technology"], listed["chip"]), ("simt-40nm", 354.69))
        self.assertEqual(round(1e6 * sum(part["of_chip"] for part in listed["parts"])),
                         round(1e6 * listed["chip"]))
        self.works("list", "area", "--machine", "ilp", "--technology", "preexec-40nm")
        self.fails(heddle("list", "area", "--machine", "warpman"), "published-40nm", "[[area]]")
        self.fails(heddle("list", "area"), "--machine")

    def test_rejects_wrong_use(self):
        self.fails(heddle("list", "storage"), "--machine")
        self.fails(heddle("list", "storage", "--machine", "preexce"), "did you mean 'preexec'?")


if __name__ == "__main__":
    ProgramTest.HEDDLE = sys.argv.pop(1)
    unittest.main()
