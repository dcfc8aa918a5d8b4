#!/usr/bin/env python3
"""Tests the energy of runs, of kernels, and of stored results."""

import csv
import io
import json
import re
import sys
import unittest

from program import ProgramTest, heddle

TINY = ["run", "vector-add", "--size", "tiny", "--machine"]
PICOJOULE = 1e-12

MINE = """summary = "a register file of my own"
node_nm = 40
volts = 0.9
based_on = "published-40nm"
[[energy]]
of = "register_file.read"
picojoules = 1000
source = "mine"
"""
STUDY = """title = "What DRAM takes"
machine = "storage"
technology = "storage-40nm"
size = "tiny"
workloads = ["vector-add"]
[metric]
name = "energy.dram / energy.total"
[[variant]]
name = "base"
"""


def picojoules(joules):
    return round(joules / PICOJOULE)


class Energy(ProgramTest):
    def file(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return path

    def totals(self, machine, *technology):
        """The totals in the JSON of a tiny run."""
        text = self.works(*TINY, machine, "--json", "-", "--energy", *technology)
        return json.loads(text)["totals"]

    def test_components_add_up_to_the_total(self):
        energy = self.totals("storage")["energy"]
        self.assertEqual(energy["technology"], "storage-40nm")
        parts = sum(picojoules(part["dynamic_joules"]) + picojoules(part["static_joules"])
                    for part in energy["components"])
        self.assertGreater(parts, 0)
        self.assertEqual(parts, picojoules(energy["total_joules"]))
        self.assertEqual((energy["missing"], energy["estimated"]), ([], []))

    def test_dram_energy_is_its_bits_times_the_figure(self):
        totals = self.totals("storage")
        dram, = [part for part in totals["energy"]["components"] if part["name"] == "dram"]
        self.assertEqual(picojoules(dram["dynamic_joules"]),
                         totals["counters"]["dram.data_bytes"] * 8 * 40)

    def components(self, *energy):
        """The components that the summary lists: their names and their shares in percent."""
        text = self.works(*TINY, "preexec", "--energy", *energy)
        lines = re.findall(r"^    ([a-z0-9 ]+?) +([\d.]+) %, (?:dynamic|\d+ components)", text, re.MULTILINE)
        return [(name, float(share)) for name, share in lines]

    def test_summary_lists_all_components_if_asked(self):
        energy = self.totals("preexec")["energy"]
        for choice in ("all", "preexec-40nm,all"):
            listed = self.components(choice)
            self.assertEqual({name.replace(" ", "_") for name, _ in listed},
                             {part["name"] for part in energy["components"]})
            shares = [share for _, share in listed]
            self.assertEqual(shares, sorted(shares, reverse=True))
            self.assertAlmostEqual(sum(shares), 100, delta=0.05 * len(shares))

    def test_summary_lists_large_components_and_the_sum_of_the_others(self):
        everything = self.components("all")
        large = [part for part in everything if part[1] >= 1]
        listed = self.components()
        self.assertGreater(len(everything), len(large))
        self.assertEqual(listed[:-1], large)
        name, share = listed[-1]
        self.assertEqual(name, "others")
        self.assertAlmostEqual(share, 100 - sum(part[1] for part in large), delta=0.05 * len(listed))

    def test_reports_the_chip_model_of_a_technology(self):
        model = self.totals("storage")["energy"]["chip_model"]
        self.assertGreater(model["register_joules"], 0)
        self.assertEqual(model["register_joules"], model["register_joules_in_main_file"])
        self.assertEqual((model["saved_of_chip"], model["saved_watts"], model["chip_watts"]), (0, 0, 130))
        self.assertRegex(self.works(*TINY, "storage", "--energy"),
                         r"\n +chip model +registers take 100\.0 % of .*: 0\.0 of 130 W\n")
        self.assertNotIn("chip_model", self.totals("warpman")["energy"])
        self.assertNotIn("chip model", self.works(*TINY, "warpman", "--energy"))

    def test_energy_changes_no_other_result(self):
        with_energy = json.loads(self.works(*TINY, "warpman", "--json", "-", "--energy"))
        without = json.loads(self.works(*TINY, "warpman", "--json", "-"))
        for part in [with_energy["totals"], *with_energy["kernels"]]:
            self.assertGreater(part.pop("energy")["total_joules"], 0)
        with_energy.pop("host"), without.pop("host")
        self.assertEqual(with_energy, without)

    def test_technology_can_be_a_file(self):
        mine = self.file("mine.toml", MINE)
        totals = self.totals("warpman", mine)
        part, = [one for one in totals["energy"]["components"] if one["name"] == "register_file"]
        counters = totals["counters"]
        self.assertEqual(picojoules(part["dynamic_joules"]),
                         counters["operands.reads"] * 1000 + counters["operands.writes"] * 88)

    def test_names_the_figures_that_a_technology_lacks(self):
        bare = self.file("bare.toml", MINE.replace('based_on = "published-40nm"\n', ""))
        energy = self.totals("warpman", bare)["energy"]
        self.assertIn("register_file.write", energy["missing"])
        self.assertIn("leakage of core", energy["missing"])
        self.assertEqual([part["name"] for part in energy["components"]], ["register_file"])
        self.assertRegex(self.works(*TINY, "warpman", "--energy", bare),
                         r"no figure +register_file\.write: not included\n")

    def test_exec_reports_energy(self):
        ptx = self.file("empty.ptx", ".version 8.0\n.target sm_75\n.address_size 64\n"
                                     ".visible .entry empty() { ret; }\n")
        text = self.works("exec", ptx, "--grid", 4, "--block", 64, "--machine", "preexec",
                          "--energy", "storage-40nm")
        self.assertRegex(text, r"\nenergy +[\d.]+ uJ by storage-40nm; ")

    def test_rejects_wrong_use(self):
        self.fails(heddle("run", "vector-add", "--energy"), "--energy", "--machine")
        self.fails(heddle(*TINY, "storage", "--energy", "storage-40mn"), "'storage-40nm'")
        machine = self.file("odd.toml", 'based_on = "storage"\n')
        self.fails(heddle(*TINY, machine, "--energy"), "'odd'", "published-40nm, simt-40nm")
        wrong = self.file("wrong.toml", MINE.replace("register_file.read", "register_file.raed"))
        self.fails(heddle(*TINY, "storage", "--energy", wrong), "wrong.toml:6:",
                   "did you mean 'register_file.read'?")

    def test_lists_technologies_and_their_figures_with_sources(self):
        self.assertRegex(self.works("list", "energies"), r"\nstorage-40nm +storage +40 nm, ")
        figures = self.works("list", "energies", "--technology", "storage-40nm")
        self.assertRegex(figures, r"\nregister_file.read +64 pJ +register of a warp +storage-40nm +"
                                  r"Table 4\.5: ")
        self.assertRegex(figures, r"\nfp32_units.operation +4\.089 pJ +operation of a lane +"
                                  r"published-40nm +Horowitz: ")
        self.assertRegex(figures, r"\nleakage of l1 +2\.37 mW +KB +")
        self.assertRegex(figures, r"\noperand_file.read +5\.6 pJ at 1 entry, 9\.6 pJ at 2 entries, ")
        self.assertRegex(figures, r"\nlast_result_wires.private +3\.04 pJ +register of a warp +")
        banks = self.works("list", "energies", "--technology", "storage-32nm")
        self.assertIn("40.8 pJ at 4 KB", banks)
        self.fails(heddle("list", "energies", "--technology", "storage"), "storage-40nm")
        self.fails(heddle("list", "machines", "--technology", "storage-40nm"), "--technology")

    def test_stored_results_get_energy_without_simulation(self):
        store, study = self.folder / "results.sqlite", self.file("study.toml", STUDY)
        plain = self.file("plain.toml", STUDY.replace('technology = "storage-40nm"\n', "")
                          .replace("energy.dram / energy.total", "cycles"))
        self.works("experiment", plain, "--store", store)
        out = self.folder / "out"
        self.assertIn("0 runs simulated",
                      self.works("experiment", study, "--store", store, "-o", out))
        report = json.loads((out / "study.json").read_text())
        self.assertEqual(report["technology"], "storage-40nm")
        value = report["rows"][0]["values"]["base"]
        exported = self.works("results", "export", "--store", store, "--csv", "-",
                              "--energy", "storage-40nm")
        line, = csv.DictReader(io.StringIO(exported))
        self.assertAlmostEqual(float(line["energy.dram"]) / float(line["energy.total"]), value)
        run = self.totals("storage")["energy"]
        self.assertAlmostEqual(float(line["energy.total"]) / run["total_joules"], 1)
        self.assertAlmostEqual(float(line["power.average"]) / run["average_watts"], 1)
        self.fails(heddle("results", "export", "--store", store, "--json", "-", "--energy",
                          "storage-40nm"), "--csv")


if __name__ == "__main__":
    ProgramTest.HEDDLE = sys.argv.pop(1)
    unittest.main()
