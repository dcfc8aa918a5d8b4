#!/usr/bin/env python3
"""Uses 'heddle cuda' to run mock programs with CUDA's static runtime. Heddle must redirect the
runtime's functions to its own."""

import pathlib
import subprocess
import sys
import unittest

HEDDLE = sys.argv[1]
PROGRAMS = pathlib.Path(sys.argv[2])

# The output if the program's calls reach Heddle's functions, and if they reach its own functions.
OURS = "error 0, devices 1, stream 0, flush 801, own 999\n"
THEIRS = ("its own __cudaRegisterFatBinary\n"
          "error 0, devices 999, stream 999, flush 999, own 999\n")


def heddle(*arguments):
    return subprocess.run([HEDDLE, "cuda", "--functional", "--", *map(str, arguments)],
                          capture_output=True, text=True, timeout=60)


class LinkedIn(unittest.TestCase):
    def test_program_alone_calls_its_own_functions(self):
        run = subprocess.run([PROGRAMS / "linked_in"], capture_output=True, text=True, timeout=60)
        self.assertEqual(run.stdout, THEIRS)

    def test_redirects_only_functions_with_cudas_names(self):
        for name in ("linked_in", "linked_in_fixed"):
            with self.subTest(program=name):
                run = heddle(PROGRAMS / name)
                self.assertEqual((run.stdout, run.returncode), (OURS, 0), run.stderr)

    def test_redirects_functions_of_a_library_that_the_program_needs(self):
        self.assertEqual(heddle(PROGRAMS / "user_of_library").stdout, OURS)

    def test_redirects_functions_in_a_child_of_a_program_without_cuda(self):
        run = heddle("/bin/sh", "-c", f"'{PROGRAMS}/linked_in'; exit 5")
        self.assertEqual((run.stdout, run.returncode), (OURS, 5))


class Rejections(unittest.TestCase):
    def check(self, run, why):
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        self.assertIn(why, run.stderr)

    def test_rejects_stripped_program(self):
        why = "has no symbol table; link it without -s"
        self.check(heddle(PROGRAMS / "linked_in_stripped"), why)
        # As a child of a program that is not checked itself.
        self.check(heddle("/bin/sh", "-c", f"'{PROGRAMS}/linked_in_stripped'"), why)

    def test_rejects_program_of_another_cuda_version(self):
        for name in ("linked_in_older", "shared_older"):
            self.check(heddle(PROGRAMS / name), "build it with CUDA 13")

    def test_rejects_fully_static_program(self):
        self.check(heddle(PROGRAMS / "linked_in_all_static"), "linked with -static")

    def test_rejects_program_that_can_be_redirected_only_in_part(self):
        self.check(heddle(PROGRAMS / "short_function"), "cudaPeekAtLastError has 1 bytes, too few")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
