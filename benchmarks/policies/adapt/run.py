#!/usr/bin/env python3
"""Two programs at once on one machine, one of them serial half of the time: how long each takes,
with a fixed number of workers, with parallelism feedback (CILK_ADAPT=1) and in turns
(CILK_ADAPT=turns), in Nopal, OpenMP and oneTBB. Other pairs, three and four programs, fixed and in
turns. A program of two threads beside two programs. And a program of little parallelism alone: what
it costs in processor time.

    quiet python3 benchmarks/policies/adapt/run.py [--rounds 15] [--build build]
    python3 benchmarks/policies/adapt/run.py --programs FOLDER    # compiles there what is missing
                                                                  # (with --rounds 0 that alone)

Parallel phases grow with the processors, so that they take as long as the serial ones. All runtimes
are interleaved; medians. Needs an idle machine, and libtbb-dev and libomp-dev for the others, which
are left out with a note if they do not build.
"""
import argparse
import os
import pathlib
import statistics
import subprocess
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
# SERIAL_US, tasks for each processor, TASK_US, PHASES: the halves are serial half of the time.
HALF, ALL = (2000, 25, 80, 75), (0, 25, 80, 112)
FINE_HALF, FINE_ALL = (100, 50, 2, 1500), (0, 50, 2, 2250)


def long(numbers):
    return (*numbers[:3], 6 * numbers[3])


# Each starts 10 ms after the one before.
PAIRS = {
    "tasks of 80 us: half serial, then all parallel": (HALF, ALL),
    "tasks of 80 us: all parallel, then half serial": (ALL, HALF),
    "tasks of 2 us: half serial, then all parallel": (FINE_HALF, FINE_ALL),
    "tasks of 2 us: all parallel, then half serial": (FINE_ALL, FINE_HALF),
}
OTHERS = {
    "two all parallel": (ALL, ALL),
    "two half serial": (HALF, HALF),
    "both long: half serial, then all parallel": (long(HALF), long(ALL)),
    "long all parallel, then short half serial": (long(ALL), HALF),
    "long half serial, then short all parallel": (long(HALF), ALL),
    "three: half serial, all parallel, half serial": (HALF, ALL, HALF),
    "four: twice half serial, then all parallel": (HALF, ALL, HALF, ALL),
}
THREADS = {"tasks of 80 us": HALF, "tasks of 2 us": FINE_HALF}
LITTLE = {"regions of 8 us every 50 us": ("50", "4", "2", "5000"),
          "regions of 40 us every 250 us": ("250", "20", "2", "1000"),
          "regions of 8 us every 50 us, for 3 s": ("50", "4", "2", "50000"),
          "regions of 0.2 ms every 2 ms": ("2000", "100", "2", "200")}


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
    programs["nopal, turns"] = (nopal, {"CILK_ADAPT": "turns"})
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


def together(program, programs):
    """Seconds of each, geometric mean of all, and processor seconds of all."""
    started = []
    for numbers in programs:
        if started:
            time.sleep(0.01)
        started.append(start(program, words(numbers)))
    ends = [finish(process) for process in started]
    seconds = [took for took, _ in ends]
    return *seconds, statistics.geometric_mean(seconds), sum(used for _, used in ends)


def measure(title, at_once, programs, rounds):
    rows = {runtime: [] for runtime in programs}
    for _ in range(rounds):
        for runtime, row in rows.items():
            row.append(together(programs[runtime], at_once))
    print(f"\n{title}; seconds, medians\n")
    print("| runtime | each | geometric mean | over fixed | processor |")
    print("|---|---|---|---|---|")
    medians = {runtime: [statistics.median(column) for column in zip(*row)]
               for runtime, row in rows.items()}
    for runtime, (*each, mean, processor) in medians.items():
        over = mean / medians["nopal"][-2]
        print(f"| {runtime} | {', '.join(f'{took:.3f}' for took in each)} | {mean:.3f} | "
              f"{over:.2f} | {processor:.3f} |", flush=True)


def measure_threads(title, numbers, programs, rounds):
    """Half serial twice at once: two threads of one program, and two programs."""
    rows = {runtime: ([], []) for runtime in programs}
    for _ in range(rounds):
        for runtime, (of_threads, of_programs) in rows.items():
            of_threads.append(finish(start(programs[runtime], [*words(numbers), "2"])))
            both = [start(programs[runtime], words(numbers)) for _ in range(2)]
            seconds, processor = zip(*[finish(process) for process in both])
            of_programs.append((max(seconds), sum(processor)))
    print(f"\nhalf serial twice at once, {title}; seconds until both end, medians\n")
    print("| runtime | two threads | processor | two programs | processor |")
    print("|---|---|---|---|---|")
    for runtime, kinds in rows.items():
        medians = [statistics.median(column) for kind in kinds for column in zip(*kind)]
        print(f"| {runtime} | {' | '.join(f'{median:.3f}' for median in medians)} |", flush=True)


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
        parallel = {name: program for name, program in programs.items() if name != "serial"}
        for title, pair in PAIRS.items():
            measure(title, pair, parallel, given.rounds)
        few = {name: programs[name] for name in ("nopal", "nopal, turns")}
        for title, programs_at_once in OTHERS.items():
            measure(title, programs_at_once, few, given.rounds)
        several = {name: program for name, program in parallel.items() if "turns" not in name}
        for title, numbers in THREADS.items():
            measure_threads(title, numbers, several, given.rounds)
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
