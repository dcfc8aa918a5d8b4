#!/usr/bin/env python3
"""Writes unity files: sources that include several sources each, to be compiled in their place.

    unity_files.py --root CHECKOUT --lines 1500 --include src LIST

LIST names a group and a source in each line; GROUP/0.cpp, GROUP/1.cpp and so on are written beside it.
Most of the time that a small source takes to compile goes into headers and templates, which a unity
file reads and instantiates once.

Two sources share a unity file only if neither can see what the other keeps to itself: the names of
its unnamed namespaces, its static functions and its macros. One that includes a table of macro calls
(.def) itself is compiled alone. So a source means the same in a unity
file as alone. The rule is a little stricter than C++: a name is a word of the text, whatever it
stands for there, and headers that only one of the two includes count as part of it.

Sources that include large headers of others (.hpp) share unity files, so that few include those.

The same sources always give the same unity files, so that a compiler cache has them.
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
# What a name cannot be: x.name, x->name, scope::name.
WORD = re.compile(r"(?:(?<![\w.:>])|(?<=[^-]>)|(?<=[^:]:))[A-Za-z_]\w*")
DECLARED = re.compile(r"(?<![\w:.])([A-Za-z_]\w*)\s*(?=[({=;\[,]|:[^:])")
USING_DECLARATION = re.compile(r"\busing\s+\w+(?:::\w+)+\s*;")
BASES = re.compile(r"(?<=[\w>])\s*:(?!:)[^;{}()=]*\{")
TEMPLATE_ARGUMENTS = re.compile(r"<[^<>;{}]*>")
FORWARD_DECLARATIONS = {"nlohmann/json_fwd.hpp"}
# Words that stand where a name could.
KEYWORDS = frozenset("""__int128 alignas auto bool char const constexpr decltype default delete double
    else enum explicit false final float for friend if inline int long mutable namespace new noexcept
    nullptr operator override private protected public requires return short signed sizeof static
    static_assert static_cast struct switch template this throw true try typename union unsigned using
    virtual void volatile while INSTANTIATE_TEST_SUITE_P TEST TEST_F TEST_P TYPED_TEST
    TYPED_TEST_SUITE""".split())


def declared_names(text, start=0):
    """The names that the namespace declares whose body begins at `start`."""
    kept, braces, parentheses = [], 1, 0
    for at in range(start, len(text)):
        c = text[at]
        if c == "{":
            if braces == 1 and parentheses == 0:
                kept.append("{")
            braces += 1
        elif c == "}":
            braces -= 1
            if braces == 0:
                break
            if braces == 1 and parentheses == 0:
                kept.append(";")
        elif braces == 1:
            if c == ")":
                parentheses -= 1
            elif parentheses == 0:
                kept.append(c)
            if c == "(":
                parentheses += 1
    body = BASES.sub(" {", USING_DECLARATION.sub("", "".join(kept)))
    while (without := TEMPLATE_ARGUMENTS.sub("", body)) != body:
        body = without
    return set(DECLARED.findall(body)) - KEYWORDS


def names_kept_to_itself(text):
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
        # In steps, so that a small change of one file does not move the others.
        self.lines = -(-text.count("\n") // 50) * 50
        self.namespaces = [name.split("::") for name in NAMESPACE.findall(text)] or [[]]
        self.macros = set(MACRO.findall(text))
        code = DIRECTIVE.sub("", text)
        self.words = set(WORD.findall(code))
        self.directive_words = set(re.findall(r"\w+", " ".join(DIRECTIVE.findall(text))))
        self.own_names = names_kept_to_itself(code)
        if not self.namespaces[0]:
            self.own_names |= declared_names(code)  # Of a header that is shared with CUDA's compiler.


def visible(namespace, others):
    """Whether a name of `namespace` can be seen from one of the others, or the other way round: one is
    in the other."""
    return any(namespace[:len(other)] == other[:len(namespace)] for other in others)


class Tree:
    """Files of a checkout, each of which is read once."""

    def __init__(self, folders):
        self.folders = folders
        self.file = functools.cache(File)
        self.included = functools.cache(self._included)

    def _included(self, file):
        """Ours that a file includes."""
        found = []
        for name in file.includes:
            places = (folder / name for folder in (file.path.parent, *self.folders))
            found += [self.file(place.resolve()) for place in places if place.is_file()][:1]
        return found

    def closure(self, file):
        """A file and all of ours that it includes."""
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
        # What a table (.def) is made into, others may have made something else of.
        self.can_share = not any(name.endswith(".def") for name in self.file.includes)
        self.closure = tree.closure(self.file)
        self.has_large_headers = any(file.large_headers for file in self.closure)

    def disturbs(self, other):
        """Whether something that only the other brings can see a name that only this source has."""
        brought = other.closure - self.closure
        for own in self.closure - other.closure:
            if not own.own_names and not own.macros:
                continue
            for seen in brought:
                if not (own.macros.isdisjoint(seen.words) and own.macros.isdisjoint(seen.directive_words)):
                    return True
                if not own.own_names.isdisjoint(seen.words) and any(
                        visible(namespace, seen.namespaces) for namespace in own.namespaces):
                    return True
        return False


def grouped(sources, most_lines):
    """First fit, in the order of paths: what stands in one folder includes much the same."""
    groups = []
    for source in sources:
        # A header that takes as long as a thousand lines is worth larger groups.
        most = most_lines * (2 if source.has_large_headers else 1)
        for group in groups if source.can_share else []:
            if (group[0].has_large_headers == source.has_large_headers and
                    sum(other.file.lines for other in group) + source.file.lines <= most and
                    not any(not other.can_share or source.disturbs(other) or other.disturbs(source)
                            for other in group)):
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
    # No path of this checkout: a compiler cache would take the same file elsewhere for another.
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
    parser.add_argument("--lines", type=int, required=True, help="the most lines of a unity file")
    parser.add_argument("--include", type=pathlib.Path, action="append", default=[],
                        help="a folder in which included files are looked for, beside the source's own")
    parser.add_argument("list", type=pathlib.Path, help="the sources; unity files go beside it")
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
