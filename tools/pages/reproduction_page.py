"""The pages of the reproduction: an index, a page for each paper with the counts of its experiments, and a
page for each experiment with an introduction, its tables, verdicts and explanations.
"""

import json
import re
import tomllib

from claim_words import (cells, depends_on_seed, distance_text, holds_only_as_read, join_with_and,
                         measured_text, number, percent, range_text, reported_text, verdict_text)
from workload_table import table

HEAD = """\
# Which of the papers' claims hold

This index shows how many claims of each paper hold in Heddle, and links to the results of every
experiment. A *claim* is a number, an order or a class that a paper reports.

"""

RULES = """\
`./dev reproduce` runs the experiments, and writes this index and the pages in docs/reproduction: one page for
each paper, and one for each experiment. The introductions and explanations on those pages come from the files
beside the experiments (`descriptions/experiments/NAME.md`, where the line `## Explanation` separates the two).
The figures are simulated: they do not depend on the host. A commit that changes a figure also updates these
pages, so `git log docs/reproduction` gives the commit and the date of each figure.

## How claims are judged

A verdict has the following parts:

| part | when it holds |
| --- | --- |
| sign | A reported gain is measured as a gain, a saving as a saving, and a loss as a loss. |
| magnitude | A gain, saving or figure lies between half and twice the reported value. A share lies within ten \
points of the reported share; near 0 or 100 %, within half of its distance from that end. |
| within | If the claim states a tolerance of its own, it replaces the range of the magnitude. |
| range, limit | If the paper states a range or a limit ("at most 20 %"), the value is inside; "within" widens the range. |
| order | Each variant is above the one before it, by any amount. |
| classes | Every program that the paper names is in its class. |

A claim holds if all parts that apply to its kind hold. [laboratory.md](laboratory.md#claims) says which parts
apply to which kind of claim. A table of claims has these columns:

| column | meaning |
| --- | --- |
| claim, statement | the name of the claim, and what the paper states |
| reported, measured | the paper's value and Heddle's |
| distance | how far the measured value is from the reported one |
| verdict | whether the claim holds, or which of its parts do; then the verdicts of other readings |

- **Distance** is the measured value minus the reported value. It is in percentage points for gains, savings
  and shares, and relative to the reported value for figures. For an order it is the smallest step upwards. For
  classes it is the share of programs in another class than the paper's.
- **Seeds.** Every run is repeated with several inputs, each generated from its own seed. The tables show the
  mean over seeds and, in parentheses, the smallest and the largest value. A claim holds only if it holds for
  the mean and for every seed.
- **Readings.** A paper can allow more than one interpretation (*reading*) of a claim. One reading decides the
  verdict. The others are judged too, but do not change it. A claim that holds *also holds with* another
  reading or *would fail with* it. A claim that does not hold *also fails with* another reading or *would hold
  with* it.
- A claim is **in doubt** if its verdict depends on the seed, or if it holds in the main reading and in no
  other reading.

[sensitivity.md](sensitivity.md) shows how the main claims depend on parameters that the papers do not give.
"""

OWN = "Studies of our own"

# Names of the pages. The page of any other paper is named after the paper.
PAGES = {
    "Narasiman et al., Improving GPU Performance via Large Warps and Two-Level Warp Scheduling "
    "(TR-HPS-2010-006)": "large-warps",
    "Gebhart, dissertation on on-chip storage for throughput processors": "storage",
    "Xiang et al., Warp-Level Divergence in GPUs: Characterization, Impact, and Mitigation": "warpman",
    "Xiang, Toward Efficient SIMT Execution": "simt",
    "Kim et al., Warped-Preexecution: A GPU Pre-execution Approach for Improving Latency Hiding": "preexec",
    OWN: "studies",
}


# In the text beside an experiment, this line separates the introduction from the explanation.
EXPLANATION = "## Explanation"


class Experiment:
    """An experiment's description and its result; the result is None if it has not been run."""

    def __init__(self, folder, path, results):
        self.name = path.relative_to(folder).with_suffix("").as_posix()
        self.path = path
        self.described = tomllib.loads(path.read_text())
        beside = path.with_suffix(".md")
        # Links in the text are relative to the experiment's folder; the page is in docs/reproduction/PAPER.
        text = re.sub(r"\]\((?:\.\./)+docs/", "](../../", beside.read_text()) if beside.exists() else ""
        self.introduction, _, self.explanation = (
            part.strip() for part in text.partition(f"\n{EXPLANATION}\n"))
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

    def holding(self):
        """The number of claims that hold."""
        return sum(bool((self.verdict(claim) or {}).get("holds")) for claim in self.claims)

    def in_doubt(self):
        """The number of claims in doubt."""
        verdicts = [self.verdict(claim) for claim in self.claims]
        return sum(bool(v) and (depends_on_seed(v) or holds_only_as_read(v)) for v in verdicts)

    def shown(self):
        return [v["name"] for v in self.described["variant"] if not v.get("hidden")]

    @property
    def paper(self):
        return self.described.get("paper", OWN)

    @property
    def page(self):
        """The experiment's page, relative to docs/reproduction."""
        return f"{page_name(self.paper)}/{self.name.split('/')[-1]}.md"

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


