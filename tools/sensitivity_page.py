"""The page of what choices that no paper states do to claims: of experiments that were run as they
are, and with a parameter of their machine set otherwise.
"""

import json
import sys
import tomllib

from claim_words import by_itself, cells, distance, far, measured, reported, was_judged
from reproduction_page import Experiment
from workload_table import table

HEAD = """\
# What the claims hang on

A machine needs more than its paper says. This page is made by `./dev sensitivity`: it changes one
choice at a time that no paper states to another value that would be as fair
([tools/sensitivity.toml](../tools/sensitivity.toml) has them, and why), runs the experiments again, and
shows for each headline claim the five choices that move it most. Everything else stays as it is, so that
what two choices do together is not here. How far a claim moves is how much
its distance changes, which is what [reproduction.md](reproduction.md) has beside each verdict: of a
gain in points, of an order its least step upwards, of classes the share of programs that are of
another.
"""

SHOWN = 5


class Choice:
    """Other values that would be as fair, and what came of each where it was run."""

    def __init__(self, described):
        self.machine, self.values, self.why = (described[key] for key in ("machine", "values", "why"))
        self.keys = list(dict.fromkeys(key for value in self.values for key in keys_of(value)))

    @property
    def name(self):
        return ", ".join(f"`{key}`" for key in self.keys)


class Study:
    """An experiment, which of its claims are tried, and the choices of its machine."""

    def __init__(self, path, folder, results, claims, choices):
        self.results, self.path, self.folder = results, path, folder
        self.as_it_is = self.with_value("")
        self.name = self.as_it_is.name
        known = {claim["id"]: claim for claim in self.as_it_is.claims}
        for claim in claims:
            if claim not in known:
                sys.exit(f"{self.name} has no claim '{claim}'")
        self.claims = [known[claim] for claim in claims]
        self.choices = [one for one in choices if one.machine in self.machines()]
        self.refuse_what_is_varied()

    def with_value(self, value):
        return Experiment(self.folder, self.path, self.results / folder_of(value))

    def machines(self):
        described = self.as_it_is.described
        return {table["machine"] for table in [described, *described["variant"]]
                if "machine" in table}

    def refuse_what_is_varied(self):
        """A choice that tells variants or rows apart would make them the same."""
        described = self.as_it_is.described
        varied = {key for table in described["variant"] + described.get("workload", [])
                  for setting in table.get("set", []) for key in keys_of(setting)}
        for choice in self.choices:
            for key in varied.intersection(choice.keys):
                sys.exit(f"{self.name} varies '{key}' itself")


class Move:
    """What a choice does to a claim."""

    def __init__(self, study, claim, choice):
        before = study.as_it_is
        self.choice = choice
        self.was = said_of(before, choice.keys)
        self.others = []  # Text of the value, its verdict, and how far the claim moves.
        for value in choice.values:
            after = study.with_value(value)
            verdict = after.verdict(claim)
            now = said_of(after, choice.keys)
            if verdict and now != self.was:
                self.others.append((now, verdict, moved(before.verdict(claim), verdict)))

    @property
    def size(self):
        return max((abs(by) for _, _, by in self.others if by is not None), default=-1)

    def changes(self, verdict):
        return any(was_judged(other) and other["holds"] != verdict["holds"]
                   for _, other, _ in self.others)


def folder_of(value):
    """Where results with a value lie; without one: as they are."""
    return value.replace(" ", ",") if value else "as-it-is"


def keys_of(value):
    return [setting.split("=")[0] for setting in value.split()]


def said_of(experiment, keys):
    """What a result says of parameters that are the same in all its runs."""
    parameters = (experiment.result or {}).get("parameters", {})
    values = (parameters.get(key) for key in keys)
    return ", ".join(value if isinstance(value, str) else json.dumps(value) for value in values)


def moved(before, after):
    """How much farther up a claim is; none where it was not measured."""
    if before is None or before["distance"] is None or after["distance"] is None:
        return None
    return after["distance"] - before["distance"]


def read_studies(choices_file, experiments, results, wanted=None):
    described = tomllib.loads(choices_file.read_text())
    choices = [Choice(one) for one in described["choice"]]
    for name in wanted or []:
        if not any(name in claims for claims in described["claims"].values()):
            sys.exit(f"{choices_file} has no claim '{name}'")
    studies = []
    for name, claims in described["claims"].items():
        tried = [claim for claim in claims if wanted is None or claim in wanted]
        if tried:
            studies.append(Study(experiments / f"{name}.toml", experiments, results, tried, choices))
    return studies


