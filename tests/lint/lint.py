#!/usr/bin/env python3
"""Small checks of the whole tree: prints `path:line: message` for each violation and exits with 1
if there is one.

    python3 tests/lint/lint.py [CHECK...]      CHECK: a name in CHECKS below; default: all

Only the standard library of Python. What each check asks for, and why, stands at the top of its
file; tests: lint_test.py.
"""
import sys
from pathlib import Path

import atomics
import includes
import layout
import links
import order
import odr
import names as code_names
import prose
import tables
import text
import words
from tree import Tree

CHECKS = {
    "includes": includes.check,
    "atomics": atomics.check,
    "text": text.check,
    "links": links.check,
    "order": order.check,
    "layout": layout.check,
    "odr": odr.check,
    "names": code_names.check,
    "prose": prose.check,
    "tables": tables.check,
    "words": words.check,
}


def main(names):
    unknown = [name for name in names if name not in CHECKS]
    if unknown:
        print(f"lint: no check is called '{unknown[0]}'; there are: {' '.join(CHECKS)}",
              file=sys.stderr)
        return 2
    tree = Tree(Path(__file__).resolve().parents[2])
    violations = 0
    for name in names or CHECKS:
        for path, line, message in CHECKS[name](tree):
            print(f"{path}:{line}: {message}")
            violations += 1
    print(f"lint: {len(tree.paths)} files, {violations} violations")
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