def has_shares(experiment):
    """Whether the experiment has stacks whose parts are shares, not numbers "per" something."""
    return "part" in experiment.described and " per " not in experiment.described["chart"]["y"]


def text_of(experiment):
    """The function that formats the values of the experiment's tables."""
    if has_shares(experiment):
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
        rows.append(cells([mean["name"], *(text(mean["values"][name]) + range_text(seeds, text)
                                           for name, seeds in zip(names, ends))]))
    return table(cells(["workload", *names]), rows)


def parts_table(experiment):
    """The parts of each stack: a row for each workload if there is one variant, else a row for
    each variant's mean."""
    result, names, text = experiment.result, experiment.shown(), text_of(experiment)
    parts = [part["name"] for part in experiment.described["part"]]
    if len(names) == 1:
        stacks = [(row.get("label") or row["name"], row["parts"][names[0]])
                  for row in result["rows"] + result["means"]]
    else:
        stacks = [(name, result["means"][-1]["parts"][name]) for name in names]
    rows = [cells([label, *(text(stack[part]) for part in parts)]) for label, stack in stacks]
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


def substitutes_words(described):
    """Which rows show other runs than those of their columns."""
    lines = []
    for row in described.get("workload", []):
        shown = {}
        for column, other in row.get("substitute", {}).items():
            shown.setdefault(other, []).append(f"`{column}`")
        for other, columns in shown.items():
            lines.append(f"Row {row.get('label', row['name'])} shows the run of `{other}` in "
                         f"{join_with_and(columns)}.")
    return lines


def values_words(experiment):
    """What the rows, columns and cells of the table of values are."""
    described, metric = experiment.described, experiment.described["metric"]
    name = "IPC" if metric["name"] == "ipc" else f"`{metric['name']}`"
    if "part" in described:  # The title of the chart's axis is that of the parts.
        cell = f"{name} in per cent" if has_shares(experiment) else name
    else:
        if "normalise_to" in metric:
            name += f" divided by that in column `{metric['normalise_to']}`"
        cell = f"the {described['chart']['y']} ({name})" if "y" in described.get("chart", {}) else name
    better = "; lower is better" if metric.get("better") == "lower" else ""
    lines = ["Each row of the next table is a workload; the last row is the mean of all."]
    if metric.get("mean") == "ratio-of-sums":
        lines.append("This mean is the ratio of the metric's sums over all workloads.")
    lines.append(f"Each column is a variant of the machine. A cell is {cell}{better}.")
    return lines + substitutes_words(described)


def parts_words(experiment):
    """What the rows, columns and cells of the table of parts are."""
    lines = ["Each row of the next table is a workload; the last row is the mean of all. Each column is a part."]
    if len(experiment.shown()) > 1:
        lines = ["The next table divides the mean of each variant into parts. Each row is a variant, which is a column",
                 "of the table above, and each column is a part."]
    unit = ", in per cent" if has_shares(experiment) else ""
    return [*lines, f"A cell is the part's {experiment.described['chart']['y']}{unit}."]


def class_limits(claim):
    """The classes and their limits: '"low" below 10, "high" from 10'."""
    names = [f'"{claim["names"][0]}" below {claim["bounds"][0]}']
    names += [f'"{name}" from {bound}' for name, bound in zip(claim["names"][1:], claim["bounds"])]
    return ", ".join(names)


def classes_words(experiment):
    """What the rows and columns of the table of classes are."""
    lines = ["Each row of the next table is a workload. For each claim about classes it has the metric, the class",
             "in Heddle, and the class in the paper. A hyphen means that the claim is not about the workload.",
             "The claims, in the order of the columns, and the limits of their classes are:", ""]
    for claim in experiment.claims:
        if claim["kind"] == "classes":
            relative = f" relative to `{claim['relative_to']}`" if "relative_to" in claim else ""
            lines.append(f"- `{claim['id']}`, about variant `{claim['variant']}`{relative}: "
                         f"{class_limits(claim)}.")
    return lines


TABLES = {"values": (values_words, values_table), "parts": (parts_words, parts_table),
          "classes": (classes_words, classes_table)}


