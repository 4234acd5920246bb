#!/usr/bin/env python3
"""Prints the random program of a seed.

  generate.py 17             the C++ program of seed 17
  generate.py 17 --c         a C program
  generate.py 17 --no-exceptions
  generate.py 17 --off 4,9   without these nodes of its tree
"""

import argparse
import sys

import tree
from program import generate


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("seed", type=int)
    parser.add_argument("--c", action="store_true", help="in C")
    parser.add_argument("--no-exceptions", action="store_true",
                        help="without exceptions, for -fno-exceptions")
    parser.add_argument("--off", default="", metavar="N,N", help="nodes that are left out")
    options = parser.parse_args()
    off = {int(number) for number in options.off.split(",") if number}
    sys.stdout.write(tree.render(generate(options.seed, options.c, not options.no_exceptions), off))


if __name__ == "__main__":
    main()
