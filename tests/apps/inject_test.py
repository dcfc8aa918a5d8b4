#!/usr/bin/env python3
"""Tests `heddle inject`: its table, its JSON and its messages."""

import json
import os
import pty
import signal
import subprocess
import sys
import unittest

from program import ProgramTest, heddle

MACHINE = ["--machine", "uniform", "--set", "chip.sms=2", "--set", "redundancy.policy=token",
           "--set", "redundancy.detect_errors=yes"]
OUTCOMES = ["detected", "corrected", "avoided", "masked", "silent", "failed"]


class Inject(ProgramTest):
    def test_prints_a_row_for_each_place(self):
        out = self.works("inject", "reduction", *MACHINE, "--faults", 10)
        lines = out.splitlines()
        self.assertRegex(lines[0], r"^reduction \(tiny\) on uniform: \d+ cycles in \d+ launch")
        head, *rows = lines[2:]
        self.assertEqual(head.split()[:8], ["INTO", "FAULTS", *map(str.upper, OUTCOMES)])
        self.assertEqual([row.split()[0] for row in rows],
                         ["lanes", "registers", "scalars", "entries"])
        for row in rows:
            numbers = [int(cell) for cell in row.split()[1:8]]
            self.assertEqual(numbers[0], 10)
            self.assertEqual(sum(numbers[1:]), 10)

    def test_json_has_every_fault_and_agrees_with_the_counters(self):
        path = self.folder / "faults.json"
        self.works("inject", "hotspot", *MACHINE, "--faults", 30, "--into", "lanes", "--seed", 7,
                   "--json", path)
        result = json.loads(path.read_text())
        self.assertEqual((result["schema"], result["seed"]), ("heddle-faults-1", 7))
        site, = result["sites"]
        self.assertEqual(site["into"], "lanes")
        self.assertEqual(len(site["runs"]), 30)
        for outcome in OUTCOMES:
            count = sum(run["outcome"] == outcome for run in site["runs"])
            self.assertEqual(site["outcomes"][outcome], count)
        share = sum(site["outcomes"][each] for each in ("detected", "corrected", "avoided")) / 30
        self.assertAlmostEqual(site["protected"]["share"], share)
        self.assertLess(site["protected"]["low"], share)
        self.assertGreater(site["protected"]["high"], share)

        clean = self.folder / "run.json"
        self.works("run", "hotspot", "--size", "tiny", *MACHINE, "--json", clean)
        totals = json.loads(clean.read_text())["totals"]
        counters = totals["counters"]
        self.assertEqual(site["moments"], counters["redundancy.errors.operations"])
        self.assertAlmostEqual(site["claimed"], counters["redundancy.errors.protected_operations"] /
                               counters["redundancy.errors.operations"])
        self.assertEqual(result["cycles"], totals["cycles"])

    def test_result_does_not_depend_on_jobs_but_on_seeds(self):
        def result(*options):
            return self.works("inject", "reduction", *MACHINE, "--faults", 8, "--into", "registers",
                              "--json", "-", *options)
        one = result("--jobs", 1)
        self.assertEqual(result("--jobs", 3), one)
        self.assertNotEqual(result("--jobs", 1, "--seed", 2), one)

    def test_place_without_anything_to_hit_is_reported(self):
        out = self.works("inject", "reduction", *MACHINE, "--set", "redundancy.reuse_entries=0",
                         "--faults", 5, "--into", "entries")
        self.assertIn("nothing to hit", out.splitlines()[-1])

    def test_refuses_machines_without_error_detection(self):
        self.fails(heddle("inject", "reduction", "--machine", "uniform"),
                   "redundancy.policy 'none' detects no errors",
                   "choose 'token' or 'scalar-file', with redundancy.detect_errors=yes")
        self.fails(heddle("inject", "reduction", "--machine", "uniform", "--set",
                          "redundancy.policy=token"), "set redundancy.detect_errors=yes")

    def test_refuses_wrong_options(self):
        self.fails(heddle("inject", "reductoin", *MACHINE), "did you mean 'reduction'?")
        self.fails(heddle("inject", "reduction"), "--machine", "heddle list machines")
        self.fails(heddle("inject", "reduction", *MACHINE, "--into", "caches"), "--into", "'caches'",
                   "lanes, registers, scalars, entries, all")
        self.fails(heddle("inject", "reduction", *MACHINE, "--faults", 0), "--faults 0")
        self.fails(heddle("inject", "reduction", *MACHINE, "--jobs", "many"), "--jobs many")
        self.fails(heddle("inject", "reduction", *MACHINE, "--size", "huge"), "huge")
        self.fails(heddle("inject", "reduction", *MACHINE, "--json", "/dev/null/x.json"), "x.json")

    def test_interrupt_ends_a_campaign_without_results(self):
        path = self.folder / "faults.json"
        # The progress line appears on a terminal only.
        terminal, standard_error = pty.openpty()
        campaign = subprocess.Popen([self.HEDDLE, "inject", "reduction", *MACHINE, "--faults",
                                     "100000", "--json", path], stderr=standard_error)
        os.close(standard_error)
        errors = b""
        while b"of 400000 faults" not in errors:
            errors += os.read(terminal, 1000)
        campaign.send_signal(signal.SIGINT)
        self.assertEqual(campaign.wait(timeout=60), 130)
        while b"no results" not in errors:
            errors += os.read(terminal, 1000)
        os.close(terminal)
        self.assertRegex(errors.decode(), r"interrupted after \d+ faults; no results")
        self.assertFalse(path.exists())


if __name__ == "__main__":
    ProgramTest.HEDDLE = sys.argv.pop(1)
    unittest.main()
