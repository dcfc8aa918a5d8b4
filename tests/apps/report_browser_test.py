#!/usr/bin/env python3
"""Tests a report in a browser: light and dark colours, narrow pages, and print."""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from report_pages import write_results

HEDDLE = None
BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))),
               None)
SKIPPED = 77

# A script in the report sends the layout to the surrounding page, which shows it as text. Each of
# `boxes` is a chart or table: its tag and width, and of its scrolling frame the width of the
# content, the visible width and the value of overflow-x.
PROBE = """<script>addEventListener("load", () => {
  const root = document.documentElement;
  const style = getComputedStyle(document.body);
  const boxes = [...document.querySelectorAll("svg.chart, table")].map(one => {
    const frame = one.closest(".scrolling");
    return [one.tagName, one.getBoundingClientRect().width, frame.scrollWidth, frame.clientWidth,
            getComputedStyle(frame).overflowX];
  });
  const bars = [...document.querySelectorAll("rect.bar, rect.part, path.line")]
      .filter(one => one.getBoundingClientRect().height > 0).length;
  parent.postMessage(JSON.stringify({width: root.clientWidth, scroll: root.scrollWidth,
      ground: style.backgroundColor, ink: style.color, boxes, bars}), "*");
})</script>"""
FRAME = """<!DOCTYPE html><body><iframe src="probed.html" style="width:{width}px;height:900px;
border:0"></iframe><script>addEventListener("message", event => {{
  const layout = document.createElement("pre");
  layout.textContent = event.data;
  document.body.append(layout);
}})</script>"""


class Browser(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.file = cls.folder / "report.html"
        cls.layouts = {}  # By width and options.
        subprocess.run([HEDDLE, "report", write_results(HEDDLE, cls.folder), "-o", cls.file],
                       check=True, stdout=subprocess.DEVNULL)
        text = cls.file.read_text()
        # The page's security policy would forbid the script.
        probed, policies = re.subn(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", text)
        assert policies == 1
        (cls.folder / "probed.html").write_text(probed.replace("</body>", PROBE + "</body>"))

    def browse(self, *options, file=None):
        result = subprocess.run(
            [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
             "--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking",
             "--disable-component-update", "--disable-extensions", "--disable-sync",
             "--enable-logging=stderr",
             f"--user-data-dir={self.folder / 'profile'}", *options,
             (file or self.file).as_uri()],
            capture_output=True, text=True, timeout=120)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result

    def look(self, width, *options):
        """The layout of the report in a frame of this width in pixels."""
        if (width, options) not in self.layouts:
            self.layouts[width, options] = self.measure(width, *options)
        return self.layouts[width, options]

    def measure(self, width, *options):
        frame = self.folder / "frame.html"
        frame.write_text(FRAME.format(width=width))
        shown = self.browse("--virtual-time-budget=5000", "--dump-dom", *options,
                            file=frame).stdout
        layout = re.search(r"<pre>(\{.*\})</pre>", shown)
        self.assertTrue(layout, shown)
        return json.loads(layout.group(1))

    def test_nothing_is_wider_than_the_page(self):
        for width in (320, 390, 768, 1280):
            seen = self.look(width)
            self.assertEqual(seen["width"], width)
            self.assertLessEqual(seen["scroll"], width)
            for kind, _, content, visible, overflow in seen["boxes"]:
                self.assertTrue(content <= visible or overflow == "auto", (width, kind))

    def test_charts_stay_readable_on_narrow_pages(self):
        charts = [box for box in self.look(390)["boxes"] if box[0] == "svg"]
        self.assertEqual(len(charts), 3)
        for _, width, content, _, _ in charts:
            self.assertGreater(width, 300)
            self.assertGreaterEqual(content, width - 1)

    def test_bars_parts_and_lines_are_visible(self):
        # 9 bars and 3 in the legend; 18 parts of stacks and 2 in the legend. Lines come on top of
        # these.
        self.assertGreaterEqual(self.look(1280)["bars"], 9 + 3 + 18 + 2)

    def test_colours_follow_the_preferred_scheme(self):
        light = self.look(1280)
        dark = self.look(1280, "--blink-settings=preferredColorScheme=0")
        self.assertEqual(light["ground"], "rgb(255, 255, 255)")
        self.assertNotEqual(light["ground"], dark["ground"])
        brightness = {name: sum(map(int, re.findall(r"\d+", dark[name])[:3]))
                      for name in ("ground", "ink")}
        self.assertLess(brightness["ground"], 150)
        self.assertGreater(brightness["ink"], 600)

    def test_console_stays_empty(self):
        broken = self.folder / "broken.html"
        broken.write_text("<script>console.log('message')</script>")
        self.assertIn("CONSOLE", self.browse("--dump-dom", file=broken).stderr)
        for options in ((), ("--blink-settings=preferredColorScheme=0",)):
            log = self.browse("--virtual-time-budget=2000", "--dump-dom", *options).stderr
            self.assertNotIn("CONSOLE", log)

    def test_print_includes_collapsed_details(self):
        def pages(file):
            out = self.folder / "page.pdf"
            self.browse(f"--print-to-pdf={out}", file=file)
            return len(re.findall(rb"/Type /Page\b", out.read_bytes()))

        text = self.file.read_text()
        opened = self.folder / "opened.html"
        opened.write_text(text.replace("<details>", "<details open>"))
        folded = self.folder / "folded.html"
        folded.write_text(text.replace("details::details-content", "details::no-such"))
        self.assertEqual(pages(self.file), pages(opened))
        self.assertGreater(pages(self.file), pages(folded))

    def test_screenshot_can_be_taken(self):
        out = self.folder / "page.png"
        self.browse(f"--screenshot={out}", "--window-size=1200,2000")
        self.assertGreater(out.stat().st_size, 20000)


if __name__ == "__main__":
    if BROWSER is None:
        print("skipped: Chromium is not installed")
        sys.exit(SKIPPED)
    HEDDLE = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
