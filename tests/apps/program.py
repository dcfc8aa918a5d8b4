"""Helpers for tests that call heddle and check its output."""

import pathlib
import subprocess
import tempfile
import unittest


class ProgramTest(unittest.TestCase):
    """A test case with a temporary folder. `HEDDLE` is the path of the program."""

    HEDDLE = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def works(self, *arguments):
        """Runs heddle with these arguments, asserts that it succeeds, and returns its standard output."""
        result = heddle(*arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def fails(self, result, *texts):
        """Asserts that `result` has the exit code of wrong use, and these texts on standard error."""
        self.assertEqual(result.returncode, 2, result.stdout + result.stderr)
        for text in texts:
            self.assertIn(text, result.stderr)


def heddle(*arguments):
    """Runs heddle with these arguments."""
    return subprocess.run([ProgramTest.HEDDLE, *map(str, arguments)], capture_output=True, text=True,
                          timeout=300)
