"""The pages of the reproduction: an index, and a page for each paper with the tables, verdicts and
explanations of its experiments.
"""

import json
import re
import tomllib

from claim_words import (between, cells, depends_on_seed, distance, holds_only_as_read, judgement,
                         listed, measured, number, percent, reported)
from workload_table import table

HEAD = """\
# Which of the papers' claims hold

This index shows how many claims of each paper hold in Heddle, and links to the results of every
experiment.

"""

RULES = """\
`./dev reproduce` runs the experiments and writes this index and the pages that it links to, one page for
each paper. The explanations on those pages come from the files beside the experiments
(`descriptions/experiments/NAME.md`). The figures are simulated: they do not depend on the host machine.
A commit that changes a figure also updates these pages, so `git log docs/reproduction` gives the commit and
the date of each figure.

## How claims are judged

| part | when it holds |
| --- | --- |
| sign | A reported gain or saving is measured as a gain or saving, not as a loss. |
| magnitude | A gain, saving or figure lies between half and twice the reported value. A share lies within ten \
points of the reported share; near 0 or 100 %, within half of its distance from that end. |
| within | If the claim gives its own tolerance, this tolerance replaces the magnitude's. |
| order | Each variant is above the one before it, by any amount. |
| classes | Every program that the paper names is in its class. |

A claim holds if all parts that apply to its kind hold. [laboratory.md](laboratory.md#claims) defines the kinds.

- **Distance** is the measured value minus the reported value. It is in points for gains, savings and
  shares, and relative to the reported value for figures. For an order it is the smallest step upwards. For
  classes it is the share of programs in another class.
- **Seeds.** Every run is repeated with several inputs, each generated from its own seed. The tables show the
  mean over seeds and, in parentheses, the smallest and the largest value. A claim holds only if it holds on the
  mean and with every seed.
- **Readings.** A paper can allow more than one interpretation. Each other interpretation (*reading*) is
  judged too, but does not change the verdict.
- A claim is **in doubt** if its verdict depends on the seed, or if it holds in the main reading and in no
  other reading.

[sensitivity.md](sensitivity.md) shows how headline claims depend on parameters that the papers do not give.
"""

OWN = "Studies of our own"

# Names of the pages. The page of any other paper is named after the paper.
PAGES = {
    "Narasiman et al., Improving GPU Performance via Large Warps and Two-Level Warp Scheduling "
    "(TR-HPS-2010-006)": "large-warps",
    "Gebhart, dissertation on on-chip storage for throughput processors": "storage",
    "Xiang et al., Warp-Level Divergence in GPUs: Characterization, Impact, and Mitigation": "warpman",
    "Xiang, Toward Efficient SIMT Execution": "simt",
    OWN: "studies",
}


class Experiment:
    """An experiment's description and its result; no result if it has not been run."""

    def __init__(self, folder, path, results):
        self.name = path.relative_to(folder).with_suffix("").as_posix()
        self.path = path
        self.described = tomllib.loads(path.read_text())
        beside = path.with_suffix(".md")
        # Links in the text are relative to the experiment's folder; the page is in docs/reproduction.
        self.text = re.sub(r"\]\((?:\.\./)+docs/", "](../", beside.read_text().strip()) \
            if beside.exists() else ""
        found = results / file_of(self.name)
        self.result = json.loads(found.read_text()) if found.exists() else None

    @property
    def claims(self):
        return self.described.get("claim", [])

    def verdict(self, claim):
        """The claim's verdict; None if the result does not have the claim."""
        if not self.result:
            return None
        return next((v for v in self.result["claims"] if v["id"] == claim["id"]), None)

    def held(self):
        return sum(bool((self.verdict(claim) or {}).get("holds")) for claim in self.claims)

    def in_doubt(self):
        verdicts = [self.verdict(claim) for claim in self.claims]
        return sum(bool(v) and (depends_on_seed(v) or holds_only_as_read(v)) for v in verdicts)

    def shown(self):
        return [v["name"] for v in self.described["variant"] if not v.get("hidden")]

    @property
    def paper(self):
        return self.described.get("paper", OWN)

    @property
    def heading(self):
        figure = self.described.get("figure")
        return f"{figure}: {self.described['title']}" if figure else self.described["title"]


def file_of(name):
    return name.replace("/", "-") + ".json"


def figure_order(experiment):
    """Figure 9 comes before Figure 10, and figures come before tables."""
    figure = experiment.described.get("figure", "")
    word = figure.split(" ")[0]
    return word, [int(n) for n in re.findall(r"\d+", figure)], experiment.name


