"""A test case with a folder that contains an experiment and its store of results."""

import os
import pathlib
import subprocess
import tempfile
import unittest


class StoreFolder(unittest.TestCase):
    """`HEDDLE` is the path of the program, `STUDY` the text of the experiment."""

    HEDDLE = None
    STUDY = ""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.store = self.folder / "store.sqlite"
        self.study = self.write("study.toml", self.STUDY)

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return path

    def environment(self):
        # The store of the user who runs this test must not be used.
        return {name: value for name, value in os.environ.items() if name != "HEDDLE_STORE"}

    def size_that_takes_seconds(self):
        """The input size with which a run of breadth-first search takes some seconds. With sanitizers, a run
        takes ten times as long."""
        sanitized = b"__asan_init" in pathlib.Path(self.HEDDLE).read_bytes()
        return "small" if sanitized else "medium"

    def heddle(self, *arguments, program=None, variables=None, **more):
        return subprocess.run([program or self.HEDDLE, *map(str, arguments)],
                              capture_output=True, text=True, timeout=300, cwd=self.folder,
                              env={**self.environment(), **(variables or {})}, **more)

    def experiment(self, *more, study=None):
        return self.heddle("experiment", study or self.study, "--store", self.store, *more)

    def results(self, action, *more):
        return self.heddle("results", action, "--store", self.store, *more)

    def works(self, result):
        """Asserts that a run of heddle succeeded, and returns its standard output."""
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        return result.stdout

    def fails(self, result, code, *texts):
        """Asserts that a run of heddle had this exit code, and these texts on standard error."""
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        for text in texts:
            self.assertIn(text, result.stderr)
