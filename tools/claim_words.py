"""A claim and what became of it in few words, for pages: of an experiment's claims as its file has
them, and of their verdicts as its result has them.
"""


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


def between(values, text):
    """What seeds came to, where it differs in these digits: " (+3.9 % to +4.6 %)"."""
    if len(values) < 2 or None in values:
        return ""
    least, most = text(min(values)), text(max(values))
    return "" if least == most else f" ({least} to {most})"


def measured(claim, verdict, text=number):
    """`text` writes the values of an order."""
    if not verdict:
        return "-"
    if claim["kind"] == "order":
        return in_order([(value, text(value)) for value in verdict["measured"]])
    if claim["kind"] == "classes":
        return classed(verdict)
    seeds = [seed["measured"] for seed in verdict.get("seeds", [])]
    return (amount(claim["kind"], verdict["measured"]) +
            between(seeds, lambda value: amount(claim["kind"], value)))


def depends_on_seed(verdict):
    """Whether one seed comes to another verdict than another."""
    return len({seed["holds"] for seed in verdict.get("seeds", [])} | {verdict["holds"]}) > 1


def holds_as_read_alone(verdict):
    readings = verdict.get("readings", [])
    return verdict["holds"] and bool(readings) and not any(one["holds"] for one in readings)


def other_readings(verdict):
    """Of each what became of it."""
    told = []
    for reading in verdict.get("readings", []):
        same = reading["holds"] == verdict["holds"]
        verb = ("also holds" if same else "would hold") if reading["holds"] else "does not hold"
        if not reading["holds"] and not was_judged(reading):
            verb = "was not measured"
        value = reading["measured"]
        text = "" if isinstance(value, (list, dict)) else f" ({amount(reading['kind'], value)})"
        told.append(f"{verb} as {reading['text']}{text}")
    return told


def was_judged(verdict):
    return any(verdict[part] is not None for part in ("sign", "order", "classes", "magnitude"))


def judgement(verdict):
    if not verdict:
        return "not run"
    return "; ".join([by_itself(verdict), *other_readings(verdict)])


def by_itself(verdict):
    if depends_on_seed(verdict):
        seeds = verdict["seeds"]
        return f"**holds for {sum(seed['holds'] for seed in seeds)} of {len(seeds)} seeds**"
    if verdict["holds"]:
        return "holds **only as it is read here**" if holds_as_read_alone(verdict) else "holds"
    if verdict["sign"] and verdict["magnitude"] is False:
        return "the sign holds, the magnitude **does not**"
    judged = [verdict[part] for part in ("sign", "order", "classes", "magnitude")]
    return "**does not hold**" if False in judged else "not measured"


def distance(claim, verdict):
    """How far it is, whatever the verdict; over seeds where what was measured is no one number."""
    if (verdict or {}).get("distance") is None:
        return "-"
    seeds = verdict.get("seeds", []) if claim["kind"] in ("order", "classes") else []
    return (far(claim["kind"], verdict["distance"]) +
            between([seed["distance"] for seed in seeds], lambda value: far(claim["kind"], value)))


def far(kind, value):
    if kind == "classes":
        return f"{100 * value:.0f} %"
    unit = "points" if kind in ("gain", "saving", "share") else "%"
    return f"{round(100 * value, 1) + 0.0:+.1f} {unit}"


def cells(values):
    return [str(value).replace("|", "\\|") for value in values]
