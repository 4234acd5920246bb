#!/usr/bin/env python3
"""Compares random programs with their serial elision.

  run.py --bin build/bin --seeds 1-100           the programs of these seeds
  run.py --bin build/bin --minutes 30 --first 7  as many as there is time for, from seed 7 on
  run.py --bin build/bin --seeds 12 --keep       keeps the files of what passes too

The seed decides the language (C for each fifth), the -O level, -g and -fno-exceptions. Each program is run with 1 and 4 workers, as
it is and with continuations stolen by force. A failure prints the seed and the command that does it again, and keeps the files. The
last line is `N passed, N failed`, counting programs; the exit status is 1 if something failed.

Python's standard library only. generate.py says how a program comes about.
"""

import argparse
import os
import re
import shlex
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from program import generate

HERE = Path(__file__).resolve().parent
INCLUDE = HERE.parent.parent / "runtime" / "include"
HEADERS = ["atomic", "cstdio", "memory", "stdexcept", "string", "utility", "vector"]
# CILK_NWORKERS, CILK_CHAOS with the seed left open
SETTINGS = [(1, None), (4, None), (1, "{}:1"), (4, "{}:1"), (1, "{}:0.1"), (4, "{}:0.1")]


class Case:
    """One seed: its program, its options, its files."""

    def __init__(self, seed, options):
        self.seed, self.options = seed, options
        self.in_c = seed % 5 == 4
        self.exceptions = not self.in_c and seed % 7 != 6
        self.level = options.level or f"-O{seed % 4}"
        self.flags = [self.level, *(["-g"] if seed % 3 == 0 else []), *shlex.split(options.flags)]
        if not self.in_c:
            self.flags += ["-std=c++20"] + ([] if self.exceptions else ["-fno-exceptions"])
        self.source = options.build_dir / f"{seed}.{'c' if self.in_c else 'cpp'}"
        self.binary, self.serial = options.build_dir / f"{seed}", options.build_dir / f"{seed}.serial"

    def compilers(self):
        own = self.options.bin / ("nopal-clang" if self.in_c else "nopal-clang++")
        return ["clang-22" if self.in_c else "clang++-22"], [str(own)]

    def commands(self):
        """The compilations, each as what it does with a source, and with which file as the result."""
        serial, own = self.compilers()
        language = [f for f in self.flags if f.startswith(("-std", "-fno-exc"))]
        warnings = ["-Wno-everything"]
        return ((serial + ["-O1", *warnings, *language, "-DCILK_SERIAL", f"-I{INCLUDE}"], self.serial),
                (own + [*warnings, *self.flags], self.binary))

    def headers(self, command):
        """Options that save reading the standard library's headers again for each program."""
        if self.in_c:
            return []
        with self.options.headers_lock:
            folder = self.options.build_dir / "headers"
            compiled = folder / (re.sub(r"[^a-zA-Z0-9=-]+", "_", " ".join([Path(command[0]).name, *command[1:]]))[-120:] + ".pch")
            if not compiled.exists():
                folder.mkdir(exist_ok=True)
                header = folder / "headers.h"
                if not header.exists():
                    header.write_text("".join(f"#include <{name}>\n" for name in HEADERS))
                outcome = execute([*command, "-x", "c++-header", str(header), "-o", str(compiled)], {}, self.options.build_timeout)
                if outcome[0] != 0:
                    raise RuntimeError(outcome[2])
            return ["-include-pch", str(compiled)]

    def run(self):
        """None, or (what failed, command)."""
        self.source.write_text(generate(self.seed, self.in_c, self.exceptions))
        for command, result in self.commands():
            files = [str(self.source), "-o", str(result)]
            outcome = execute(command + self.headers(command) + files, {}, self.options.build_timeout)
            if outcome[0] != 0:
                return f"the {'serial ' if result is self.serial else ''}compiler {described(outcome)}", shlex.join(command + files)
        expected = execute([str(self.serial)], {}, self.options.timeout)
        if expected[0] != 0:
            return f"the serial program {described(expected)}", str(self.source)
        for workers, chaos in SETTINGS:
            environment = {"CILK_NWORKERS": str(workers)}
            if chaos:
                environment["CILK_CHAOS"] = chaos.format(self.seed)
            outcome = execute([str(self.binary)], environment, self.options.timeout)
            if outcome[:2] != expected[:2]:
                text = " ".join(f"{k}={v}" for k, v in environment.items())
                return (f"{text}: {described(outcome) if outcome[0] else difference(expected[1], outcome[1])}",
                        f"{shlex.join(command + files)} && {text} {self.binary}")
        return None

    def clean(self):
        for file in (self.source, self.binary, self.serial):
            file.unlink(missing_ok=True)


