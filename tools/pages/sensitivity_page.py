"""The pages docs/sensitivity.md and docs/sensitivity/choices.md: how the verdicts of claims depend on
parameters that no paper states.
The experiments were run with the base values of their machines, and with other values of one choice at a time.
"""

import json
import re
import sys
import tomllib

from claim_words import (cells, distance_text, format_distance, main_verdict_text, measured_text,
                         reported_text, was_judged)
from reproduction_page import Experiment
from workload_table import table

HEAD = """\
# Sensitivity of claims to parameters that no paper states

This page shows how the papers' main claims ([reproduction.md](reproduction.md)) depend on parameters of the
simulated machines that no paper states.

"""

METHOD = """\
The command of each claim gives the size of its inputs. Verdicts can differ from those with the sizes and seeds of the
experiments.

A *choice* is a parameter that no paper states, or several such parameters that belong together. Its *base value* is
the one in the machine's file. [sensitivity/choices.md](sensitivity/choices.md) lists the choices, their other
reasonable values and the reasons. `./dev sensitivity` writes this page. It changes one choice at a time, runs the
experiments again, and shows for each claim the five choices that change its distance most. All other parameters keep
their base values, so the page does not show combined effects of choices.

A claim's *distance* says how far the measured value is from the reported one
([reproduction.md](reproduction.md#how-claims-are-judged)). For a gain it is the difference in percentage points, for
an order the smallest step upwards, and for classes the share of programs in another class than reported. The tables
show by how much a choice changes this distance. If a choice has several other values, they and their results are
separated by slashes. All numbers are simulated: they do not depend on the host. `git log docs/sensitivity.md` gives
their commit and date.
"""

CHOICES_HEAD = """\
# Choices that no paper states

This page lists the parameters of machines that no paper states, with other reasonable values and the reasons.
[sensitivity.md](../sensitivity.md) shows how claims change with them.

`./dev sensitivity` writes this page from [tools/pages/sensitivity.toml](../../tools/pages/sensitivity.toml). Each
row is a *choice*: a parameter, or several parameters that belong together. *Values* are the settings that are tried
in place of the value in the machine's file.

"""

MAX_SHOWN = 5


class Choice:
    """Parameters that no paper states, with other reasonable values."""

    def __init__(self, described):
        self.machine, self.values, self.why = (described[key] for key in ("machine", "values", "why"))
        self.keys = list(dict.fromkeys(key for value in self.values for key in keys_of(value)))

    @property
    def name(self):
        return ", ".join(f"`{key}`" for key in self.keys)


class Written:
    """A page that was written before, by claim: the row of the overview, and the section."""

    def __init__(self, text):
        overview, _, claims = text.partition("\n## Claims\n")
        rows = [line.strip("| ").split(" | ") for line in overview.splitlines() if line.startswith("| `")]
        self.rows = {row[0].strip("`"): row for row in rows}
        parts = re.split(r"(?m)^### `(.*)`$", claims)[1:]
        self.sections = {claim: section.strip("\n").split("\n")
                         for claim, section in zip(parts[::2], parts[1::2])}

    def is_changed(self, claim):
        """Whether a choice changes the claim's verdict."""
        return self.rows[claim][4] != "0"


class Study:
    """An experiment, those of its claims that the page shows, and the choices of its machines. If `kept` is a
    Written page, the claims' rows and sections are those of that page."""

    def __init__(self, path, folder, results, claims, choices, size, kept=None):
        self.results, self.path, self.folder, self.size, self.kept = results, path, folder, size, kept
        self.base = self.with_value("")
        self.name = self.base.name
        known = {claim["id"]: claim for claim in self.base.claims}
        for claim in claims:
            if claim not in known:
                sys.exit(f"{self.name} has no claim '{claim}'")
        self.claims = [known[claim] for claim in claims]
        self.choices = [one for one in choices if one.machine in self.machines()]
        self.check_choices()

    def with_value(self, value):
        return Experiment(self.folder, self.path, self.results / folder_of(value))

    def machines(self):
        described = self.base.described
        return {table["machine"] for table in [described, *described["variant"]]
                if "machine" in table}

    def check_choices(self):
        """Rejects choices of parameters in which variants or rows differ: a choice would make them equal."""
        described = self.base.described
        varied = {key for table in described["variant"] + described.get("workload", [])
                  for setting in table.get("set", []) for key in keys_of(setting)}
        for choice in self.choices:
            for key in varied.intersection(choice.keys):
                sys.exit(f"{self.name} varies '{key}' itself")


