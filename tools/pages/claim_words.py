"""Short texts of claims and verdicts for pages. A claim is a table of an experiment's description, a
verdict is the claim's entry in the experiment's result.
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
    """A value, formatted for the kind of claim."""
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
    """The values' texts, with <, = or > between each and the next."""
    if any(value is None for value, _ in values):
        return ", ".join(text for _, text in values)
    chain = values[0][1]
    for (before, _), (value, text) in zip(values, values[1:]):
        sign = "<" if before < value else ">" if before > value else "="
        chain += f" {sign} {text}"
    return chain


def classed(verdict):
    """How many programs are in the paper's class, and which are not."""
    theirs, ours = verdict["reported"], verdict["measured"]
    wrong = [name for name in theirs if theirs[name] != ours[name]["class"]]
    text = f"{len(theirs) - len(wrong)} of {len(theirs)} agree"
    return text + (f", not {listed(wrong)}" if wrong else "")


def between(values, text):
    """The range over seeds, " (+3.9 % to +4.6 %)"; empty if its ends read the same."""
    if len(values) < 2 or None in values:
        return ""
    least, most = text(min(values)), text(max(values))
    return "" if least == most else f" ({least} to {most})"


def measured(claim, verdict, text=number):
    """The measured value; `text` formats the values of an order."""
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
    """Whether seeds, or a seed and the mean, have different verdicts."""
    return len({seed["holds"] for seed in verdict.get("seeds", [])} | {verdict["holds"]}) > 1


def holds_only_as_read(verdict):
    readings = verdict.get("readings", [])
    return verdict["holds"] and bool(readings) and not any(one["holds"] for one in readings)


def other_readings(verdict):
    """A text for each other reading: "read as the arithmetic mean: holds (+3.0 %)"."""
    texts = []
    for reading in verdict.get("readings", []):
        if reading["holds"]:
            judged = "holds"
        else:
            judged = "does not hold" if was_judged(reading) else "was not measured"
        value = reading["measured"]
        text = "" if isinstance(value, (list, dict)) else f" ({amount(reading['kind'], value)})"
        texts.append(f"read as {reading['text']}: {judged}{text}")
    return texts


def was_judged(verdict):
    return any(verdict[part] is not None for part in ("sign", "order", "classes", "magnitude"))


def judgement(verdict):
    if not verdict:
        return "not run"
    return "; ".join([by_itself(verdict), *other_readings(verdict)])


def by_itself(verdict):
    """The verdict without other readings."""
    if depends_on_seed(verdict):
        seeds = verdict["seeds"]
        return f"**holds for {sum(seed['holds'] for seed in seeds)} of {len(seeds)} seeds**"
    if verdict["holds"]:
        return "holds, **in this reading only**" if holds_only_as_read(verdict) else "holds"
    if verdict["sign"] and verdict["magnitude"] is False:
        return "sign holds, magnitude **does not**"
    judged = [verdict[part] for part in ("sign", "order", "classes", "magnitude")]
    return "**does not hold**" if False in judged else "not measured"


def distance(claim, verdict):
    """The distance from the reported value. For orders and classes, which have no single measured
    number, with its range over seeds."""
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
