#!/usr/bin/env python3
"""Bounds the instructions that a small parallel loop costs beyond the serial one, counted by
callgrind.

    python3 tests/instructions/loop_test.py --driver build/bin/nopal-clang++

Counts benchmarks/loops/hot, which repeats a loop of 100 trivial iterations, for 3,000 and for 1,000
repetitions. The difference contains no start-up. Prints the counts. Exit status 77, with the
reason: not counted here.
"""
import counting

SMALL, LARGE = 1000, 3000
ITERATIONS = 100

# The address of the runtime's byte, a comparison, a branch: 3.1 more in all.
MOST_A_LOOP = 3.3


def result(rounds):
    last = ITERATIONS - 1
    return f"hot {rounds}: {rounds * last + rounds * (rounds - 1) // 2}"


if __name__ == "__main__":
    counting.bound_beyond_elision(__doc__.splitlines()[0], "loops/hot.cpp", (SMALL, LARGE), result,
                                  lambda rounds: rounds, "loop", MOST_A_LOOP)
