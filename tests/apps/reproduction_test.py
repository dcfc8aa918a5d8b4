#!/usr/bin/env python3
"""Tests the pages of the reproduction: they match the results, and they have every claim."""

import json
import pathlib
import re
import subprocess
import sys
import tempfile
import tomllib
import unittest

ROOT = None

FIGURE_9 = """title = "Two policies"
paper = "Author, Title"
figure = "Figure 9"
machine = "storage"
set = ["l1.bytes=32K"]
workloads = ["bfs", "scan"]
[metric]
name = "ipc"
normalise_to = "old"
[chart]
y = "IPC relative to old"
[[variant]]
name = "old"
[[variant]]
name = "new"
best_of = ["one", "two"]
[[variant]]
name = "one"
hidden = true
[[variant]]
name = "two"
hidden = true
[[claim]]
id = "a.gain"
text = "new gains | 10 %"
kind = "gain"
value = 0.1
variant = "new"
[[claim]]
id = "a.none"
text = "one gains nothing"
kind = "gain"
value = 0
within = 0.02
variant = "one"
[[claim]]
id = "a.order"
text = "new is better"
kind = "order"
order = ["one", "old", "new"]
"""

FIGURE_10 = """title = "Lanes"
paper = "Author, Title"
figure = "Figure 10"
machine = "storage"
workloads = ["bfs", "scan"]
[metric]
name = "sm.idle_cycles / sm.active_cycles"
[chart]
kind = "stacked"
y = "share of cycles"
[[part]]
name = "idle"
metric = "sm.idle_cycles / sm.active_cycles"
[[part]]
name = "busy"
metric = "1 - sm.idle_cycles / sm.active_cycles"
[[variant]]
name = "old"
[[claim]]
id = "a.share"
text = "bfs is idle"
kind = "share"
value = 0.9
variant = "old"
workload = "bfs"
"""

TABLE_2 = """title = "Classes"
paper = "Author, Title"
figure = "Table 2"
machine = "storage"
workloads = ["bfs", "scan"]
[metric]
name = "ipc"
[[variant]]
name = "old"
[[claim]]
id = "a.classes"
text = "classes of IPC"
kind = "classes"
variant = "old"
bounds = [10]
names = ["low", "high"]
[claim.expected]
bfs = "low"
scan = "high"
"""

SEEDS = """title = "Seeds"
paper = "Author, Title"
figure = "Table 3"
machine = "storage"
workloads = ["bfs"]
[metric]
name = "ipc"
normalise_to = "old"
[[variant]]
name = "old"
[[variant]]
name = "new"
[[claim]]
id = "s.gain"
text = "new gains"
kind = "gain"
value = 0.1
variant = "new"
[[claim]]
id = "s.order"
text = "new is better"
kind = "order"
order = ["old", "new"]
[[claim]]
id = "s.alone"
text = "new gains in one reading"
kind = "gain"
value = 0.1
variant = "new"
[[claim.reading]]
text = "the arithmetic mean"
mean = "arithmetic"
[[claim]]
id = "s.else"
text = "new gains much"
kind = "gain"
value = 0.4
variant = "new"
[[claim.reading]]
text = "the arithmetic mean"
mean = "arithmetic"
"""

# An experiment of no paper, without results.
OWN = """title = "Not run yet"
machine = "storage"
workloads = ["bfs"]
[metric]
name = "cycles"
[[variant]]
name = "old"
[[claim]]
id = "own.figure"
text = "seven cycles"
kind = "figure"
value = 7
variant = "old"
"""

# An experiment without claims, which is on no page.
QUIET = OWN[:OWN.index("[[claim]]")]


# The following functions make parts of experiments' results, as 'heddle experiment' writes them.


def verdict(name, measured, sign=None, order=None, classes=None, magnitude=None, **more):
    judged = [part for part in (sign, order, classes, magnitude) if part is not None]
    return {"id": name, "measured": measured, "sign": sign, "order": order, "classes": classes,
            "magnitude": magnitude, "holds": bool(judged) and all(judged), **more}


def row(label, values, **more):
    return {"label": label, "workload": label, "size": "small", "registers": "compiled",
            "values": values, **more}


def seeds(key, *values_and_holds, **more):
    return [{"seed": i + 1, "holds": holds, key: value, **more}
            for i, (value, holds) in enumerate(values_and_holds)]


def reading(measured, holds):
    return {"text": "the arithmetic mean", "kind": "gain", "measured": measured, "sign": True,
            "order": None, "classes": None, "magnitude": holds, "holds": holds}


