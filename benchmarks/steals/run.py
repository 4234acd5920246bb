#!/usr/bin/env python3
"""How long a steal takes: from the beginning of the attempt that succeeds to the first instruction
of the stolen continuation, with each fence.

    python3 benchmarks/steals/run.py [--build build] [--steals 10000] [--rounds 3] [--json FILE]

Two workers on the first two processors; the fences take turns in each round. Takes some seconds.
--quick is what ctest runs. Status 1 if a program fails or nobody steals.
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
sys.path.insert(0, str(ROOT / "benchmarks"))
from harness import micro  # noqa: E402

# name: (environment, what it is)
FENCES = {
    "asymmetric": ({"CILK_FENCE": "asymmetric"}, "membarrier to the whole process"),
    "aimed": ({"CILK_FENCE": "asymmetric", "STEALS_FENCE": "aimed"},
              "membarrier to the other processor alone: an experiment"),
    "full": ({"CILK_FENCE": "full"}, "a fence in each pop"),
    "automatic": ({}, "asymmetric or full, as steals are rare or frequent: the default"),
}


def compile_into(folder, build):
    """The program, with the runtime's thief compiled around the probe."""
    binary = folder / "steals"
    includes = ["-I", str(ROOT / "runtime/include"), "-I", str(ROOT / "cactus-stack/include")]
    subprocess.run([str(build / "bin/nopal-clang++"), "-O3", "-std=c++20", "-static-libnopal",
                    f'-DNOPAL_THIEF_FENCES="{HERE / "probe.h"}"', *includes,
                    str(HERE / "steals.cpp"), str(ROOT / "runtime/src/idle/find_work.cpp"),
                    "-lbenchmark", "-o", str(binary)], check=True)
    return binary


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--steals", type=int, default=10000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--quick", action="store_true", help="100 steals, one round")
    options = parser.parse_args()
    steals, rounds = (100, 1) if options.quick else (options.steals, options.rounds)
    processors = sorted(os.sched_getaffinity(0))[:2]
    fences = dict(FENCES)
    if len(processors) < 2:
        del fences["aimed"]
        print("left out: aimed: there is one processor")
    taken = []
    with tempfile.TemporaryDirectory() as folder:
        binary = compile_into(pathlib.Path(folder), options.build.resolve())
        for number in range(rounds):
            for name, (settings, what) in fences.items():
                print(f"round {number + 1}, {name}: {what}")
                rows = micro.run(binary, steals,
                                 micro.clean_environment(CILK_NWORKERS="2", **settings),
                                 processors)
                taken.append({"round": number + 1, "fence": name, "rows": rows})
    if options.json:
        options.json.write_text(json.dumps({"load": os.getloadavg()[0], "steals": steals,
                                            "taken": taken}, indent=1) + "\n")


if __name__ == "__main__":
    main()
