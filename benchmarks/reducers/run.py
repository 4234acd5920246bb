#!/usr/bin/env python3
"""What reducers cost: builds lookup.cpp and sum.cpp, and runs all ways of a sum interleaved.

    python3 benchmarks/reducers/run.py [--bin build/bin] [--rounds 5] [--size 1000000]
"""
import argparse
import os
import statistics
import subprocess
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
WAYS = ("cilk_for, cilk::reducer", "cilk_for, accumulators by hand", "serial loop",
        "oneTBB parallel_reduce", "oneTBB combinable", "OpenMP reduction",
        "oneTBB enumerable_thread_specific")
FLAGS = {3: ["-ltbb"], 4: ["-ltbb"], 5: ["-fopenmp"], 6: ["-ltbb"]}
STOCK = {2, 3, 4, 5, 6}  # ways that the stock compiler builds


def build(folder, binaries):
    nopal = binaries / "nopal-clang++"
    flags = ["-O2", "-march=native", "-std=c++20"]
    subprocess.run([nopal, *flags, HERE / "lookup.cpp", "-o", folder / "lookup"], check=True)
    programs = []
    for number, _ in enumerate(WAYS):
        program = folder / f"sum{number}"
        compiler = "clang++-22" if number in STOCK else nopal
        subprocess.run([compiler, *flags, f"-DWAY={number + 1}", HERE / "sum.cpp", "-o", program,
                        *FLAGS.get(number, [])], check=True)
        programs.append(program)
    return programs


def seconds(program, size, workers, times):
    environment = {**os.environ, "CILK_NWORKERS": str(workers), "OMP_NUM_THREADS": str(workers),
                   "WORKERS": str(workers)}
    command = ["taskset", "-c", "0" if workers == 1 else f"0-{workers - 1}", program, str(size),
               str(times)]
    done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    return float(done.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", type=Path, default=Path("build/bin"))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--size", type=int, default=1_000_000)
    parser.add_argument("--times", type=int, default=200)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        programs = build(Path(name), arguments.bin.resolve())
        for _ in range(2):
            subprocess.run([Path(name) / "lookup"], check=True,
                           env={**os.environ, "CILK_CHAOS": "1:1", "CILK_NWORKERS": "1"})
        for workers in (1, 2):
            runs = [[] for _ in WAYS]
            for _ in range(arguments.rounds):
                for way, program in enumerate(programs):
                    runs[way].append(seconds(program, arguments.size, workers, arguments.times))
            print(f"{arguments.size} numbers, {workers} workers, median of {arguments.rounds}"
                  f" (least to most), us:")
            for way, times in zip(WAYS, runs):
                print(f"  {way:34} {statistics.median(times) * 1e6:8.1f}"
                      f"  ({min(times) * 1e6:.1f} to {max(times) * 1e6:.1f})")


if __name__ == "__main__":
    main()
