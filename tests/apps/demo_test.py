#!/usr/bin/env python3
"""Tests that the demonstration is correct and short, and that the commands that it suggests work."""

import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import unittest

ROOT = BUILD = None
TWO_SCREENS = 100  # Lines.


class Demonstration(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.result = subprocess.run([ROOT / "apps/demo/show.sh", BUILD, cls.folder.name], cwd=ROOT,
                                    capture_output=True, text=True)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_succeeds(self):
        self.assertEqual(self.result.returncode, 0, self.result.stderr)

    def test_fits_two_screens(self):
        self.assertLess(len(self.result.stdout.splitlines()), TWO_SCREENS)

    def test_picture_and_workload_pass_their_checks(self):
        self.assertEqual(len(re.findall(r"\bpassed\b|\bverified\b", self.result.stdout)), 2,
                         self.result.stdout)
        self.assertTrue((pathlib.Path(self.folder.name) / "picture.png").exists())

    def test_every_claim_of_the_figure_holds(self):
        claims = re.findall(r"^lw\.group\S*  .*", self.result.stdout, re.MULTILINE)
        self.assertEqual(len(claims), 8)
        for claim in claims:
            self.assertIn(" holds ", claim)
            self.assertNotIn(" NO ", claim)
        self.assertTrue((pathlib.Path(self.folder.name) / "report.html").exists())

    def test_suggested_commands_work(self):
        lines = self.result.stdout.split("What to try next")[1].splitlines()
        commands = [shlex.split(line) for line in lines if line.startswith("  ") and "#" not in line]
        heddle_commands = [arguments for arguments in commands if arguments[0].endswith("/heddle")]
        self.assertGreaterEqual(len(heddle_commands), 5)
        for arguments in heddle_commands:
            if arguments[1] == "cuda":  # The command needs the reader's own program.
                arguments = [arguments[0], "cuda", "--help"]
            with self.subTest(arguments):
                done = subprocess.run(arguments, cwd=ROOT, capture_output=True, text=True)
                self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    ROOT, BUILD = (pathlib.Path(argument) for argument in sys.argv[1:3])
    unittest.main(argv=sys.argv[:1])
