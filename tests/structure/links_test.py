#!/usr/bin/env python3
"""Checks that every link in this project's documents leads to an existing file and heading."""

import pathlib
import re
import sys
import urllib.parse

# [text](place) and [text](place "title"); ![picture](place); [name]: place
LINK = re.compile(r'\]\(\s*<?([^)\s>]*)>?(?:\s+"[^"]*")?\s*\)|^\s*\[[^\]]+\]:\s+(\S+)', re.MULTILINE)
HEADING = re.compile(r"^#{1,6}\s+(.*?)\s*#*\s*$", re.MULTILINE)
# Text between fences or backticks is code, which has no links.
FENCED = re.compile(r"^ *(```|~~~).*?^ *\1[^\n]*$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)", re.DOTALL)


def empty_lines(match):
    """As many line ends as the match has, so that line numbers stay the same."""
    return "\n" * match[0].count("\n")


def anchors(text):
    """The anchors that GitHub generates for headings: letters, digits and hyphens in lower case,
    hyphens for spaces, and a number for repeated headings."""
    found = set()
    for heading in HEADING.findall(FENCED.sub(empty_lines, text)):
        shown = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        anchor = re.sub(r"[^\w\- ]", "", shown.lower()).replace(" ", "-")
        number, unique = 0, anchor
        while unique in found:
            number += 1
            unique = f"{anchor}-{number}"
        found.add(unique)
    return found


def links(text):
    """The (line, target) of each link."""
    prose = CODE.sub(empty_lines, FENCED.sub(empty_lines, text))
    for match in LINK.finditer(prose):
        yield prose.count("\n", 0, match.start()) + 1, match[1] or match[2] or ""


def documents(root):
    yield from sorted(root.glob("*.md"))
    for folder in sorted(root.iterdir()):
        if folder.is_dir() and folder.name != "build" and not folder.name.startswith("."):
            yield from sorted(folder.glob("**/*.md"))


def dead_links(root):
    texts = {path.resolve(): path.read_text() for path in documents(root)}
    known = {path: anchors(text) for path, text in texts.items()}
    for path, text in texts.items():
        for line, place in links(text):
            if re.match(r"[a-z]+:", place):
                continue
            file, _, anchor = urllib.parse.unquote(place).partition("#")
            target = (path.parent / file).resolve() if file else path
            where = f"{path.relative_to(root)}:{line}: '{place}':"
            if not target.is_relative_to(root) or not target.exists():
                yield f"{where} the file does not exist"
            elif anchor and anchor not in known.get(target, ()):
                yield f"{where} the file has no heading for '#{anchor}'"


def main():
    # A test of the functions above.
    text = "# A `b`: c_d, *e*\n## [F](x)\n## F\n```\n# no\n[n](n)\n```\n`[n](n)` [a](b.md#c \"t\")\n[r]: p\n"
    assert anchors(text) == {"a-b-c_d-e", "f", "f-1"}, anchors(text)
    assert list(links(text)) == [(2, "x"), (8, "b.md#c"), (9, "p")], list(links(text))

    root = pathlib.Path(sys.argv[1]).resolve()
    found = list(dead_links(root))
    count = sum(len(list(links(path.read_text()))) for path in documents(root))
    if count < 50:
        found.append(f"found only {count} links, expected at least 50")
    print("\n".join(found) if found else f"all {count} links are valid")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
