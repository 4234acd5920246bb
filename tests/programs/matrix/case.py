"""One program in all settings of the matrix: its builds, its runs, and what is compared. A test of
lit."""

import sys
from dataclasses import dataclass
from pathlib import Path

from . import runs, sites

HERE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(HERE.parent / "peak"))
import peak  # noqa: E402

FAILURES_SHOWN = 4


@dataclass
class Matrix:
    """The settings that all programs share."""

    build_dir: Path
    serial: runs.Toolchain
    parallel: runs.Toolchain | None  # None: only the serial elision
    plan: list[runs.Setting]  # of a program that has none of its own
    sanitize: str = ""  # as clang's -fsanitize=
    repeat: int = 1
    timeout: float = 60  # seconds for a run; five times that if sanitized
    build_timeout: float = 300
    launcher: peak.Launcher | None = None  # None: peak memory is not compared
    emulator: str | None = None  # runs the programs of another target

    @property
    def tree(self):
        return self.build_dir / "tree"


def first_difference(expected, actual):
    """One line on the first difference between two outputs."""
    wanted, got = (text.decode(errors="replace").splitlines() for text in (expected, actual))
    for number, (a, b) in enumerate(zip(wanted, got), 1):
        if a != b:
            return f"line {number} of stdout is '{b[:160]}', serially '{a[:160]}'"
    return f"stdout has {len(got)} lines, serially {len(wanted)}"


class Case:
    """A program and its results."""

    def __init__(self, matrix, program, plan=None):
        self.matrix, self.program, self.name = matrix, program, program.name
        self.plan = matrix.plan if plan is None else plan
        self.headers = sorted((HERE / "support").glob("*.h"))
        self.passed, self.failed, self.lines = 0, 0, []
        self.worst_peak = peak.Worst()

    def perform(self):
        """The result as lit calls it, and a text."""
        if missing := self.program.missing(set() if self.matrix.emulator else runs.cpu_flags()):
            return "UNSUPPORTED", f"this processor has no {missing}"
        if not self.program.sanitizes(self.matrix.sanitize):
            return "UNSUPPORTED", f"not with the sanitizer {self.matrix.sanitize}"
        self.run()
        if self.worst_peak.ratio:
            self.lines.append(str(self.worst_peak))
        self.lines.append(f"{self.passed} passed, {self.failed} failed")
        return "FAIL" if self.failed else "PASS", "\n".join(self.lines) + "\n"

    def check(self, what, outcome, complaints):
        """Counts a build or a run, and says what is wrong. True if nothing is."""
        if not complaints:
            self.passed += 1
            return True
        self.failed += 1
        self.lines.append(f"FAIL {what}: " + "\n  ".join(complaints))
        if self.failed <= FAILURES_SHOWN:
            said = outcome.stderr.decode(errors="replace").splitlines()
            said = said if len(said) <= 16 else [*said[:8], "...", *said[-8:]]
            self.lines += [f"  again: {outcome.reproduce()}",
                           *(f"  | {line[:240]}" for line in said)]
        return False

    def build(self, toolchain, level, name):
        """The program's path, or None."""
        output = self.matrix.build_dir / name / self.name
        outcome = toolchain.build(self.program, level, output, self.matrix.build_timeout)
        complaints = [f"the compiler {outcome.describe_status()}"] if outcome.status != 0 else []
        return output if self.check(f"build {name}", outcome, complaints) else None

    def execute(self, binary, arguments, environment):
        command, timeout = [str(binary), *arguments], self.matrix.timeout
        if self.matrix.emulator:
            command.insert(0, self.matrix.emulator)
        if self.matrix.sanitize:
            environment = {**environment, **runs.SANITIZER_OPTIONS}
            if self.matrix.emulator:  # which has no ptrace
                environment["ASAN_OPTIONS"] += ":detect_leaks=0"
            timeout *= 5
        if self.matrix.launcher is None:
            return runs.execute(command, environment, timeout)
        return runs.execute_measured(self.matrix.launcher, command, environment, timeout)

    def expectation(self, binary, arguments, cache):
        """What the serial elision did with `arguments`, or None if it failed."""
        key = tuple(arguments)
        if key not in cache:
            outcome = self.execute(binary, arguments, {})
            complaints = [outcome.describe_status()] if outcome.status != 0 else []
            is_right = self.check(f"serial {' '.join(arguments)}".rstrip(), outcome, complaints)
            cache[key] = outcome if is_right else None
        return cache[key]

    def run_setting(self, binary, setting, arguments, expected):
        environment = setting.environment()
        checks_sites = setting.steals_everything() and not self.matrix.sanitize
        if checks_sites:
            name = f"{self.name} {setting}.json".replace("/", "_").replace(" ", "_")
            statistics = self.matrix.build_dir / "statistics" / name
            statistics.parent.mkdir(parents=True, exist_ok=True)
            statistics.unlink(missing_ok=True)
            environment["CILK_STATS"] = str(statistics)
        for _ in range(self.matrix.repeat):
            outcome = self.execute(binary, arguments, environment)
            complaints = []
            if outcome.status != 0:
                complaints.append(outcome.describe_status())
            elif outcome.stdout != expected.stdout:
                complaints.append(first_difference(expected.stdout, outcome.stdout))
            elif checks_sites:
                complaints = sites.check(self.program, statistics, self.headers)
            is_measured = self.matrix.launcher and "more-memory" not in self.program.directives
            if outcome.status == 0 and is_measured:
                too_much = self.worst_peak.add(str(setting), outcome.peak_kib, expected.peak_kib,
                                               setting.workers)
                complaints += [too_much] if too_much else []
            self.check(str(setting), outcome, complaints)

    def run(self):
        matrix, cache, binaries = self.matrix, {}, {}
        # Optimized only where peak memory is compared: that of -O0 would allow more.
        serial = self.build(matrix.serial, "-O2" if matrix.launcher else "-O0", "serial")
        if serial is None:
            return

        def arguments(has_chaos):
            return self.program.arguments(has_chaos, bool(matrix.sanitize), matrix.tree)

        for has_chaos in (False, True):
            self.expectation(serial, arguments(has_chaos), cache)
        for setting in self.plan if matrix.parallel else ():
            level = setting.level
            if level not in binaries:
                binaries[level] = self.build(matrix.parallel, level, f"nopal{level}")
            words = arguments(setting.chaos is not None)
            expected = self.expectation(serial, words, cache)
            if binaries[level] is not None and expected is not None:
                self.run_setting(binaries[level], setting, words, expected)
