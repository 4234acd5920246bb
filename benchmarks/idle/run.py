#!/usr/bin/env python3
"""What idle workers cost, how soon they wake, and what other processes on the same processors do to a run.

    python3 benchmarks/idle/run.py [--build build] [--rounds 5] [--json FILE] [--quick]

1. idle: processor time of a serial program of 2 s behind a parallel loop, 16 workers, against the serial elision (to be at most 1.01)
2. wake: from a loop's entry until each worker runs a part of it, after 1, 10 and 100 ms of idleness (to be below 100 us on an idle machine)
3. hogs: a stencil with two workers beside a busy process on each of the first two processors, against OpenMP static and oneTBB
About two minutes. Nothing is judged: status 1 if a program does not compile or fails.
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

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
FLAGS = ["-std=c++20", "-O3", "-I", str(ROOT / "runtime/include")]


def compile_all(folder, driver):
    idle, stencil = ROOT / "benchmarks/loops/idle.cpp", ROOT / "benchmarks/loops/stencil.cpp"
    programs = {"idle": ([driver, "-static-libnopal"], idle, []), "serial": (["clang++-22", "-DCILK_SERIAL"], idle, []),
                "wake": ([driver, "-static-libnopal"], HERE / "wake.cpp", []), "cilk": ([driver, "-static-libnopal"], stencil, []),
                "static": (["clang++-22", "-fopenmp", "-DMODEL_STATIC"], stencil, []), "tbb": (["clang++-22", "-DMODEL_TBB"], stencil, ["-ltbb"])}
    for name, (command, source, libraries) in list(programs.items()):
        done = subprocess.run([*command, *FLAGS, str(source), *libraries, "-o", str(folder / name)], capture_output=True, text=True)
        if done.returncode != 0 and name in ("static", "tbb"):
            print(f"left out: {name} does not compile here")
            del programs[name]
        elif done.returncode != 0:
            sys.exit(f"run.py: {name} does not compile\n{done.stderr}")
    return programs


def run(binary, arguments, workers, processors):
    """Standard output, standard error and processor seconds."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("CILK_", "OMP_", "KMP_"))}
    environment.update(CILK_NWORKERS=str(workers), OMP_NUM_THREADS=str(workers), BENCHMARK_WORKERS=str(workers))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([str(binary), *map(str, arguments)], env=environment, capture_output=True, text=True, timeout=120,
                          preexec_fn=lambda: os.sched_setaffinity(0, processors))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        sys.exit(f"run.py: {binary.name}: status {done.returncode}\n{done.stderr}")
    return done.stdout, done.stderr, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure_idle(folder, rounds, size, processors):
    pairs = [(run(folder / "idle", [size], 16, processors)[2], run(folder / "serial", [size], 1, processors)[2]) for _ in range(rounds)]
    ratio = statistics.median(ours / serial for ours, serial in pairs)
    print(f"idle: processor time with 16 workers {statistics.median(a for a, _ in pairs):.3f} s, serial "
          f"{statistics.median(b for _, b in pairs):.3f} s, ratio {ratio:.4f} (median of {rounds} pairs)")
    return {"ratio": ratio, "pairs": pairs}


def measure_wake(folder, count, processors):
    result = {}
    for pause in (1, 10, 100):
        loops = max(1, count // pause)
        out, err, _ = run(folder / "wake", [loops, pause], len(processors), processors)
        values = sorted(map(float, out.split()))
        result[pause] = {"values": values, "missed": int(err.split()[1])}
        shown = (f"median {statistics.median(values):.0f}, 90 % {values[int(0.9 * (len(values) - 1))]:.0f}, most {values[-1]:.0f} us" if values
                 else "nobody came")
        print(f"wake: {len(processors)} workers after {pause} ms: {shown}; {len(values)} loops, {result[pause]['missed']} missed")
    return result


def measure_hogs(folder, names, rounds, size, processors):
    hogs = []
    times = {name: [] for name in names}
    try:
        for processor in processors:
            hogs.append(subprocess.Popen([sys.executable, "-c", "while True: pass"], preexec_fn=lambda: os.sched_setaffinity(0, {processor})))
        for _ in range(rounds):
            for name in names:
                err = run(folder / name, [size], len(processors), processors)[1]
                times[name].append(float(err.split("seconds ")[1].split()[0]))
    finally:
        for hog in hogs:
            hog.kill()
            hog.wait()
    for name, seconds in times.items():
        print(f"hogs: {name:8} median {1e3 * statistics.median(seconds):.1f} ms, least {1e3 * min(seconds):.1f}, most {1e3 * max(seconds):.1f} ({rounds} rounds)")
    return times


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--quick", action="store_true", help="small sizes, one round: what ctest runs")
    options = parser.parse_args()
    rounds = 1 if options.quick else options.rounds
    processors = sorted(os.sched_getaffinity(0))[:2]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        programs = compile_all(folder, str(options.build.resolve() / "bin/nopal-clang++"))
        print(f"{len(processors)} processors, load {os.getloadavg()[0]:.1f}")
        figures = {"load": os.getloadavg()[0],
                   "idle": measure_idle(folder, rounds, 10 if options.quick else 2000, processors),
                   "wake": measure_wake(folder, 10 if options.quick else 1000, processors),
                   "hogs": measure_hogs(folder, [n for n in ("cilk", "static", "tbb") if n in programs], rounds, 1 if options.quick else 40, processors)}
    if options.json:
        options.json.write_text(json.dumps(figures, indent=1) + "\n")


if __name__ == "__main__":
    main()
