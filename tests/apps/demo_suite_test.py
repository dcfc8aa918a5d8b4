#!/usr/bin/env python3
"""The demonstration's suite: that it checks what it shows, and that what it advises works."""

import json
import re
import shlex
import subprocess
import sys
import unittest

SUITE = HEDDLE = None


def suite(*arguments):
    return subprocess.run([SUITE, *arguments], capture_output=True, text=True)


def rows_of(text):
    """Of its table: a row's cells by the names of their columns."""
    lines = text.splitlines()
    first = next(i for i, line in enumerate(lines) if line.startswith("workload"))
    # Columns are two spaces apart at least; a workload is named in its first row only.
    head = lines[first]
    columns = [(match.start(), match.group()) for match in re.finditer(r"\S+( \S+)*", head)]
    rows = []
    for line in lines[first + 1:]:
        if not line:
            break
        ends = [start for start, _ in columns[1:]] + [len(line)]
        row = {name: line[start:end].strip() for (start, name), end in zip(columns, ends)}
        row["workload"] = row["workload"] or rows[-1]["workload"]
        rows.append(row)
    return rows


class Suite(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.result = suite(HEDDLE)
        cls.rows = rows_of(cls.result.stdout)

    def test_it_ends_well(self):
        self.assertEqual(self.result.returncode, 0, self.result.stderr)
        self.assertEqual(self.result.stderr, "")

    def test_every_row_is_verified(self):
        self.assertGreaterEqual(len(self.rows), 12)
        self.assertEqual({row["result"] for row in self.rows}, {"passed"})
        self.assertIn(f"check: {len(self.rows)} of {len(self.rows)} results", self.result.stdout)

    def test_every_workload_is_run_on_both_machines(self):
        pairs = [(row["workload"], row["machine"]) for row in self.rows]
        self.assertEqual(len(set(pairs)), len(pairs))
        workloads, machines = ({pair[i] for pair in pairs} for i in (0, 1))
        self.assertEqual(len(machines), 2)
        self.assertEqual(len(pairs), 2 * len(workloads))

    def test_figures_are_those_of_the_command_line(self):
        for row in self.rows[-2:]:
            done = subprocess.run([HEDDLE, "run", row["workload"], "--machine", row["machine"],
                                   "--json", "-"], capture_output=True, text=True)
            totals = json.loads(done.stdout)["totals"]
            self.assertEqual(int(row["cycles"]), totals["cycles"])
            self.assertEqual(row["IPC"], f"{totals['ipc']:.1f}")
            self.assertEqual(row["time"], f"{totals['microseconds']:.1f} us")
            self.assertEqual(row["occupancy"], f"{100 * totals['occupancy']['share']:.1f} %")
            slots = totals["issue_slots"]["nsight"]
            all_slots = sum(slots.values())
            lost, name = max((n, name) for name, n in slots.items() if name != "selected")
            self.assertEqual(row["most slots lost to"],
                             f"{100 * lost / all_slots:.1f} % {name.replace('_', ' ')}")

    def test_what_it_advises_works(self):
        lines = self.result.stdout.splitlines()
        commands = [line for line in lines[lines.index("What to try next:") + 1:]
                    if not line.lstrip().startswith("#")]
        self.assertEqual(len(commands), 3)
        for command in commands:
            with self.subTest(command):
                words = shlex.split(command)
                self.assertEqual(words[0], HEDDLE)
                done = subprocess.run(words, capture_output=True, text=True)
                self.assertEqual(done.returncode, 0, done.stderr)

    def test_wrong_use_is_exit_code_2(self):
        result = suite()
        self.assertEqual(result.returncode, 2)
        self.assertIn("usage", result.stderr)


if __name__ == "__main__":
    HEDDLE = sys.argv.pop()
    SUITE = sys.argv.pop()
    unittest.main()
