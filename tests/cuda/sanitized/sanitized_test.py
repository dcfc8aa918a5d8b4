#!/usr/bin/env python3
"""CUDA programs built without sanitizers, run with a runtime that is built with them."""

import os
import pathlib
import subprocess
import sys
import unittest

HEDDLE, SANITIZER, UNMAPPER = sys.argv[1:4]
FOLDERS = [pathlib.Path(folder) for folder in sys.argv[4:]]
# Programs that do not print "passed", and their exit codes.
OTHERS = {"echo": 42, "printing": 0, "strays": 1}


def heddle(*arguments):
    environment = {**os.environ, "LD_PRELOAD": f"{SANITIZER}:{UNMAPPER}",
                   # Programs do not free everything before they exit.
                   "ASAN_OPTIONS": "protect_shadow_gap=0:detect_leaks=0"}
    return subprocess.run([HEDDLE, "cuda", *map(str, arguments)], input="a line\n", env=environment,
                          capture_output=True, text=True, timeout=500)


class Sanitized(unittest.TestCase):
    def test_programs_pass_without_sanitizer_reports(self):
        programs = [path for folder in FOLDERS for path in sorted(folder.iterdir())]
        self.assertGreaterEqual(len(programs), 10)
        for program in programs:
            for options in ([], ["--functional"]):
                with self.subTest(program=program.name, options=options):
                    run = heddle(*options, "--", program)
                    self.assertNotIn("Sanitizer", run.stderr)
                    self.assertNotIn("runtime error", run.stderr)
                    self.assertEqual(run.returncode, OTHERS.get(program.name, 0), run.stderr)
                    if program.name not in OTHERS:
                        self.assertEqual(run.stdout, "passed\n")

    def test_runs_the_sanitized_library(self):
        library = pathlib.Path(HEDDLE).parent / "libcudart.so.13"
        symbols = subprocess.run(["nm", "-D", library], capture_output=True, text=True).stdout
        self.assertIn("__asan_report_load4", symbols)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
