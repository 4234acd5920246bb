#!/usr/bin/env python3
"""Bounds the instructions that a spawn in a loop with an inlined child costs, counted by callgrind.

    python3 tests/instructions/children_test.py --driver build/bin/nopal-clang++

Counts benchmarks/spawnloop for 300,000 and for 100,000 children. Prints the counts. Exit status 77,
with the reason: not counted here.
"""
import counting

SMALL, LARGE = 100_000, 300_000

# 25.0: all counts are whole here.
MOST_BEYOND = 25.4


if __name__ == "__main__":
    counting.bound_beyond_elision(__doc__.splitlines()[0], "spawnloop/cilk.cpp", (SMALL, LARGE),
                                  "{} children: ".format, lambda size: size, "child", MOST_BEYOND)
