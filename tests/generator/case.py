"""One seed: its program, how it is built, how it is run, and whether that is right."""

import os
import random
import re
import shlex
import subprocess
import sys
from pathlib import Path

import tree
from program import generate

HERE = Path(__file__).resolve().parent
sys.path.insert(1, str(HERE.parent))
from compilers import HUGE_PAGES  # noqa: E402

INCLUDE = HERE.parent.parent / "runtime" / "include"
HEADERS = ["array", "atomic", "cstdio", "exception", "initializer_list", "memory", "stdexcept",
           "string",
           "tuple", "utility", "vector"]
GROUP = 12  # seeds that share all options of the compiler, so that a precompiled header pays
LEVELS = ["-O0", "-O1", "-O2", "-O3", "-Os", "-Oz"]
SANITIZE = "-fsanitize=address,undefined"
# for every program: IR that breaks LLVM's rules may run correctly by chance
VERIFY = "-fverify-intermediate-code"
# Options that change the code and not the meaning, and how often each comes.
FLAGS = {"-g": 0.35, "-fPIC": 0.1, "-fno-omit-frame-pointer": 0.1, "-march=native": 0.1,
         "-fno-inline": 0.08, "-fstack-protector-all": 0.08,
         "-fno-strict-aliasing": 0.05, "-mno-red-zone": 0.05, "-ffunction-sections": 0.05,
         "-funroll-loops": 0.05, "-ftrivial-auto-var-init=pattern": 0.08,
         "-fno-rtti": 0.05, "-flto": 0.04, "-fno-plt": 0.04, "-fwrapv": 0.04, SANITIZE: 0.08}
SANITIZERS = {"UBSAN_OPTIONS": "halt_on_error=1"}


