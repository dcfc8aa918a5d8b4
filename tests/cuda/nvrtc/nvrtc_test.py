#!/usr/bin/env python3
"""Uses 'heddle cuda' to run programs that compile kernels with nvrtc: with a stand-in for nvrtc, and
with NVIDIA's own where it is installed. Heddle must make the compiler produce PTX."""

import glob
import os
import pathlib
import subprocess
import sys
import unittest

HEDDLE = sys.argv[1]
BUILT = pathlib.Path(sys.argv[2])

# The output of the program with the stand-in, whose log lists the options that it received.
OUTPUT = """version {}
log: -arch=compute_80 -DX=sm_80 -lineinfo
log: --gpu-architecture compute_75
log: --gpu-architecture=compute_75
log: -arch=compute_80 --relocatable-device-code=true
log: -arch=compute_80 -rdc=true
log: -arch=compute_75 --relocatable-device-code=true
log: -arch=compute_80 --unknown
the stand-in's invalid option
passed
"""
INSTALLED = [file for pattern in ("/usr/local/cuda*/lib64/libnvrtc.so.1[23]",
                                  "/usr/lib/*/libnvrtc.so.1[23]")
             for file in glob.glob(pattern)]


def heddle(version, *arguments, folders=(), options=("--functional",)):
    """Runs the program for a version of nvrtc."""
    environment = {key: value for key, value in os.environ.items() if key != "LD_LIBRARY_PATH"}
    if folders:
        environment["LD_LIBRARY_PATH"] = ":".join(map(str, folders))
    return subprocess.run([HEDDLE, "cuda", *options, "--", BUILT / f"nvrtc_program_{version}",
                           *arguments], capture_output=True, text=True, timeout=200, env=environment)


def stand_in(version):
    """The folder of a version of the stand-in."""
    return BUILT / f"version_{version}"


class StandIn(unittest.TestCase):
    def check(self, run, version):
        self.assertEqual((run.stdout, run.returncode), (OUTPUT.format(version), 0), run.stderr)

    def test_alone_makes_machine_code_that_differs_from_ptx(self):
        run = subprocess.run([BUILT / "nvrtc_program_13"], capture_output=True, text=True, timeout=60,
                             env={"LD_LIBRARY_PATH": stand_in(13)})
        self.assertIn("log: -arch=sm_80 -DX=sm_80 -lineinfo\n", run.stdout)
        self.assertIn("expected: !code.empty() && code == ptx_of(program)\n", run.stdout)
        self.assertEqual(run.stdout.splitlines()[-1], "no function cuInit in libcuda.so.1")

    def test_makes_ptx_for_a_program_that_is_linked_to_nvrtc(self):
        for options in ((), ("--functional",), ("--machine", "warpman", "--threads", "2")):
            with self.subTest(options):
                self.check(heddle(13, folders=[stand_in(13)], options=options), 13)

    def test_makes_ptx_for_a_program_that_opens_nvrtc(self):
        for name in ("libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12"):
            with self.subTest(name):
                self.check(heddle(13, name, folders=[stand_in(13)]), 13)

    def test_uses_the_version_that_the_program_is_linked_to(self):
        for version in (12, 13):
            with self.subTest(version):
                self.check(heddle(version, folders=[stand_in(13), stand_in(12)]), version)
                self.check(heddle(version, folders=[stand_in(12), stand_in(13)]), version)


    def test_makes_ptx_for_a_program_that_contains_nvrtc(self):
        alone = subprocess.run([BUILT / "nvrtc_program_static"], capture_output=True, text=True,
                               timeout=60)
        self.assertTrue(alone.stdout.startswith("version 99\n"))
        self.check(heddle("static", folders=[stand_in(13)]), 13)


class Nvidia(unittest.TestCase):
    @unittest.skipUnless(INSTALLED, "NVIDIA's nvrtc is not installed here")
    def test_makes_ptx_with_the_compiler_that_is_installed(self):
        for folders in ([], [pathlib.Path(INSTALLED[0]).parent]):
            run = heddle(13, folders=folders)
            lines = run.stdout.splitlines()
            self.assertEqual((lines[-1:], run.returncode), (["passed"], 0), run.stdout + run.stderr)
            self.assertIn(lines[0], ("version 12", "version 13"))
            self.assertEqual(run.stdout.count("log: \n"), 6)
            self.assertIn("NVRTC_ERROR_INVALID_OPTION", lines)

    @unittest.skipIf(INSTALLED, "NVIDIA's nvrtc is installed here")
    def test_names_what_to_install_if_there_is_no_compiler(self):
        run = heddle(13)
        self.assertEqual(run.returncode, 1)
        self.assertEqual(run.stderr.count("NVIDIA's run-time compiler is not installed"), 1)
        self.assertIn("cuda-nvrtc", run.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
