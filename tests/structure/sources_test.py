#!/usr/bin/env python3
"""Which sources a stored result depends on: each is in the core's digest or is the file of an answer,
none is forgotten, and an answer's file gives nothing to machines without the answer."""

import os
import hashlib
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = LISTED = UNITY = None
CMAKE = NM = "not given"
OBJECTS = []

# Of rooms that simulate nothing.
OTHERS = ("src/lab/", "src/cuda/", "src/energy/")
# Its PTX is in a run's key itself; a page is no source.
NO_SOURCES = (".md", ".cu", ".ptx")
MAKES_RESULTS = "apps/heddle/simulate_run.cpp"
# Of what that includes, what only reads the command line, or shows people what there is.
MAKE_NO_RESULTS = {f"apps/heddle/{part}.{ending}" for ending in ("h", "cpp")
                   for part in ("energy_option", "energy_report", "launch_progress", "limit_options", "option_values", "progress",
                                "sample_options", "sample_report", "timing_report",
                                "trace_options")} | {"apps/heddle/cli_app.h", "apps/heddle/print.h"}


def digest(data):
    return hashlib.sha256(data).hexdigest()


def name_of(path):
    return str(path.relative_to(ROOT))


def listed():
    return [pathlib.Path(line) for line in LISTED.read_text().split("\n") if line]


def generated(files):
    """The core's digest, and those of answers' files, as the build makes them."""
    with tempfile.TemporaryDirectory() as folder:
        sources, output = (pathlib.Path(folder) / name for name in ("sources", "digests.cpp"))
        sources.write_text("".join(f"{path}\n" for path in files))
        subprocess.run([CMAKE, "-D", f"ROOT={ROOT}", "-D", f"SOURCES={sources}", "-D",
                        f"OUTPUT={output}", "-P", ROOT / "cmake/source_digests.cmake"], check=True)
        text = output.read_text()
    answers = re.findall(r'\{"([^"]+)", "([^"]+)",\s+"(\w{64})"\}', text)
    return re.search(r'\.core = "(\w{64})"', text)[1], {file: of for _, file, of in answers}


def sources_of(object_file):
    """The sources that are compiled in an object file: one, or those of a unity file."""
    path = os.path.normpath(object_file).removesuffix(".o")
    if "/unity/" in path:
        return re.findall(r'"([^"]+)"', (UNITY / path.split("/unity/")[1]).read_text())
    room, part = re.search(r"/heddle_(\w+)[.]dir/(.*)$", path).groups()
    return [f"src/{room}/{part}"]


def included_by(path):
    """What of the command line a file includes, with the .cpp that goes with a header."""
    here = path.parent
    found = set()
    for name in re.findall(r'^#include "([^"]+)"', path.read_text(), re.MULTILINE):
        for file in (here / name, (here / name).with_suffix(".cpp")):
            if file.exists():
                found.add(file)
    return found


class Sources(unittest.TestCase):
    def test_each_is_in_the_core_s_digest_or_the_file_of_an_answer(self):
        core, answers = generated(listed())
        self.assertIn("src/sm/schedule/round_robin.cpp", answers)
        self.assertGreater(len(answers), 15)
        names = {name_of(path): digest(path.read_bytes()) for path in sorted(listed(), key=str)}
        self.assertEqual(answers, {name: names[name] for name in answers})
        rest = "".join(f"{name} {of}\n" for name, of in names.items() if name not in answers)
        self.assertEqual(core, digest(rest.encode()))

    def test_none_of_the_simulator_and_the_workloads_is_forgotten(self):
        there = {name_of(path) for folder in ("src", "workloads")
                 for path in (ROOT / folder).rglob("*")
                 if path.is_file() and path.suffix not in NO_SOURCES}
        there = {name for name in there if not name.startswith(OTHERS)}
        self.assertGreater(len(there), 500)
        self.assertEqual(there - {name_of(path) for path in listed()}, set())

    def test_none_of_what_makes_a_result_of_a_run_is_forgotten(self):
        reached = {ROOT / MAKES_RESULTS}
        while more := {file for path in reached for file in included_by(path)} - reached:
            reached |= more
        self.assertGreater(len(reached), 5)
        self.assertEqual({name_of(path) for path in reached - set(listed())}, MAKE_NO_RESULTS)

    def test_what_an_answer_s_file_defines_is_its_own(self):
        _, answers = generated(listed())
        objects = {}
        for object_file in OBJECTS:
            for source in sources_of(object_file):
                objects[source] = object_file
        for file in answers:
            self.assertIn(file, objects)
            self.assertEqual([other for other in sources_of(objects[file]) if other not in answers], [],
                             f"compiled together with {file}, though no answer's file")
        for found in {objects[file] for file in answers}:
            symbols = subprocess.run([NM, "-C", "--defined-only", "--extern-only", found],
                                     capture_output=True, text=True, check=True).stdout
            # W: what a header has in it, which is in the core.
            given = [line for line in symbols.splitlines() if re.match(r"\w+ [^WVu] ", line)]
            self.assertEqual(given, [], f"others can use it; it needs a header of its own: {sources_of(found)}")

    def test_nobody_makes_an_answer_that_no_description_chose(self):
        named = re.compile(r"Registry::(make|check|properties|get|find)\(\s*[\"k]")
        for path in listed():
            if path.suffix in (".cpp", ".h"):
                self.assertIsNone(named.search(path.read_text()), name_of(path))

    def test_an_answer_whose_name_is_not_found_is_an_error(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            file = root / "src" / "odd.cpp"
            file.parent.mkdir()
            (root / "list").write_text(f"{file}\n")
            for text, code in (('const ColourRegistry::Entry entry{"red", "", f};', 0),
                               ('const char* const kRed = "red";\n'
                                "const ColourRegistry::Entry entry{kRed, f};", 0),
                               ("const ColourRegistry::Entry entry{name(), f};", 1),
                               ("const ColourRegistry::Entry entry{kRed, f};", 1)):
                file.write_text(text)
                run = subprocess.run([CMAKE, "-D", f"ROOT={root}", "-D", f"SOURCES={root}/list",
                                      "-D", f"OUTPUT={root}/out", "-P",
                                      ROOT / "cmake/source_digests.cmake"], capture_output=True)
                self.assertEqual(run.returncode, code, text)


if __name__ == "__main__":
    ROOT, LISTED, UNITY = (pathlib.Path(argument) for argument in sys.argv[1:4])
    CMAKE, NM, *OBJECTS = sys.argv[4:]
    unittest.main(argv=sys.argv[:1])
