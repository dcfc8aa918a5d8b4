#!/usr/bin/env python3
"""CUDA programs, as nvcc built them, run by 'heddle cuda', in time and without."""

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

PRINTED = """before
thread 10 of block 0:  0.00 zero 123456789abcdef x%
thread 11 of block 0:  1.50 other 123456789abcdef x%
thread 10 of block 1:  0.00 zero 123456789abcdef x%
thread 11 of block 1:  1.50 other 123456789abcdef x%
between
thread 20 of block 0:  0.00 zero 123456789abcdef x%
passed
"""


def heddle(*words, text=""):
    return subprocess.run([HEDDLE, "cuda", *map(str, words)], input=text, capture_output=True,
                          text=True, timeout=300)


def program(name):
    return PROGRAMS / name


def needs(name):
    return unittest.skipUnless(program(name).exists(), f"{name} is not among the programs here")


class Programs(unittest.TestCase):
    def test_every_program_finds_its_results_right(self):
        names = [path.name for path in sorted(PROGRAMS.iterdir())]
        others = {"echo", "printing", "strays", "machine_code_only", "stripped_static"}
        checked = [name for name in names if name not in others]
        self.assertGreaterEqual(len(checked), 3)
        for name in checked:
            for options in ([], ["--functional"], ["--machine", "warpman", "--threads", "2"]):
                with self.subTest(program=name, options=options):
                    run = heddle(*options, "--", program(name))
                    self.assertEqual((run.stdout, run.returncode), ("passed\n", 0), run.stderr)

    def test_what_kernels_print_comes_between_what_the_host_prints(self):
        for options in ([], ["--functional"]):
            run = heddle(*options, "--", program("printing"))
            self.assertEqual(run.stdout, PRINTED)

    def test_a_trace_tells_of_all_launches_of_a_program(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "trace"
            run = heddle("--trace", file, "--", program("launches"))
            self.assertEqual((run.stdout, run.returncode), ("passed\n", 0), run.stderr)
            lines = file.read_text().splitlines()
            self.assertGreater(sum(" launch " in line for line in lines), 1)
            self.assertEqual(lines[-1], "# end")

    def test_a_trace_that_cannot_be_written_is_told_before_the_program_begins(self):
        for options, message in ([["--trace", "/dev/null/below"], "cannot write /dev/null/below"],
                                 [["--trace-sms", "0"], "--trace?"],
                                 [["--trace", "-"], "the program's"],
                                 [["--trace", "x", "--trace-cycles", "5"], "--trace-cycles"],
                                 [["--trace", "x", "--functional"], "--functional"]):
            with self.subTest(options):
                run = heddle(*options, "--", program("launches"))
                self.assertEqual((run.stdout, run.returncode), ("", 2))
                self.assertIn(message, run.stderr)

    def test_arguments_input_output_and_exit_code_are_the_programs(self):
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

    def test_the_summary_tells_cycles_or_that_there_were_none(self):
        timed = heddle("--", program("echo"), text="x\n").stderr
        self.assertRegex(timed, r"machine +preexec: ")
        self.assertRegex(timed, r"kernel +shout\(char\*, int\)\n  launches +1\n")
        self.assertRegex(timed, r"  cycles +[1-9]\d* ")
        functional = heddle("--functional", "--", program("echo"), text="x\n").stderr
        self.assertRegex(functional, r"machine +none: the program ran without time")
        self.assertNotIn("cycles", functional)
        self.assertEqual(heddle("--", program("echo")).stderr, "heddle: no kernel was launched\n")

    @needs("variables")
    def test_the_json_has_kernels_and_the_same_cycles_every_time(self):
        with tempfile.TemporaryDirectory() as folder:
            results = []
            for threads in (1, 1, 2):
                file = pathlib.Path(folder) / "result.json"
                heddle("--json", file, "--threads", threads, "--set", "chip.sms=3", "--",
                       program("variables"))
                results.append(json.loads(file.read_text()))
        for result in results:
            self.assertEqual(result["schema"], "heddle-cuda-1")
            self.assertEqual(result["program"], [str(program("variables"))])
            self.assertEqual(result["machine"]["parameters"]["chip.sms"], 3)
            self.assertEqual([k["name"] for k in result["kernels"]], ["_Z3usePf"])
            self.assertEqual(result["kernels"][0]["launches"], 2)
            self.assertEqual(len(result["launches"]), 2)
            self.assertGreater(result["totals"]["cycles"], 0)
        self.assertEqual(results[0], results[1])
        self.assertEqual(results[0], results[2])

    @needs("variables")
    def test_the_json_has_counters_of_each_multiprocessor_when_asked_for(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "result.json"
            heddle("--json", file, "--counters", "each", "--set", "chip.sms=3", "--",
                   program("variables"))
            totals = json.loads(file.read_text())["totals"]
        issued = totals["each_counted"]["sms"]["scheduler.selected"]
        self.assertEqual(len(issued), 3)
        self.assertEqual(sum(issued), totals["counters"]["scheduler.selected"])

    @needs("variables")
    def test_its_energy_is_told_when_asked_for(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "result.json"
            run = heddle("--json", file, "--energy", "storage-40nm", "--", program("variables"))
            energy = json.loads(file.read_text())["totals"]["energy"]
        self.assertEqual(energy["technology"], "storage-40nm")
        self.assertGreater(energy["total_joules"], 0)
        self.assertRegex(run.stderr, r"energy +[\d.]+ uJ as of storage-40nm; ")
        wrong = heddle("--energy", "storage-40mn", "--", program("variables"))
        self.assertEqual(wrong.returncode, 2)
        self.assertIn("'storage-40nm'", wrong.stderr)

    def test_its_launches_are_sampled_when_asked_for(self):
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
        self.assertRegex(run.stderr, r"power +[\d.]+ W on average, [\d.]+ W at most: in cycles ")

    @needs("errors")
    def test_a_fault_is_told_with_its_place_and_stands_in_the_json(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "result.json"
            run = heddle("--json", file, "--", program("errors"))
            result = json.loads(file.read_text())
        self.assertRegex(run.stderr, r"heddle: kernel '_Z5storePi': access out of bounds: store of "
                                     r"4 bytes at 0x0")
        self.assertIn("block (0,0,0), thread (0,0,0)", run.stderr)
        self.assertIn("'_Z5storePi'", result["fault"])

    @needs("strays")
    def test_what_a_gpu_lets_pass_is_a_fault_or_counted(self):
        run = heddle("--", program("strays"))
        self.assertEqual(run.returncode, 1)
        self.assertIn("128 bytes before the start of allocation", run.stderr)
        for options in ([], ["--functional"], ["--threads", "2"]):
            with self.subTest(options), tempfile.TemporaryDirectory() as folder:
                file = pathlib.Path(folder) / "result.json"
                run = heddle("--out-of-bounds", "pages", "--json", file, *options, "--",
                             program("strays"))
                self.assertEqual((run.stdout, run.returncode), ("16384 MB\npassed\n", 0), run.stderr)
                self.assertRegex(run.stderr, r"let pass outside of every allocation\n  32 loads at ")
                load, store = json.loads(file.read_text())["out_of_bounds_let_pass"]
            self.assertEqual((load["loads"], load["stores"]), (32, 0))
            self.assertEqual((store["loads"], store["stores"]), (0, 64))
            self.assertIn("smooth", load["kernel"])

    @needs("strays")
    def test_device_memory_is_what_is_asked_for_or_what_the_host_has_addresses_for(self):
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
    def test_answers_and_the_json_do_not_depend_on_who_hears_the_messages(self):
        words = [HEDDLE, "cuda", "--json", "result.json", "--", program("errors")]
        reader, broken = os.pipe()
        os.close(reader)
        with tempfile.TemporaryDirectory() as folder, open("/dev/full", "w") as full:
            file = pathlib.Path(folder) / "result.json"
            for command, stderr in ((words, full), (words, broken),
                                    (["sh", "-c", '"$@" 2>&-', "sh", *words], None)):
                run = subprocess.run(command, stdout=subprocess.PIPE, stderr=stderr, text=True,
                                     cwd=folder, timeout=300)
                self.assertEqual((run.stdout, run.returncode), ("passed\n", 0))
                self.assertIn("'_Z5storePi'", json.loads(file.read_text())["fault"])
                file.unlink()
        os.close(broken)

    def test_a_json_that_cannot_be_written_is_said_before_the_program_starts(self):
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
    def test_a_call_that_heddle_lacks_is_told_once(self):
        run = heddle("--functional", "--", program("errors"))
        self.assertEqual(run.stderr.count("the program calls cudaGraphCreate, which Heddle does "
                                          "not have: it returns cudaErrorNotSupported"), 1)

    @needs("wide_blocks")
    def test_a_kernel_whose_block_would_not_fit_is_compiled_for_fewer_registers(self):
        run = heddle("--", program("wide_blocks"))
        self.assertEqual(run.stdout, "passed\n")
        self.assertRegex(run.stderr, r"heddle: kernel '_Z3mixPKfPfi' is compiled for 32 registers a "
                                     r"thread in place of \d+, so that a block of 1024 threads fits")
        self.assertEqual(run.stderr.count("in place of"), 1)
        wide = heddle("--set", "sm.registers=65536", "--", program("wide_blocks"))
        self.assertNotIn("in place of", wide.stderr)

    def test_a_launch_that_takes_too_long_is_a_fault_of_the_program(self):
        for option, what in (("--max-cycles=100", "cycles"), ("--max-instructions=3", "instructions")):
            run = heddle(option, "--", program("launches"))
            self.assertNotEqual(run.returncode, 0, option)
            self.assertRegex(run.stderr, rf"heddle: .*{what}", option)
        run = heddle("--max-cycles=100000000", "--max-instructions=100000000", "--",
                     program("launches"))
        self.assertEqual(run.returncode, 0)

    def test_a_damaged_fat_binary_is_refused_and_nothing_beyond_it_is_read(self):
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
            self.assertIn(f"its 16 and {claimed} bytes do not fit into the", run.stderr)

    @needs("machine_code_only")
    def test_a_program_without_ptx_is_told_how_to_be_built(self):
        run = heddle("--", program("machine_code_only"))
        self.assertEqual(run.returncode, 1)
        self.assertIn("no kernel image is available for execution on the device", run.stdout)
        self.assertEqual(run.stderr.count("only machine code for sm_75"), 1)
        self.assertIn("nvcc -gencode arch=compute_80,code=compute_80", run.stderr)


class Refusals(unittest.TestCase):
    def refused(self, *words):
        run = heddle(*words)
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        return run.stderr

    def test_what_is_asked_wrongly_is_told_before_the_program_begins(self):
        echo = program("echo")
        self.assertIn("there is no machine 'preexex'", self.refused("--machine", "preexex", "--",
                                                                    echo, "x"))
        self.assertIn("chip.smx", self.refused("--set", "chip.smx=1", "--", echo))
        self.assertIn("--threads", self.refused("--threads", "0", "--", echo))
        self.assertIn("--max-registers", self.refused("--max-registers", "5", "--", echo))
        self.assertIn("--max-cycles", self.refused("--max-cycles", "0", "--", echo))
        self.assertIn("there is no time", self.refused("--functional", "--max-cycles", "5", "--",
                                                       echo))
        self.assertIn("--max-instructions", self.refused("--max-instructions", "x", "--", echo))
        self.assertIn("l1.byte", self.refused("--functional", "--set", "l1.byte=64K", "--", echo))
        self.assertIn("standard output is the program's", self.refused("--json", "-", "--", echo))
        self.assertIn("cannot run './missing'", self.refused("--", "./missing"))
        self.assertIn("program", self.refused())

    def test_what_makes_no_difference_without_time_is_told(self):
        vain = "--set: without time (--functional) it makes no difference"
        for setting, told in (("l1.bytes=64K", True), ("chip.sms=3", False),
                              ("sm.registers=65536", False)):
            run = heddle("--functional", "--set", setting, "--", program("launches"))
            self.assertEqual((run.stdout, run.returncode), ("passed\n", 0))
            self.assertEqual(vain in run.stderr, told)
        self.assertNotIn(vain, heddle("--set", "l1.bytes=64K", "--", program("launches")).stderr)

    @needs("stripped_static")
    def test_a_stripped_program_with_cudas_own_runtime_in_it_is_told_how_to_be_built(self):
        why = self.refused("--", program("stripped_static"))
        self.assertIn("no symbol table to find it by", why)
        self.assertIn("nvcc -cudart shared", why)

    def copy_of_heddle(self, *folders):
        """In a folder whose name the loader would take apart."""
        odd = pathlib.Path(*folders)
        odd.mkdir()
        for name in ("heddle", "libcudart.so.13"):
            shutil.copy(pathlib.Path(HEDDLE).parent / name, odd / name)
        return odd / "heddle"

    def test_heddle_may_lie_in_any_folder_and_a_child_may_have_no_library_path(self):
        with tempfile.TemporaryDirectory() as folder:
            environment = {**os.environ, "TMPDIR": folder}
            for name in ("a b", "a:b", "a;b", "a$LIBb"):
                copy = self.copy_of_heddle(folder, name)
                for before in ([], ["env", "-u", "LD_LIBRARY_PATH"], ["sh", "-c", 'exec "$@"', "sh"]):
                    run = subprocess.run([copy, "cuda", "--", *before, program("launches")],
                                         capture_output=True, text=True, env=environment)
                    self.assertEqual((run.stdout, run.returncode), ("passed\n", 0), run.stderr)
                    self.assertIn("machine  ", run.stderr)

    def test_a_folder_of_links_that_others_could_write_to_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            copy = self.copy_of_heddle(folder, "a b")
            links = pathlib.Path(folder) / f"heddle-{os.geteuid()}"
            links.mkdir()
            links.chmod(0o777)
            run = subprocess.run([copy, "cuda", "--", "true"], capture_output=True, text=True,
                                 env={**os.environ, "TMPDIR": folder})
            self.assertEqual(run.returncode, 2)
            self.assertIn("not a folder of this user alone", run.stderr)

    def test_other_programs_run_as_ever(self):
        run = heddle("--", "/bin/sh", "-c", "exit 5")
        self.assertEqual((run.returncode, run.stderr), (5, ""))

    def test_what_the_user_has_brought_in_comes_before_heddle(self):
        run = subprocess.run([HEDDLE, "cuda", "--", "/bin/sh", "-c", "echo $LD_PRELOAD"],
                             env={"LD_PRELOAD": "libm.so.6"}, capture_output=True, text=True)
        self.assertRegex(run.stdout, r"^libm\.so\.6:/.*/libcudart\.so\.13\n$")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
