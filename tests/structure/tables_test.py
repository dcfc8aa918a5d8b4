#!/usr/bin/env python3
"""tables_test.py ROOT COMPILER OPTIONS...

Checks that the simulator does not compile if an operation, a class of operations or a PTX instruction has
an incomplete entry. A table or header is changed in a copy, which the compiler finds before the original;
then a source that includes it is compiled."""

import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

OPERATIONS = "code/operation.def"
OPCODES = "ptx/opcode.def"
PROPERTIES = "code/operation_properties.h"

TOO_FEW = r"requires \d+ arguments, but only \d+ given|too few arguments provided"
NOT_A_MEMBER = r"'oracular' is not a member of|no member named 'oracular'"
NOT_HANDLED = r"enumeration value 'invented' not handled in switch"

# The beginning of every switch over a property of an operation.
SWITCH = "switch (properties_of("


class Compiler:
    def __init__(self, root, command):
        self.source = root / "src"
        self.command = command

    def errors(self, file, changed, text, first_only):
        """The errors in `file` if the header or table `changed` contains `text`. If `first_only`, the
        compiler stops after the first error."""
        stop = ["-Wfatal-errors"] if first_only else []
        with tempfile.TemporaryDirectory() as folder:
            copy = pathlib.Path(folder) / changed
            copy.parent.mkdir(parents=True)
            copy.write_text(text)
            done = subprocess.run(
                [*self.command, *stop, "-std=c++20", "-fsyntax-only", "-I", folder, "-I",
                 self.source, self.source / file],
                capture_output=True, text=True, env={**os.environ, "LC_ALL": "C"})
        found = re.findall(r"error: .*", done.stderr)
        if done.returncode != 0 and not found:
            found = [f"error: exit status {done.returncode}: {done.stderr}"]
        return found


def checks(root):
    """The checks, each a tuple: description, file to compile, changed file and its text, expected error (None:
    it must compile), and expected number of errors."""

    def with_row(table, row):
        text = (root / "src" / table).read_text()
        return re.sub(r"^#undef", row + "\n#undef", text, count=1, flags=re.M)

    for description, row, error in [
            ("an operation with all columns",
             "HEDDLE_OPERATION(invented, integer, lanes, pure, brief, integers(1, 2))", None),
            ("an operation without its expansion",
             "HEDDLE_OPERATION(invented, integer, lanes, pure, brief)", TOO_FEW),
            ("an operation of an unknown class",
             "HEDDLE_OPERATION(invented, oracular, lanes, pure, brief, once)", NOT_A_MEMBER)]:
        yield description, "code/operation.cpp", OPERATIONS, with_row(OPERATIONS, row), error, 1

    for description, row, error in [
            ("an opcode with its function", 'HEDDLE_PTX_OPCODE(invented, "invented", lower_abs)', None),
            ("an opcode without its function", 'HEDDLE_PTX_OPCODE(invented, "invented")', TOO_FEW)]:
        yield description, "code/lowering/select.cpp", OPCODES, with_row(OPCODES, row), error, 1

    text, classes = re.subn(r"(enum class \w+Class : std::uint8_t \{)", r"\1 invented,",
                            (root / "src" / PROPERTIES).read_text())
    assert classes == 3, f"{classes} classes in {PROPERTIES}"
    for path in sorted((root / "src").glob("**/*.cpp")):
        if switches := path.read_text().count(SWITCH):
            file = path.relative_to(root / "src")
            yield f"a new class in {file}", file, PROPERTIES, text, NOT_HANDLED, switches


def failure(compiler, check):
    """What went wrong, or None."""
    description, file, changed, text, error, times = check
    errors = compiler.errors(file, changed, text, first_only=times == 1)
    if error is None:
        return f"{description} does not compile: {errors}" if errors else None
    if not errors:
        return f"{description} compiles"
    found = sum(re.search(error, line) is not None for line in errors)
    return None if found == times else f"{description}: not {times} errors like '{error}' but {errors}"


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    compiler = Compiler(root, sys.argv[2:])
    all_checks = list(checks(root))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        failures = [text for text in pool.map(lambda check: failure(compiler, check), all_checks) if text]
    switching = [check[0] for check in all_checks if check[4] == NOT_HANDLED]
    if len(switching) < 6:
        failures.append(f"expected at least 6 files with switches over a class, found {switching}")
    print("\n".join(failures) if failures else f"{len(all_checks)} compilations had the expected result")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
