#!/usr/bin/env python3
"""A report as a browser shows it: in light and in dark, on a phone and on paper."""

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

# The page tells what was laid out to the page around it, which has it in its text.
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
  const told = document.createElement("pre");
  told.textContent = event.data;
  document.body.append(told);
}})</script>"""


class Browser(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.file = cls.folder / "report.html"
        subprocess.run([HEDDLE, "report", write_results(HEDDLE, cls.folder), "-o", cls.file],
                       check=True, stdout=subprocess.DEVNULL)
        text = cls.file.read_text()
        # Only the probe needs what the page's policy forbids.
        probed, policies = re.subn(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", text)
        assert policies == 1
        (cls.folder / "probed.html").write_text(probed.replace("</body>", PROBE + "</body>"))

    def browse(self, *options, file=None):
        result = subprocess.run(
            [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
             "--disable-dev-shm-usage", "--no-first-run",
             "--enable-logging=stderr",
             f"--user-data-dir={self.folder / 'profile'}", *options,
             (file or self.file).as_uri()],
            capture_output=True, text=True, timeout=120)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result

    def look(self, width, *options):
        frame = self.folder / "frame.html"
        frame.write_text(FRAME.format(width=width))
        shown = self.browse("--virtual-time-budget=5000", "--dump-dom", *options,
                            file=frame).stdout
        told = re.search(r"<pre>(\{.*\})</pre>", shown)
        self.assertTrue(told, shown)
        return json.loads(told.group(1))

    def test_nothing_is_wider_than_the_page(self):
        for width in (320, 390, 768, 1280):
            seen = self.look(width)
            self.assertEqual(seen["width"], width)
            self.assertLessEqual(seen["scroll"], width)
            for kind, own, content, room, overflow in seen["boxes"]:
                self.assertTrue(content <= room or overflow == "auto", (width, kind))

    def test_charts_shrink_no_further_than_they_can_be_read(self):
        charts = [box for box in self.look(390)["boxes"] if box[0] == "svg"]
        self.assertEqual(len(charts), 3)
        for _, own, content, room, _ in charts:
            self.assertGreater(own, 300)
            self.assertGreaterEqual(content, own - 1)

    def test_bars_parts_and_lines_are_seen(self):
        # 9 bars with 3 samples of them in the legend, 18 parts with 2.
        self.assertGreaterEqual(self.look(1280)["bars"], 9 + 3 + 18 + 2)

    def test_it_is_light_or_dark_as_is_asked_for(self):
        light = self.look(1280)
        dark = self.look(1280, "--blink-settings=preferredColorScheme=0")
        self.assertEqual(light["ground"], "rgb(255, 255, 255)")
        self.assertNotEqual(light["ground"], dark["ground"])
        brightness = {name: sum(map(int, re.findall(r"\d+", dark[name])[:3]))
                      for name in ("ground", "ink")}
        self.assertLess(brightness["ground"], 150)
        self.assertGreater(brightness["ink"], 600)

    def test_the_console_stays_empty(self):
        broken = self.folder / "broken.html"
        broken.write_text("<script>console.log('told')</script>")
        self.assertIn("CONSOLE", self.browse("--dump-dom", file=broken).stderr)
        for options in ((), ("--blink-settings=preferredColorScheme=0",)):
            told = self.browse("--virtual-time-budget=2000", "--dump-dom", *options).stderr
            self.assertNotIn("CONSOLE", told)

    def test_paper_has_what_is_folded_on_the_screen(self):
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

    def test_a_picture_can_be_taken(self):
        out = self.folder / "page.png"
        self.browse(f"--screenshot={out}", "--window-size=1200,2000")
        self.assertGreater(out.stat().st_size, 20000)


if __name__ == "__main__":
    if BROWSER is None:
        print("skipped: there is no Chromium here")
        sys.exit(SKIPPED)
    HEDDLE = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
