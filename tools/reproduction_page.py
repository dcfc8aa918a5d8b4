"""The page of what comes out of the papers' claims: tables and verdicts of experiments that were
run, and the text beside each.
"""

import json
import re
import tomllib

from claim_words import (between, cells, depends_on_seed, distance, holds_as_read_alone, judgement,
                         listed, measured, number, percent, reported)
from workload_table import table

HEAD = """\
# What of the papers comes out

This page is made by `./dev reproduce`, which runs the experiments and writes it; its text is that
of the files beside them (`experiments/NAME.md`). [laboratory.md](laboratory.md#claims) says more of
claims. When each kind of claim holds:

- **Sign**: a gain or a saving must be one, and not a loss.
- **Order**: each variant must be above the one before it, by however little; the distance says by
  how much.
- **Magnitude**: a gain, a saving or a figure must lie from half to twice of what is reported; a share
  within ten points of it, and no farther than half of what it is from nothing or all.
- **How near**: where a claim says how near (*within*), that takes the place of the magnitude.
- **Classes**: every program that the paper names must be of its class.

Beside each verdict stands how far what was measured is from what is reported: of a gain, a saving
or a share in points, of an order the least step upwards.

Every run is done with several inputs, each made from a seed of its own. What stands here is their
mean; in parentheses, what the least and the most of them come to. A claim that does not hold with
every seed does not hold, and says for how many it does. Where the paper may fairly be read in another
way, each other reading is judged too: it changes no verdict, but a claim that holds in one reading
alone says so. Such claims, and those that depend on the seed, are *in doubt*.

[sensitivity.md](sensitivity.md) has what choices that no paper states do to headline claims.
"""

OWN = "Studies of our own"


class Experiment:
    """What its file says, and what came out of it: none where it has not been run."""

    def __init__(self, folder, path, results):
        self.name = path.relative_to(folder).with_suffix("").as_posix()
        self.path = path
        self.described = tomllib.loads(path.read_text())
        beside = path.with_suffix(".md")
        # Its links lead from the experiment's folder; the page is in docs.
        self.text = beside.read_text().strip().replace("](../../docs/", "](") \
            if beside.exists() else ""
        found = results / file_of(self.name)
        self.result = json.loads(found.read_text()) if found.exists() else None

    @property
    def claims(self):
        return self.described.get("claim", [])

    def verdict(self, claim):
        """What came out of a claim; none where it has not been tried."""
        if not self.result:
            return None
        return next((v for v in self.result["claims"] if v["id"] == claim["id"]), None)

    def held(self):
        return sum(bool((self.verdict(claim) or {}).get("holds")) for claim in self.claims)

    def in_doubt(self):
        verdicts = [self.verdict(claim) for claim in self.claims]
        return sum(bool(v) and (depends_on_seed(v) or holds_as_read_alone(v)) for v in verdicts)

    def shown(self):
        return [v["name"] for v in self.described["variant"] if not v.get("hidden")]

    @property
    def heading(self):
        figure = self.described.get("figure")
        return f"{figure}: {self.described['title']}" if figure else self.described["title"]


def file_of(name):
    return name.replace("/", "-") + ".json"


def figure_order(experiment):
    """Figure 9 comes before Figure 10, and tables after figures."""
    figure = experiment.described.get("figure", "")
    word = figure.split(" ")[0]
    return word, [int(n) for n in re.findall(r"\d+", figure)], experiment.name


def read_experiments(folder, results):
    """Those that claim something, by paper and figure; a paper is where its first one is."""
    everything = [Experiment(folder, path, results) for path in sorted(folder.rglob("*.toml"))]
    everything = [experiment for experiment in everything if experiment.claims]
    papers = {}
    for experiment in everything:
        papers.setdefault(experiment.described.get("paper", OWN), []).append(experiment)
    papers[OWN] = papers.pop(OWN, [])
    return {paper: sorted(group, key=figure_order) for paper, group in papers.items() if group}


def text_of(experiment):
    """How the values of its table are written."""
    if "part" in experiment.described:  # What is stacked are shares.
        return lambda value: percent(value, signed=False)
    relative = "normalise_to" in experiment.described["metric"]
    return lambda value: number(value, relative)


