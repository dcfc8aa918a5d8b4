#!/usr/bin/env python3
"""Tests that experiments simulate no run twice and lose no results."""

import csv
import io
import json
import pathlib
import re
import signal
import sqlite3
import subprocess
import sys
import time
import unittest

from store_folder import StoreFolder

HEDDLE = None

STUDY = """title = "Two schedulers"
paper = "A paper"
figure = "Figure 1"
machine = "storage"
size = "tiny"
workloads = ["bfs", "n-queens"]
[metric]
name = "ipc"
normalise_to = "rr"
[[variant]]
name = "rr"
set = ["schedule.policy=round-robin"]
[[variant]]
name = "gto"
set = ["schedule.policy=greedy-oldest"]
[[claim]]
id = "huge"
text = "a gain, that is not there"
kind = "gain"
value = 40.0
variant = "gto"
[[claim]]
id = "same"
text = "nearly the same"
kind = "gain"
value = 0
within = 0.5
variant = "gto"
"""


def read_csv(text):
    return list(csv.DictReader(io.StringIO(text)))


class Laboratory(StoreFolder):
    STUDY = STUDY

    def test_second_run_simulates_nothing_and_prints_the_same(self):
        first = self.works(self.experiment())
        second = self.works(self.experiment())
        self.assertIn("4 runs simulated, 0 were in", first)
        self.assertIn("0 runs simulated, 4 were in", second)
        self.assertEqual(first.splitlines()[:-1], second.splitlines()[:-1])

    def test_says_how_many_runs_are_missing_before_it_simulates_them(self):
        plan = self.experiment("--plan", "--jobs", 2)
        self.assertEqual((plan.returncode, plan.stdout, plan.stderr),
                         (0, "4 of 4 runs are missing; about 1 s with 2 jobs\n", ""))
        self.assertEqual(self.experiment("--jobs", 1).stderr,
                         "heddle: 4 of 4 runs are missing; about 1 s with 1 job\n")
        again = self.experiment("--seeds", 2, "--jobs", 1)
        self.assertRegex(again.stderr, r"^heddle: 4 of 8 runs are missing; about \d+ s with 1 job\n$")
        self.assertEqual(self.works(self.experiment("--seeds", 2, "--plan")), "0 of 8 runs are missing\n")
        self.assertEqual(self.experiment("--seeds", 2).stderr, "")

    def test_several_experiments_share_their_runs(self):
        other = self.write("other.toml", STUDY.replace('["bfs", "n-queens"]', '["bfs", "fft"]'))
        done = self.experiment(other, self.study, "-o", self.folder / "out")
        self.assertIn("6 runs simulated, 0 were in", self.works(done))
        self.assertEqual({path.stem for path in (self.folder / "out").glob("*.json")}, {"study", "other"})

    def test_output_does_not_depend_on_jobs(self):
        one = self.works(self.experiment("--jobs", 1))
        self.store.unlink()
        self.assertEqual(one, self.works(self.experiment("--jobs", 4)))

    def test_table_has_the_values_of_single_runs(self):
        ipc = {}
        for policy in ("round-robin", "greedy-oldest"):
            run = self.heddle("run", "bfs", "--size", "tiny", "--machine", "storage", "--set",
                              f"schedule.policy={policy}", "--json", "-")
            ipc[policy] = json.loads(self.works(run))["totals"]["ipc"]
        self.works(self.experiment("-o", self.folder / "out"))
        report = json.loads((self.folder / "out/study.json").read_text())
        self.assertEqual(report["schema"], "heddle-experiment-2")
        self.assertEqual(report["rows"][0]["label"], "bfs")
        self.assertAlmostEqual(report["rows"][0]["values"]["gto"],
                               ipc["greedy-oldest"] / ipc["round-robin"])
        table = read_csv((self.folder / "out/study.csv").read_text())
        self.assertEqual(list(table[0]), ["workload", "rr", "gto"])
        self.assertAlmostEqual(float(table[0]["gto"]), report["rows"][0]["values"]["gto"])
        self.assertEqual(table[2]["workload"], "geometric mean")

    def test_claim_that_does_not_hold_is_reported_and_not_an_error(self):
        text = self.works(self.experiment("-o", self.folder / "out"))
        self.assertRegex(text, r"huge +\+4000\.0 % +[+-]\d+\.\d % +-\d+\.\d points +\S+ +- +- +NO +a gain")
        self.assertRegex(text, r"same .* holds +nearly the same")
        claims = json.loads((self.folder / "out/study.json").read_text())["claims"]
        self.assertEqual([claim["holds"] for claim in claims], [False, True])
        lines = read_csv((self.folder / "out/study.claims.csv").read_text())
        self.assertEqual([line["holds"] for line in lines], ["no", "yes"])
        self.assertEqual(lines[0]["text"], "a gain, that is not there")
        self.assertEqual(float(lines[0]["distance"]), claims[0]["measured"] - 40)
        self.assertNotIn("another size", text)

    def test_claims_are_about_the_sizes_of_the_study(self):
        text = self.works(self.experiment("--size", "small", "-o", self.folder / "out"))
        self.assertIn("these inputs have another size.", text)
        self.assertIs(json.loads((self.folder / "out/study.json").read_text())["own_sizes"], False)
        report = self.heddle("report", self.folder / "out", "-o", self.folder / "report.html")
        self.assertIn("1 experiment, 2 claims are about other sizes", report.stdout)
        page = (self.folder / "report.html").read_text()
        self.assertIn("✗ at another size", page)
        self.assertNotIn("does not hold", page)

    def test_several_seeds_are_averaged_and_judged_separately(self):
        ipc = {}
        for seed in (1, 2, 3):
            for policy in ("round-robin", "greedy-oldest"):
                run = self.heddle("run", "bfs", "--size", "tiny", "--machine", "storage", "--set",
                                  f"schedule.policy={policy}", "--seed", seed, "--json", "-")
                ipc[seed, policy] = json.loads(self.works(run))["totals"]["ipc"]
        gains = [ipc[seed, "greedy-oldest"] / ipc[seed, "round-robin"] for seed in (1, 2, 3)]
        self.assertGreater(max(gains), min(gains))
        text = self.works(self.experiment("--seeds", 3, "-o", self.folder / "out"))
        self.assertIn("12 runs simulated", text)
        report = json.loads((self.folder / "out/study.json").read_text())
        self.assertEqual(report["seeds"], 3)
        self.assertIn("--seeds 3", report["command"])
        row = report["rows"][0]
        self.assertAlmostEqual(row["values"]["gto"], (gains[0] * gains[1] * gains[2]) ** (1 / 3))
        self.assertAlmostEqual(row["least"]["gto"], min(gains))
        self.assertAlmostEqual(row["most"]["gto"], max(gains))
        claim = report["claims"][1]
        self.assertEqual([seed["seed"] for seed in claim["seeds"]], [1, 2, 3])
        self.assertTrue(all(seed["holds"] for seed in claim["seeds"]) and claim["holds"])
        table = read_csv((self.folder / "out/study.csv").read_text())
        self.assertEqual(list(table[0]), ["workload", "rr", "rr least", "rr most", "gto",
                                          "gto least", "gto most"])
        self.assertAlmostEqual(float(table[0]["gto most"]), max(gains))
        lines = read_csv((self.folder / "out/study.claims.csv").read_text())
        self.assertEqual([line["holding seeds"] for line in lines], ["0", "3"])
        self.assertIn("12 were in", self.works(self.experiment("--seeds", 3)))
        self.assertIn("0 runs simulated, 4 were in", self.works(self.experiment()))

    def test_claim_that_fails_for_one_seed_does_not_hold(self):
        self.works(self.experiment("--seeds", 3, "-o", self.folder / "out"))
        report = json.loads((self.folder / "out/study.json").read_text())
        # The claim holds only for the seed with the least value.
        measured = sorted(seed["measured"] for seed in report["claims"][1]["seeds"])
        near = STUDY.replace("value = 0\nwithin = 0.5",
                             f"value = {measured[0]!r}\nwithin = {(measured[2] - measured[0]) / 1e6!r}")
        study = self.write("near.toml", "seeds = 3\n" + near)
        text = self.works(self.experiment("-o", self.folder / "near", study=study))
        self.assertIn("0 runs simulated, 12 were in", text)
        self.assertRegex(text, r"\nsame: holds for 1 of 3 seeds\n")
        claim = json.loads((self.folder / "near/near.json").read_text())["claims"][1]
        self.assertFalse(claim["holds"])

    def test_run_that_fails_for_one_seed_is_named_and_its_cell_is_empty(self):
        self.works(self.experiment("--seeds", 2))
        listed = json.loads(self.works(self.results("export", "--workload", "bfs", "--json", "-")))
        lost = next(run for run in listed["runs"] if str(run["seed"]) == "2" and
                    run["result"]["machine"]["parameters"]["schedule.policy"] == "greedy-oldest")
        database = sqlite3.connect(self.store)
        database.execute("DELETE FROM runs WHERE key = ?", (lost["key"],))
        database.commit()
        database.close()
        result = self.experiment("--seeds", 2, "--max-cycles", 100)
        self.fails(result, 1, "bfs on storage with schedule.policy=greedy-oldest (tiny, seed 2, "
                   "row 'bfs', variant 'gto', run ")
        self.assertRegex(result.stdout, r"bfs +1\.000 +-\n")

    def test_changed_machine_is_reported(self):
        text = self.works(self.experiment("--set", "l1.latency=40", "-o", self.folder / "out"))
        self.assertIn("The machine is changed (l1.latency=40): the claims are about the unchanged",
                      text)
        report = json.loads((self.folder / "out/study.json").read_text())
        self.assertEqual(report["set"], ["l1.latency=40"])
        self.assertEqual(report["parameters"]["l1.latency"], 40)
        self.assertIn("--set l1.latency=40", report["command"])
        page = self.heddle("report", self.folder / "out", "-o", self.folder / "report.html")
        self.assertIn("1 experiment, 2 claims are about other machines", page.stdout)
        for wrong in ("l1.latncy=40", "l1.latency=far"):
            self.store.unlink(missing_ok=True)
            self.fails(self.experiment("--set", wrong), 2, "--set", "l1.latency")
            self.assertFalse(self.store.exists())

    def test_claim_can_have_other_readings(self):
        study = self.write("read.toml", STUDY + """[[claim.reading]]
text = "a loss"
value = -0.9
within = 0.01
""")
        text = self.works(self.experiment("-o", self.folder / "out", study=study))
        self.assertIn("same: holds only as it is read here\n", text)
        self.assertRegex(text, r"same: does not hold as a loss \([+-]\d\.\d %\)\n")
        claim = json.loads((self.folder / "out/read.json").read_text())["claims"][1]
        self.assertTrue(claim["holds"])
        self.assertEqual([(r["text"], r["reported"], r["holds"]) for r in claim["readings"]],
                         [("a loss", -0.9, False)])
        lines = read_csv((self.folder / "out/read.claims.csv").read_text())
        self.assertIn("holds only as it is read here; does not hold as a loss", lines[1]["notes"])

    def test_column_can_be_the_best_of_others_and_stacks_have_parts(self):
        study = self.write("parts.toml", STUDY + """[[variant]]
name = "few"
set = ["schedule.active_warps=4"]
hidden = true
[[variant]]
name = "best"
best_of = ["gto", "few"]
[chart]
kind = "stacked"
y = "share of cycles"
[[part]]
name = "idle"
metric = "sm.idle_cycles / sm.active_cycles"
[[claim]]
id = "classes"
text = "how idle it is"
kind = "classes"
metric = "sm.idle_cycles / sm.active_cycles"
variant = "rr"
bounds = [2]
names = ["less", "more"]
expected = { bfs = "less", n-queens = "more" }
""")
        text = self.works(self.experiment("-o", self.folder / "out", study=study))
        self.assertIn("6 runs simulated", text)
        self.assertRegex(text, r"WORKLOAD +rr +gto +best\n")
        self.assertRegex(text, r"WORKLOAD +VARIANT +idle\n")
        self.assertRegex(text, r"classes +2 in classes +1 of 2 agree +50 % +- +- +NO +- +how idle")
        self.assertRegex(text, r"\nclasses: n-queens: less \(0\.\d+\), reported more\n")
        report = json.loads((self.folder / "out/parts.json").read_text())
        for row in report["rows"]:
            values = row["values"]
            self.assertEqual(values["best"], max(values["gto"], values["few"]))
            self.assertEqual(values[row["best"]["best"]], values["best"])
            self.assertEqual(row["parts"]["best"], row["parts"][row["best"]["best"]])
        self.assertEqual([variant["hidden"] for variant in report["variants"]],
                         [False, False, True, False])
        self.assertEqual(list(read_csv((self.folder / "out/parts.csv").read_text())[0]),
                         ["workload", "rr", "gto", "best"])
        lines = read_csv((self.folder / "out/parts.parts.csv").read_text())
        self.assertEqual(len(lines), 3 * 3)
        self.assertEqual(float(lines[0]["idle"]), report["rows"][0]["parts"]["rr"]["idle"])
        claim = report["claims"][2]
        self.assertEqual(claim["reported"], {"bfs": "less", "n-queens": "more"})
        self.assertEqual(claim["measured"]["n-queens"]["class"], "less")
        self.assertEqual((claim["classes"], claim["holds"]), (False, False))

    def test_missing_programs_of_a_suite_are_named_once(self):
        self.write("mine.toml", 'paper = "A paper"\ntable = "Table 1"\nunnamed = 3\nprograms = [\n'
                   '{ paper_name = "BFS", workload = "bfs" },\n'
                   '{ paper_name = "Later", workload = "no-such-workload" },\n'
                   '{ paper_name = "prefix sum", workload = "n-queens" },\n'
                   '{ paper_name = "Never", missing = "it is a shader" }]\n')
        study = self.write("suite.toml", STUDY.replace('["bfs", "n-queens"]', '"suite:mine.toml"'))
        result = self.experiment("-o", self.folder / "out", study=study)
        self.assertIn("4 runs simulated", self.works(result))
        self.assertEqual(result.stderr.splitlines()[:-1], [
            "heddle: suite 'mine': runs 2 of its 7 programs; missing: "
            "Later, Never, 3 programs that the paper does not name"])
        report = json.loads((self.folder / "out/suite.json").read_text())
        self.assertEqual([row["label"] for row in report["rows"]], ["bfs", "n-queens"])
        self.assertEqual(report["suite"], {
            "name": "mine", "paper": "A paper", "table": "Table 1",
            "missing": [
                {"program": "Later", "workload": "no-such-workload", "why": "not yet"},
                {"program": "Never", "workload": None, "why": "it is a shader"}],
            "unnamed": 3})
        self.heddle("report", self.folder / "out", "-o", self.folder / "report.html")
        self.assertIn("<dt>without</dt><dd>Later, Never</dd>",
                      (self.folder / "report.html").read_text())

    def test_complete_suite_causes_no_message(self):
        self.write("whole.toml", 'paper = "A paper"\ntable = "Table 1"\nprograms = [\n'
                   '{ paper_name = "BFS", workload = "bfs" }]\n')
        study = self.write("suite.toml", STUDY.replace('["bfs", "n-queens"]', '"suite:whole.toml"'))
        for file, suite in ((study, {"name": "whole", "paper": "A paper", "table": "Table 1",
                                     "missing": [], "unnamed": 0}), (self.study, None)):
            result = self.experiment("-o", self.folder / "out", study=file)
            self.works(result)
            self.assertNotIn("suite", result.stderr)
            report = json.loads((self.folder / f"out/{file.stem}.json").read_text())
            self.assertEqual(report["suite"], suite)

    def test_json_describes_how_it_was_measured(self):
        self.works(self.experiment("--size", "small", "-o", self.folder / "out"))
        report = json.loads((self.folder / "out/study.json").read_text())
        self.assertEqual(report["command"], f"heddle experiment {self.study} --size small")
        self.assertEqual(report["chart"]["kind"], "bars")
        self.assertEqual({row["size"] for row in report["rows"]}, {"small"})
        self.assertRegex(report["simulated_at"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
        self.assertEqual(len(report["heddle"]["sources"]), 64)
        self.assertEqual(report["variants"][1]["parameters"],
                         {"schedule.policy": "greedy-oldest"})
        self.assertNotIn("schedule.policy", report["parameters"])
        run = json.loads(self.works(self.heddle("run", "bfs", "--size", "tiny", "--machine",
                                                "storage", "--json", "-")))
        everything = run["machine"]["parameters"]
        del everything["schedule.policy"]
        self.assertEqual(report["parameters"], everything)

    def test_failed_run_is_reported_and_the_others_are_stored(self):
        study = self.write("failing.toml", STUDY + '[[variant]]\nname = "none"\n'
                           'set = ["sm.shared_bytes=128"]\n')
        result = self.experiment(study=study)
        self.fails(result, 1, "n-queens on storage with sm.shared_bytes=128")
        self.assertRegex(result.stdout, r"n-queens +1\.000 +\d\.\d+ +-\n")
        self.assertIn("1 FAILED", result.stdout)
        again = self.experiment(study=study)
        self.assertEqual(again.returncode, 1)
        self.assertIn("0 runs simulated, 5 were in", again.stdout)

    def test_run_that_exceeds_a_limit_is_named_and_not_stored(self):
        for limit, what in (("--max-cycles", "cycles"), ("--max-instructions", "instructions")):
            result = self.experiment("--jobs", 1, limit, 5000, "--size", "small")
            self.fails(result, 1, "bfs on storage with schedule.policy=greedy-oldest (small, row "
                       "'bfs', variant 'gto', run ", f"stopped after 5000", what)
            self.assertIn("4 FAILED", result.stdout)
            self.assertEqual(len(self.works(self.results("list")).splitlines()), 1)
        self.assertIn("4 runs simulated, 0 were in", self.works(self.experiment()))
        # Stored runs are complete and do not depend on limits.
        self.assertIn("0 runs simulated, 4 were in",
                      self.works(self.experiment("--max-cycles", 1, "--max-instructions", 1)))
        self.fails(self.experiment("--max-cycles", 0), 2, "--max-cycles 0")

    def test_other_runs_complete_if_one_exceeds_a_limit(self):
        study = self.write("long.toml", STUDY + '[[workload]]\nname = "bfs"\nlabel = "long"\n'
                           'size = "small"\n')
        result = self.experiment("--max-instructions", 100000, study=study)
        self.fails(result, 1, "row 'long', variant 'rr'", "row 'long', variant 'gto'")
        self.assertIn("4 runs simulated", result.stdout)
        self.assertIn("2 FAILED", result.stdout)

    def test_simulates_only_changed_runs(self):
        self.works(self.experiment())
        changed = self.write("changed.toml",
                             STUDY.replace("greedy-oldest\"", "greedy-oldest\", \"l1.bytes=32K\""))
        self.assertIn("2 runs simulated, 2 were in", self.works(self.experiment(study=changed)))
        self.assertIn("4 runs simulated, 0 were in",
                      self.works(self.experiment("--size", "small")))

    def test_mistakes_are_reported_before_simulation(self):
        self.fails(self.experiment(study=self.write("a.toml", STUDY.replace("bfs", "bsf"))), 2,
                   "a.toml:6:", "did you mean 'bfs'?")
        self.fails(self.experiment(study=self.write("b.toml",
                                                    STUDY.replace("schedule.policy=g", "schd=g"))),
                   2, "variant 'gto'", "unknown parameter 'schd'")
        cannot_be = STUDY.replace("greedy-oldest\"",
                                  "greedy-oldest\", \"l1.bytes=100K\", \"l1.ways=7\"")
        self.fails(self.experiment(study=self.write("c.toml", cannot_be)), 2, "variant 'gto'",
                   "sets of 7 lines")
        self.assertFalse(self.store.exists())
        self.fails(self.experiment(study="schedulrs"), 2, "did you mean 'schedulers'?")
        self.fails(self.experiment(study=self.folder / "no.toml"), 2, "cannot read")
        self.fails(self.experiment("--jobs", 0), 2, "--jobs 0")
        self.fails(self.experiment("--size", "tinny"), 2, "did you mean 'tiny'?")
        self.store.write_text("this is no store of results, whatever it is")
        self.fails(self.experiment(), 2, "not a store of results")

    def test_rejects_empty_metric(self):
        for name, why in (("", "'name' is empty"), ("  ", "a metric is empty")):
            study = self.write("a.toml", STUDY.replace('name = "ipc"', f'name = "{name}"'))
            self.fails(self.experiment(study=study), 2, "a.toml:8:", why)

    def test_long_texts_are_shortened_in_messages(self):
        long = "x" * 400_000
        for study in (STUDY.replace('"ipc"', f'"{long} {long}"'), STUDY.replace('"ipc"', f'"{long}"'),
                      STUDY.replace("round-robin", long), STUDY.replace('"bfs"', f'"{long}"'),
                      STUDY.replace("schedule.policy", long, 1),
                      STUDY.replace("seed", "", 1) + f"{long} = 1\n"):
            result = self.experiment(study=self.write("long.toml", study))
            self.fails(result, 2, "xxx", "...")
            self.assertLess(len(result.stderr), 4000)
        self.assertLess(len(self.heddle("run", long[:100_000]).stderr), 4000)

    def test_control_characters_of_an_experiment_are_escaped(self):
        evil = STUDY.replace("Two schedulers", "Two \\u001b]0;x\\u0007 \\u009b2J")
        evil = evil.replace('"gto"', '"g\\u001b[2Jto"').replace('"same"', '"s\\u001b[1mame"')
        result = self.experiment(study=self.write("evil.toml", evil))
        text = self.works(result)
        self.assertIn(r"Two \x1b]0;x\x07 \x9b2J", text)
        self.assertIn(r"g\x1b[2Jto", text)
        self.assertIn(r"s\x1b[1mame", text)
        broken = self.experiment(study=self.write(
            "broken.toml", STUDY.replace('"bfs"', '"b\\u001b[2J\\nfs"')))
        self.fails(broken, 2, r"b\x1b[2J")
        for output in (text, result.stderr, broken.stderr):
            self.assertNotRegex(output, "[\x00-\x08\x0b-\x1f\x7f-\x9f]")

    def test_interrupted_experiment_keeps_its_runs_and_continues(self):
        short = STUDY.replace('"n-queens"', '"n-queens", "hotspot"')
        # The two runs of the row 'long' start first and do not end before the interrupt. The third job
        # simulates the others meanwhile.
        study = self.write("long.toml", short + '[[workload]]\nname = "bfs"\nlabel = "long"\n'
                           'size = "large"\n')
        process = subprocess.Popen([HEDDLE, "experiment", study, "--store", self.store, "--jobs",
                                    "3"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        while process.poll() is None:
            listed = self.results("list")
            if listed.returncode == 0 and len(listed.stdout.splitlines()) > 2:
                break
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, errors)
        done = int(re.search(r"interrupted; (\d+) runs were simulated", errors).group(1))
        self.assertIn(done, range(2, 7))
        rest = self.works(self.experiment(study=self.write("short.toml", short)))
        self.assertIn(f"{6 - done} runs simulated, {done} were in", rest)

    def test_ignored_interrupt_stays_ignored(self):
        def ignore():
            signal.signal(signal.SIGINT, signal.SIG_IGN)
        for words in (["experiment", self.study, "--store", self.store],
                      ["run", "hotspot", "--size", "small", "--machine", "preexec"]):
            process = subprocess.Popen([HEDDLE, *words], stdout=subprocess.DEVNULL,
                                       stderr=subprocess.PIPE, text=True, preexec_fn=ignore)
            while process.poll() is None:
                process.send_signal(signal.SIGINT)
                time.sleep(0.01)
            _, errors = process.communicate()
            self.assertEqual(process.returncode, 0, errors)

    def test_several_processes_share_a_store(self):
        command = [HEDDLE, "experiment", self.study, "--store", self.store]
        processes = [subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                      text=True) for _ in range(3)]
        for process in processes:
            _, errors = process.communicate(timeout=120)
            self.assertEqual(process.returncode, 0, errors)
        self.assertEqual(len(self.works(self.results("list")).splitlines()), 5)

    def test_results_are_listed_shown_and_exported(self):
        self.works(self.experiment())
        listed = self.works(self.results("list", "--workload", "bfs")).splitlines()
        self.assertEqual(len(listed), 3)
        key = listed[1].split()[0]
        shown = json.loads(self.works(self.results("show", key)))
        self.assertTrue(shown["key"].startswith(key))
        exported = json.loads(self.works(self.results("export", "--json", "-")))
        self.assertEqual(exported["schema"], "heddle-results-2")
        self.assertEqual(len(exported["runs"]), 4)
        same = [run for run in exported["runs"] if run["key"] == shown["key"]]
        del shown["schema"]
        self.assertEqual(same, [shown])
        lines = {line["key"]: line for line in
                 read_csv(self.works(self.results("export", "--csv", "-")))}
        for run in exported["runs"]:
            line = lines[run["key"]]
            totals = run["result"]["totals"]
            self.assertNotIn("host", run["result"])
            self.assertEqual(float(line["cycles"]), totals["cycles"])
            for name, value in totals["counters"].items():
                self.assertEqual(float(line[name]), value)

    def test_stored_result_equals_that_of_a_run(self):
        self.works(self.experiment())
        exported = json.loads(self.works(self.results("export", "--workload", "bfs",
                                                      "--json", "-")))
        stored = {run["result"]["machine"]["parameters"]["schedule.policy"]: run["result"]
                  for run in exported["runs"]}
        run = json.loads(self.works(self.heddle(
            "run", "bfs", "--size", "tiny", "--machine", "storage", "--set",
            "schedule.policy=round-robin", "--json", "-")))
        del run["host"]
        self.assertEqual(stored["round-robin"], run)

    def test_prune_removes_the_selected_runs_and_none_in_a_dry_run(self):
        self.works(self.experiment())
        dry_run = self.works(self.results("prune", "--workload", "bfs", "--dry-run"))
        self.assertIn("2 runs would be removed", dry_run)
        self.assertIn("0 runs", self.works(self.results("prune", "--other-versions")))
        self.assertIn("0 runs", self.works(self.results("prune", "--older-than", 1)))
        self.assertIn("2 runs removed", self.works(self.results("prune", "--workload", "bfs")))
        self.assertIn("2 runs simulated, 2 were in", self.works(self.experiment()))
        self.fails(self.results("prune"), 2, "choose the runs with")

    def test_environment_variable_names_the_store(self):
        elsewhere = self.folder / "elsewhere.sqlite"
        self.works(self.heddle("experiment", self.study, variables={"HEDDLE_STORE": str(elsewhere)}))
        self.assertTrue(elsewhere.exists())
        self.fails(self.heddle("results", "list"), 2, "heddle-results.sqlite")
        self.works(self.heddle("experiment", self.study))
        self.assertTrue((self.folder / "heddle-results.sqlite").exists())

    def test_lists_experiments(self):
        self.assertRegex(self.works(self.heddle("list", "experiments")), r"schedulers +\d+ +2 ")


if __name__ == "__main__":
    HEDDLE = StoreFolder.HEDDLE = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
