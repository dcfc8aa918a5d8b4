#!/usr/bin/env python3
"""Tests of tools/checks/test_stages.py: './dev test' fails if a stage, or a test of a stage, did not
run."""

import pathlib
import subprocess
import sys
import tempfile
import tomllib
import unittest

ROOT = None

DECLARED = '["test release"]\nsm = 3\nstructure = 1\n["test asan"]\nsm = 3\n'


def results(*tests):
    """CTest's results as JUnit XML."""
    cases = "".join(f'<testcase name="{name}" status="{status}"><system-out>{output}</system-out></testcase>'
                    for name, status, output in tests)
    return f"<testsuite>{cases}</testsuite>"


def suite(library, cases, status="run"):
    """A test of CTest that ran a GoogleTest program with this number of cases."""
    return f"{library}: A", status, f"[==========] {cases} tests from 1 test suite ran. (3 ms total)"


class Stages(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "stages.toml").write_text(DECLARED)

    def run_with(self, stages, *options):
        """Runs the tool on a record of these stages; `stages` maps a stage's name to the tests that it ran."""
        lines = ["format\t3\t"]
        for i, (name, tests) in enumerate(stages.items()):
            (self.folder / f"{i}.xml").write_text(results(*tests))
            lines.append(f"{name}\t{60 * i + 5}\t{self.folder / f'{i}.xml'}")
        (self.folder / "record").write_text("".join(f"{line}\n" for line in lines))
        return subprocess.run([ROOT / "tools/checks/test_stages.py", self.folder / "record", "--declared",
                               self.folder / "stages.toml", *options], capture_output=True, text=True)

    def all_stages(self):
        script = ("structure: links", "run", "nothing that is counted")
        return {"test release": [suite("sm", 3), script], "test asan": [suite("sm", 2), suite("sm", 1)]}

    def test_passes_and_shows_stages_if_all_declared_tests_ran(self):
        done = self.run_with(self.all_stages(), "--check")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"test release +0 min  5 s +4 tests")
        self.assertRegex(done.stdout, r"test asan +1 min  5 s +3 tests")
        self.assertRegex(done.stdout, r"all +1 min 13 s")

    def test_passes_with_more_tests_than_declared(self):
        stages = self.all_stages()
        stages["test asan"].append(suite("gpu", 7))
        self.assertEqual(self.run_with(stages, "--check").returncode, 0)

    def test_fails_if_a_stage_is_missing(self):
        stages = self.all_stages()
        del stages["test asan"]
        done = self.run_with(stages, "--check")
        self.assertEqual(done.returncode, 1)
        self.assertIn("stage 'test asan' did not run", done.stderr)

    def test_fails_if_the_tests_of_a_library_are_missing(self):
        stages = self.all_stages()
        stages["test release"].pop()
        done = self.run_with(stages, "--check")
        self.assertEqual(done.returncode, 1)
        self.assertIn("stage 'test release' ran 0 tests of structure, but 1 are declared", done.stderr)

    def test_fails_if_a_test_case_is_missing(self):
        stages = self.all_stages()
        stages["test asan"].pop()
        done = self.run_with(stages, "--check")
        self.assertEqual(done.returncode, 1)
        self.assertIn("stage 'test asan' ran 2 tests of sm, but 3 are declared", done.stderr)

    def test_fails_if_a_test_did_not_run(self):
        stages = self.all_stages()
        stages["test release"][0] = suite("sm", 3, status="notrun")
        self.assertIn("ran 0 tests of sm", self.run_with(stages, "--check").stderr)

    def test_does_not_count_tests_that_need_the_cuda_toolkit(self):
        stages = self.all_stages()
        stages["test release"].append(("cuda: programs that nvcc builds here", "run", ""))
        self.assertRegex(self.run_with(stages, "--check").stdout, "test release .* 4 tests")

    def test_writes_the_counts_of_tests_that_ran(self):
        self.run_with(self.all_stages(), "--write")
        written = tomllib.loads((self.folder / "stages.toml").read_text())
        self.assertEqual(written, {"format": {}, "test release": {"sm": 3, "structure": 1},
                                   "test asan": {"sm": 3}})

    def test_declares_every_stage_of_the_script(self):
        declared = tomllib.loads((ROOT / "tests/stages.toml").read_text())
        self.assertEqual(list(declared), ["format", "clang", "build release", "test release", "build asan",
                                          "test asan", "build tsan", "test tsan"])
        for name, libraries in declared.items():
            self.assertEqual(bool(libraries), name.startswith("test "), name)

    def test_release_and_address_sanitizer_declare_the_same_cases(self):
        declared = tomllib.loads((ROOT / "tests/stages.toml").read_text())
        libraries = [path.name for path in (ROOT / "src").iterdir() if path.is_dir()]
        for library in libraries:
            # The tests of cuda need a runtime without sanitizers. Some tests of gpu have fewer
            # cases with sanitizers.
            if library in ("cuda", "gpu"):
                continue
            self.assertEqual(declared["test release"][library], declared["test asan"][library], library)


if __name__ == "__main__":
    ROOT = pathlib.Path(sys.argv.pop()).resolve()
    unittest.main()
