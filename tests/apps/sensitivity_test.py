#!/usr/bin/env python3
"""Tests the page of sensitivity: it shows the effects of choices on claims, and its choices exist."""

import json
import pathlib
import re
import subprocess
import sys
import tempfile
import tomllib
import unittest

HEDDLE = ROOT = None

STUDY = """title = "Two policies"
machine = "storage"
workloads = ["bfs", "scan"]
[metric]
name = "ipc"
normalise_to = "old"
[[variant]]
name = "old"
[[variant]]
name = "new"
set = ["schedule.active_warps=4"]
[[claim]]
id = "s.gain"
text = "new gains"
kind = "gain"
value = 0.1
variant = "new"
[[claim]]
id = "s.classes"
text = "classes of IPC"
kind = "classes"
variant = "old"
bounds = [10]
names = ["low", "high"]
[claim.expected]
bfs = "low"
scan = "high"
"""

CHOICES = """[claims]
"study" = ["s.gain", "s.classes"]
""" + "".join(f"""
[[choice]]
machine = "{machine}"
values = {json.dumps(values)}
why = "why of {values[0]}"
""" for machine, values in (
    ("storage", ["l1.ways=4", "l1.ways=8", "l1.ways=16"]), ("storage", ["lsu.queue=8"]),
    ("storage", ["fetch.width=1 fetch.buffer=2"]), ("storage", ["barrier.latency=1"]),
    ("storage", ["sm.blocks=16"]), ("storage", ["l1.mshrs=32"]), ("storage", ["l1.merges=8"]),
    ("large-warps", ["lsu.queue=8"])))

BASE_VALUES = {"l1.ways": 4, "lsu.queue": 32, "fetch.width": 2, "fetch.buffer": 4,
               "barrier.latency": 8, "sm.blocks": 8, "l1.mshrs": 512, "l1.merges": 256}


def result(gain, agreeing=1, **parameters):
    """A result with this gain of the new policy and this number of programs in the expected class."""
    near = gain is not None and 0.05 <= gain <= 0.2
    classes = {"sign": None, "order": None, "magnitude": None, "classes": agreeing == 2}
    return {
        "seeds": 1, "rows": [{"label": "bfs", "size": "small"}, {"label": "scan", "size": "small"}],
        "parameters": BASE_VALUES | parameters,
        "claims": [{"id": "s.gain", "measured": gain, "sign": None if gain is None else gain > 0,
                    "order": None, "classes": None, "magnitude": None if gain is None else near,
                    "distance": None if gain is None else gain - 0.1, "holds": near},
                   {"id": "s.classes", "reported": {"bfs": "low", "scan": "high"},
                    "measured": {"bfs": {"class": "low", "value": 3.0},
                                 "scan": {"class": "high" if agreeing == 2 else "low", "value": 9.0}},
                    "distance": 1 - agreeing / 2, "holds": agreeing == 2, **classes}],
    }


# The experiment's results, by the setting that is tried; "as-it-is" is the unchanged machine.
RESULTS = {
    "as-it-is": result(0.06),
    "l1.ways=4": result(0.06),
    "l1.ways=8": result(0.07, **{"l1.ways": 8}),
    "l1.ways=16": result(0.02, agreeing=2, **{"l1.ways": 16}),
    "lsu.queue=8": result(0.16, **{"lsu.queue": 8}),
    "fetch.width=1,fetch.buffer=2": result(0.059, **{"fetch.width": 1, "fetch.buffer": 2}),
    "barrier.latency=1": result(0.063, **{"barrier.latency": 1}),
    "sm.blocks=16": result(None, **{"sm.blocks": 16}),
    "l1.mshrs=32": result(0.062, **{"l1.mshrs": 32}),
    "l1.merges=8": result(0.0602, **{"l1.merges": 8}),
}


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.write("experiments/study.toml", STUDY)
        self.write("choices.toml", CHOICES)

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def tool(self, *more, experiments=None):
        """Runs tools/pages/sensitivity.py on the files in the folder."""
        return subprocess.run(
            [ROOT / "tools/pages/sensitivity.py", "--choices", self.folder / "choices.toml",
             "--experiments", experiments or self.folder / "experiments", "--results",
             self.folder / "results", "--store", self.folder / "store.sqlite", "--output",
             self.folder / "page.md", *map(str, more)], capture_output=True, text=True, timeout=600)


