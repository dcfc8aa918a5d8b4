#!/usr/bin/env python3
"""Tests programs side by side on one chip."""

import json
import sys
import unittest

from program import ProgramTest, heddle

MACHINE = ["--machine", "ilp", "--set", "chip.sms=4"]
PAIR = "spmv:tiny+nearest-neighbour:tiny:7"

GROUPS = """based_on = "ilp"
summary = "two kinds"
[chip]
sms = 6
[dispatch]
policy = "steered"
few_warps_group = "big"
[group.big]
sms = 2
[group.big.dependence]
policy = "scoreboard"
"""


class SideBySide(ProgramTest):
    def result(self, *arguments):
        """The JSON of 'heddle run' with these arguments."""
        return json.loads(self.works("run", *arguments, "--json", "-"))

    def rejects(self, why, *arguments):
        """Asserts that 'heddle run' with these arguments fails with `why` in the message."""
        self.fails(heddle("run", *arguments), why)

    def test_results_do_not_depend_on_host_threads(self):
        for policy in ("breadth-first", "even-split"):
            one, two, four = (
                self.works("run", PAIR, *MACHINE, "--set", f"dispatch.policy={policy}", "--energy",
                           "--threads", threads, "--json", "-") for threads in (1, 2, 4))
            self.assertEqual(one, two)
            self.assertEqual(one, four)

    def test_slowdowns_are_relative_to_plain_runs(self):
        both = self.result(PAIR, *MACHINE)
        alone = [self.result("spmv", "--size", "tiny", *MACHINE),
                 self.result("nearest-neighbour", "--size", "tiny", "--seed", 7, *MACHINE)]
        self.assertTrue(both["verified"])
        speedups = []
        for program, plain in zip(both["programs"], alone):
            self.assertEqual(program["alone"]["cycles"], plain["totals"]["cycles"])
            self.assertEqual(program["alone"]["ipc"], plain["totals"]["ipc"])
            self.assertGreaterEqual(program["runs_completed"], 1)
            for run in program["runs"]:
                self.assertEqual(run["thread_instructions"], plain["thread_instructions"])
                self.assertEqual(run["launches"], len(plain["launches"]))
            speedups.append(program["ipc"] / plain["totals"]["ipc"])
        self.assertAlmostEqual(both["weighted_speedup"], sum(speedups) / 2)
        self.assertAlmostEqual(both["harmonic_speedup"],
                               2 / (1 / speedups[0] + 1 / speedups[1]))
        self.assertAlmostEqual(both["fairness"], min(speedups) / max(speedups))
        self.assertEqual(both["totals"]["counters"]["sm.warp_instructions"],
                         sum(program["warp_instructions"] for program in both["programs"]))

    def test_energy_of_programs_adds_up_to_the_total(self):
        both = self.result(PAIR, *MACHINE, "--energy", "--no-alone")
        total = both["totals"]["energy"]["total_joules"]
        self.assertAlmostEqual(sum(program["joules"] for program in both["programs"]) / total, 1)
        self.assertNotIn("weighted_speedup", both)
        self.assertNotIn("alone", both["programs"][0])

    def test_results_of_groups_add_up(self):
        machine = self.folder / "two.toml"
        machine.write_text(GROUPS)
        for arguments in ((PAIR, "--no-alone"), ("spmv", "--size", "tiny")):
            totals = self.result(*arguments, "--machine", machine, "--energy",
                                 "published-40nm")["totals"]
            self.assertEqual([group["name"] for group in totals["groups"]], ["big", None])
            for name in ("sm.warp_instructions", "l1.hits", "scheduler.selected"):
                self.assertEqual(totals["counters"][name],
                                 sum(group["counters"][name] for group in totals["groups"]))
            self.assertAlmostEqual(sum(group["ipc"] for group in totals["groups"]), totals["ipc"])
            for group in totals["groups"]:
                self.assertGreater(group["energy"]["total_joules"], 0)
        report = self.works("run", PAIR, "--machine", machine)
        self.assertIn("2 'big'", report)
        self.assertIn("4 others", report)
        shown = self.works("show", machine)
        self.assertIn("big", shown)

    def test_report_has_both_programs(self):
        report = self.works("run", PAIR, *MACHINE, "--energy")
        for text in ("program 1: spmv, size tiny, seed 1", "program 2: nearest-neighbour, size tiny, seed 7",
                     "slowdown", "weighted", "fairness", "uJ per run", "passed"):
            self.assertIn(text, report)

    def test_rejects_invalid_options(self):
        self.rejects("unknown workload 'nosuch'", "spmv+nosuch", *MACHINE)
        self.rejects("unknown workload ''", "spmv+", *MACHINE)
        self.rejects("at most 8 can run side by side", "+".join(["spmv"] * 9), *MACHINE)
        self.rejects("unknown size 'tinny'", "spmv:tinny+spmv", *MACHINE)
        self.rejects("--machine", "spmv+spmv")
        self.rejects("--ptx", PAIR, *MACHINE, "--ptx", "x.ptx")
        self.rejects("--picture", PAIR, *MACHINE, "--picture", "x.png")
        self.rejects("--lifetimes", PAIR, *MACHINE, "--lifetimes", self.folder / "x.csv")
        self.rejects("--sample", PAIR, *MACHINE, "--sample", 100)
        self.rejects("--counters each", PAIR, *MACHINE, "--counters", "each", "--json", "-")
        self.rejects("--no-alone", "spmv", *MACHINE, "--no-alone")
        self.rejects("no group 'none'", PAIR, *MACHINE, "--set", "dispatch.policy=steered", "--set",
                     "dispatch.few_warps_group=none")
        self.rejects("program 2 (nearest-neighbour)", PAIR, "--machine", "ilp", "--set", "chip.sms=1",
                     "--set", "dispatch.policy=even-split")

    def test_fault_names_its_program(self):
        result = heddle("run", PAIR, *MACHINE, "--max-instructions", 20)
        self.assertEqual(result.returncode, 3, result.stdout)
        self.assertRegex(result.stderr, r"program [12] \((spmv|nearest-neighbour)\): kernel ")

    def test_experiment_has_programs_side_by_side_as_rows(self):
        study = self.folder / "pairs.toml"
        study.write_text("""title = "pairs"
machine = "ilp"
size = "tiny"
set = ["chip.sms=4"]
workloads = ["spmv+nearest-neighbour", "n-queens+nearest-neighbour"]
[metric]
name = "(program.1.ipc / program.1.alone.ipc + program.2.ipc / program.2.alone.ipc) / 2"
[[variant]]
name = "shared"
[[variant]]
name = "split"
set = ["dispatch.policy=even-split"]
[[alone]]
set = ["chip.sms=3"]
[[alone]]
""")
        self.works("experiment", study, "--store", self.folder / "store", "-o", self.folder)
        report = json.loads((self.folder / "pairs.json").read_text())
        both = self.result("spmv:tiny+nearest-neighbour:tiny", *MACHINE)
        alone = self.result("spmv", "--size", "tiny", "--machine", "ilp", "--set", "chip.sms=3")
        expected = (both["programs"][0]["ipc"] / alone["totals"]["ipc"] +
                    both["programs"][1]["ipc"] / both["programs"][1]["alone"]["ipc"]) / 2
        row = report["rows"][0]
        self.assertEqual(row["workload"], "spmv+nearest-neighbour")
        self.assertAlmostEqual(next(iter(row["values"].values()))
                               if isinstance(row["values"], dict) else row["values"][0], expected)

    def test_experiment_has_the_energy_of_the_run(self):
        machine = self.folder / "two.toml"
        machine.write_text(GROUPS)
        study = self.folder / "energy.toml"
        study.write_text(f"""title = "energy"
technology = "published-40nm"
size = "tiny"
workloads = ["spmv+nearest-neighbour"]
[metric]
name = "program.1.joules_per_run"
[[variant]]
name = "one kind"
machine = "ilp"
set = ["chip.sms=4"]
[[variant]]
name = "two kinds"
machine = "{machine}"
[chart]
kind = "stacked"
[[part]]
name = "first"
metric = "program.1.joules_per_run"
[[part]]
name = "second"
metric = "program.2.joules_per_run"
""")
        self.works("experiment", study, "--store", self.folder / "store", "-o", self.folder)
        row = json.loads((self.folder / "energy.json").read_text())["rows"][0]
        for variant, arguments in (("one kind", MACHINE), ("two kinds", ["--machine", machine])):
            run = self.result("spmv:tiny+nearest-neighbour:tiny", *arguments, "--energy", "published-40nm")
            expected = [program["joules_per_run"] for program in run["programs"]]
            self.assertGreater(min(expected), 0)
            self.assertEqual(list(row["parts"][variant].values()), expected)

    def test_experiment_rejects_metrics_that_programs_lack(self):
        study = self.folder / "pairs.toml"
        head = 'title = "t"\nmachine = "ilp"\nsize = "tiny"\n[[variant]]\nname = "v"\n'
        for rows, metric, more, why in (
                ('["spmv+nearest-neighbour"]', "program.3.ipc", "", "program.3.ipc"),
                ('["spmv"]', "weighted_speedup", "", "weighted_speedup"),
                ('["spmv+nearest-neighbour"]', "ipc", "[[alone]]\n", "one for each"),
                ('["spmv+nosuch"]', "ipc", "", "nosuch")):
            study.write_text(f'workloads = {rows}\n{head}{more}[metric]\nname = "{metric}"\n')
            self.fails(heddle("experiment", study, "--store", self.folder / "store"), why)


if __name__ == "__main__":
    ProgramTest.HEDDLE = sys.argv.pop(1)
    unittest.main()
