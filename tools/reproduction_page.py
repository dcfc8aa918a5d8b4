"""The page of what comes out of the papers' claims: tables and verdicts of experiments that were
run, and the text beside each.
"""

import json
import re
import tomllib

from workload_table import table

HEAD = """\
# What of the papers comes out

This page is made by `./dev reproduce`, which runs the experiments and writes it; its text is that
of the files beside them (`experiments/NAME.md`). What kinds of claims there are, and when one
holds, is said in [laboratory.md](laboratory.md#claims): a magnitude holds from half to twice of
what is reported, a share within ten points of it at most, or as near to it as its experiment says.
Beside each verdict stands how far what was measured is from what is reported: of a gain, a saving
or a share in points, of an order the least step upwards.
"""

OWN = "Studies of our own"


class Experiment:
    """What its file says, and what came out of it: none where it has not been run."""

    def __init__(self, folder, path, results):
        self.name = path.relative_to(folder).with_suffix("").as_posix()
        self.path = path
        self.described = tomllib.loads(path.read_text())
        beside = path.with_suffix(".md")
        self.text = beside.read_text().strip() if beside.exists() else ""
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


def listed(words):
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " and " + words[-1]


def number(value, relative=False):
    if value is None:
        return "-"
    if relative:
        return f"{value:.3f}"
    return f"{value:.0f}" if abs(value) >= 1000 else f"{value:.4g}"


def percent(value, signed):
    if value is None:
        return "-"
    text = f"{100 * value:+.1f}" if signed else f"{100 * value:.1f}"
    return ("0" if float(text) == 0 else text) + " %"


def amount(kind, value):
    """A value as its kind of claim is read."""
    if kind in ("gain", "saving"):
        return percent(value, signed=True)
    return percent(value, signed=False) if kind == "share" else number(value)


def reported(claim):
    kind = claim["kind"]
    if kind == "order":
        return " < ".join(claim["order"])
    if kind == "classes":
        return f"the classes of {len(claim['expected'])} programs"
    text = amount(kind, claim["value"])
    if "within" in claim:
        text += f", within {amount('share' if kind != 'figure' else kind, claim['within'])}"
    return text


def in_order(values):
    """Values, each with its text, and how each stands to the one before."""
    if any(value is None for value, _ in values):
        return ", ".join(text for _, text in values)
    told = values[0][1]
    for (before, _), (value, text) in zip(values, values[1:]):
        sign = "<" if before < value else ">" if before > value else "="
        told += f" {sign} {text}"
    return told


def classed(verdict):
    """How many programs are of their class, and which are not."""
    theirs, ours = verdict["reported"], verdict["measured"]
    wrong = [name for name in theirs if theirs[name] != ours[name]["class"]]
    text = f"{len(theirs) - len(wrong)} of {len(theirs)} agree"
    return text + (f", not {listed(wrong)}" if wrong else "")


def text_of(experiment):
    """How the values of its table are written."""
    if "part" in experiment.described:  # What is stacked are shares.
        return lambda value: percent(value, signed=False)
    relative = "normalise_to" in experiment.described["metric"]
    return lambda value: number(value, relative)


def measured(experiment, claim, verdict):
    if not verdict:
        return "-"
    if claim["kind"] == "order":
        text = number if "metric" in claim else text_of(experiment)
        return in_order([(value, text(value)) for value in verdict["measured"]])
    if claim["kind"] == "classes":
        return classed(verdict)
    return amount(claim["kind"], verdict["measured"])


def judgement(verdict):
    if not verdict:
        return "not run"
    if verdict["holds"]:
        return "holds"
    if verdict["sign"] and verdict["magnitude"] is False:
        return "the sign holds, the magnitude **does not**"
    judged = [verdict[part] for part in ("sign", "order", "classes", "magnitude")]
    return "**does not hold**" if False in judged else "not measured"


def distance(claim, verdict):
    """How far it is, whatever the verdict."""
    far = (verdict or {}).get("distance")
    if far is None:
        return "-"
    if claim["kind"] == "classes":
        return f"{100 * far:.0f} %"
    unit = "points" if claim["kind"] in ("gain", "saving", "share") else "%"
    return f"{round(100 * far, 1) + 0.0:+.1f} {unit}"


def cells(values):
    return [str(value).replace("|", "\\|") for value in values]


def values_table(experiment):
    result, names, text = experiment.result, experiment.shown(), text_of(experiment)
    rows = [cells([row.get("label") or row["name"], *(text(row["values"][name]) for name in names)])
            for row in result["rows"] + result["means"]]
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
                           measured(experiment, claim, verdict),
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


def overview(papers):
    rows = [cells([f"[{e.heading}](#{anchor(e.heading)})", len(e.claims), e.held()])
            for group in papers.values() for e in group]
    everything = [e for group in papers.values() for e in group]
    rows.append(["all", str(sum(len(e.claims) for e in everything)),
                 str(sum(e.held() for e in everything))])
    return table(["experiment", "claims", "hold"], rows)


def page(papers):
    lines = [HEAD, *overview(papers), ""]
    for paper, group in papers.items():
        lines += [f"## {paper}", ""]
        for experiment in group:
            lines += section(experiment)
    return "\n".join(lines).rstrip("\n") + "\n"
