#!/usr/bin/env python3
"""The workloads' program for real GPUs, run by 'heddle cuda': every result is right, and kernels take
the cycles that they take when 'heddle run' runs the workload itself."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

HEDDLE, PROGRAM = sys.argv[1:3]
# With which the program finds out how fast the clock is.
OF_THE_CLOCK = "count_cycles"


def run(*words):
    return subprocess.run([HEDDLE, *words], capture_output=True, text=True, timeout=500)


def launches(file):
    return [(launch["kernel"], launch["cycles"], launch["warp_instructions"])
            for launch in json.loads(file.read_text())["launches"]
            if launch["kernel"] != OF_THE_CLOCK]


def workloads():
    return [line.split()[0] for line in run("list", "workloads").stdout.splitlines()[1:]]


class Workloads(unittest.TestCase):
    def test_every_workload_computes_what_it_should(self):
        result = run("cuda", "--functional", "--", PROGRAM, "--size", "tiny", "--repetitions", "1")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertEqual(result.stdout.count(": passed\n"), len(workloads()))

    def test_kernels_take_the_same_cycles_as_in_a_run(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "result.json"
            # A process each, as a run is: caches are cold in the beginning.
            for name in workloads():
                with self.subTest(workload=name):
                    common = ["--machine", "preexec", "--json", file]
                    run("run", name, "--size", "tiny", *common)
                    own = launches(file)
                    self.assertTrue(own)
                    file.unlink()
                    run("cuda", *common, "--", PROGRAM, name, "--size", "tiny", "--repetitions",
                        "1")
                    # The program runs it once to warm up; caches are warm after that.
                    self.assertEqual(launches(file)[:len(own)], own)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
