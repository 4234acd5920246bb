#!/usr/bin/env python3
"""Speed-up over the serial elision at 1, 2, 4, 8 … workers, and of oneTBB and OpenMP with all.

    python3 benchmarks/scaling.py [--only NAME]... [--rounds 5] [--workers 1,2,4,8,16]
                                  [--minutes M] [--policies] [--json FILE] [--page FILE]
    python3 benchmarks/scaling.py --bundle FOLDER         # compiles for another machine, and stops
    python3 benchmarks/scaling.py --from FOLDER ...       # runs such a folder; needs no compiler
    python3 benchmarks/scaling.py --show FILE [--page FILE]

Rounds are interleaved and pinned, one worker a core before a second one shares a core. Results are
checked; times are never judged. --policies adds CILK_STEAL's policies with all workers. --page
writes the tables anew, of which the page has the marks (docs/performance.md, docs/policies.md).
--minutes begins no round after so many minutes. README.md says how runs are measured.
"""
import argparse
import dataclasses
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import time

from harness import build, measure, page, programs, report

ROOT = pathlib.Path(__file__).resolve().parents[1]
# With one worker each takes a second or so; peers the size that they can bear. (ours, peers')
SIZES = {"fib": (44, 32), "nqueens": (13, 13), "integrate": (10_000, 1000), "skynet": (9, 6),
         "uts-T1": (1, 1), "uts-T3": (3, 3), "cilksort": (20_000_000, 20_000_000),
         "quicksort": (20_000_000, 20_000_000), "matmul": (1536, 1536), "rectmul": (1536, 1536),
         "strassen": (2048, 2048), "lu": (2048, 2048), "cholesky": (2500, 2500), "fft": (22, 22),
         "heat": (100, 100), "daxpy": (20_000_000, 20_000_000), "stencil": (100, 100),
         "spmv": (1_000_000, 1_000_000), "mandelbrot": (3000, 3000), "triangle": (10_000, 10_000)}
TASK_PEERS, LOOP_PEERS = ("tbb", "openmp"), ("tbb-loop", "static", "dynamic")
# All but the first, which is the default.
POLICIES = tuple(re.findall(r"\bROW\((\w+), \w+Policy,",
                            (ROOT / "runtime/src/policy/list.h").read_text())[1:])
# The policy that knows where a worker is bound needs that.
BINDING = {policy: (("CILK_BIND", "compact"),) if policy == "nearest" else ()
           for policy in POLICIES}
NAMES = {"cilk": "Nopal", "tbb": "oneTBB", "openmp": "libomp", "tbb-loop": "oneTBB",
         "static": "libomp, static", "dynamic": "libomp, dynamic"}
LIBRARIES = re.compile(r"(/\S*/lib(?:tbb|omp|gomp)\S*)")
TIMEOUT_SECONDS = 10  # a peer that takes longer is left out


def scaled(program, workers, with_policies):
    """The program at this table's sizes, with a variant for each model and number of workers."""
    is_loop = program.folder == "loops"
    size, peers_size = SIZES[program.name]
    peers = LOOP_PEERS if is_loop else TASK_PEERS
    most = max(workers)
    variants = [programs.Variant("serial", "serial")]
    if peers_size != size:
        variants.append(programs.Variant("serial, peers' size", "serial", at_peers_size=True))
    variants += [programs.Variant(f"cilk {count}", "cilk", count) for count in workers]
    variants += [programs.Variant(f"{model} {most}", model, most, at_peers_size=True)
                 for model in peers]
    variants.append(programs.Variant(f"serial, {most} at once", "serial", copies=most))
    if with_policies:
        variants += [programs.Variant(f"cilk {most} {policy}", "cilk", most,
                                      environment=(("CILK_STEAL", policy), *BINDING[policy]))
                     for policy in POLICIES]
        variants.append(programs.Variant(f"cilk {most} compact", "cilk", most,
                                         environment=(("CILK_BIND", "compact"),)))
    return dataclasses.replace(program, size=size, peers_size=peers_size, variants=tuple(variants))


def bundle(chosen, driver, folder):
    """Compiles into the folder, with the peers' libraries and a list of what is there."""
    bar = measure.Bar()
    binaries, missing = build.build(chosen, folder, str(driver), bar, set())
    for binary in set(binaries.values()):
        listed = subprocess.run(["ldd", str(binary)], capture_output=True, text=True).stdout
        for library in LIBRARIES.findall(listed):
            shutil.copy(library, folder)
        subprocess.run(["strip", str(binary)], check=True)
    for probe in folder.glob("probe-*"):
        probe.unlink()
    listed = {"made": page.describe(ROOT), "missing": missing,
              "binaries": [[*key, path.name] for key, path in binaries.items()]}
    (folder / "bundle.json").write_text(json.dumps(listed, indent=1) + "\n")
    print(f"{len(set(binaries.values()))} programs in {folder}")


def unpacked(folder):
    """(binaries, missing, made) of a bundle, and the peers' libraries where they are found."""
    listed = json.loads((folder / "bundle.json").read_text())
    os.environ["LD_LIBRARY_PATH"] = str(folder)
    binaries = {(program, key): folder / name for program, key, name in listed["binaries"]}
    here = page.describe(ROOT)
    return binaries, listed["missing"], {**listed["made"], "date": here["date"],
                                         **{key: here[key] for key in ("processor", "system")}}