class Effect:
    """The effect of a choice on a claim."""

    def __init__(self, study, claim, choice):
        before = study.base
        self.choice = choice
        self.base = parameters_text(before, choice.keys)
        self.others = []  # The value as text, the verdict, and the change of the distance.
        for value in choice.values:
            after = study.with_value(value)
            verdict = after.verdict(claim)
            now = parameters_text(after, choice.keys)
            if verdict and now != self.base:
                self.others.append((now, verdict, change_of_distance(before.verdict(claim), verdict)))

    @property
    def size(self):
        return max((abs(by) for _, _, by in self.others if by is not None), default=-1)

    def changes(self, verdict):
        return any(was_judged(other) and other["holds"] != verdict["holds"]
                   for _, other, _ in self.others)


def folder_of(value):
    """The folder of the results with a choice's value; an empty value means the base values."""
    return value.replace(" ", ",") if value else "as-it-is"


def keys_of(value):
    return [setting.split("=")[0] for setting in value.split()]


def parameters_text(experiment, keys):
    """The values of parameters that are the same in all runs of a result."""
    parameters = (experiment.result or {}).get("parameters", {})
    values = (parameters.get(key) for key in keys)
    return ", ".join(value if isinstance(value, str) else json.dumps(value) for value in values)


def change_of_distance(before, after):
    """The change of a claim's distance; None if a distance was not measured."""
    if before is None or before["distance"] is None or after["distance"] is None:
        return None
    return after["distance"] - before["distance"]


def read_studies(arguments, is_kept, written):
    """The studies of the file of choices, with the claims in arguments.claims (None: all). Experiments for which
    `is_kept` is true keep what the `written` page has of them."""
    described = tomllib.loads(arguments.choices.read_text())
    choices = [Choice(one) for one in described["choice"]]
    wanted = arguments.claims
    for name in wanted or []:
        if not any(name in claims for claims in described["claims"].values()):
            sys.exit(f"{arguments.choices} has no claim '{name}'")
    studies = []
    for name, claims in described["claims"].items():
        tried = [claim for claim in claims if wanted is None or claim in wanted]
        if tried:
            size = arguments.size or described.get("sizes", {}).get(name, "small")
            studies.append(Study(arguments.experiments / f"{name}.toml", arguments.experiments, arguments.results,
                                 tried, choices, size, written if is_kept(name) else None))
    return studies


def effects_of(study, claim):
    """The effects of the choices that were run, the largest first."""
    effects = [Effect(study, claim, choice) for choice in study.choices]
    return sorted((effect for effect in effects if effect.others), key=lambda effect: -effect.size)


def brief_measured_text(claim, verdict):
    """The measured value; for classes how many programs agree, without the names of those that disagree."""
    return measured_text(claim, verdict).split(",")[0] if claim["kind"] == "classes" \
        else measured_text(claim, verdict)


def table_row(claim, effect, verdict):
    changed = "**changes**" if effect.changes(verdict) else "unchanged"
    return cells([
        effect.choice.name, effect.base, " / ".join(now for now, _, _ in effect.others),
        brief_measured_text(claim, verdict),
        " / ".join(brief_measured_text(claim, other) for _, other, _ in effect.others),
        " / ".join("-" if by is None else change_text(claim["kind"], by) for _, _, by in effect.others),
        changed])


