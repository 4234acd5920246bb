#!/usr/bin/env python3
"""What idle workers cost, how soon they wake, and what other processes do to a run.

    python3 benchmarks/idle/run.py [--build build] [--rounds 5] [--json FILE] [--quick]

1. idle: processor time of 2 s of serial work after a parallel loop, with 16 workers, against the
   serial elision (to be at most 1.01)
2. wake: how soon each worker runs a part of a loop (to be below 100 us on an idle machine)
3. tiny: what a second worker takes of a loop of tiny children, which should be little
4. hogs: a stencil with two workers beside a busy process on each of the first two processors,
   against OpenMP static and oneTBB
About two minutes. No time is judged: status 1 if a program does not compile or fails.
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
sys.path.insert(0, str(ROOT / "benchmarks"))
from harness import micro  # noqa: E402

FLAGS = ["-std=c++20", "-O3", "-I", str(ROOT / "runtime/include")]
IDLE, STENCIL = ROOT / "benchmarks/loops/idle.cpp", ROOT / "benchmarks/loops/stencil.cpp"
PEERS = ("static", "tbb")


def compile_all(folder, driver, with_peers):
    """Returns the names of the programs that compile."""
    cilk = [driver, "-static-libnopal"]
    programs = {"idle": [*cilk, IDLE], "serial": ["clang++-22", "-DCILK_SERIAL", IDLE],
                "wake": [*cilk, HERE / "wake.cpp", "-lbenchmark"],
                "tiny": [*cilk, HERE / "tiny.cpp", "-lbenchmark"], "cilk": [*cilk, STENCIL],
                "static": ["clang++-22", "-fopenmp", "-DMODEL_STATIC", STENCIL],
                "tbb": ["clang++-22", "-DMODEL_TBB", STENCIL, "-ltbb"]}
    compiled = []
    for name, command in programs.items():
        if name in PEERS and not with_peers:
            continue
        done = subprocess.run([*map(str, command), *FLAGS, "-o", str(folder / name)],
                              capture_output=True, text=True)
        if done.returncode == 0:
            compiled.append(name)
        elif name in PEERS:
            print(f"left out: {name} does not compile here")
        else:
            sys.exit(f"run.py: {name} does not compile\n{done.stderr}")
    return compiled


def environment_of(workers):
    return micro.clean_environment(CILK_NWORKERS=str(workers), OMP_NUM_THREADS=str(workers),
                                   BENCHMARK_WORKERS=str(workers))


def run(binary, size, workers, processors):
    """Standard error and processor seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([str(binary), str(size)], env=environment_of(workers),
                          capture_output=True,
                          text=True, timeout=120,
                          preexec_fn=lambda: os.sched_setaffinity(0, processors))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        sys.exit(f"run.py: {binary.name}: status {done.returncode}\n{done.stderr}")
    return done.stderr, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure_idle(folder, rounds, size, processors):
    pairs = [(run(folder / "idle", size, 16, processors)[1],
              run(folder / "serial", size, 1, processors)[1])
             for _ in range(rounds)]
    ratio = statistics.median(ours / serial for ours, serial in pairs)
    ours, serial = (statistics.median(values) for values in zip(*pairs))
    print(f"idle: processor time with 16 workers {ours:.3f} s, serial {serial:.3f} s, ratio "
          f"{ratio:.4f} "
          f"(median of {rounds} pairs)")
    return {"ratio": ratio, "pairs": pairs}


def measure_wake(folder, repetitions, processors):
    """The loop and the futex in random turns, so that both meet the same machine."""
    print("wake: microseconds after so many milliseconds of idleness")
    turns = ["--benchmark_enable_random_interleaving"]
    if len(processors) < 2:
        print("left out: futex: there is one processor")
        turns.append("--benchmark_filter=loop")
    return micro.run(folder / "wake", repetitions, environment_of(len(processors)), processors,
                     *turns)


def measure_tiny(folder, repetitions, processors):
    rows = {}
    for workers in (1, 2):
        print(f"tiny: {workers} workers; late: after so many milliseconds of tiny children")
        rows[workers] = micro.run(folder / "tiny", repetitions, environment_of(workers), processors)
    return rows


def measure_hogs(folder, names, rounds, size, processors):
    hogs = []
    times = {name: [] for name in names}
    try:
        for processor in processors:
            hogs.append(subprocess.Popen([sys.executable, "-c", "while True: pass"],
                                         preexec_fn=lambda: os.sched_setaffinity(0, {processor})))
        for _ in range(rounds):
            for name in names:
                printed = run(folder / name, size, len(processors), processors)[0]
                times[name].append(float(printed.split("seconds ")[1].split()[0]))
    finally:
        for hog in hogs:
            hog.kill()
            hog.wait()
    for name, seconds in times.items():
        print(f"hogs: {name:8} median {1e3 * statistics.median(seconds):.1f} ms, least "
              f"{1e3 * min(seconds):.1f}, most {1e3 * max(seconds):.1f} ({rounds} rounds)")
    return times


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--quick", action="store_true",
                        help="small sizes, one round, no peers: what ctest runs")
    options = parser.parse_args()
    quick = options.quick
    rounds = 1 if quick else options.rounds
    processors = sorted(os.sched_getaffinity(0))[:2]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        driver = options.build.resolve() / "bin/nopal-clang++"
        compiled = compile_all(folder, str(driver), with_peers=not quick)
        print(f"{len(processors)} processors, load {os.getloadavg()[0]:.1f}", flush=True)
        stencils = [name for name in ("cilk", *PEERS) if name in compiled]
        figures = {"load": os.getloadavg()[0],
                   "idle": measure_idle(folder, rounds, 10 if quick else 2000, processors),
                   "wake": measure_wake(folder, 2 if quick else 100, processors),
                   "tiny": measure_tiny(folder, 2 if quick else 30, processors),
                   "hogs": measure_hogs(folder, stencils, rounds, 1 if quick else 40, processors)}
    if options.json:
        options.json.write_text(json.dumps(figures, indent=1) + "\n")


if __name__ == "__main__":
    main()
