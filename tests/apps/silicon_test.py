#!/usr/bin/env python3
"""The program for real GPUs: what it says where there is none."""

import subprocess
import sys
import unittest

SILICON = None


def silicon(*arguments):
    return subprocess.run([SILICON, *arguments], capture_output=True, text=True,
                          env={"CUDA_VISIBLE_DEVICES": ""})


class Silicon(unittest.TestCase):
    def test_without_a_gpu_it_says_so(self):
        result = silicon("vector-add", "--size", "tiny")
        self.assertEqual(result.returncode, 2)
        self.assertIn("there is no NVIDIA GPU", result.stderr)

    def test_an_unknown_workload_is_found_out_first(self):
        result = silicon("vector-ad")
        self.assertEqual(result.returncode, 2)
        self.assertIn("did you mean 'vector-add'", result.stderr)

    def test_help_is_no_error(self):
        result = silicon("--help")
        self.assertEqual(result.returncode, 0)
        self.assertIn("--repetitions", result.stdout)


if __name__ == "__main__":
    SILICON = sys.argv.pop(1)
    unittest.main()
