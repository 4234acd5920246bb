"""The dimensions of the matrix, and one build or run of a program."""

import os
import shlex
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from compilers import HUGE_PAGES  # noqa: E402

LEVELS = ("-O0", "-O1", "-O2", "-O3")
WORKERS = (1, 2, 4, 8)
FENCES = ("automatic", "full")
CHAOS = (None, "1:0.05", "2:0.05", "3:0.05", "1:1", "2:1", "3:1")
# A third seed would take as long as the second, for one more sample of the same kind.
QUICK_CHAOS = (None, "1:0.05", "2:0.05", "1:1", "2:1")


# The thread sanitizer ends forked processes that start threads, unless an option allows it, and
# sleeps for a second before a process with several threads ends.
SANITIZER_OPTIONS = {"UBSAN_OPTIONS": "print_stacktrace=1",
                     "TSAN_OPTIONS": "die_after_fork=0:atexit_sleep_ms=0"}


@dataclass(frozen=True)
class Setting:
    """How a program is run."""

    level: str
    workers: int
    chaos: str | None
    fence: str
    steal: str | None = None  # the victim policy

    def __str__(self):
        chaos = self.chaos or "off"
        steal = f" steal={self.steal}" if self.steal else ""
        return f"{self.level} workers={self.workers} chaos={chaos} fence={self.fence}{steal}"

    def environment(self):
        values = {"CILK_NWORKERS": str(self.workers), "CILK_FENCE": self.fence}
        if self.chaos:
            values["CILK_CHAOS"] = self.chaos
        if self.steal:
            values["CILK_STEAL"] = self.steal
        return values

    def steals_everything(self):
        return self.chaos is not None and float(self.chaos.split(":")[1]) == 1


def full_plan(levels):
    return [Setting(level, workers, chaos, fence) for level in levels for workers in WORKERS
            for chaos in CHAOS for fence in FENCES]


def quick_levels(number, is_sanitized):
    """The levels of the program with this number. If sanitized, programs take -O0 and -O2 in turn,
    since the optimizer sees instrumented code at any level. Else half of them take -O2, and the
    others one of the rest."""
    if is_sanitized:
        return (("-O0", "-O2")[number % 2],)
    return (("-O2", "-O0", "-O2", "-O1", "-O2", "-O3")[number % 6],)


def quick_plan(levels, number=0):
    """Each level with each kind of chaos; workers and fences rotate. So a program with one level
    meets each number of workers and both fences, and the two programs `number` and `number + 2`
    each pair of them, and each number of workers with both kinds of chaos."""
    plan = []
    for i, level in enumerate(levels):
        for j, chaos in enumerate(QUICK_CHAOS):
            plan.append(Setting(level, WORKERS[(2 * i + i // 2 + j + number) % len(WORKERS)], chaos,
                                FENCES[(i + j + number // 2) % len(FENCES)]))
    return plan


@dataclass
class Outcome:
    """What a command did."""

    command: list[str]
    extra_environment: dict[str, str]
    status: int | None = None  # None: it took longer than it may, and was ended
    stdout: bytes = b""
    stderr: bytes = b""
    seconds: float = 0.0
    peak_kib: int | None = None  # if it was measured
    complaints: list[str] = field(default_factory=list)

    def reproduce(self):
        """The shell command that repeats the run."""
        settings = [f"{name}={shlex.quote(value)}" for name,
                    value in sorted(self.extra_environment.items())]
        return " ".join(settings + [shlex.join(self.command)])

    def describe_status(self):
        if self.status is None:
            return f"did not end within {self.seconds:.0f} s"
        if self.status < 0:
            return f"ended by signal {signal.Signals(-self.status).name}"
        return f"ended with status {self.status}"


def execute(command, extra_environment, timeout):
    """Runs `command` in a process group of its own, with a clean set of CILK_ variables; ends the
    whole group at the timeout."""
    outcome = Outcome(command, extra_environment)
    environment = {name: value for name, value in os.environ.items()
                   if not name.startswith("CILK_")}
    environment.update(extra_environment)
    start = time.monotonic()
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, env=environment,
                          start_new_session=True) as process:
        try:
            outcome.stdout, outcome.stderr = process.communicate(timeout=timeout)
            outcome.status = process.returncode
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            outcome.stdout, outcome.stderr = process.communicate()
    outcome.seconds = time.monotonic() - start
    return outcome


def execute_measured(launcher, command, extra_environment, timeout):
    """The same, and how much memory it needed; the outcome's command is `command` itself."""
    outcome, peak_kib = launcher.measure(command,
                                         lambda longer: execute(longer, extra_environment, timeout))
    outcome.command, outcome.peak_kib = command, peak_kib
    return outcome


@dataclass
class Toolchain:
    """The compilers and their common options."""

    c: str
    cxx: str
    options: list[str]

    def build(self, program, level, output, timeout):
        output.parent.mkdir(parents=True, exist_ok=True)
        standard = [] if program.is_c or any(flag.startswith("-std=")
                                             for flag in program.flags()) else ["-std=c++17"]
        command = [self.c if program.is_c else self.cxx, *standard, level, *self.options,
                   *program.flags(),
                   *[str(source) for source in program.sources], "-o", str(output), "-lm"]
        return execute(command, HUGE_PAGES, timeout)


def cpu_flags():
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("flags"):
            return set(line.split(":", 1)[1].split())
    return set()
