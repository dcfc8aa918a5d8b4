#!/usr/bin/env python3
"""Tests samples of counters and power over time."""

import csv
import io
import json
import re
import sys
import unittest
import xml.dom.minidom

from program import ProgramTest, heddle

# The workload launches two kernels several times.
RUN = ["run", "bfs", "--size", "tiny", "--machine", "storage"]
SAMPLING = ["--sample", "500"]

# Each thread loops 100 times, then stores at the offset `to`, which may be out of bounds.
SPIN = """.version 8.0
.target sm_75
.address_size 64
.visible .entry spin(.param .u64 words, .param .u64 to)
{
  .reg .pred %p;
  .reg .b32 %r<4>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [words];
  ld.param.u64 %rd2, [to];
  mov.u32 %r1, 0;
TURN:
  ld.volatile.global.u32 %r2, [%rd1];
  add.u32 %r1, %r1, 1;
  setp.lt.u32 %p, %r1, 100;
  @%p bra TURN;
  add.u64 %rd2, %rd1, %rd2;
  st.global.u32 [%rd2], %r1;
  ret;
}
"""


def picojoules(joules):
    return round(joules * 1e12)


class Samples(ProgramTest):
    def json(self, *arguments):
        """The JSON that heddle writes if it is called with these arguments."""
        return json.loads(self.works(*arguments, "--json", "-"))

    def spin(self, to, *more):
        """Executes kernel 'spin', which stores at offset `to`."""
        ptx = self.folder / "spin.ptx"
        ptx.write_text(SPIN)
        return heddle("exec", ptx, "--grid", 4, "--block", 64, "--arg", "buf:words:256",
                      "--arg", f"u64:{to}", "--machine", "storage", *more)

    def test_samples_add_up_to_the_counters_of_each_kernel(self):
        run = self.json(*RUN, *SAMPLING)
        self.assertGreater(len(run["kernels"]), 1)
        for kernel in run["kernels"]:
            samples = kernel["samples"]
            self.assertEqual(samples["interval"], 500)
            self.assertEqual(set(samples["counters"]), set(kernel["counters"]))
            for name, values in samples["counters"].items():
                self.assertEqual(len(values), len(samples["launch"]))
                self.assertEqual(sum(values), kernel["counters"][name], name)

    def test_samples_of_a_launch_are_contiguous(self):
        run = self.json(*RUN, *SAMPLING, "--sample-counters", "sm.warp_instructions")
        for number, launch in enumerate(run["launches"]):
            kernel, = [one for one in run["kernels"] if one["name"] == launch["kernel"]]
            samples = kernel["samples"]
            indices = [i for i, sampled in enumerate(samples["launch"]) if sampled == number]
            begins = [samples["begin_cycle"][i] for i in indices]
            ends = [samples["end_cycle"][i] for i in indices]
            self.assertEqual(begins, [launch["begin_cycle"], *ends[:-1]])
            self.assertEqual(ends[-1], launch["begin_cycle"] + launch["cycles"])
            self.assertEqual(sum(samples["counters"]["sm.warp_instructions"][i] for i in indices),
                             launch["warp_instructions"])

    def test_samples_change_no_other_result(self):
        plain, sampled = self.json(*RUN, "--energy"), self.json(*RUN, "--energy", *SAMPLING)
        for kernel in sampled["kernels"]:
            self.assertGreater(len(kernel.pop("samples")["launch"]), 0)
            for peak in ("peak", "chip_peak"):
                self.assertGreater(kernel["energy"].pop(peak)["watts"], 0)
        plain.pop("host"), sampled.pop("host")
        self.assertEqual(sampled, plain)

    def test_samples_do_not_change_the_trace(self):
        traces = [self.folder / "plain", self.folder / "sampled"]
        for trace, more in zip(traces, ([], [*SAMPLING, "--sample-csv", self.folder / "x.csv"])):
            self.works(*RUN, "--trace", trace, *more)
        self.assertEqual(traces[0].read_bytes(), traces[1].read_bytes())

    def test_samples_do_not_depend_on_host_threads(self):
        files = [self.folder / "one.csv", self.folder / "two.csv"]
        for file, threads in zip(files, (1, 2)):
            self.works(*RUN, *SAMPLING, "--energy", "--sample-csv", file, "--threads", threads)
        self.assertEqual(files[0].read_bytes(), files[1].read_bytes())

    def test_counters_are_selected_by_name_or_prefix(self):
        run = self.json(*RUN, *SAMPLING, "--sample-counters", "dram.data_bytes,l1")
        for kernel in run["kernels"]:
            names = list(kernel["samples"]["counters"])
            self.assertIn("dram.data_bytes", names)
            self.assertIn("l1.misses", names)
            self.assertEqual([name for name in names if not name.startswith("l1.")],
                             ["dram.data_bytes"])

    def test_energy_of_samples_adds_up_exactly(self):
        for machine in ("storage", "preexec"):
            run = self.json("run", "bfs", "--size", "tiny", "--machine", machine, "--energy", *SAMPLING)
            for kernel in run["kernels"]:
                energy, samples = kernel["energy"], kernel["samples"]["energy"]
                self.assertEqual([one["name"] for one in samples["components"]],
                                 [one["name"] for one in energy["components"]])
                for part, whole in zip(samples["components"], energy["components"]):
                    for kind in ("dynamic_joules", "static_joules"):
                        self.assertEqual(sum(map(picojoules, part[kind])), picojoules(whole[kind]))

    def test_peak_is_the_highest_sample(self):
        run = self.json(*RUN, "--energy", *SAMPLING)
        for kernel in run["kernels"]:
            energy, samples = kernel["energy"], kernel["samples"]
            for key, peak in (("watts", "peak"), ("chip_watts", "chip_peak")):
                watts = samples["energy"][key]
                highest = max(one for one in watts if one is not None)
                self.assertEqual(energy[peak]["watts"], highest)
                self.assertEqual(energy[peak]["interval"], 500)
                place = watts.index(highest)
                self.assertEqual(energy[peak]["begin_cycle"], samples["begin_cycle"][place])
                self.assertEqual(energy[peak]["end_cycle"], samples["end_cycle"][place])
            # A sample without cycles has no power.
            for i, watt in enumerate(samples["energy"]["watts"]):
                self.assertEqual(watt is None, samples["begin_cycle"][i] == samples["end_cycle"][i])

    def test_summary_has_average_and_peak_with_the_interval(self):
        text = self.works(*RUN, "--energy", *SAMPLING)
        lines = re.findall(r"\n  power +([\d.e+]+) W on average, ([\d.e+]+) W peak in cycles "
                           r"(\d+) to (\d+) \(intervals of 500\)(?:; [\d.]+ uJ after the end)?\n",
                           text)
        for average, peak, begin, end in lines:
            self.assertGreaterEqual(float(peak), float(average))
            self.assertGreater(int(end), int(begin))
        self.assertEqual(len(lines), len(re.findall(r"^kernel ", text, re.MULTILINE)))
        self.assertNotIn("W peak in cycles", self.works(*RUN, "--energy"))

    def test_csv_has_a_line_for_each_sample(self):
        file = self.folder / "made" / "samples.csv"
        run = self.json(*RUN, "--energy", *SAMPLING, "--sample-csv", file, "--sample-counters", "dram")
        lines = list(csv.DictReader(io.StringIO(file.read_text())))
        self.assertEqual(len(lines), sum(len(one["samples"]["launch"]) for one in run["kernels"]))
        self.assertEqual(sum(int(line["dram.data_bytes"]) for line in lines),
                         run["totals"]["counters"]["dram.data_bytes"])
        for kernel in run["kernels"]:
            of_kernel = [line for line in lines if line["kernel"] == kernel["name"]]
            self.assertEqual(sum(picojoules(float(line["energy.total"])) for line in of_kernel),
                             picojoules(kernel["energy"]["total_joules"]))
            self.assertEqual([line["power.average"] for line in of_kernel],
                             ["" if watts is None else str(watts)
                              for watts in kernel["samples"]["energy"]["watts"]])
        launches = [int(line["launch"]) for line in lines]
        self.assertEqual(launches, sorted(launches))
        plain = self.folder / "plain.csv"
        self.works(*RUN, *SAMPLING, "--sample-csv", plain, "--sample-counters", "dram")
        self.assertEqual(plain.read_text().splitlines()[0],
                         ",".join(["launch", "kernel", "begin_cycle", "end_cycle"] +
                                  [name for name in lines[0] if name.startswith("dram.")]))

    def test_power_chart_is_written(self):
        file = self.folder / "power.svg"
        self.works(*RUN, "--energy", *SAMPLING, "--power-chart", file)
        picture = xml.dom.minidom.parse(str(file))
        names = [title.firstChild.data for title in picture.getElementsByTagName("title")]
        self.assertEqual((names[0], names[-1]), ("leakage", "others"))
        self.assertIn("W at most (cycles ", file.read_text())

    def test_exec_has_samples_also_until_a_fault(self):
        samples = []
        for to, code in ((0, 0), (1 << 40, 3)):
            json_file, csv_file = self.folder / "out.json", self.folder / "out.csv"
            result = self.spin(to, *SAMPLING, "--energy", "--json", json_file, "--sample-csv", csv_file)
            self.assertEqual(result.returncode, code, result.stderr)
            kernel, = json.loads(json_file.read_text())["kernels"]
            self.assertEqual(kernel["samples"]["end_cycle"][-1], kernel["cycles"])
            self.assertEqual(sum(kernel["samples"]["counters"]["sm.warp_instructions"]),
                             kernel["counters"]["sm.warp_instructions"])
            samples.append(len(kernel["samples"]["launch"]))
            self.assertEqual(len(csv_file.read_text().splitlines()), samples[-1] + 1)
        self.assertGreater(min(samples), 3)

    def test_rejects_wrong_use(self):
        to_json = ["--json", "-"]
        self.fails(heddle(*RUN, "--sample", 0, *to_json), "--sample 0: expected a whole number")
        self.fails(heddle(*RUN, "--sample", "often", *to_json), "--sample often")
        self.fails(heddle(*RUN, *SAMPLING), "--sample: needs --json or --sample-csv")
        self.fails(heddle(*RUN, *SAMPLING, *to_json, "--sample-counters", "l1.mises"),
                   "unknown counter 'l1.mises'; did you mean 'l1.misses'?")
        self.fails(heddle(*RUN, *SAMPLING, *to_json, "--sample-counters", "l1,"), "unknown counter ''")
        self.fails(heddle(*RUN, *SAMPLING, "--energy", "--sample-counters", "l1"), "--sample-counters")
        self.fails(heddle(*RUN, *SAMPLING, *to_json, "--power-chart", "x.svg"), "--energy")
        for option in ("--sample-counters", "--sample-csv", "--power-chart"):
            self.fails(heddle(*RUN, option, "l1"), f"{option}: needs --sample CYCLES")
        untimed = ["run", "bfs", "--size", "tiny"]
        self.fails(heddle(*untimed, *SAMPLING, *to_json), "--sample: needs --machine")
        self.fails(heddle(*untimed, "--sample-csv", "x"), "--sample-csv: needs --machine")
        self.fails(heddle("cuda", "--functional", *SAMPLING, "--json", self.folder / "x", "--", "true"),
                   "--sample: not with --functional")
        self.fails(heddle("cuda", *SAMPLING, "--", "true"), "--sample: needs --json")
        self.fails(heddle(*RUN, *SAMPLING, "--sample-csv", "-"), "--sample-csv: name a file")
        self.fails(heddle(*RUN, *SAMPLING, "--sample-csv", "/dev/null/below"), "/dev/null/below")


if __name__ == "__main__":
    ProgramTest.HEDDLE = sys.argv.pop(1)
    unittest.main()
