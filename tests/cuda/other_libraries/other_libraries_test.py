#!/usr/bin/env python3
"""Uses 'heddle cuda' to run programs with libraries that do not work with Heddle: stand-ins for
NVIDIA's, and NVIDIA's own where these are installed."""

import glob
import pathlib
import signal
import subprocess
import sys
import unittest

HEDDLE = sys.argv[1]
BUILT = pathlib.Path(sys.argv[2]).resolve()

CUBLAS = BUILT / "libcublas.so.13"
CUFFT = BUILT / "libcufft.so.12"
USERS = BUILT / "libusers.so.1"
COMPILER = BUILT / "libcompiler.so.1"


def heddle(library, *functions, program="other_libraries_program"):
    return subprocess.run([HEDDLE, "cuda", "--functional", "--", BUILT / program, library, *functions],
                          capture_output=True, text=True, timeout=100)


def unusable(library, product):
    """The message about a library of NVIDIA's."""
    return (f"'{library}' is NVIDIA's {product}, whose kernels for this GPU are machine code, and "
            f"Heddle runs only PTX: its calls fail; use kernels that are compiled with the program "
            f"instead")


class StandIns(unittest.TestCase):
    def test_failing_library_is_named_once_and_the_program_continues(self):
        for library, product in ((CUBLAS, "cuBLAS"), (CUFFT, "cuFFT")):
            with self.subTest(product):
                run = heddle(library, "create", "create")
                self.assertEqual((run.stdout, run.returncode), ("create: 2\ncreate: 2\n", 7))
                self.assertEqual(run.stderr.count(unusable(library, product)), 1)

    def test_libraries_of_one_product_are_named_once(self):
        run = heddle(BUILT / "libcublasLt.so.13", "create", program="other_libraries_linked")
        self.assertEqual(run.stderr.count(unusable(BUILT / "libcublasLt.so.13", "cuBLAS")), 1)

    def test_library_that_is_not_used_is_not_named(self):
        run = heddle(CUBLAS, program="other_libraries_linked")
        self.assertEqual((run.stdout, run.returncode), ("", 7))
        self.assertNotIn("cublas", run.stderr)
        # The user can build this one differently.
        self.assertIn("libusers.so.1' is linked with CUDA's static runtime and has no symbol table",
                      run.stderr)

    def test_crash_in_a_failed_library_ends_with_its_line(self):
        for library, product in ((CUBLAS, "cuBLAS"), (CUFFT, "cuFFT")):
            for function in ("crash", "crash_below", "give_up"):
                with self.subTest(product=product, function=function):
                    run = heddle(library, "create", function)
                    self.assertEqual((run.stdout, run.returncode), ("create: 2\n", 2))
                    self.assertEqual(run.stderr.splitlines()[-1],
                                     "heddle: the program crashed in a library: " +
                                     unusable(library, product))

    def test_other_crashes_end_the_program_by_their_signal(self):
        for library, function in ((CUBLAS, "own"), (COMPILER, "crash")):
            with self.subTest(function):
                run = heddle(library, "create", function)
                self.assertEqual((run.stdout, run.returncode), ("create: 2\n", -signal.SIGSEGV))
                self.assertNotIn("crashed", run.stderr)
        # Without a failed call, nothing is known about the library.
        self.assertEqual(heddle(CUBLAS, "crash").returncode, -signal.SIGSEGV)

    def test_users_library_with_a_runtime_of_its_own_is_named_with_what_to_do(self):
        run = heddle(USERS, "create", "crash")
        self.assertEqual((run.stdout, run.returncode), ("create: 2\n", 2))
        message = f"'{USERS}' is linked with CUDA's static runtime, which Heddle replaces only if "
        self.assertEqual(run.stderr.count(message), 2)
        self.assertIn("nvcc -cudart shared", run.stderr)

    def test_library_that_works_without_undocumented_functions_is_not_named(self):
        run = heddle(COMPILER, "create")
        self.assertEqual((run.stdout, run.stderr, run.returncode), ("create: 2\n", "heddle: no kernel was launched\n", 7))

    def test_message_for_a_kernel_without_ptx_names_its_library(self):
        run = heddle(CUFFT, "launch")
        self.assertEqual(run.stdout, "launch: 209\n")
        self.assertIn(f"heddle: cudaLaunchKernel: {unusable(CUFFT, 'cuFFT')}\n", run.stderr)
        run = heddle(COMPILER, "launch")
        self.assertIn(f"library '{COMPILER}' contains no PTX, only machine code for sm_80, and Heddle "
                      "runs only PTX; build it with PTX: nvcc", run.stderr)


class Nvidia(unittest.TestCase):
    def check(self, stem, product, function):
        found = sorted(glob.glob(f"/usr/local/cuda*/lib64/{stem}.so.*"))
        if not found:
            self.skipTest(f"NVIDIA's {product} is not installed here")
        run = heddle(found[0], function)
        self.assertEqual(run.returncode, 7, run.stderr)
        self.assertNotIn(f"{function}: 0\n", run.stdout)
        self.assertEqual(run.stderr.count(unusable(found[0], product)), 1, run.stderr)

    def test_cublas_is_named(self):
        self.check("libcublas", "cuBLAS", "cublasCreate_v2")

    def test_cufft_is_named(self):
        self.check("libcufft", "cuFFT", "cufftPlan1d")

    def test_curand_is_named(self):
        self.check("libcurand", "cuRAND", "curandCreateGenerator")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