RESULTS = {
    "study-table-3": {
        "seeds": 3,
        "suite": {"missing": [{"program": "SRAD (v2)"}, {"program": "LIBOR"}]},
        "rows": [row("bfs", {"old": 1.0, "new": 1.06})],
        "means": [{"name": "geometric mean", "group": "", "values": {"old": 1.0, "new": 1.06},
                   "least": {"old": 1.0, "new": 1.04}, "most": {"old": 1.0, "new": 1.08}}],
        "claims": [verdict("s.gain", 0.06, sign=True, magnitude=True, distance=-0.04,
                           seeds=seeds("measured", (0.04, False), (0.08, True), (0.06, True)))
                   | {"holds": False},
                   verdict("s.order", [1.0, 1.06], order=True, distance=0.06,
                           seeds=seeds("distance", (0.04, True), (0.08, True), measured=[])),
                   verdict("s.alone", 0.06, sign=True, magnitude=True, distance=-0.04,
                           readings=[reading(0.03, False)]),
                   verdict("s.else", 0.06, sign=True, magnitude=False, distance=-0.34,
                           readings=[reading(0.3, True)])],
    },
    "study-figure-9": {
        "rows": [row("bfs", {"old": 1.0, "new": 1.25, "one": 1.25, "two": 1.0}),
                 row("scan", {"old": 1.0, "new": None, "one": 0.5, "two": None})],
        "means": [{"name": "geometric mean", "group": "",
                   "values": {"old": 1.0, "new": 1.034, "one": 0.79, "two": None}}],
        "claims": [verdict("a.gain", 0.034, sign=True, magnitude=False, distance=-0.066),
                   verdict("a.none", None),
                   verdict("a.order", [0.79, 1.0, 0.98], order=False, distance=-0.02)],
    },
    "study-figure-10": {
        "rows": [row("bfs", {"old": 0.75}, parts={"old": {"idle": 0.75, "busy": 0.25}}),
                 row("scan", {"old": 0.0}, parts={"old": {"idle": 0.0, "busy": 1.0}})],
        "means": [{"name": "arithmetic mean", "group": "", "values": {"old": 0.375},
                   "parts": {"old": {"idle": 0.375, "busy": 0.625}}}],
        "claims": [verdict("a.share", 0.75, magnitude=True, distance=-0.15)],
    },
    "study-table-2": {
        "rows": [row("bfs", {"old": 3.25}, registers="20"),
                 row("scan", {"old": 9.5}, workload="scan+bfs+dxtc:paper:registers=32")],
        "means": [{"name": "arithmetic mean", "group": "", "values": {"old": 6.375}}],
        "claims": [verdict("a.classes", {"bfs": {"class": "low", "value": 3.25},
                                         "scan": {"class": "low", "value": 9.5}},
                           classes=False, distance=0.5, reported={"bfs": "low", "scan": "high"})],
    },
}


