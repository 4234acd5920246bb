#!/usr/bin/env python3
"""Builds the test programs and the examples in all their settings, runs them, and compares each run with the serial elision.

  run_matrix.py --cc build/bin/nopal-clang --cxx build/bin/nopal-clang++ --build-dir build/programs --quick -j2
  run_matrix.py --serial-only                       only the serial elision (no plugin is needed)
  run_matrix.py ... --sanitize=address,undefined    the same with sanitizers
  run_matrix.py ... --only exceptions               the programs whose name contains a text

A run fails if its status is not 0, its stdout differs from the serial elision's with the same arguments, it does not end in time, it
needs more memory than the serial elision's with the same arguments allows (../peak), or, at CILK_CHAOS=SEED:1, a spawn site that it
executes was never stolen. For each failure the command that does it again is printed. What is left out is listed too, and the run that
came nearest to its memory. The last line is `N passed, N failed, N left out`; the exit status is 1 if something failed, and 2 if
nothing could be run.

Python's standard library only. matrix/programs.py says how programs give arguments and expectations, matrix/runs.py what the
dimensions are.
"""

import argparse
import os
import shlex
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from matrix import programs, runs, sites, tree

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE.parent / "peak"))
import peak  # noqa: E402
FAILURES_SHOWN_PER_PROGRAM = 4


class Report:
    """Counts and prints; may be called from several threads."""

    def __init__(self, verbose):
        self.lock = threading.Lock()
        self.verbose = verbose
        self.passed = self.failed = 0
        self.left_out = []
        self.failures = {}
        self.worst_peak = peak.Worst()

    def passes(self, what, seconds):
        with self.lock:
            self.passed += 1
            if self.verbose:
                print(f"pass {what} ({seconds:.2f} s)", flush=True)

    def fails(self, program, what, outcome, reason):
        with self.lock:
            self.failed += 1
            kept = self.failures.setdefault(program, [])
            kept.append((what, outcome, reason))
            if len(kept) > FAILURES_SHOWN_PER_PROGRAM and not self.verbose:
                return
            print(f"\nFAIL {what}: {reason}\n  again: {outcome.reproduce()}")
            lines = outcome.stderr.decode(errors="replace").splitlines()
            for line in lines if len(lines) <= 16 else [*lines[:8], "...", *lines[-8:]]:
                print(f"  | {line[:240]}")
            sys.stdout.flush()

    def needed(self, what, kib, serial_kib, workers):
        """A complaint, or None."""
        with self.lock:
            return self.worst_peak.add(what, kib, serial_kib, workers)

    def leaves_out(self, what, reason):
        with self.lock:
            self.left_out.append(f"{what}: {reason}")

    def summary(self):
        for program, failures in sorted(self.failures.items()):
            if len(failures) > FAILURES_SHOWN_PER_PROGRAM and not self.verbose:
                print(f"\n{program}: {len(failures)} failures, {FAILURES_SHOWN_PER_PROGRAM} of them shown; the others:")
                for what, _, reason in failures[FAILURES_SHOWN_PER_PROGRAM:]:
                    print(f"  {what}: {reason.splitlines()[0]}")
        for line in self.left_out:
            print(f"left out: {line}")
        if self.worst_peak.ratio:
            print(self.worst_peak)
        print(f"{self.passed} passed, {self.failed} failed, {len(self.left_out)} left out", flush=True)
        return 1 if self.failed else 0 if self.passed else 2


def first_difference(expected, actual):
    """One line on where two outputs part."""
    wanted, got = expected.decode(errors="replace").splitlines(), actual.decode(errors="replace").splitlines()
    for number, (a, b) in enumerate(zip(wanted, got), 1):
        if a != b:
            return f"line {number} of stdout is '{b[:160]}', serially '{a[:160]}'"
    return f"stdout has {len(got)} lines, serially {len(wanted)}"


