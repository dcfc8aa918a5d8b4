#!/usr/bin/env python3
"""Every link from a document of this project to another, or into one, leads somewhere."""

import pathlib
import re
import sys
import urllib.parse

# [text](place) and [text](place "title"); ![picture](place); [name]: place
LINK = re.compile(r'\]\(\s*<?([^)\s>]*)>?(?:\s+"[^"]*")?\s*\)|^\s*\[[^\]]+\]:\s+(\S+)', re.MULTILINE)
HEADING = re.compile(r"^#{1,6}\s+(.*?)\s*#*\s*$", re.MULTILINE)
# What stands between fences, or between backticks, is not read as text.
FENCED = re.compile(r"^ *(```|~~~).*?^ *\1[^\n]*$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)", re.DOTALL)


def blanked(match):
    """As many lines of nothing."""
    return "\n" * match[0].count("\n")


def anchors(text):
    """What GitHub makes of the headings: their letters, digits and hyphens in lower case, with
    hyphens for spaces, and a number where the same comes again."""
    found = set()
    for heading in HEADING.findall(FENCED.sub(blanked, text)):
        shown = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        anchor = re.sub(r"[^\w\- ]", "", shown.lower()).replace(" ", "-")
        number, unique = 0, anchor
        while unique in found:
            number += 1
            unique = f"{anchor}-{number}"
        found.add(unique)
    return found


def links(text):
    """(line, place) of each."""
    prose = CODE.sub(blanked, FENCED.sub(blanked, text))
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
                yield f"{where} there is no such file"
            elif anchor and anchor not in known.get(target, ()):
                yield f"{where} no heading there makes '#{anchor}'"


def main():
    # The rules themselves: of these, the test must find what is wrong.
    text = "# A `b`: c_d, *e*\n## [F](x)\n## F\n```\n# no\n[n](n)\n```\n`[n](n)` [a](b.md#c \"t\")\n[r]: p\n"
    assert anchors(text) == {"a-b-c_d-e", "f", "f-1"}, anchors(text)
    assert list(links(text)) == [(2, "x"), (8, "b.md#c"), (9, "p")], list(links(text))

    root = pathlib.Path(sys.argv[1]).resolve()
    found = list(dead_links(root))
    count = sum(len(list(links(path.read_text()))) for path in documents(root))
    if count < 50:
        found.append(f"only {count} links were found at all")
    print("\n".join(found) if found else f"{count} links lead somewhere")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
