"""The program as a user calls it, for tests of what it answers."""

import pathlib
import subprocess
import tempfile
import unittest


class ProgramTest(unittest.TestCase):
    """`HEDDLE` is the program; each test has a folder of its own."""

    HEDDLE = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def works(self, *words):
        result = heddle(*words)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def fails(self, result, *texts):
        """Of wrong use."""
        self.assertEqual(result.returncode, 2, result.stdout + result.stderr)
        for text in texts:
            self.assertIn(text, result.stderr)


def heddle(*words):
    return subprocess.run([ProgramTest.HEDDLE, *map(str, words)], capture_output=True, text=True,
                          timeout=300)
