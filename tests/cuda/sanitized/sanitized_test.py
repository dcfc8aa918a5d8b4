#!/usr/bin/env python3
"""CUDA programs without sanitizers, with a runtime that has them."""

import os
import pathlib
import subprocess
import sys
import unittest

HEDDLE, SANITIZER, ROOM = sys.argv[1:4]
FOLDERS = [pathlib.Path(folder) for folder in sys.argv[4:]]
# Those that do not say of themselves whether they passed, and how they exit.
OTHERS = {"echo": 42, "printing": 0, "strays": 1}


def heddle(*words):
    environment = {**os.environ, "LD_PRELOAD": f"{SANITIZER}:{ROOM}",
                   # Programs leave what they have at their end to the system.
                   "ASAN_OPTIONS": "protect_shadow_gap=0:detect_leaks=0"}
    return subprocess.run([HEDDLE, "cuda", *map(str, words)], input="a line\n", env=environment,
                          capture_output=True, text=True, timeout=500)


class Sanitized(unittest.TestCase):
    def test_programs_pass_and_nothing_is_found(self):
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

    def test_it_is_the_sanitized_library_that_runs(self):
        library = pathlib.Path(HEDDLE).parent / "libcudart.so.13"
        symbols = subprocess.run(["nm", "-D", library], capture_output=True, text=True).stdout
        self.assertIn("__asan_report_load4", symbols)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
