#!/usr/bin/env python3
"""Tests the page of `heddle report`: its content, and that it is self-contained."""

import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

from report_pages import EVIL, Page, write_results

HEDDLE = None


def report(*arguments):
    return subprocess.run([HEDDLE, "report", *map(str, arguments)], capture_output=True, text=True,
                          timeout=60)


def luminance(colour):
    channels = [int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a, b):
    """The contrast ratio of WCAG 2."""
    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


class Report(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.results = write_results(HEDDLE, cls.folder)
        cls.file = cls.folder / "report.html"
        cls.completed = report(cls.results, "-o", cls.file)
        cls.text = cls.file.read_text()
        cls.page = Page(cls.text)
        cls.studies = {path.stem: json.loads(path.read_text())
                       for path in cls.results.glob("*.json")}

    def test_prints_the_number_of_experiments_and_claims(self):
        self.assertEqual(self.completed.returncode, 0, self.completed.stderr)
        self.assertIn("report.html: 3 experiments, 0 of 2 claims hold", self.completed.stdout)

    def test_page_is_reproducible_and_can_go_to_standard_output(self):
        self.assertEqual(report(self.results, "-o", "-").stdout, self.text)

    def test_studies_are_in_the_order_of_their_numbers(self):
        titles = re.findall(r"<h2 id=\"study[^>]*>([^<]*)", self.text)
        self.assertEqual([title.split()[0] for title in titles], ["Bars", "Stacks", "Lines"])

    def test_page_needs_no_network_and_no_script(self):
        for tag, attributes in self.page.elements:
            self.assertNotIn(tag, ("script", "iframe", "object", "embed", "img", "base", "form"))
            for name, value in attributes.items():
                self.assertFalse(name.startswith("on"), f"{tag} {name}")
                if name in ("href", "src", "xlink:href", "action"):
                    self.assertRegex(value, r"^(#|data:)")
                for place in re.findall(r"url\(([^)]*)\)", value or ""):
                    self.assertRegex(place, r"^#")
        self.assertNotIn("://", self.text)
        self.assertNotIn("@import", self.page.style)
        self.assertNotIn("url(", self.page.style)

    def test_title_is_escaped(self):
        self.assertIn(EVIL, self.page.text())
        self.assertNotIn("<script", self.text)

    def test_page_has_every_value(self):
        words = self.page.text()
        for study in self.studies.values():
            shown = [v["name"] for v in study["variants"] if not v["hidden"]]
            for row in study["rows"] + study["means"]:
                for name in shown:
                    self.assertIn(f"{row['values'][name]:.3f}", words)
                    for value in row.get("parts", {}).get(name, {}).values():
                        self.assertIn(f"{value:.4g}", words)
            for name, value in study["parameters"].items():
                self.assertIn(name, words)
            self.assertIn(study["command"], words)
            self.assertIn(study["simulated_at"], words)
        for claim in self.studies["figure-9"]["claims"]:
            self.assertIn(claim["id"], words)
            self.assertIn(claim["text"], words)
        self.assertIn("scan: less", words)
        self.assertIn("+4000.0 %", words)

    def test_hidden_variants_are_only_in_the_settings(self):
        self.assertIn("schedule.active_warps=4", self.page.text())
        headings = re.findall(r"<th scope=\"col\" class=\"figure\">([^<]*)", self.text)
        self.assertNotIn("few &amp; far", headings)
        self.assertIn("best", headings)

    def test_charts_have_a_description_and_a_tooltip_for_each_value(self):
        charts = self.page.elements_with("svg", role="img")
        self.assertEqual(len(charts), 3)
        for chart in charts:
            self.assertTrue(chart["aria-label"])
        self.assertEqual(len(self.page.elements_with("figure")), 3)
        self.assertEqual(len(self.page.elements_with("figcaption")), 3)
        # The bars and the lines each show 3 variants in 2 rows and a mean. The stacks have two
        # parts each. The page's own title is not counted.
        titles = [tag for tag, _ in self.page.elements].count("title") - 1
        self.assertEqual(titles, 9 + 9 + 18)

    def test_headings_are_in_order_and_links_have_targets(self):
        levels = [int(tag[1]) for tag, _ in self.page.elements if re.fullmatch("h[1-6]", tag)]
        self.assertEqual(levels[0], 1)
        self.assertEqual(levels.count(1), 1)
        for before, after in zip(levels, levels[1:]):
            self.assertLessEqual(after, before + 1)
        self.assertEqual(len(self.page.ids), len(set(self.page.ids)))
        for link in self.page.elements_with("a"):
            self.assertIn(link["href"][1:], self.page.ids)
        for tag, attributes in self.page.elements:
            for fill in re.findall(r"url\(#([^)]*)\)", attributes.get("fill") or ""):
                self.assertIn(fill, self.page.ids)
            if "aria-labelledby" in attributes:
                self.assertIn(attributes["aria-labelledby"], self.page.ids)

    def test_colours_have_enough_contrast_in_light_and_dark_mode(self):
        light, dark = re.findall(r":root \{(.*?)\}", self.page.style, re.S)
        for style in (light, dark):
            colours = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", style))
            self.assertEqual(sum(name.startswith("colour-") for name in colours), 8)
            for name, value in colours.items():
                if name.startswith("colour-") or name == "base":
                    self.assertGreaterEqual(contrast(value, colours["page"]), 3, name)
            for ink, ground in (("ink", "page"), ("quiet", "page"), ("link", "page"),
                                ("good", "good-ground"), ("bad", "bad-ground"),
                                ("bad", "page"), ("quiet", "open-ground"), ("quiet", "raised")):
                self.assertGreaterEqual(contrast(colours[ink], colours[ground]), 4.5, ink)

    def test_rejects_files_that_are_not_results(self):
        def fails(name, text, *parts):
            folder = self.folder / "broken"
            folder.mkdir(exist_ok=True)
            (folder / name).write_text(text)
            result = report(folder, "-o", self.folder / "no.html")
            (folder / name).unlink()
            self.assertEqual(result.returncode, 2, result.stdout)
            for part in (name, *parts):
                self.assertIn(part, result.stderr)
            self.assertFalse((self.folder / "no.html").exists())

        fails("a.json", "{", "not an experiment's result")
        fails("b.json", "[]", "not an experiment's result")
        fails("c.json", '{"schema": "heddle-run-3"}', "heddle-run-3")
        whole = json.dumps(self.studies["figure-10"])
        fails("d.json", whole[:len(whole) // 2], "not an experiment's result")
        self.assertEqual(report(self.folder / "none").returncode, 2)
        empty = self.folder / "empty"
        empty.mkdir()
        result = report(empty)
        self.assertEqual(result.returncode, 2)
        self.assertIn("heddle experiment NAME -o", result.stderr)
        self.assertEqual(report(self.results, "-o", "/dev/null/such.html").returncode, 2)

    def test_odd_values_of_keys_are_shown_or_rejected(self):
        folder = self.folder / "odd"
        folder.mkdir()
        study = self.studies["figure-10"]
        places = [(study, key) for key in study]
        places += [(study["rows"][0], key) for key in study["rows"][0]]
        places += [(study["variants"][0], key) for key in study["variants"][0]]
        pages = 0
        for holder, key in places:
            before = holder[key]
            for odd in (None, -1e308, "", [], {}):
                holder[key] = odd
                (folder / "odd.json").write_text(json.dumps(study))
                result = report(folder, "-o", "-")
                self.assertIn(result.returncode, (0, 2), f"{key} {odd}: {result.stderr}")
                if result.returncode == 0:
                    Page(result.stdout)
                    pages += 1
            holder[key] = before
        self.assertGreater(pages, 20)


if __name__ == "__main__":
    HEDDLE = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
