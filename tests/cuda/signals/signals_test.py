#!/usr/bin/env python3
"""Tests of programs that get signals or fork. Each kernel must be reported exactly once, and the
program's own signal handling must be preserved."""

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
OPTIONS = ([], ["--functional"], ["--threads", "2"])


def command(what, *options):
    """The command that runs the program; `what` selects what the program does."""
    return [HEDDLE, "cuda", *map(str, options), "--", PROGRAM, what]


def heddle(what, *options):
    return subprocess.run(command(what, *options), capture_output=True, text=True, timeout=60)


class Running:
    """A running program that has printed that it is ready."""

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

    def status(self):
        """Sends SIGUSR1, and returns the status that is then printed."""
        self.send(signal.SIGUSR1)
        printed = self.process.stderr.readline()
        assert printed, "the program has ended"
        return printed

    def wait_until_spinning(self):
        """Waits until the endless kernel runs and has reported progress; returns the status."""
        while not (status := self.status()).endswith(" s\n") or " per second; " not in status:
            time.sleep(0.01)
        return status

    def end(self):
        """Waits for the program's end; returns its exit code and the rest of its standard error."""
        _, printed = self.process.communicate(timeout=60)
        return self.process.returncode, printed


class Signals(unittest.TestCase):
    def test_interrupted_launch_is_reported_and_process_ends_by_the_signal(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            for options in OPTIONS:
                with self.subTest(number, options=options), tempfile.TemporaryDirectory() as folder:
                    file = pathlib.Path(folder) / "result.json"
                    running = Running("spins", "--json", file, *options)
                    running.wait_until_spinning()
                    running.send(number)
                    code, printed = running.end()
                    self.assertEqual(code, -number)
                    self.assertIn(f"heddle: {number.name} ended the program", printed)
                    self.assertRegex(printed, r"kernel +quick\n  launches +2\n")
                    self.assertRegex(printed, r"kernel +spin\n  launches +1\n"
                                              r"  warp instructions +[1-9]\d* \(32.0 lanes")
                    result = json.loads(file.read_text())
                    self.assertEqual(result["ended_by"], number.name)
                    self.assertEqual([k["name"] for k in result["kernels"]], ["quick", "spin"])
                    self.assertGreater(result["kernels"][1]["warp_instructions"], 100)
                    if not "--functional" in options:
                        self.assertGreater(result["kernels"][1]["cycles"], 100)

    def test_trace_of_interrupted_launch_is_complete(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "trace"
            running = Running("spins", "--trace", file, "--trace-cycles", ":3000")
            running.wait_until_spinning()
            running.send(signal.SIGINT)
            running.end()
            self.assertEqual(file.read_text().splitlines()[-1], "# end")

    def test_interrupts_program_outside_of_launches(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            running = Running("waits")
            running.send(number)
            code, printed = running.end()
            self.assertEqual(code, -number)
            self.assertEqual(printed.count("machine  "), 1)
            self.assertRegex(printed, r"kernel +quick\n  launches +2\n")

    def test_programs_handler_has_precedence_whenever_it_was_set(self):
        for what in ("handles before", "handles after"):
            running = Running(what)
            running.send(signal.SIGINT)
            code, printed = running.end()
            self.assertEqual(code, 5)
            self.assertRegex(printed, r"kernel +quick\n  launches +3\n")

    def test_handler_that_exits_in_a_launch_reports_earlier_launches(self):
        for options in OPTIONS:
            running = Running("handler exits", *options)
            running.wait_until_spinning()
            running.send(signal.SIGINT)
            code, printed = running.end()
            self.assertEqual(code, 7)
            self.assertEqual(printed.count("machine  "), 1)
            self.assertRegex(printed, r"kernel +quick\n  launches +2\n")

    def test_program_that_exits_does_not_wait_for_launch_of_another_thread(self):
        for options in OPTIONS:
            run = heddle("main exits", *options)
            self.assertEqual(run.returncode, 8)
            self.assertEqual(run.stderr.count("machine  "), 1)

    def test_ignored_signals_stay_ignored(self):
        ignored = (signal.SIGINT, signal.SIGTERM, signal.SIGUSR1)
        running = Running("reads", ignored=ignored)
        for number in ignored:
            running.send(number)
        code, printed = running.end()
        self.assertEqual(code, 6)
        self.assertNotIn("ended the program", printed)
        self.assertNotIn("no kernel is running", printed)

    def test_prints_status_on_sigusr1(self):
        for options in ([], ["--functional"]):
            running = Running("spins", *options)
            status = running.wait_until_spinning()
            self.assertRegex(status, r"^heddle: launch 3, spin: .* million warp instructions, .* million per "
                                     r"second; for \d+\.\d s\n$")
            self.assertEqual("million cycles" in status, options == [])
            running.send(signal.SIGINT)
            self.assertEqual(running.end()[0], -signal.SIGINT)
        running = Running("reads")
        self.assertEqual(running.status(), "heddle: no kernel is running; launches so far: 2\n")
        self.assertEqual(running.end()[0], 6)


class Terminal(unittest.TestCase):
    def test_progress_of_long_launch_is_shown_on_terminal_and_cleared(self):
        for options in ([], ["--functional"]):
            own_end, program_end = pty.openpty()
            process = subprocess.Popen(command("spins", *options), stdout=subprocess.PIPE,
                                       stderr=program_end)
            os.close(program_end)
            shown = b""
            while b"per second ..." not in shown:
                shown += os.read(own_end, 65536)
            process.send_signal(signal.SIGINT)
            try:
                while part := os.read(own_end, 65536):
                    shown += part
            except OSError:  # Raised when the terminal is closed.
                pass
            os.close(own_end)
            process.wait(timeout=60)
            process.stdout.close()
            self.assertRegex(shown.decode(), r"\r\x1b\[Klaunch 3: spin, .* million per second \.\.\.")
            # The line is cleared before the summary.
            self.assertIn("\r\x1b[Kheddle: SIGINT", shown.decode())

    def test_progress_is_not_shown_elsewhere(self):
        running = Running("spins")
        running.wait_until_spinning()
        running.send(signal.SIGINT)
        self.assertNotIn("\x1b", running.end()[1])


class Forks(unittest.TestCase):
    def summaries(self, what, code):
        """Expects an exit code of the program, and returns its standard error."""
        run = heddle(what)
        self.assertEqual(run.returncode, code, run.stderr)
        return run.stderr

    def test_child_that_exits_prints_no_summary(self):
        for what in ("fork, child exits", "fork before use, child exits"):
            printed = self.summaries(what, 0)
            self.assertEqual(printed.count("machine  "), 1)
            self.assertNotIn("no kernel", printed)

    def test_child_forked_after_use_of_the_gpu_gets_an_error_as_with_cuda(self):
        printed = self.summaries("fork, child launches", 3)
        self.assertEqual(printed.count("machine  "), 1)
        self.assertEqual(printed.count("forked after its parent had used the GPU"), 1)
        self.assertRegex(printed, r"kernel +quick\n  launches +2\n")

    def test_each_process_that_launches_has_its_own_summary(self):
        printed = self.summaries("fork before use", 0)
        self.assertEqual(printed.count("machine  "), 2)

    def test_parent_without_launches_keeps_the_json_of_its_child(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "result.json"
            file.write_text("of another run")
            heddle("fork, child alone launches", "--json", file)
            self.assertEqual(len(json.loads(file.read_text())["kernels"]), 1)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
