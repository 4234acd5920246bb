#!/usr/bin/env python3
"""Measures time against T1/P + c*Tinf, and steals against P*Tinf, for programs with known work and
span.

    python3 benchmarks/bounds/run.py [--build build] [--runs 30] [--seconds S] [--json FILE]
                                     [--svg FILE] [--show FILE] [--quick]

A round runs every program with every number of workers once, so that what the machine does
meanwhile meets all rows alike. Ends after --runs rounds, or with the round that is under way after
--seconds; then prints each row, the fit, and how often thieves looked. Times are shown only for as
many workers as there are processors, and judged never; beyond that the counts alone mean something.
T1 is the time with one worker, Tinf is T1 * span / work. Status 1 if a program computes something
wrong.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import fit

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))  # for harness
import plot  # noqa: E402

ROOT = HERE.parents[1]
PROGRAMS = ([("tree", d) for d in (8, 12, 16, 20)] + [("skewed", d) for d in (1000, 10000)] +
            [("sum", 10 ** g) for g in range(7)]
            + [("mergesort", 1 << 20), ("parallel_merge", 1 << 20)])
QUICK = [("tree", 8), ("skewed", 100), ("sum", 10000), ("mergesort", 1 << 14),
         ("parallel_merge", 1 << 14)]
WORKERS = [1, 2, 4, 8, 16]
MEASURED = ("seconds", "steals", "attempts", "searching", "parks")


def run_once(binary, program, number, workers):
    """What one run printed, as a dictionary of numbers."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("CILK_")}
    environment.update(CILK_NWORKERS=str(workers), CILK_SEGMENT_SIZE="64M")
    done = subprocess.run(["bash", "-c", 'ulimit -s 262144; exec "$@"', "bash", str(binary),
                           program, str(number)], env=environment,
                          capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        sys.exit(
            f"run.py: {program} {number}, {workers} workers: status "
            f"{done.returncode}\n{done.stderr}")
    return {key: float(value) for key, value in (line.split() for line in done.stdout.splitlines())}


def measure(binary, programs, workers_list, rounds, seconds):
    """Rows by (program, number, workers), each with a list a quantity, a value a round."""
    taken = {(program, number, workers): [] for program, number in programs
             for workers in workers_list}
    start = time.monotonic()
    for number in range(rounds):
        for key in taken:
            taken[key].append(run_once(binary, *key))
        spent = time.monotonic() - start
        print(f"\rround {number + 1} of {rounds}, {spent:.0f} s", end="", file=sys.stderr,
              flush=True)
        if spent > seconds:
            break
    print(file=sys.stderr)
    rows = []
    for (program, number, workers), runs in taken.items():
        row = {"program": program, "number": number, "workers": workers, "work": runs[0]["work"],
               "span": runs[0]["span"]}
        rows.append(row | {what: [run[what] for run in runs] for what in MEASURED})
    return rows


def summarize(rows, cpus):
    """Adds medians and quartiles, T1 and Tinf, and where times mean something c."""
    for row in rows:
        alone = next(r for r in rows
                     if (r["program"], r["number"], r["workers"]) == (row["program"], row["number"],
                                                                      1))
        for what in MEASURED:
            row[what + "_spread"] = fit.spread(row[what])
        row["t1"] = alone["seconds_spread"]["median"]
        row["tinf"] = row["t1"] * row["span"] / row["work"]
        row["bound"] = row["workers"] * row["span"]
        row["is_timed"] = row["workers"] <= cpus
        row["c"] = (row["seconds_spread"]["median"] - row["t1"] / row["workers"]) / row["tinf"]


def print_rows(rows):
    print("program          number  T1/Tinf   P   T_P/ms (quartiles)            T1/P/ms  "
          "Tinf/ms      c   steals (quartiles; most)   attempts (quartiles; most) P*Tinf")
    for row in rows:
        seconds, steals, attempts = (row[what + "_spread"]
                                     for what in ("seconds", "steals", "attempts"))
        timed, c = "      -                      ", "     -"
        if row["is_timed"]:
            low, middle, high = (1e3 * seconds[name] for name in ("low", "median", "high"))
            timed = f"{middle:8.3f} ({low:.3f} to {high:.3f})".ljust(29)
            c = f"{row['c']:6.1f}" if row["workers"] > 1 else c
        counts = "  ".join(
            f"{s['median']:7.0f} ({s['low']:.0f} to {s['high']:.0f}; {s['highest']:.0f})".ljust(26)
            for s in (steals, attempts))
        print(f"{row['program']:15} {row['number']:7} {row['work'] / row['span']:8.0f} "
              f"{row['workers']:3} {timed} {row['t1'] / row['workers'] * 1e3:8.3f} "
              f"{row['tinf'] * 1e3:8.4f} {c} {counts} {row['bound']:.0f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--runs", type=int, default=30, help="rounds (default %(default)s)")
    parser.add_argument("--seconds", type=float, default=1e9,
                        help="end with the round that is under way then")
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--svg", type=pathlib.Path)
    parser.add_argument("--show", type=pathlib.Path, metavar="FILE",
                        help="measure nothing: show (and plot) what an earlier --json wrote")
    parser.add_argument("--quick", action="store_true",
                        help="small sizes, two rounds: the test that ctest runs")
    options = parser.parse_args()
    if options.show:
        report = json.loads(options.show.read_text())
    else:
        programs, workers_list = (QUICK, [1, 4]) if options.quick else (PROGRAMS, WORKERS)
        before = os.getloadavg()[0]
        with tempfile.TemporaryDirectory() as name:
            binary = pathlib.Path(name) / "bounds"
            subprocess.run([str(options.build.resolve() / "bin/nopal-clang++"), "-O2", "-std=c++20",
                            str(HERE / "bounds.cpp"), "-o", str(binary)],
                           check=True)
            rows = measure(binary, programs, workers_list, 2 if options.quick else options.runs,
                           options.seconds)
        report = {"load": before, "cpus": len(os.sched_getaffinity(0)), "rows": rows}
    summarize(report["rows"], report["cpus"])
    print(f"{len(report['rows'][0]['seconds'])} runs a row, {report['cpus']} processors, load "
          f"{report['load']:.1f} at the start; "
          "times with more workers than processors are left out")
    print_rows(report["rows"])
    for line in fit.describe(report["rows"]):
        print(line)
    if options.json:
        options.json.write_text(json.dumps(report, indent=1) + "\n")
    if options.svg:
        plot.plot(report["rows"], options.svg)


if __name__ == "__main__":
    main()
