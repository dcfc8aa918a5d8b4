#!/usr/bin/env python3
"""Prints how long the stages of './dev test' took, and checks that each ran all of its tests.

    test_stages.py RECORD              print the table of stages
    test_stages.py RECORD --check      also fail if a stage, or tests of a stage, are missing
    test_stages.py RECORD --write      declare the tests that ran in tests/stages.toml

RECORD has a line for each stage: its name, its duration in seconds and, for a stage with tests, the file
that ctest --output-junit wrote. A stage must have run at least as many tests of each folder as
tests/stages.toml declares: new tests need no change there, but no test can get lost unnoticed.
"""

import argparse
import collections
import pathlib
import re
import sys
import tomllib
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[2]
DECLARATIONS = ROOT / "tests/stages.toml"
# The last line of GoogleTest or unittest, with the number of tests that ran.
TEST_COUNT = re.compile(r"\[==========\] (\d+) tests? from .* ran\.|^Ran (\d+) tests? in", re.MULTILINE)
# These tests exist only if the CUDA toolkit is installed.
NEEDS_CUDA = re.compile(r"^cuda_abi:|that nvcc builds here|program for real GPUs|on a real GPU, without one")
HEAD = """# The minimum number of tests that each stage of './dev test' must run, by folder. Each case of
# GoogleTest or unittest counts as a test; any other script counts as one. To update the numbers
# after './dev test': tools/checks/test_stages.py build/stages.txt --write
"""


class Stage:
    def __init__(self, line):
        self.name, seconds, *results = line.split("\t")
        self.seconds = float(seconds)
        self.tests = tests_by_folder(results[0]) if results[0] else {}


def tests_by_folder(path):
    """The number of tests that ran, by folder. A test of ctest is named 'folder: subject'."""
    found = collections.Counter()
    for test in xml.etree.ElementTree.parse(path).getroot().iter("testcase"):
        if test.get("status") != "run" or NEEDS_CUDA.search(test.get("name")):
            continue
        cases = [int(a or b) for a, b in TEST_COUNT.findall(test.findtext("system-out") or "")]
        found[test.get("name").split(":")[0]] += sum(cases) or 1
    return dict(sorted(found.items()))


def missing_tests(stages, declared):
    """Yields a message for each declared stage that did not run, and for each folder of which a stage ran
    too few tests."""
    by_name = {stage.name: stage for stage in stages}
    for name, folders in declared.items():
        stage = by_name.get(name)
        if stage is None:
            yield f"stage '{name}' did not run"
            continue
        for folder, minimum in folders.items():
            ran = stage.tests.get(folder, 0)
            if ran < minimum:
                yield f"stage '{name}' ran {ran} tests of {folder}, but {minimum} are declared"


def clock(seconds):
    return f"{int(seconds) // 60:3d} min {int(seconds) % 60:2d} s"


def print_table(stages):
    width = max(len(stage.name) for stage in stages)
    for stage in stages:
        tests = sum(stage.tests.values())
        print(f"  {stage.name:<{width}} {clock(stage.seconds)}" + (f"  {tests:5d} tests" if tests else ""))
    print(f"  {'all':<{width}} {clock(sum(stage.seconds for stage in stages))}")


def declaration_text(stages):
    text = HEAD
    for stage in stages:
        text += f'\n["{stage.name}"]\n'
        text += "".join(f"{folder} = {count}\n" for folder, count in stage.tests.items())
    return text


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("record", type=pathlib.Path)
    parser.add_argument("--declared", type=pathlib.Path, default=DECLARATIONS, help="used instead of tests/stages.toml")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    stages = [Stage(line) for line in arguments.record.read_text().splitlines()]
    print_table(stages)
    if arguments.write:
        arguments.declared.write_text(declaration_text(stages))
    if not arguments.check:
        return 0
    problems = list(missing_tests(stages, tomllib.loads(arguments.declared.read_text())))
    for line in problems:
        print(f"test_stages: {line}; if that is intended, change {arguments.declared.name}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
