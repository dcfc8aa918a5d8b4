#!/usr/bin/env python3
"""Which sources tools/clang_checks.py takes for changed, in clones of every kind."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "tools"))
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

    def test_the_first_commit_says_nothing_of_what_changed(self):
        self.assertEqual(self.changed(), [])

    def test_what_changed_last_comes_first(self):
        self.commit("src/base/b.cpp")
        self.commit("src/base/a.cpp")
        self.commit("docs/text.md")
        self.assertEqual(self.changed(), ["a.cpp", "b.cpp"])

    def test_what_is_not_committed_has_changed(self):
        self.write("src/base/a.cpp", "changed\n")
        self.assertEqual(self.changed(), ["a.cpp"])

    def test_a_header_is_looked_at_with_its_source_or_with_one_that_includes_it(self):
        self.commit("src/base/a.h")
        self.assertEqual(self.changed(), ["a.cpp"])
        self.commit("src/base/only_header.h", "apps/demo/parts/list.def", "tests/base/a.h")
        self.assertEqual(self.changed(), ["c.cpp", "b.cpp", "a.cpp"])

    def test_a_branch_is_compared_with_where_it_left_main(self):
        self.commit("src/base/b.cpp")
        self.git("update-ref", "refs/remotes/origin/main", "HEAD")
        self.assertEqual(self.changed(), ["b.cpp"], "on main itself the last commits count")
        self.commit("src/base/a.cpp")
        self.assertEqual(self.changed(), ["a.cpp"])

    def test_in_a_clone_that_is_shallow_the_commits_that_it_has_count(self):
        self.commit("src/base/b.cpp")
        self.commit("src/base/a.cpp")
        for depth, expected in ((1, []), (2, ["a.cpp"])):
            clone = self.root / f"clone_{depth}"
            self.git("clone", "-q", "--depth", str(depth), f"file://{self.root}", clone.name)
            clang_checks.ROOT = clone
            self.assertEqual(self.changed(), expected)
            clang_checks.ROOT = self.root


if __name__ == "__main__":
    unittest.main()
