#!/usr/bin/env python3
"""Holds the theorems on work stealing against simulated runs, and fits their constants.

    python3 benchmarks/policies/run.py [--sim build/bin/nopal-sim] [--quick] [--jobs 2]
                                       [--json FILE] [--markdown FILE] [--svg FOLDER]

Each group below is a list of calls of nopal-sim, which checks the laws of every run. Status 1 if a
run breaks a law, or if a bound that has no constant is passed (fit.py). --quick: few seeds and
P up to 256, some seconds; else 30 seeds up to P = 1,024 and 3 above. Needs no quiet machine:
time is virtual. The same options give the same files.
"""
import argparse
import concurrent.futures
import json
import pathlib
import subprocess
import sys

import fit
import plot

ROOT = pathlib.Path(__file__).resolve().parents[2]
ALL = "random,nearest,localized,hashing,mugging,half"
PROGRAMS = ("tree:depth=14", "tree:depth=18", "skewed:leaves=100000,ratio=0.9", "fib:n=24",
            "loops:outer=300,inner=300", "uts:depth=8,work=10")
LARGE = ("tree:depth=22", "fib:n=30")
OWNERS = "localized,hashing,mugging"  # policies that share words
MENDS = ("fences,late", "tree,late", "tree,fences")  # all of --mend but one


def groups(is_quick):
    """Name of the group -> calls: (programs, workers, policies, seeds, more options)."""
    few, many = (4, [4, 16, 64]) if is_quick else (30, [4, 16, 64, 256, 1024])
    bounds = [(p, [w], ALL, few, []) for p in PROGRAMS[:3 if is_quick else None] for w in many]
    if not is_quick:
        bounds += [(p, [w], ALL, 3, []) for p in LARGE for w in (4096, 16384, 65536)]
    bounds += [(p, [w], OWNERS, few, ["--costs", "unit-words"])
               for p in PROGRAMS[:2 if is_quick else None] for w in many]
    space = [(f"deep:leaves={4 * w},ratio={ratio},depth=400,leaf=1000", [w], ALL, 2, [])
             for w in many for ratio in (0.01, 0.5, 0.9, 0.99)]
    paper = ["--general", "0"]
    ratios = (1, 4, 16) if is_quick else (1, 4, 16, 64, 256)
    owners = [16, 64] if is_quick else [16, 64, 256, 1024]
    steal_backs = [(f"owners:owners={w // 4},depth=10,m={m}", [w], "localized,mugging", few, paper)
                   for w in owners for m in ratios]
    # As shipped: one root, and general steals in spite of helpers. As many tasks in all.
    steal_backs += [(f"tasks:depth={w.bit_length() + 7},m={m}", [w], OWNERS, few, [])
                    for w in owners for m in ratios]
    remark1 = [("remark1:scale=10", [3], "random,localized,mugging", few, more)
               for more in (paper, [])]
    explosion = [("remark2:height=14", [w], "localized,mugging", 1, ["--adversary"])
                 for w in ([8, 16, 32, 64] if is_quick else [8, 16, 32, 64, 128, 256, 512])]
    explosion += [(f"remark2:height={h}", [64], "localized,mugging", 1, ["--adversary"])
                  for h in (8, 10, 12)]
    pile_up = [(f"owners:owners={w // 8},depth=12,m=4", [w], "random,localized,hashing,mugging",
                few, paper) for w in owners]
    pile_up += [(f"tasks:depth={w.bit_length() + 8},m=4", [w], OWNERS, few, []) for w in owners]
    feedback = []
    for serial in (100_000,) if is_quick else (20_000, 100_000, 1_000_000):
        program = f"bursts:phases=10,depth=12,serial={serial},leaf=2000"
        for more in ([], ["--adapt", "runtime"], ["--adapt", "a-steal", "--quantum", "50000"],
                     ["--adapt", "a-steal", "--quantum", "50000", "--delta", "0.5"]):
            feedback.append((program, [16] if is_quick else [16, 64], "random", few,
                             ["--costs", "default", *more]))
    machine = [(program, [w], ALL, 2 if is_quick else 10,
                ["--costs", "default", "--idle", "sleep", "--mend", "all", "--topology", "4x2x16"])
               for program in ("tree:depth=18,leaf=1000", "loops:outer=2000,inner=500,body=500",
                               "uts:depth=9,work=1000",
                               "uts:kind=binomial,b=2000,tree=42")[:1 if is_quick else None]
               for w in ([64] if is_quick else [64, 256, 1024])]
    large = [64, 256] if is_quick else [64, 256, 1024]
    fixed = [("bursts:phases=10,depth=12,serial=2000000,leaf=2000", [w], "random",
              2 if is_quick else 10, machine[0][4]) for w in large]
    search = []
    for w in large:
        for program, seeds in ((f"tree:depth={w.bit_length() + 7},leaf=1000", 10),
                               (f"bursts:phases=10,depth={w.bit_length() + 5},serial=200000,"
                                "leaf=2000", 10),
                               (f"bursts:phases=3,depth={w.bit_length() + 9},serial=2000000,"
                                "leaf=2000", 3)):
            mends = ("all",) if is_quick and w == 64 else ("none", *MENDS, "all")
            search += [(program, [w], "random", 2 if is_quick else seeds,
                        ["--costs", "default", "--idle", "sleep", "--mend", mend])
                       for mend in mends]
    return {"bounds": bounds, "space": space, "machine": machine, "fixed": fixed, "search": search,
            "steal_backs": steal_backs, "remark1": remark1, "explosion": explosion,
            "pile_up": pile_up, "feedback": feedback}


def call(sim, programs, workers, policies, seeds, more):
    words = [str(sim), "run", "-q", "-f", "json", "-p", programs, "-P", ",".join(map(str, workers)),
             "-s", policies, "--seeds", str(seeds), *more]
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"run.py: {' '.join(words)}: status {done.returncode}\n{done.stderr}")
    return [row | {"options": " ".join(more)} for row in json.loads(done.stdout)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sim", type=pathlib.Path, default=ROOT / "build/bin/nopal-sim")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--json", type=pathlib.Path, help="all figures of the summary")
    parser.add_argument("--markdown", type=pathlib.Path, help="the tables of docs/policies.md")
    parser.add_argument("--svg", type=pathlib.Path, help="a folder for the plots")
    options = parser.parse_args()
    rows = {}
    for name, calls in groups(options.quick).items():
        rows[name] = []
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            waiting = [pool.submit(call, options.sim, *words) for words in calls]
            for done, future in enumerate(waiting, 1):
                rows[name] += future.result()
                print(f"\r{name}: {done} of {len(calls)} ", end="", file=sys.stderr, flush=True)
        print(file=sys.stderr)
    summary = fit.summary(rows)
    text = fit.markdown(summary)
    print(text)
    if options.json:
        options.json.write_text(json.dumps(summary, indent=1) + "\n")
    if options.markdown:
        options.markdown.write_text(text)
    if options.svg:
        plot.draw(rows, summary, options.svg)
    for line in summary["broken"]:
        print(f"run.py: {line}", file=sys.stderr)
    sys.exit(1 if summary["broken"] else 0)


if __name__ == "__main__":
    main()
