#!/usr/bin/env python3
"""Tests that files are written completely or not at all, in the same way by every verb."""

import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time
import unittest

HEDDLE = None
ROOT = None

# Threads with a number of at least `spared` also store at address 0, which is a fault.
KERNEL = """.version 8.0
.target sm_75
.address_size 64
.visible .entry store(.param .u64 words, .param .u32 spared)
{
  .reg .pred %p;
  .reg .b32 %r<4>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [words];
  ld.param.u32 %r1, [spared];
  mov.u32 %r2, %tid.x;
  mul.wide.u32 %rd2, %r2, 4;
  add.u64 %rd3, %rd1, %rd2;
  st.global.u32 [%rd3], %r2;
  setp.lt.u32 %p, %r2, %r1;
  @%p bra END;
  st.global.u32 [0], %r2;
END:
  ret;
}
"""
DECLARE_PRINTF = """
.extern .func (.param .b32 count) vprintf (.param .b64 format, .param .b64 values);
.global .align 1 .b8 line[4] = {104, 105, 10, 0};
"""
CALL_PRINTF = """
  {
    .reg .b64 %at;
    .param .b64 format;
    .param .b64 values;
    .param .b32 count;
    mov.u64 %at, line;
    cvta.global.u64 %at, %at;
    st.param.b64 [format], %at;
    st.param.b64 [values], %at;
    call.uni (count), vprintf, (format, values);
  }
"""
EXPERIMENT = """title = "One run"
machine = "warpman"
size = "tiny"
workloads = ["reduction"]

[metric]
name = "ipc"

[[variant]]
name = "plain"
"""
OLD = "the old content"


def limit_file_size(kibibytes):
    """A function that limits the size of each file that the process writes."""
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (kibibytes << 10, kibibytes << 10))


