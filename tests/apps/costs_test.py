#!/usr/bin/env python3
"""What a machine costs, as a user meets it: its storage and its area."""

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
    def storage(self, *words):
        return json.loads(self.works("list", "storage", "--json", "-", "--machine", *words))

    def test_storage_is_listed_with_bits_formula_and_source(self):
        text = self.works("list", "storage", "--machine", "warpman", "--set",
                          "sm.residency=partial-block")
        self.assertRegex(text, r"\nworkload_buffer +40 +15 multiprocessors +"
                               r"bits\(sm\.blocks\) \+ 26 \+ 2 \* bits\(32\) \+ 1 +.*section 4\.2\n")
        self.assertRegex(text, r"\nl2 +\d+ +6 partitions +8 \* l2\.bytes \* l2\.present +")

    def test_what_is_listed_adds_up_to_the_chip(self):
        text = self.works("list", "storage", "--machine", "preexec")
        rows = re.findall(r"^\w+ +(\d+) +(\d+) (?:multiprocessor|partition|chip)s?\b", text, re.MULTILINE)
        *arrays, (total, one) = [(int(bits), int(places)) for bits, places in rows]
        self.assertEqual(one, 1)
        self.assertGreater(len(arrays), 8)
        self.assertEqual(sum(bits * places for bits, places in arrays), total)
        told = self.storage("preexec")
        self.assertEqual(told["bits"], total)
        self.assertEqual(sum(one["bits"] * one["places"] for one in told["storage"]), total)

    def test_what_nobody_knows_is_named(self):
        settings = ("large-warps", "--set", "divergence.policy=dynamic-formation", "--set",
                    "schedule.policy=majority")
        pool, = [one for one in self.storage(*settings)["storage"] if one["name"] == "warp_pool"]
        self.assertIsNone(pool["bits"])
        self.assertRegex(self.works("list", "storage", "--machine", *settings),
                         r"\nwarp_pool +no figure: in no sum +1 multiprocessor +")

    def test_an_experiment_can_claim_bits(self):
        study = self.folder / "study.toml"
        study.write_text(STUDY)
        self.works("experiment", study, "--store", study.with_suffix(".sqlite"), "-o", self.folder)
        claim, = json.loads(study.with_suffix(".json").read_text())["claims"]
        self.assertEqual((claim["measured"], claim["holds"]), (768, True))

    def test_area_is_listed_by_part_and_adds_up(self):
        text = self.works("list", "area", "--machine", "ilp")
        self.assertRegex(text, r"\nmultiprocessor +11\.823000 +30 multiprocessors +354\.690000 +")
        self.assertRegex(text, r"\nbypass +0\.000000 +0 multiprocessors +0\.000000 +8 of 0\.028 ")
        self.assertRegex(text, r"\nscalar_register_file +- +no machine .* 0\.000000 +0\.005 +Table 2: ")
        told = json.loads(self.works("list", "area", "--machine", "ilp", "--json", "-"))
        self.assertEqual((told["technology"], told["chip"]), ("simt-40nm", 354.69))
        self.assertEqual(round(1e6 * sum(part["of_chip"] for part in told["parts"])),
                         round(1e6 * told["chip"]))
        self.works("list", "area", "--machine", "ilp", "--technology", "preexec-40nm")
        self.fails(heddle("list", "area", "--machine", "warpman"), "published-40nm", "[[area]]")
        self.fails(heddle("list", "area"), "--machine")

    def test_wrong_use_is_exit_code_2(self):
        self.fails(heddle("list", "storage"), "--machine")
        self.fails(heddle("list", "storage", "--machine", "preexce"), "did you mean 'preexec'?")


if __name__ == "__main__":
    ProgramTest.HEDDLE = sys.argv.pop(1)
    unittest.main()
