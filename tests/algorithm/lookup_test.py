#!/usr/bin/env python3
"""No function of a user's namespace is taken for one of ours: lookup.cpp, in which the namespace of
the user's types has a template of each name that the headers define, all of which are an error to
be considered.

    python3 tests/algorithm/lookup_test.py build/bin/nopal-clang++
"""
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
HEADERS = HERE.parents[1] / "runtime" / "include"
# A definition or declaration of a function stands at the beginning of a line.
FUNCTION = re.compile(r"^(?!using|struct|class|#|//|/\*| )[\w:<>,&* \[\]]*?\b(\w+)\(", re.M)


def main():
    names = set()
    for header in sorted((HEADERS / "cilk").rglob("*.h")):
        names |= set(FUNCTION.findall(header.read_text()))
    names = {name for name in names if name.islower() and not name.startswith(("__", "nopal"))}
    names -= {"decltype", "static_assert"}
    if len(names) < 60 or not {"combine", "sort", "reduce_values", "insert_all"} <= names:
        sys.exit("the headers' functions were not found")
    with tempfile.TemporaryDirectory(prefix="nopal-lookup-") as folder:
        lines = [f"NOPAL_GREEDY({name})\n" for name in sorted(names)]
        (Path(folder) / "names.inc").write_text("".join(lines))
        for standard in ("-std=c++17", "-std=c++20"):
            subprocess.run([sys.argv[1], standard, "-Wno-deprecated-declarations", "-fsyntax-only",
                            f"-I{HEADERS}", f"-I{folder}", HERE / "lookup.cpp"], check=True)


if __name__ == "__main__":
    main()