def measured(chosen, binaries, options):
    """Runs in rounds over all programs, until they or the minutes are over."""
    deadline = time.monotonic() + 60 * options.minutes
    runs, left_out, rounds = [], {}, 0
    while rounds < options.rounds and time.monotonic() < deadline:
        wanted = {key: path for key, path in binaries.items() if key not in left_out}
        more, slow = measure.measure(chosen, wanted, measure.Bar(), rounds=1,
                                     warm_up=not rounds, timeout_seconds=TIMEOUT_SECONDS)
        rounds += 1
        runs += more
        left_out |= slow
        print(f"round {rounds} done", file=sys.stderr, flush=True)
    return runs, left_out, rounds


def speedups(run, name):
    """{variant: speed-up over the serial elision of the same size}, medians of the rounds."""
    runs, result = report.Runs(run["runs"]), {}
    both = bool(runs.get(name, "serial, peers' size"))
    for program, key in runs.by_key:
        if program == name and not key.startswith("serial"):
            at_peers_size = both and not key.startswith("cilk")
            base = "serial, peers' size" if at_peers_size else "serial"
            result[key] = statistics.median(runs.ratios(name, base, key))
    most = max(run["workers"])
    given = runs.ratios(name, "serial", f"serial, {most} at once")
    result["machine"] = most * statistics.median(given) if given else None
    return result


def table(run):
    workers = [count for count in run["workers"] if count > 1]
    most = max(run["workers"])
    names = [name for name in SIZES if any(one["program"] == name for one in run["runs"])]
    for is_loop in (False, True):
        peers = LOOP_PEERS if is_loop else TASK_PEERS
        rows = []
        for name in names:
            if (programs.PROGRAMS[name].folder == "loops") != is_loop:
                continue
            got = speedups(run, name)
            rows.append([name, *(f"**{page.number(got.get(f'cilk {count}'))}**"
                                 for count in workers),
                         *(page.number(got.get(f"{peer} {most}")) for peer in peers),
                         page.number(got["machine"])])
        if rows:
            yield page.table(["loop" if is_loop else "program",
                              *(f"**Nopal**, {count}" for count in workers),
                              *(f"{NAMES[peer]}, {most}" for peer in peers), f"{most} copies"],
                             rows)


def policies_table(run):
    most = max(run["workers"])
    keys = [f"cilk {most}", *(f"cilk {most} {policy}" for policy in (*POLICIES, "compact"))]
    rows = []
    for name in SIZES:
        got = speedups(run, name) if any(one["program"] == name for one in run["runs"]) else {}
        if keys[1] in got:
            rows.append([name, *(page.number(got.get(key)) for key in keys)])
    if rows:
        yield page.table(["program", "random", *POLICIES, "random, CILK_BIND=compact"], rows)


def show(run, options):
    made = run["made"]
    machine = (f"- **Measured**: {made['processor']}, {run['cores']} cores, {made['system']}.\n"
               f"  {made['compiler']}.\n"
               f"  {made['date']}, commit {made['commit']}, {run['rounds']} rounds.")
    parts = {name: "\n\n".join([*tables, machine])
             for name, tables in (("scaling", [*table(run)]),
                                  ("scaled policies", [*policies_table(run)])) if tables}
    print(*parts.values(), sep="\n\n")
    for what, why in sorted(run["left_out"].items()):
        print(f"left out: {what}: {why}")
    if options.page:
        text = options.page.read_text()
        found = []
        for name, part in parts.items():
            text, is_there = page.replaced(text, name, part)
            found.append(is_there)
        if not any(found):
            sys.exit(f"scaling.py: {options.page} has no '<!-- begin scaling -->'")
        options.page.write_text(text)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    path = {"type": pathlib.Path}
    parser.add_argument("--driver", **path, default=ROOT / "build/bin/nopal-clang++")
    parser.add_argument("--only", action="append", choices=SIZES, metavar="NAME")
    parser.add_argument("--workers", help="default: powers of two, up to the processors")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--minutes", type=float, default=float("inf"))
    parser.add_argument("--policies", action="store_true")
    parser.add_argument("--bundle", **path, metavar="FOLDER")
    parser.add_argument("--from", **path, metavar="FOLDER", dest="source")
    for name in ("json", "show", "page"):
        parser.add_argument(f"--{name}", **path, metavar="FILE")
    options = parser.parse_args()
    processors = len(os.sched_getaffinity(0))
    options.workers = ([int(count) for count in options.workers.split(",")] if options.workers else
                       sorted({2 ** k for k in range(processors.bit_length())
                               if 2 ** k <= processors} | {processors}))
    if not options.bundle and max(options.workers) > processors:
        parser.error(f"{max(options.workers)} workers on {processors} processors: "
                     "give --workers fewer")
    return options


def main():
    options = arguments()
    if options.show:
        return show(json.loads(options.show.read_text()), options)
    chosen = [scaled(programs.PROGRAMS[name], options.workers, options.policies)
              for name in options.only or SIZES]
    driver = options.driver.absolute()
    try:
        if options.bundle:
            return bundle(chosen, driver, options.bundle)
        if options.source:
            binaries, missing, made = unpacked(options.source.absolute())
        else:
            binaries, missing = build.build(chosen, driver.parent.parent / "benchmarks",
                                            str(driver), measure.Bar(), set())
            made = page.describe(ROOT)
        runs, slow, rounds = measured(chosen, binaries, options)
    except (build.BuildFailure, measure.WrongResult) as failure:
        sys.exit(f"scaling.py: {failure}")
    left_out = missing | {f"{program}, {variant}": why for (program, variant), why in slow.items()}
    run = {"made": made, "workers": options.workers, "rounds": rounds, "runs": runs,
           "cores": len({group[0] for group in measure.cores()}), "left_out": left_out}
    if options.json:
        options.json.write_text(json.dumps(run, indent=1) + "\n")
    show(run, options)


if __name__ == "__main__":
    main()