def read_experiments(folder, results):
    """The experiments with claims, by paper and figure. Papers are in the order of their first
    experiment's path; our own studies come last."""
    everything = [Experiment(folder, path, results) for path in sorted(folder.rglob("*.toml"))]
    everything = [experiment for experiment in everything if experiment.claims]
    papers = {}
    for experiment in everything:
        papers.setdefault(experiment.paper, []).append(experiment)
    papers[OWN] = papers.pop(OWN, [])
    return {paper: sorted(group, key=figure_order) for paper, group in papers.items() if group}


def text_of(experiment):
    """The function that formats the values of the experiment's table."""
    if "part" in experiment.described:  # The parts of a stack are shares.
        return lambda value: percent(value, signed=False)
    relative = "normalise_to" in experiment.described["metric"]
    return lambda value: number(value, relative)


def values_table(experiment):
    """The values by workload, and the means with their range over seeds. The HTML report has the
    ranges of all rows."""
    result, names, text = experiment.result, experiment.shown(), text_of(experiment)
    rows = [cells([row["label"], *(text(row["values"][name]) for name in names)])
            for row in result["rows"]]
    for mean in result["means"]:
        ends = [[mean[end][name] for end in ("least", "most")] if "least" in mean else []
                for name in names]
        rows.append(cells([mean["name"], *(text(mean["values"][name]) + between(seeds, text)
                                           for name, seeds in zip(names, ends))]))
    return table(cells(["workload", *names]), rows)


def parts_table(experiment):
    """The parts of each stack: a row for each workload if there is one variant, else a row for
    each variant's mean."""
    result, names = experiment.result, experiment.shown()
    parts = [part["name"] for part in experiment.described["part"]]
    if len(names) == 1:
        stacks = [(row.get("label") or row["name"], row["parts"][names[0]])
                  for row in result["rows"] + result["means"]]
    else:
        stacks = [(name, result["means"][-1]["parts"][name]) for name in names]
    rows = [cells([label, *(percent(stack[part], signed=False) for part in parts)])
            for label, stack in stacks]
    return table(cells(["workload" if len(names) == 1 else "mean of all", *parts]), rows)


def classes_table(experiment):
    """The paper's class and the measured class of each program."""
    claims = [claim for claim in experiment.claims if claim["kind"] == "classes"]
    verdicts = [experiment.verdict(claim) for claim in claims]
    head = ["workload"]
    for claim in claims:
        metric = claim.get("metric", experiment.described["metric"]["name"])
        head += [f"`{metric}`", "class in Heddle", "class in the paper"]
    rows = []
    for row in experiment.result["rows"]:
        line = [row["label"]]
        for verdict in verdicts:
            ours = verdict["measured"].get(row["label"], {"value": None, "class": None})
            line += [number(ours["value"]), ours["class"] or "-",
                     verdict["reported"].get(row["label"], "-")]
        rows.append(cells(line))
    return table(cells(head), rows)


def results_tables(experiment):
    stacked = "part" in experiment.described
    classes = any(claim["kind"] == "classes" for claim in experiment.claims)
    lines = []
    # The table of parts or classes includes the values of a single variant.
    if len(experiment.shown()) > 1 or not (stacked or classes):
        lines += values_table(experiment) + [""]
    if stacked:
        lines += parts_table(experiment) + [""]
    return lines + (classes_table(experiment) + [""] if classes else [])


def claims_table(experiment):
    rows = []
    for claim in experiment.claims:
        verdict = experiment.verdict(claim)
        rows.append(cells([f"`{claim['id']}`", claim["text"], reported(claim),
                           measured(claim, verdict,
                                    number if "metric" in claim else text_of(experiment)),
                           distance(claim, verdict), judgement(verdict)]))
    return table(["claim", "statement", "reported", "measured", "distance", "verdict"], rows)


def how(experiment):
    """The command, the machines, the inputs, and the metric of the table."""
    described = experiment.described
    machines = [described["machine"]] if "machine" in described else []
    machines += [v["machine"] for v in described["variant"] if "machine" in v]
    machines = list(dict.fromkeys(machines))
    text = f"Command: `heddle experiment {experiment.name}`. Machine{'s' * (len(machines) > 1)}: "
    text += listed([f"`{machine}`" for machine in machines])
    if described.get("set"):
        text += f" with {listed([f'`{setting}`' for setting in described['set']])}"
    text += "."
    if experiment.result:
        text += inputs(experiment.result)
    metric = described["metric"]
    name = "IPC" if metric["name"] == "ipc" else f"`{metric['name']}`"
    text += f" Metric: {name}"
    if "normalise_to" in metric:
        text += f" relative to {metric['normalise_to']}"
    where = f"descriptions/experiments/{experiment.name}.toml"
    return text + f". The columns are defined in [{where}](../../{where})."


