#!/usr/bin/env python3
"""Bounds the instructions that a spawn of fib costs, counted by callgrind: the same in every run, so nobody loses one unseen.

    python3 tests/instructions/spawn_test.py --driver build/bin/nopal-clang++

Counts benchmarks/fib for 25 and for 20: the difference is free of the start, and divided by the difference of the calls it is what a call of
fib costs, its spawn included. Three ways of compiling: serial elision, as users compile, and `noinline`, where every spawn is pushed.
Prints the counts. A change that makes the spawn cheaper should lower the bound. Exit status 77, with the reason: not counted here.
"""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SMALL, LARGE = 20, 25
SKIPPED = 77

# name: (arguments of the compiler, most instructions a call of fib, most a spawn)
BOUNDS = {
    "as it is": ([], 17.2, 14.7),
    "noinline": (["-DNOINLINE"], 23.7, 27.6),
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


def compile_fib(command, output):
    subprocess.run([*command, "-std=c++20", "-O3", str(ROOT / "benchmarks" / "fib" / "cilk.cpp"), "-o", str(output)], check=True)
    return output


def instructions(binary, n, folder):
    """Instructions of a whole run with one worker."""
    done = subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder / 'callgrind.out'}", str(binary), str(n)],
                          env={"PATH": "/usr/bin:/bin", "CILK_NWORKERS": "1"}, capture_output=True, text=True)
    if done.returncode != 0 or f"fib({n}) = {fibonacci(n)}" not in done.stdout:
        sys.exit(f"{binary} {n} under callgrind: status {done.returncode}\n{done.stdout}{done.stderr}")
    return int(re.search(r"Collected\s*:\s*(\d+)", done.stderr).group(1))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--driver", required=True)
    options = parser.parse_args()
    if shutil.which("valgrind") is None:
        print("skipped: valgrind is not installed; bash tests/install/dependencies installs it")
        sys.exit(SKIPPED)
    clang = shutil.which("clang++-22") or "clang++-22"
    failures = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)

        def count(binary):
            return instructions(binary, LARGE, folder) - instructions(binary, SMALL, folder)

        serial = count(compile_fib([clang, "-DCILK_SERIAL", "-I", str(ROOT / "runtime" / "include")], folder / "serial"))
        print(f"serial elision: {serial / (calls(LARGE) - calls(SMALL)):.2f} instructions a call")
        for title, (arguments, most_a_call, most_a_spawn) in BOUNDS.items():
            counted = count(compile_fib([options.driver, "-static-libnopal", *arguments], folder / "cilk"))
            a_call = counted / (calls(LARGE) - calls(SMALL))
            a_spawn = (counted - serial) / (spawns(LARGE) - spawns(SMALL))
            print(f"{title}: {a_call:.2f} instructions a call (bound {most_a_call}), "
                  f"{a_spawn:.2f} more than the elision a spawn (bound {most_a_spawn})")
            if a_call > most_a_call:
                failures.append(f"{title}: {a_call:.2f} instructions a call of fib, more than {most_a_call}")
            if a_spawn > most_a_spawn:
                failures.append(f"{title}: {a_spawn:.2f} instructions a spawn, more than {most_a_spawn}")
    for failure in failures:
        print(f"FAILED: {failure}")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
