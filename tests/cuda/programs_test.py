#!/usr/bin/env python3
"""Uses 'heddle cuda' to run CUDA programs built by nvcc, both with timing and functionally."""

import json
import os
import pathlib
import signal
import shutil
import subprocess
import sys
import tempfile
import unittest

HEDDLE = sys.argv[1]
PROGRAMS = pathlib.Path(sys.argv[2])

# The output of the program `printing`.
PRINTED = """before
thread 10 of block 0:  0.00 zero 123456789abcdef x%
thread 11 of block 0:  1.50 other 123456789abcdef x%
thread 10 of block 1:  0.00 zero 123456789abcdef x%
thread 11 of block 1:  1.50 other 123456789abcdef x%
between
thread 20 of block 0:  0.00 zero 123456789abcdef x%
passed
"""


def heddle(*arguments, text=""):
    return subprocess.run([HEDDLE, "cuda", *map(str, arguments)], input=text, capture_output=True,
                          text=True, timeout=300)


def program(name):
    """The path of a program."""
    return PROGRAMS / name


def needs(name):
    return unittest.skipUnless(program(name).exists(), f"{name} is not among the programs here")


class Programs(unittest.TestCase):
    def test_every_program_computes_correct_results(self):
        names = [path.name for path in sorted(PROGRAMS.iterdir())]
        # Other tests check these programs, which do not just print "passed".
        others = {"echo", "printing", "strays", "machine_code_only", "stripped_static"}
        checked = [name for name in names if name not in others]
        self.assertGreaterEqual(len(checked), 3)
        for name in checked:
            for options in ([], ["--functional"], ["--machine", "warpman", "--threads", "2"]):
                with self.subTest(program=name, options=options):
                    run = heddle(*options, "--", program(name))
                    self.assertEqual((run.stdout, run.returncode), ("passed\n", 0), run.stderr)

    def test_output_of_kernels_is_in_order_with_output_of_the_host(self):
        for options in ([], ["--functional"]):
            run = heddle(*options, "--", program("printing"))
            self.assertEqual(run.stdout, PRINTED)

    def test_trace_contains_all_launches_of_a_program(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "trace"
            run = heddle("--trace", file, "--", program("launches"))
            self.assertEqual((run.stdout, run.returncode), ("passed\n", 0), run.stderr)
            lines = file.read_text().splitlines()
            self.assertGreater(sum(" launch " in line for line in lines), 1)
            self.assertEqual(lines[-1], "# end")

    def test_unwritable_trace_is_reported_before_the_program_begins(self):
        for options, message in ([["--trace", "/dev/null/below"], "cannot write /dev/null/below"],
                                 [["--trace-sms", "0"], "--trace-sms: needs --trace"],
                                 [["--trace", "-"], "the program's"],
                                 [["--trace", "x", "--trace-cycles", "5"], "--trace-cycles"],
                                 [["--trace", "x", "--functional"], "--functional"]):
            with self.subTest(options):
                run = heddle(*options, "--", program("launches"))
                self.assertEqual((run.stdout, run.returncode), ("", 2))
                self.assertIn(message, run.stderr)

    def test_passes_arguments_input_output_and_exit_code_through(self):
        run = heddle("--", program("echo"), "-n", "a b", "--help", text="one\nTwo\n")
        self.assertEqual(run.stdout, "[-n]\n[a b]\n[--help]\nONE\nTWO\n")
        self.assertEqual(run.returncode, 42)

    def test_signals_end_the_program(self):
        run = subprocess.Popen([HEDDLE, "cuda", "--", program("echo"), "word"],
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
        run.stdin.write("begun\n")
        run.stdin.flush()
        run.send_signal(signal.SIGTERM)
        run.communicate(timeout=60)
        self.assertEqual(run.returncode, -signal.SIGTERM)

    def test_summary_shows_cycles_only_with_timing(self):
        timed = heddle("--", program("echo"), text="x\n").stderr
        self.assertRegex(timed, r"machine +preexec: ")
        self.assertRegex(timed, r"kernel +shout\(char\*, int\)\n  launches +1\n")
        self.assertRegex(timed, r"  cycles +[1-9]\d* ")
        functional = heddle("--functional", "--", program("echo"), text="x\n").stderr
        self.assertRegex(functional, r"machine +none: functional simulation only")
        self.assertNotIn("cycles", functional)
        self.assertEqual(heddle("--", program("echo")).stderr, "heddle: no kernel was launched\n")

    @needs("variables")
    def test_json_has_kernels_and_reproducible_cycles(self):
        with tempfile.TemporaryDirectory() as folder:
            results = []
            for threads in (1, 1, 2):
                file = pathlib.Path(folder) / "result.json"
                heddle("--json", file, "--threads", threads, "--set", "chip.sms=3", "--",
                       program("variables"))
                results.append(json.loads(file.read_text()))
        for result in results:
            self.assertEqual(result["schema"], "heddle-cuda-2")
            self.assertEqual(result["program"], [str(program("variables"))])
            self.assertEqual(result["machine"]["parameters"]["chip.sms"], 3)
            self.assertEqual([k["name"] for k in result["kernels"]], ["_Z3usePf"])
            self.assertEqual(result["kernels"][0]["launches"], 2)
            self.assertEqual(len(result["launches"]), 2)
            self.assertGreater(result["totals"]["cycles"], 0)
        self.assertEqual(results[0], results[1])
        self.assertEqual(results[0], results[2])

    @needs("variables")
    def test_json_has_counters_of_each_multiprocessor_on_request(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "result.json"
            heddle("--json", file, "--counters", "each", "--set", "chip.sms=3", "--",
                   program("variables"))
            totals = json.loads(file.read_text())["totals"]
        issued = totals["by_component"]["sms"]["scheduler.selected"]
        self.assertEqual(len(issued), 3)
        self.assertEqual(sum(issued), totals["counters"]["scheduler.selected"])

    @needs("variables")
    def test_reports_energy_on_request(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "result.json"
            run = heddle("--json", file, "--energy", "storage-40nm", "--", program("variables"))
            energy = json.loads(file.read_text())["totals"]["energy"]
        self.assertEqual(energy["technology"], "storage-40nm")
        self.assertGreater(energy["total_joules"], 0)
        self.assertRegex(run.stderr, r"energy +[\d.]+ uJ by storage-40nm; ")
        wrong = heddle("--energy", "storage-40mn", "--", program("variables"))
        self.assertEqual(wrong.returncode, 2)
        self.assertIn("'storage-40nm'", wrong.stderr)

    def test_samples_launches_on_request(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            run = heddle("--json", folder / "all.json", "--energy", "--sample", "300",
                         "--sample-counters", "sm", "--sample-csv", folder / "all.csv",
                         "--power-chart", folder / "power.svg", "--", program("launches"))
            self.assertEqual((run.stdout, run.returncode), ("passed\n", 0), run.stderr)
            kernels = json.loads((folder / "all.json").read_text())["kernels"]
            lines = (folder / "all.csv").read_text().splitlines()
            self.assertIn("<svg ", (folder / "power.svg").read_text())
        for kernel in kernels:
            self.assertEqual(sum(kernel["samples"]["counters"]["sm.warp_instructions"]),
                             kernel["warp_instructions"])
        self.assertEqual(sum(len(one["samples"]["launch"]) for one in kernels), len(lines) - 1)
        self.assertRegex(run.stderr, r"power +[\d.]+ W on average, [\d.]+ W peak in cycles ")

    @needs("errors")
    def test_fault_is_reported_with_its_location_and_in_the_json(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "result.json"
            run = heddle("--json", file, "--", program("errors"))
            result = json.loads(file.read_text())
        self.assertRegex(run.stderr, r"heddle: kernel '_Z5storePi': access out of bounds: store of "
                                     r"4 bytes at 0x0")
        self.assertIn("block (0,0,0), thread (0,0,0)", run.stderr)
        self.assertIn("'_Z5storePi'", result["fault"])

    @needs("strays")
    def test_stray_access_is_a_fault_or_is_counted(self):
        run = heddle("--", program("strays"))
        self.assertEqual(run.returncode, 1)
        self.assertIn("128 bytes before the start of allocation", run.stderr)
        for options in ([], ["--functional"], ["--threads", "2"]):
            with self.subTest(options), tempfile.TemporaryDirectory() as folder:
                file = pathlib.Path(folder) / "result.json"
                run = heddle("--out-of-bounds", "pages", "--json", file, *options, "--",
                             program("strays"))
                self.assertEqual((run.stdout, run.returncode), ("16384 MB\npassed\n", 0), run.stderr)
                self.assertRegex(run.stderr, r"accesses outside of every allocation\n  32 loads at ")
                load, store = json.loads(file.read_text())["out_of_bounds_accesses"]
            self.assertEqual((load["loads"], load["stores"]), (32, 0))
            self.assertEqual((store["loads"], store["stores"]), (0, 64))
            self.assertIn("smooth", load["kernel"])

    @needs("strays")
    def test_device_memory_has_the_requested_size_or_fits_the_hosts_address_space(self):
        run = heddle("--device-memory", "1G", "--out-of-bounds=pages", "--", program("strays"))
        self.assertEqual((run.stdout, run.returncode), ("1024 MB\npassed\n", 0), run.stderr)
        run = subprocess.run(
            ["sh", "-c", 'ulimit -v 4194304 && exec "$@"', "sh", HEDDLE, "cuda",
             "--out-of-bounds=pages", "--", str(program("strays"))],
            capture_output=True, text=True, timeout=300)
        self.assertEqual((run.stdout, run.returncode), ("1024 MB\npassed\n", 0), run.stderr)
        for option, value in (("--device-memory", "0"), ("--device-memory", "x"),
                              ("--allocation-gap", "-1"), ("--allocation-gap", "2G"),
                              ("--out-of-bounds", "maybe")):
            run = heddle(option, value, "--", program("strays"))
            self.assertEqual((run.stdout, run.returncode), ("", 2))
            self.assertIn(option, run.stderr)

    @needs("errors")
    def test_results_and_json_do_not_depend_on_standard_error(self):
        plain_command = [HEDDLE, "cuda", "--json", "result.json", "--", program("errors")]
        reader, broken = os.pipe()
        os.close(reader)
        with tempfile.TemporaryDirectory() as folder, open("/dev/full", "w") as full:
            file = pathlib.Path(folder) / "result.json"
            for command, stderr in ((plain_command, full), (plain_command, broken),
                                    (["sh", "-c", '"$@" 2>&-', "sh", *plain_command], None)):
                run = subprocess.run(command, stdout=subprocess.PIPE, stderr=stderr, text=True,
                                     cwd=folder, timeout=300)
                self.assertEqual((run.stdout, run.returncode), ("passed\n", 0))
                self.assertIn("'_Z5storePi'", json.loads(file.read_text())["fault"])
                file.unlink()
        os.close(broken)

    def test_unwritable_json_is_reported_before_the_program_starts(self):
        run = heddle("--json", "/dev/null/below", "--", program("launches"))
        self.assertEqual((run.stdout, run.returncode), ("", 2))
        self.assertIn("cannot write /dev/null/below: Not a directory", run.stderr)
        run = heddle("--set", "l1.bytes=100K", "--set", "l1.ways=7", "--", program("launches"))
        self.assertEqual((run.stdout, run.returncode), ("", 2))
        self.assertIn("sets of 7 lines", run.stderr)
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "in" / "a folder" / "result.json"
            self.assertEqual(heddle("--json", file, "--", program("launches")).returncode, 0)
            self.assertIn("totals", json.loads(file.read_text()))

    @needs("errors")
    def test_unsupported_call_is_reported_once(self):
        run = heddle("--functional", "--", program("errors"))
        self.assertEqual(run.stderr.count("the program calls cudaDeviceFlushGPUDirectRDMAWrites, "
                                          "which Heddle does not support: it returns "
                                          "cudaErrorNotSupported"), 1)

    @needs("wide_blocks")
    def test_kernel_is_compiled_for_fewer_registers_if_a_block_does_not_fit(self):
        run = heddle("--", program("wide_blocks"))
        self.assertEqual(run.stdout, "passed\n")
        self.assertRegex(run.stderr, r"heddle: kernel '_Z3mixPKfPfi' is compiled for 32 registers per "
                                     r"thread instead of \d+, so that a block of 1024 threads fits")
        self.assertEqual(run.stderr.count("instead of"), 1)
        wide = heddle("--set", "sm.registers=65536", "--", program("wide_blocks"))
        self.assertNotIn("instead of", wide.stderr)

    def test_launch_beyond_a_limit_is_a_fault_of_the_program(self):
        for option, limited in (("--max-cycles=100", "cycles"),
                                ("--max-instructions=3", "instructions")):
            run = heddle(option, "--", program("launches"))
            self.assertNotEqual(run.returncode, 0, option)
            self.assertRegex(run.stderr, rf"heddle: .*{limited}", option)
        run = heddle("--max-cycles=100000000", "--max-instructions=100000000", "--",
                     program("launches"))
        self.assertEqual(run.returncode, 0)

    def test_damaged_fat_binary_is_rejected_and_no_memory_beyond_it_is_read(self):
        # A fat binary begins with a magic number, its version (1) and the size of its header (16
        # bytes). The size of all its images follows, in 8 bytes.
        magic = (0xba55ed50).to_bytes(4, "little") + b"\x01\x00\x10\x00"
        content = bytearray(program("launches").read_bytes())
        at = content.rindex(magic) + len(magic)
        for claimed in (1 << 20, 1 << 40, (1 << 64) - 1):
            content[at:at + 8] = claimed.to_bytes(8, "little")
            with tempfile.TemporaryDirectory() as folder:
                damaged = pathlib.Path(folder) / "damaged"
                damaged.write_bytes(content)
                damaged.chmod(0o755)
                run = heddle("--", damaged)
            self.assertEqual(run.returncode, 1, run.stderr)
            self.assertIn(f"its header of 16 bytes and its images of {claimed} bytes do not fit into the", run.stderr)

    @needs("machine_code_only")
    def test_message_for_program_without_ptx_explains_how_to_build_it(self):
        run = heddle("--", program("machine_code_only"))
        self.assertEqual(run.returncode, 1)
        self.assertIn("no kernel image is available for execution on the device", run.stdout)
        self.assertEqual(run.stderr.count("only machine code for sm_75"), 1)
        self.assertIn("nvcc -gencode arch=compute_80,code=compute_80", run.stderr)


class Rejections(unittest.TestCase):
    def rejection(self, *arguments):
        """The message with which 'heddle cuda' rejects the arguments."""
        run = heddle(*arguments)
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        return run.stderr

    def test_invalid_options_are_reported_before_the_program_begins(self):
        echo = program("echo")
        self.assertIn("unknown machine 'preexex'",
                      self.rejection("--machine", "preexex", "--", echo, "x"))
        self.assertIn("chip.smx", self.rejection("--set", "chip.smx=1", "--", echo))
        self.assertIn("--threads", self.rejection("--threads", "0", "--", echo))
        self.assertIn("--max-registers", self.rejection("--max-registers", "5", "--", echo))
        self.assertIn("--max-cycles", self.rejection("--max-cycles", "0", "--", echo))
        self.assertIn("--max-cycles: not with --functional",
                      self.rejection("--functional", "--max-cycles", "5", "--", echo))
        self.assertIn("--max-instructions", self.rejection("--max-instructions", "x", "--", echo))
        self.assertIn("l1.byte", self.rejection("--functional", "--set", "l1.byte=64K", "--", echo))
        self.assertIn("standard output is the program's", self.rejection("--json", "-", "--", echo))
        self.assertIn("cannot run './missing'", self.rejection("--", "./missing"))
        self.assertIn("program", self.rejection())

    def test_setting_without_effect_in_functional_simulation_is_reported(self):
        no_effect = "--set: no effect with --functional"
        for setting, reported in (("l1.bytes=64K", True), ("chip.sms=3", False),
                              ("sm.registers=65536", False)):
            run = heddle("--functional", "--set", setting, "--", program("launches"))
            self.assertEqual((run.stdout, run.returncode), ("passed\n", 0))
            self.assertEqual(no_effect in run.stderr, reported)
        self.assertNotIn(no_effect, heddle("--set", "l1.bytes=64K", "--", program("launches")).stderr)

    @needs("stripped_static")
    def test_message_for_stripped_program_with_static_runtime_explains_how_to_build_it(self):
        message = self.rejection("--", program("stripped_static"))
        self.assertIn("has no symbol table", message)
        self.assertIn("nvcc -cudart shared", message)

    def copy_of_heddle(self, *folders):
        """Copies heddle and its library into a new folder; returns the path of the copy."""
        folder = pathlib.Path(*folders)
        folder.mkdir()
        for name in ("heddle", "libcudart.so.13"):
            shutil.copy(pathlib.Path(HEDDLE).parent / name, folder / name)
        return folder / "heddle"

    def test_works_in_any_folder_and_for_children_without_library_path(self):
        with tempfile.TemporaryDirectory() as folder:
            environment = {**os.environ, "TMPDIR": folder}
            # Characters that are special in LD_PRELOAD and LD_LIBRARY_PATH.
            for name in ("a b", "a:b", "a;b", "a$LIBb"):
                copy = self.copy_of_heddle(folder, name)
                for before in ([], ["env", "-u", "LD_LIBRARY_PATH"], ["sh", "-c", 'exec "$@"', "sh"]):
                    run = subprocess.run([copy, "cuda", "--", *before, program("launches")],
                                         capture_output=True, text=True, env=environment)
                    self.assertEqual((run.stdout, run.returncode), ("passed\n", 0), run.stderr)
                    self.assertIn("machine  ", run.stderr)

    def test_rejects_folder_of_links_that_others_can_write_to(self):
        with tempfile.TemporaryDirectory() as folder:
            copy = self.copy_of_heddle(folder, "a b")
            links = pathlib.Path(folder) / f"heddle-{os.geteuid()}"
            links.mkdir()
            links.chmod(0o777)
            run = subprocess.run([copy, "cuda", "--", "true"], capture_output=True, text=True,
                                 env={**os.environ, "TMPDIR": folder})
            self.assertEqual(run.returncode, 2)
            self.assertIn("not a folder of this user alone", run.stderr)

    def test_programs_without_cuda_run_unchanged(self):
        run = heddle("--", "/bin/sh", "-c", "exit 5")
        self.assertEqual((run.returncode, run.stderr), (5, ""))

    def test_preloads_heddle_after_the_users_libraries(self):
        run = subprocess.run([HEDDLE, "cuda", "--", "/bin/sh", "-c", "echo $LD_PRELOAD"],
                             env={"LD_PRELOAD": "libm.so.6"}, capture_output=True, text=True)
        self.assertRegex(run.stdout, r"^libm\.so\.6:/.*/libcudart\.so\.13\n$")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