class Page(Folder):
    def setUp(self):
        super().setUp()
        for name, one in RESULTS.items():
            self.write(f"results/{name}/study.json", json.dumps(one))

    def page(self):
        done = self.tool("--write-only")
        self.assertEqual(done.returncode, 0, done.stderr)
        return (self.folder / "page.md").read_text()

    def section(self, heading):
        _, found, rest = self.page().partition(f"{heading}\n")
        self.assertTrue(found)
        return re.split(r"(?m)^#", rest)[0].strip()

    def test_lists_the_five_choices_that_change_a_claim_most(self):
        self.assertIn("""\
Reported: +10.0 %. With base values: holds, distance -4.0 points. 1 of 7 choices change the verdict.

| choice | base value | other values | measured with base value | measured with other values | \
change of distance | verdict |
| --- | --- | --- | --- | --- | --- | --- |
| `lsu.queue` | 32 | 8 | +6.0 % | +16.0 % | +10.0 points | unchanged |
| `l1.ways` | 4 | 8 / 16 | +6.0 % | +7.0 % / +2.0 % | +1.0 points / -4.0 points | **changes** |
| `barrier.latency` | 8 | 1 | +6.0 % | +6.3 % | +0.3 points | unchanged |
| `l1.mshrs` | 512 | 32 | +6.0 % | +6.2 % | +0.2 points | unchanged |
| `fetch.width`, `fetch.buffer` | 2, 4 | 1, 2 | +6.0 % | +5.9 % | -0.1 points | unchanged |""",
                      self.section("### `s.gain`"))

    def test_leaves_out_choices_without_effect_and_counts_classes(self):
        section = self.section("### `s.classes`")
        self.assertIn("| `l1.ways` | 4 | 8 / 16 | 1 of 2 agree | 1 of 2 agree / 2 of 2 agree | "
                      "+0 % / -50 % | **changes** |", section)
        self.assertNotIn("lsu.queue", section)

    def test_names_choices_with_small_effect_that_change_the_verdict(self):
        # The claim holds for gains of 5 % or more. Five choices change the gain more than l1.mshrs
        # does.
        for name, one in {"as-it-is": result(0.0502),
                          "l1.mshrs=32": result(0.0499, **{"l1.mshrs": 32}),
                          "l1.merges=8": result(0.07, **{"l1.merges": 8}),
                          "sm.blocks=16": result(0.08, **{"sm.blocks": 16})}.items():
            self.write(f"results/{name}/study.json", json.dumps(one))
        self.assertIn("The verdict also changes with `l1.mshrs`.", self.section("### `s.gain`"))

    def test_begins_with_all_claims(self):
        page = self.page()
        self.assertIn("New gains (`heddle experiment study --claim s.gain --size small`).", page)
        self.assertIn("**For 0 of 2 claims, no choice that was tried changes the verdict.**", page)
        self.assertIn("| `s.gain` | new gains | holds | 7 | 1 | `lsu.queue` |", page)
        self.assertIn("| `s.classes` | classes of IPC | **does not hold** | 7 | 1 | `l1.ways` |", page)

    def test_names_the_size_of_an_experiment(self):
        self.write("choices.toml", '[sizes]\nstudy = "tiny"\n' + CHOICES)
        self.assertIn("(`heddle experiment study --claim s.gain --size tiny`)", self.page())

    def test_only_keeps_the_claims_of_other_experiments(self):
        self.write("experiments/folder/other.toml", STUDY.replace("s.gain", "o.gain").replace("s.classes", "o.c"))
        self.write("choices.toml", CHOICES.replace("[claims]", '[claims]\n"folder/other" = ["o.gain"]'))
        for name, one in RESULTS.items():
            self.write(f"results/{name}/folder-other.json", json.dumps(one).replace("s.gain", "o.gain"))
        before = self.page()
        self.assertIn("**For 0 of 3 claims,", before)
        for kept in (self.folder / "results").glob("*/study.json"):
            kept.unlink()
        self.assertEqual(self.tool("--write-only", "--only", "folder").returncode, 0)
        self.assertEqual((self.folder / "page.md").read_text(), before)
        self.assertEqual(self.tool("--write-only", "--only", "study").returncode, 0)
        after = (self.folder / "page.md").read_text()
        self.assertIn("**For 0 of 1 claims,", after)
        self.assertIn("Reported: +10.0 %.\n\nNot run.", after)

    def test_only_adds_an_experiment_that_the_page_lacks(self):
        self.page()
        self.write("experiments/other.toml", STUDY.replace("s.gain", "o.gain").replace("s.classes", "o.c"))
        self.write("choices.toml", CHOICES.replace("[claims]", '[claims]\n"other" = ["o.gain"]'))
        self.assertEqual(self.tool("--write-only", "--only", "study").returncode, 0)
        page = (self.folder / "page.md").read_text()
        self.assertIn("**For 0 of 2 claims,", page)
        self.assertRegex(page, r"### `o.gain`\n\n.*\n\nNot run\.\n\n### `s.gain`")

    def test_gives_the_reason_of_each_value_for_machines_of_the_experiments(self):
        self.page()
        choices = (self.folder / "page/choices.md").read_text()
        self.assertIn("| storage | `lsu.queue` | `lsu.queue=8` | why of lsu.queue=8 |", choices)
        self.assertNotIn("large-warps", choices)

    def test_rejects_a_choice_that_variants_differ_in(self):
        self.write("choices.toml", CHOICES.replace("barrier.latency=1", "schedule.active_warps=6"))
        done = self.tool("--write-only")
        self.assertEqual(done.returncode, 1)
        self.assertIn("study varies 'schedule.active_warps' itself", done.stderr)

    def test_rejects_an_unknown_claim(self):
        self.assertIn("no claim 's.lost'", self.tool("--write-only", "--claims", "s.lost").stderr)
        self.write("choices.toml", CHOICES.replace("s.classes", "s.lost"))
        self.assertIn("study has no claim 's.lost'", self.tool("--write-only").stderr)


