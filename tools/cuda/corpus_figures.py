"""Converts the output of `ptxas -v` to JSON: the resources of each kernel. A line "file: NAME" must
precede the output for each file."""

import json
import re
import sys

PROPERTIES = re.compile(
    r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads"
)


def read(lines):
    kernels = {}
    file = kernel = properties_of = None
    for line in lines:
        if line.startswith("file: "):
            file = line[len("file: ") :].strip()
        elif match := re.search(r"Compiling entry function '([^']+)'", line):
            kernel = match[1]
            kernels[kernel] = {
                "file": file,
                "registers": 0,
                "spill_stores": 0,
                "spill_loads": 0,
                "shared": 0,
                "local": 0,
                "constant": {},
            }
        elif match := re.search(r"Function properties for (\S+)", line):
            properties_of = match[1]
        elif (match := PROPERTIES.search(line)) and properties_of == kernel:
            figures = kernels[kernel]
            figures["local"] = int(match[1])
            figures["spill_stores"] = int(match[2])
            figures["spill_loads"] = int(match[3])
        elif match := re.search(r"Used (\d+) registers", line):
            figures = kernels[kernel]
            figures["registers"] = int(match[1])
            if shared := re.search(r"(\d+) bytes smem", line):
                figures["shared"] = int(shared[1])
            for size, bank in re.findall(r"(\d+) bytes cmem\[(\d+)\]", line):
                figures["constant"][bank] = int(size)
    return kernels


def main():
    kernels = read(sys.stdin)
    lines = [f"  {json.dumps(name)}: {json.dumps(kernels[name])}" for name in sorted(kernels)]
    print("{\n" + ",\n".join(lines) + "\n}")


if __name__ == "__main__":
    main()
