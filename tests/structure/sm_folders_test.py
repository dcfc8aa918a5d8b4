#!/usr/bin/env python3
"""Checks that no folders of src/sm include each other in a circle, so that they can be read one after
another. A header that lies in src/sm itself counts as a folder. Descriptions (*_description.*) do not count:
a policy may examine the parameters of others, to reject machines whose policies do not fit together. Files
also stay short."""

import collections
import pathlib
import re
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s+"sm/([^"]+)"', re.MULTILINE)
# The multiprocessor itself: it connects the folders, and nothing in them may include it.
WHOLE = "sm"
MOST_LINES = 350


def folder_of(parts):
    return parts[0] if len(parts) > 1 else parts[0].rsplit(".", 1)[0]


def includes_of(root):
    """For each folder, the folders that it includes, with one include as an example."""
    graph = collections.defaultdict(dict)
    for path in sorted(root.rglob("*")):
        if path.suffix not in (".h", ".cpp") or path.stem.endswith("_description"):
            continue
        folder = folder_of(path.relative_to(root).parts)
        for header in INCLUDE.findall(path.read_text()):
            other = folder_of(header.split("/"))
            if other != folder and not header.endswith("_description.h"):
                graph[folder].setdefault(other, f"{path.relative_to(root)} includes sm/{header}")
    return graph


def circle_in(graph):
    """The folders of a circle, in order; empty if there is none."""
    done = set()

    def visit(folder, trail):
        if folder in trail:
            return trail[trail.index(folder):]
        if folder in done:
            return []
        for other in graph.get(folder, {}):
            if circle := visit(other, trail + [folder]):
                return circle
        done.add(folder)
        return []

    return next((circle for folder in list(graph) if (circle := visit(folder, []))), [])


def check_itself():
    assert circle_in({"a": {"b": ""}, "b": {"c": ""}, "c": {}}) == []
    assert circle_in({"a": {"b": ""}, "b": {"c": ""}, "c": {"b": ""}}) == ["b", "c"]
    assert folder_of(("warps", "warp_table.h")) == "warps" and folder_of(("ids.h",)) == "ids"


def main():
    check_itself()
    graph = includes_of(pathlib.Path(sys.argv[1]) / "src/sm")
    if len(graph) < 10:
        print(f"found includes of {len(graph)} folders of src/sm only")
        return 1
    circle = circle_in(graph)
    for i, folder in enumerate(circle):
        print(graph[folder][circle[(i + 1) % len(circle)]])
    long_files = [f"{path} has {lines} lines, more than {MOST_LINES}"
                  for path in sorted((pathlib.Path(sys.argv[1]) / "src/sm").rglob("*"))
                  if path.is_file() and (lines := len(path.read_text().splitlines())) > MOST_LINES]
    users = [includes[WHOLE] for includes in graph.values() if WHOLE in includes]
    print("\n".join(users + long_files + [f"{len(graph)} folders and headers of src/sm, {'no' if not circle else 'a'} circle"]))
    return 1 if circle or users or long_files else 0


if __name__ == "__main__":
    sys.exit(main())
