#!/usr/bin/env python3
"""Tests of cmake/unity_files.py: sources share a unity file only if their file-local names do not
conflict."""

import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = None


class UnityFiles(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name).resolve()

    def write(self, name, text):
        path = self.root / "src" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def groups(self, sources, lines=1000, headers=None):
        """The names of the sources in each unity file. `sources` and `headers` map names to texts; `lines` limits
        the lines of a unity file."""
        for name, text in (headers or {}).items():
            self.write(name, text)
        paths = [self.write(name, text) for name, text in sources.items()]
        listed = self.root / "unity" / "list"
        listed.parent.mkdir(exist_ok=True)
        listed.write_text("".join(f"group {path}\n" for path in paths))
        subprocess.run([sys.executable, ROOT / "cmake/unity_files.py", "--root", self.root, "--lines",
                        str(lines), "--include", self.root / "src", listed], check=True)
        files = sorted((listed.parent / "group").glob("*.cpp"))
        return [re.findall(r'#include "src/([^"]+)"', path.read_text()) for path in files]

    def share_a_file(self, a, b, headers=None):
        return len(self.groups({"a.cpp": a, "b.cpp": b}, headers=headers)) == 1

    @staticmethod
    def unnamed(text, namespace="heddle"):
        """`text` in an unnamed namespace, which makes its names local to the file."""
        return f"namespace {namespace} {{\nnamespace {{\n{text}\n}}\n}}\n"

    def test_combines_sources_without_common_names(self):
        self.assertTrue(self.share_a_file(self.unnamed("int first() { return 1; }"),
                                      self.unnamed("int second() { return 2; }")))

    def test_separates_equal_file_local_names(self):
        for text in ("int size() { return 1; }", "constexpr int size = 1;", "struct size { int x; };",
                     "template <class T, int N = 2>\nT size(T x) { return x; }", "enum class size { x };",
                     "using size = int;", "int first = 1, size = 2;"):
            self.assertFalse(self.share_a_file(self.unnamed(text), self.unnamed("int size();")), text)

    def test_separates_mention_of_file_local_name(self):
        source = self.unnamed("int size() { return 1; }")
        self.assertFalse(self.share_a_file(source, "namespace heddle {\nint f(int x) { return size + x; }\n}\n"))

    def test_ignores_members_and_qualified_names(self):
        source = self.unnamed("int size() { return 1; }")
        for used in ("x.size()", "x->size()", "std::size(x)"):
            user = f"namespace heddle {{\nint f(T x) {{ return {used}; }}\n}}\n"
            self.assertTrue(self.share_a_file(source, user), used)

    def test_ignores_strings_and_comments(self):
        source = self.unnamed("int size() { return 1; }")
        for text in ("// the size\n", "/* size\n size */\n", 'const char* f = "size \\" size";\n',
                     'const char* f = R"(size)";\n', "char f = '\"'; // size\n"):
            self.assertTrue(self.share_a_file(source, "namespace heddle {\n" + text + "}\n"), text)

    def test_ignores_local_variables(self):
        self.assertTrue(self.share_a_file(self.unnamed("int first() { int size = 1; return size; }"),
                                      self.unnamed("int size = 2;").replace("size", "size_of_b")))

    def test_combines_sibling_namespaces_only(self):
        text = "int size() { return 1; }"
        self.assertTrue(self.share_a_file(self.unnamed(text, "heddle::a"), self.unnamed(text, "heddle::b")))
        self.assertFalse(self.share_a_file(self.unnamed(text, "heddle::a"), self.unnamed(text, "heddle::a::b")))
        self.assertFalse(self.share_a_file(self.unnamed(text, "heddle"), self.unnamed(text, "heddle::b")))

    def test_considers_headers_that_only_one_source_includes(self):
        source = self.unnamed("int size() { return 1; }")
        headers = {"b.h": "#pragma once\nnamespace heddle {\ninline int f() { return size; }\n}\n"}
        self.assertFalse(self.share_a_file(source, '#include "b.h"\n', headers))
        self.assertTrue(self.share_a_file('#include "b.h"\n' + source, '#include "b.h"\n', headers))

    def test_separates_names_of_headers_without_a_namespace(self):
        headers = {"x/kernel.h": "constexpr int kSide = 1;\n", "y/kernel.h": "constexpr int kSide = 2;\n"}
        sources = {"x/x.cpp": '#include "kernel.h"\n', "y/y.cpp": '#include "kernel.h"\n'}
        self.assertEqual(len(self.groups(sources, headers=headers)), 2)

    def test_separates_macros_in_any_namespace(self):
        self.assertFalse(self.share_a_file("#define SIZE 1\n", "namespace other {\nint f = SIZE;\n}\n"))
        self.assertFalse(self.share_a_file("#define SIZE 1\n", "#define SIZE 2\n"))
        self.assertFalse(self.share_a_file("#define SIZE 1\n", "#ifdef SIZE\n#endif\n"))

    def test_separates_static_functions(self):
        self.assertFalse(self.share_a_file("static int size() { return 1; }\n", "int f() { return size(); }\n"))

    def test_compiles_source_with_a_table_alone(self):
        self.assertFalse(self.share_a_file('#include "calls.def"\n', "int f();\n", {"calls.def": ""}))

    def test_groups_sources_with_large_headers(self):
        sources = {name: f"#include <{header}>\n" for name, header in
                   (("a.cpp", "vector"), ("b.cpp", "CLI/CLI.hpp"), ("c.cpp", "map"), ("d.cpp", "x/y.hpp"))}
        self.assertEqual(self.groups(sources), [["a.cpp", "c.cpp"], ["b.cpp", "d.cpp"]])

    def test_limits_lines_of_unity_files(self):
        sources = {f"{name}.cpp": "\n" * 40 for name in "abcde"}
        self.assertEqual(self.groups(sources, lines=100), [["a.cpp", "b.cpp"], ["c.cpp", "d.cpp"], ["e.cpp"]])

    def test_includes_every_source_and_removes_old_files(self):
        sources = {f"{name}.cpp": "\n" * 40 for name in "abc"}
        self.assertEqual(len(self.groups(sources, lines=50)), 3)
        self.assertEqual(sorted(sum(self.groups(sources), [])), ["a.cpp", "b.cpp", "c.cpp"])

    def test_does_not_rewrite_unchanged_files(self):
        self.groups({"a.cpp": "int a;\n"})
        path = self.root / "unity/group/0.cpp"
        before = path.stat().st_mtime_ns
        self.groups({"a.cpp": "int a = 1;\n"})
        self.assertEqual(path.stat().st_mtime_ns, before)


if __name__ == "__main__":
    ROOT = pathlib.Path(sys.argv.pop()).resolve()
    unittest.main()
