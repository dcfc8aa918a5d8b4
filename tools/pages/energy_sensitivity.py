#!/usr/bin/env python3
"""Writes the table in docs/energy/accuracy.md: how much energies depend on figures that nobody published.

    energy_sensitivity.py [--heddle PROGRAM] [--size SIZE] [--check]

Runs the experiments of energy/ once and stores the runs in build/energy_sensitivity. Then it halves and doubles every
figure of their technologies whose source says "our reasoning", one at a time, and computes the energy of the stored
runs again, without another simulation. --check runs nothing, and fails if such a figure is not on the page.
"""

import argparse
import csv
import io
import pathlib
import subprocess
import sys
import textwrap
import tomllib

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "energy" / "accuracy.md"
BEGIN, END = "<!-- sensitivity: begin -->\n", "<!-- sensitivity: end -->\n"
OURS = "our reasoning"
AS_REGISTERS = "as the register file"  # Sources of leakage that changes with the register file's.
STUDIES = [("energy/storage", "storage-40nm"), ("energy/preexec", "preexec-40nm")]
MIN_SHOWN = 0.005  # As a fraction of the chip's energy.
WATTS = ["milliwatts_per_kilobyte", "milliwatts_per_square_millimetre", "watts_per_sm",
         "watts_per_partition", "watts_per_chip"]


def figures_of(technology):
    """The figures that a technology states or inherits, by (kind, name)."""
    read = tomllib.loads((ROOT / "descriptions/technologies" / f"{technology}.toml").read_text())
    found = figures_of(read["based_on"]) if "based_on" in read else {}
    for kind in ("energy", "static"):
        found.update({(kind, one["of"]): one for one in read.get(kind, [])})
    return found


def reasoned_figures_of(technology):
    return {key: one for key, one in figures_of(technology).items()
            if OURS in one["source"].lower() and "included_in" not in one}


def with_dependent_figures(technology, key):
    """A figure, and the figures whose source says that they follow it."""
    figures = figures_of(technology)
    follow = [other for other, one in figures.items()
              if key == ("static", "register_file") and one["source"].lower().startswith(AS_REGISTERS)]
    return {one: figures[one] for one in [key, *follow]}


def as_toml(value):
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{name} = {as_toml(one)}" for name, one in value.items()) + " }"
    return str(value)


def changed_technology(technology, key, times):
    """The text of a technology in which one figure, and those that follow it, are multiplied by `times`."""
    lines = ['summary = "one figure changed"', "node_nm = 40", "volts = 0.9",
             f'based_on = "{technology}"']
    for (kind, _), figure in with_dependent_figures(technology, key).items():
        lines.append(f"[[{kind}]]")
        if "array" in figure:  # The model's energy is not in the file.
            figure = {**figure, "times": times * figure.get("times", 1)}
        for name, value in figure.items():
            if name in ("picojoules", *WATTS):
                value = [times * one for one in value] if isinstance(value, list) else times * value
            lines.append(f"{name} = {as_toml(value)}")
    return "\n".join(lines) + "\n"


class Study:
    def __init__(self, heddle, name, technology, size):
        self.heddle, self.technology = heddle, technology
        self.folder = ROOT / "build" / "energy_sensitivity"
        self.folder.mkdir(parents=True, exist_ok=True)
        self.store = self.folder / f"{technology}-{size}.sqlite"
        subprocess.run([heddle, "experiment", name, "--size", size, "--store", self.store],
                       check=True, stdout=subprocess.DEVNULL)
        self.base = self.joules(technology)

    def joules(self, technology):
        """The energy of the chip, by run."""
        text = subprocess.run([self.heddle, "results", "export", "--store", self.store, "--csv", "-",
                               "--energy", technology], check=True, capture_output=True,
                              text=True).stdout
        return {row["key"]: float(row["energy.chip"]) for row in csv.DictReader(io.StringIO(text))}

    def changes(self, key, times):
        """The relative change of each run's energy."""
        file = self.folder / "changed.toml"
        file.write_text(changed_technology(self.technology, key, times))
        return [joules / self.base[run] - 1 for run, joules in self.joules(file).items()]


def percent(share):
    return f"{100 * share:+.1f} %"


def rows_of(study):
    rows = []
    for key in reasoned_figures_of(study.technology):
        half, twice = (study.changes(key, times) for times in (0.5, 2))
        mean = sum(twice) / len(twice)
        name = key[1] if key[0] == "energy" else f"leakage of {key[1]}"
        name = f"`{name}`"
        if len(with_dependent_figures(study.technology, key)) > 1:
            name += " and all storage, which leaks the same"
        rows.append((mean, [f"`{study.technology}`", name, percent(sum(half) / len(half)),
                            percent(mean), percent(max(twice, key=abs))]))
    rows.sort(key=lambda row: -abs(row[0]))
    return rows


def table(studies):
    lines = ["| technology | figure | halved | doubled | doubled, largest change |",
             "| --- | --- | --- | --- | --- |"]
    small = set()
    for study in studies:
        for mean, row in rows_of(study):
            if abs(mean) >= MIN_SHOWN:
                lines.append("| " + " | ".join(row) + " |")
            else:
                small.add(row[1])
    shown = {line.split(" | ")[1] for line in lines}
    others = ("The other figures change the energy by less than 0.5 % when doubled: " +
              ", ".join(sorted(small - shown)) + ".")
    return "\n".join(lines) + "\n\n" + textwrap.fill(others, 119, break_on_hyphens=False) + "\n"


def check(page):
    """Exits with a message unless every figure that is our reasoning is on the page, whatever its effect."""
    table = page[page.index(BEGIN):page.index(END)]
    missing = sorted({name for _, technology in STUDIES for _, name in reasoned_figures_of(technology)
                      if f"{name}`" not in table})
    if missing:
        sys.exit(f"{PAGE.relative_to(ROOT)} lacks {', '.join(missing)}: run tools/pages/energy_sensitivity.py")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--heddle", default=str(ROOT / "build/release/apps/heddle/heddle"))
    parser.add_argument("--size", default="small")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    if options.check:
        return check(PAGE.read_text())
    studies = [Study(options.heddle, name, technology, options.size) for name, technology in STUDIES]
    text = PAGE.read_text()
    begin, end = text.find(BEGIN), text.find(END)
    if begin < 0 or end < begin:
        sys.exit(f"{PAGE.relative_to(ROOT)} lacks the lines {BEGIN.strip()} and {END.strip()}, which enclose the table")
    PAGE.write_text(text[:begin + len(BEGIN)] + "\n" + table(studies) + "\n" + text[end:])


if __name__ == "__main__":
    main()
