#!/usr/bin/env python3
"""Tests the command line: results, messages and exit codes."""

import json
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import unittest

HEDDLE = None
ROOT = None

ADD = """.version 8.0
.target sm_75
.address_size 64
.visible .entry add(.param .u64 a, .param .u64 b, .param .u64 sum, .param .u32 n)
{
  .reg .pred %p;
  .reg .b32 %r<6>;
  .reg .b64 %rd<8>;
  .reg .f32 %f<4>;
  ld.param.u64 %rd1, [a];
  ld.param.u64 %rd2, [b];
  ld.param.u64 %rd3, [sum];
  ld.param.u32 %r1, [n];
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mov.u32 %r4, %tid.x;
  mad.lo.u32 %r5, %r2, %r3, %r4;
  setp.ge.u32 %p, %r5, %r1;
  @%p bra END;
  mul.wide.u32 %rd4, %r5, 4;
  add.u64 %rd5, %rd1, %rd4;
  add.u64 %rd6, %rd2, %rd4;
  add.u64 %rd7, %rd3, %rd4;
  ld.global.f32 %f1, [%rd5];
  ld.global.f32 %f2, [%rd6];
  add.f32 %f3, %f1, %f2;
  st.global.f32 [%rd7], %f3;
END:
  ret;
}
.visible .entry spin() { L: bra L; }
.visible .entry scalars(.param .u64 out, .param .u8 a, .param .s16 b, .param .b32 c, .param .f64 d,
                        .param .b16 e)
{
  .reg .b16 %h<4>;
  .reg .b32 %r<4>;
  .reg .b64 %rd<4>;
  .reg .f64 %d<2>;
  ld.param.u64 %rd1, [out];
  ld.param.u8 %r1, [a];
  ld.param.s16 %r2, [b];
  ld.param.u32 %r3, [c];
  ld.param.f64 %d1, [d];
  ld.param.b16 %h1, [e];
  st.global.u32 [%rd1], %r1;
  st.global.u32 [%rd1+4], %r2;
  st.global.u32 [%rd1+8], %r3;
  st.global.b16 [%rd1+12], %h1;
  st.global.f64 [%rd1+16], %d1;
  ret;
}
"""


def heddle(*arguments):
    return subprocess.run([HEDDLE, *map(str, arguments)], capture_output=True, text=True,
                          timeout=300)


