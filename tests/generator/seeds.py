"""Runs seeds: the options, the log, and the loop. Used by run.py here and in ../mutator.

A log has a line of JSON for each seed. A run with the same log goes on where it ends.
"""

import argparse
import collections
import itertools
import json
import os
import shlex
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import reduce


def parser(description, unit, reduce_minutes, build_dir, timeout, build_timeout):
    """The common options; `unit` is what a seed stands for, the others are defaults."""
    result = argparse.ArgumentParser(description=description,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    option = result.add_argument
    option("--bin", type=Path, help="where nopal-clang and nopal-clang++ are")
    option("--seeds", metavar="A-B,...")
    option("--minutes", type=float)
    option("--first", type=int, default=1,
           help="the first seed, without --seeds (default %(default)s)")
    option("--level", help="one -O level for all, e.g. -O2")
    option("--flags", default="", metavar="TEXT",
           help="more options of the compiler, e.g. --flags=-flto")
    option("--log", type=Path,
           help=f"a line for each {unit}; seeds that stand there are not run again")
    option("--count", type=Path, metavar="LOG",
           help=f"count the {unit}s of a log, and run nothing")
    option("--reduce-minutes", type=float, default=reduce_minutes,
           help=f"for making a failing {unit} small; 0: not at all (default %(default)s)")
    option("--build-dir", type=Path, default=Path(build_dir),
           help="for all files (default %(default)s)")
    option("--keep", action="store_true", help="keep the files of what passes too")
    option("--timeout", type=float, default=timeout, help="seconds for a run (default %(default)s)")
    option("--build-timeout", type=float, default=build_timeout,
           help="seconds for a build (default %(default)s)")
    option("-j", "--jobs", type=int, default=os.cpu_count(),
           help=f"{unit}s at a time (default: processors)")
    reduce.add_options(result)
    return result


def parse(with_options):
    """The options of the command line. Ends the process if only a log is to be counted."""
    options = with_options.parse_args()
    if options.count:
        count(options.count)
        sys.exit()
    if not options.bin or not options.seeds and not options.minutes:
        with_options.error("--bin, and --seeds or --minutes, are needed")
    options.commit = commit()
    options.bin, options.build_dir = options.bin.resolve(), options.build_dir.resolve()
    options.build_dir.mkdir(parents=True, exist_ok=True)
    return options


def run(options, report, perform):
    """Adds what `perform` returns for each seed, (case, whether it passed), to the report."""
    waiting = threading.Semaphore(options.jobs)

    def work(seed):
        try:
            report.add(*perform(seed))
        except Exception as error:  # a failure of ours, or of the disk
            report.failed.append(seed)
            print(f"FAIL seed {seed}: {error!r}", flush=True)
        finally:
            waiting.release()

    with ThreadPoolExecutor(options.jobs) as pool:
        for seed in seeds(options):
            waiting.acquire()
            pool.submit(work, seed)


def write(options, case, passed, **more):
    """Adds a line to the log, if there is one."""
    if options.log:
        entry = {"seed": case.seed, "passed": passed, "commit": options.commit,
                 "flags": shlex.join(case.flags), **more}
        if not passed:
            entry |= {"what": case.failure[0], "again": case.again}
        with options.log.open("a") as file:
            file.write(json.dumps(entry) + "\n")


def entries(log):
    return [json.loads(line)
            for line in log.read_text().splitlines()] if log and log.exists() else []


def count(log):
    numbers = collections.Counter((entry["commit"], entry["passed"]) for entry in entries(log))
    for (commit, passed), number in numbers.items():
        print(f"{commit}: {number} {'passed' if passed else 'failed'}")
    print(f"{sum(numbers.values())} programs")


def seeds(options):
    """Seeds until the last one, or until the time is over."""
    end = time.monotonic() + options.minutes * 60 if options.minutes else None
    if options.seeds:
        ranges = (part.partition("-") for part in options.seeds.split(","))
        numbers = itertools.chain.from_iterable(range(int(first), int(last or first) + 1)
                                                for first, _, last in ranges)
    else:
        numbers = range(options.first, sys.maxsize)
    done = {entry["seed"] for entry in entries(options.log)}
    for seed in numbers:
        if seed in done:
            continue
        if end and time.monotonic() > end:
            return
        yield seed


def commit():
    """What is tested, for the log."""
    here = Path(__file__).resolve().parent
    try:
        described = subprocess.run(["git", "-C", str(here), "describe", "--always", "--dirty"],
                                   capture_output=True, text=True, check=False).stdout
    except FileNotFoundError:  # a source tree on a machine without git
        described = ""
    return described.strip() or "unknown"