class Case:
    """One seed: its program, its options, its files."""

    def __init__(self, seed, options):
        self.seed, self.options = seed, options
        self.in_c = seed % 5 == 4
        group, rng = seed // GROUP, random.Random(f"flags {seed // GROUP}")
        self.exceptions = not self.in_c and group % 9 != 8
        standard = rng.choice([17, 20, 20, 23])
        self.level = options.level or LEVELS[group % len(LEVELS)]
        extra = [flag for flag, often in FLAGS.items() if rng.random() < often]
        if options.sanitize and SANITIZE not in extra:
            extra.append(SANITIZE)
        if "-fno-rtti" in extra and (self.in_c or SANITIZE in extra):
            extra.remove("-fno-rtti")
        self.flags = [self.level, VERIFY, *extra, *shlex.split(options.flags)]
        if self.in_c:
            self.language = [f"-std=gnu{rng.choice([11, 17, 23])}"]
        else:
            self.language = [f"-std=gnu++{standard}"] + ([] if self.exceptions
                                                         else ["-fno-exceptions"])
        self.flags += self.language
        self.source = options.build_dir / f"{seed}.{'c' if self.in_c else 'cpp'}"
        self.binary = options.build_dir / f"{seed}"
        self.serial = options.build_dir / f"{seed}.serial"
        self.failure = None  # (what, settings): settings is None if the compiler failed
        self.again = None  # the command that does it again

    # ---- building ----

    def commands(self):
        """The compilations, each as what it does with a source, and with which file as the
        result."""
        own = str(self.options.bin / ("nopal-clang" if self.in_c else "nopal-clang++"))
        serial = "clang-22" if self.in_c else "clang++-22"
        return (([serial, "-O0", "-Wno-everything",
                  *(flag for flag in self.flags if flag == SANITIZE), *self.language,
                  "-DCILK_SERIAL", f"-I{INCLUDE}"], self.serial),
                ([own, "-Wno-everything", *self.flags], self.binary))

    def headers(self, command):
        """Options that save reading the standard library's headers again for each program."""
        if self.in_c or "-flto" in command:
            return []
        with self.options.headers_lock:
            folder = self.options.cache / "headers"
            compiled = folder / (re.sub(r"[^a-zA-Z0-9=-]+", "_",
                                        " ".join([Path(command[0]).name, *command[1:]]))[-200:] +
                                 ".pch")
            if not compiled.exists():
                folder.mkdir(exist_ok=True)
                header = folder / "headers.h"
                if not header.exists():
                    header.write_text("".join(f"#include <{name}>\n" for name in HEADERS))
                outcome = execute([*command, "-x", "c++-header", str(header), "-o", str(compiled)],
                                  HUGE_PAGES, self.options.build_timeout)
                if outcome[0] != 0:
                    raise RuntimeError(outcome[2])
            return ["-include-pch", str(compiled)]

    def program(self):
        return generate(self.seed, self.in_c, self.exceptions)

    # ---- running ----

    def settings(self):
        """(workers, chaos, fence) of each run."""
        rng = random.Random(f"settings {self.seed}")
        result = [(1, "1", None), (4, None, None)]
        result += [(rng.randint(1, 8), rng.choice([None, "1", "0.5", "0.1", "0.02"]),
                    rng.choice([None, "full"])) for _ in range(3)]
        return result

    def environment(self, setting):
        workers, chaos, fence = setting
        result = {"CILK_NWORKERS": str(workers), **SANITIZERS}
        if chaos:
            result["CILK_CHAOS"] = f"{self.seed}:{chaos}"
        if fence:
            result["CILK_FENCE"] = fence
        return result

    def run(self):
        """True if all is right; otherwise `failure` and `again` say what is not."""
        self.source.write_text(tree.render(self.program()))
        return self.build_and_run(self.settings(), 1)

    def parts(self):
        """The numbers of what a reduction may leave out."""
        return [node.number for node in tree.nodes(tree.parse(self.program()))]

    def with_parts(self, parts):
        return tree.render(self.program(), set(self.parts()) - parts).encode()

    def check_parts(self, parts, settings, times):
        self.source.write_bytes(self.with_parts(parts))
        return self.build_and_run(settings, times)

    def build_and_run(self, settings, times):
        """The same for the source as it is, run `times` times with each setting. Without settings
        it is only compiled."""
        for command, result in self.commands():
            files = [str(self.source), "-o", str(result)]
            outcome = execute(command + self.headers(command) + files, HUGE_PAGES,
                              self.options.build_timeout)
            if outcome[0] != 0:
                serial = "serial " if result is self.serial else ""
                return self.fails(f"the {serial}compiler {described(outcome)}", None,
                                  shlex.join(command + files))
        if not settings:
            return True
        expected, serial_kib = self.execute(self.serial, SANITIZERS)
        if expected[0] != 0 or not self.in_c and not expected[1].endswith("alive 0\n"):
            return self.fails(f"the serial program {described(expected)}", None, str(self.source))
        for setting in [setting for setting in settings for _ in range(times)]:
            environment = self.environment(setting)
            outcome, kib = self.execute(self.binary, environment)
            text = " ".join(f"{k}={v}" for k, v in environment.items())
            too_much = None
            if kib and SANITIZE not in self.flags:  # that has memory of its own
                too_much = self.options.worst_peak.add(f"seed {self.seed} {text}", kib, serial_kib,
                                                       setting[0])
            if outcome[:2] != expected[:2] or too_much:
                what = (described(outcome) if outcome[0] != 0
                        else too_much or difference(expected[1], outcome[1]))
                return self.fails(f"{text}: {what}", setting,
                                  f"{shlex.join(command + files)} && {text} {self.binary}")
        return True

    def execute(self, binary, environment):
        """What execute() yields, and the peak memory in KiB, or None if it did not end."""
        return self.options.launcher.measure(
            [str(binary)], lambda command: execute(command, environment, self.options.timeout))

    def fails(self, what, setting, again):
        self.failure, self.again = (what, setting), again
        return False

    def clean(self):
        for file in (self.source, self.binary, self.serial):
            file.unlink(missing_ok=True)


def execute(command, environment, timeout):
    """(status, stdout, stderr); the status is None if it did not end in time."""
    try:
        done = subprocess.run(command, env={**os.environ, **environment}, capture_output=True,
                              timeout=timeout, text=True, errors="replace")
        return done.returncode, done.stdout, done.stderr
    except subprocess.TimeoutExpired:
        return None, "", ""


def described(outcome):
    status, stdout, stderr = outcome
    last = [line for line in (stdout + stderr).splitlines() if "error" in line.lower()
            or "wrong" in line or "SUMMARY" in line] or stderr.splitlines()[-3:]
    ended = "does not end" if status is None else f"ends with status {status}"
    return "\n    ".join([ended, *(line[:200] for line in last[:4])])


def difference(expected, actual):
    for wanted, got in zip(expected.splitlines(), actual.splitlines()):
        if wanted != got:
            return f"'{got}' instead of '{wanted}'"
    return "too short or too long"