class Matrix:
    def __init__(self, options, report):
        self.options = options
        self.report = report
        self.build_dir = Path(options.build_dir).resolve()
        self.tree = self.build_dir / "tree"
        self.headers = sorted((HERE / "support").glob("*.h"))
        sanitizers = []
        if options.sanitize:
            sanitizers = ["-g", f"-fsanitize={options.sanitize}", "-fno-sanitize-recover=all"]
        warnings = ["-Wall", "-Wextra"]
        self.serial = runs.Toolchain(options.serial_cc, options.serial_cxx,
                                     [*warnings, "-Werror", "-DCILK_SERIAL", f"-I{options.include}", *sanitizers])
        checks = ["-fno-crash-diagnostics", "-fverify-intermediate-code"]  # what breaks the rules of LLVM's IR may run as it should by chance
        self.parallel = runs.Toolchain(options.cc, options.cxx, [*warnings, *checks, *sanitizers, *shlex.split(options.options)]) if options.cc else None
        self.timeout = options.timeout * (5 if options.sanitize else 1)
        self.launcher = None if options.sanitize else peak.Launcher(options.serial_cc, self.build_dir / "peak")

    def find(self):
        found = programs.find_programs(HERE) + programs.find_programs(ROOT / "docs" / "examples")
        flags = runs.cpu_flags()
        chosen = []
        for program in found:
            missing = program.missing(flags)
            if self.options.only and not any(text in program.name for text in self.options.only):
                continue
            if missing:
                self.report.leaves_out(program.name, f"this processor has no {missing}")
            elif not program.sanitizes(self.options.sanitize):
                self.report.leaves_out(program.name, f"not with the sanitizer {self.options.sanitize}")
            else:
                chosen.append(program)
        return chosen

    def plan(self):
        # The optimizer sees instrumented code at any level: two levels do.
        levels = ("-O0", "-O2") if self.options.sanitize else runs.LEVELS
        if self.options.levels:
            levels = [f"-{level}" for level in self.options.levels]
        return runs.full_plan(levels) if self.options.full else runs.quick_plan(levels)

    def sanitizer_environment(self):
        return runs.SANITIZER_OPTIONS if self.options.sanitize else {}

    def build(self, toolchain, program, level, name):
        """Builds and returns the path, or None; a failure is reported."""
        output = self.build_dir / name / program.name
        outcome = toolchain.build(program, level, output, self.options.build_timeout)
        what = f"{program.name} build {name}"
        if outcome.status != 0:
            self.report.fails(program.name, what, outcome, f"the compiler {outcome.describe_status()}")
            return None
        self.report.passes(what, outcome.seconds)
        if outcome.stderr.strip() and toolchain is self.parallel and self.options.verbose:
            print(f"{what}: the compiler says\n{outcome.stderr.decode(errors='replace')}", flush=True)
        return output

    def execute(self, binary, arguments, environment):
        command = [str(binary), *arguments]
        if self.launcher is None:
            return runs.execute(command, environment, self.timeout)
        return runs.execute_measured(self.launcher, command, environment, self.timeout)

    def expectation(self, program, binary, arguments, cache):
        """What the serial elision did with `arguments`, or None if it fails."""
        key = tuple(arguments)
        if key not in cache:
            outcome = self.execute(binary, arguments, self.sanitizer_environment())
            cache[key] = outcome if outcome.status == 0 else None
            what = f"{program.name} serial {' '.join(arguments)}".rstrip()
            if outcome.status != 0:
                self.report.fails(program.name, what, outcome, outcome.describe_status())
            else:
                self.report.passes(what, outcome.seconds)
        return cache[key]

    def run_setting(self, program, binary, setting, arguments, expected):
        environment = {**setting.environment(), **self.sanitizer_environment()}
        check_sites = setting.steals_everything() and not self.options.sanitize
        name = f"{setting.level} workers={setting.workers} chaos={setting.chaos or 'off'} fence={setting.fence}"
        if check_sites:
            statistics = self.build_dir / "statistics" / (f"{program.name} {name}".replace("/", "_").replace(" ", "_") + ".json")
            statistics.parent.mkdir(parents=True, exist_ok=True)
            statistics.unlink(missing_ok=True)
            environment["CILK_STATS"] = str(statistics)
        for _ in range(self.options.repeat):
            outcome = self.execute(binary, arguments, environment)
            complaints = []
            what = f"{program.name} {name}"
            if outcome.status != 0:
                complaints.append(outcome.describe_status())
            elif outcome.stdout != expected.stdout:
                complaints.append(first_difference(expected.stdout, outcome.stdout))
            elif check_sites:
                complaints = sites.check(program, statistics, self.headers)
            if outcome.status == 0 and self.launcher and "more-memory" not in program.directives:
                too_much = self.report.needed(what, outcome.peak_kib, expected.peak_kib, setting.workers)
                complaints += [too_much] if too_much else []
            if complaints:
                self.report.fails(program.name, what, outcome, "\n  ".join(complaints))
            else:
                self.report.passes(what, outcome.seconds)

    def run_program(self, program):
        sanitize = bool(self.options.sanitize)
        serial = self.build(self.serial, program, "-O2", "serial")
        if serial is None:
            return
        cache, binaries = {}, {}
        for chaos in (False, True):
            self.expectation(program, serial, program.arguments(chaos, sanitize, self.tree), cache)
        if self.parallel is None:
            return
        for setting in self.plan():
            if setting.level not in binaries:
                binaries[setting.level] = self.build(self.parallel, program, setting.level, f"nopal{setting.level}")
            arguments = program.arguments(setting.chaos is not None, sanitize, self.tree)
            expected = self.expectation(program, serial, arguments, cache)
            if binaries[setting.level] is not None and expected is not None:
                self.run_setting(program, binaries[setting.level], setting, arguments, expected)

    def run(self):
        chosen = self.find()
        tree.make_tree(self.tree)
        if self.parallel is None:
            self.report.leaves_out("all parallel runs", "--serial-only")
        elif not self.options.full:
            left_out = len(runs.full_plan(runs.LEVELS)) - len(self.plan())
            self.report.leaves_out("--quick", f"{left_out} of {len(runs.full_plan(runs.LEVELS))} settings of each program")
        if self.options.sanitize:
            self.report.leaves_out("spawn sites", "not compared in a sanitized build")
            self.report.leaves_out("peak memory", "not compared in a sanitized build, which has memory of its own")
        for program in chosen:
            if "more-memory" in program.directives and not self.options.sanitize:
                self.report.leaves_out(f"peak memory of {program.name}", program.directives["more-memory"])
        with ThreadPoolExecutor(self.options.jobs) as pool:
            for done in [pool.submit(self.run_program, program) for program in chosen]:
                done.result()


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cc", help="nopal-clang")
    parser.add_argument("--cxx", help="nopal-clang++")
    parser.add_argument("--serial-only", action="store_true", help="do not build with the plugin")
    parser.add_argument("--serial-cc", default="clang-22", help="compiler of the serial elision (default %(default)s)")
    parser.add_argument("--serial-cxx", default="clang++-22", help="the same for C++ (default %(default)s)")
    parser.add_argument("--include", default=str(ROOT / "runtime" / "include"), help="where <cilk/cilk.h> is, for the serial elision")
    parser.add_argument("--build-dir", default="build-programs", help="where everything that is made goes (default %(default)s)")
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument("--quick", action="store_true", help="each value of each dimension for each program (default)")
    mode.add_argument("--full", action="store_true", help="the product of all dimensions")
    parser.add_argument("--sanitize", metavar="LIST", help="as clang's -fsanitize=")
    parser.add_argument("--options", default="", metavar="TEXT", help="more options for --cc and --cxx, e.g. --options=-flto")
    parser.add_argument("--levels", nargs="+", choices=[level[1:] for level in runs.LEVELS], help="only these, e.g. O0 O2")
    parser.add_argument("--only", nargs="+", metavar="TEXT", help="only programs whose name contains one of these")
    parser.add_argument("--repeat", type=int, default=1, metavar="N", help="each run N times")
    parser.add_argument("--timeout", type=float, default=60, help="seconds for a run (default %(default)s; five times that if sanitized)")
    parser.add_argument("--build-timeout", type=float, default=300, help="seconds for a build (default %(default)s)")
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count(), help="programs at a time (default: processors)")
    parser.add_argument("-v", "--verbose", action="store_true", help="print what passes too")
    options = parser.parse_args()
    if options.serial_only:
        options.cc = options.cxx = None
    elif not options.cc or not options.cxx:
        parser.error("--cc and --cxx are needed, or --serial-only")
    return options


def main():
    options = parse_options()
    report = Report(options.verbose)
    Matrix(options, report).run()
    return report.summary()


if __name__ == "__main__":
    sys.exit(main())
