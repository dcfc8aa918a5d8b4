#!/usr/bin/env python3
"""Uses 'heddle cuda' to run the program that measures the workloads on real GPUs. Every result must
be correct, and kernels must take as many cycles as with 'heddle run'."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

HEDDLE, PROGRAM = sys.argv[1:3]
# The kernel by which the program measures the clock's frequency.
CLOCK_KERNEL = "count_cycles"
BRIEFLY = ("--size", "tiny", "--repetitions", "1", "--clock-ms", "1")


def run(*arguments):
    return subprocess.run([HEDDLE, *arguments], capture_output=True, text=True, timeout=500)


def launches(file):
    """The kernel, cycles and warp instructions of each launch in a result, without CLOCK_KERNEL."""
    return [(launch["kernel"], launch["cycles"], launch["warp_instructions"])
            for launch in json.loads(file.read_text())["launches"]
            if launch["kernel"] != CLOCK_KERNEL]


def workloads():
    """The names of all workloads."""
    return [line.split()[0] for line in run("list", "workloads").stdout.splitlines()[1:]]


class Workloads(unittest.TestCase):
    def test_every_workload_computes_correct_results(self):
        result = run("cuda", "--functional", "--", PROGRAM, *BRIEFLY)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertEqual(result.stdout.count(": passed\n"), len(workloads()))

    def test_kernels_take_the_same_cycles_as_in_heddle_run(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "result.json"
            # One process per workload, as with 'heddle run', so that caches are cold at the start.
            for name in workloads():
                with self.subTest(workload=name):
                    common = ["--machine", "preexec", "--json", file]
                    run("run", name, "--size", "tiny", *common)
                    expected = launches(file)
                    self.assertTrue(expected)
                    file.unlink()
                    run("cuda", *common, "--", PROGRAM, name, *BRIEFLY)
                    # Only the program's first (warm-up) launches have cold caches.
                    self.assertEqual(launches(file)[:len(expected)], expected)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