def tables_shown(experiment):
    """The names of the tables of results on the experiment's page."""
    names = ["parts"] if "part" in experiment.described else []
    if any(claim["kind"] == "classes" for claim in experiment.claims):
        names.append("classes")
    # The table of parts or classes includes the values of a single variant.
    return ["values", *names] if len(experiment.shown()) > 1 or not names else names


def variants_table(experiment):
    """How the variants that are shown differ; empty if there is only the machine itself."""
    rows = []
    for variant in experiment.described["variant"]:
        differs = [f"machine `{variant['machine']}`"] if "machine" in variant else []
        differs += [f"`{setting}`" for setting in variant.get("set", [])]
        differs += [f"{other} in place of {row}" for row, other in variant.get("workloads", {}).items()]
        if "best_of" in variant:
            best = join_with_and([f"`{name}`" for name in variant["best_of"]])
            choice = (f"the one at the place that is best in `{variant['as_in']}`, of"
                      if "as_in" in variant else "the best of")
            differs.append(f"for each workload {choice} {best}")
        if not variant.get("hidden"):
            rows.append(cells([variant["name"], ", ".join(differs) or "nothing"]))
    return table(["variant", "what differs from the machine"], rows) if len(rows) > 1 else []


def results(experiment, tables):
    """The section of results. `tables` has the lines of each table that is shown."""
    lines = ["## Results", ""]
    variants = variants_table(experiment)
    lines += variants + [""] if variants else []
    for name in tables_shown(experiment):
        words, _ = TABLES[name]
        lines += [*words(experiment), "", *tables[name], ""]
    return lines


def claims_table(experiment):
    rows = []
    for claim in experiment.claims:
        verdict = experiment.verdict(claim)
        rows.append(cells([f"`{claim['id']}`", claim["text"], reported_text(claim),
                           measured_text(claim, verdict,
                                    number if "metric" in claim else text_of(experiment)),
                           distance_text(claim, verdict), verdict_text(verdict)]))
    return table(["claim", "statement", "reported", "measured", "distance", "verdict"], rows)


def how(experiment, inputs):
    """The command, the machines and the inputs."""
    described = experiment.described
    machines = [described["machine"]] if "machine" in described else []
    machines += [v["machine"] for v in described["variant"] if "machine" in v]
    machines = list(dict.fromkeys(machines))
    text = f"Command: `heddle experiment {experiment.name}`. Machine{'s' * (len(machines) > 1)}: "
    text += join_with_and([f"`{machine}`" for machine in machines])
    if described.get("set"):
        text += f" with {join_with_and([f'`{setting}`' for setting in described['set']])}"
    where = f"descriptions/experiments/{experiment.name}.toml"
    return f"{text}.{inputs} Description: [{where}](../../../{where})."


def registers_words(result):
    """The numbers of registers per thread that rows give in place of those of the compiled code."""
    given = {}
    for row in result["rows"]:
        if "registers=" in row["workload"]:  # Several programs: "n-queens:paper+dxtc:paper:registers=32".
            for program, count in re.findall(r"([^+:]+)(?::[^+:]+)*?:registers=(\d+)", row["workload"]):
                given[program] = count
        elif row["registers"].isdigit():
            given[row["label"]] = row["registers"]
    if not given:
        return ""
    counts = join_with_and([f"{name} {count}" for name, count in given.items()])
    return f" Registers per thread that decide how many blocks are resident: {counts}; others as compiled."


def inputs_of(result):
    """The sizes of the inputs, the number of seeds, registers, and the paper's programs that are missing."""
    if not result:
        return ""
    sizes = list(dict.fromkeys(row["size"] for row in result["rows"]))
    text = f" Input size{'s' * (len(sizes) > 1)}: {join_with_and(sizes)}"
    if result.get("seeds", 1) > 1:
        text += f", {result['seeds']} seeds"
    text += "." + registers_words(result)
    suite = result.get("suite")
    if suite and suite["missing"]:
        text += " Programs of the paper without a workload: " \
                f"{join_with_and([program['program'] for program in suite['missing']])}."
    return text


def page_head(experiment, holding):
    if experiment.paper == OWN:
        begin = "This page compares expectations of our own with Heddle's results."
    else:
        begin = "This page compares claims of a paper with Heddle's results."
    return [f"# {experiment.heading}", "",
            f"{begin} **{holding} of {len(experiment.claims)} claims hold.**",
            "[How claims are judged](../../reproduction.md#how-claims-are-judged) explains the table of claims.", "",
            f"Source and further experiments: [{experiment.paper}](../{page_name(experiment.paper)}.md).", ""]


