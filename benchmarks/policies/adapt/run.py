#!/usr/bin/env python3
"""Two programs at once on one machine, one of them serial half of the time: how long each takes,
with a fixed number of workers and with parallelism feedback (CILK_ADAPT=1), in Nopal, OpenMP and
oneTBB. And a program of little parallelism alone: what it costs in processor time.

    quiet python3 benchmarks/policies/adapt/run.py [--rounds 15] [--build build]
    python3 benchmarks/policies/adapt/run.py --programs FOLDER    # compiles there what is missing
                                                                  # (with --rounds 0 that alone)

Parallel phases grow with the processors, so that they take as long as the serial ones. All runtimes
are interleaved; medians. Needs an idle machine, and libtbb-dev and libomp-dev for the others, which
are left out with a note if they do not build.
"""
import argparse
import math
import os
import pathlib
import statistics
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
# SERIAL_US, tasks for each processor, TASK_US, PHASES: the first is serial half of the time.
PAIRS = {
    "coarse": ((2000, 25, 80, 75), (0, 25, 80, 112)),
    "fine": ((100, 50, 2, 1500), (0, 50, 2, 2250)),
}
LITTLE = {"regions of 8 us every 50 us": ("50", "4", "2", "5000"),
          "regions of 40 us every 250 us": ("250", "20", "2", "1000")}


def processors():
    return len(os.sched_getaffinity(0))


def words(numbers):
    serial_us, tasks, task_us, phases = numbers
    return [str(number) for number in (serial_us, tasks * processors(), task_us, phases)]


def build(folder, driver):
    """Name of a runtime -> its program and what it adds to the environment."""
    source = str(HERE / "phases.cpp")
    clang = "clang++-22"
    commands = {
        "serial": [clang, "-DCILK_SERIAL", f"-I{ROOT}/runtime/include"],
        "nopal": [str(driver)],
        "openmp": [clang, "-fopenmp", "-DPHASES_OPENMP"],
        "onetbb": [clang, "-DPHASES_TBB"],
    }
    programs = {}
    for name, command in commands.items():
        program = folder / name
        if program.exists():
            programs[name] = (str(program), {})
            continue
        libraries = ["-ltbb"] if name == "onetbb" else []
        made = subprocess.run([*command, "-O2", source, *libraries, "-o", str(program)],
                              capture_output=True, text=True)
        if made.returncode == 0:
            programs[name] = (str(program), {})
        else:
            print(f"left out: {name} does not build: {made.stderr.strip().splitlines()[-1:]}")
    nopal = programs["nopal"][0]
    programs["nopal, feedback"] = (nopal, {"CILK_ADAPT": "1"})
    many = str(4 * processors())
    programs[f"nopal, {many} workers"] = (nopal, {"CILK_NWORKERS": many})
    programs[f"nopal, {many}, feedback"] = (nopal, {"CILK_NWORKERS": many, "CILK_ADAPT": "1"})
    programs["openmp, dynamic"] = (programs.pop("openmp")[0], {"OMP_DYNAMIC": "true"}) \
        if "openmp" in programs else programs.pop("openmp", None)
    return {name: program for name, program in programs.items() if program}


def start(program, arguments):
    command, extra = program
    environment = {name: value for name, value in os.environ.items()
                   if not name.startswith(("CILK_", "OMP_"))}
    return subprocess.Popen([command, *arguments], env={**environment, **extra},
                            stdout=subprocess.PIPE, text=True)


def finish(process):
    text = process.communicate()[0]
    assert process.returncode == 0, text
    return tuple(float(word) for word in text.split())


def together(program, pair):
    """Seconds of each, geometric mean of both, and processor seconds of both."""
    first, second = [start(program, words(numbers)) for numbers in pair]
    (a, cpu_a), (b, cpu_b) = finish(first), finish(second)
    return a, b, math.sqrt(a * b), cpu_a + cpu_b


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--programs", type=pathlib.Path, metavar="FOLDER",
                        help="keeps the compiled programs, for a machine without a compiler, too")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = given.programs or pathlib.Path(name)
        folder.mkdir(exist_ok=True)
        programs = build(folder, given.build / "bin/nopal-clang++")
        if not given.rounds:
            return
        for title, pair in PAIRS.items():
            rows = {runtime: [] for runtime in programs if runtime != "serial"}
            for _ in range(given.rounds):
                for runtime, row in rows.items():
                    row.append(together(programs[runtime], pair))
            print(f"\n{title}: half serial and all parallel at once; seconds, medians\n")
            print("| runtime | half serial | parallel | geometric mean | processor |")
            print("|---|---|---|---|---|")
            for runtime, row in rows.items():
                medians = [statistics.median(column) for column in zip(*row)]
                print(f"| {runtime} | " + " | ".join(f"{value:.3f}" for value in medians) + " |")
        for title, arguments in LITTLE.items():
            rows = {runtime: [] for runtime in programs}
            for _ in range(given.rounds):
                for runtime, row in rows.items():
                    row.append(finish(start(programs[runtime], arguments)))
            print(f"\nlittle parallelism, {title}: over the serial program's, medians\n")
            print("| runtime | time | processor time |\n|---|---|---|")
            serial = [statistics.median(column) for column in zip(*rows["serial"])]
            for runtime, row in rows.items():
                medians = [statistics.median(column) for column in zip(*row)]
                over = [value / base for value, base in zip(medians, serial)]
                print(f"| {runtime} | {over[0]:.2f} | {over[1]:.2f} |")


if __name__ == "__main__":
    main()