class Pages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as name:
            cls.folder = pathlib.Path(name)
            for path, text in (("study/figure-9.toml", FIGURE_9),
                               ("study/figure-10.toml", FIGURE_10),
                               ("study/figure-10.md", "Why bfs is *idle*, [here](../../docs/energy.md#a) and "
                                                      "[there](../../../docs/costs.md).\n\n"
                                                      "## Explanation\n\nMany lanes.\n"),
                               ("study/table-2.toml", TABLE_2), ("study/table-3.toml", SEEDS),
                               ("a-mine.toml", OWN),
                               ("quiet.toml", QUIET)):
                file = cls.folder / "experiments" / path
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text)
            (cls.folder / "results").mkdir()
            for name, result in RESULTS.items():
                (cls.folder / f"results/{name}.json").write_text(json.dumps(result))
            cls.pages = cls.write()
            cls.printed = cls.run_script("--size", "tiny")
            # Without results, only the pages that --only keeps have figures.
            for result in (cls.folder / "results").iterdir():
                result.unlink()
            cls.kept = cls.write("--only", "nothing")
            cls.forgotten = cls.write("--only", "study")

    @classmethod
    def run_script(cls, *more):
        done = subprocess.run([ROOT / "tools/pages/reproduction.py", "--write-only", "--experiments",
                               cls.folder / "experiments", "--results", cls.folder / "results",
                               "--output", cls.folder / "pages.md", *more],
                              check=True, stdout=subprocess.PIPE, text=True)
        return done.stdout

    @classmethod
    def write(cls, *more):
        """The text of each page by its name, in the order of the index."""
        cls.run_script(*more)
        names = ["pages.md", "pages/author-title.md",
                 *(f"pages/author-title/{name}.md"
                   for name in ("figure-9", "figure-10", "table-2", "table-3")),
                 "pages/studies.md", "pages/studies/a-mine.md"]
        written = [cls.folder / "pages.md", *(cls.folder / "pages").rglob("*.md")]
        assert sorted(written) == sorted(cls.folder / name for name in names), written
        return {name: (cls.folder / name).read_text() for name in names}

    def test_an_experiment_has_a_page_with_command_table_and_verdicts(self):
        self.assertEqual(self.pages["pages/author-title/figure-9.md"], """\
# Figure 9: Two policies

This page compares claims of a paper with Heddle's results. **0 of 3 claims hold.**
[How claims are judged](../../reproduction.md#how-claims-are-judged) explains the table of claims.

Source and further experiments: [Author, Title](../author-title.md).

Command: `heddle experiment study/figure-9`. Machine: `storage` with `l1.bytes=32K`. Input size: small. \
Description: [descriptions/experiments/study/figure-9.toml]\
(../../../descriptions/experiments/study/figure-9.toml).

## Results

| variant | what differs from the machine |
| --- | --- |
| old | nothing |
| new | for each workload the best of `one` and `two` |

Each row of the next table is a workload; the last row is the mean of all.
Each column is a variant of the machine. A cell is the IPC relative to old (IPC divided by that in column `old`).

| workload | old | new |
| --- | --- | --- |
| bfs | 1.000 | 1.250 |
| scan | 1.000 | - |
| geometric mean | 1.000 | 1.034 |

## Claims

| claim | statement | reported | measured | distance | verdict |
| --- | --- | --- | --- | --- | --- |
| `a.gain` | new gains \\| 10 % | +10.0 % | +3.4 % | -6.6 points | \
sign holds, magnitude **does not** |
| `a.none` | one gains nothing | 0 %, within 2.0 % | - | - | not measured |
| `a.order` | new is better | one < old < new | 0.790 < 1.000 > 0.980 | -2.0 % | **does not hold** |
""")

    def test_stacks_are_shown_by_parts_between_introduction_and_explanation(self):
        page = self.pages["pages/author-title/figure-10.md"]
        self.assertIn("""
Why bfs is *idle*, [here](../../energy.md#a) and [there](../../costs.md).

Command: `heddle experiment study/figure-10`.""", page)
        self.assertIn("""
Each row of the next table is a workload; the last row is the mean of all. Each column is a part.
A cell is the part's share of cycles, in per cent.

| workload | idle | busy |
| --- | --- | --- |
| bfs | 75.0 % | 25.0 % |
| scan | 0 % | 100.0 % |
| arithmetic mean | 37.5 % | 62.5 % |

## Claims

| claim | statement | reported | measured | distance | verdict |
| --- | --- | --- | --- | --- | --- |
| `a.share` | bfs is idle | 90.0 % | 75.0 % | -15.0 points | holds |

## Explanation

Many lanes.
""", page)

    def test_parts_that_are_numbers_are_not_shown_in_per_cent(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "experiments/study").mkdir(parents=True)
            (folder / "results").mkdir()
            (folder / "experiments/study/figure-10.toml").write_text(
                FIGURE_10.replace("share of cycles", "instructions per switch"))
            (folder / "results/study-figure-10.json").write_text(json.dumps(RESULTS["study-figure-10"]))
            subprocess.run([ROOT / "tools/pages/reproduction.py", "--write-only", "--experiments",
                            folder / "experiments", "--results", folder / "results", "--output",
                            folder / "pages.md"], check=True, stdout=subprocess.DEVNULL)
            page = (folder / "pages/author-title/figure-10.md").read_text()
        self.assertIn("A cell is the part's instructions per switch.\n", page)
        self.assertIn("| bfs | 0.75 | 0.25 |", page)

    def test_classes_are_shown_by_program(self):
        page = self.pages["pages/author-title/table-2.md"]
        self.assertIn("""
- `a.classes`, about variant `old`: "low" below 10, "high" from 10.

| workload | `ipc` | class in Heddle | class in the paper |
| --- | --- | --- | --- |
| bfs | 3.25 | low | low |
| scan | 9.5 | low | high |
""", page)
        self.assertIn("| the classes of 2 programs | 1 of 2 agree, not scan | 50 % | **does not hold** |",
                      page)

    def test_registers_that_replace_those_of_the_compiled_code_are_shown(self):
        self.assertIn("Input size: small. Registers per thread that decide how many blocks are resident: bfs 20 and "
                      "dxtc 32; others as compiled. Description: [",
                      self.pages["pages/author-title/table-2.md"])

    def test_seeds_are_shown_as_ranges_and_where_verdicts_differ(self):
        page = self.pages["pages/author-title/table-3.md"]
        self.assertIn("Input size: small, 3 seeds. Programs of the paper without a workload: SRAD (v2) and "
                      "LIBOR. Description: [", page)
        self.assertIn("| bfs | 1.000 | 1.060 |\n| geometric mean | 1.000 | 1.060 (1.040 to 1.080) |",
                      page)
        self.assertIn("| +6.0 % (+4.0 % to +8.0 %) | -4.0 points | **holds for 2 of 3 seeds** |", page)
        self.assertIn("| 1.000 < 1.060 | +6.0 % (+4.0 % to +8.0 %) | holds |", page)

    def test_other_readings_follow_the_verdict(self):
        page = self.pages["pages/author-title/table-3.md"]
        self.assertIn("| holds, **in this reading only**; would fail with the arithmetic mean "
                      "(+3.0 %) |", page)
        self.assertIn("| sign holds, magnitude **does not**; would hold with the arithmetic mean "
                      "(+30.0 %) |", page)

    def test_experiments_that_have_not_run_say_so(self):
        page = self.pages["pages/studies/a-mine.md"]
        self.assertIn("| `own.figure` | seven cycles | 7 | - | - | not run |", page)
        self.assertNotIn("| workload |", page)

    def test_every_page_has_its_heading(self):
        headings = [page.splitlines()[0].removeprefix("# ") for page in self.pages.values()]
        self.assertEqual(headings[1:], ["Author, Title", "Figure 9: Two policies", "Figure 10: Lanes",
                                        "Table 2: Classes", "Table 3: Seeds", "Studies of our own",
                                        "Not run yet"])

    def test_page_of_a_paper_counts_claims_and_links_to_experiments_in_order(self):
        page = self.pages["pages/author-title.md"]
        self.assertIn("**3 of 9 claims hold.**", page)
        self.assertIn("""
| experiment | claims | hold | in doubt |
| --- | --- | --- | --- |
| [Figure 9: Two policies](author-title/figure-9.md) | 3 | 0 | 0 |
| [Figure 10: Lanes](author-title/figure-10.md) | 1 | 1 | 0 |
| [Table 2: Classes](author-title/table-2.md) | 1 | 0 | 0 |
| [Table 3: Seeds](author-title/table-3.md) | 4 | 2 | 2 |
""", page)

    def test_index_counts_claims_by_paper(self):
        self.assertIn("**3 of 10 claims hold.** 2 claims are in doubt", self.pages["pages.md"])
        self.assertIn("""
| page | paper | claims | hold | in doubt |
| --- | --- | --- | --- | --- |
| [author-title](pages/author-title.md) | Author, Title | 9 | 3 | 2 |
| [studies](pages/studies.md) | Studies of our own | 1 | 0 | 0 |
| all |  | 10 | 3 | 2 |
""", self.pages["pages.md"])

    def test_index_has_a_row_for_every_experiment(self):
        self.assertIn("""
| paper | figure | experiment | claims that hold | in doubt |
| --- | --- | --- | --- | --- |
| author-title | Figure 9 | [Two policies](pages/author-title/figure-9.md) | 0 of 3 | 0 |
| author-title | Figure 10 | [Lanes](pages/author-title/figure-10.md) | 1 of 1 | 0 |
| author-title | Table 2 | [Classes](pages/author-title/table-2.md) | 0 of 1 | 0 |
| author-title | Table 3 | [Seeds](pages/author-title/table-3.md) | 2 of 4 | 2 |
| studies | - | [Not run yet](pages/studies/a-mine.md) | 0 of 1 | 0 |
""", self.pages["pages.md"])

    def test_only_keeps_the_pages_of_other_experiments(self):
        self.assertEqual(self.kept, self.pages)
        lanes = self.forgotten["pages/author-title/figure-10.md"]
        self.assertIn("Why bfs is *idle*,", lanes)
        self.assertIn("| not run |", lanes)
        self.assertIn("| [Figure 10: Lanes](author-title/figure-10.md) | 1 | 0 | 0 |",
                      self.forgotten["pages/author-title.md"])
        self.assertIn("| all |  | 10 | 0 | 0 |", self.forgotten["pages.md"])
        for name in ("pages/studies.md", "pages/studies/a-mine.md"):
            self.assertEqual(self.forgotten[name], self.pages[name])

    def test_size_prints_the_pages(self):
        self.assertEqual(self.printed, "\n".join(self.pages.values()))


