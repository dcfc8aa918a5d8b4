#!/usr/bin/env python3
"""The golden record: that it has a line for every run, and that its tool tells what differs."""

import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

TOOLS = pathlib.Path(__file__).resolve().parent.parent.parent / "tools"
sys.path.insert(0, str(TOOLS))
import golden_record  # noqa: E402
from golden_record import Run  # noqa: E402

HEDDLE = None
SAMPLE = None

TWO_RUNS = "^vector-add tiny (preexec|warpman) -$"


def tool(*arguments):
    return subprocess.run([sys.executable, TOOLS / "golden_record.py", "--heddle", HEDDLE,
                           *map(str, arguments)], capture_output=True, text=True, timeout=300)


def counted(**counters):
    return [{"name": "add", "cycles": 100, "warp_instructions": 20, "thread_instructions": 640,
             "counters": counters}]


class TheCommittedRecord(unittest.TestCase):
    def test_has_a_line_for_every_run_and_no_other(self):
        recorded = set(golden_record.read_record(golden_record.RECORD))
        planned = set(golden_record.planned_runs(HEDDLE))
        advice = "./dev golden --write --only REGEX makes lines anew"
        self.assertEqual(sorted(planned - recorded), [], f"not in the record; {advice}")
        self.assertEqual(sorted(recorded - planned), [], f"no such runs; {advice}")

    def test_has_no_run_that_failed(self):
        record = golden_record.read_record(golden_record.RECORD)
        self.assertEqual([run for run, outcome in record.items() if outcome.cycles == "failed"], [])

    def test_is_sampled_with_every_workload_machine_and_variant(self):
        tiny = [run for run in golden_record.planned_runs(HEDDLE) if run.size == "tiny"]
        for what in (lambda run: run.workload, lambda run: (run.machine, run.settings)):
            self.assertEqual({what(run) for run in tiny[::SAMPLE]}, {what(run) for run in tiny},
                             "the tests' sample leaves some out: take one that has no factor in "
                             "common with the number of machines and variants")


class APlan(unittest.TestCase):
    def test_has_a_form_of_those_workloads_only_that_a_group_names(self):
        with tempfile.NamedTemporaryFile("w", suffix=".toml") as file:
            file.write("""
                sizes = ["tiny"]
                [[group]]
                grid = "resident"
                workloads = ["bfs", "needle"]
                machines = ["warpman"]
                set = ["chip.sms=2"]
                variants = [[], ["l1.present=no"]]
                """)
            file.flush()
            planned = golden_record.planned_runs(HEDDLE, pathlib.Path(file.name))
        self.assertEqual(
            [run for run in planned if run.settings != golden_record.AS_IT_IS],
            [Run(workload, "tiny", "warpman", f"grid=resident,chip.sms=2{variant}")
             for workload in ("bfs", "needle") for variant in ("", ",l1.present=no")])


class ADigest(unittest.TestCase):
    def test_is_the_same_with_another_counter_that_counts_nothing(self):
        self.assertEqual(golden_record.digest_of(counted(hits=3)),
                         golden_record.digest_of(counted(hits=3, misses=0)))

    def test_goes_by_names_and_not_by_the_order_of_counters(self):
        self.assertEqual(golden_record.digest_of(counted(hits=3, misses=4)),
                         golden_record.digest_of(counted(misses=4, hits=3)))
        self.assertNotEqual(golden_record.digest_of(counted(hits=3, misses=4)),
                            golden_record.digest_of(counted(hits=4, misses=3)))

    def test_goes_by_all_that_a_kernel_is_said_to_have_done(self):
        before = golden_record.digest_of(counted(hits=3))
        for key, value in (("name", "subtract"), ("cycles", 101), ("warp_instructions", 21),
                           ("thread_instructions", 641)):
            kernels = counted(hits=3)
            kernels[0][key] = value
            self.assertNotEqual(golden_record.digest_of(kernels), before, key)

    def test_goes_by_the_order_of_kernels(self):
        one, other = counted(hits=3), counted(hits=4)
        self.assertNotEqual(golden_record.digest_of(one + other),
                            golden_record.digest_of(other + one))