def arrange_page(experiment, holding, inputs, tables, claims):
    """The page of an experiment. `tables` has the lines of each table of results, or is empty if the
    experiment has not been run."""
    lines = page_head(experiment, holding)
    lines += [experiment.introduction, ""] if experiment.introduction else []
    lines += [how(experiment, inputs), ""]
    lines += results(experiment, tables) if tables else []
    lines += ["## Claims", "", *claims, ""]
    lines += [EXPLANATION, "", experiment.explanation] if experiment.explanation else []
    return "\n".join(lines).rstrip("\n") + "\n"


def experiment_page(experiment):
    tables = {}
    if experiment.result:
        tables = {name: TABLES[name][1](experiment) for name in tables_shown(experiment)}
    return arrange_page(experiment, experiment.holding(), inputs_of(experiment.result), tables,
                        claims_table(experiment))


class Written:
    """The pages in docs/reproduction as they were written before."""

    def __init__(self, folder):
        self.folder = folder

    def page(self, experiment):
        return (self.folder / experiment.page).read_text()

    def counts(self, experiment):
        """The numbers in the experiment's row on the page of its paper."""
        text = (self.folder / f"{page_name(experiment.paper)}.md").read_text()
        row = rf"^\| \[{re.escape(experiment.heading)}\]\(.*?\) \|([\d| ]+)\|$"
        return tuple(int(number) for number in re.search(row, text, re.M)[1].split("|"))


class Contents:
    """Counts and page of each experiment: from its result or, if `is_kept` says so, from the pages as they
    were written before (`written`)."""

    def __init__(self, written=None, is_kept=lambda experiment: False):
        self.written, self.is_kept = written, is_kept

    def counts(self, experiment):
        """How many claims it has, how many of them hold, and how many are in doubt."""
        if self.is_kept(experiment):
            return self.written.counts(experiment)
        return len(experiment.claims), experiment.holding(), experiment.in_doubt()

    def total(self, experiments):
        return tuple(sum(counts) for counts in zip(*(self.counts(e) for e in experiments)))

    def page(self, experiment):
        return self.written.page(experiment) if self.is_kept(experiment) else experiment_page(experiment)


def page_name(paper):
    """The name of the paper's page, without .md, and of the folder of its experiments' pages."""
    return PAGES.get(paper, re.sub(r"[^\w\- ]", "", paper.lower()).replace(" ", "-"))


def paper_page(paper, group, contents):
    count, holding, _ = contents.total(group)
    rows = [cells([f"[{e.heading}]({e.page})", *contents.counts(e)]) for e in group]
    if paper == OWN:
        begin = "This page lists the experiments about our own expectations, which no paper states."
    else:
        begin = "This page lists the experiments that repeat this paper."
    lines = [f"# {paper}", "",
             f"{begin} **{holding} of {count} claims hold.** The page of an", "experiment has its results, "
             "the verdict on each claim, and explanations.",
             "[reproduction.md](../reproduction.md#how-claims-are-judged) explains how claims are judged, and when a",
             "claim is in doubt.", "",
             *table(["experiment", "claims", "hold", "in doubt"], rows)]
    return "\n".join(lines) + "\n"


def index(papers, contents, folder):
    """`folder` is that of the papers' pages, relative to the index."""
    count, holding, doubted = contents.total([e for group in papers.values() for e in group])
    lines = [HEAD + f"**{holding} of {count} claims hold.** {doubted} claims are in doubt "
             "([how claims are judged](#how-claims-are-judged)).", ""]
    rows = []
    for paper, group in papers.items():
        name = page_name(paper)
        rows.append(cells([f"[{name}]({folder}/{name}.md)", paper, *contents.total(group)]))
    rows.append(cells(["all", "", count, holding, doubted]))
    lines += table(["page", "paper", "claims", "hold", "in doubt"], rows) + ["", RULES, "## Experiments", ""]
    rows = []
    for paper, group in papers.items():
        for e in group:
            claims, holding, in_doubt = contents.counts(e)
            link = f"[{e.described['title']}]({folder}/{e.page})"
            rows.append(cells([page_name(paper), e.described.get("figure", "-"), link, f"{holding} of {claims}",
                               in_doubt]))
    lines += table(["paper", "figure", "experiment", "claims that hold", "in doubt"], rows)
    return "\n".join(lines) + "\n"


def pages(papers, output, contents=Contents()):
    """The text of each file: the index `output`, and the other pages in a folder beside it."""
    folder = output.with_suffix("")
    texts = {output: index(papers, contents, folder.name)}
    for paper, group in papers.items():
        texts[folder / f"{page_name(paper)}.md"] = paper_page(paper, group, contents)
        for experiment in group:
            path = folder / experiment.page
            assert path not in texts, f"two experiments of a paper have the page {experiment.page}"
            texts[path] = contents.page(experiment)
    return texts