def values_table(experiment):
    """Of means also what the seeds come to; the report has those of all rows."""
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
    """What stacks are made of: by workload where there is one column, else each column's mean."""
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
    """Of each claim about classes the paper's class and ours."""
    claims = [claim for claim in experiment.claims if claim["kind"] == "classes"]
    verdicts = [experiment.verdict(claim) for claim in claims]
    head = ["workload"]
    for claim in claims:
        metric = claim.get("metric", experiment.described["metric"]["name"])
        head += [f"`{metric}`", "here", "in the paper"]
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
    # One column is among the parts, or the classes.
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
    return table(["claim", "what it says", "reported", "measured", "distance", ""], rows)


def how(experiment):
    """What is run, on what, and what the table has."""
    described = experiment.described
    machines = [described["machine"]] if "machine" in described else []
    machines += [v["machine"] for v in described["variant"] if "machine" in v]
    text = f"`heddle experiment {experiment.name}`, "
    text += f"on {listed([f'`{machine}`' for machine in dict.fromkeys(machines)])}"
    if described.get("set"):
        text += f" with {listed([f'`{setting}`' for setting in described['set']])}"
    if experiment.result:
        sizes = dict.fromkeys(row["size"] for row in experiment.result["rows"])
        text += f", size {listed(list(sizes))}"
        if experiment.result.get("seeds", 1) > 1:
            text += f", {experiment.result['seeds']} seeds"
        suite = experiment.result.get("suite")
        if suite and suite["missing"]:
            text += f", without {listed([program['program'] for program in suite['missing']])}"
    metric = described["metric"]
    name = "IPC" if metric["name"] == "ipc" else f"`{metric['name']}`"
    text += f": {name}"
    if "normalise_to" in metric:
        text += f" relative to {metric['normalise_to']}"
    where = f"experiments/{experiment.name}.toml"
    return text + f". Its columns are described in [{where}](../{where})."


def section(experiment):
    lines = [f"### {experiment.heading}", "", how(experiment), ""]
    if experiment.result:
        lines += results_tables(experiment)
    lines += claims_table(experiment) + [""]
    return lines + ([experiment.text, ""] if experiment.text else [])


def anchor(heading):
    """How GitHub names a heading's place."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


class Written:
    """A page as it stands: parts of it are kept where their experiments were not run again."""

    def __init__(self, text):
        self.rows = {m[1]: tuple(int(n) for n in m[2].split("|"))
                     for m in re.finditer(r"^\| \[(.*?)\]\(#.*?\) \|([\d| ]+)\|$", text, re.M)}
        self.sections = {}
        for part in re.split(r"^(?=##)", text, flags=re.M):
            if part.startswith("### "):
                self.sections[part.split("\n", 1)[0][4:]] = part.rstrip("\n").split("\n") + [""]


class Sections:
    """Each experiment's counts and section: as it has come out or, of those that `is_kept` names, as
    a page has them."""

    def __init__(self, written=None, is_kept=lambda experiment: False):
        self.written, self.is_kept = written, is_kept

    def counts(self, experiment):
        if self.is_kept(experiment):
            return self.written.rows[experiment.heading]
        return len(experiment.claims), experiment.held(), experiment.in_doubt()

    def lines(self, experiment):
        if self.is_kept(experiment):
            return self.written.sections[experiment.heading]
        return section(experiment)


def overview(papers, sections):
    everything = [e for group in papers.values() for e in group]
    rows = [cells([f"[{e.heading}](#{anchor(e.heading)})", *sections.counts(e)])
            for e in everything]
    rows.append(cells(["all", *(sum(counts) for counts in zip(
        *(sections.counts(e) for e in everything)))]))
    return table(["experiment", "claims", "hold", "in doubt"], rows)


def page(papers, sections=Sections()):
    lines = [HEAD, *overview(papers, sections), ""]
    for paper, group in papers.items():
        lines += [f"## {paper}", ""]
        for experiment in group:
            lines += sections.lines(experiment)
    return "\n".join(lines).rstrip("\n") + "\n"
