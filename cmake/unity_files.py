#!/usr/bin/env python3
"""Writes unity files: sources that include several sources each, and are compiled in their place.

    unity_files.py --root CHECKOUT --lines 1500 --include src LIST

LIST has a group and a source in each line. The unity files GROUP/0.cpp, GROUP/1.cpp and so on are written
beside LIST. Compiling a small source spends most of the time in headers and templates, which a unity file
reads and instantiates only once.

A source must mean the same in a unity file as alone. Two sources therefore share a unity file only if
neither mentions a file-local name of the other: a name in an unnamed namespace, a static function or a
macro. The check is slightly stricter than C++: any word of a source counts as a mention, and so do the
words of headers that only one of the two sources includes. A source that itself includes a table of macro
calls (.def) is compiled alone.

Sources that include large third-party headers (.hpp) share unity files, so that few files include
these.

The same sources always give the same unity files, so that a compiler cache can reuse them.
"""

import argparse
import collections
import functools
import pathlib
import re
import sys

NOT_CODE = re.compile(r"""//[^\n]* | /\*.*?\*/ | R"(\w*)\(.*?\)\1" | "(?:\\.|[^"\\\n])*" |
                          (?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'""", re.DOTALL | re.VERBOSE)
LARGE_HEADER = re.compile(r'^[ \t]*#[ \t]*include[ \t]+<([^>]+[.]hpp)>', re.MULTILINE)
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]+"([^"]+)"', re.MULTILINE)
NAMESPACE = re.compile(r"^namespace ([\w:]+) \{", re.MULTILINE)
UNNAMED_NAMESPACE = re.compile(r"\bnamespace\s*\{")
MACRO = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", re.MULTILINE)
STATIC = re.compile(r"^static\s[^;({=]*?(\w+)\s*[({=;\[]", re.MULTILINE)
DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n\\]|\\.)*", re.MULTILINE | re.DOTALL)
# Words that can refer to a name of a namespace: not x.name, x->name or scope::name.
WORD = re.compile(r"(?:(?<![\w.:>])|(?<=[^-]>)|(?<=[^:]:))[A-Za-z_]\w*")
DECLARED = re.compile(r"(?<![\w:.])([A-Za-z_]\w*)\s*(?=[({=;\[,]|:[^:])")
USING_DECLARATION = re.compile(r"\busing\s+\w+(?:::\w+)+\s*;")
BASES = re.compile(r"(?<=[\w>])\s*:(?!:)[^;{}()=]*\{")
TEMPLATE_ARGUMENTS = re.compile(r"<[^<>;{}]*>")
FORWARD_DECLARATIONS = {"nlohmann/json_fwd.hpp"}
# Words that look like declared names, but are not.
KEYWORDS = frozenset("""__int128 alignas auto bool char const constexpr decltype default delete double
    else enum explicit false final float for friend if inline int long mutable namespace new noexcept
    nullptr operator override private protected public requires return short signed sizeof static
    static_assert static_cast struct switch template this throw true try typename union unsigned using
    virtual void volatile while INSTANTIATE_TEST_SUITE_P TEST TEST_F TEST_P TYPED_TEST
    TYPED_TEST_SUITE""".split())


def declared_names(text, start=0):
    """The names declared in a namespace whose body begins at `start`."""
    outer_text, braces, parentheses = [], 1, 0
    for at in range(start, len(text)):
        c = text[at]
        if c == "{":
            if braces == 1 and parentheses == 0:
                outer_text.append("{")
            braces += 1
        elif c == "}":
            braces -= 1
            if braces == 0:
                break
            if braces == 1 and parentheses == 0:
                outer_text.append(";")
        elif braces == 1:
            if c == ")":
                parentheses -= 1
            elif parentheses == 0:
                outer_text.append(c)
            if c == "(":
                parentheses += 1
    body = BASES.sub(" {", USING_DECLARATION.sub("", "".join(outer_text)))
    while (without := TEMPLATE_ARGUMENTS.sub("", body)) != body:
        body = without
    return set(DECLARED.findall(body)) - KEYWORDS


def file_local_names(text):
    names = set(STATIC.findall(text))
    for opened in UNNAMED_NAMESPACE.finditer(text):
        names |= declared_names(text, opened.end())
    return names


