#!/usr/bin/env python3
"""Checks src and apps with clang and clang-tidy, in addition to g++. A finding is an error.

    clang_checks.py warnings           clang's warnings for all sources, without generating code
    clang_checks.py tidy               clang-tidy over all sources
    clang_checks.py tidy --changed     clang-tidy over the sources that changed recently

The compiler's commands are those of build/clang, which only needs to be configured. Warnings are found in
unity files, which takes a fraction of the time; clang-tidy reads each source alone, and so also finds
missing includes. A header is checked with a source that includes it.

A source changed recently if it has uncommitted changes, or if a commit since this branch left origin/main
changed it. On origin/main itself the last 20 commits count, or as many as the clone has. If more than 25
sources changed, --changed checks the 25 that changed last. --changed omits one slow check, which './dev
lint' includes.

Sources that passed before are not checked again: ccache stores clang's results, ~/.cache/heddle stores
clang-tidy's.
"""

import argparse
import collections
import concurrent.futures
import functools
import hashlib
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "cmake"))
import unity_files  # noqa: E402

BUILD = ROOT / "build/clang"
COMMITS = 20
MAX_SOURCES = 25
UNITY_LINES = 4000  # Of a unity file, at most.
# This check takes a third of clang-tidy's time, in sources with large headers of other projects.
SLOW_CHECK = "-performance-unnecessary-value-param"
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache", "heddle")
# A folder with an empty file for each check that passed, named by the digest of the code and
# settings.
PASSED_CHECKS = CACHE / "clang-tidy"
KEPT_DAYS = 90
INCLUDE = re.compile(r'^\s*#\s*include\s+([<"])([^>"]+)[>"]', re.MULTILINE)


def commands():
    """The entry of the compilation database for each source of src and apps, by the source's path below
    the root. A source that is compiled for several instruction sets has its first entry only."""
    found = {}
    for entry in json.loads((BUILD / "compile_commands.json").read_text()):
        path = pathlib.Path(entry["file"])
        if path.is_relative_to(ROOT / "src") or path.is_relative_to(ROOT / "apps"):
            found.setdefault(path.relative_to(ROOT), entry)
    return found


