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

import collections
import sys
import threading
from pathlib import Path

from mutant import Mutant, Originals, rows
import seeds  # the generator's, and so is the next
from reduce import fails_again, reduce


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
        more = {"refused": mutant.refused, "invalid": mutant.invalid}
        seeds.write(self.options, mutant, passed, source=mutant.original.path.name,
                    manner=mutant.manner, mutations=len(mutant.mutations),
                    **{name: value for name, value in more.items() if value})

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
    parser = seeds.parser(__doc__, "mutant", 5, "build-mutator", 30, 300)
    parser.add_argument("--sites", type=Path,
                        help="NopalSites.so (default: where the build leaves it)")
    parser.add_argument("--sources", type=Path, action="append", metavar="DIR",
                        help="programs, one a file, instead of those of this tree")
    parser.add_argument("--without", default=(), type=lambda text: tuple(text.split(",")),
                        metavar="KIND,KIND", help="no mutations of these kinds")
    options = seeds.parse(parser)
    options.rows = rows()
    options.sites = (options.sites
                     or options.bin.parent / "tests" / "mutator" / "NopalSites.so").resolve()
    options.sources = [folder.resolve() for folder in options.sources or []]
    return options


def main():
    options = parse_options()
    report, originals = Report(options), Originals(options)
    if options.parts:
        return 0 if fails_again(Mutant(int(options.seeds), options, originals), options) else 1

    def perform(seed):
        mutant = Mutant(seed, options, originals)
        return mutant, mutant.run()

    seeds.run(options, report, perform)
    report.finish()
    return 1 if report.failed else 0


if __name__ == "__main__":
    sys.exit(main())