def change_text(kind, by):
    """A change of a distance as text with its sign."""
    return f"{100 * by + 0.0:+.0f} %" if kind == "classes" else format_distance(kind, by)


def command_of(study, claim):
    seeds = (study.base.result or {}).get("seeds", 1)
    return (f"heddle experiment {study.name} --claim {claim['id']} --size {study.size}"
            f"{f' --seeds {seeds}' if seeds > 1 else ''}")


def section(study, claim):
    heading = [f"### `{claim['id']}`", ""]
    if study.kept and claim["id"] in study.kept.sections:
        return heading + study.kept.sections[claim["id"]] + [""]
    verdict = study.base.verdict(claim) if not study.kept else None
    lines = heading + [f"{claim['text'][0].upper()}{claim['text'][1:]} (`{command_of(study, claim)}`). "
                       f"Reported: {reported_text(claim)}.", ""]
    if not verdict:
        return lines + ["Not run.", ""]
    effects = effects_of(study, claim)
    lines[-2] += f" With base values: {main_verdict_text(verdict)}, distance {distance_text(claim, verdict)}. " \
                 f"{len(changing_verdict(effects, verdict))} of {len(effects)} choices change the verdict."
    shown = [effect for effect in effects if effect.size > 0][:MAX_SHOWN]
    if not shown:
        return lines + ["No choice changes the distance.", ""]
    head = ["choice", "base value", "other values", "measured with base value",
            "measured with other values", "change of distance", "verdict"]
    others = [effect for effect in effects if effect not in shown]
    return lines + table(head, [table_row(claim, effect, verdict) for effect in shown]) + \
        remaining_choices_text(others, verdict) + [""]


def remaining_choices_text(effects, verdict):
    """A sentence about the choices that change the verdict and are not in the table."""
    names = [effect.choice.name for effect in changing_verdict(effects, verdict)]
    return ["", f"The verdict also changes with {', '.join(names)}."] if names else []


def changing_verdict(effects, verdict):
    return [effect for effect in effects if effect.changes(verdict)]


def overview(studies):
    rows = []
    for study in studies:
        for claim in study.claims:
            if study.kept:
                rows += [study.kept.rows[claim["id"]]] if claim["id"] in study.kept.rows else []
                continue
            verdict = study.base.verdict(claim)
            if not verdict:
                continue
            effects = effects_of(study, claim)
            rows.append(cells([f"`{claim['id']}`", claim["text"], main_verdict_text(verdict), len(effects),
                               len(changing_verdict(effects, verdict)),
                               effects[0].choice.name if effects and effects[0].size > 0 else "-"]))
    return table(["claim", "statement", "verdict with base values", "choices tried",
                  "change the verdict", "largest change by"], rows)


def summary_sentence(studies):
    """The sentence that says how many verdicts no choice changes."""
    stable = count = 0
    for study in studies:
        for claim in study.claims:
            if study.kept:
                if claim["id"] in study.kept.rows:
                    count += 1
                    stable += not study.kept.is_changed(claim["id"])
                continue
            verdict = study.base.verdict(claim)
            if verdict:
                count += 1
                stable += not changing_verdict(effects_of(study, claim), verdict)
    return f"**For {stable} of {count} claims, no choice that was tried changes the verdict.**"


def choices_table(studies):
    choices = {id(choice): choice for study in studies for choice in study.choices}
    rows = [cells([choice.machine, choice.name, ", ".join(f"`{value}`" for value in choice.values),
                   choice.why]) for choice in choices.values()]
    return table(["machine", "choice", "values", "reason"], rows)


def page(studies):
    lines = [HEAD + summary_sentence(studies), "", *overview(studies), "", METHOD,
             "## Claims", ""]
    for study in studies:
        for claim in study.claims:
            lines += section(study, claim)
    return "\n".join(lines).rstrip("\n") + "\n"


def choices_page(studies):
    return CHOICES_HEAD + "\n".join(choices_table(studies)).rstrip("\n") + "\n"