class TheTool(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.record = pathlib.Path(folder.name) / "record.txt"
        self.write(TWO_RUNS)

    def write(self, only):
        done = tool("--write", self.record, "--only", only)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def check(self):
        return tool("--check", self.record, "--only", TWO_RUNS)

    def lines(self):
        return [line for line in self.record.read_text().splitlines() if line[0] != "#"]

    def alter(self, pattern, replacement):
        text, times = re.subn(pattern, replacement, self.record.read_text(), flags=re.MULTILINE)
        self.assertEqual(times, 1)
        self.record.write_text(text)

    def assert_tells(self, *words):
        """One run differs, and a line says so with these words."""
        done = self.check()
        self.assertEqual(done.returncode, 1, done.stderr)
        told, summary = done.stdout.splitlines()
        for word in words:
            self.assertIn(word, told)
        self.assertIn("1 of ", summary)

    def test_finds_what_it_has_written(self):
        done = self.check()
        self.assertEqual((done.returncode, done.stdout), (0, "2 runs are as recorded\n"))
        self.assertIn("2 of 2 runs", done.stderr)

    def test_tells_of_a_digest_that_is_another(self):
        self.alter(r"(warpman - \d+) .*$", r"\1 0123456789abcdef")
        self.assert_tells("vector-add tiny warpman -: ", " cycles as before, but other counts",
                          "0123456789abcdef, now ")

    def test_tells_of_other_cycles_with_both(self):
        cycles = int(self.lines()[1].split()[4])
        self.alter(r"warpman - \d+", f"warpman - {2 * cycles}")
        self.assert_tells("vector-add tiny warpman -: ",
                          f"{2 * cycles} cycles before, now {cycles} (-50.00 %)")

    def test_tells_of_a_run_that_was_refused_before(self):
        self.alter(r"warpman - .*$", "warpman - refused exit:2")
        self.assert_tells("vector-add tiny warpman -: refused exit:2 before, now ")

    def test_tells_of_a_run_without_a_line(self):
        self.alter(r"^vector-add tiny warpman .*\n", "")
        self.assert_tells("vector-add tiny warpman -: not in the record")

    def test_tells_of_a_line_without_a_run(self):
        with self.record.open("a") as file:
            file.write("vector-add tiny gone - 1 0123456789abcdef\n")
        done = tool("--check", self.record, "--only", "^vector-add tiny (warpman|gone) -$")
        self.assertEqual(done.returncode, 1)
        self.assertIn("vector-add tiny gone -: in the record, but there is no such run any more",
                      done.stdout)

    def test_records_what_is_refused(self):
        self.write("^heartwall tiny uniform -$")
        self.assertIn("heartwall tiny uniform - refused exit:2", self.lines())

    def test_runs_the_form_that_a_line_names(self):
        self.write("^reduction tiny warpman (-|grid=resident)$")
        lines = [line.split() for line in self.lines() if line.startswith("reduction")]
        self.assertEqual([line[3] for line in lines], ["-", "grid=resident"])
        of_input, resident = (line[5] for line in lines)
        self.assertNotEqual(of_input, resident)

    def test_writes_the_lines_that_are_asked_for_and_keeps_others(self):
        before = self.lines()
        self.alter(r"(warpman - \d+) .*$", r"\1 0123456789abcdef")
        self.alter(r"(preexec - \d+) .*$", r"\1 fedcba9876543210")
        self.write("^vector-add tiny warpman -$")
        self.assertEqual(self.lines()[1], before[1])
        self.assertIn("fedcba9876543210", self.lines()[0])

    def test_takes_every_nth_run(self):
        done = tool("--check", self.record, "--only", TWO_RUNS, "--sample", 2)
        self.assertEqual(done.stdout, "1 runs are as recorded\n")

    def test_says_where_a_record_is_none(self):
        self.alter(r"^vector-add tiny warpman .*$", "<<<<<<< ours")
        done = self.check()
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, r"record\.txt:\d+: a line has six columns")

    def test_does_not_record_settings_that_no_machine_can_have(self):
        run = Run("vector-add", "tiny", "warpman", "schedule.policy=round-robbin")
        with self.assertRaisesRegex(golden_record.Mistake, "round-robin"):
            golden_record.refuse_what_no_machine_can_be(HEDDLE, [run])


if __name__ == "__main__":
    HEDDLE, SAMPLE = sys.argv.pop(1), int(sys.argv.pop(1))
    unittest.main()