# A program that writes its arguments to the file 'calls' beside it, and ends with the code in 'code'.
RECORDER = """#!/bin/sh
folder=$(dirname "$0")
echo "$@" >>"$folder/calls"
[ "$1" = report ] || exit $(cat "$folder/code")
"""


class Runs(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name).resolve()
        for path, text in (("study/figure-9.toml", FIGURE_9), ("study/figure-10.toml", FIGURE_10),
                           ("a-mine.toml", OWN), ("quiet.toml", QUIET)):
            file = self.folder / "experiments" / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        (self.folder / "heddle").write_text(RECORDER)
        (self.folder / "heddle").chmod(0o755)

    def run_script(self, *more, code=0):
        (self.folder / "code").write_text(str(code))
        return subprocess.run([ROOT / "tools/pages/reproduction.py", "--heddle", self.folder / "heddle",
                               "--experiments", self.folder / "experiments", "--results",
                               self.folder / "results", "--output", self.folder / "pages.md", *more],
                              capture_output=True, text=True)

    def calls(self):
        return (self.folder / "calls").read_text().splitlines()

    def test_one_call_has_all_experiments_with_claims(self):
        self.assertEqual(self.run_script("--only", "study", "a-mine", "quiet", "--jobs", "2").returncode, 0)
        results = self.folder / "results"
        self.assertEqual(self.calls(), [
            f"experiment study/figure-9 study/figure-10 a-mine -o {results} --jobs 2 --seeds 3",
            f"report {results} -o {results}/report.html"])

    def test_failed_runs_fail_the_script_after_it_wrote_the_pages(self):
        done = self.run_script("--only", "study", "a-mine", code=1)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertTrue((self.folder / "pages.md").exists(), done.stderr)

    def test_a_mistake_ends_the_script_with_its_code(self):
        self.assertEqual(self.run_script("--only", "study", code=2).returncode, 2)
        self.assertFalse((self.folder / "pages.md").exists())

    def test_rejects_a_name_without_experiments(self):
        done = self.run_script("--only", "nothing", "quiet")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr, "no experiment with claims is named nothing or quiet\n")
        self.assertFalse((self.folder / "calls").exists())


