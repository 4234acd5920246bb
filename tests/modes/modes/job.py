"""A mode for one language: how it is compiled, run and compared. A test of lit."""

import fcntl
import hashlib
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from matrix import runs

from . import builds

RUNS = ({"CILK_NWORKERS": "1", "CILK_CHAOS": "1:1"}, {"CILK_NWORKERS": "2", "CILK_CHAOS": "2:0.4"},
        {"CILK_NWORKERS": "2"})


@dataclass(frozen=True)
class Tools:
    """Folders."""

    driver: Path  # nopal-clang and nopal-clang++
    llvm: Path
    include: Path  # <cilk/cilk.h>, for the serial elision
    work: Path  # for everything that is made


class Job:
    def __init__(self, tools, mode, language, number, timeout=120):
        self.tools, self.mode, self.language, self.timeout = tools, mode, language, timeout
        level = mode.level if mode.level not in mode.name else ""
        self.name = f"{mode.name} {level} ({language})".replace("  ", " ")
        self.folder = tools.work / f"{number:03}"
        self.binary = self.folder / "program"
        suffix = "++" if language == "c++" else ""
        self.compiler = f"{tools.driver}/nopal-clang{suffix}"
        self.serial_compiler = f"{tools.llvm}/clang{suffix}"
        self.serial_sources = self.expected = None

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
        return ["-DCILK_SERIAL", f"-I{self.tools.include}"]

    def find(self, program):
        return shutil.which(program)

    def tool(self, name):
        """A tool of LLVM, of the compiler's own version."""
        if not (self.tools.llvm / name).exists():
            raise builds.LeftOut(f"{name} is not installed")
        return self.tools.llvm / name

    def try_run(self, command, cwd=None, environment=None, stdin=None):
        command = [str(word) for word in command]
        if stdin is not None:
            done = subprocess.run(command, input=stdin, capture_output=True)
            return runs.Outcome(command, {}, done.returncode, done.stdout, done.stderr)
        if cwd is not None:
            command = ["env", "-C", str(cwd), *command]
        return runs.execute(command, runs.HUGE_PAGES if environment is None else environment,
                            self.timeout)

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
            files = self.serial_sources or builds.sources(self.language)
            self.expected = self.output_of([self.serial_compiler, self.base()[0], "-O1",
                                            *self.serial_options(), *self.mode.serial, "-w",
                                            *self.files(files)])
        return self.expected

    def output_of(self, command):
        """What the program prints; compiled once for all modes with that command."""
        name = hashlib.sha256(repr(command).encode()).hexdigest()[:16]
        binary, output = self.tools.work / name, self.tools.work / f"{name}.stdout"
        with open(self.tools.work / f"{name}.lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not output.exists():
                self.run([*command, "-o", binary])
                output.write_bytes(self.run([binary]).stdout)
        return output.read_bytes()

    def check_output(self, outcome):
        if outcome.stdout != self.serial_output():
            raise builds.Failed(outcome, "its stdout is not the serial elision's")
        return outcome

    def perform(self):
        """The result as lit calls it, and a text."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        try:
            self.build_and_run()
        except builds.LeftOut as reason:
            return "UNSUPPORTED", f"{reason}\n"
        except builds.Failed as failed:
            said = failed.outcome.stderr.decode(errors="replace").splitlines()[:12]
            return "FAIL", "\n".join([failed.reason, f"  again: {failed.outcome.reproduce()}",
                                      *(f"  | {line[:240]}" for line in said), ""])
        shutil.rmtree(self.folder, ignore_errors=True)
        return "PASS", ""

    def build_and_run(self):
        try:
            program = getattr(builds, self.mode.how)(self)
        except builds.Failed as failed:
            if self.mode.refused is None:
                raise
            text = failed.outcome.stderr.decode(errors="replace")
            if not re.search(r"^[^ ]+:\d+:\d+: error: .*" + re.escape(self.mode.refused), text,
                             re.M):
                reason = f"the error is not '{self.mode.refused}' with a place"
                raise builds.Failed(failed.outcome, reason) from failed
            return
        if self.mode.refused is not None:
            self.fail("was not refused")
        for environment in self.environments():
            self.check_output(self.run([program], environment=environment))
