#!/usr/bin/env python3
"""Tests the measurement of locality on the command line: its files, its line of the summary, its options."""

import csv
import io
import json
import sys
import unittest
import xml.dom.minidom

from program import ProgramTest, heddle

RUN = ["run", "bfs", "--size", "tiny"]

# Each thread loads its word of the first buffer, then stores to it; with `to`, out of bounds.
TOUCH = """.version 8.0
.target sm_75
.address_size 64
.file 1 "touch.cu"
.visible .entry touch(.param .u64 words, .param .u64 to)
{
  .reg .b32 %r<4>;
  .reg .b64 %rd<6>;
  ld.param.u64 %rd1, [words];
  ld.param.u64 %rd2, [to];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd3, %r1, 4;
  add.u64 %rd3, %rd1, %rd3;
  .loc 1 7 0
  ld.global.u32 %r2, [%rd3];
  add.u64 %rd4, %rd3, %rd2;
  .loc 1 8 0
  st.global.u32 [%rd4], %r2;
  ret;
}
"""


class Locality(ProgramTest):
    def measure(self, *arguments):
        """The content of the file of --locality after a call with these arguments."""
        file = self.folder / "locality.json"
        self.works(*arguments, "--locality", file)
        return json.loads(file.read_text())

    def touch(self, to, *more):
        ptx = self.folder / "touch.ptx"
        ptx.write_text(TOUCH)
        return heddle("exec", ptx, "--grid", 1, "--block", 32, "--arg", "buf:words:128",
                      "--arg", f"u64:{to}", *more)

    def test_probabilities_rise_with_both_sizes(self):
        result = self.measure(*RUN)
        self.assertEqual(result["schema"], "heddle-locality-1")
        self.assertEqual(result["neighbourhood_bytes"], [1 << n for n in range(15)])
        self.assertEqual(result["window_accesses"], [1 << m for m in range(15)])
        self.assertGreater(len(result["kernels"]), 1)
        for each in [result["totals"], *result["kernels"]]:
            values = each["probability"]
            for n in range(15):
                self.assertEqual(values[n], sorted(values[n]))
                self.assertEqual([row[n] for row in values], sorted(row[n] for row in values))
                self.assertEqual(values[n], [count / each["accesses"] for count in each["reused"][n]])

    def test_kernels_add_up_to_the_totals_and_lines_to_kernels(self):
        result = self.measure(*RUN, "--locality-stream", "block")
        kernels = result["kernels"]
        self.assertEqual(sum(kernel["accesses"] for kernel in kernels), result["totals"]["accesses"])
        for kernel in kernels:
            self.assertEqual(sum(line["accesses"] for line in kernel["lines"]), kernel["accesses"])
            footprint = kernel["footprint"]
            self.assertEqual(sum(footprint["accesses"]), kernel["accesses"])
            self.assertEqual(set(footprint["launch"]), set(range(kernel["launches"])))
            distances = kernel["reuse_distances"]
            self.assertEqual(distances["first_accesses"] + sum(distances["accesses"]), kernel["accesses"])

    def test_known_accesses_have_known_probabilities(self):
        file = self.folder / "locality.json"
        result = self.touch(0, "--locality", file)
        self.assertEqual(result.returncode, 0, result.stderr)
        measured = json.loads(file.read_text())
        kernel = measured["kernels"][0]
        self.assertEqual((kernel["name"], kernel["accesses"], kernel["streams"]), ("touch", 64, 1))
        self.assertEqual(kernel["reused"][2][4:6], [0, 32])
        self.assertEqual(kernel["reused"][7][0], 63)
        self.assertEqual([(line["file"], line["line"], line["accesses"]) for line in kernel["lines"]],
                         [("touch.cu", 7, 32), ("touch.cu", 8, 32)])
        self.assertEqual([line["probability"][0][5] for line in kernel["lines"]], [1, 0])
        self.assertIn("locality                neither coarse nor fine grained: of each warp's accesses, "
                      "2 groups of 2 KB serve 98.4 %, 32 groups of 128 bytes serve 98.4 %", result.stdout)

    def test_csv_has_a_line_for_each_pair_of_sizes(self):
        file = self.folder / "locality.csv"
        self.assertEqual(self.touch(0, "--locality", file).returncode, 0)
        rows = list(csv.DictReader(io.StringIO(file.read_text())))
        self.assertEqual(len(rows), 3 * 15 * 15)
        kernel = [row for row in rows if row["line"] == ""]
        chosen = [row for row in kernel if (row["neighbourhood_bytes"], row["window_accesses"]) == ("4", "32")]
        self.assertEqual([(row["accesses"], row["reused"], row["probability"]) for row in chosen],
                         [("64", "32", "0.5")])

    def test_chart_is_svg_with_a_surface_and_curves(self):
        file = self.folder / "locality.svg"
        self.works(*RUN, "--locality-chart", file)
        document = xml.dom.minidom.parse(str(file))
        self.assertEqual(document.documentElement.tagName, "svg")
        paths = document.getElementsByTagName("path")
        self.assertEqual(sum("net" in path.getAttribute("class") for path in paths), 14 * 14)
        self.assertEqual(sum(path.getAttribute("class") == "line" for path in paths), 8)

    def test_timed_runs_measure_the_same_of_each_warp(self):
        functional = self.measure(*RUN, "--locality-accesses", "loads")
        timed = self.measure(*RUN, "--machine", "storage", "--locality-accesses", "loads")
        self.assertEqual(timed["totals"], functional["totals"])

    def test_results_do_not_depend_on_the_number_of_host_threads(self):
        timed = [*RUN, "--machine", "warpman", "--locality-stream", "chip"]
        self.assertEqual(self.measure(*timed), self.measure(*timed, "--threads", 3))

    def test_machine_gives_the_size_of_segments(self):
        segments = [*RUN, "--locality-stage", "segments"]
        self.assertEqual(self.measure(*segments)["measured"]["segment_bytes"], 128)
        small = self.measure(*segments, "--machine", "storage", "--set", "coalescer.segment_bytes=64")
        self.assertEqual(small["measured"]["segment_bytes"], 64)
        # An address of a segment is a multiple of its size.
        self.assertEqual(small["totals"]["reused"][0], small["totals"]["reused"][6])

    def test_fault_keeps_what_happened_before_it(self):
        file = self.folder / "locality.json"
        result = self.touch(1 << 30, "--locality", file)
        self.assertEqual(result.returncode, 3)
        self.assertEqual(json.loads(file.read_text())["totals"]["accesses"], 32)

    def test_machine_with_observation_adds_locality_to_the_totals(self):
        observed = [*RUN, "--machine", "storage", "--set", "locality.observe=yes", "--set",
                    "locality.stream=block", "--set", "locality.stage=segments"]
        totals = json.loads(self.works(*observed, "--json", "-"))["totals"]
        with_options = self.measure(*RUN, "--machine", "storage", "--locality-stream", "block",
                                    "--locality-stage", "segments")
        self.assertEqual(totals["locality"]["measured"], with_options["measured"])
        self.assertEqual(totals["locality"]["probability"], with_options["totals"]["probability"])
        self.assertIn("\nlocality   ", self.works(*observed))
        self.fails(heddle(*observed, "--locality", self.folder / "no.json"), "locality.observe")
        self.fails(heddle("run", "scan+bfs", "--machine", "ilp", "--set", "locality.observe=yes"),
                   "locality.observe", "side by side")

    def test_experiments_have_measures_of_locality(self):
        file = self.folder / "mine.toml"
        text = """
            title = "Locality"
            machine = "storage"
            size = "tiny"
            workloads = ["bfs"]
            set = ["locality.observe=OBSERVED"]
            [metric]
            name = "locality.n7.m5"
            [[variant]]
            name = "warps"
            """
        file.write_text(text.replace("OBSERVED", "no"))
        store = ["--store", self.folder / "store.sqlite"]
        self.fails(heddle("experiment", file, *store), "locality needs a machine with locality.observe=yes")
        file.write_text(text.replace("OBSERVED", "yes"))
        self.works("experiment", file, *store, "-o", self.folder / "results")
        table = json.loads((self.folder / "results" / "mine.json").read_text())
        measured = self.measure(*RUN, "--machine", "storage")["totals"]["probability"][7][5]
        self.assertIn(str(measured), json.dumps(table))

    def test_rejects_wrong_options(self):
        file = self.folder / "locality.json"
        self.fails(heddle(*RUN, "--locality-stream", "warp"), "--locality-stream", "needs --locality")
        for option, choices in (("stream", "warp, block, sm, chip"), ("accesses", "loads, stores, all"),
                                ("stage", "lanes, segments"), ("reading", "group, distance")):
            self.fails(heddle(*RUN, "--locality", file, f"--locality-{option}", "odd"),
                       f"--locality-{option}: unknown choice 'odd'; choose one of: {choices}")
        self.fails(heddle(*RUN, "--locality", file, "--locality-interval", 0), "--locality-interval")
        self.fails(heddle(*RUN, "--locality", file, "--locality-stream", "sm"), "functional")
        self.fails(heddle(*RUN, "--locality", "-"), "--locality")
        self.fails(heddle("run", "scan+bfs", "--machine", "ilp", "--locality", file), "--locality",
                   "side by side")
        self.assertFalse(file.exists())


if __name__ == "__main__":
    ProgramTest.HEDDLE = sys.argv.pop(1)
    unittest.main()
