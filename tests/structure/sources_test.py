#!/usr/bin/env python3
"""Checks the digests of sources in the key of a stored result. Every source is part of the core's digest,
or is the file of a policy and has a digest of its own. A policy's file exports nothing, so that it cannot
affect machines without the policy."""

import os
import hashlib
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "cmake"))
import included_sources  # noqa: E402

ROOT = LISTED = UNITY = None
CMAKE = NM = "not given"
OBJECTS = []

# Libraries that do not affect a simulation.
UNRELATED = ("src/lab/", "src/cuda/", "src/energy/")
# The text of PTX is itself a part of a run's key. Markdown pages are not sources.
NOT_SOURCES = (".md", ".cu", ".ptx")
SIMULATES_RUNS = "apps/heddle/simulate_run.cpp"


def digest(data):
    return hashlib.sha256(data).hexdigest()


def name_of(path):
    return str(path.relative_to(ROOT))


def listed():
    """The sources that the build covers with digests."""
    return [pathlib.Path(line) for line in LISTED.read_text().split("\n") if line]


def generated(files):
    """The core's digest, and the digest of each policy's file, as the build generates them."""
    with tempfile.TemporaryDirectory() as folder:
        sources, output = (pathlib.Path(folder) / name for name in ("sources", "digests.cpp"))
        sources.write_text("".join(f"{path}\n" for path in files))
        subprocess.run([CMAKE, "-D", f"ROOT={ROOT}", "-D", f"SOURCES={sources}", "-D",
                        f"OUTPUT={output}", "-P", ROOT / "cmake/source_digests.cmake"], check=True)
        text = output.read_text()
    policies = re.findall(r'\{"([^"]+)", "([^"]+)",\s+"(\w{64})"\}', text)
    return re.search(r'\.core = "(\w{64})"', text)[1], {file: value for _, file, value in policies}


def sources_of(object_file):
    """The sources of an object file: one, or those of a unity file."""
    path = os.path.normpath(object_file).removesuffix(".o")
    if "/unity/" in path:
        return re.findall(r'"([^"]+)"', (UNITY / path.split("/unity/")[1]).read_text())
    library, part = re.search(r"/heddle_(\w+)[.]dir/(.*)$", path).groups()
    return [f"src/{library}/{part}"]


class Sources(unittest.TestCase):
    def test_each_source_is_in_the_digest_of_the_core_or_of_a_policy(self):
        core, policies = generated(listed())
        self.assertIn("src/sm/schedule/round_robin.cpp", policies)
        self.assertGreater(len(policies), 15)
        names = {name_of(path): digest(path.read_bytes()) for path in sorted(listed(), key=str)}
        self.assertEqual(policies, {name: names[name] for name in policies})
        rest = "".join(f"{name} {value}\n" for name, value in names.items() if name not in policies)
        self.assertEqual(core, digest(rest.encode()))

    def test_lists_all_sources_of_the_simulator_and_the_workloads(self):
        existing = {name_of(path) for folder in ("src", "workloads")
                    for path in (ROOT / folder).rglob("*")
                    if path.is_file() and path.suffix not in NOT_SOURCES}
        existing = {name for name in existing if not name.startswith(UNRELATED)}
        self.assertGreater(len(existing), 500)
        self.assertEqual(existing - {name_of(path) for path in listed()}, set())

    def test_lists_all_sources_that_simulate_run_needs(self):
        needed = set(included_sources.needed_by(ROOT / SIMULATES_RUNS))
        self.assertEqual({path for path in listed() if name_of(path).startswith("apps/")}, needed)
        names = {name_of(path) for path in needed}
        self.assertLessEqual({"apps/heddle/timing.h", "apps/heddle/timing.cpp", SIMULATES_RUNS}, names)
        self.assertFalse({name for name in names if name.startswith("apps/heddle/verbs/")})

    def test_finds_needed_sources_through_headers(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            for file, text in {"a.cpp": '#include "b.h"\n#include "room/x.h"\n', "b.h": "", "b.cpp":
                               '  #  include "c.h"\n', "c.h": '#include "b.h"\n', "d.h": ""}.items():
                (folder / file).write_text(text)
            self.assertEqual([path.name for path in included_sources.needed_by(folder / "a.cpp")],
                             ["a.cpp", "b.cpp", "b.h", "c.h"])

    def test_policy_file_exports_nothing(self):
        _, policies = generated(listed())
        objects = {}
        for object_file in OBJECTS:
            for source in sources_of(object_file):
                objects[source] = object_file
        for file in policies:
            self.assertIn(file, objects)
            self.assertEqual([other for other in sources_of(objects[file]) if other not in policies], [],
                             f"expected only files of policies to be compiled together with {file}")
        for found in {objects[file] for file in policies}:
            symbols = subprocess.run([NM, "-C", "--defined-only", "--extern-only", found],
                                     capture_output=True, text=True, check=True).stdout
            # W, V and u are weak symbols from headers, which are part of the core's digest.
            exported = [line for line in symbols.splitlines() if re.match(r"\w+ [^WVu] ", line)]
            self.assertEqual(exported, [], "a file that exports symbols needs a header of its own: "
                                           f"{sources_of(found)}")

    def test_no_source_creates_a_policy_by_a_fixed_name(self):
        named = re.compile(r"Registry::(make|check|properties|get|find)\(\s*[\"k]")
        for path in listed():
            if path.suffix in (".cpp", ".h"):
                self.assertIsNone(named.search(path.read_text()), name_of(path))

    def test_policy_whose_name_is_not_found_is_an_error(self):
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
