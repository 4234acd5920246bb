#!/usr/bin/env python3
"""Prints the random program of a seed.

  generate.py 17             the C++ program of seed 17
  generate.py 17 --c         a C program
  generate.py 17 --no-exceptions
"""

import argparse
import sys

from program import generate


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("seed", type=int)
    parser.add_argument("--c", action="store_true", help="in C")
    parser.add_argument("--no-exceptions", action="store_true", help="without exceptions, for -fno-exceptions")
    options = parser.parse_args()
    sys.stdout.write(generate(options.seed, options.c, not options.no_exceptions))


if __name__ == "__main__":
    main()
