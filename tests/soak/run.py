#!/usr/bin/env python3
"""Runs all programs with random settings for some minutes: sanitizer, optimization level, workers,
chaos, fence, segment size.

  nice -n 19 tests/soak/run.py --cc build/bin/nopal-clang --cxx build/bin/nopal-clang++ --minutes 30
  -j1

Each run must print what the serial elision prints, and end with status 0. It builds programs when
it needs them, and keeps them. The report counts the runs of each kind. Each failure comes with its
output and the line that repeats it. The same --seed draws the same settings, but the machine
decides the order of runs, and so the schedule. Status 0: no failure.
"""

import argparse
import collections
import os
import random
import sys
import threading
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE.parent / "programs"))

from matrix import programs, runs, tree  # noqa: E402

SANITIZERS = ("", "", "address,undefined", "thread")  # half of the runs without
LEVELS = ("-O0", "-O1", "-O2", "-O3")
WORKERS = (1, 2, 3, 4, 5, 8, 16)
PROBABILITIES = (None, "0.01", "0.05", "0.3", "1")
SEGMENTS = (None, "256K", "1M", "64M")


class Soak:
    def __init__(self, options):
        self.options = options
        self.random = random.Random(options.seed)
        self.build_dir = Path(options.build_dir).resolve()
        self.tree = self.build_dir / "tree"
        tree.make_tree(self.tree)
        flags = runs.cpu_flags()
        found = programs.all_programs()
        self.programs = [program for program in found if not program.missing(flags)]
        self.left_out = [program.name for program in found if program.missing(flags)]
        self.binaries, self.expected = {}, {}
        self.lock = threading.Lock()  # guards all below, and the drawing
        self.building = collections.defaultdict(threading.Lock)
        self.counts = {kind: collections.Counter()
                       for kind in ("sanitizer", "level", "workers", "chaos", "fence", "segment")}
        self.seen, self.runs, self.failures = set(), 0, []

    def toolchain(self, sanitizer, is_serial):
        options = ["-g", f"-fsanitize={sanitizer}",
                   "-fno-sanitize-recover=all"] if sanitizer else []
        if is_serial:
            return runs.Toolchain(self.options.serial_cc, self.options.serial_cxx,
                                  ["-w", "-DCILK_SERIAL", f"-I{self.options.include}"])
        return runs.Toolchain(self.options.cc, self.options.cxx,
                              ["-w", "-fno-crash-diagnostics", *options])

    def binary(self, program, level, sanitizer, is_serial=False):
        key = (program.name, level, sanitizer, is_serial)
        with self.lock:
            lock = self.building[key]
        with lock:
            if key not in self.binaries:
                sanitized = f"-{sanitizer.replace(',', '-')}" if sanitizer else ""
                name = "serial" if is_serial else f"nopal{level}{sanitized}"
                output = self.build_dir / name / program.name
                outcome = self.toolchain(sanitizer, is_serial).build(program, level, output, 900)
                if outcome.status != 0:
                    self.fails(f"{program.name} build {name}", outcome,
                               f"the compiler {outcome.describe_status()}")
                self.binaries[key] = output if outcome.status == 0 else None
        return self.binaries[key]

    def expectation(self, program, arguments):
        key = (program.name, tuple(arguments))
        binary = self.binary(program, "-O2", "", True)
        if key not in self.expected and binary is not None:
            outcome = runs.execute([str(binary), *arguments], {}, 300)
            if outcome.status != 0:
                self.fails(f"{program.name} serial", outcome, outcome.describe_status())
            self.expected[key] = outcome.stdout if outcome.status == 0 else None
        return self.expected.get(key)

    def fails(self, what, outcome, reason):
        with self.lock:
            self.failures.append(f"{what}: {reason}")
            print(f"\nFAIL {what}: {reason}\n  again: {outcome.reproduce()}")
            for line in outcome.stderr.decode(errors="replace").splitlines()[:60]:
                print(f"  | {line[:300]}")
            sys.stdout.flush()

    def draw(self):
        with self.lock:
            pick = self.random.choice
            program = pick(self.programs)
            return {"program": program,
                    "sanitizer": pick([s for s in SANITIZERS if program.sanitizes(s)]),
                    "level": pick(LEVELS), "workers": pick(WORKERS),
                    "chaos": pick(PROBABILITIES), "seed": self.random.randrange(1, 1 << 31),
                    "fence": pick(runs.FENCES), "segment": pick(SEGMENTS)}

    def one(self):
        drawn = self.draw()
        program, sanitizer = drawn["program"], drawn["sanitizer"]
        level = drawn["level"] if not sanitizer else "-O0" if drawn["level"] == "-O0" else "-O2"
        arguments = program.arguments(drawn["chaos"] is not None, bool(sanitizer), self.tree)
        expected, binary = self.expectation(program,
                                            arguments), self.binary(program, level, sanitizer)
        if expected is None or binary is None:
            return
        environment = {"CILK_NWORKERS": str(drawn["workers"]), "CILK_FENCE": drawn["fence"]}
        if drawn["chaos"]:
            environment["CILK_CHAOS"] = f"{drawn['seed']}:{drawn['chaos']}"
        # frames of instrumented code are larger
        if drawn["segment"] and "segments" not in program.directives and not sanitizer:
            environment["CILK_SEGMENT_SIZE"] = drawn["segment"]
        if sanitizer:
            environment |= runs.SANITIZER_OPTIONS
        outcome = runs.execute([str(binary), *arguments], environment, self.options.timeout)
        with self.lock:
            self.runs += 1
            self.seen.add(program.name)
            for kind, value in (("sanitizer", sanitizer or "none"), ("level", level),
                                ("workers", drawn["workers"]), ("chaos", drawn["chaos"] or "off"),
                                ("fence", drawn["fence"]),
                                ("segment", environment.get("CILK_SEGMENT_SIZE", "default"))):
                self.counts[kind][value] += 1
        if outcome.status != 0:
            self.fails(program.name, outcome, outcome.describe_status())
        elif outcome.stdout != expected:
            self.fails(program.name, outcome, "stdout is not that of the serial elision")

    def run(self):
        end = time.monotonic() + 60 * self.options.minutes

        def work():
            while time.monotonic() < end:
                self.one()

        threads = [threading.Thread(target=work) for _ in range(self.options.jobs)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def report(self):
        print(f"seed {self.options.seed}: {self.runs} runs of {len(self.seen)} of "
              f"{len(self.programs)} programs in {self.options.minutes:g} minutes")
        for kind, counter in self.counts.items():
            print(f"  {kind}: " +
                  ", ".join(f"{value} {count}" for value,
                            count in sorted(counter.items(), key=str)))
        for name in self.left_out:
            print(f"left out: {name}: this processor cannot run it")
        print(f"{len(self.failures)} failures")
        for failure in self.failures:
            print(f"  {failure}")
        return 1 if self.failures else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cc", required=True, help="nopal-clang")
    parser.add_argument("--cxx", required=True, help="nopal-clang++")
    parser.add_argument("--serial-cc", default="clang-22",
                        help="compiler of the serial elision (default %(default)s)")
    parser.add_argument("--serial-cxx", default="clang++-22",
                        help="the same for C++ (default %(default)s)")
    parser.add_argument("--include", default=str(ROOT / "runtime" / "include"),
                        help="where <cilk/cilk.h> is, for the serial elision")
    parser.add_argument("--build-dir", default="build/soak",
                        help="where everything that is made goes (default %(default)s)")
    parser.add_argument("--minutes", type=float, default=30,
                        help="how long (default %(default)s); a run that has begun is ended")
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 31),
                        help="of the settings (default: another one each time)")
    parser.add_argument("--timeout", type=float, default=600,
                        help="seconds for a run (default %(default)s)")
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count(),
                        help="runs at a time (default: processors)")
    soak = Soak(parser.parse_args())
    soak.run()
    return soak.report()


if __name__ == "__main__":
    sys.exit(main())
