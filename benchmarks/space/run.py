#!/usr/bin/env python3
"""Measures stack memory: peak resident bytes against P·S1, for Nopal, OpenMP tasks and oneTBB, and
asserts Nopal's bound.

    python3 benchmarks/space/run.py [--build build] [--json FILE] [--svg FILE] [--rounds N]
                                    [--quick] [--chaos] [--steal POLICY]

Needs the build; libomp and libtbb-dev for the peers' rows, which else are left out, with a word.
--quick: small sizes and segments, few workers, one round, no peers and no serial elision: the test
that ctest runs. --chaos: only the rows under chaos. --steal: only those without, with that policy.
What trimming costs: trimming.py. Status 1 if a row breaks the bound or a result is wrong.
"""
import argparse
import json
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE.parent))  # for harness
import plot  # noqa: E402

KIB, MIB, PAGE = 1 << 10, 1 << 20, resource.getpagesize()

# name: (full size, size under chaos, quick size, size of a segment)
PROGRAMS = {
    "fib": (32, 18, 16, "8M"),
    "skewed": (10000, 1000, 200, "128M"),
    "chain": (9, 5, 3, "16M"),
    "wide": (10_000_000, 20_000, 2_000, "8M"),
    "suspends": (10, 8, 6, "8M"),
    "uts": (2000, 16, 4, "8M"),
    "cilksort": (4_000_000, 400_000, 100_000, "8M"),
    "loops": (1000, 100, 30, "8M"),
}
WORKERS = [1, 2, 4, 8, 16, 32, 64]
QUICK_WORKERS = [1, 2, 8]
STACK_LIMIT = 512 * MIB


class Failure(Exception):
    pass


def compile_all(folder, build, names, peers, is_quick):
    """Compiles every program for every model; returns {model: {program: path}} and why models are
    left out. Quick runs have Nopal alone."""
    flags = ["-O2", "-std=c++20", "-I", str(ROOT / "runtime/include"), "-I",
             str(ROOT / "cactus-stack/include")]
    cactus = str(build / "lib/libcactus.a")
    clang = shutil.which("clang++-22") or "clang++-22"
    models = {"nopal": [str(build / "bin/nopal-clang++"), *flags],
              "elision": [clang, *flags, "-DCILK_SERIAL", "-pthread", "-rdynamic"]}
    if is_quick:
        del models["elision"]
    if peers:
        models["openmp"] = [clang, *flags, "-DMODEL_OPENMP", "-fopenmp", "-pthread", "-rdynamic"]
        models["tbb"] = [clang, *flags, "-DMODEL_TBB", "-pthread", "-rdynamic"]
    built, left_out = {}, []
    for model, command in models.items():
        libraries = [] if model == "nopal" else [cactus] + (["-ltbb"] if model == "tbb" else [])
        built[model] = {}
        for name in names:
            output = str(folder / f"{model}-{name}")
            done = subprocess.run([*command, str(HERE / f"{name}.cpp"), *libraries, "-o", output],
                                  capture_output=True, text=True)
            if done.returncode == 0:
                built[model][name] = output
            elif model in ("openmp", "tbb"):
                left_out.append(
                    f"{model} {name}: "
                    f"{done.stderr.splitlines()[0] if done.stderr else 'does not compile'}")
            else:
                raise Failure(f"{' '.join(done.args)}\n{done.stderr}")
    return built, left_out


def run_once(binary, size, workers, environment, timeout=600):
    """What a run printed, as a dictionary of numbers, and its seconds."""
    clean = {key: value for key, value in os.environ.items()
             if not key.startswith(("CILK_", "OMP_", "KMP_"))}
    limit = lambda: resource.setrlimit(resource.RLIMIT_STACK,
                                       (STACK_LIMIT, resource.getrlimit(resource.RLIMIT_STACK)[1]))
    start = time.perf_counter()
    done = subprocess.run([binary, str(size), str(workers)], env={**clean, **environment},
                          capture_output=True, text=True,
                          preexec_fn=limit, timeout=timeout)
    seconds = time.perf_counter() - start
    if done.returncode != 0:
        raise Failure(
            f"{binary} {size} {workers} {environment}: status {done.returncode}\n{done.stderr}")
    printed = dict(line.split() for line in done.stdout.splitlines())
    return {key: int(value) for key, value in printed.items()}, seconds


def nopal_row(binary, size, workers, segment, folder, chaos=None, steal=None):
    """One run of Nopal, measured exactly by its runtime."""
    report = folder / "statistics.json"
    environment = {"CILK_NWORKERS": str(workers), "CILK_SEGMENT_SIZE": segment,
                   "CILK_STACK_PEAK": "exact", "CILK_STATS": str(report)}
    if chaos:
        environment["CILK_CHAOS"] = chaos
    if steal:
        environment["CILK_STEAL"] = steal
    if (folder / "no_trimming.so").exists():
        environment["LD_PRELOAD"] = str(folder / "no_trimming.so")
    printed, seconds = run_once(binary, size, workers, environment)
    read = json.loads(report.read_text())
    segments, total = read["segments"], read["total"]
    return {"peak_resident": total["stacks"]["peak_resident_bytes"],
            "peak_live": total["stacks"]["peak_live_bytes"],
            "peak_reserved": total["stacks"]["peak_segment_bytes"],
            "process_growth": printed["process_growth"],
            "deepest_path": segments["deepest_path_bytes"], "segments": segments["peak_in_use"],
            "steals": total["steals"],
            "suspends": total["suspends"], "decommits": segments["decommits"],
            "depth": total["deque_depth_peak"],
            "result": printed["result"], "seconds": seconds}


