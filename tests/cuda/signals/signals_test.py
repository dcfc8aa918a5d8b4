#!/usr/bin/env python3
"""Signals and forks of simulated programs: what ran is told, once, and what is the program's own stays
its own."""

import json
import os
import pathlib
import pty
import signal
import subprocess
import sys
import tempfile
import time
import unittest

HEDDLE, PROGRAM = sys.argv[1:3]
WAYS = ([], ["--functional"], ["--threads", "2"])


def command(what, *options):
    return [HEDDLE, "cuda", *map(str, options), "--", PROGRAM, what]


def heddle(what, *options):
    return subprocess.run(command(what, *options), capture_output=True, text=True, timeout=60)


class Running:
    """A program that has come to the line that says it is ready."""

    def __init__(self, what, *options, ignored=()):
        def ignore():
            for number in ignored:
                signal.signal(number, signal.SIG_IGN)
        self.process = subprocess.Popen(command(what, *options), stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                        preexec_fn=ignore)
        assert self.process.stdout.readline() == "ready\n"

    def send(self, number):
        self.process.send_signal(number)

    def ask(self):
        """What it says that it does."""
        self.send(signal.SIGUSR1)
        said = self.process.stderr.readline()
        assert said, "it has ended"
        return said

    def spin(self):
        """What it says when it is in the launch that does not end, and has reported how far it is."""
        while not (said := self.ask()).endswith(" s\n") or " a second; " not in said:
            time.sleep(0.01)
        return said

    def end(self):
        """Its exit code and what it has said since."""
        _, said = self.process.communicate(timeout=60)
        return self.process.returncode, said


