#!/usr/bin/env python3
"""Bounds the instructions that a spawn of integrate costs, whose test is all its arithmetic: counted by callgrind.

    python3 tests/instructions/late_test.py --driver build/bin/nopal-clang++

A child that ends at its test is not pushed, and no test is done twice (docs/decisions/0021). Counts benchmarks/integrate for 40 and for 20, divided by
the calls in between. Prints the counts. Exit status 77, with the reason: not counted here.
"""
import argparse
import pathlib
import sys
import tempfile

import counting

SMALL, LARGE = 20, 40

# The elision takes 40.5 a call, and this 0.5 more: half of the calls push and pop, the others are no calls any more. Each pushed it was 10.5.
MOST_BEYOND = 1.0


def function(x):
    return (x * x + 1) * x


def calls(x1, y1, x2, y2, area):
    """How often the benchmark calls its function, itself included."""
    half = (x2 - x1) / 2
    x0 = x1 + half
    y0 = function(x0)
    left, right = (y1 + y0) / 2 * half, (y0 + y2) / 2 * half
    if abs(left + right - area) < 1e-9:
        return 1
    return 1 + calls(x1, y1, x0, y0, left) + calls(x0, y0, x2, y2, right)


def calls_to(n):
    return calls(0.0, 0.0, float(n), function(float(n)), function(float(n)) / 2 * n)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--driver", required=True)
    options = parser.parse_args()
    counting.skip_without_valgrind()
    between = calls_to(LARGE) - calls_to(SMALL)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)

        def a_call(command):
            binary = counting.compile_benchmark(command, "integrate/cilk.cpp", folder)
            large, small = (counting.instructions(binary, n, f"integral to {n}: ", folder) for n in (LARGE, SMALL))
            return (large - small) / between

        serial = a_call(counting.serial_elision())
        cilk = a_call([options.driver, "-static-libnopal"])
    print(f"{between} calls; serial elision: {serial:.2f} instructions a call; with a spawn: {cilk:.2f}, at most {MOST_BEYOND} more")
    if cilk > serial + MOST_BEYOND:
        print(f"FAILED: {cilk - serial:.2f} instructions a call more than the serial elision")
        sys.exit(1)


if __name__ == "__main__":
    main()
