#!/usr/bin/env python3
"""Tests that the golden record has a line for every run, and that its tool reports differences."""

import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

TOOLS = pathlib.Path(__file__).resolve().parent.parent.parent / "tools/checks"
sys.path.insert(0, str(TOOLS))
import golden_record  # noqa: E402
from golden_record import Run  # noqa: E402

HEDDLE = None  # The heddle program, from the command line.
SAMPLE = None  # The sample has every SAMPLE-th run; from the command line.

# Selects two runs.
TWO_RUNS = "^vector-add tiny (preexec|warpman) -$"


def tool(*arguments):
    return subprocess.run([sys.executable, TOOLS / "golden_record.py", "--heddle", HEDDLE,
                           *map(str, arguments)], capture_output=True, text=True, timeout=300)


def kernels_with(**counters):
    return [{"name": "add", "cycles": 100, "warp_instructions": 20, "thread_instructions": 640,
             "counters": counters}]


class CommittedRecord(unittest.TestCase):
    def test_has_a_line_for_every_run_and_no_other(self):
        recorded = set(golden_record.read_record(golden_record.RECORD))
        planned = set(golden_record.planned_runs(HEDDLE))
        advice = "./dev golden --write --only REGEX updates lines"
        self.assertEqual(sorted(planned - recorded), [], f"runs without a line; {advice}")
        self.assertEqual(sorted(recorded - planned), [], f"lines without a run; {advice}")

    def test_has_no_failed_run(self):
        record = golden_record.read_record(golden_record.RECORD)
        self.assertEqual([run for run, outcome in record.items() if outcome.cycles == "failed"], [])

    def test_sample_covers_every_workload_machine_and_variant(self):
        tiny = [run for run in golden_record.planned_runs(HEDDLE) if run.size == "tiny"]
        for key in (lambda run: run.workload, lambda run: (run.machine, run.settings)):
            self.assertEqual({key(run) for run in golden_record.covering_sample(tiny, SAMPLE)},
                             {key(run) for run in tiny})

    def test_sample_adds_few_runs(self):
        tiny = [run for run in golden_record.planned_runs(HEDDLE) if run.size == "tiny"]
        sample = golden_record.covering_sample(tiny, SAMPLE)
        self.assertLessEqual(set(tiny[::SAMPLE]), set(sample))
        self.assertLess(len(sample), 1.1 * len(tiny) / SAMPLE)


class Plan(unittest.TestCase):
    def test_has_the_grid_of_a_group_for_its_workloads_only(self):
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
            [run for run in planned if run.settings != golden_record.UNCHANGED],
            [Run(workload, "tiny", "warpman", f"grid=resident,chip.sms=2{variant}")
             for workload in ("bfs", "needle") for variant in ("", ",l1.present=no")])


class Digest(unittest.TestCase):
    def test_ignores_counters_that_are_zero(self):
        self.assertEqual(golden_record.digest_of(kernels_with(hits=3)),
                         golden_record.digest_of(kernels_with(hits=3, misses=0)))

    def test_depends_on_counter_names_but_not_on_their_order(self):
        self.assertEqual(golden_record.digest_of(kernels_with(hits=3, misses=4)),
                         golden_record.digest_of(kernels_with(misses=4, hits=3)))
        self.assertNotEqual(golden_record.digest_of(kernels_with(hits=3, misses=4)),
                            golden_record.digest_of(kernels_with(hits=4, misses=3)))

    def test_depends_on_every_field_of_a_kernel(self):
        before = golden_record.digest_of(kernels_with(hits=3))
        for key, value in (("name", "subtract"), ("cycles", 101), ("warp_instructions", 21),
                           ("thread_instructions", 641)):
            kernels = kernels_with(hits=3)
            kernels[0][key] = value
            self.assertNotEqual(golden_record.digest_of(kernels), before, key)

    def test_depends_on_the_order_of_kernels(self):
        one, other = kernels_with(hits=3), kernels_with(hits=4)
        self.assertNotEqual(golden_record.digest_of(one + other),
                            golden_record.digest_of(other + one))


