#!/usr/bin/env python3
"""Measures what trimming costs: the share of its system calls and faults, and pairs of runs with
and without it.

    python3 benchmarks/space/trimming.py [--build build] [--pairs 30] [--workers 2] [--programs 2]
                                         [--json FILE]

First a survey: every program of the set, statistics and a preloaded library (time_trimming.c) that
adds up the processor time in each madvise that releases pages. The share is that time, and the
faults that runs without trimming do not have, over the user and system time of the process: counts
times costs, which says more than a clock on a noisy machine. Then, for the programs with the most
steals a second, --pairs pairs of runs in turn, with and without (no_trimming.c): wall, and user and
system time. Judges nothing.
"""
import argparse
import json
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import time

import run as space

HERE = pathlib.Path(__file__).resolve().parent
# Long enough for a clock: some tenths of a second with two workers.
SIZES = {"fib": 38, "skewed": 10000, "chain": 9, "wide": 40_000_000, "suspends": 13, "uts": 4000,
         "cilksort": 4_000_000, "loops": 6000}
SURVEY_RUNS = 5


def build_shim(folder, name):
    shim = folder / f"{name}.so"
    subprocess.run(["clang-22", "-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC",
                    str(HERE / f"{name}.c"), "-o", str(shim)], check=True)
    return shim


def spread(values):
    low, middle, high = statistics.quantiles(values, n=4,
                                             method="inclusive") if len(values) > 1 else values * 3
    return {"low": low, "median": middle, "high": high}


def run_timed(binary, name, workers, environment):
    """Wall and processor seconds, and minor faults, of one run."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    segment = space.PROGRAMS[name][3]
    _, wall = space.run_once(binary, SIZES[name], workers,
                             {"CILK_NWORKERS": str(workers), "CILK_SEGMENT_SIZE": segment,
                              **environment})
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return {"wall": wall,
            "cpu": after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime,
            "faults": after.ru_minflt - before.ru_minflt}


def survey(name, binary, workers, folder, shims):
    """Medians of some runs of one program: steals a second, calls, and the share of what they
    cost."""
    counted, plain, without = [], [], []
    for _ in range(SURVEY_RUNS):
        report, times = folder / "statistics.json", folder / "trimming.json"
        run = run_timed(binary, name, workers,
                        {"CILK_STATS": str(report), "LD_PRELOAD": str(shims["time"]),
                         "NOPAL_TRIMMING": str(times)})
        total = json.loads(report.read_text())["total"]
        counted.append(run | json.loads(times.read_text()) | {"steals": total["steals"],
                                                              "suspends": total["suspends"]})
        plain.append(run_timed(binary, name, workers, {}))
        without.append(run_timed(binary, name, workers, {"LD_PRELOAD": str(shims["no"])}))
    middle = lambda rows, what: statistics.median(row[what] for row in rows)
    row = {what: middle(counted, what)
           for what in ("steals", "suspends", "calls", "spent_ns", "fault_ns")}
    row |= {"wall": middle(plain, "wall"), "cpu": middle(plain, "cpu"),
            "faults": max(0, middle(plain, "faults") - middle(without, "faults"))}
    row["steals_a_second"] = row["steals"] / row["wall"]
    row["call_ns"] = row["spent_ns"] / max(row["calls"], 1)
    row["share"] = (row["spent_ns"] + row["faults"] * row["fault_ns"]) * 1e-9 / max(row["cpu"],
                                                                                    1e-9)
    return row


def pairs(name, binary, workers, count, shims):
    ratios = {"wall": [], "cpu": []}
    for number in range(count + 1):
        runs = {}
        for variant in ("with", "without") if number % 2 == 0 else ("without", "with"):
            runs[variant] = run_timed(binary, name, workers, {"LD_PRELOAD": str(shims["no"])}
                                      if variant == "without" else {})
        if number:  # the first pair warms up
            for what, values in ratios.items():
                values.append(runs["with"][what] / max(runs["without"][what], 1e-3))
    return {what: spread(values) for what, values in ratios.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=space.ROOT / "build")
    parser.add_argument("--pairs", type=int, default=30)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--programs", type=int, default=2,
                        help="how many of them, those with the most steals a second, run in pairs "
                             "(default %(default)s)")
    parser.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()
    print(f"{options.workers} workers, {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}")
    print("program   size       wall/ms  cpu/ms   steals/s  steals  decommits   ns each  faults "
          "more  ns each  share of cpu")
    try:
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            built, _ = space.compile_all(folder, options.build.resolve(), list(SIZES), False)
            shims = {"no": build_shim(folder, "no_trimming"),
                     "time": build_shim(folder, "time_trimming")}
            # run.py preloads no_trimming.so if it is there
            shims["no"] = shims["no"].rename(folder / "without.so")
            rows = {}
            for program in SIZES:
                row = rows[program] = survey(program, built["nopal"][program], options.workers,
                                             folder, shims)
                print(f"{program:9} {SIZES[program]:<9} {row['wall'] * 1e3:8.0f} "
                      f"{row['cpu'] * 1e3:7.0f} {row['steals_a_second']:10.0f} "
                      f"{row['steals']:7.0f} "
                      f"{row['calls']:11.0f} {row['call_ns']:8.0f} {row['faults']:12.0f} "
                      f"{row['fault_ns']:8.0f} {100 * row['share']:12.4f} %", flush=True)
            heaviest = sorted(rows,
                              key=lambda program: -rows[program]["steals_a_second"])[
                                  :options.programs]
            for program in heaviest:
                ratios = rows[program]["ratios"] = pairs(program, built["nopal"][program],
                                                         options.workers, options.pairs, shims)
                print(f"{program}, {options.pairs} pairs, with/without: " + "; ".join(
                    f"{what} {r['median']:.4f} (quartiles {r['low']:.4f} to {r['high']:.4f})"
                    for what, r in ratios.items()), flush=True)
    except space.Failure as failure:
        sys.exit(f"trimming.py: {failure}")
    if options.json:
        options.json.write_text(json.dumps({"load": os.getloadavg()[0], "workers": options.workers,
                                            "rows": rows}, indent=1) + "\n")


if __name__ == "__main__":
    main()
