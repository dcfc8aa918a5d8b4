#!/usr/bin/env python3
"""Tests that the name of a folder runs exactly the experiments in it."""

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
        # The store of the user who runs this test must not be used.
        environment = {key: value for key, value in os.environ.items() if key != "HEDDLE_STORE"}
        return subprocess.run([HEDDLE, "experiment", name, "--size", "tiny", "-o", "out"],
                              capture_output=True, text=True, cwd=self.folder, env=environment,
                              timeout=500)

    def test_folder_name_runs_all_its_experiments(self):
        result = self.experiment("energy")
        self.assertEqual(result.returncode, 0, result.stderr)
        known = {path.stem for path in (EXPERIMENTS / "energy").glob("*.toml")}
        self.assertGreater(len(known), 1)
        written = {json.loads(path.read_text())["experiment"]
                   for path in (self.folder / "out").glob("*.json")}
        self.assertEqual(written, {f"energy/{name}" for name in known})
        one = self.experiment("energy/storage")
        self.assertEqual(one.returncode, 0, one.stderr)
        self.assertIn("\n0 runs simulated", one.stdout)

    def test_rejects_part_of_a_folder_name(self):
        result = self.experiment("ener")
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn("unknown experiment 'ener'", result.stderr)
        self.assertFalse((self.folder / "out").exists())


if __name__ == "__main__":
    EXPERIMENTS = pathlib.Path(sys.argv.pop()).resolve() / "descriptions/experiments"
    HEDDLE = str(pathlib.Path(sys.argv.pop()).resolve())
    unittest.main()
