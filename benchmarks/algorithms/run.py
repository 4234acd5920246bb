#!/usr/bin/env python3
"""The algorithms of <cilk/algorithm.h> against std::, std::execution::par and oneTBB: builds
algorithms.cpp in each way, and runs all ways interleaved, pinned, with one worker and with two.

    python3 benchmarks/algorithms/run.py [--bin build/bin] [--rounds 5] [--size 1000000] [ROW...]
"""
import argparse
import os
import statistics
import subprocess
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
WAYS = ("cilk", "std", "par", "oneTBB")


def build(folder, binaries):
    flags = ["-O2", "-march=native", "-std=c++20", "-w"]
    programs = []
    for number, name in enumerate(WAYS):
        program = folder / name
        compiler = binaries / "nopal-clang++" if number == 0 else "clang++-22"
        libraries = ["-ltbb"] if number >= 2 else []
        subprocess.run([compiler, *flags, f"-DWAY={number + 1}", HERE / "algorithms.cpp", "-o",
                        program, *libraries], check=True)
        programs.append(program)
    return programs


def measure(program, size, workers, times, rows):
    """Row: nanoseconds an element."""
    environment = {**os.environ, "CILK_NWORKERS": str(workers), "WORKERS": str(workers)}
    command = ["taskset", "-c", "0" if workers == 1 else f"0-{workers - 1}", program, str(size),
               str(times), *rows]
    done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    return {row: float(time) for row, time in map(str.split, done.stdout.splitlines())}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", type=Path, default=Path("build/bin"))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--size", type=int, default=1_000_000)
    parser.add_argument("--times", type=int, default=15)
    parser.add_argument("rows", nargs="*")
    parser.add_argument("--workers", type=int, action="append")
    arguments = parser.parse_args()
    arguments.workers = arguments.workers or [1, 2]
    with tempfile.TemporaryDirectory() as name:
        programs = build(Path(name), arguments.bin.resolve())
        runs = {}
        for _ in range(arguments.rounds):
            for workers in arguments.workers:
                for way, program in zip(WAYS, programs):
                    for row, time in measure(program, arguments.size, workers, arguments.times,
                                             arguments.rows).items():
                        runs.setdefault((workers, row), {}).setdefault(way, []).append(time)
    print(f"{arguments.size} elements, ns an element, median of {arguments.rounds} (least)")
    for workers in arguments.workers:
        print(f"{workers} workers{'':14}" + "".join(f"{way:>18}" for way in WAYS) + "   cilk/best")
        for (of, row), times in runs.items():
            if of != workers:
                continue
            medians = {way: statistics.median(each) for way, each in times.items()}
            others = [time for way, time in medians.items()
                      if way != "cilk" and (way == "std") == (workers == 1)]
            print(f"  {row:22}" + "".join(
                f"{medians[way]:10.3f} ({min(times[way]):.3f})" if way in medians else f"{'':18}"
                for way in WAYS) + f"{medians['cilk'] / min(others):10.2f}")


if __name__ == "__main__":
    main()
