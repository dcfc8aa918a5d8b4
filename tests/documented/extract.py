#!/usr/bin/env python3
"""extract.py DOCUMENT FILE OUTPUT: writes the block of C++ whose first line is the comment `// FILE`."""

import pathlib
import re
import sys


def main():
    document, file, output = sys.argv[1:]
    text = pathlib.Path(document).read_text()
    blocks = re.findall(r"^```cpp\n(.*?)^```$", text, re.M | re.S)
    found = [block for block in blocks if block.startswith(f"// {file}\n")]
    if len(found) != 1:
        print(f"{document}: {len(found)} blocks of C++ begin with '// {file}'")
        return 1
    # Messages of the compiler name the document.
    line = text[:text.index(found[0])].count("\n") + 1
    pathlib.Path(output).write_text(f'#line {line} "{document}"\n{found[0]}')
    return 0


if __name__ == "__main__":
    sys.exit(main())
