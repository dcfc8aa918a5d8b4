"""Short texts about claims and verdicts for pages. A claim is a [[claim]] table of an experiment's
description, as a dictionary. A verdict is the claim's entry in the experiment's result; it is None if the
experiment has not been run.
"""


def join_with_and(words):
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


def value_text(kind, value):
    """A measured or reported value, formatted for the kind of claim."""
    if kind in ("gain", "saving"):
        return percent(value, signed=True)
    return percent(value, signed=False) if kind == "share" else number(value)


def reported_text(claim):
    kind = claim["kind"]
    if kind == "order":
        return " < ".join(claim["order"])
    if kind == "classes":
        return f"the classes of {len(claim['expected'])} programs"
    text = reported_range_text(claim)
    if "within" in claim:
        text += f", within {value_text('share' if kind != 'figure' else kind, claim['within'])}"
    return text


def reported_range_text(claim):
    kind = claim["kind"]
    if "value" in claim:
        return value_text(kind, claim["value"])
    if "range" in claim:
        return " to ".join(value_text(kind, end) for end in claim["range"])
    key = "at_least" if "at_least" in claim else "at_most"
    return f"{key.replace('_', ' ')} {value_text(kind, claim[key])}"


def order_text(values):
    """The texts of (value, text) pairs, with <, = or > between each value and the next."""
    if any(value is None for value, _ in values):
        return ", ".join(text for _, text in values)
    chain = values[0][1]
    for (before, _), (value, text) in zip(values, values[1:]):
        sign = "<" if before < value else ">" if before > value else "="
        chain += f" {sign} {text}"
    return chain


def classes_text(verdict):
    """How many programs are in the class that the paper reports, and which are not."""
    theirs, ours = verdict["reported"], verdict["measured"]
    wrong = [name for name in theirs if theirs[name] != ours[name]["class"]]
    text = f"{len(theirs) - len(wrong)} of {len(theirs)} agree"
    return text + (f", not {join_with_and(wrong)}" if wrong else "")


def range_text(values, text):
    """The range of the values of all seeds, " (+3.9 % to +4.6 %)"; empty if its ends have the same text."""
    if len(values) < 2 or None in values:
        return ""
    least, most = text(min(values)), text(max(values))
    return "" if least == most else f" ({least} to {most})"


def measured_text(claim, verdict, text=number):
    """The measured value; `text` formats the values of an order."""
    if not verdict:
        return "-"
    if claim["kind"] == "order":
        return order_text([(value, text(value)) for value in verdict["measured"]])
    if claim["kind"] == "classes":
        return classes_text(verdict)
    seeds = [seed["measured"] for seed in verdict.get("seeds", [])]
    return (value_text(claim["kind"], verdict["measured"]) +
            range_text(seeds, lambda value: value_text(claim["kind"], value)))


def depends_on_seed(verdict):
    """Whether seeds, or a seed and the mean, have different verdicts."""
    return len({seed["holds"] for seed in verdict.get("seeds", [])} | {verdict["holds"]}) > 1


def holds_only_as_read(verdict):
    """Whether the claim holds in the main reading (interpretation) and in no other."""
    readings = verdict.get("readings", [])
    return verdict["holds"] and bool(readings) and not any(one["holds"] for one in readings)


def was_judged(verdict):
    return any(verdict[part] is not None for part in ("sign", "order", "classes", "magnitude"))


def judgement(verdict):
    """Whether a claim, or another reading of it, holds; None if it was not measured."""
    return verdict["holds"] if was_judged(verdict) else None


def other_reading_texts(holds, readings):
    """A text for each verdict that other readings have: "also holds with the arithmetic mean (+3.0 %)".
    `holds` is the judgement of the main reading. `readings` are pairs of a judgement and the reading's text."""
    texts = {}
    for reading_holds, text in readings:
        if reading_holds is None:
            judged = "not measured"
        elif reading_holds:
            judged = "also holds" if holds else "would hold"
        else:
            judged = "also fails" if holds is False else "would fail"
        texts.setdefault(judged, []).append(f"with {text}")
    return [f"{judged} {join_with_and(group)}" for judged, group in texts.items()]


def reading_text(reading):
    """What the reading assumes, and the measured value if it is a single one."""
    value = reading["measured"]
    text = "" if isinstance(value, (list, dict)) else f" ({value_text(reading['kind'], value)})"
    return reading["text"] + text


def verdict_text(verdict):
    """The verdict of the main reading, then those of the other readings."""
    if not verdict:
        return "not run"
    readings = [(judgement(reading), reading_text(reading)) for reading in verdict.get("readings", [])]
    return "; ".join([main_verdict_text(verdict), *other_reading_texts(judgement(verdict), readings)])


def main_verdict_text(verdict):
    """The verdict of the main reading."""
    if depends_on_seed(verdict):
        seeds = verdict["seeds"]
        return f"**holds for {sum(seed['holds'] for seed in seeds)} of {len(seeds)} seeds**"
    if verdict["holds"]:
        return "".join(["holds", ", differs by more than a quarter" if verdict.get("rough") else "",
                        ", **in this reading only**" if holds_only_as_read(verdict) else ""])
    if verdict["sign"] and verdict["magnitude"] is False:
        return "sign holds, magnitude **does not**"
    judged = [verdict[part] for part in ("sign", "order", "classes", "magnitude")]
    return "**does not hold**" if False in judged else "not measured"


def distance_text(claim, verdict):
    """The distance from the reported value. For orders and classes, which have no single measured number,
    the range of the distance over seeds follows."""
    if (verdict or {}).get("distance") is None:
        return "-"
    seeds = verdict.get("seeds", []) if claim["kind"] in ("order", "classes") else []
    return (format_distance(claim["kind"], verdict["distance"]) +
            range_text([seed["distance"] for seed in seeds], lambda value: format_distance(claim["kind"], value)))


def format_distance(kind, value):
    """A distance, formatted for the kind of claim."""
    if kind == "classes":
        return f"{100 * value:.0f} %"
    unit = "points" if kind in ("gain", "saving", "share") else "%"
    return f"{round(100 * value, 1) + 0.0:+.1f} {unit}"


def cells(values):
    """The values as texts for cells of a Markdown table."""
    return [str(value).replace("|", "\\|") for value in values]
