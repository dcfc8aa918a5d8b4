"""Experiments and a page parser for the tests of reports."""

import html.parser
import pathlib
import subprocess

HEAD = """title = "{title}"
paper = "Author & Co., \\"A paper\\""
figure = "Figure 7"
machine = "storage"
size = "tiny"
workloads = ["bfs", "scan"]
[metric]
name = "ipc"
normalise_to = "rr"
[[variant]]
name = "rr"
set = ["schedule.policy=round-robin"]
[[variant]]
name = "gto"
set = ["schedule.policy=greedy-oldest"]
[[variant]]
name = "few & far"
set = ["schedule.active_warps=4"]
hidden = true
[[variant]]
name = "best"
best_of = ["gto", "few & far"]
"""

CLAIMS = """[[claim]]
id = "huge"
text = "a gain, that is <i>not</i> there"
kind = "gain"
value = 40.0
variant = "gto"
[[claim]]
id = "idle"
text = "how idle it is"
kind = "classes"
metric = "sm.idle_cycles / sm.active_cycles"
variant = "rr"
bounds = [2]
names = ["less", "more"]
expected = { bfs = "less", scan = "more" }
"""

STACKED = """[chart]
kind = "stacked"
y = "share of cycles"
[[part]]
name = "idle"
metric = "sm.idle_cycles / sm.active_cycles"
[[part]]
name = "busy"
metric = "1 - sm.idle_cycles / sm.active_cycles"
"""

LINES = """[chart]
kind = "lines"
x = "warps that are active"
"""

# A title that would run a script if it was not escaped.
EVIL = "Bars </title><script>alert(1)</script>"


def write_results(heddle, folder):
    """Runs three small experiments, one for each kind of chart. Returns the folder of the results."""
    folder = pathlib.Path(folder)
    studies = {"figure-10": HEAD.format(title="Stacks") + STACKED,
               "figure-9": HEAD.format(title=EVIL) + CLAIMS,
               "lines": HEAD.format(title="Lines") + LINES}
    for name, text in studies.items():
        path = folder / f"{name}.toml"
        path.write_text(text)
        subprocess.run([heddle, "experiment", path, "--store", folder / "store.sqlite", "-o",
                        folder / "out"], check=True, stdout=subprocess.DEVNULL, timeout=300)
    return folder / "out"


class Page(html.parser.HTMLParser):
    """The elements and texts of a page. Raises AssertionError if its elements are not well-formed."""

    WITHOUT_END_TAG = {"meta", "link", "br"}

    def __init__(self, text):
        super().__init__()
        self.open, self.elements, self.texts, self.ids, self.style = [], [], [], [], ""
        self.feed(text)
        self.close()
        assert not self.open, f"not closed: {self.open}"

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), f"<{tag}> has an attribute twice: {names}"
        if "id" in names:
            self.ids.append(dict(attrs)["id"])
        if tag not in self.WITHOUT_END_TAG:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in self.WITHOUT_END_TAG:
            self.open.pop()

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, f"</{tag}> within {self.open}"
        self.open.pop()

    def handle_data(self, data):
        if self.open and self.open[-1] == "style":
            self.style += data
        else:
            self.texts.append(data)

    def text(self):
        """The texts of all elements except styles."""
        return "\n".join(self.texts)

    def elements_with(self, tag, **wanted):
        """The attributes of each element with this tag and the wanted attributes."""
        return [attributes for name, attributes in self.elements if name == tag and
                all(attributes.get(key) == value for key, value in wanted.items())]