class CommandLine(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.ptx = self.folder / "add.ptx"
        self.ptx.write_text(ADD)

    def floats(self, name, values):
        """Writes a file of 32-bit floats."""
        path = self.folder / name
        path.write_bytes(struct.pack(f"<{len(values)}f", *values))
        return path

    def add(self, *more, n=1000, size=4000):
        """Executes kernel 'add' on `n` pairs of floats, with a buffer of `size` bytes for the sums."""
        a = self.floats("a.bin", range(1000))
        b = self.floats("b.bin", [0.5] * 1000)
        return heddle("exec", self.ptx, "--entry", "add", "--grid", 4, "--block", 256,
                      "--arg", f"buf:a:@{a}", "--arg", f"buf:b:@{b}", "--arg", f"buf:sum:{size}",
                      "--arg", f"u32:{n}", *more)

    def fails(self, result, code, *texts):
        """Asserts that `result` has this exit code, and these texts on standard error."""
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        for text in texts:
            self.assertIn(text, result.stderr)

    def test_exec_runs_a_kernel_and_dumps_its_buffers(self):
        out = self.folder / "sum.bin"
        result = self.add("--dump", f"sum:{out}")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("warp instructions", result.stdout)
        sums = struct.unpack("<1000f", out.read_bytes())
        self.assertEqual(list(sums), [i + 0.5 for i in range(1000)])

    def test_exec_json_is_reproducible_except_host(self):
        results = []
        for _ in range(2):
            result = self.add("--json", "-")
            self.assertEqual(result.returncode, 0, result.stderr)
            results.append(json.loads(result.stdout))
        for key in ("seconds", "warp_instructions_per_second"):
            self.assertGreater(results[0]["host"][key], 0)
        for result in results:
            del result["host"]
        self.assertEqual(results[0], results[1])
        kernel = results[0]["kernels"][0]
        self.assertEqual(kernel["name"], "add")
        self.assertIn("schema", results[0])
        self.assertGreater(kernel["registers_per_thread"], 0)
        # 1000 of 1024 threads add: 24 threads of the last warp are inactive.
        self.assertGreater(kernel["warp_instructions"], 32 * 10)
        self.assertLess(kernel["thread_instructions"], 32 * kernel["warp_instructions"])

    def test_exec_writes_json_to_a_file(self):
        path = self.folder / "result.json"
        self.assertEqual(self.add("--json", path).returncode, 0)
        self.assertEqual(json.loads(path.read_text())["kernels"][0]["name"], "add")

    def test_exec_passes_scalars_of_every_type(self):
        out = self.folder / "out.bin"
        result = heddle("exec", self.ptx, "--entry", "scalars", "--grid", 1, "--block", 1,
                        "--arg", "buf:out:24", "--arg", "u8:0xff", "--arg", "s16:-3",
                        "--arg", "b32:deadbeef", "--arg", "f64:2.5", "--arg", "f16:-1.5",
                        "--dump", f"out:{out}")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(struct.unpack("<IiIH2xd", out.read_bytes()),
                         (255, -3, 0xDEADBEEF, 0xBE00, 2.5))

    def test_exec_rejects_invalid_arguments(self):
        run = ["exec", self.ptx, "--entry", "add", "--grid", 1, "--block", 1]
        for argument, message in [("u32", "expected TYPE:VALUE"), ("u32:-1", "does not fit u32"),
                                  ("u8:256", "does not fit u8"), ("s8:-129", "does not fit s8"),
                                  ("u32:1x", "not a whole number"), ("f32:", "missing"),
                                  ("f32:abc", "not a number"), ("f32:1e999", "does not fit f32"),
                                  ("f64:-1e999", "does not fit f64"),
                                  ("f16:65520", "does not fit f16"), ("b8:100", "does not fit b8"),
                                  ("x32:1", "unknown type 'x32'"), ("buf:", "needs a name"),
                                  ("buf:a", "expected buf:NAME:BYTES"),
                                  ("buf:a:0", "at least one byte"),
                                  ("buf:a:12Q", "--arg buf:a:12Q: '12Q' is not a number of bytes"),
                                  ("buf:a:@/dev/null/below", "cannot read")]:
            with self.subTest(argument):
                self.fails(heddle(*run, "--arg", argument), 2, message)
        self.fails(heddle(*run, "--arg", "u32:1"), 2, "4 parameters, and 1 arguments")

    def test_rejects_wrong_use_with_exit_code_2(self):
        self.fails(heddle(), 2)
        self.fails(heddle("exec"), 2)
        self.fails(heddle("nonsense"), 2)
        self.fails(heddle("exec", "/nowhere.ptx", "--grid", 1, "--block", 1), 2,
                   "cannot read /nowhere.ptx")
        self.fails(heddle("exec", self.folder, "--grid", 1, "--block", 1), 2, "folder")
        self.fails(heddle("exec", self.ptx, "--grid", 1, "--block", 1), 2, "--entry", "add", "spin")
        self.fails(heddle("exec", self.ptx, "--entry", "ad", "--grid", 1, "--block", 1), 2,
                   "did you mean 'add'?")
        self.fails(heddle("exec", self.ptx, "--entry", "add", "--grid", "1,x", "--block", 1), 2,
                   "--grid")
        self.fails(heddle("exec", self.ptx, "--entry", "spin", "--grid", 1, "--block", 2000), 2,
                   "block")
        spin = ["exec", self.ptx, "--entry", "spin", "--block", 1]
        for shared in (2**63, 2**32, "5G"):
            self.fails(heddle(*spin, "--grid", 1, "--shared", shared), 2,
                       f"--shared {shared}: a block can have at most 232448 bytes")
        for shared in (2**64, -1, "1e3"):
            self.fails(heddle(*spin, "--grid", 1, "--shared", shared), 2,
                       f"--shared {shared}: '{shared}' is not a number of bytes")
        for grid in (2**32, -1):
            self.fails(heddle(*spin, "--grid", grid), 2,
                       f"--grid {grid}: expected X, X,Y or X,Y,Z, whole numbers up to 4294967295")
        self.fails(self.add("--dump", "nothing:x"), 2, "unknown buffer 'nothing'")
        self.fails(self.add("--dump", "sum:/dev/null/below"), 2, "cannot write")

    def test_suggests_the_nearest_verb_or_option(self):
        self.fails(heddle("rnu", "vector-add"), 2, "unknown verb 'rnu'; did you mean 'run'?")
        self.fails(heddle("run", "vector-add", "--machin", "warpman"), 2,
                   "run: unknown option '--machin'; did you mean '--machine'?")
        self.fails(heddle("exec", self.ptx, "--gird=1", "--block", 1), 2,
                   "exec: unknown option '--gird'; did you mean '--grid'?")
        self.fails(heddle("run", "vector-add", "--threads"), 2, "run: --threads")
        self.fails(heddle("results", "export", "--csv"), 2, "results export: --csv")
        self.fails(heddle("results", "prune", "--dry-rum"), 2, "did you mean '--dry-run'?")
        self.fails(heddle("results", "shwo"), 2,
                   "results: unknown action 'shwo'; did you mean 'show'?")
        self.fails(heddle(), 2, "a verb is missing; choose one of: run, list,")
        self.fails(heddle("frob"), 2, "unknown verb 'frob'; choose one of: run, list,")
        self.fails(heddle("--frob", "run"), 2, "unknown option '--frob'")
        self.fails(heddle("-v"), 2, "unknown option '-v'")
        self.fails(heddle("run", "vector-add", "-1"), 2, "run: unknown option '-1'")
        self.fails(heddle("run", "vector-add", "more"), 2, "run: 'more' is one argument too many")
        for words in (["--bogus", "./program"], ["./program", "--bogus"]):
            self.fails(heddle("cuda", *words), 2, "cuda: unknown option '--bogus'",
                       "the program and its own options come after '--'")

    def test_reports_output_that_does_not_fit_on_the_disk(self):
        verbs = ["run", "list", "exec", "compile", "show", "experiment", "results", "cuda", "report",
                 "inject"]
        for words in ([], *([verb] for verb in verbs), ["list", "machines"], ["results", "list"]):
            with self.subTest(words), open("/dev/full", "w") as full:
                result = subprocess.run([HEDDLE, *words, "--help"], stdout=full,
                                        stderr=subprocess.PIPE, text=True)
                self.assertEqual((result.returncode, result.stderr),
                                 (2, "heddle: cannot write to standard output\n"))

    def test_kernel_is_an_alias_of_entry(self):
        self.fails(heddle("exec", self.ptx, "--kernel", "spin", "--grid", 1, "--block", 2000), 2,
                   "block")

    def test_help_and_version_exit_with_code_0(self):
        for arguments in (["--help"], ["exec", "--help"], ["compile", "--help"], ["list", "--help"],
                          ["show", "--help"], ["--version"]):
            result = heddle(*arguments)
            self.assertEqual(result.returncode, 0)
            self.assertTrue(result.stdout)

    def test_fault_exits_with_code_3_and_names_the_place(self):
        self.fails(self.add(size=4000 - 4), 3, "kernel 'add'", "out of bounds", "'sum'",
                   f"{self.ptx}:27", "thread (231,0,0)")

    def test_fault_is_in_the_json(self):
        path = self.folder / "result.json"
        self.assertEqual(self.add("--json", path, size=4000 - 4).returncode, 3)
        kernel = json.loads(path.read_text())["kernels"][0]
        self.assertEqual(kernel["name"], "add")
        self.assertIn("out of bounds", kernel["fault"])

    def test_instruction_limit_ends_an_endless_kernel(self):
        self.fails(heddle("exec", self.ptx, "--entry", "spin", "--grid", 1, "--block", 32,
                          "--max-instructions", 5000), 3, "5000 warp instructions")

    def test_livelock_is_a_fault_with_its_place(self):
        self.fails(heddle("exec", self.ptx, "--entry", "spin", "--grid", 1, "--block", 32), 3,
                   "kernel 'spin': livelock", f"{self.ptx}:", "block (0,0,0), warp 0")

    def test_ptx_errors_show_the_line_and_a_caret(self):
        self.ptx.write_text(ADD.replace("add.f32 %f3, %f1, %f2;", "add.f32 %f3, %f1, %nope;"))
        self.fails(self.add(), 2, f"{self.ptx}:26:", "%nope", "^")

    def test_compile_reports_resource_usage(self):
        result = heddle("compile", self.ptx)
        self.assertEqual(result.returncode, 0, result.stderr)
        for name in ("add", "spin", "scalars"):
            self.assertIn(name, result.stdout)
        result = heddle("compile", self.ptx, "--entry", "add", "--json", "-")
        self.assertEqual(result.returncode, 0, result.stderr)
        kernels = json.loads(result.stdout)["kernels"]
        self.assertEqual([k["name"] for k in kernels], ["add"])
        for key in ("registers", "predicates", "spill_stores", "spill_loads", "shared_bytes",
                    "local_bytes", "constant_bytes", "instructions", "blocks"):
            self.assertIn(key, kernels[0])
        self.assertEqual(kernels[0]["spill_stores"], 0)
        self.assertEqual(kernels[0]["shared_bytes"], 0)

    def test_listing_shows_instructions_with_ptx_lines(self):
        result = heddle("compile", self.ptx, "--entry", "add", "--listing")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("add.f32", result.stdout)
        self.assertIn("26", result.stdout)
        listing = heddle("compile", self.ptx, "--listing", "--hierarchy", "entries=2,last_results=1")
        self.assertEqual(listing.returncode, 0)
        self.assertRegex(listing.stdout, r"-- (a strand|suspended)")
        self.assertRegex(listing.stdout, r"R\d+@[ol]\d")
        self.fails(heddle("compile", self.ptx, "--hierarchy", "entrys=2"), 2, "operands.entries")
        self.fails(heddle("compile", self.ptx, "--hierarchy", "last_results=2"), 2, "last_results")
        self.fails(heddle("compile", self.ptx, "--entry", "nope"), 2, "nope")

    def test_results_do_not_depend_on_the_vector_unit(self):
        path = self.folder / "sum.bin"
        outputs = set()
        for unit in ("", "baseline"):
            result = subprocess.run(
                [HEDDLE, "exec", ROOT / "bench/kernels/kernels.ptx", "--entry", "arithmetic",
                 "--grid", "1", "--block", "64", "--arg", "buf:out:256", "--arg", "s32:3",
                 "--dump", f"out:{path}"], env={"HEDDLE_VECTOR_UNIT": unit}, capture_output=True)
            self.assertEqual(result.returncode, 0, result.stderr)
            outputs.add(path.read_bytes())
        self.assertEqual(len(outputs), 1)
        result = subprocess.run(
            [HEDDLE, "exec", self.ptx, "--entry", "spin", "--grid", "1", "--block", "1"],
            env={"HEDDLE_VECTOR_UNIT": "mmx"}, capture_output=True, text=True)
        self.fails(result, 2, "HEDDLE_VECTOR_UNIT is 'mmx'", "baseline")

    def test_run_checks_the_result_of_a_workload(self):
        result = heddle("run", "vector-add", "--size", "tiny")
        self.assertEqual(result.returncode, 0, result.stderr)
        for text in ("vector_add", "lanes active", "registers per thread", "passed: 50000 values"):
            self.assertIn(text, result.stdout)
        self.assertEqual(result.stderr, "")

    def test_run_writes_json(self):
        result = heddle("run", "vector-add", "--size", "tiny", "--seed", 5, "--json", "-")
        self.assertEqual(result.returncode, 0, result.stderr)
        report = json.loads(result.stdout)
        self.assertEqual([report[key] for key in ("schema", "workload", "size", "seed", "verified")],
                         ["heddle-run-3", "vector-add", "tiny", 5, True])
        kernel, = report["kernels"]
        launch, = report["launches"]
        self.assertEqual(kernel["name"], "vector_add")
        self.assertEqual(kernel["launches"], 1)
        self.assertEqual(launch["kernel"], "vector_add")
        self.assertEqual(launch["grid"], [196, 1, 1])
        self.assertEqual(launch["block"], [256, 1, 1])
        self.assertEqual(report["warp_instructions"], launch["warp_instructions"])
        self.assertEqual(sum(report["warp_instructions_by_class"].values()),
                         report["warp_instructions"])
        for part in ("machine", "totals"):
            self.assertNotIn(part, report)
        self.assertEqual(report["host"]["threads"], 1)

    def test_wrong_result_exits_with_code_1_and_shows_differences(self):
        kernels = (ROOT / "workloads/vector-add/kernel.ptx").read_text()
        self.ptx.write_text(kernels.replace("add.f32", "sub.f32"))
        path = self.folder / "result.json"
        result = heddle("run", "vector-add", "--size", "tiny", "--ptx", self.ptx, "--json", path)
        self.assertEqual(result.returncode, 1)
        self.assertIn("FAILED", result.stdout)
        self.assertRegex(result.stdout, r"c\[0\]: \S+, should be \S+")
        report = json.loads(path.read_text())
        self.assertIs(report["verified"], False)
        self.assertEqual(report["verification"]["differences"][0]["where"], "c[0]")

    def test_machine_without_fused_multiply_adds_runs_the_unfused_kernels(self):
        def instructions(*options):
            result = heddle("run", "matrix-multiply", "--size", "tiny", "--machine", "storage",
                            "--json", "-", *options)
            self.assertEqual(result.returncode, 0, result.stderr)
            return json.loads(result.stdout)["warp_instructions"]
        # The two forms have the same integer instructions, which the compiler may fuse.
        folder = ROOT / "workloads/matrix-multiply"
        separate = instructions("--set", "isa.fused_multiply_add=no")
        self.assertGreater(separate, instructions("--ptx", folder / "kernel-unfused.ptx"))
        self.assertEqual(separate, instructions("--ptx", folder / "kernel-unfused.ptx",
                                                "--set", "isa.fused_multiply_add=no"))
        # Multiply-adds in PTX that replaces the kernels remain: no tile has a product of its own.
        self.assertLess(instructions("--ptx", folder / "kernel.ptx",
                                     "--set", "isa.fused_multiply_add=no"), separate)

    def test_fault_of_a_workload_exits_with_code_3_and_is_in_the_json(self):
        kernels = (ROOT / "workloads/vector-add/kernel.ptx").read_text()
        # Without the bounds check, threads of the last block access memory behind the vectors.
        self.ptx.write_text(re.sub(r"@%p\d+ bra[^;]*;", "", kernels))
        path = self.folder / "result.json"
        self.fails(heddle("run", "vector-add", "--size", "tiny", "--ptx", self.ptx, "--json", path),
                   3, "out of bounds", "vector_add")
        report = json.loads(path.read_text())
        self.assertIs(report["verified"], False)
        self.assertIn("out of bounds", report["fault"])

    def test_run_rejects_invalid_options(self):
        self.fails(heddle("run", "vector-ad"), 2, "did you mean 'vector-add'")
        self.fails(heddle("run", "vector-add", "--size", "huge"), 2, "huge", "medium")
        for seed in ("-1", "99999999999999999999", "1x", ""):
            self.fails(heddle("run", "vector-add", "--size", "tiny", "--seed", seed), 2, "--seed")
        self.fails(heddle("run", "blackjack", "--size", "paper"), 2, "no paper gives a size")
        self.fails(heddle("run", "vector-add", "--registers", "paper"), 2, "no paper")
        self.fails(heddle("run", "vector-add", "--registers", "0"), 2, "1 to 255")
        self.fails(heddle("run", "vector-add", "--picture", "x.png"), 2, "not a picture")
        self.fails(heddle("run", "vector-add", "--ptx", self.folder / "none.ptx"), 2, "none.ptx")
        self.fails(heddle("run", "vector-add", "--size", "tiny", "--ptx", self.ptx), 2,
                   "vector_add")

    def test_registers_option_determines_residency(self):
        def residency(choice):
            result = heddle("run", "hotspot", "--size", "tiny", "--registers", choice, "--json", "-")
            self.assertEqual(result.returncode, 0, result.stderr)
            return json.loads(result.stdout)["kernels"][0]["residency"]
        # Xiang et al., Warp-Level Divergence in GPUs, Table 2: 35 registers per thread, 3 blocks.
        self.assertEqual(residency("paper")["registers_per_thread"], 35)
        self.assertEqual(residency("paper")["blocks_per_sm"], 3)
        self.assertEqual(residency("60")["blocks_per_sm"], 2)
        self.assertEqual(residency("60")["limit"], "registers")

    def test_run_writes_a_picture(self):
        path = self.folder / "picture.png"
        result = heddle("run", "ray-tracing", "--size", "tiny", "--picture", path)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(path.read_bytes()[:8], b"\x89PNG\r\n\x1a\n")

    def test_lists_workloads(self):
        result = heddle("list", "workloads")
        self.assertEqual(result.returncode, 0, result.stderr)
        lines = result.stdout.splitlines()
        folders = [path.parent.name for path in (ROOT / "workloads").glob("*/kernel.cu")]
        names = [line.split()[0] for line in lines[1:]]
        self.assertEqual(names, sorted({*folders, "aes-encrypt", "fft-2d", "kmeans-all-features",
                                          "matrix-vector-rows", "needle-32", "needle-64", "scan-short",
                                          "stencil-tiled"}))
        line, = [line for line in lines if line.startswith("hotspot")]
        for text in ("16x16", "3072", "warpman Table 2"):
            self.assertIn(text, line)

    def test_lists_workloads_of_a_suite_in_table_order(self):
        result = heddle("list", "workloads", "--suite", "large-warps")
        self.assertEqual(result.returncode, 0, result.stderr)
        lines = result.stdout.splitlines()
        self.assertEqual([line.split()[0] for line in lines[1:]],
                         ["blackjack", "bucket-sort", "viterbi", "kmeans", "aes-decrypt",
                          "black-scholes", "needle", "hotspot", "matrix-multiply", "reduction",
                          "histogram", "bfs"])
        everything = heddle("list", "workloads").stdout.splitlines()
        self.assertEqual(lines[0].split(), everything[0].split())
        of_bfs = [next(line.split() for line in text if line.startswith("bfs "))
                  for text in (lines, everything)]
        self.assertEqual(*of_bfs)

    def test_lists_missing_programs_of_a_suite_with_reasons(self):
        path = self.folder / "suite.toml"
        path.write_text('paper = "A paper"\ntable = "Table 1"\nunnamed = 2\nprograms = [\n'
                        '{ paper_name = "Later", workload = "no-such-workload" },\n'
                        '{ paper_name = "Sum", workload = "scan" },\n'
                        '{ paper_name = "Never", missing = "it is a shader" }]\n')
        result = heddle("list", "workloads", "--suite", path)
        self.assertEqual(result.returncode, 0, result.stderr)
        _, later, scan, never, unnamed = result.stdout.splitlines()
        self.assertRegex(later, r"^no-such-workload( +-){6} +Later: not yet$")
        self.assertRegex(scan, r"^scan +\d")
        self.assertRegex(never, r"^-( +-){6} +Never: it is a shader$")
        self.assertEqual(unnamed, "and 2 programs that the paper does not name")

    def test_lists_suites_as_documented(self):
        result = heddle("list", "suites")
        self.assertEqual(result.returncode, 0, result.stderr)
        rows = [line.split()[:3] for line in result.stdout.splitlines()[1:]]
        self.assertEqual(sorted(name for name, _, _ in rows),
                         sorted(path.stem for path in (ROOT / "descriptions/suites").glob("*.toml")))
        self.assertIn(["warpman", "13", "13"], rows)
        self.assertIn("Xiang, Toward Efficient SIMT Execution", result.stdout)
        page = (ROOT / "docs/workloads.md").read_text()
        for name, programs, available in rows:
            self.assertRegex(page, rf"\n\| `{re.escape(name)}` \| [^|]+ \| {programs} \|\n")
            self.assertLessEqual(int(available), int(programs))

    def test_reports_unknown_and_broken_suites(self):
        self.fails(heddle("list", "workloads", "--suite", "pre-exec"), 2, "'pre-exec'",
                   "did you mean 'preexec'")
        path = self.folder / "broken.toml"
        path.write_text('paper = "A paper"\ntable = "Table 1"\nprograms = [{ name = "bfs" }]\n')
        self.fails(heddle("list", "workloads", "--suite", path), 2, "broken.toml:3:15", "'name'")
        self.fails(heddle("list", "machines", "--suite", "warpman"), 2, "--suite")

    def timed_report(self, *more, machine="warpman"):
        """The JSON of a small timed run."""
        result = heddle("run", "vector-add", "--size", "tiny", "--machine", machine, "--json", "-",
                        *more)
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)

    def test_timed_run_reports_cycles_and_stall_causes(self):
        result = heddle("run", "vector-add", "--size", "tiny", "--machine", "warpman",
                        "--set", "l1.bytes=32K")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stderr, "")
        for text in ("warpman with l1.bytes=32K", "cycles", "IPC", "occupancy",
                     "issue slots", "selected", "hits", "DRAM", "passed: 50000 values"):
            self.assertIn(text, result.stdout)

    def test_observed_values_of_a_known_program(self):
        # 196 blocks of 8 warps compute 50000 sums; half of a warp has nothing to do, and 5 warps.
        result = heddle("run", "vector-add", "--size", "tiny", "--machine", "warpman",
                        "--set", "redundancy.observe=yes", "--json", self.folder / "run.json")
        self.assertEqual(result.returncode, 0, result.stderr)
        kernel, = json.loads((self.folder / "run.json").read_text())["kernels"]
        observed = {name.removeprefix("redundancy.observed."): count
                    for name, count in kernel["counters"].items() if "observed" in name}
        self.assertEqual(observed["branch.passes"], 196 * 8)
        self.assertEqual(observed["branch.uniform_passes"], 196 * 8 - 1)
        self.assertEqual(observed["global_load.varying.passes"], 2 * (196 * 8 - 5))
        self.assertEqual(observed["global_load.varying.threads"], 2 * 50000)
        self.assertEqual(observed["fp32.varying.threads"], 50000)
        self.assertRegex(result.stdout, r"\n  loaded values         uniform 0\.0 % .* affine 0\.0 %")
        self.assertIn("\n  guarded branches      99.9 % uniform", result.stdout)
        threads = {values: sum(observed[f"{each}.{values}"] for each in
                               ("integer", "fp32", "fp64", "special", "predicate"))
                   for values in ("uniform_full.threads", "uniform_partial.threads",
                                  "varying.threads", "affine_threads")}
        computed = sum(threads.values()) - threads["affine_threads"]
        uniform = threads["uniform_full.threads"] + threads["uniform_partial.threads"]
        self.assertIn(f"\n  computed values       uniform {100 * uniform / computed:.1f} % ",
                      result.stdout)
        self.assertIn(f", affine {100 * threads['affine_threads'] / computed:.1f} %", result.stdout)
        self.assertNotIn("values  ", heddle("run", "vector-add", "--size", "tiny", "--machine",
                                            "warpman").stdout)

    def test_cycles_and_counters_add_up(self):
        report = self.timed_report()
        kernel, = report["kernels"]
        launch, = report["launches"]
        totals = report["totals"]
        self.assertGreater(launch["cycles"], 0)
        for whole in (kernel, totals):
            self.assertEqual(whole["cycles"], launch["cycles"])
            self.assertEqual(whole["warp_instructions"], report["warp_instructions"])
            self.assertEqual(whole["thread_instructions"], report["thread_instructions"])
        self.assertEqual(kernel["counters"], totals["counters"])
        counters = kernel["counters"]
        lanes = [counters[f"lanes.{n}"] for n in range(33)]
        self.assertEqual(sum(lanes), kernel["warp_instructions"])
        self.assertEqual(sum(n * count for n, count in enumerate(lanes)),
                         kernel["thread_instructions"])
        parameters = report["machine"]["parameters"]
        slots = (kernel["cycles"] * parameters["chip.sms"] * parameters["schedule.schedulers"])
        for account in kernel["issue_slots"].values():
            self.assertEqual(sum(account.values()), slots)
        self.assertEqual(kernel["issue_slots"]["nsight"]["selected"], kernel["warp_instructions"])
        self.assertEqual(kernel["issue_slots"]["preexec"]["issued"], kernel["warp_instructions"])
        self.assertAlmostEqual(kernel["ipc"], kernel["thread_instructions"] / kernel["cycles"])
        self.assertAlmostEqual(kernel["microseconds"],
                               kernel["cycles"] / parameters["clock.core_mhz"])
        occupancy = kernel["occupancy"]
        self.assertLessEqual(occupancy["warps_per_sm"],
                             occupancy["blocks_per_sm"] * occupancy["warps_per_block"])
        self.assertGreater(occupancy["share"], 0)

    def test_issue_slots_add_up_with_wrong_paths(self):
        result = heddle("run", "n-queens", "--size", "tiny", "--machine", "mixed-i", "--json", "-")
        self.assertEqual(result.returncode, 0, result.stderr)
        report = json.loads(result.stdout)
        totals, parameters = report["totals"], report["machine"]["parameters"]
        slots = totals["cycles"] * parameters["chip.sms"] * parameters["schedule.schedulers"]
        for account in totals["issue_slots"].values():
            self.assertEqual(sum(account.values()), slots)
            self.assertGreater(account["wrong_path"], 0)
        self.assertEqual(totals["issue_slots"]["nsight"]["selected"], report["warp_instructions"])

    def test_kernel_counters_are_sums_over_launches(self):
        result = heddle("run", "bfs", "--size", "tiny", "--machine", "warpman", "--json", "-")
        self.assertEqual(result.returncode, 0, result.stderr)
        report = json.loads(result.stdout)
        for kernel in report["kernels"]:
            launches = [l for l in report["launches"] if l["kernel"] == kernel["name"]]
            self.assertEqual(len(launches), kernel["launches"])
            self.assertEqual(sum(l["cycles"] for l in launches), kernel["cycles"])
        totals = report["totals"]
        self.assertEqual(sum(k["cycles"] for k in report["kernels"]), totals["cycles"])
        for name, value in totals["counters"].items():
            self.assertEqual(sum(k["counters"][name] for k in report["kernels"]), value, name)

    def test_host_threads_change_no_result(self):
        texts = set()
        for threads in (1, 2, 5):
            result = heddle("run", "histogram", "--size", "tiny", "--machine", "warpman",
                            "--threads", threads, "--json", "-")
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertEqual(json.loads(result.stdout)["host"]["threads"], threads)
            texts.add(result.stdout[:result.stdout.index('"host"')])
        self.assertEqual(len(texts), 1)

    def test_json_machine_includes_settings(self):
        machine = self.timed_report("--set", "l1.bytes=32K", "--set", "l1.present=no")["machine"]
        self.assertEqual(machine["name"], "warpman")
        self.assertEqual(machine["parameters"]["l1.bytes"], 32768)
        self.assertIs(machine["parameters"]["l1.present"], False)

    def test_machine_can_be_a_file(self):
        path = self.folder / "mine.toml"
        path.write_text('summary = "one multiprocessor"\nbased_on = "warpman"\n[chip]\nsms = 1\n')
        machine = self.timed_report(machine=path)["machine"]
        self.assertEqual((machine["name"], machine["summary"]), ("mine", "one multiprocessor"))
        self.assertEqual(machine["parameters"]["chip.sms"], 1)

    def machine_with_groups(self):
        """A description file of a machine with two multiprocessors in a group and three outside of it."""
        path = self.folder / "groups.toml"
        path.write_text('summary = "two big ones"\nbased_on = "warpman"\n[chip]\nsms = 5\n'
                        '[group.big]\nsms = 2\nl1.bytes = "64K"\nl1.latency = 20\n')
        return path

    def test_reports_groups_of_multiprocessors(self):
        report = self.timed_report("--set", "group.big.sm.blocks=5", machine=self.machine_with_groups())
        machine = report["machine"]
        self.assertEqual(machine["groups"], [{"name": "big", "first_sm": 0, "sms": 2},
                                             {"name": None, "first_sm": 2, "sms": 3}])
        self.assertEqual(machine["parameters"]["group.big.l1.bytes"], 65536)
        self.assertEqual(machine["parameters"]["l1.bytes"], 16384)
        occupancy = report["kernels"][0]["occupancy"]
        self.assertEqual([(group["name"], group["blocks_per_sm"]) for group in occupancy["groups"]],
                         [("big", 5), (None, 6)])
        self.assertEqual(occupancy["blocks_per_sm"], 6)
        self.assertEqual([group["l1_bytes_per_sm"] for group in occupancy["groups"]], [65536, 16384])
        self.assertNotIn("l1_bytes_per_sm", occupancy)
        self.assertNotIn("groups", self.timed_report()["machine"])
        result = heddle("run", "vector-add", "--size", "tiny", "--machine", self.machine_with_groups())
        self.assertRegex(result.stdout, r"multiprocessors +2 'big', 3 others\n")

    def test_show_draws_groups_with_their_differences(self):
        result = heddle("show", self.machine_with_groups())
        self.assertEqual(result.returncode, 0, result.stderr)
        for text in ("2 multiprocessors ('big')", "3 multiprocessors (others)", "64 KB", "16 KB",
                     "Group 'big' differs in:"):
            self.assertIn(text, result.stdout)
        self.assertRegex(result.stdout, r"l1.bytes +65536, not 16384\n")

    def test_component_counters_add_up_to_the_chip(self):
        each = self.timed_report("--counters", "each", machine=self.machine_with_groups())
        sums = self.timed_report(machine=self.machine_with_groups())
        self.assertNotIn("by_component", sums["totals"])
        for report in (each["kernels"][0], each["totals"]):
            components = report.pop("by_component")
            self.assertEqual(components["groups"], ["big"] * 2 + [None] * 3)
            self.assertEqual({name: sum(values) for part in ("sms", "partitions")
                              for name, values in components[part].items()}, report["counters"])
            self.assertTrue(all(len(values) == 5 for values in components["sms"].values()))
        each.pop("host"), sums.pop("host")
        self.assertEqual(each, sums)

    def test_component_counters_need_json_and_a_machine(self):
        run = ["run", "vector-add", "--size", "tiny", "--counters"]
        self.fails(heddle(*run, "each", "--machine", "warpman"), 2, "--counters", "--json")
        self.fails(heddle(*run, "each", "--json", "-"), 2, "--counters", "--machine")
        self.fails(heddle(*run, "all", "--machine", "warpman", "--json", "-"), 2, "'all'")
        report = json.loads(self.add("--machine", "warpman", "--counters", "each", "--json", "-")
                          .stdout)
        self.assertEqual(len(report["kernels"][0]["by_component"]["sms"]["l1.hits"]), 15)

    def test_timed_and_functional_results_are_equal(self):
        sums = set()
        for more in ([], ["--machine", "warpman"], ["--machine", "large-warps", "--threads", 2]):
            out = self.folder / "sum.bin"
            result = self.add("--dump", f"sum:{out}", *more)
            self.assertEqual(result.returncode, 0, result.stderr)
            sums.add(out.read_bytes())
        self.assertEqual(len(sums), 1)

    def test_exec_runs_a_timed_simulation(self):
        result = self.add("--machine", "warpman")
        self.assertEqual(result.returncode, 0, result.stderr)
        for text in ("machine", "cycles", "occupancy", "issue slots"):
            self.assertIn(f"\n{text}", result.stdout)
        result = self.add("--machine", "warpman", "--json", "-")
        self.assertEqual(result.returncode, 0, result.stderr)
        report = json.loads(result.stdout)
        self.assertEqual(report["schema"], "heddle-exec-3")
        self.assertEqual(report["machine"]["name"], "warpman")
        self.assertGreater(report["kernels"][0]["cycles"], 0)
        self.assertEqual(report["totals"]["cycles"], report["kernels"][0]["cycles"])

    def test_registers_option_determines_occupancy_of_a_machine(self):
        def occupancy(choice):
            result = heddle("run", "hotspot", "--size", "tiny", "--machine", "warpman",
                            "--registers", choice, "--json", "-")
            self.assertEqual(result.returncode, 0, result.stderr)
            return json.loads(result.stdout)["kernels"][0]["occupancy"]
        # Xiang et al., Warp-Level Divergence in GPUs, Table 2.
        self.assertEqual(occupancy("paper")["blocks_per_sm"], 3)
        self.assertEqual(occupancy("60")["blocks_per_sm"], 2)
        self.assertEqual(occupancy("60")["limit"], "registers")

    def test_reports_sizes_of_memories_during_a_launch(self):
        def occupancy(*settings):
            result = heddle("run", "hotspot", "--size", "tiny", "--machine", "warpman", "--json", "-",
                            *(word for setting in settings for word in ("--set", setting)))
            self.assertEqual(result.returncode, 0, result.stderr)
            return json.loads(result.stdout)["kernels"][0]["occupancy"]
        fixed = occupancy()
        self.assertEqual((fixed["registers_per_sm"], fixed["shared_bytes_per_sm"], fixed["l1_bytes_per_sm"]),
                         (32768, 49152, 16384))
        divided = occupancy("storage.policy=carve-out")
        self.assertEqual(divided["blocks_per_sm"], fixed["blocks_per_sm"])
        used = divided["blocks_per_sm"] * divided["shared_bytes_per_block"]
        self.assertEqual(divided["shared_bytes_per_sm"], (used + 8191) // 8192 * 8192)
        self.assertEqual(divided["shared_bytes_per_sm"] + divided["l1_bytes_per_sm"], 65536)
        self.assertNotIn("l1_bytes_per_sm", occupancy("l1.present=no"))

    def test_shows_how_a_launch_divides_unified_storage(self):
        def summary(*settings):
            result = heddle("run", "hotspot", "--size", "tiny", *settings)
            self.assertEqual(result.returncode, 0, result.stderr)
            return result.stdout
        self.assertNotIn("KB of L1", summary("--machine", "unified"))
        # 4 blocks of 8 warps with 32 registers a thread.
        text = summary("--machine", "unified-384", "--set", "storage.most_l1=128K")
        sizes = re.search(r"storage +([\d.]+) KB of registers, ([\d.]+) KB of shared memory, "
                          r"128 KB of L1, ([\d.]+) KB off", text)
        self.assertIsNotNone(sizes, text)
        self.assertAlmostEqual(sum(map(float, sizes.groups())), 384 - 128, places=2)

    def test_compiles_kernels_for_the_registers_of_the_machine(self):
        def kernel(*more):
            result = heddle("run", "hotspot", "--size", "tiny", "--json", "-", *more)
            self.assertEqual(result.returncode, 0, result.stderr)
            return json.loads(result.stdout)["kernels"][0]
        self.assertGreater(kernel()["registers_per_thread"], 18)
        few = kernel("--machine", "warpman", "--set", "sm.registers_per_thread=18")
        self.assertLessEqual(few["registers_per_thread"], 18)
        # A block of 8 warps fits if each thread has at most 4096 / 8 / 32 = 16 registers.
        few = kernel("--machine", "warpman", "--set", "sm.registers=4096")
        self.assertEqual(few["occupancy"]["blocks_per_sm"], 1)
        self.assertLessEqual(few["registers_per_thread"], 16)

    def test_cycle_limit_ends_a_kernel_and_keeps_counters(self):
        path = self.folder / "result.json"
        self.fails(heddle("exec", self.ptx, "--entry", "spin", "--grid", 1, "--block", 32,
                          "--machine", "warpman", "--max-cycles", 5000, "--json", path),
                   3, "spin", "5000")
        report = json.loads(path.read_text())
        kernel, = report["kernels"]
        self.assertIn("5000", kernel["fault"])
        self.assertGreater(kernel["warp_instructions"], 0)
        self.assertGreater(kernel["counters"]["scheduler.selected"], 0)

    def test_fault_of_a_timed_run_keeps_counters(self):
        path = self.folder / "result.json"
        self.fails(heddle("run", "vector-add", "--size", "tiny", "--machine", "warpman",
                          "--max-cycles", 500, "--json", path), 3, "vector_add")
        report = json.loads(path.read_text())
        self.assertIs(report["verified"], False)
        self.assertIn("fault", report)
        self.assertEqual(report["kernels"][0]["name"], "vector_add")
        self.assertGreater(report["totals"]["warp_instructions"], 0)

    def test_out_of_bounds_accesses_fault_or_are_counted(self):
        self.fails(self.add(size=2000), 3, "'sum'", "2000 bytes")
        for options in ([], ["--machine", "warpman"], ["--machine", "warpman", "--threads", 2]):
            path = self.folder / "result.json"
            result = self.add("--out-of-bounds", "pages", "--json", path, *options, size=2000)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertRegex(result.stdout, r"accesses outside of every allocation\n"
                                            r"  500 stores at .*add.ptx:27, store, in kernel 'add'")
            report = json.loads(path.read_text())
            stray, = report["kernels"][0]["out_of_bounds_accesses"]
            self.assertEqual((stray["loads"], stray["stores"], stray["atomics"]), (0, 500, 0))
            self.assertEqual(report["device_memory"], {"out_of_bounds": "pages"})

    def test_allocations_are_adjacent_only_without_gap(self):
        # Without a gap, 'sum' begins where 'b' ends, as it can on a GPU.
        b = self.floats("b.bin", [0.5] * 1024)
        def add(*more):
            return heddle("exec", self.ptx, "--entry", "add", "--grid", 5, "--block", 256,
                          "--arg", f"buf:a:8192", "--arg", f"buf:b:@{b}", "--arg", "buf:sum:8192",
                          "--arg", "u32:1025", *more)
        self.fails(add(), 3, "0 bytes past the end of 'b'")
        self.assertEqual(add("--allocation-gap", 0).returncode, 0)

    def test_device_memory_option_sets_its_size(self):
        self.fails(self.add("--device-memory", "4K"), 2, "out of device memory", "of 4096 are free")
        self.assertEqual(self.add("--device-memory", "13K").returncode, 0)
        run = ["run", "vector-add", "--size", "tiny"]
        self.fails(heddle(*run, "--device-memory", "1K"), 2, "out of device memory")
        if b"__asan_init" in pathlib.Path(HEDDLE).read_bytes():
            self.skipTest("AddressSanitizer needs more address space than the limit of this test")
        limited = subprocess.run(["sh", "-c", 'ulimit -v 2097152 && exec "$@"', "sh", HEDDLE, *run],
                                 capture_output=True, text=True, timeout=300)
        self.assertEqual(limited.returncode, 0, limited.stderr)

    def test_rejects_invalid_machine_options(self):
        run = ["run", "vector-add", "--size", "tiny"]
        self.fails(heddle(*run, "--machine", "warpmann"), 2, "'warpman'")
        self.fails(heddle(*run, "--machine", "nowhere.toml"), 2, "nowhere.toml")
        for option, value in (("--set", "l1.bytes=1K"), ("--threads", 2), ("--max-cycles", 9)):
            self.fails(heddle(*run, option, value), 2, option, "--machine")
        run += ["--machine", "warpman"]
        for threads in (0, 257, "x", -1):
            self.fails(heddle(*run, "--threads", threads), 2, "--threads", "1 to 256")
        self.fails(heddle(*run, "--max-cycles", 0), 2, "--max-cycles")
        self.fails(heddle(*run, "--set", "l1.byte=1K"), 2, "did you mean 'l1.bytes'")
        self.fails(heddle(*run, "--set", "l1.bytes=many"), 2, "l1.bytes", "many")
        self.fails(heddle(*run, "--set", "l1.bytes"), 2, "KEY=VALUE")
        self.fails(heddle(*run, "--set", "schedule.policy=none"), 2, "round-robin")

    def test_lists_machines(self):
        result = heddle("list", "machines")
        self.assertEqual(result.returncode, 0, result.stderr)
        names = sorted(path.stem for path in (ROOT / "descriptions/machines").glob("*.toml"))
        self.assertEqual(sorted(line.split()[0] for line in result.stdout.splitlines()[1:]), names)

    def test_lists_parameters_with_the_values_of_a_machine(self):
        result = heddle("list", "parameters")
        self.assertEqual(result.returncode, 0, result.stderr)
        line, = [l for l in result.stdout.splitlines() if l.startswith("schedule.policy ")]
        for text in ("choice", "round-robin", "which warp issues next"):
            self.assertIn(text, line)
        result = heddle("list", "parameters", "--machine", "warpman", "--set", "chip.sms=3",
                        "--json", "-")
        self.assertEqual(result.returncode, 0, result.stderr)
        report = json.loads(result.stdout)
        self.assertEqual(report["machine"], "warpman")
        values = {p["name"]: p["value"] for p in report["parameters"]}
        self.assertEqual(values["chip.sms"], 3)
        self.assertEqual(values, self.timed_report("--set", "chip.sms=3")["machine"]["parameters"])

    def test_lists_the_counters_of_a_run(self):
        result = heddle("list", "counters")
        self.assertEqual(result.returncode, 0, result.stderr)
        names = [line.split()[0] for line in result.stdout.splitlines()[1:]]
        self.assertIn("scheduler.selected", names)
        self.assertEqual(len(names), len(set(names)))
        result = heddle("list", "counters", "--machine", "warpman", "--json", "-")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual([c["name"] for c in json.loads(result.stdout)["counters"]],
                         list(self.timed_report()["totals"]["counters"]))

    def test_list_suggests_the_nearest_name(self):
        self.fails(heddle("list", "machine"), 2, "'machine'", "did you mean 'machines'")
        self.fails(heddle("list", "everything"), 2, "'everything'", "workloads", "counters")
        self.fails(heddle("list"), 2)
        self.fails(heddle("list", "workloads", "--machine", "warpman"), 2, "--machine")
        self.fails(heddle("list", "parameters", "--set", "chip.sms=3"), 2, "--machine")

    def test_show_draws_a_machine(self):
        result = heddle("show", "warpman", "--set", "chip.sms=7", "--set", "l2.present=no",
                        "--set", "l1.present=no")
        self.assertEqual(result.returncode, 0, result.stderr)
        for text in ("warpman", "7 multiprocessors", "L1: none", "L2: none", "DRAM", "GB/s"):
            self.assertIn(text, result.stdout)
        self.assertLessEqual(max(map(len, result.stdout.splitlines()[1:])), 100)
        self.fails(heddle("show", "warpmann"), 2, "'warpman'")

    def test_show_rejects_machines_that_run_rejects(self):
        settings = ["--set", "l1.bytes=100K", "--set", "l1.ways=7"]
        refused = heddle("run", "vector-add", "--machine", "warpman", *settings)
        self.fails(refused, 2, "sets of 7 lines")
        shown = heddle("show", "warpman", *settings)
        self.fails(shown, 2)
        self.assertEqual(shown.stderr, refused.stderr)

    def test_show_draws_every_machine(self):
        for path in sorted((ROOT / "descriptions/machines").glob("*.toml")):
            with self.subTest(path.stem):
                result = heddle("show", path.stem)
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertIn("multiprocessor", result.stdout)


if __name__ == "__main__":
    HEDDLE = sys.argv.pop(1)
    ROOT = pathlib.Path(sys.argv.pop(1))
    unittest.main()
