#!/usr/bin/env python3
"""Compares random programs with their serial elision.

  run.py --bin build/bin --seeds 1-100           the programs of these seeds
  run.py --bin build/bin --minutes 30 --first 7  as many as there is time for, from seed 7 on
  run.py --bin build/bin --minutes 30 --log L    the same, going on where the log ends
  run.py --bin build/bin --seeds 12 --keep       keeps the files of what passes too
  run.py --count L                               how many programs the log knows, by commit

The seed decides the program, its language (C for each fifth) and the runs (1 to 8 workers,
continuations stolen by force or not, both fences); groups of seeds share the -O level and other
options (case.py). A failure prints the seed, the command that does it again, and a smaller program
that fails in the same way (reduce.py). The last line is `N passed, N failed`, counting programs;
the exit status is 1 if something failed.

Python's standard library only. generate.py says how a program comes about.
"""

import sys
import threading
from pathlib import Path

import seeds
from case import HERE, Case
from reduce import fails_again, reduce

sys.path.insert(0, str(HERE.parent / "peak"))
import peak  # noqa: E402


class Report:
    def __init__(self, options):
        self.lock, self.options = threading.Lock(), options
        self.passed, self.failed = 0, []
        self.reducing = threading.Lock()

    def add(self, case, passed):
        with self.lock:
            seeds.write(self.options, case, passed)
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


def parse_options():
    parser = seeds.parser(__doc__, "program", 10, "build-generator", 20, 120)
    parser.add_argument("--sanitize", action="store_true",
                        help="with the address and undefined sanitizers, all of them")
    parser.add_argument("--cache", type=Path,
                        help="where precompiled headers are kept (default: in the build folder)")
    options = seeds.parse(parser)
    options.cache = (options.cache or options.build_dir).resolve()
    options.headers_lock = threading.Lock()
    options.launcher = peak.Launcher("clang-22", options.build_dir / "peak")
    options.worst_peak = peak.Worst()
    return options


def main():
    options = parse_options()
    if options.parts:
        return 0 if fails_again(Case(int(options.seeds), options), options) else 1
    report = Report(options)

    def perform(seed):
        case = Case(seed, options)
        return case, case.run()

    seeds.run(options, report, perform)
    print(options.worst_peak)
    print(f"{report.passed} passed, {len(report.failed)} failed", flush=True)
    return 1 if report.failed else 0


if __name__ == "__main__":
    sys.exit(main())
