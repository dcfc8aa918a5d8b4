#!/usr/bin/env python3
"""Tests of the messages and summaries of 'heddle cuda' for programs of the driver API.
programs_test.py checks that these programs compute correct results. Each summary has one line that
begins with "machine"."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

HEDDLE = sys.argv[1]
PROGRAMS = pathlib.Path(sys.argv[2])


def heddle(name, *options):
    return subprocess.run([HEDDLE, "cuda", *map(str, options), "--", PROGRAMS / name],
                          capture_output=True, text=True, timeout=300)


def needs(name):
    return unittest.skipUnless((PROGRAMS / name).exists(), f"{name} is not among the programs here")


class Driver(unittest.TestCase):
    def test_one_library_is_loaded_under_both_names(self):
        folder = pathlib.Path(HEDDLE).parent
        self.assertEqual((folder / "libcuda.so.1").resolve(),
                         (folder / "libcudart.so.13").resolve())

    @needs("driver_errors")
    def test_unsupported_call_is_reported_once_by_the_drivers_name(self):
        text = heddle("driver_errors", "--functional").stderr
        self.assertEqual(text.count("the program calls cuFlushGPUDirectRDMAWrites, which Heddle does "
                                    "not support: it returns CUDA_ERROR_NOT_SUPPORTED"), 1)
        # No message: CUDA's libraries use cuGetExportTable to look for functions that they can do
        # without.
        self.assertNotIn("cuGetExportTable", text)

    @needs("driver_errors")
    def test_program_without_the_runtime_reports_its_fault_in_summary_and_json(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "result.json"
            run = heddle("driver_errors", "--json", file)
            result = json.loads(file.read_text())
        self.assertEqual((run.stdout, run.returncode), ("passed\n", 0))
        self.assertRegex(run.stderr, r"kernel +store\n  launches +3\n")
        self.assertIn("heddle: kernel 'store': access out of bounds: store of 4 bytes at 0x0",
                      run.stderr)
        self.assertEqual(result["schema"], "heddle-cuda-2")
        self.assertEqual([kernel["name"] for kernel in result["kernels"]], ["store"])
        self.assertIn("'store'", result["fault"])

    @needs("driver_modules")
    def test_messages_name_the_drivers_call_and_go_to_the_programs_log(self):
        text = heddle("driver_modules", "--functional").stderr
        # The program loads invalid text three times. Twice it passes a buffer for the log, so only
        # the third message goes to standard error.
        self.assertEqual(text.count("heddle: cuModuleLoadData: loaded.ptx:4:27: error: unknown "
                                    "instruction 'madd'"), 1)
        self.assertNotIn("cudaLibrary", text)

    @needs("driver_opened")
    def test_program_that_closes_the_library_has_one_summary_at_its_end(self):
        run = heddle("driver_opened", "--functional")
        self.assertEqual((run.stdout, run.returncode), ("passed\n", 0), run.stderr)
        self.assertEqual(run.stderr.count("machine  "), 1)
        self.assertRegex(run.stderr, r"kernel +count\n  launches +80\n")

    @needs("driver_mixed")
    def test_both_interfaces_share_one_summary(self):
        text = heddle("driver_mixed").stderr
        self.assertEqual(text.count("machine  "), 1)
        self.assertRegex(text, r"kernel +add\(int\*, int\)\n  launches +2\n")
        self.assertRegex(text, r"kernel +twice\n  launches +1\n")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
