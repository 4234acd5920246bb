#!/usr/bin/env python3
"""Speed-up at two workers, predicted from runs with one worker alone: within 10 % on 15 programs.

    tests/view/prediction.py --bin build/bin [--rounds 9]     on a quiet machine: some minutes

The prediction is that of a greedy scheduler, from the exact record of work and span. The part of
the time in which both processors work is longer by what two independent copies take in the same
rounds. Exits with 1 if one program is further off.
"""
import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import recordings

recordings.import_view()
from view.figures import Figures  # noqa: E402

HERE = Path(__file__).resolve().parent
PROGRAMS = ("even", "uneven", "tree", "fine_enough", "rounds", "queens", "multiply", "stencil",
            "reduce", "apart", "serial_tail", "long_item", "grain_too_coarse",
            "too_little_parallelism", "one_victim")
MOST_ERROR = 0.10


def predict(figures, workers=2):
    """The speed-up that runs with one worker predict."""
    serial = figures.burdened_fraction()
    return 1 / ((1 - serial) / workers * figures.machine_factor() + serial)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", required=True, type=Path)
    parser.add_argument("--rounds", default="9")
    options = parser.parse_args()
    binaries = options.bin.resolve()
    wrong = 0
    with tempfile.TemporaryDirectory(prefix="nopal-prediction-") as folder:
        for name, more in (("programs", ()), ("programs-span", ("-fnopal-span",))):
            subprocess.run([binaries / "nopal-clang++", "-std=c++20", "-O2", "-g", *more,
                            HERE / "programs.cpp", "-o", f"{folder}/{name}"], check=True)
        print("program                  predicted  measured    error")
        for program in PROGRAMS:
            subprocess.run([binaries / "nopal-view", "run", "-w", "1,2", "--rounds",
                            options.rounds, "--span", "./programs-span", "-o", "report.html", "--",
                            "./programs", program],
                           cwd=folder, check=True, stdout=subprocess.DEVNULL)
            made = json.loads(Path(folder, "report.json").read_text())
            figures = Figures(made["recording"])
            expected, measured = predict(figures), figures.speedups()[2]
            error = expected / measured - 1
            wrong += abs(error) > MOST_ERROR
            print(f"{program:24s} {expected:9.2f} {measured:9.2f} {100 * error:+7.1f} %",
                  flush=True)
    print(f"{len(PROGRAMS) - wrong} of {len(PROGRAMS)} within {100 * MOST_ERROR:.0f} %")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
