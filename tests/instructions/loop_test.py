#!/usr/bin/env python3
"""Bounds the instructions that a small parallel loop costs beyond the serial one, counted by callgrind.

    python3 tests/instructions/loop_test.py --driver build/bin/nopal-clang++

Counts benchmarks/loops/hot, a loop of 100 trivial iterations over and over, for 3,000 and for 1,000 rounds: the difference is free of the
start. Prints the counts. Exit status 77, with the reason: not counted here.
"""
import argparse
import pathlib
import sys
import tempfile

import counting

SMALL, LARGE = 1000, 3000
ITERATIONS = 100

# The address of the runtime's byte, a comparison, a branch: 2.9 more in all.
MOST_A_LOOP = 3.3


def result(rounds):
    last = ITERATIONS - 1
    return f"hot {rounds}: {rounds * last + rounds * (rounds - 1) // 2}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--driver", required=True)
    options = parser.parse_args()
    counting.skip_without_valgrind()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)

        def a_loop(command):
            binary = counting.compile_benchmark(command, "loops/hot.cpp", folder)
            large, small = (counting.instructions(binary, rounds, result(rounds), folder) for rounds in (LARGE, SMALL))
            return (large - small) / (LARGE - SMALL)

        serial = a_loop(counting.serial_elision())
        cilk = a_loop([options.driver, "-static-libnopal"])
    print(f"serial elision: {serial:.2f} instructions a loop; cilk_for: {cilk:.2f}, at most {MOST_A_LOOP} more")
    if cilk > serial + MOST_A_LOOP:
        print(f"FAILED: {cilk - serial:.2f} instructions a loop more than the serial elision")
        sys.exit(1)


if __name__ == "__main__":
    main()
