#!/usr/bin/env python3
"""What clang and clang-tidy say of src and apps, beside g++: a finding is an error.

    clang_checks.py warnings           reads all that is built, without making code of it
    clang_checks.py tidy               clang-tidy over all that is built
    clang_checks.py tidy --changed     over what changed lately

Both take the commands from build/clang, which only has to be configured. A header is looked at with a
source that includes it. 'Lately' is since this branch left origin/main; where it has not left it, in
the last 20 commits, or in as many as the clone has, and in what is not committed. Of more than 40
sources these are the 40 that changed last, and a check that is slow is left out: './dev lint' is for
all.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / "build/clang"
COMMITS = 20
MOST = 40
# Takes a third of the time where large headers of others are included.
SLOW = "-performance-unnecessary-value-param"
INCLUDE = re.compile(r'^\s*#\s*include\s+([<"])([^>"]+)[>"]', re.MULTILINE)


def commands():
    """How each source of src and apps is compiled, by its path below the root. What is compiled for
    several processors is taken once, as it is for all."""
    found = {}
    for entry in json.loads((BUILD / "compile_commands.json").read_text()):
        path = pathlib.Path(entry["file"])
        if path.is_relative_to(ROOT / "src") or path.is_relative_to(ROOT / "apps"):
            found.setdefault(path.relative_to(ROOT), entry)
    return found


def run(command):
    """Whether it found nothing; what it says is shown in one piece."""
    done = subprocess.run(command, cwd=ROOT, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    if done.returncode != 0:
        print(done.stdout, flush=True)
    return done.returncode == 0


def run_all(what, every_command):
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        failed = list(pool.map(run, every_command)).count(False)
    print(f"{what}: {failed or 'none'} of {len(every_command)} sources with findings")
    return failed == 0


def read_once(sources):
    """What ten sources or more include of others' headers, in one header that is read beforehand."""
    counts = collections.Counter()
    for path in sources:
        counts.update({name for kind, name in INCLUDE.findall((ROOT / path).read_text())
                       if kind == "<"})
    header = BUILD / "read_once.h"
    header.write_text("".join(f"#include <{name}>\n" for name, n in sorted(counts.items()) if n >= 10))
    return header


def warnings():
    by_path = commands()
    compiler = "clang++"

    def flags(entry):
        command = shlex.split(entry["command"])
        kept = [word for word in command if re.match(r"-([DIW]|f(?!PI)|std|isystem|m(?!arch))", word) or
                command[command.index(word) - 1] == "-isystem"]
        return [*kept, "-DFMT_SHARED", "-O0"]

    own = flags(by_path[pathlib.Path("src/base/file.cpp")])
    header = read_once(by_path)
    if not run([compiler, *own, "-x", "c++-header", header, "-o", f"{header}.pch"]):
        return False
    return run_all("clang", [[compiler, *flags(entry), "-include-pch", f"{header}.pch",
                              "-fsyntax-only", ROOT / path] for path, entry in by_path.items()])


def git(*words):
    done = subprocess.run(["git", *words], cwd=ROOT, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL)
    return done.stdout.split("\n") if done.returncode == 0 else []


def changed():
    """What changed lately, the last first; a path may come again."""
    left = git("merge-base", "HEAD", "origin/main")[:1]
    head = git("rev-parse", "HEAD")[:1]
    since = [f"{left[0]}..HEAD"] if left and left != head else [f"--max-count={COMMITS}", "HEAD"]
    uncommitted = git("ls-files", "--modified", "--others", "--exclude-standard")
    # A clone's first commit has all files: it says nothing of what changed.
    commits = git("log", "--format=%H", "--min-parents=1", *since)
    return uncommitted + [path for commit in commits if commit
                          for path in git("diff", "--name-only", f"{commit}^", commit)]


def sources_of(path, sources):
    """The sources that show what is in a file: itself, or one that includes it."""
    if path in sources:
        return [path]
    if path.suffix not in (".h", ".def") or path.parts[0] not in ("src", "apps"):
        return []
    own = path.with_suffix(".cpp")
    if own in sources:
        return [own]
    # As it is included: from src, or from the program's own folder.
    names = {path.relative_to(path.parts[0]).as_posix(), path.relative_to(
        pathlib.Path(*path.parts[:2])).as_posix(), path.name}
    for source in sources:
        if any(kind == '"' and name in names
               for kind, name in INCLUDE.findall((ROOT / source).read_text())):
            return [source]
    return []


def changed_sources(sources):
    found = {}
    for name in changed():
        for source in sources_of(pathlib.Path(name), sources):
            found[source] = True
    return list(found)[:MOST]


def tidy(only_changed):
    by_path = commands()
    sources = changed_sources(list(by_path)) if only_changed else list(by_path)
    once = BUILD / "once"
    once.mkdir(exist_ok=True)
    (once / "compile_commands.json").write_text(json.dumps(list(by_path.values())))
    tool = ["clang-tidy", "-p", once, "--quiet", *([f"--checks={SLOW}"] if only_changed else [])]
    return run_all("clang-tidy", [[*tool, path] for path in sources])


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("check", choices=("warnings", "tidy"))
    parser.add_argument("--changed", action="store_true")
    arguments = parser.parse_args()
    good = warnings() if arguments.check == "warnings" else tidy(arguments.changed)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
