#!/usr/bin/env python3
"""Compares existing programs with mutants of themselves that spawn.

  run.py --bin build/bin --seeds 1-100               the mutants of these seeds
  run.py --bin build/bin --minutes 30 --log L        as many as time allows, from the log's end on
  run.py --bin build/bin --minutes 30 --sources DIR  of a folder's programs (again for more folders)
  run.py --bin build/bin --seeds 12 --keep           keeps the files of what passes too
  run.py --count L                                   how many mutants the log knows, by commit

The seed chooses a program, mutations (mutate.py), options of the compiler and the settings of the
runs. A failure prints the seed, the command that does it again, and what is left of its mutations
when all that do not matter are gone (../generator/reduce.py). The report ends with the mutations
that the front-end refused, by row of its table, the useless ones, and the numbers of mutants that
passed and failed. The exit status is 1 if something failed.
"""

import argparse
import collections
import json
import os
import shlex
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from mutant import Mutant, Originals, rows
from log import commit, count, seeds  # the generator's, and so is the next
from reduce import add_options, fails_again, reduce


class Report:
    def __init__(self, options):
        self.options, self.lock, self.reducing = options, threading.Lock(), threading.Lock()
        self.passed, self.failed, self.unused = 0, [], collections.Counter()
        self.slow, self.mutations = 0, 0
        self.refused, self.invalid = collections.Counter(), collections.Counter()

    def add(self, mutant, passed):
        name = mutant.original.path.name
        with self.lock:
            self.refused.update(mutant.refused)
            self.invalid.update(mutant.invalid)
            self.slow += mutant.slow
            if passed is None:
                self.unused[name] += 1
            else:
                self.log(mutant, passed)
                self.mutations += len(mutant.mutations)
            if passed:
                self.passed += 1
            if passed is not False:
                if not self.options.keep:
                    mutant.clean()
                return
            self.failed.append(mutant.seed)
            print(f"FAIL seed {mutant.seed} {name}, {mutant.manner}, {len(mutant.mutations)} "
                  f"mutations ({' '.join(mutant.flags)})\n"
                  f"    {mutant.failure[0]}\n    again: {mutant.again}", flush=True)
        if self.options.reduce_minutes:
            with self.reducing:  # one at a time
                reduced = reduce(mutant, Path(__file__).resolve(),
                                 ("sites", "sources", "without", "level", "flags", "timeout",
                                  "build-timeout"))
            lines = [f"reduced to {reduced}",
                     *changed(mutant, reduced)[:8]] if reduced else ["does not fail again"]
            print(f"    seed {mutant.seed} " + "\n        ".join(lines), flush=True)

    def log(self, mutant, passed):
        if self.options.log:
            entry = {"seed": mutant.seed, "passed": passed, "commit": self.options.commit,
                     "flags": shlex.join(mutant.flags),
                     "source": mutant.original.path.name, "manner": mutant.manner,
                     "mutations": len(mutant.mutations)}
            entry |= {name: value for name,
                      value in (("refused", mutant.refused), ("invalid", mutant.invalid)) if value}
            if not passed:
                entry |= {"what": mutant.failure[0], "again": mutant.again}
            with self.options.log.open("a") as file:
                file.write(json.dumps(entry) + "\n")

    def finish(self):
        for row, number in self.refused.most_common():
            print(f"refused by {row}: {number} mutations")
        for why, number in self.invalid.most_common():
            print(f"of no use, {why}: {number}")
        for name, number in self.unused.most_common():
            print(f"nothing to compare with: {name} ({number} seeds)")
        if self.slow:
            print(f"slow: {self.slow} mutants took more than {self.options.timeout} s")
        print(f"{self.mutations} mutations in {self.passed} mutants passed, {len(self.failed)} "
              "failed", flush=True)


def changed(mutant, reduced):
    """The lines of the original that the reduced mutant changes."""
    lines = zip(mutant.original.text.splitlines(), reduced.read_bytes().splitlines())
    return [f"{number}: {new.decode(errors='replace').strip()}" for number,
            (old, new) in enumerate(lines, 1) if old != new]


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=Path, help="where nopal-clang and nopal-clang++ are")
    parser.add_argument("--sites", type=Path,
                        help="NopalSites.so (default: where the build leaves it)")
    parser.add_argument("--sources", type=Path, action="append", metavar="DIR",
                        help="programs, one a file, instead of those of this tree")
    parser.add_argument("--without", default=(), type=lambda text: tuple(text.split(",")),
                        metavar="KIND,KIND", help="no mutations of these kinds")
    parser.add_argument("--seeds", metavar="A-B")
    parser.add_argument("--minutes", type=float)
    parser.add_argument("--first", type=int, default=1,
                        help="the first seed, without --seeds (default %(default)s)")
    parser.add_argument("--level", help="one -O level for all, e.g. -O2")
    parser.add_argument("--flags", default="", metavar="TEXT",
                        help="more options of the compiler, e.g. --flags=-flto")
    parser.add_argument("--log", type=Path,
                        help="a line for each mutant; seeds that stand there are not run again")
    parser.add_argument("--count", type=Path, metavar="LOG",
                        help="count the mutants of a log, and run nothing")
    parser.add_argument("--reduce-minutes", type=float, default=5,
                        help="for making a failing mutant small; 0: not at all (default "
                             "%(default)s)")
    parser.add_argument("--build-dir", type=Path, default=Path("build-mutator"),
                        help="for all files (default %(default)s)")
    add_options(parser)
    parser.add_argument("--keep", action="store_true", help="keep the files of what passes too")
    parser.add_argument("--timeout", type=float, default=30,
                        help="seconds for a run (default %(default)s)")
    parser.add_argument("--build-timeout", type=float, default=300,
                        help="seconds for a build (default %(default)s)")
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count(),
                        help="mutants at a time (default: processors)")
    options = parser.parse_args()
    if options.count:
        return options
    if not options.bin or not options.seeds and not options.minutes:
        parser.error("--bin, and --seeds or --minutes, are needed")
    options.commit, options.rows = commit(), rows()
    options.bin, options.build_dir = options.bin.resolve(), options.build_dir.resolve()
    options.sites = (options.sites
                     or options.bin.parent / "tests" / "mutator" / "NopalSites.so").resolve()
    options.sources = [folder.resolve() for folder in options.sources or []]
    options.build_dir.mkdir(parents=True, exist_ok=True)
    return options


def main():
    options = parse_options()
    if options.count:
        count(options.count)
        return 0
    report, originals = Report(options), Originals(options)
    if options.parts:
        return 0 if fails_again(Mutant(int(options.seeds), options, originals), options) else 1
    waiting = threading.Semaphore(options.jobs)

    def work(seed):
        try:
            mutant = Mutant(seed, options, originals)
            report.add(mutant, mutant.run())
        except Exception as error:  # a failure of ours, or of the disk
            report.failed.append(seed)
            print(f"FAIL seed {seed}: {error!r}", flush=True)
        finally:
            waiting.release()

    with ThreadPoolExecutor(options.jobs) as pool:
        for seed in seeds(options):
            waiting.acquire()
            pool.submit(work, seed)
    report.finish()
    return 1 if report.failed else 0


if __name__ == "__main__":
    sys.exit(main())