def inputs(result):
    sizes = list(dict.fromkeys(row["size"] for row in result["rows"]))
    text = f" Input size{'s' * (len(sizes) > 1)}: {listed(sizes)}"
    if result.get("seeds", 1) > 1:
        text += f", {result['seeds']} seeds"
    text += "."
    suite = result.get("suite")
    if suite and suite["missing"]:
        text += " Programs of the paper without a workload: " \
                f"{listed([program['program'] for program in suite['missing']])}."
    return text


def section(experiment):
    lines = [f"## {experiment.heading}", "", how(experiment), ""]
    if experiment.result:
        lines += results_tables(experiment)
    lines += claims_table(experiment) + [""]
    return lines + ([experiment.text, ""] if experiment.text else [])


def anchor(heading):
    """The anchor that GitHub generates for a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


class Written:
    """A paper's page as it was written before. Experiments that are not run again keep their part."""

    def __init__(self, text):
        self.rows = {m[1]: tuple(int(n) for n in m[2].split("|"))
                     for m in re.finditer(r"^\| \[(.*?)\]\(#.*?\) \|([\d| ]+)\|$", text, re.M)}
        self.sections = {}
        for part in re.split(r"^(?=## )", text, flags=re.M):
            if part.startswith("## "):
                self.sections[part.split("\n", 1)[0][3:]] = part.rstrip("\n").split("\n") + [""]


class Sections:
    """Counts and section of each experiment: from its result or, if `is_kept` says so, from the page
    as it was written before. `written` maps a paper to that page."""

    def __init__(self, written=None, is_kept=lambda experiment: False):
        self.written, self.is_kept = written, is_kept

    def counts(self, experiment):
        """How many claims it has, how many of them hold, and how many are in doubt."""
        if self.is_kept(experiment):
            return self.written[experiment.paper].rows[experiment.heading]
        return len(experiment.claims), experiment.held(), experiment.in_doubt()

    def total(self, experiments):
        return tuple(sum(counts) for counts in zip(*(self.counts(e) for e in experiments)))

    def lines(self, experiment):
        if self.is_kept(experiment):
            return self.written[experiment.paper].sections[experiment.heading]
        return section(experiment)


def page_name(paper):
    return PAGES.get(paper, anchor(paper))


def paper_page(paper, group, sections):
    count, held, _ = sections.total(group)
    rows = [cells([f"[{e.heading}](#{anchor(e.heading)})", *sections.counts(e)]) for e in group]
    if paper == OWN:
        begin = "This page compares our own expectations, which no paper states, with Heddle's results."
    else:
        begin = "This page compares each claim of this paper with Heddle's results."
    lines = [f"# {paper}", "",
             f"{begin} **{held} of {count} claims hold.**",
             "[reproduction.md](../reproduction.md#how-claims-are-judged) explains how claims are judged.", "",
             *table(["experiment", "claims", "hold", "in doubt"], rows), ""]
    for experiment in group:
        lines += sections.lines(experiment)
    return "\n".join(lines).rstrip("\n") + "\n"


def index(papers, sections, folder):
    """`folder` is that of the papers' pages, relative to the index."""
    count, held, doubted = sections.total([e for group in papers.values() for e in group])
    lines = [HEAD + f"**{held} of {count} claims hold.** {doubted} claims are in doubt "
             "([how claims are judged](#how-claims-are-judged)).", ""]
    rows = []
    for paper, group in papers.items():
        name = page_name(paper)
        rows.append(cells([f"[{name}]({folder}/{name}.md)", paper, *sections.total(group)]))
    rows.append(cells(["all", "", count, held, doubted]))
    lines += table(["page", "paper", "claims", "hold", "in doubt"], rows) + ["", RULES, "## Experiments", ""]
    rows = []
    for paper, group in papers.items():
        name = page_name(paper)
        for e in group:
            claims, holding, in_doubt = sections.counts(e)
            link = f"[{e.described['title']}]({folder}/{name}.md#{anchor(e.heading)})"
            rows.append(cells([name, e.described.get("figure", "-"), link, f"{holding} of {claims}", in_doubt]))
    lines += table(["paper", "figure", "experiment", "claims that hold", "in doubt"], rows)
    return "\n".join(lines) + "\n"


def pages(papers, output, sections=Sections()):
    """The text of each file: the index `output`, and the papers' pages in a folder beside it."""
    folder = output.with_suffix("")
    texts = {output: index(papers, sections, folder.name)}
    for paper, group in papers.items():
        texts[folder / f"{page_name(paper)}.md"] = paper_page(paper, group, sections)
    return texts