def moves_of(study, claim):
    """Those that were run, the greatest first."""
    moves = [Move(study, claim, choice) for choice in study.choices]
    return sorted((move for move in moves if move.others), key=lambda move: -move.size)


def briefly(claim, verdict):
    """What was measured; of classes how many agree, without their names."""
    return measured(claim, verdict).split(",")[0] if claim["kind"] == "classes" \
        else measured(claim, verdict)


def line(claim, move, verdict):
    changed = "**changes**" if move.changes(verdict) else "stays"
    return cells([
        move.choice.name, move.was, " / ".join(now for now, _, _ in move.others),
        briefly(claim, verdict), " / ".join(briefly(claim, other) for _, other, _ in move.others),
        " / ".join("-" if by is None else shift(claim["kind"], by) for _, _, by in move.others),
        changed])


def shift(kind, by):
    """As a distance, with its sign."""
    return f"{100 * by + 0.0:+.0f} %" if kind == "classes" else far(kind, by)


def section(study, claim):
    verdict = study.as_it_is.verdict(claim)
    lines = [f"### `{claim['id']}`", "",
             f"{claim['text'][0].upper()}{claim['text'][1:]} (`heddle experiment {study.name}`). "
             f"Reported: {reported(claim)}.", ""]
    if not verdict:
        return lines + ["Not run.", ""]
    moves = moves_of(study, claim)
    lines[-2] += f" As it is: {by_itself(verdict)}, distance {distance(claim, verdict)}. " \
                 f"Choices that change the verdict: {len(turning(moves, verdict))} of {len(moves)}."
    shown = [move for move in moves if move.size > 0][:SHOWN]
    if not shown:
        return lines + ["No choice moves it.", ""]
    head = ["choice", "as it is", "instead", "measured as it is", "measured instead", "moves by",
            "verdict"]
    others = [move for move in moves if move not in shown]
    return lines + table(head, [line(claim, move, verdict) for move in shown]) + \
        rest(others, verdict) + [""]


def rest(moves, verdict):
    """A choice that changes the verdict and is not among those that move it most is named, too."""
    names = [move.choice.name for move in turning(moves, verdict)]
    return ["", f"The verdict changes with {', '.join(names)} as well."] if names else []


def turning(moves, verdict):
    return [move for move in moves if move.changes(verdict)]


def overview(studies):
    rows = []
    for study in studies:
        for claim in study.claims:
            verdict = study.as_it_is.verdict(claim)
            if not verdict:
                continue
            moves = moves_of(study, claim)
            rows.append(cells([f"`{claim['id']}`", claim["text"], by_itself(verdict), len(moves),
                               len(turning(moves, verdict)),
                               moves[0].choice.name if moves and moves[0].size > 0 else "-"]))
    return table(["claim", "what it says", "as it is", "choices tried", "change the verdict",
                  "moves it most"], rows)


def how(studies):
    """In which size all was run."""
    results = [study.as_it_is.result for study in studies if study.as_it_is.result]
    sizes = list(dict.fromkeys(row["size"] for result in results for row in result["rows"]))
    seeds = max((result.get("seeds", 1) for result in results), default=1)
    return (f"All inputs are of size {', '.join(sizes) or '-'}, with "
            f"{'one seed' if seeds == 1 else f'{seeds} seeds'}; verdicts may be others than those of the "
            "sizes that the experiments ask for.")


def choices_table(studies):
    choices = {id(choice): choice for study in studies for choice in study.choices}
    rows = [cells([choice.machine, choice.name, ", ".join(f"`{value}`" for value in choice.values),
                   choice.why]) for choice in choices.values()]
    return table(["machine", "choice", "fair values", "why they are fair"], rows)


def page(studies):
    lines = [HEAD, how(studies), "", *overview(studies), "", "## Claims", ""]
    for study in studies:
        for claim in study.claims:
            lines += section(study, claim)
    lines += ["## Choices", "", *choices_table(studies)]
    return "\n".join(lines).rstrip("\n") + "\n"
