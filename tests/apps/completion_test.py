#!/usr/bin/env python3
"""Tests 'heddle completion' and 'heddle manual'. Bash and zsh execute the scripts; zsh is optional.

Usage: completion_test.py HEDDLE
"""

import re
import shutil
import subprocess
import sys
import unittest

from program import ProgramTest, heddle

# Prints what bash would offer for the words of the command line; the last one is being typed.
BASH = """
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=()
_heddle
printf '%s\\n' "${COMPREPLY[@]}"
"""

# The functions of zsh's completion system are replaced by ones that print what they are given.
ZSH = """
compset() { return 1 }
compadd() { while [[ $1 != -- ]] do shift; done; shift; print -l -- $@ }
_describe() { print -l -- ${(P)2} }
_files() { print files }
"""


class Completion(ProgramTest):
    def bash(self, *words):
        script = self.works("completion", "bash") + BASH
        result = subprocess.run(["bash", "-c", script, "bash", *words], capture_output=True, text=True, check=True)
        self.assertEqual(result.stderr, "")
        return result.stdout.split()

    def zsh(self, *words):
        if not shutil.which("zsh"):
            self.skipTest("zsh is not installed")
        script = self.works("completion", "zsh").replace('_heddle "$@"\n', "")
        run = f'{ZSH}\n{script}\nwords=("$@"); CURRENT=$#; _heddle'
        result = subprocess.run(["zsh", "-f", "-c", run, "zsh", *words], capture_output=True, text=True, check=True)
        self.assertEqual(result.stderr, "")
        return result.stdout.splitlines()

    def test_verbs_are_offered(self):
        self.assertEqual(self.bash("heddle", "exp"), ["experiment"])
        self.assertEqual(self.bash("heddle", "results", ""), ["list", "show", "export", "merge", "check", "prune"])

    def test_options_belong_to_their_verb(self):
        self.assertEqual(self.bash("heddle", "run", "bfs", "--picture"), ["--picture"])
        self.assertEqual(self.bash("heddle", "show", "warpman", "--picture"), [])
        self.assertIn("--workload", self.bash("heddle", "results", "list", "--"))

    def test_values_are_names_that_heddle_knows(self):
        self.assertEqual(self.bash("heddle", "run", "bf"), ["bfs"])
        self.assertEqual(self.bash("heddle", "run", "bfs", "--machine", "warpman-"), ["warpman-1400"])
        self.assertEqual(self.bash("heddle", "run", "bfs", "--machine", "=", "warpman-"), ["warpman-1400"])
        self.assertIn("tiny", self.bash("heddle", "run", "--size", ""))
        self.assertEqual(self.bash("heddle", "run", "--set", "l1.byt"), ["l1.bytes="])
        self.assertIn("warpman/figure-15", self.bash("heddle", "experiment", "warpman/"))
        self.assertEqual(self.bash("heddle", "run", "--grid", ""), ["input", "resident"])

    def test_each_option_with_a_name_as_value_is_completed(self):
        for verb in ("run", "list", "exec", "show", "cuda", "experiment", "inject"):
            for option in re.findall(r"^  (--[a-z-]+) NAME\|", self.works(verb, "--help"), re.MULTILINE):
                with self.subTest(verb=verb, option=option):
                    self.assertNotEqual(self.bash("heddle", verb, option, ""), [])

    def test_a_program_and_its_arguments_are_left_to_the_shell(self):
        self.assertEqual(self.bash("heddle", "cuda", "--", "./app", "--m"), [])

    def test_zsh_offers_the_same(self):
        verbs = self.zsh("heddle", "")
        self.assertIn("run:Run a workload, or several side by side, and check its result", verbs)
        self.assertIn("bfs", self.zsh("heddle", "run", ""))
        self.assertIn("warpman", self.zsh("heddle", "run", "bfs", "--machine", ""))
        self.assertIn("files", self.zsh("heddle", "run", "bfs", "--machine", ""))
        self.assertIn("--seed:Seed of the generated input", self.zsh("heddle", "run", "bfs", "-"))
        self.assertEqual(self.zsh("heddle", "cuda", "--", "./app", "--m"), ["files"])

    def test_an_unknown_shell_is_refused(self):
        self.fails(heddle("completion", "fish"), "no completion for 'fish'; choose bash or zsh")


class Manual(ProgramTest):
    def test_a_page_has_every_option_of_the_help(self):
        for verb in (["run"], ["cuda"], ["results", "export"]):
            page = self.works("manual", *verb).replace("\\-", "-").replace("\\fR", "").replace("\\fB", "")
            for option in re.findall(r"^  (--?[a-z-]+)", self.works(*verb, "--help"), re.MULTILINE):
                self.assertIn(option, page)

    def test_all_pages_are_written_and_man_shows_them_without_a_warning(self):
        self.works("manual", "--folder", self.folder / "man")
        pages = sorted((self.folder / "man").iterdir())
        self.assertIn("heddle-results-list.1", [page.name for page in pages])
        if not shutil.which("man"):
            self.skipTest("man is not installed")
        for page in pages:
            shown = subprocess.run(["man", "--warnings", "-l", page], capture_output=True, text=True,
                                   env={"MANWIDTH": "80", "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"})
            self.assertEqual((shown.returncode, shown.stderr), (0, ""), page)
            self.assertIn("SYNOPSIS", shown.stdout)

    def test_an_example_stays_as_it_is_written(self):
        if not shutil.which("man"):
            self.skipTest("man is not installed")
        self.works("manual", "--folder", self.folder)
        shown = subprocess.run(["man", "-l", self.folder / "heddle-run.1"], capture_output=True, text=True,
                               env={"MANWIDTH": "120", "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"})
        self.assertIn("heddle run bfs --machine preexec --set l1.bytes=64K --threads 8", shown.stdout)

    def test_an_unknown_verb_is_refused_with_the_nearest(self):
        self.fails(heddle("manual", "rum"), "there is no 'heddle rum'", "heddle run")

    def test_a_folder_takes_all_pages(self):
        self.fails(heddle("manual", "run", "--folder", self.folder), "leave the verb out")


if __name__ == "__main__":
    ProgramTest.HEDDLE = sys.argv.pop(1)
    unittest.main()