class CommittedPages(unittest.TestCase):
    """docs/reproduction.md and docs/reproduction/, compared with descriptions/experiments/."""

    @classmethod
    def setUpClass(cls):
        cls.index = (ROOT / "docs/reproduction.md").read_text()
        folder = ROOT / "docs/reproduction"
        cls.pages = {path.relative_to(folder).as_posix(): path.read_text() for path in folder.rglob("*.md")}
        cls.text = "\n".join(cls.pages.values())
        cls.experiments = {path: tomllib.loads(path.read_text())
                           for path in sorted((ROOT / "descriptions/experiments").rglob("*.toml"))}

    def test_index_links_to_every_page(self):
        linked = set(re.findall(r"\]\(reproduction/([^)#]+)\)", self.index))
        self.assertEqual(linked, set(self.pages))

    def test_every_experiment_is_in_the_index(self):
        for path, described in self.experiments.items():
            if "claim" in described:
                with self.subTest(path.name):
                    self.assertTrue(f"| [{described['title']}](reproduction/" in self.index,
                                    "run ./dev reproduce")

    def test_every_claim_is_on_a_page(self):
        claims = [claim for described in self.experiments.values()
                  for claim in described.get("claim", [])]
        self.assertTrue(claims)
        for claim in claims:
            with self.subTest(claim["id"]):
                self.assertTrue(f"| `{claim['id']}` | {claim['text']} | " in self.text,
                                "run ./dev reproduce")

    def test_claims_have_unique_ids(self):
        names = [claim["id"] for described in self.experiments.values()
                 for claim in described.get("claim", [])]
        self.assertEqual(sorted(names), sorted(set(names)))

    def test_text_beside_every_experiment_is_on_a_page(self):
        texts = sorted((ROOT / "descriptions/experiments").rglob("*.md"))
        self.assertTrue(texts)
        for path in texts:
            with self.subTest(path.name):
                self.assertIn("claim", self.experiments.get(path.with_suffix(".toml"), {}))
                text = re.sub(r"\]\((\.\./)+docs/", "](../../", path.read_text())
                for part in text.split("\n## Explanation\n"):
                    self.assertTrue(part.strip() in self.text, "run ./dev reproduce")


if __name__ == "__main__":
    ROOT = pathlib.Path(sys.argv.pop()).resolve()
    unittest.main()
