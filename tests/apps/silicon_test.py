#!/usr/bin/env python3
"""Tests the programs for real GPUs on a host without a GPU."""

import subprocess
import sys
import tempfile
import unittest

SILICON = None
# The programs that execute instructions and measure times; all write the file that -o names.
OTHERS = []


def silicon(*arguments):
    return subprocess.run([SILICON, *arguments], capture_output=True, text=True,
                          env={"CUDA_VISIBLE_DEVICES": ""})


class Silicon(unittest.TestCase):
    def test_reports_a_missing_gpu(self):
        result = silicon("vector-add", "--size", "tiny")
        self.assertEqual(result.returncode, 2)
        self.assertIn("no NVIDIA GPU", result.stderr)

    def test_unknown_workload_is_reported_first(self):
        result = silicon("vector-ad")
        self.assertEqual(result.returncode, 2)
        self.assertIn("did you mean 'vector-add'", result.stderr)

    def test_other_programs_report_a_missing_gpu(self):
        for other in OTHERS:
            with tempfile.TemporaryDirectory() as folder:
                run = subprocess.run([other, "-o", f"{folder}/out"], capture_output=True, text=True,
                                     env={"CUDA_VISIBLE_DEVICES": ""})
                self.assertEqual(run.returncode, 2, other)
                self.assertIn("no NVIDIA GPU", run.stderr)
                wrong = subprocess.run([other], capture_output=True, text=True)
                self.assertEqual(wrong.returncode, 2, other)
                self.assertIn("--output is required", wrong.stderr)

    def test_help_succeeds(self):
        result = silicon("--help")
        self.assertEqual(result.returncode, 0)
        self.assertIn("--repetitions", result.stdout)


if __name__ == "__main__":
    SILICON = sys.argv.pop(1)
    OTHERS, sys.argv[1:] = sys.argv[1:], []
    unittest.main()
