#!/usr/bin/env python3
"""Compares random programs with their serial elision.

  run.py --bin build/bin --seeds 1-100           the programs of these seeds
  run.py --bin build/bin --minutes 30 --first 7  as many as there is time for, from seed 7 on
  run.py --bin build/bin --minutes 30 --log L    the same, going on where the log ends
  run.py --bin build/bin --seeds 12 --keep       keeps the files of what passes too
  run.py --count L                               how many programs the log knows, by commit

The seed decides the program, its language (C for each fifth) and the runs (1, 2 and 4 workers,
continuations stolen by force or not, both fences); groups of seeds share the -O level and other
options (case.py). A failure prints the seed, the command that does it again, and a smaller program
that fails in the same way (reduce.py). The last line is `N passed, N failed`, counting programs;
the exit status is 1 if something failed.

Python's standard library only. generate.py says how a program comes about.
"""

import argparse
import json
import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from case import HERE, Case
from log import commit, count, seeds
from reduce import add_options, fails_again, reduce

sys.path.insert(0, str(HERE.parent / "peak"))
import peak  # noqa: E402


class Report:
    def __init__(self, options):
        self.lock, self.options = threading.Lock(), options
        self.passed, self.failed = 0, []
        self.reducing = threading.Lock()

    def add(self, case, passed):
        with self.lock:
            self.log(case, passed)
            if passed:
                self.passed += 1
                if not self.options.keep:
                    case.clean()
                return
            self.failed.append(case.seed)
            print(f"FAIL seed {case.seed} ({' '.join(case.flags)}) {case.failure[0]}\n    again: "
                  f"{case.again}", flush=True)
        if self.options.reduce_minutes:
            with self.reducing:  # one at a time
                reduced = reduce(case, HERE / "run.py",
                                 ("level", "flags", "sanitize", "timeout", "build-timeout",
                                  "cache"))
            print(f"    seed {case.seed} reduced: "
                  + (f"{reduced} ({len(reduced.read_text().splitlines())} lines)" if reduced else
                                                   "does not fail again"), flush=True)

    def log(self, case, passed):
        if self.options.log:
            entry = {"seed": case.seed, "passed": passed, "commit": self.options.commit,
                     "flags": " ".join(case.flags)}
            if not passed:
                entry |= {"what": case.failure[0], "again": case.again}
            with self.options.log.open("a") as file:
                file.write(json.dumps(entry) + "\n")


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=Path, help="where nopal-clang and nopal-clang++ are")
    parser.add_argument("--seeds", metavar="A-B")
    parser.add_argument("--minutes", type=float)
    parser.add_argument("--first", type=int, default=1,
                        help="the first seed, without --seeds (default %(default)s)")
    parser.add_argument("--level", help="one -O level for all, e.g. -O2")
    parser.add_argument("--flags", default="", metavar="TEXT",
                        help="more options of the compiler, e.g. --flags=-flto")
    parser.add_argument("--sanitize", action="store_true",
                        help="with the address and undefined sanitizers, all of them")
    parser.add_argument("--log", type=Path,
                        help="a line for each program; seeds that stand there are not run again")
    parser.add_argument("--count", type=Path, metavar="LOG",
                        help="count the programs of a log, and run nothing")
    parser.add_argument("--reduce-minutes", type=float, default=10,
                        help="for making a failing program small; 0: not at all (default "
                             "%(default)s)")
    parser.add_argument("--build-dir", type=Path, default=Path("build-generator"),
                        help="for all files (default %(default)s)")
    parser.add_argument("--cache", type=Path,
                        help="where precompiled headers are kept (default: in the build folder)")
    add_options(parser)
    parser.add_argument("--keep", action="store_true", help="keep the files of what passes too")
    parser.add_argument("--timeout", type=float, default=20,
                        help="seconds for a run (default %(default)s)")
    parser.add_argument("--build-timeout", type=float, default=120,
                        help="seconds for a build (default %(default)s)")
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count(),
                        help="programs at a time (default: processors)")
    options = parser.parse_args()
    if options.count:
        return options
    if not options.bin or not options.seeds and not options.minutes:
        parser.error("--bin, and --seeds or --minutes, are needed")
    options.commit = commit()
    options.bin, options.build_dir = options.bin.resolve(), options.build_dir.resolve()
    options.cache = (options.cache or options.build_dir).resolve()
    options.headers_lock = threading.Lock()
    options.build_dir.mkdir(parents=True, exist_ok=True)
    options.launcher, options.worst_peak = peak.Launcher("clang-22",
                                                         options.build_dir / "peak"), peak.Worst()
    return options


def main():
    options = parse_options()
    if options.count:
        count(options.count)
        return 0
    if options.parts:
        return 0 if fails_again(Case(int(options.seeds), options), options) else 1
    report = Report(options)
    waiting = threading.Semaphore(options.jobs)

    def work(seed):
        try:
            case = Case(seed, options)
            report.add(case, case.run())
        except Exception as error:  # a failure of ours, or of the disk
            report.failed.append(seed)
            print(f"FAIL seed {seed}: {error!r}", flush=True)
        finally:
            waiting.release()

    with ThreadPoolExecutor(options.jobs) as pool:
        started = []
        for seed in seeds(options):
            waiting.acquire()
            started.append(pool.submit(work, seed))
        for done in started:
            done.result()
    print(options.worst_peak)
    print(f"{report.passed} passed, {len(report.failed)} failed", flush=True)
    return 1 if report.failed else 0


if __name__ == "__main__":
    sys.exit(main())
