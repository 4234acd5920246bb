#!/usr/bin/env python3
"""Bounds the instructions that a spawn of fib costs. Callgrind counts the same in every run, so one
more instruction shows.

    python3 tests/instructions/spawn_test.py --driver build/bin/nopal-clang++

Counts benchmarks/fib for 25 and for 20. The difference contains no start-up. Divided by the
difference of the calls, it is the cost of a call of fib, its spawn included. There are three ways
of compiling: the serial elision, as users compile, and `noinline`, where every spawn is pushed. No
instruction of fib's fast path may wait for a load of the deque's bottom, whose cost on some
processors no count shows (docs/decisions/0020). Prints the counts. A change that makes the spawn
cheaper should lower the bound. Exit status 77, with the reason: not counted here.
"""
import argparse
import pathlib
import re
import sys
import tempfile

import counting

SMALL, LARGE = 20, 25

# name: (arguments of the compiler, most instructions a call of fib, most a spawn)
BOUNDS = {
    "as it is": ([], 13.6, 7.6),
    "noinline": (["-DNOINLINE"], 20.6, 21.5),
}


def fibonacci(n):
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a


def calls(n):
    return 2 * fibonacci(n + 1) - 1


def spawns(n):
    return fibonacci(n + 1) - 1


def loads_of_bottom(driver, folder):
    """What is wrong with fib's fast path. Its push and its pop must compare bottom with the word in
    memory, and load it nowhere."""
    text = counting.compile_benchmark([driver, "-S"], "fib/cilk.cpp", folder).read_text()
    path = re.search(r"^_Z3fibl:.*?\bretq\b", text, re.MULTILINE | re.DOTALL).group()
    compared = len(re.findall(r"cmpq\s+\(%\w+\), %r10\b", path))
    loads = re.findall(r"movq\s+\(%\w+\), %\w+", path)
    print(f"fib's fast path: {compared} comparisons with bottom (expected 2), {len(loads)} loads "
          "of it (expected 0)")
    return [] if compared == 2 and not loads else [f"fib's fast path compares bottom {compared} "
                                                   f"times instead of 2, and loads it: {loads}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--driver", required=True)
    options = parser.parse_args()
    counting.skip_without_valgrind()
    failures = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)

        def count(command):
            binary = counting.compile_benchmark(command, "fib/cilk.cpp", folder)
            large, small = (counting.instructions(binary, n, f"fib({n}) = {fibonacci(n)}", folder)
                            for n in (LARGE, SMALL))
            return large - small

        failures += loads_of_bottom(options.driver, folder)
        serial = count(counting.serial_elision())
        print(f"serial elision: {serial / (calls(LARGE) - calls(SMALL)):.2f} instructions a call")
        for title, (arguments, most_a_call, most_a_spawn) in BOUNDS.items():
            counted = count([options.driver, "-static-libnopal", *arguments])
            a_call = counted / (calls(LARGE) - calls(SMALL))
            a_spawn = (counted - serial) / (spawns(LARGE) - spawns(SMALL))
            print(f"{title}: {a_call:.2f} instructions a call (bound {most_a_call}), "
                  f"{a_spawn:.2f} more than the elision a spawn (bound {most_a_spawn})")
            if a_call > most_a_call:
                failures.append(f"{title}: {a_call:.2f} instructions a call of fib, more than "
                                f"{most_a_call}")
            if a_spawn > most_a_spawn:
                failures.append(f"{title}: {a_spawn:.2f} instructions a spawn, more than "
                                f"{most_a_spawn}")
    for failure in failures:
        print(f"FAILED: {failure}")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
