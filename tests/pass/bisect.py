#!/usr/bin/env python3
"""Which pass breaks a program: clang's own passes and the plugin's, by -opt-bisect-limit.

    bisect.py --check 'COMMAND' -- nopal-clang++ -O2 bug.cpp -o bug

Compiles with fewer and fewer optional passes. After each compilation COMMAND (for the shell) tells
a good program (0) from a bad one. Prints the pass after which it is bad, and how to look at its
work. Required passes always run; -opt-disable=NAME switches one optional pass off alone.

Exit: 0 if a pass was found; 1 if the program is good with all passes, or bad without any.
"""
import argparse
import re
import subprocess
import sys

RUNNING = re.compile(r"^BISECT: running pass \((\d+)\) (.+)$", re.MULTILINE)


class Compilation:
    def __init__(self, command, check):
        self.command, self.check = command, check

    def passes(self, limit):
        """Compiles with the first `limit` optional passes (-1: all); their names, as they ran."""
        done = subprocess.run([*self.command, "-mllvm", f"-opt-bisect-limit={limit}"],
                              capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"bisect: the compiler fails with -opt-bisect-limit={limit}:\n"
                     f"{done.stderr[-2000:]}")
        return [name for _, name in RUNNING.findall(done.stderr)]

    def is_good(self, limit):
        self.passes(limit)
        good = subprocess.run(self.check, shell=True, capture_output=True).returncode == 0
        print(f"bisect: {limit} passes: {'good' if good else 'bad'}", file=sys.stderr)
        return good


def first_bad(last, is_good):
    """The first number in 1..last that is not good; 0 is good and `last` is not."""
    good, bad = 0, last
    while bad - good > 1:
        middle = (good + bad) // 2
        good, bad = (middle, bad) if is_good(middle) else (good, middle)
    return bad


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", required=True, help="0 if the program is good")
    parser.add_argument("command", nargs="+", help="the compiler with its arguments, after --")
    arguments = parser.parse_args()
    compilation = Compilation(arguments.command, arguments.check)
    names = compilation.passes(-1)
    if not names:
        sys.exit("bisect: the command runs no optional pass")
    if compilation.is_good(len(names)):
        print("bisect: good with all passes")
        return 1
    if not compilation.is_good(0):
        print("bisect: bad without any optional pass: the program, the check or a required pass is "
              "wrong")
        return 1
    number = first_bad(len(names), compilation.is_good)
    print(f"bisect: bad after pass {number} of {len(names)}: {names[number - 1]}")
    name = names[number - 1].split(" on ")[0]
    print(f"bisect: look at it: -mllvm -opt-bisect-limit={number} -mllvm -print-changed=diff "
          f"-mllvm -filter-passes={name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