def worst(rows):
    """The row with the highest peak, with the highest of each other number but the result."""
    if len({row["result"] for row in rows}) != 1:
        raise Failure(f"results differ: {[row['result'] for row in rows]}")
    return {key: max(row[key] for row in rows) for key in rows[0]}


def bound(s1, workers, resting=0):
    return workers * s1 + workers * 64 * KIB + MIB + resting * 2 * PAGE


def judge(row, serial, workers, is_chaos):
    """The claims, row by row. Returns what is broken."""
    broken = []
    row["bound"] = bound(serial["peak_resident"], workers, row["segments"] if is_chaos else 0)
    if row["peak_resident"] > row["bound"]:
        broken.append(f"peak resident {row['peak_resident']} > {row['bound']}")
    most = workers * (serial["depth"] + 1)  # at rest, and one that runs
    if row["segments"] > most:
        broken.append(f"{row['segments']} segments in use > {most}")
    if row["result"] != serial["result"]:
        broken.append(f"result {row['result']}, not {serial['result']}")
    row["holds"] = not broken
    return broken


def measure(options, folder):
    names = [name for name in PROGRAMS if not options.only or name in options.only]
    built, left_out = compile_all(folder, options.build, names,
                                  not options.quick and not options.chaos and not options.steal,
                                  options.quick)
    workers_list = QUICK_WORKERS if options.quick else WORKERS
    rows, failures = [], []

    def add(row, **labels):
        rows.append({**labels, **row})
        if options.verbose:
            print(json.dumps(rows[-1]), file=sys.stderr, flush=True)

    for name in names:
        full, chaotic, quick, segment = PROGRAMS[name]
        if options.quick:
            segment = "8M"
        for is_chaos in ((True,) if options.chaos else (False,) if options.steal else
                         (False, True)):
            size = quick if options.quick else chaotic if is_chaos else full
            binary = built["nopal"][name]
            serial = nopal_row(binary, size, 1, segment, folder)
            elision = None
            if not options.quick:
                elision = run_once(built["elision"][name], size, 1, {})[0]["peak_resident"]
            for workers in workers_list:
                taken = [nopal_row(binary, size, workers, segment, folder, f"{seed + 1}:1"
                                   if is_chaos else None, options.steal)
                         for seed in range(options.rounds)]
                row = worst(taken)
                for what in judge(row, serial, workers, is_chaos):
                    failures.append(
                        f"{name} {size}, {workers} workers{', chaos' if is_chaos else ''}: {what}")
                add(row, program=name, size=size, model="nopal", chaos=is_chaos, workers=workers,
                    s1=serial["peak_resident"],
                    s1_elision=elision)
            if is_chaos:
                continue
            for model in ("openmp", "tbb"):
                if name not in built.get(model, {}):
                    continue
                environment = {"OMP_STACKSIZE": "256M", "KMP_BLOCKTIME": "0"}
                s1 = None
                for workers in workers_list:
                    try:
                        taken = []
                        for _ in range(options.rounds):
                            printed, seconds = run_once(built[model][name], size, workers,
                                                        environment, timeout=120)
                            taken.append({**printed, "seconds": seconds})
                        row = worst(taken)
                    except (Failure, subprocess.TimeoutExpired) as error:
                        left_out.append(
                            f"{model} {name}, {workers} workers: "
                            f"{str(error).splitlines()[0][:120]}")
                        continue
                    s1 = s1 or row["peak_resident"]
                    row["holds"] = row["peak_resident"] <= bound(s1, workers)
                    if row["result"] != serial["result"]:
                        left_out.append(f"{model} {name}: result {row['result']}")
                    add(row, program=name, size=size, model=model, chaos=False, workers=workers,
                        s1=s1, bound=bound(s1, workers))
    return rows, failures, left_out


def kib(number):
    return f"{(number + 1023) // 1024:,}"


def print_table(rows):
    print("program   size      model   P      S1/KiB   P*S1/KiB  peak/KiB  bound/KiB  segments  "
          "steals  process/KiB  holds")
    for row in rows:
        model = "chaos" if row["chaos"] else row["model"]
        print(f"{row['program']:9} {row['size']:<9} {model:7} {row['workers']:2} "
              f"{kib(row['s1']):>9} "
              f"{kib(row['s1'] * row['workers']):>10} {kib(row['peak_resident']):>9} "
              f"{kib(row['bound']):>10} "
              f"{row.get('segments', ''):>9} {row.get('steals', ''):>7} "
              f"{kib(row['process_growth']):>12}  {'yes' if row['holds'] else 'NO'}")


def build_shim(folder):
    shim = folder / "no_trimming.so"
    subprocess.run(["clang-22", "-O2", "-shared", "-fPIC", str(HERE / "no_trimming.c"), "-o",
                    str(shim)], check=True)
    return shim


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--svg", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", action="append", choices=PROGRAMS)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--chaos", action="store_true")
    parser.add_argument("--steal", metavar="POLICY", help="the rows without chaos under CILK_STEAL")
    parser.add_argument("--without-trimming", action="store_true")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    options.build = options.build.resolve()
    if options.quick:
        options.rounds = 1
    if not os.access(options.build / "bin/nopal-clang++", os.X_OK):
        sys.exit(
            f"run.py: no driver in {options.build}/bin; build first, or name the build with "
            "--build")
    try:
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            if options.without_trimming:
                build_shim(folder)
            rows, failures, left_out = measure(options, folder)
    except Failure as failure:
        sys.exit(f"run.py: {failure}")
    print_table(rows)
    for line in left_out:
        print(f"left out: {line}")
    for line in failures:
        print(f"BROKEN: {line}")
    if options.json:
        options.json.write_text(json.dumps({"load": os.getloadavg()[0], "cpus": os.cpu_count(),
                                            "rows": rows}, indent=1) + "\n")
    if options.svg:
        plot.plot(rows, options.svg)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