class Tool(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        """Writes a record with two runs once; each test gets a copy."""
        with tempfile.TemporaryDirectory() as folder:
            record = pathlib.Path(folder) / "record.txt"
            tool("--write", record, "--only", TWO_RUNS)
            cls.two_runs = record.read_text()

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.record = pathlib.Path(folder.name) / "record.txt"
        self.record.write_text(self.two_runs)

    def write(self, only):
        result = tool("--write", self.record, "--only", only)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def check(self):
        return tool("--check", self.record, "--only", TWO_RUNS)

    def lines(self):
        return [line for line in self.record.read_text().splitlines() if line[0] != "#"]

    def replace_in_record(self, pattern, replacement):
        text, times = re.subn(pattern, replacement, self.record.read_text(), flags=re.MULTILINE)
        self.assertEqual(times, 1)
        self.record.write_text(text)

    def assert_reports(self, *words):
        """Asserts that one run differs, and that its line has these words."""
        result = self.check()
        self.assertEqual(result.returncode, 1, result.stderr)
        line, summary = result.stdout.splitlines()
        for word in words:
            self.assertIn(word, line)
        self.assertIn("1 of ", summary)

    def test_digest_covers_all_counters_but_newer_ones(self):
        def digest(**counters):
            kernel = {"name": "k", "cycles": 1, "warp_instructions": 2, "thread_instructions": 3,
                      "counters": {"l1.hits": 4, **counters}}
            return golden_record.digest_of([kernel])

        newer = sorted(golden_record.newer_counters())
        self.assertEqual(digest(**dict.fromkeys(newer, 7)), digest())
        self.assertNotEqual(digest(**{"l1.misses": 7}), digest())

    def test_check_passes_on_a_record_that_it_wrote(self):
        result = self.check()
        self.assertEqual((result.returncode, result.stdout), (0, "2 runs match the record\n"))
        self.assertIn("2 of 2 runs", result.stderr)

    def test_reports_a_different_digest(self):
        self.replace_in_record(r"(warpman - \d+) .*$", r"\1 0123456789abcdef")
        self.assert_reports("vector-add tiny warpman -: ", " cycles as before, but other counters",
                            "0123456789abcdef, now ")

    def test_reports_different_cycles_with_both_values(self):
        cycles = int(self.lines()[1].split()[4])
        self.replace_in_record(r"warpman - \d+", f"warpman - {2 * cycles}")
        self.assert_reports("vector-add tiny warpman -: ",
                            f"{2 * cycles} cycles before, now {cycles} (-50.00 %)")

    def test_reports_a_run_that_was_rejected_before(self):
        self.replace_in_record(r"warpman - .*$", "warpman - refused exit:2")
        self.assert_reports("vector-add tiny warpman -: refused exit:2 before, now ")

    def test_reports_a_run_without_a_line(self):
        self.replace_in_record(r"^vector-add tiny warpman .*\n", "")
        self.assert_reports("vector-add tiny warpman -: not in the record")

    def test_reports_a_line_without_a_run(self):
        with self.record.open("a") as file:
            file.write("vector-add tiny gone - 1 0123456789abcdef\n")
        result = tool("--check", self.record, "--only", "^vector-add tiny (warpman|gone) -$")
        self.assertEqual(result.returncode, 1)
        self.assertIn("vector-add tiny gone -: in the record, but not a run of runs.toml",
                      result.stdout)

    def test_records_a_rejected_run(self):
        self.write("^needle-64 tiny uniform -$")
        self.assertIn("needle-64 tiny uniform - refused exit:2", self.lines())

    def test_runs_the_grid_that_a_line_names(self):
        self.write("^reduction tiny warpman (-|grid=resident)$")
        lines = [line.split() for line in self.lines() if line.startswith("reduction")]
        self.assertEqual([line[3] for line in lines], ["-", "grid=resident"])
        digest_of_input_grid, digest_of_resident_grid = (line[5] for line in lines)
        self.assertNotEqual(digest_of_input_grid, digest_of_resident_grid)

    def test_writes_the_selected_lines_and_keeps_the_others(self):
        before = self.lines()
        self.replace_in_record(r"(warpman - \d+) .*$", r"\1 0123456789abcdef")
        self.replace_in_record(r"(preexec - \d+) .*$", r"\1 fedcba9876543210")
        self.write("^vector-add tiny warpman -$")
        self.assertEqual(self.lines()[1], before[1])
        self.assertIn("fedcba9876543210", self.lines()[0])

    def test_sample_selects_every_nth_run(self):
        result = tool("--check", self.record, "--only", TWO_RUNS, "--sample", 2)
        self.assertEqual(result.stdout, "1 runs match the record\n")

    def test_reports_the_line_that_is_not_a_record(self):
        self.replace_in_record(r"^vector-add tiny warpman .*$", "<<<<<<< ours")
        result = self.check()
        self.assertEqual(result.returncode, 2)
        self.assertRegex(result.stderr, r"record\.txt:\d+: a line must have six columns")

    def test_rejects_settings_that_no_machine_has(self):
        run = Run("vector-add", "tiny", "warpman", "schedule.policy=round-robbin")
        with self.assertRaisesRegex(golden_record.Mistake, "round-robin"):
            golden_record.reject_invalid_machines(HEDDLE, [run])


if __name__ == "__main__":
    HEDDLE, SAMPLE = sys.argv.pop(1), int(sys.argv.pop(1))
    unittest.main()
