#!/usr/bin/env python3
"""Tests of tools/checks/clang_checks.py: it checks the sources that have changed, in all kinds of
clones, and skips those that have passed before."""

import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest
import unittest.mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "tools/checks"))
import clang_checks  # noqa: E402

SOURCES = [pathlib.Path(name) for name in ("src/base/a.cpp", "src/base/b.cpp", "apps/demo/c.cpp")]


class ChangedSources(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = clang_checks.ROOT = pathlib.Path(folder.name)
        self.git("init", "-q", "-b", "main")
        for source in SOURCES:
            self.write(source, "")
        self.write("src/base/b.cpp", '#include "base/only_header.h"\n')
        self.write("apps/demo/c.cpp", '#include "parts/list.def"\n')
        self.commit()

    def git(self, *words, where=None):
        subprocess.run(["git", "-c", "user.name=n", "-c", "user.email=e", *words],
                       cwd=where or self.root, check=True, capture_output=True)

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def commit(self, *names):
        for name in names:
            self.write(name, "changed\n")
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "m")

    def changed(self):
        return [path.name for path in clang_checks.changed_sources(SOURCES)]

    def test_first_commit_has_no_changes(self):
        self.assertEqual(self.changed(), [])

    def test_sorts_latest_changes_first(self):
        self.commit("src/base/b.cpp")
        self.commit("src/base/a.cpp")
        self.commit("docs/text.md")
        self.assertEqual(self.changed(), ["a.cpp", "b.cpp"])

    def test_includes_uncommitted_changes(self):
        self.write("src/base/a.cpp", "changed\n")
        self.assertEqual(self.changed(), ["a.cpp"])

    def test_checks_a_header_with_its_source_or_with_one_that_includes_it(self):
        self.commit("src/base/a.h")
        self.assertEqual(self.changed(), ["a.cpp"])
        self.commit("src/base/only_header.h", "apps/demo/parts/list.def", "tests/base/a.h")
        self.assertEqual(self.changed(), ["c.cpp", "b.cpp", "a.cpp"])

    def test_compares_a_branch_with_its_fork_point_on_main(self):
        self.commit("src/base/b.cpp")
        self.git("update-ref", "refs/remotes/origin/main", "HEAD")
        self.assertEqual(self.changed(), ["b.cpp"], "expected the last commits on main itself")
        self.commit("src/base/a.cpp")
        self.assertEqual(self.changed(), ["a.cpp"])

    def test_uses_available_commits_of_a_shallow_clone(self):
        self.commit("src/base/b.cpp")
        self.commit("src/base/a.cpp")
        for depth, expected in ((1, []), (2, ["a.cpp"])):
            clone = self.root / f"clone_{depth}"
            self.git("clone", "-q", "--depth", str(depth), f"file://{self.root}", clone.name)
            clang_checks.ROOT = clone
            self.assertEqual(self.changed(), expected)
            clang_checks.ROOT = self.root


class PassedSources(unittest.TestCase):
    """Tests which sources clang-tidy checks again."""

    SOURCE = pathlib.Path("src/base/a.cpp")

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.configure("", "Checks: all")
        (self.root / "passed").mkdir()
        self.code, self.passes, self.runs = b"int a;", True, 0
        for name, value in (("ROOT", self.root), ("PASSED_CHECKS", self.root / "passed"), ("run", self.run_tidy),
                            ("preprocessed", lambda entry: self.code),
                            ("tool_version", lambda: self.version)):
            patch = unittest.mock.patch.object(clang_checks, name, value)
            patch.start()
            self.addCleanup(patch.stop)
        self.version = "14"

    def configure(self, folder, text):
        (self.root / "src/base").mkdir(parents=True, exist_ok=True)
        (self.root / folder / ".clang-tidy").write_text(text)

    def run_tidy(self, command):
        self.runs += 1
        return self.passes

    def check(self, *options):
        """Returns whether the check passes, and whether clang-tidy ran."""
        before = self.runs
        passed = clang_checks.tidy_once(["clang-tidy", "-p", "here", *options, self.SOURCE],
                                        self.SOURCE, {})
        return passed, self.runs > before

    def test_reads_code_that_passed_only_once(self):
        self.assertEqual(self.check(), (True, True))
        self.assertEqual(self.check(), (True, False))
        self.code = b"int b;"
        self.assertEqual(self.check(), (True, True))

    def test_reads_code_that_failed_again(self):
        self.passes = False
        self.assertEqual(self.check(), (False, True))
        self.assertEqual(self.check(), (False, True))

    def test_reads_again_under_other_settings(self):
        self.check()
        for change in (lambda: self.configure("", "Checks: some"),
                       lambda: self.configure("src/base", "Checks: none"),
                       lambda: setattr(self, "version", "15")):
            change()
            self.assertEqual(self.check(), (True, True))
            self.assertEqual(self.check(), (True, False))
        self.assertEqual(self.check("--checks=-slow"), (True, True))

    def test_forgets_what_passed_long_ago(self):
        self.check()
        [key] = (self.root / "passed").iterdir()
        clang_checks.forget_old(self.root / "passed", "*")
        self.assertTrue(key.exists())
        long_ago = time.time() - 100 * 24 * 3600
        os.utime(key, (long_ago, long_ago))
        clang_checks.forget_old(self.root / "passed", "*")
        self.assertFalse(key.exists())


if __name__ == "__main__":
    unittest.main()
