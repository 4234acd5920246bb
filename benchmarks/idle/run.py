#!/usr/bin/env python3
"""What idle workers cost, how soon they wake, and what other processes on the same processors do to a run.

    python3 benchmarks/idle/run.py [--build build] [--rounds 5] [--json FILE] [--quick]

1. idle: processor time of a serial program of 2 s behind a parallel loop, 16 workers, against the serial elision (to be at most 1.01)
2. wake: from a loop's entry until each worker runs a part of it, after 1, 10 and 100 ms of idleness (to be below 100 us on an idle machine);
   beside it what the system takes to wake a thread
3. tiny: what a second worker takes of a loop of tiny children (as little as it can), and how late it finds the work behind such a phase
4. hogs: a stencil with two workers beside a busy process on each of the first two processors, against OpenMP static and oneTBB
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
                "wake": ([driver, "-static-libnopal"], HERE / "wake.cpp", []), "tiny": ([driver, "-static-libnopal"], HERE / "tiny.cpp", []), "cilk": ([driver, "-static-libnopal"], stencil, []),
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
    """In four turns, so that both meet the same machine: the loop, and one thread that wakes another by a futex."""
    kinds = {"loop": (f"{len(processors)} workers", []), "futex": ("a futex alone", ["futex"])}
    result = {}
    for pause in (1, 10, 100):
        values, missed = {kind: [] for kind in kinds}, dict.fromkeys(kinds, 0)
        for _ in range(4):
            for kind, (_, more) in kinds.items():
                out, err, _ = run(folder / "wake", [max(1, count // pause // 4), pause, *more], len(processors), processors)
                values[kind] += map(float, out.split())
                missed[kind] += int(err.split()[1])
        for kind, (what, _) in kinds.items():
            ordered = sorted(values[kind])
            shown = (f"median {statistics.median(ordered):.0f}, 90 % {ordered[int(0.9 * (len(ordered) - 1))]:.0f}, most {ordered[-1]:.0f} us" if ordered
                     else "nobody came")
            print(f"wake: {what} after {pause} ms: {shown}; {len(ordered)} times, {missed[kind]} missed")
        result[pause] = {"values": values, "missed": missed}
    return result


def measure_tiny(folder, loops, children, processors):
    result = {}
    for workers in (1, 2):
        lines = [line.split() for line in run(folder / "tiny", [loops, children], workers, processors)[0].splitlines()]
        rows = [tuple(map(float, line)) for line in lines if line[0] != "late"]
        late = {ms: sorted(float(line[2]) for line in lines if line[:2] == ["late", str(ms)]) for ms in (1, 3, 10, 30)}
        result[workers] = {"loops": rows, "late": late}
        times, counts, sums = (sorted(values) for values in zip(*rows))
        print(f"tiny: {workers} workers: a loop of {children} median {1e-3 * statistics.median(times):.2f} ms, least {1e-3 * times[0]:.2f}; "
              f"interrupted {statistics.median(counts):.0f} times (the first {rows[0][1]:.0f}), {statistics.median(sums):.0f} us ({rows[0][2]:.0f})")
    print("tiny: work behind such a phase found after, median (90 %): "
          + ", ".join(f"{statistics.median(us):.0f} ({us[int(0.9 * (len(us) - 1))]:.0f}) us behind {ms} ms" for ms, us in late.items()))
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
                   "wake": measure_wake(folder, 10 if options.quick else 4000, processors),
                   "tiny": measure_tiny(folder, 1 if options.quick else 30, 1000 if options.quick else 500_000, processors),
                   "hogs": measure_hogs(folder, [n for n in ("cilk", "static", "tbb") if n in programs], rounds, 1 if options.quick else 40, processors)}
    if options.json:
        options.json.write_text(json.dumps(figures, indent=1) + "\n")


if __name__ == "__main__":
    main()
