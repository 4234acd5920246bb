#!/usr/bin/env python3
"""How long a theft takes: from the begin of the attempt that succeeds to the first instruction of the stolen continuation, with each fence.

    python3 benchmarks/steals/run.py [--build build] [--thefts 10000] [--rounds 3] [--json FILE] [--quick]

Two workers on the first two processors, the fences in turn in each round; least, median, 90 and 99 per cent and most, in nanoseconds, and
what of it the thief's fence took. Takes some seconds. Status 1 if a program fails or a continuation waits in vain for a thief all the time.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
# name: (environment, what it is)
FENCES = {
    "asymmetric": ({"CILK_FENCE": "asymmetric"}, "membarrier to the whole process"),
    "aimed": ({"CILK_FENCE": "asymmetric", "STEALS_FENCE": "aimed"}, "membarrier to the other processor alone: an experiment"),
    "full": ({"CILK_FENCE": "full"}, "a fence in each pop"),
    "automatic": ({}, "asymmetric or full, as thefts are rare or frequent: the default"),
}
RANKS = {"least": 0.0, "median": 0.5, "90%": 0.9, "99%": 0.99, "most": 1.0}


def compile_into(folder, build):
    """The program, with the runtime's thief compiled around the probe."""
    binary = folder / "steals"
    subprocess.run([str(build / "bin/nopal-clang++"), "-O3", "-std=c++20", "-static-libnopal", f'-DNOPAL_THIEF_FENCES="{HERE / "probe.h"}"',
                    "-I", str(ROOT / "runtime/include"), "-I", str(ROOT / "cactus-stack/include"), str(HERE / "steals.cpp"),
                    str(ROOT / "runtime/src/idle/find_work.cpp"), "-o", str(binary)], check=True)
    return binary


def run_once(binary, settings, thefts, processors):
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("CILK_", "STEALS_"))}
    done = subprocess.run([str(binary), str(thefts)], env={**environment, "CILK_NWORKERS": "2", **settings}, capture_output=True, text=True,
                          timeout=280, preexec_fn=lambda: os.sched_setaffinity(0, processors))
    if done.returncode != 0:
        sys.exit(f"run.py: steals, {settings}: status {done.returncode}\n{done.stderr}")
    rows = [tuple(map(float, line.split())) for line in done.stdout.splitlines()]
    if not rows:
        sys.exit(f"run.py: steals, {settings}: nothing was stolen\n{done.stderr}")
    return [whole for whole, _ in rows], [fence for _, fence in rows], int(done.stderr.split()[1])


def distribution(values):
    ordered = sorted(values)
    return {name: ordered[min(len(ordered) - 1, int(rank * len(ordered)))] for name, rank in RANKS.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--thefts", type=int, default=10000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--quick", action="store_true", help="100 thefts, one round: what ctest runs")
    options = parser.parse_args()
    thefts, rounds = (100, 1) if options.quick else (options.thefts, options.rounds)
    processors = sorted(os.sched_getaffinity(0))[:2]
    fences = dict(FENCES)
    if len(processors) < 2:
        del fences["aimed"]
        print("left out: aimed: there is one processor")
    taken = {name: ([], [], []) for name in fences}
    with tempfile.TemporaryDirectory() as folder:
        binary = compile_into(pathlib.Path(folder), options.build.resolve())
        for _ in range(rounds):
            for name, (settings, _) in fences.items():
                whole, fence, missed = run_once(binary, settings, thefts, processors)
                taken[name][0].extend(whole)
                taken[name][1].extend(fence)
                taken[name][2].append(missed)
    print(f"{rounds} rounds of {thefts} thefts each, 2 workers, {len(processors)} processors, load {os.getloadavg()[0]:.1f}; nanoseconds")
    print(f"{'fence':12}{'':8}" + "".join(f"{name:>10}" for name in RANKS))
    rows = {}
    for name, (whole, fence, missed) in taken.items():
        rows[name] = {"whole": distribution(whole), "fence": distribution(fence), "thefts": len(whole), "missed": sum(missed)}
        for part in ("whole", "fence"):
            print(f"{name if part == 'whole' else '':12}{part:8}" + "".join(f"{value:10.0f}" for value in rows[name][part].values()))
    for name in rows:
        print(f"{name}: {fences[name][1]}; {rows[name]['missed']} continuations were not stolen within 20 ms")
    if options.json:
        options.json.write_text(json.dumps({"load": os.getloadavg()[0], "rounds": rounds, "thefts": thefts, "rows": rows}, indent=1) + "\n")


if __name__ == "__main__":
    main()