class Outputs(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.file = self.folder / "result"
        self.ptx = self.folder / "store.ptx"
        self.ptx.write_text(KERNEL)

    def heddle(self, *words, **how):
        how = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "timeout": 300,
               "cwd": self.folder} | how
        return subprocess.run([HEDDLE, *map(str, words)], **how)

    def run_it(self, *more, **how):
        return self.heddle("run", "reduction", "--size", "tiny", "--machine", "warpman", *more,
                           **how)

    def exec_it(self, *more, spared=64, **how):
        return self.heddle("exec", self.ptx, "--grid", 2, "--block", 64, "--arg", "buf:words:256",
                           "--arg", f"u32:{spared}", "--machine", "warpman", *more, **how)

    def both(self):
        """The functions that call the verbs run and exec, each in a subtest."""
        for verb in (self.run_it, self.exec_it):
            with self.subTest(verb.__name__):
                yield verb

    def fails(self, result, code, *texts):
        """Asserts that `result` has this exit code, and these texts on standard error."""
        self.assertEqual(result.returncode, code, result.stderr)
        for text in texts:
            self.assertIn(text, result.stderr)

    def files(self):
        """The names of the files in the folder."""
        return sorted(path.name for path in self.folder.iterdir())

    # Several output files.

    def test_unwritable_file_does_not_prevent_other_outputs(self):
        for verb in self.both():
            trace = self.folder / "trace"
            self.file.unlink(missing_ok=True)
            result = verb("--json", self.file, "--lifetimes", "/dev/full", "--trace", trace)
            self.fails(result, 2, "cannot write /dev/full: No space left")
            self.assertIn("totals", json.loads(self.file.read_text()))
            self.assertTrue(trace.read_text().endswith("# end\n"))
            self.assertIn("warp instructions", result.stdout)

    def test_unwritable_dump_does_not_prevent_other_outputs(self):
        result = self.exec_it("--dump", "words:/dev/full", "--json", self.file)
        self.fails(result, 2, "cannot write /dev/full")
        self.assertIn("totals", json.loads(self.file.read_text()))

    def test_full_standard_output_does_not_prevent_files(self):
        for verb in self.both():
            self.file.unlink(missing_ok=True)
            with open("/dev/full", "w") as full:
                self.fails(verb("--json", self.file, stdout=full), 2)
            self.assertIn("totals", json.loads(self.file.read_text()))

    def test_fault_exits_with_code_3_even_if_a_file_cannot_be_written(self):
        result = self.exec_it("--json", self.file, "--trace", "/dev/full", spared=0)
        self.fails(result, 3, "cannot write /dev/full", "store.ptx")
        self.assertIn("fault", json.loads(self.file.read_text())["kernels"][0])
        self.fails(self.exec_it("--json", "/dev/full", spared=0), 3, "cannot write /dev/full")

    # A file has either its old or its new content.

    def test_file_that_grows_too_large_keeps_the_old_content(self):
        for verb in self.both():
            self.file.write_text(OLD)
            before = self.files()
            result = verb("--json", self.file, preexec_fn=limit_file_size(1))
            self.fails(result, 2, f"cannot write {self.file}: File too large")
            self.assertEqual(self.file.read_text(), OLD)
            self.assertEqual(self.files(), before)

    def test_picture_that_cannot_be_written_keeps_the_old_content(self):
        self.file.write_text(OLD)
        before = self.files()
        result = self.heddle("run", "hotspot", "--size", "tiny", "--picture", self.file,
                             preexec_fn=limit_file_size(0))
        self.fails(result, 2, f"cannot write {self.file}: File too large")
        self.assertEqual(self.file.read_text(), OLD)
        self.assertEqual(self.files(), before)

    def test_full_disk_keeps_the_old_file(self):
        mounted = self.folder / "disk"
        mounted.mkdir()
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8k", "none", mounted],
                          capture_output=True).returncode != 0:
            self.skipTest("nothing can be mounted here")
        self.addCleanup(subprocess.run, ["umount", mounted], check=True)
        file = mounted / "result"
        file.write_text(OLD)
        self.fails(self.run_it("--json", file), 2, f"cannot write {file}: No space left")
        self.assertEqual(file.read_text(), OLD)
        self.assertEqual([path.name for path in mounted.iterdir()], ["result"])

    def test_killed_run_leaves_the_old_file_or_the_new(self):
        self.assertEqual(self.run_it("--json", self.file).returncode, 0)
        whole = json.loads(self.file.read_text())["totals"]
        start = time.monotonic()
        self.run_it("--json", self.file)
        usual_seconds = time.monotonic() - start
        for tenth in range(4, 14):
            child = subprocess.Popen([HEDDLE, "run", "reduction", "--size", "tiny", "--machine",
                                      "warpman", "--json", self.file], stdout=subprocess.DEVNULL)
            time.sleep(usual_seconds * tenth / 10)
            child.kill()
            child.wait()
            self.assertEqual(json.loads(self.file.read_text())["totals"], whole)

    def test_reader_of_the_old_file_keeps_its_content(self):
        self.file.write_text(OLD)
        with self.file.open() as reader:
            self.assertEqual(self.run_it("--json", self.file).returncode, 0)
            self.assertEqual(reader.read(), OLD)

    def test_file_keeps_its_permissions_and_link_stays_a_link(self):
        self.file.write_text(OLD)
        self.file.chmod(0o640)
        link = self.folder / "link"
        link.symlink_to("result")
        self.assertEqual(self.run_it("--json", link).returncode, 0)
        self.assertTrue(link.is_symlink())
        self.assertEqual(self.file.stat().st_mode & 0o777, 0o640)
        self.assertIn("totals", json.loads(self.file.read_text()))

    # Pipes and devices.

    def test_pipe_is_written_and_stays_a_pipe(self):
        for option, content in (("--json", '"totals"'), ("--lifetimes", "launch,kernel")):
            for verb in self.both():
                os.mkfifo(self.file)
                with subprocess.Popen(["cat", self.file], stdout=subprocess.PIPE) as reader:
                    self.assertEqual(verb(option, self.file).returncode, 0)
                    self.assertIn(content, reader.stdout.read().decode())
                self.assertTrue(self.file.is_fifo())
                self.file.unlink()

    def test_picture_can_be_written_to_a_pipe_and_to_standard_output(self):
        os.mkfifo(self.file)
        with subprocess.Popen(["cat", self.file], stdout=subprocess.PIPE) as reader:
            result = self.heddle("run", "hotspot", "--size", "tiny", "--picture", self.file)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertTrue(reader.stdout.read().startswith(b"\x89PNG"))
        self.assertTrue(self.file.is_fifo())
        result = self.heddle("run", "hotspot", "--size", "tiny", "--picture", "/dev/stdout",
                             text=False)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertTrue(result.stdout.startswith(b"\x89PNG"))

    def test_full_device_is_an_error_and_stays_a_device(self):
        for option in ("--json", "--lifetimes", "--trace"):
            for verb in self.both():
                self.fails(verb(option, "/dev/full"), 2, "cannot write /dev/full: No space left")
        self.assertTrue(pathlib.Path("/dev/full").is_char_device())

    def test_standard_output_can_be_named_as_a_file(self):
        for name in ("/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"):
            out = self.folder / "out"
            with out.open("w") as to:
                to.write("first\n")
                to.flush()
                self.assertEqual(self.run_it("--json", name, stdout=to).returncode, 0)
            text = out.read_text()
            self.assertTrue(text.startswith('first\n{\n  "schema"'))
            self.assertIn("check                   passed", text)

    def test_json_on_standard_output_is_alone(self):
        kernels = self.folder / "printing.ptx"
        text = (ROOT / "workloads" / "reduction" / "kernel.ptx").read_text()
        text = text.replace(".address_size 64\n", ".address_size 64\n" + DECLARE_PRINTF, 1)
        kernels.write_text(text.replace("// demoted variable", CALL_PRINTF, 1))
        self.assertIn("hi\n", self.run_it("--ptx", kernels).stdout)
        result = self.run_it("--ptx", kernels, "--json", "-")
        self.assertIs(json.loads(result.stdout)["verified"], True)
        self.assertIn("hi\n", result.stderr)
        json.loads(self.exec_it("--json", "-").stdout)
        self.fails(self.run_it("--json", "-", "--trace", "-"), 2, "only one of --json and --trace")
        for option in ("--lifetimes", "--picture"):
            self.fails(self.heddle("run", "hotspot", "--machine", "warpman", option, "-"), 2,
                       f"{option}: name a file")
        self.fails(self.exec_it("--dump", "words:-"), 2, "--dump: name a file")

    # Files are checked before the simulation.

    def test_unwritable_files_are_reported_before_simulation(self):
        self.file.write_text(OLD)
        nowhere = self.file / "below" / "a file"
        for option in ("--json", "--lifetimes", "--trace"):
            for verb in self.both():
                result = verb(option, nowhere)
                self.fails(result, 2, f"cannot write {nowhere}: Not a directory")
                self.assertEqual(result.stdout, "")
                self.fails(verb(option, self.folder), 2, "Is a directory")
                self.fails(verb(option, self.folder / ("x" * 300)), 2, "name too long")
        self.fails(self.exec_it("--dump", f"words:{nowhere}", spared=0), 2, "Not a directory")
        self.fails(self.heddle("run", "hotspot", "--picture", nowhere), 2, "Not a directory")
        experiment = self.folder / "one.toml"
        experiment.write_text(EXPERIMENT)
        (self.folder / "results").mkdir()
        (self.folder / "results" / "one.csv").mkdir()
        self.fails(self.heddle("experiment", experiment, "-o", "results"), 2, "Is a directory")
        self.assertFalse((self.folder / "heddle-results.sqlite").exists())
        self.assertEqual(self.file.read_text(), OLD)

    def test_check_of_a_file_does_not_change_it(self):
        self.file.write_text(OLD)
        before = self.files()
        for option in ("--json", "--lifetimes", "--trace"):
            self.fails(self.run_it(option, self.file, "--set", "no.such=1"), 2, "no.such")
            self.assertEqual(self.file.read_text(), OLD)
        self.assertEqual(self.files(), before)

    def test_missing_folders_are_created(self):
        for i, option in enumerate(("--json", "--lifetimes", "--trace")):
            for verb in self.both():
                file = self.folder / f"{verb.__name__}{i}" / "in" / "a folder"
                self.assertEqual(verb(option, file).returncode, 0)
                self.assertGreater(file.stat().st_size, 0)
        file = self.folder / "pictures" / "chip.png"
        self.heddle("run", "hotspot", "--size", "tiny", "--picture", file)
        self.assertTrue(file.read_bytes().startswith(b"\x89PNG"))
        file = self.folder / "dumps" / "words"
        self.exec_it("--dump", f"words:{file}")
        self.assertEqual(len(file.read_bytes()), 256)
        file = self.folder / "lists" / "counters.json"
        self.heddle("list", "counters", "--json", file)
        self.assertIn("counters", json.loads(file.read_text()))
        self.assertIn("missing folders are created", self.heddle("--help").stdout)

    # Unwritable standard output and standard error.

    def test_help_to_a_full_disk_is_an_error(self):
        with open("/dev/full", "w") as full:
            for words in (["--help"], ["run", "--help"], ["--version"]):
                self.fails(self.heddle(*words, stdout=full), 2, "cannot write to standard output")

    def test_exit_codes_do_not_depend_on_standard_error(self):
        cases = {2: ["run", "no such"], 3: ["exec", self.ptx, "--grid", "1", "--block", "64",
                                            "--arg", "buf:words:256", "--arg", "u32:0",
                                            "--json", self.file]}
        for code, words in cases.items():
            command = [HEDDLE, *map(str, words)]
            with open("/dev/full", "w") as full:
                self.assertEqual(subprocess.run(command, stderr=full).returncode, code)
            reader, writer = os.pipe()
            os.close(reader)
            self.assertEqual(subprocess.run(command, stderr=writer).returncode, code)
            os.close(writer)
            closed = subprocess.run(["sh", "-c", '"$@" 2>&-', "sh", *command])
            self.assertEqual(closed.returncode, code)
        self.assertIn("fault", json.loads(self.file.read_text())["kernels"][0])

    def test_messages_go_into_no_file_if_standard_error_is_closed(self):
        trace = self.folder / "trace"
        command = [HEDDLE, "exec", self.ptx, "--grid", "1", "--block", "64", "--arg",
                   "buf:words:256", "--arg", "u32:0", "--machine", "warpman", "--trace", trace,
                   "--json", "/dev/full"]
        subprocess.run(["sh", "-c", '"$@" 1>&- 2>&-', "sh", *map(str, command)])
        self.assertTrue(trace.read_text().endswith("# end\n"))
        self.assertNotIn("heddle:", trace.read_text())


if __name__ == "__main__":
    HEDDLE = sys.argv.pop(1)
    ROOT = pathlib.Path(sys.argv.pop(1))
    unittest.main()
