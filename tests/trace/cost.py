#!/usr/bin/env python3
"""What a trace costs, by hand, on a quiet machine: processor time and wall-clock time with
CILK_TRACE over those without, medians of pairs.

    python3 tests/trace/cost.py --bin build/bin [--pairs 15]       some minutes
    python3 tests/trace/cost.py --bin build/bin --programs FOLDER  compiles there what is missing

The two runs of a pair have environments of one size, since that moves the stack. Exits with 1 if a
program takes more than 3 % more processor time.
"""
import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parents[2]
# Program of benchmarks/ -> size of a run of some tenths of a second.
PROGRAMS = {"fib": 41, "cilksort": 10_000_000, "nqueens": 13, "heat": 100}
MOST = 0.03


def measure(program, size, workers, variable, trace):
    """(processor time, wall-clock time) of one run, in seconds."""
    environment = {name: value for name, value in os.environ.items()
                   if not name.startswith("CILK_")}
    environment.update({"CILK_NWORKERS": str(workers), variable: str(trace)})
    begun = time.monotonic()
    # A virtual machine's processors differ; with one worker the sampler moves the program.
    processors = sorted(os.sched_getaffinity(0))[:workers]
    process = subprocess.Popen([program, str(size)], env=environment, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL,
                               preexec_fn=lambda: os.sched_setaffinity(0, processors))
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"{program} failed")
    return usage.ru_utime + usage.ru_stime, time.monotonic() - begun


def cost(program, size, workers, pairs, trace):
    """The medians of what runs with a trace take more: processor time, wall-clock time."""
    ratios = []
    for pair in range(pairs):
        order = ("CILK_TRACE", "SILK_TRACE") if pair % 2 else ("SILK_TRACE", "CILK_TRACE")
        found = {variable: measure(program, size, workers, variable, trace) for variable in order}
        ratios.append([traced / plain for traced, plain in zip(*(
            found[variable] for variable in ("CILK_TRACE", "SILK_TRACE")))])
    return [median(column) - 1 for column in zip(*ratios)]


def compile_missing(folder, binaries):
    folder.mkdir(exist_ok=True)
    for name in PROGRAMS:
        if not (folder / name).exists():
            subprocess.run([binaries / "nopal-clang++", "-std=c++20", "-O2",
                            f"-I{ROOT}/benchmarks", ROOT / "benchmarks" / name / "cilk.cpp", "-o",
                            folder / name], check=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", required=True, type=Path)
    parser.add_argument("--pairs", type=int, default=15)
    parser.add_argument("--programs", type=Path, metavar="FOLDER",
                        help="keeps the compiled programs, for a machine without a compiler")
    options = parser.parse_args()
    is_over = False
    with tempfile.TemporaryDirectory(prefix="nopal-trace-cost-") as scratch:
        folder = options.programs or Path(scratch)
        compile_missing(folder, options.bin)
        if not options.pairs:
            return 0
        print("program     workers  processor time  wall-clock time")
        for name, size in PROGRAMS.items():
            for workers in (1, 2):
                processor, wall = cost(folder / name, size, workers, options.pairs,
                                       Path(scratch, "x.pftrace"))
                is_over = is_over or processor > MOST
                print(f"{name:10} {workers:8} {100 * processor:+13.2f} % {100 * wall:+14.2f} %",
                      flush=True)
    return 1 if is_over else 0


if __name__ == "__main__":
    sys.exit(main())
