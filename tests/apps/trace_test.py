#!/usr/bin/env python3
"""Tests traces: their lines, selections, and errors."""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

HEDDLE = None

# Each thread stores out of bounds after a load, unless the second argument is 1.
FAULTS = """.version 8.0
.target sm_75
.address_size 64
.visible .entry faults(.param .u64 words, .param .u32 spared)
{
  .reg .pred %p;
  .reg .b32 %r<4>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [words];
  ld.param.u32 %r1, [spared];
  ld.volatile.global.u32 %r2, [%rd1];
  setp.ne.u32 %p, %r1, 0;
  @%p bra END;
  mov.u64 %rd2, 16;
  st.global.u32 [%rd2], %r2;
END:
  ret;
}
"""


def heddle(*arguments, **more):
    return subprocess.run([HEDDLE, *map(str, arguments)], capture_output=True, text=True,
                          timeout=300, **more)


def events(text):
    """The columns of each event's line, as a list: six, and the details if there are any."""
    return [line.split(None, 6) for line in text.splitlines() if not line.startswith("#")]


class Trace(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.file = self.folder / "trace"

    def run_reduction(self, *more, trace=True):
        result = heddle("run", "reduction", "--size", "tiny", "--machine", "warpman",
                        *(["--trace", self.file] if trace else []), *more)
        return result

    def exec(self, spared, *more):
        """Executes kernel 'faults', which does not fault if `spared` is 1."""
        ptx = self.folder / "faults.ptx"
        ptx.write_text(FAULTS)
        return heddle("exec", ptx, "--grid", 2, "--block", 64, "--arg", "buf:words:256",
                      "--arg", f"u32:{spared}", "--machine", "warpman", *more)

    def fails(self, result, *texts):
        """Asserts that `result` has the exit code of wrong use, and these texts on standard error."""
        self.assertEqual(result.returncode, 2, result.stdout + result.stderr)
        for text in texts:
            self.assertIn(text, result.stderr)

    def test_begins_with_its_version_and_ends_with_an_end_line(self):
        result = self.run_reduction()
        self.assertEqual(result.returncode, 0, result.stderr)
        text = self.file.read_text()
        lines = text.splitlines()
        self.assertTrue(lines[0].startswith("# heddle-trace-2"))
        self.assertEqual(lines[1].split(),
                         ["#", "cycle", "where", "for", "pc", "event", "cause", "details"])
        self.assertEqual(lines[-1], "# end")
        self.assertGreater(len(lines), 1000)
        place = re.compile(r"\s*\d+ (sm\d+|part\d+|chip) +(w\d+|sm\d+|-) +(pc\d+|-) \S+ +\S+")
        for line in lines[2:-1]:
            self.assertRegex(line, place)

    def test_has_listed_events_only(self):
        self.run_reduction()
        listed = heddle("list", "events").stdout.splitlines()[1:]
        names = {line.split()[0] for line in listed}
        self.assertLessEqual({event[4] for event in events(self.file.read_text())}, names)
        self.assertIn("l1_miss", names)

    def test_changes_no_result(self):
        results = []
        for trace in (True, False):
            result = self.run_reduction("--json", self.folder / "json", trace=trace)
            self.assertEqual(result.returncode, 0, result.stderr)
            results.append(json.loads((self.folder / "json").read_text()))
            del results[-1]["host"]
        self.assertEqual(results[0], results[1])

    def test_can_be_limited_to_multiprocessors_and_cycles(self):
        result = self.run_reduction("--trace-sms", "0,3-4", "--trace-cycles", "1000:2000")
        self.assertEqual(result.returncode, 0, result.stderr)
        seen = events(self.file.read_text())
        self.assertEqual({event[1] for event in seen if event[1].startswith("sm")},
                         {"sm0", "sm3", "sm4"})
        self.assertEqual({event[2] for event in seen if event[2].startswith("sm")},
                         {"sm0", "sm3", "sm4"})
        cycles = [int(event[0]) for event in seen]
        self.assertGreaterEqual(min(cycles), 1000)
        self.assertLess(max(cycles), 2000)

    def test_ends_of_a_cycle_range_are_optional(self):
        for text, least, most in (("1000:", 1000, 10**9), (":1000", 0, 999)):
            self.assertEqual(self.run_reduction("--trace-cycles", text).returncode, 0)
            cycles = [int(event[0]) for event in events(self.file.read_text())]
            self.assertGreaterEqual(min(cycles), least)
            self.assertLessEqual(max(cycles), most)

    def test_rejects_invalid_selections_and_keeps_the_file(self):
        self.file.write_text("mine")
        for sms in ("15", "x", "1-", "-1", "3-1", "0,,1", "1-2-3", "0-99"):
            with self.subTest(sms):
                self.fails(self.run_reduction(f"--trace-sms={sms}"), "--trace-sms")
        for cycles in ("5", ":", "a:b", "10:10", "10:5", "1:2:3", "-1:5"):
            with self.subTest(cycles):
                self.fails(self.run_reduction(f"--trace-cycles={cycles}"), "--trace-cycles")
        self.assertEqual(self.file.read_text(), "mine")

    def test_invalid_machine_keeps_the_old_trace(self):
        self.file.write_text("mine")
        self.fails(self.run_reduction("--set", "l1.bytes=100K", "--set", "l1.ways=7"),
                     "sets of 7 lines")
        self.assertEqual(self.file.read_text(), "mine")

    def test_rejects_selection_without_trace_and_trace_without_machine(self):
        self.fails(self.run_reduction("--trace-sms", "0", trace=False), "--trace-sms: needs --trace")
        self.fails(heddle("run", "reduction", "--size", "tiny", "--trace", self.file),
                     "--trace", "--machine")
        self.assertFalse(self.file.exists())

    def test_unwritable_file_is_reported_before_the_run(self):
        result = heddle("run", "reduction", "--size", "tiny", "--machine", "warpman",
                        "--trace", "/dev/null/below")
        self.fails(result, "cannot write /dev/null/below")
        self.assertEqual(result.stdout, "")

    @unittest.skipUnless(os.path.exists("/dev/full"), "/dev/full does not exist")
    def test_full_disk_is_reported_at_the_end_and_loses_no_result(self):
        path = self.folder / "json"
        result = heddle("run", "reduction", "--size", "tiny", "--machine", "warpman", "--trace",
                        "/dev/full", "--json", path)
        self.fails(result, "cannot write /dev/full", "No space left")
        self.assertIn("passed", result.stdout)
        self.assertIs(json.loads(path.read_text())["verified"], True)

    def test_can_be_written_to_a_pipe(self):
        os.mkfifo(self.file)
        copy = self.folder / "copy"
        with copy.open("w") as out, subprocess.Popen(["cat", self.file], stdout=out):
            self.assertEqual(self.run_reduction().returncode, 0)
        text = copy.read_text()
        self.assertTrue(text.startswith("# heddle-trace-2"))
        self.assertTrue(text.endswith("# end\n"))

    def test_can_be_written_to_standard_output_before_the_summary(self):
        whole = self.run_reduction()
        for name in ("-", "/dev/stdout"):
            out = self.folder / "out"
            with out.open("w") as to:
                subprocess.run([HEDDLE, "run", "reduction", "--size", "tiny", "--machine",
                                "warpman", "--trace", name], stdout=to, timeout=300, check=True)
            text = out.read_text()
            self.assertTrue(text.startswith(self.file.read_text().removesuffix("# end\n")))
            self.assertIn("passed", text)
        self.assertIn("passed", whole.stdout)

    def test_exec_writes_a_trace(self):
        result = self.exec(1, "--trace", self.file)
        self.assertEqual(result.returncode, 0, result.stderr)
        seen = events(self.file.read_text())
        self.assertEqual([event[5] for event in seen if event[4] == "launch"], ["faults"])
        loads = [event for event in seen if event[4] == "lsu_load"]
        self.assertEqual([event[3] for event in loads], [loads[0][3]] * 4)

    def test_fault_ends_the_trace_in_its_cycle(self):
        path = self.folder / "json"
        result = self.exec(0, "--trace", self.file, "--json", path)
        self.assertEqual(result.returncode, 3, result.stderr)
        lines = self.file.read_text().splitlines()
        cycles = json.loads(path.read_text())["kernels"][0]["cycles"]
        self.assertEqual(lines[-2:], [f"# stopped in cycle {cycles}", "# end"])
        seen = events("\n".join(lines))
        self.assertIn("dram_read", {event[4] for event in seen})
        self.assertLessEqual(int(seen[-1][0]), cycles)


if __name__ == "__main__":
    HEDDLE = sys.argv.pop(1)
    unittest.main()
