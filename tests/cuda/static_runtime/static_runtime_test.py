#!/usr/bin/env python3
"""What stands for programs with CUDA's runtime linked into them: 'heddle cuda' leads them to
its own."""

import pathlib
import subprocess
import sys
import unittest

HEDDLE = sys.argv[1]
PROGRAMS = pathlib.Path(sys.argv[2])

OURS = "error 0, devices 1, stream 0, graph 801, own 999\n"
THEIRS = ("its own __cudaRegisterFatBinary\n"
          "error 0, devices 999, stream 999, graph 999, own 999\n")


def heddle(*words):
    return subprocess.run([HEDDLE, "cuda", "--functional", "--", *map(str, words)],
                          capture_output=True, text=True, timeout=60)


class LinkedIn(unittest.TestCase):
    def test_alone_the_program_calls_its_own_functions(self):
        run = subprocess.run([PROGRAMS / "linked_in"], capture_output=True, text=True, timeout=60)
        self.assertEqual(run.stdout, THEIRS)

    def test_its_functions_of_cudas_names_are_led_to_ours_and_no_others(self):
        for name in ("linked_in", "linked_in_fixed"):
            with self.subTest(program=name):
                run = heddle(PROGRAMS / name)
                self.assertEqual((run.stdout, run.returncode), (OURS, 0), run.stderr)

    def test_so_are_those_of_a_library_that_the_program_needs(self):
        self.assertEqual(heddle(PROGRAMS / "user_of_library").stdout, OURS)

    def test_so_are_those_of_a_child_of_a_program_that_has_nothing_to_do_with_cuda(self):
        run = heddle("/bin/sh", "-c", f"'{PROGRAMS}/linked_in'; exit 5")
        self.assertEqual((run.stdout, run.returncode), (OURS, 5))


class Refusals(unittest.TestCase):
    def check(self, run, why):
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        self.assertIn(why, run.stderr)

    def test_a_stripped_program_is_told_so(self):
        why = "no symbol table to find it by; link it without -s"
        self.check(heddle(PROGRAMS / "linked_in_stripped"), why)
        # The child of one that is not looked into.
        self.check(heddle("/bin/sh", "-c", f"'{PROGRAMS}/linked_in_stripped'"), why)

    def test_one_of_another_cuda_is_told_so(self):
        for name in ("linked_in_older", "shared_older"):
            self.check(heddle(PROGRAMS / name), "build it with CUDA 13")

    def test_one_into_which_nothing_can_be_loaded_is_told_so(self):
        self.check(heddle(PROGRAMS / "linked_in_all_static"), "linked with -static")

    def test_none_is_led_to_ours_in_part(self):
        self.check(heddle(PROGRAMS / "without_room"), "cudaPeekAtLastError has 1 bytes, too few")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
