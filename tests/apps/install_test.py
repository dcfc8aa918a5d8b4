#!/usr/bin/env python3
"""Tests what 'cmake --install' writes: it works without the tree, also when it is moved.

Usage: install_test.py BUILD PROGRAMS   PROGRAMS: a folder of CUDA programs
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

BUILD = None
PROGRAMS = None


class Install(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        first = pathlib.Path(folder.name) / "first"
        subprocess.run(["cmake", "--install", BUILD, "--prefix", first], check=True, capture_output=True)
        # A path with a space: the dynamic loader would split it.
        cls.prefix = pathlib.Path(folder.name) / "moved to"
        first.rename(cls.prefix)

    def heddle(self, *arguments):
        environment = {"PATH": f"{self.prefix}/bin:/usr/bin:/bin", "HOME": "/", "LC_ALL": "C.UTF-8"}
        result = subprocess.run(["heddle", *arguments], cwd="/", env=environment, capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout + result.stderr

    def test_a_workload_runs(self):
        self.assertIn("passed", self.heddle("run", "vector-add", "--size", "tiny", "--machine", "warpman"))

    def test_a_cuda_program_finds_the_simulated_runtime(self):
        self.assertIn("kernel", self.heddle("cuda", "--machine", "warpman", "--", str(PROGRAMS / "launches")))

    def test_the_libraries_are_apart_from_those_of_other_programs(self):
        self.assertEqual(os.listdir(self.prefix / "bin"), ["heddle"])
        self.assertFalse(list((self.prefix / "lib").glob("*.so*")))

    def test_manual_pages_and_completions_are_where_shells_look(self):
        for file in ("man/man1/heddle.1", "man/man1/heddle-results-list.1", "bash-completion/completions/heddle",
                     "zsh/site-functions/_heddle", "doc/heddle/README.md", "doc/heddle/docs/machines.md"):
            self.assertTrue((self.prefix / "share" / file).is_file(), file)


if __name__ == "__main__":
    PROGRAMS = pathlib.Path(sys.argv.pop())
    BUILD = sys.argv.pop()
    unittest.main()
