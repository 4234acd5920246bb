#!/usr/bin/env python3
"""Builds a program with the driver, at two levels, and its serial elision with another compiler.
Runs the first two with several numbers of workers and simulated steals: each prints what the serial
elision prints.

    python3 tests/algorithm/run.py --bin build/bin tests/algorithm/values.cpp [ARGUMENT...]
"""
import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# Debian's libstdc++ calls a function deprecated that its own std::stable_sort uses.
WARNINGS = ["-Wall", "-Wextra", "-Werror", "-Wno-deprecated-declarations"]
LEVELS = (["-O2", "-std=c++20"], ["-O0", "-std=c++17"])
SETTINGS = [{"CILK_NWORKERS": str(workers)} for workers in (1, 2, 8)]
SETTINGS += [{"CILK_NWORKERS": "1", "CILK_CHAOS": "1:1"},
             {"CILK_NWORKERS": "8", "CILK_CHAOS": "2:0.1"}]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", type=Path, required=True)
    parser.add_argument("source", type=Path)
    parser.add_argument("arguments", nargs="*")
    options = parser.parse_args()
    failures = 0
    with tempfile.TemporaryDirectory(prefix="nopal-algorithm-") as name:
        program = Path(name) / "program"

        def built(compiler, flags):
            subprocess.run([compiler, *flags, *WARNINGS, options.source, "-o", program], check=True)

        def output(setting):
            done = subprocess.run([program, *options.arguments], stdout=subprocess.PIPE, text=True,
                                  timeout=120, env={**os.environ, **setting}, check=False)
            return done.returncode, done.stdout

        built("g++", ["-std=c++17", "-O1", "-DCILK_SERIAL", f"-I{ROOT / 'runtime' / 'include'}"])
        expected = output({})
        print(expected[1], end="")
        if expected[0] != 0 or not expected[1]:
            sys.exit("the serial elision fails")
        for flags in LEVELS:
            built(options.bin / "nopal-clang++", flags)
            for setting in SETTINGS:
                if output(setting) != expected:
                    print(f"{' '.join(flags)}, {setting}: other output than the serial elision")
                    failures += 1
    sys.exit(failures != 0)


if __name__ == "__main__":
    main()