def execute(command, environment, timeout):
    """(status, stdout, stderr); the status is None if it did not end in time."""
    try:
        done = subprocess.run(command, env={**os.environ, **environment}, capture_output=True, timeout=timeout, text=True, errors="replace")
        return done.returncode, done.stdout, done.stderr
    except subprocess.TimeoutExpired:
        return None, "", ""


def described(outcome):
    status, stdout, stderr = outcome
    last = [line for line in (stdout + stderr).splitlines() if "error" in line.lower() or "wrong" in line] or stderr.splitlines()[-3:]
    ended = "does not end" if status is None else f"ends with status {status}"
    return "\n    ".join([ended, *(line[:200] for line in last[:4])])


def difference(expected, actual):
    for wanted, got in zip(expected.splitlines(), actual.splitlines()):
        if wanted != got:
            return f"'{got}' instead of '{wanted}'"
    return "too short or too long"


class Report:
    def __init__(self):
        self.lock = threading.Lock()
        self.passed, self.failed = 0, []

    def add(self, case, failure, keep):
        with self.lock:
            if failure is None:
                self.passed += 1
                if not keep:
                    case.clean()
                return
            self.failed.append(case.seed)
            print(f"FAIL seed {case.seed} ({' '.join(case.flags)}) {failure[0]}\n    again: {failure[1]}", flush=True)


def seeds(options):
    """Seeds until the last one, or until the time is over."""
    end = time.monotonic() + options.minutes * 60 if options.minutes else None
    if options.seeds:
        first, _, last = options.seeds.partition("-")
        numbers = range(int(first), int(last or first) + 1)
    else:
        numbers = range(options.first, sys.maxsize)
    for seed in numbers:
        if end and time.monotonic() > end:
            return
        yield seed


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=Path, required=True, help="where nopal-clang and nopal-clang++ are")
    parser.add_argument("--seeds", metavar="A-B")
    parser.add_argument("--minutes", type=float)
    parser.add_argument("--first", type=int, default=1, help="the first seed, without --seeds (default %(default)s)")
    parser.add_argument("--level", help="one -O level for all, e.g. -O2")
    parser.add_argument("--flags", default="", metavar="TEXT", help="more options of the compiler, e.g. --flags=-flto")
    parser.add_argument("--build-dir", type=Path, default=Path("build-generator"), help="for all files (default %(default)s)")
    parser.add_argument("--keep", action="store_true", help="keep the files of what passes too")
    parser.add_argument("--timeout", type=float, default=20, help="seconds for a run (default %(default)s)")
    parser.add_argument("--build-timeout", type=float, default=120, help="seconds for a build (default %(default)s)")
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count(), help="programs at a time (default: processors)")
    options = parser.parse_args()
    if not options.seeds and not options.minutes:
        parser.error("--seeds or --minutes is needed")
    options.build_dir = options.build_dir.resolve()
    options.headers_lock = threading.Lock()
    options.build_dir.mkdir(parents=True, exist_ok=True)
    return options


def main():
    options, report = parse_options(), Report()
    waiting = threading.Semaphore(options.jobs)

    def work(seed):
        try:
            case = Case(seed, options)
            report.add(case, case.run(), options.keep)
        finally:
            waiting.release()

    with ThreadPoolExecutor(options.jobs) as pool:
        started = []
        for seed in seeds(options):
            waiting.acquire()
            started.append(pool.submit(work, seed))
        for done in started:
            done.result()
    print(f"{report.passed} passed, {len(report.failed)} failed", flush=True)
    return 1 if report.failed else 0


if __name__ == "__main__":
    sys.exit(main())
