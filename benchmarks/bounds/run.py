#!/usr/bin/env python3
"""Measures time against T1/P + c*Tinf, and thefts against P*Tinf, for programs with known work and span.

    python3 benchmarks/bounds/run.py [--build build] [--runs 30] [--json FILE] [--quick]

Times are shown only for as many workers as there are processors, and judged never; beyond that the counts alone mean something. T1
is the median with one worker, Tinf is T1 * span / work. Status 1 if a program computes something wrong.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PROGRAMS = ([("tree", d) for d in (8, 12, 16, 20)] + [("skewed", d) for d in (1000, 10000)] +
            [("sum", 10 ** g) for g in range(7)] + [("mergesort", 1 << 20), ("parallel_merge", 1 << 20)])
QUICK = [("tree", 8), ("skewed", 100), ("sum", 10000), ("mergesort", 1 << 14), ("parallel_merge", 1 << 14)]
WORKERS = [1, 2, 4, 8, 16]


def run_once(binary, program, number, workers, report):
    environment = {k: v for k, v in os.environ.items() if not k.startswith("CILK_")}
    environment.update(CILK_NWORKERS=str(workers), CILK_STATS=str(report), CILK_SEGMENT_SIZE="64M")
    done = subprocess.run(["bash", "-c", 'ulimit -s 262144; exec "$@"', "bash", str(binary), program, str(number)], env=environment,
                          capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        sys.exit(f"run.py: {program} {number}, {workers} workers: status {done.returncode}\n{done.stderr}")
    printed = {key: float(value) for key, value in (line.split() for line in done.stdout.splitlines())}
    total = json.loads(report.read_text())["total"]
    return {**printed, "steals": total["steals"], "attempts": total["steal_attempts"]}


def spread(values):
    return {"median": statistics.median(values), "lowest": min(values), "highest": max(values)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--runs", type=int, default=30)
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    programs, workers_list = (QUICK, [1, 4]) if options.quick else (PROGRAMS, WORKERS)
    runs = 2 if options.quick else options.runs
    cpus = len(os.sched_getaffinity(0))
    rows = []
    with tempfile.TemporaryDirectory() as name:
        binary, report = pathlib.Path(name) / "bounds", pathlib.Path(name) / "statistics.json"
        subprocess.run([str(options.build.resolve() / "bin/nopal-clang++"), "-O2", "-std=c++20", str(HERE / "bounds.cpp"), "-o", str(binary)],
                       check=True)
        print(f"{runs} runs a row, {cpus} processors, load {os.getloadavg()[0]:.1f}; times with more workers than processors are left out")
        print("program         number      T1/Tinf   P   T_P/ms (lowest to highest)   T1/P+Tinf/ms   c     steals (to)  attempts (to)  P*Tinf/units")
        for program, number in programs:
            t1 = tinf = None
            for workers in workers_list:
                taken = [run_once(binary, program, number, workers, report) for _ in range(runs)]
                seconds, steals, attempts = (spread([t[key] for t in taken]) for key in ("seconds", "steals", "attempts"))
                work, span = taken[0]["work"], taken[0]["span"]
                if t1 is None:
                    t1 = seconds["median"]
                    tinf = t1 * span / work
                row = {"program": program, "number": number, "workers": workers, "work": work, "span": span, "t1": t1, "tinf": tinf,
                       "runs": runs, "seconds": seconds, "steals": steals, "attempts": attempts, "is_timed": workers <= cpus,
                       "c": (seconds["median"] - t1 / workers) / tinf}
                rows.append(row)
                timed = (f"{seconds['median'] * 1e3:9.3f} ({seconds['lowest'] * 1e3:.3f} to {seconds['highest'] * 1e3:.3f})"
                         if row["is_timed"] else "-")
                c = f"{row['c']:6.1f}" if row["is_timed"] and workers > 1 else "     -"
                print(f"{program:15} {number:8} {work / span:11.1f} {workers:3}   {timed:30} {(t1 / workers + tinf) * 1e3:9.3f} {c}"
                      f"  {steals['median']:7.0f} ({steals['highest']:.0f}) {attempts['median']:8.0f} ({attempts['highest']:.0f}) "
                      f"{workers * span:12.0f}", flush=True)
    if options.json:
        options.json.write_text(json.dumps({"load": os.getloadavg()[0], "cpus": cpus, "rows": rows}, indent=1) + "\n")


if __name__ == "__main__":
    main()
