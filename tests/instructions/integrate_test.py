#!/usr/bin/env python3
"""Bounds the instructions that a spawn of integrate costs, counted by callgrind. Its test needs all
its arithmetic.

    python3 tests/instructions/integrate_test.py --driver build/bin/nopal-clang++

The test has too many instructions for an early exit (docs/decisions/0009), so each child is pushed.
Counts benchmarks/integrate for 40 and for 20, divided by the calls in between. Prints the counts.
Exit status 77, with the reason: not counted here.
"""
import counting

SMALL, LARGE = 20, 40

# The elision takes 40.5 a call, and this 10.5 more: half of the calls push and pop.
MOST_BEYOND = 10.9


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


if __name__ == "__main__":
    counting.bound_beyond_elision(__doc__.splitlines()[0], "integrate/cilk.cpp", (SMALL, LARGE),
                                  "integral to {}: ".format, calls_to, "call", MOST_BEYOND)
