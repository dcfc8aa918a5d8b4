#!/usr/bin/env python3
"""Experiments of a folder: its name runs all of them, and those alone."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

HEDDLE = EXPERIMENTS = None


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def experiment(self, name):
        # The store of whoever runs this test is none of its business.
        outer = {key: value for key, value in os.environ.items() if key != "HEDDLE_STORE"}
        return subprocess.run([HEDDLE, "experiment", name, "--size", "tiny", "-o", "out"],
                              capture_output=True, text=True, cwd=self.folder, env=outer,
                              timeout=500)

    def test_its_name_runs_all_that_is_in_it(self):
        result = self.experiment("large-warps")
        self.assertEqual(result.returncode, 0, result.stderr)
        there = {path.stem for path in (EXPERIMENTS / "large-warps").glob("*.toml")}
        self.assertGreater(len(there), 1)
        written = {json.loads(path.read_text())["experiment"]
                   for path in (self.folder / "out").glob("*.json")}
        self.assertEqual(written, {f"large-warps/{name}" for name in there})
        one = self.experiment("large-warps/figure-13")
        self.assertEqual(one.returncode, 0, one.stderr)
        self.assertIn("\n0 runs simulated", one.stdout)

    def test_only_whole_names_of_folders_count(self):
        result = self.experiment("large")
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn("there is no experiment 'large'", result.stderr)
        self.assertFalse((self.folder / "out").exists())


if __name__ == "__main__":
    EXPERIMENTS = pathlib.Path(sys.argv.pop()).resolve() / "experiments"
    HEDDLE = str(pathlib.Path(sys.argv.pop()).resolve())
    unittest.main()