class File:
    def __init__(self, path):
        text = path.read_text()
        self.includes = INCLUDE.findall(text)
        self.large_headers = set(LARGE_HEADER.findall(text)) - FORWARD_DECLARATIONS
        text = NOT_CODE.sub(" ", text)
        self.path = path
        # Rounded up to 50, so that a small change of one file does not regroup the others.
        self.lines = -(-text.count("\n") // 50) * 50
        self.namespaces = [name.split("::") for name in NAMESPACE.findall(text)] or [[]]
        self.macros = set(MACRO.findall(text))
        code = DIRECTIVE.sub("", text)
        self.words = set(WORD.findall(code))
        self.directive_words = set(re.findall(r"\w+", " ".join(DIRECTIVE.findall(text))))
        self.own_names = file_local_names(code)
        if not self.namespaces[0]:
            # A file without a namespace is a header that is shared with CUDA's compiler.
            self.own_names |= declared_names(code)


def sees_any(namespace, others):
    """True if `namespace` contains one of the others or is contained in it, so that names of one
    are visible in the other."""
    return any(namespace[:len(other)] == other[:len(namespace)] for other in others)


class Tree:
    """The files of a checkout; each is read only once."""

    def __init__(self, folders):
        self.folders = folders
        self.file = functools.cache(File)
        self.included = functools.cache(self._included)

    def _included(self, file):
        """The files of this checkout that a file includes."""
        found = []
        for name in file.includes:
            places = (folder / name for folder in (file.path.parent, *self.folders))
            found += [self.file(place.resolve()) for place in places if place.is_file()][:1]
        return found

    def closure(self, file):
        """A file and all files of this checkout that it includes, directly or not."""
        seen, pending = set(), [file]
        while pending:
            here = pending.pop()
            if here not in seen:
                seen.add(here)
                pending += self.included(here)
        return seen


class Source:
    def __init__(self, path, tree):
        self.file = tree.file(path)
        # Two sources may define a table's (.def) macros differently.
        self.can_share = not any(name.endswith(".def") for name in self.file.includes)
        self.closure = tree.closure(self.file)
        self.has_large_headers = any(file.large_headers for file in self.closure)

    def conflicts_with(self, other):
        """True if text that only the other source has mentions a file-local name of this source."""
        only_in_other = other.closure - self.closure
        for mine in self.closure - other.closure:
            if not mine.own_names and not mine.macros:
                continue
            for theirs in only_in_other:
                if not (mine.macros.isdisjoint(theirs.words) and mine.macros.isdisjoint(theirs.directive_words)):
                    return True
                if not mine.own_names.isdisjoint(theirs.words) and any(
                        sees_any(namespace, theirs.namespaces) for namespace in mine.namespaces):
                    return True
        return False


def grouped(sources, most_lines):
    """Groups sources first-fit in the order of paths: sources of one folder include similar
    headers."""
    groups = []
    for source in sources:
        # Large headers take so long to compile that larger groups pay off.
        limit = most_lines * (2 if source.has_large_headers else 1)
        for group in groups if source.can_share else []:
            if (group[0].has_large_headers == source.has_large_headers and
                    sum(other.file.lines for other in group) + source.file.lines <= limit and
                    not any(not other.can_share or source.conflicts_with(other) or
                            other.conflicts_with(source) for other in group)):
                group.append(source)
                break
        else:
            groups.append([source])
    return groups


def write_if_different(path, text):
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def write_group(folder, sources, most_lines, root):
    folder.mkdir(parents=True, exist_ok=True)
    # Paths are relative to the checkout, so that a compiler cache works for other checkouts too.
    texts = {folder / f"{number}.cpp": "".join(f'#include "{source.file.path.relative_to(root)}"\n'
                                               for source in group)
             for number, group in enumerate(grouped(sources, most_lines))}
    for old in set(folder.glob("*.cpp")) - set(texts):
        old.unlink()
    for path, text in texts.items():
        write_if_different(path, text)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=pathlib.Path, required=True, help="the checkout")
    parser.add_argument("--lines", type=int, required=True, help="the largest number of lines of a unity file")
    parser.add_argument("--include", type=pathlib.Path, action="append", default=[],
                        help="a folder in which to look for included files, besides the source's own")
    parser.add_argument("list", type=pathlib.Path, help="the sources; unity files are written beside it")
    arguments = parser.parse_args()
    root = arguments.root.resolve()
    groups = collections.defaultdict(list)
    for line in arguments.list.read_text().splitlines():
        group, path = line.split(maxsplit=1)
        groups[group].append(pathlib.Path(path).resolve())
    tree = Tree([folder.resolve() for folder in arguments.include])
    for group, paths in groups.items():
        write_group(arguments.list.parent / group, [Source(path, tree) for path in sorted(paths)],
                    arguments.lines, root)
    return 0


if __name__ == "__main__":
    sys.exit(main())