def run(command, cwd=ROOT):
    """Runs a command, and prints its output in one piece if it fails. Returns whether it succeeded."""
    done = subprocess.run(command, cwd=cwd, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    if done.returncode != 0:
        print(done.stdout, flush=True)
    return done.returncode == 0


def run_all(tool, check, items):
    """Runs `check` for each of `items` in parallel, and prints for how many it failed. Returns whether it
    failed for none."""
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        failed = list(pool.map(check, items)).count(False)
    print(f"{tool}: {failed or 'none'} of {len(items)} files with findings")
    return failed == 0


def common_header(sources):
    """The text of a header that includes the external headers that ten sources or more include."""
    counts = collections.Counter()
    for path in sources:
        counts.update({name for kind, name in INCLUDE.findall((ROOT / path).read_text())
                       if kind == "<"})
    return "".join(f"#include <{name}>\n" for name, n in sorted(counts.items()) if n >= 10)


def flags_of(entry):
    """The compiler flags of a command that change the meaning of a source."""
    command = shlex.split(entry["command"])
    kept = [word for word in command if re.match(r"-([DIW]|f(?!PI)|std|isystem|m(?!arch))", word) or
            command[command.index(word) - 1] == "-isystem"]
    return [*kept, "-DFMT_SHARED", "-O0"]


def forget_old(folder, pattern):
    """Removes the files of a cache that no check has used lately."""
    for file in folder.glob(pattern):
        if time.time() - file.stat().st_mtime > KEPT_DAYS * 24 * 3600:
            file.unlink(missing_ok=True)


def precompiled_header(compiler, flags, text):
    """Precompiles a header with this text, and returns the result's path, or None if that fails.

    The result contains paths, and ccache compares the results of two checkouts bit by bit. So both files
    are in a folder that depends on their content only, not on the checkout, and clang runs there."""
    flags = [flag for flag in flags if str(ROOT) not in flag]
    key = hashlib.sha256("\0".join([*flags, text]).encode()).hexdigest()
    header = CACHE / "clang" / key[:16] / "common.h"
    header.parent.mkdir(parents=True, exist_ok=True)
    forget_old(CACHE / "clang", "*/common.[!h]*")
    # Another checkout may be checked at the same time, so each file is replaced in one step.
    mine = header.with_suffix(f".{os.getpid()}")
    if not header.exists():
        mine.write_text(text)
        mine.replace(header)
    if not run([*compiler, *flags, "-x", "c++-header", header, "-o", mine],
               cwd=header.parent):
        return None
    return mine.replace(header.with_suffix(".pch"))


def unity_sources(by_path):
    """Writes unity files of sources that are compiled with the same flags. Returns their paths, each with
    the flags."""
    tree = unity_files.Tree([ROOT / "src", ROOT / "tests"])
    by_flags = collections.defaultdict(list)
    for path, entry in by_path.items():
        by_flags[tuple(flags_of(entry))].append(unity_files.Source(ROOT / path, tree))
    folder = BUILD / "unity"
    found = []
    for number, (flags, sources) in enumerate(by_flags.items()):
        unity_files.write_group(folder / str(number), sources, UNITY_LINES, ROOT)
        found += [(path, [*flags, "-I", str(ROOT)]) for path in sorted((folder / str(number)).glob("*.cpp"))]
    return found


def warnings():
    by_path = commands()
    cache = [shutil.which("ccache")] if shutil.which("ccache") else []
    # With time stamps, a precompiled header from the cache would count as out of date.
    compiler = ["clang++", "-Xclang", "-fno-pch-timestamp"]
    flags = flags_of(by_path[pathlib.Path("src/base/file.cpp")])
    precompiled = precompiled_header(compiler, flags, common_header(by_path))
    if not precompiled:
        return False
    return run_all("clang", run, [[*cache, *compiler, *flags, "-include-pch", precompiled, "-fsyntax-only", path]
                                  for path, flags in unity_sources(by_path)])


def git(*words):
    done = subprocess.run(["git", *words], cwd=ROOT, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL)
    return done.stdout.split("\n") if done.returncode == 0 else []


def changed():
    """The paths that changed recently, the latest first; a path may occur several times."""
    fork_point = git("merge-base", "HEAD", "origin/main")[:1]
    head = git("rev-parse", "HEAD")[:1]
    since = [f"{fork_point[0]}..HEAD"] if fork_point and fork_point != head else [f"--max-count={COMMITS}", "HEAD"]
    uncommitted = git("ls-files", "--modified", "--others", "--exclude-standard")
    # The first commit of a shallow clone has all files, so it is left out.
    commits = git("log", "--format=%H", "--min-parents=1", *since)
    return uncommitted + [path for commit in commits if commit
                          for path in git("diff", "--name-only", f"{commit}^", commit)]


def sources_of(path, sources):
    """The sources whose check covers a file: the file itself, or a source that includes it."""
    if path in sources:
        return [path]
    if path.suffix not in (".h", ".def") or path.parts[0] not in ("src", "apps"):
        return []
    beside = path.with_suffix(".cpp")
    if beside in sources:
        return [beside]
    # The names by which it is included: relative to src, or to the program's folder.
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
    return list(found)[:MAX_SOURCES]


@functools.cache
def tool_version():
    return subprocess.run(["clang-tidy", "--version"], text=True, capture_output=True).stdout


def settings_of(path, command):
    """Everything but the code that determines clang-tidy's findings in a source."""
    configurations = [ROOT / folder / ".clang-tidy" for folder in path.parents]
    return [tool_version(), str(path), *(word for word in map(str, command) if word.startswith("--")),
            *(file.read_text() for file in configurations if file.is_file())]


def preprocessed(entry):
    """A source with its includes, and with comments, which may contain NOLINT."""
    command = ["clang++", *flags_of(entry), "-E", "-P", "-CC", entry["file"]]
    return subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout


def tidy_once(command, path, entry):
    """Runs clang-tidy unless the same code passed before, under the same settings."""
    code = preprocessed(entry)
    key = hashlib.sha256("\0".join(settings_of(path, command)).encode() + code).hexdigest()
    if (PASSED_CHECKS / key).exists():
        (PASSED_CHECKS / key).touch()
        return True
    if not run(command):
        return False
    (PASSED_CHECKS / key).touch()
    return True


def tidy(only_changed):
    by_path = commands()
    sources = changed_sources(list(by_path)) if only_changed else list(by_path)
    once = BUILD / "once"
    once.mkdir(exist_ok=True)
    (once / "compile_commands.json").write_text(json.dumps(list(by_path.values())))
    PASSED_CHECKS.mkdir(parents=True, exist_ok=True)
    forget_old(PASSED_CHECKS, "*")
    tool = ["clang-tidy", "-p", once, "--quiet", *([f"--checks={SLOW_CHECK}"] if only_changed else [])]
    return run_all("clang-tidy", lambda path: tidy_once([*tool, path], path, by_path[path]), sources)


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