class Runs(Folder):
    def test_runs_each_value_once_and_simulates_nothing_again(self):
        self.write("choices.toml", """[claims]
"l1-mshrs" = ["own.l1-mshrs.order"]
[[choice]]
machine = "warpman"
values = ["l1.latency=40"]
why = "why"
""")
        words = ("--heddle", HEDDLE, "--size", "tiny", "--claims", "own.l1-mshrs.order")
        done = self.tool(*words, experiments=ROOT / "descriptions/experiments")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"\| `l1.latency` \| \d+ \| 40 \|")
        changed = json.loads((self.folder / "results/l1.latency=40/l1-mshrs.json").read_text())
        self.assertEqual(changed["set"], ["l1.latency=40"])
        self.assertFalse((self.folder / "page.md").exists())
        before = sorted(self.stored())
        self.assertEqual(self.tool(*words, experiments=ROOT / "descriptions/experiments").stdout, done.stdout)
        self.assertEqual(sorted(self.stored()), before)

    def stored(self):
        listed = subprocess.run([HEDDLE, "results", "list", "--store", self.folder / "store.sqlite"],
                                check=True, capture_output=True, text=True)
        return listed.stdout.splitlines()


class CommittedChoices(unittest.TestCase):
    """tools/pages/sensitivity.toml, beside descriptions/experiments/ and descriptions/machines/."""

    @classmethod
    def setUpClass(cls):
        cls.described = tomllib.loads((ROOT / "tools/pages/sensitivity.toml").read_text())

    def test_every_parameter_belongs_to_its_machine(self):
        for choice in self.described["choice"]:
            listed = subprocess.run([HEDDLE, "list", "parameters", "--machine", choice["machine"]],
                                    check=True, capture_output=True, text=True).stdout
            known = {line.split()[0] for line in listed.splitlines()}
            for value in choice["values"]:
                for setting in value.split():
                    self.assertIn(setting.split("=")[0], known)

    def test_every_claim_is_on_the_page(self):
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder) / "page.md"
            done = subprocess.run([ROOT / "tools/pages/sensitivity.py", "--write-only", "--results", folder,
                                   "--output", page], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            for claims in self.described["claims"].values():
                for claim in claims:
                    self.assertIn(f"### `{claim}`", page.read_text())


if __name__ == "__main__":
    ROOT = pathlib.Path(sys.argv.pop()).resolve()
    HEDDLE = pathlib.Path(sys.argv.pop()).resolve()
    unittest.main()
