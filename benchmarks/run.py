#!/usr/bin/env python3
"""Times the benchmarks: interleaved rounds, pinned, medians with their spread; results are checked, timings are never judged.

    python3 benchmarks/run.py [--driver build/bin/nopal-clang++] [--rounds 9] [--argument 40] [--json FILE] [--quick]

Prints a row a variant and the ratios that docs/performance.md quotes. Needs the build (bash tests/run or bash docs/examples/run)
and nothing else. --quick: one small round, to see that it works.
"""
import argparse
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent


def build(folder, driver, clang):
    """Compiles every variant of fib at -O3; returns a dictionary from name to (command, workers, processors)."""
    source = HERE / "fib" / "cilk.cpp"
    include = ["-I", str(ROOT / "runtime" / "include")]
    elision = [clang, "-O3", "-DCILK_SERIAL", *include, str(source)]
    binaries = {
        "serial": elision,
        "serial, both calls kept": [*elision, "-DKEEP_CALLS"],
        "shared": [driver, "-O3", str(source)],
        "static": [driver, "-O3", "-static-libnopal", str(source)],
    }
    for number, (name, command) in enumerate(binaries.items()):
        output = folder / f"fib{number}"
        subprocess.run([*command, "-o", str(output)], check=True)
        binaries[name] = str(output)
    return {
        "serial elision": (binaries["serial"], None, 1),
        "serial elision, both calls kept": (binaries["serial, both calls kept"], None, 1),
        "1 worker, libnopal.so": (binaries["shared"], 1, 1),
        "1 worker, libnopal.a": (binaries["static"], 1, 1),
        "1 worker, full fence": (binaries["static"], 1, 1),
        "2 workers, libnopal.a": (binaries["static"], 2, 2),
    }


def run_once(binary, workers, processors, name, argument):
    """Seconds of one whole process, and what it printed."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith("CILK_")}
    if workers:
        environment["CILK_NWORKERS"] = str(workers)
    if "full fence" in name:
        environment["CILK_FENCE"] = "full"
    allowed = sorted(os.sched_getaffinity(0))[:processors]
    start = time.perf_counter()
    done = subprocess.run([binary, str(argument)], env=environment, check=True, capture_output=True, text=True,
                          preexec_fn=lambda: os.sched_setaffinity(0, allowed))
    return time.perf_counter() - start, done.stdout


def measure(variants, rounds, argument):
    """Runs all variants in turn, `rounds` times; the order is the same in each round, so drift hits all alike."""
    seconds = {name: [] for name in variants}
    expected = None
    for number in range(rounds + 1):  # the first round warms up
        for name, (binary, workers, processors) in variants.items():
            took, printed = run_once(binary, workers, processors, name, argument)
            expected = expected or printed
            if printed != expected:
                sys.exit(f"run.py: {name} printed {printed!r}, not {expected!r}")
            if number:
                seconds[name].append(took)
        print(f"\rround {number} of {rounds}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return seconds


def ratio(seconds, above, below):
    """Median of the ratios pair by pair."""
    return statistics.median(a / b for a, b in zip(seconds[above], seconds[below]))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--driver", default=str(ROOT / "build" / "bin" / "nopal-clang++"))
    parser.add_argument("--clang", default=shutil.which("clang++-22") or "clang++-22")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--argument", type=int, default=40)
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    if options.quick:
        options.rounds, options.argument = 1, 20
    if not os.access(options.driver, os.X_OK):
        sys.exit(f"run.py: no driver at {options.driver}; build first, or name it with --driver")
    with tempfile.TemporaryDirectory() as folder:
        variants = build(pathlib.Path(folder), options.driver, options.clang)
        if len(os.sched_getaffinity(0)) < 2:
            print("run.py: one processor only: the row with 2 workers is left out", file=sys.stderr)
            del variants["2 workers, libnopal.a"]
        seconds = measure(variants, options.rounds, options.argument)
    print(f"fib({options.argument}), whole process, {options.rounds} interleaved rounds, load {os.getloadavg()[0]:.1f}")
    for name, times in seconds.items():
        print(f"  {name:34} {statistics.median(times) * 1e3:9.1f} ms   ({min(times) * 1e3:.1f} to {max(times) * 1e3:.1f})")
    ratios = {
        "T1/Tserial, libnopal.so": ("1 worker, libnopal.so", "serial elision"),
        "T1/Tserial, libnopal.a": ("1 worker, libnopal.a", "serial elision"),
        "T1/Tserial, both calls kept": ("1 worker, libnopal.a", "serial elision, both calls kept"),
        "full fence against asymmetric": ("1 worker, full fence", "1 worker, libnopal.a"),
        "T1/T2": ("1 worker, libnopal.a", "2 workers, libnopal.a"),
    }
    result = {name: ratio(seconds, *pair) for name, pair in ratios.items() if pair[1] in seconds}
    for name, value in result.items():
        print(f"  {name:34} {value:9.2f}")
    if options.json:
        options.json.write_text(json.dumps({"seconds": seconds, "ratios": result}, indent=1) + "\n")


if __name__ == "__main__":
    main()