class Signals(unittest.TestCase):
    def test_an_interrupted_launch_leaves_what_ran_and_ends_as_by_the_signal(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            for options in WAYS:
                with self.subTest(number, options=options), tempfile.TemporaryDirectory() as folder:
                    file = pathlib.Path(folder) / "result.json"
                    running = Running("spins", "--json", file, *options)
                    running.spin()
                    running.send(number)
                    code, said = running.end()
                    self.assertEqual(code, -number)
                    self.assertIn(f"heddle: {number.name} ended the program", said)
                    self.assertRegex(said, r"kernel +quick\n  launches +2\n")
                    self.assertRegex(said, r"kernel +spin\n  launches +1\n"
                                           r"  warp instructions +[1-9]\d* \(32.0 lanes")
                    result = json.loads(file.read_text())
                    self.assertEqual(result["ended_by"], number.name)
                    self.assertEqual([k["name"] for k in result["kernels"]], ["quick", "spin"])
                    self.assertGreater(result["kernels"][1]["warp_instructions"], 100)
                    if not "--functional" in options:
                        self.assertGreater(result["kernels"][1]["cycles"], 100)

    def test_the_trace_of_an_interrupted_launch_has_an_end(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "trace"
            running = Running("spins", "--trace", file, "--trace-cycles", ":3000")
            running.spin()
            running.send(signal.SIGINT)
            running.end()
            self.assertEqual(file.read_text().splitlines()[-1], "# end")

    def test_a_program_that_waits_is_interrupted_too(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            running = Running("waits")
            running.send(number)
            code, said = running.end()
            self.assertEqual(code, -number)
            self.assertEqual(said.count("machine  "), 1)
            self.assertRegex(said, r"kernel +quick\n  launches +2\n")

    def test_a_handler_of_the_program_is_its_own_whenever_it_was_made(self):
        for what in ("handles before", "handles after"):
            running = Running(what)
            running.send(signal.SIGINT)
            code, said = running.end()
            self.assertEqual(code, 5)
            self.assertRegex(said, r"kernel +quick\n  launches +3\n")

    def test_a_handler_that_exits_in_a_launch_leaves_what_ran_before(self):
        for options in WAYS:
            running = Running("handler exits", *options)
            running.spin()
            running.send(signal.SIGINT)
            code, said = running.end()
            self.assertEqual(code, 7)
            self.assertEqual(said.count("machine  "), 1)
            self.assertRegex(said, r"kernel +quick\n  launches +2\n")

    def test_a_program_that_exits_waits_for_no_launch_of_another_thread(self):
        for options in WAYS:
            run = heddle("main exits", *options)
            self.assertEqual(run.returncode, 8)
            self.assertEqual(run.stderr.count("machine  "), 1)

    def test_what_was_ignored_stays_ignored(self):
        ignored = (signal.SIGINT, signal.SIGTERM, signal.SIGUSR1)
        running = Running("reads", ignored=ignored)
        for number in ignored:
            running.send(number)
        code, said = running.end()
        self.assertEqual(code, 6)
        self.assertNotIn("ended the program", said)
        self.assertNotIn("no kernel is running", said)

    def test_a_program_says_what_it_does_when_asked(self):
        for options in ([], ["--functional"]):
            running = Running("spins", *options)
            said = running.spin()
            self.assertRegex(said, r"^heddle: launch 3, spin: .* million warp instructions, .* million a "
                                   r"second; for \d+\.\d s\n$")
            self.assertEqual("million cycles" in said, options == [])
            running.send(signal.SIGINT)
            self.assertEqual(running.end()[0], -signal.SIGINT)
        running = Running("reads")
        self.assertEqual(running.ask(), "heddle: no kernel is running; launches so far: 2\n")
        self.assertEqual(running.end()[0], 6)


class Terminal(unittest.TestCase):
    def test_a_launch_that_takes_long_is_shown_on_a_terminal_and_wiped(self):
        for options in ([], ["--functional"]):
            ours, programs = pty.openpty()
            process = subprocess.Popen(command("spins", *options), stdout=subprocess.PIPE,
                                       stderr=programs)
            os.close(programs)
            shown = b""
            while b"a second ..." not in shown:
                shown += os.read(ours, 65536)
            process.send_signal(signal.SIGINT)
            try:
                while part := os.read(ours, 65536):
                    shown += part
            except OSError:  # How a terminal ends.
                pass
            os.close(ours)
            process.wait(timeout=60)
            process.stdout.close()
            self.assertRegex(shown.decode(), r"\r\x1b\[Klaunch 3: spin, .* million a second \.\.\.")
            # Wiped before the summary.
            self.assertIn("\r\x1b[Kheddle: SIGINT", shown.decode())

    def test_elsewhere_it_is_not(self):
        running = Running("spins")
        running.spin()
        running.send(signal.SIGINT)
        self.assertNotIn("\x1b", running.end()[1])


class Forks(unittest.TestCase):
    def summaries(self, what, code):
        run = heddle(what)
        self.assertEqual(run.returncode, code, run.stderr)
        return run.stderr

    def test_a_child_that_exits_says_nothing(self):
        for what in ("fork, child exits", "fork before use, child exits"):
            said = self.summaries(what, 0)
            self.assertEqual(said.count("machine  "), 1)
            self.assertNotIn("no kernel", said)

    def test_a_child_of_a_process_that_used_the_gpu_is_refused_as_cuda_refuses_it(self):
        said = self.summaries("fork, child launches", 3)
        self.assertEqual(said.count("machine  "), 1)
        self.assertEqual(said.count("forked off after its parent had used the GPU"), 1)
        self.assertRegex(said, r"kernel +quick\n  launches +2\n")

    def test_each_process_that_launches_has_its_own_summary(self):
        said = self.summaries("fork before use", 0)
        self.assertEqual(said.count("machine  "), 2)

    def test_a_parent_that_launches_nothing_keeps_the_json_of_its_child(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "result.json"
            file.write_text("of another run")
            heddle("fork, child alone launches", "--json", file)
            self.assertEqual(len(json.loads(file.read_text())["kernels"]), 1)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
