#!/usr/bin/env python3
"""The algorithms of <cilk/algorithm.h> against std::, std::execution::par and oneTBB: builds
algorithms.cpp, and runs it pinned, with one worker and with two.

    python3 benchmarks/algorithms/run.py [--bin build/bin] [--rounds 5] [--size 1000000] [ROW...]
    python3 benchmarks/algorithms/run.py --program FILE      # compiles FILE if it is missing
                                                             # (with --rounds 0 that alone)
"""
import argparse
import os
import statistics
import subprocess
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent


SERIAL = ["cilk,std"]  # in one run, call by call
PARALLEL = ["cilk", "par", "oneTBB"]  # a run each: idle threads of one would disturb the other


def measure(program, ways, size, workers, times, rows):
    """{row: {way: (median ns, least ns, median of the first way over this one)}}."""
    environment = {**os.environ, "CILK_NWORKERS": str(workers)}
    command = ["taskset", "-c", "0" if workers == 1 else f"0-{workers - 1}", program, str(size),
               str(times), str(workers), ways, *rows]
    done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    result = {}
    for line in done.stdout.splitlines():
        row, *words = line.split()
        result[row] = {words[i]: tuple(map(float, words[i + 1:i + 4]))
                       for i in range(0, len(words), 4)}
    return result


def table(rows, is_paired):
    """Lines of all rounds' results: {row: {way: [...]}}."""
    for row, ways in rows.items():
        line = f"  {row:22}"
        for way, rounds in ways.items():
            medians, leasts, quotients = zip(*rounds)
            line += f"  {way} {statistics.median(medians):.3f} ({min(leasts):.3f})"
            if not is_paired:
                quotients = [cilk[0] / other for cilk, other in zip(ways["cilk"], medians)]
            if way != "cilk":
                line += f" {statistics.median(quotients):.2f}"
        yield line


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", type=Path, default=Path("build/bin"))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--size", type=int, default=1_000_000)
    parser.add_argument("--times", type=int, default=15,
                        help="calls of a way in a process, at least; together they take 30 ms")
    parser.add_argument("--march", default="native")
    parser.add_argument("--program", type=Path, metavar="FILE",
                        help="keeps the compiled program, for a machine without a compiler")
    parser.add_argument("rows", nargs="*")
    parser.add_argument("--workers", type=int, action="append")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        program = (arguments.program or Path(name) / "algorithms").resolve()
        if not program.exists():
            subprocess.run([arguments.bin.resolve() / "nopal-clang++", "-O2",
                            f"-march={arguments.march}", "-std=c++20", "-w",
                            HERE / "algorithms.cpp", "-o", program, "-ltbb"], check=True)
        if not arguments.rounds:
            return
        runs = {}
        for _ in range(arguments.rounds):
            for workers in arguments.workers or [1, 2]:
                for ways in SERIAL if workers == 1 else PARALLEL:
                    for row, figures in measure(program, ways, arguments.size, workers,
                                                arguments.times, arguments.rows).items():
                        for way, each in figures.items():
                            runs.setdefault(workers, {}).setdefault(row, {}).setdefault(
                                way, []).append(each)
    print(f"{arguments.size} elements, ns an element: median of {arguments.rounds} rounds (least), "
          "and cilk over this way")
    for workers, rows in runs.items():
        print(f"{workers} workers")
        print(*table(rows, workers == 1), sep="\n")


if __name__ == "__main__":
    main()
