#!/usr/bin/env python3
"""Builds a program in C and one in C++ in every mode of the compiler, and compares their runs with the serial elision.

  run_modes.py --bin build/bin --build-dir build/modes            the quick set, as in ctest
  run_modes.py --bin build/bin --build-dir build/modes --full     all modes
  run_modes.py ... --only lto                                     those whose name contains a text

Each program runs with chaos at one and at two workers, and without chaos at two. Prints failures with the command that does them
again, and what is left out; the last line is `N modes passed, N failed, N left out`. modes/table.py has the modes.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "programs"))

from matrix import runs  # noqa: E402  the same way to run a command as the matrix of programs has
from modes import builds, table  # noqa: E402

RUNS = ({"CILK_NWORKERS": "1", "CILK_CHAOS": "1:1"}, {"CILK_NWORKERS": "2", "CILK_CHAOS": "2:0.4"}, {"CILK_NWORKERS": "2"})


class Job:
    """A mode for a language: its commands, its folder."""

    def __init__(self, options, mode, language, number):
        self.options_of_run, self.mode, self.language = options, mode, language
        self.name = f"{mode.name} {mode.level if mode.level not in mode.name else ''} ({language})".replace("  ", " ")
        self.folder = Path(options.build_dir).resolve() / f"{number:03}"
        self.binary = self.folder / "program"
        suffix = "++" if language == "c++" else ""
        self.compiler = str(Path(options.bin).resolve() / f"nopal-clang{suffix}")
        self.serial_compiler = f"{options.serial}".replace("clang", f"clang{suffix}", 1)
        self.serial_sources = None
        self.expected = None

    def base(self):
        standard = self.mode.standard or ("-std=c17" if self.language == "c" else "-std=c++17")
        return [standard, self.mode.level]

    def options(self):
        return list(self.mode.options)

    def files(self, files):
        return ["-x", self.language, *files]

    def environments(self):
        return [{**environment, **dict(self.mode.environment)} for environment in RUNS]

    def serial_options(self):
        return ["-DCILK_SERIAL", f"-I{self.options_of_run.include}"]

    def find(self, program):
        return shutil.which(program)

    def tool(self, name):
        """A tool of LLVM, of the compiler's own version."""
        if not hasattr(self, "tools"):
            where = subprocess.run([self.serial_compiler, "-print-prog-name=llvm-profdata"], capture_output=True, text=True).stdout.strip()
            self.tools = Path(where).resolve().parent
        if not (self.tools / name).exists():
            raise builds.LeftOut(f"{name} is not installed")
        return self.tools / name

    def try_run(self, command, cwd=None, environment=None, stdin=None):
        command = [str(word) for word in command]
        if stdin is not None:
            done = subprocess.run(command, input=stdin, capture_output=True)
            return runs.Outcome(command, {}, done.returncode, done.stdout, done.stderr)
        if cwd is not None:
            command = ["env", "-C", str(cwd), *command]
        return runs.execute(command, environment or {}, self.options_of_run.timeout)

    def run(self, command, cwd=None, environment=None):
        outcome = self.try_run(command, cwd, environment)
        if outcome.status != 0:
            raise builds.Failed(outcome, outcome.describe_status())
        return outcome

    def compile(self, *arguments):
        return self.run([self.compiler, "-Wall", "-Wextra", "-fno-crash-diagnostics", *arguments])

    def fail(self, reason):
        raise builds.Failed(runs.Outcome([], {}), reason)

    def serial_output(self):
        if self.expected is None:
            binary = self.folder / "elision"
            files = self.serial_sources or builds.sources(self.language)
            self.run([self.serial_compiler, self.base()[0], "-O1", *self.serial_options(), *self.mode.serial, "-w", *self.files(files), "-o", binary])
            self.expected = self.run([binary]).stdout
        return self.expected

    def check_output(self, outcome):
        if outcome.stdout != self.serial_output():
            raise builds.Failed(outcome, "its stdout is not the serial elision's")
        return outcome

    def perform(self):
        """Returns None, or why it was left out."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        try:
            program = getattr(builds, self.mode.how)(self)
        except builds.LeftOut as reason:
            return str(reason)
        except builds.Failed as failed:
            if self.mode.refused is None:
                raise
            text = failed.outcome.stderr.decode(errors="replace")
            if not re.search(r"^[^ ]+:\d+:\d+: error: .*" + re.escape(self.mode.refused), text, re.M):
                raise builds.Failed(failed.outcome, f"the error is not '{self.mode.refused}' with a place") from failed
            return None
        if self.mode.refused is not None:
            self.fail("was not refused")
        for environment in self.environments():
            self.check_output(self.run([program], environment=environment))
        shutil.rmtree(self.folder, ignore_errors=True)
        return None


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True, help="where nopal-clang and nopal-clang++ are")
    parser.add_argument("--build-dir", default="build-modes", help="where everything that is made goes (default %(default)s)")
    parser.add_argument("--serial", default="clang-22", help="the compiler without the plugin (default %(default)s)")
    parser.add_argument("--include", default=str(HERE.parent.parent / "runtime" / "include"), help="where <cilk/cilk.h> is")
    parser.add_argument("--full", action="store_true", help="all modes")
    parser.add_argument("--only", nargs="+", metavar="TEXT", help="only modes whose name contains one of these")
    parser.add_argument("--timeout", type=float, default=120, help="seconds for a command (default %(default)s)")
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count(), help="modes at a time (default: processors)")
    parser.add_argument("-v", "--verbose", action="store_true", help="print what passes too")
    return parser.parse_args()


def main():
    options = parse_options()
    jobs = [Job(options, mode, language, number)
            for number, (mode, language) in enumerate((mode, language) for mode in table.MODES for language in mode.languages)]
    chosen = [job for job in jobs if (options.full or options.only or job.mode.quick)
              and (not options.only or any(text in job.name for text in options.only))]
    passed, failed, left_out = 0, 0, []

    def perform(job):
        try:
            return job, job.perform(), None
        except builds.Failed as failure:
            return job, None, failure

    with ThreadPoolExecutor(options.jobs) as pool:
        for job, reason, failure in pool.map(perform, chosen):
            if reason:
                left_out.append(f"{job.name}: {reason}")
            elif failure:
                failed += 1
                print(f"\nFAIL {job.name}: {failure.reason}\n  again: {failure.outcome.reproduce()}")
                for line in failure.outcome.stderr.decode(errors="replace").splitlines()[:12]:
                    print(f"  | {line[:240]}")
            else:
                passed += 1
                if options.verbose:
                    print(f"pass {job.name}")
            sys.stdout.flush()
    for line in left_out:
        print(f"left out: {line}")
    if not options.full and not options.only:
        print(f"left out: {len(jobs) - len(chosen)} of {len(jobs)} modes, which --full has")
    print(f"{passed} modes passed, {failed} failed, {len(left_out)} left out")
    return 1 if failed else 0 if passed else 2


if __name__ == "__main__":
    sys.exit(main())
