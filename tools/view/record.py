"""Runs a program and records what it did; loads such records. No judgement: see advice.py.

A recording is a dict that JSON can hold (README.md, "The recording"). Times are nanoseconds.
"""
import contextlib
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from . import live, races, ranks, trace
from .fault import Fault, missing
from .figures import before_start_ns

SCHEMA = 1
WIDE_WORKERS = 32  # of the runs that show how parallel a program is, on any number of processors
MOST_WIDE = 3
STATISTICS, SPAN, RACES = ("a statistics file", "a record of work and span",
                           "a report of the race detector")
COUNTER = "counter of the program"  # the clock of CILK_SPAN_CLOCK=count (runtime/span/clock.cpp)
TAIL = 2000  # characters of a failed program's messages that are shown


def processors():
    return len(os.sched_getaffinity(0))


def environment(**settings):
    """This process's, without what the user has set for Nopal, but CILK_* that change the work."""
    mine = {name: value for name, value in os.environ.items()
            if name not in ("CILK_STATS", "CILK_NWORKERS", "CILK_TRACE", "CILK_SPAN",
                            "CILK_SPAN_CLOCK")}
    mine.update(settings)
    return mine


class Child:
    """A run of the program."""
    running = set()

    def __init__(self, command, folder, name, **settings):
        self.command = command
        self.statistics = Path(folder) / f"{name}.json"
        self.messages = open(Path(folder) / f"{name}.err", "w+b")
        settings.setdefault("CILK_STATS", str(self.statistics))
        try:
            self.begun = time.monotonic_ns()
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL,
                                            stdout=subprocess.DEVNULL, stderr=self.messages,
                                            env=environment(**settings))
        except OSError as error:
            self.messages.close()
            raise Fault(f"cannot run '{command[0]}': {error.strerror}") from None
        self.running.add(self)

    def wait(self):
        """(wall-clock time, processor time, largest resident set in bytes)"""
        _, status, usage = os.wait4(self.process.pid, 0)
        wall = time.monotonic_ns() - self.begun
        self.running.remove(self)
        self.process.returncode = os.waitstatus_to_exitcode(status)
        self.messages.seek(0)
        said = self.messages.read().decode(errors="replace")
        self.messages.close()
        code = self.process.returncode
        if code != 0:
            how = f"was ended by signal {-code}" if code < 0 else f"ended with exit status {code}"
            raise Fault(f"'{' '.join(self.command)}' {how}\n{said[-TAIL:]}".rstrip())
        return wall, int((usage.ru_utime + usage.ru_stime) * 1e9), usage.ru_maxrss * 1024

    @classmethod
    @contextlib.contextmanager
    def none_left(cls):
        """However the block ends."""
        try:
            yield
        finally:
            for child in cls.running:
                child.process.kill()
                child.process.wait()
            cls.running.clear()


def read_json(path, what):
    try:
        text = Path(path).read_text(encoding="utf-8")
    except OSError as error:
        raise Fault(f"cannot read '{path}': {error.strerror}") from None
    except UnicodeDecodeError:
        raise Fault(f"'{path}' is not {what}: it is not text") from None
    if not text.strip():
        raise Fault(f"'{path}' is empty: the program has not ended, or ended by a signal, or never "
                    "spawned")
    try:
        found = json.loads(text)
    except ValueError as error:
        raise Fault(f"'{path}' is not {what}: {error}") from None
    if not isinstance(found, dict):
        raise Fault(f"'{path}' is not {what}")
    return found


def one_run(command, folder, workers):
    child = Child(command, folder, "run", CILK_NWORKERS=str(workers))
    wall, cpu, resident = child.wait()
    if not child.statistics.exists() or child.statistics.stat().st_size == 0:
        raise Fault(f"'{command[0]}' wrote no statistics: it never spawned, it ended by _exit, or "
                    "it was built without Nopal")
    statistics = read_json(child.statistics, STATISTICS)
    child.statistics.unlink()
    return {"workers": workers, "wall_ns": wall, "cpu_ns": cpu, "max_rss_bytes": resident,
            "statistics": statistics}


def copies_run(command, folder, count):
    """`count` processes at once, each with one worker: what the machine makes of that."""
    children = [Child(command, folder, f"copy{number}", CILK_NWORKERS="1")
                for number in range(count)]
    measured = [child.wait() for child in children]
    return {"copies": count, "wall_ns": max(wall for wall, _, _ in measured),
            "cpu_ns": sum(cpu for _, cpu, _ in measured) // count}


def span_run(binary, arguments, folder):
    path = Path(folder) / "span.json"
    Child([binary, *arguments], folder, "span", CILK_STATS="0", CILK_SPAN=str(path)).wait()
    if not path.exists():
        raise Fault(f"'{binary}' wrote no work and span: build it with -fnopal-span")
    return read_json(path, SPAN)


def races_run(binary, arguments, folder):
    path = Path(folder) / "races.json"
    Child([binary, *arguments], folder, "races", CILK_STATS="0", CILK_RACE_OUT=str(path),
          CILK_RACE_EXIT="0").wait()
    if not path.exists():
        raise Fault(f"'{binary}' wrote no races: build it with -fsanitize=cilk")
    return races.check(read_json(path, RACES), path)


def progress_bar(total):
    try:
        from rich.console import Console
        from rich.progress import Progress
    except ImportError:
        raise missing("python3-rich") from None
    bar = Progress(console=Console(file=sys.stderr), transient=True)
    bar.add_task("measuring", total=total)
    return bar


def measure(program, workers, rounds, span=None, copies=True, race=None, wide=True):
    """Interleaved: each round runs every count once, so that a change of the machine's load meets
    all of them."""
    most = max([count for count in workers if count <= processors()], default=min(workers))
    copies = copies and most > 1
    wide = min(rounds, MOST_WIDE) if wide and not span and max(workers) < WIDE_WORKERS else 0
    recording = {"schema": SCHEMA, "command": program, "processors": processors(),
                 "rounds": rounds, "runs": [], "copies": [], "wide": [], "span": None,
                 "timeline": None}
    steps = rounds * (len(workers) + copies) + wide + bool(span) + bool(race) + 1
    with tempfile.TemporaryDirectory(prefix="nopal-view-") as folder, progress_bar(steps) as bar, \
            Child.none_left():
        task = bar.task_ids[0]
        # First what may turn out to be built without it.
        if span:
            bar.update(task, description="work and span")
            recording["span"] = span_run(span, program[1:], folder)
            bar.advance(task)
        if race:
            bar.update(task, description="races")
            recording.update(races_run(race, program[1:], folder))
            bar.advance(task)
        for number in range(1, rounds + 1):
            for count in workers:
                bar.update(task, description=f"round {number}, {count} workers")
                recording["runs"].append(one_run(program, folder, count))
                bar.advance(task)
            if copies:
                bar.update(task, description=f"round {number}, {most} copies")
                recording["copies"].append(copies_run(program, folder, most))
                bar.advance(task)
            if number <= wide:
                bar.update(task, description=f"round {number}, {WIDE_WORKERS} workers")
                recording["wide"].append(one_run(program, folder, WIDE_WORKERS))
                bar.advance(task)
        bar.update(task, description="over time")
        child = Child(program, folder, "timeline", CILK_NWORKERS=str(most))
        recording["timeline"] = live.record(child.process.pid, child.process)
        child.wait()
        bar.advance(task)
    return recording


def empty(command):
    return {"schema": SCHEMA, "command": [command], "processors": None, "rounds": 0, "runs": [],
            "copies": [], "span": None, "timeline": None}


def check_recording(recording, path):
    missing_keys = empty("").keys() - (recording if isinstance(recording, dict) else {}).keys()
    if missing_keys:
        raise Fault(f"'{path}' is a damaged report of nopal-view: its recording lacks "
                    f"{', '.join(sorted(missing_keys))}")
    return recording


def check_span(found, path):
    program = found.get("program")
    if not (isinstance(program, dict) and {"work_ns", "span_ns"} <= program.keys() and
            isinstance(found.get("sites"), list)):
        raise Fault(f"'{path}' is not {SPAN} (CILK_SPAN=x.json)")
    if found.get("clock") == COUNTER:
        raise Fault(f"'{path}' counts what the program says, and not time: record it without "
                    "CILK_SPAN_CLOCK=count")
    return found


def trace_alone(path):
    try:
        return trace.load(path)
    except Fault:
        return None


def load(path, span_path=None, trace_path=None, races_path=None):
    """A recording from a file of CILK_STATS, of the race detector, or of an earlier report; or from
    a trace alone, which is all that a program leaves that was killed."""
    line = None
    try:
        found = read_json(path, STATISTICS)
    except Fault:
        line = trace_alone(path)
        if line and trace_path:
            raise Fault(f"'{path}' is a trace: the statistics come first, nopal-view show "
                        "STATISTICS TRACE") from None
        if not line:
            raise
    if line:
        recording = {**empty(Path(path).name), "timeline": line}
    elif "races" in found and "recording" not in found:
        recording = empty(Path(path).name)
        recording.update(races.check(found, path))
    elif "ranks" in found and "recording" not in found:
        recording = empty(Path(path).name)
        recording["ranks"] = ranks.check(found, path)
        recording["rank_workers"] = ranks.load_workers(path, read_json)
    elif "recording" in found:
        recording = check_recording(found["recording"], path)
    elif "sites" in found and "total" in found:
        if found.get("schema") != 1:
            raise Fault(f"'{path}' has schema {found.get('schema')}; this nopal-view knows 1")
        recording = {"schema": SCHEMA, "command": [found.get("program", "?")],
                     "processors": found.get("summary", {}).get("processors"), "rounds": 1,
                     "runs": [{"workers": found["nworkers"],
                               "wall_ns": found["elapsed_ns"] + before_start_ns(found),
                               "cpu_ns": None, "max_rss_bytes": None, "statistics": found}],
                     "copies": [], "span": None, "timeline": None}
    elif "burden_ns" in found:
        raise Fault(f"'{path}' is {SPAN}: give it with --span, after the statistics of a run")
    else:
        raise Fault(f"'{path}' is not a file of CILK_STATS, of CILK_RACE_OUT or of nopal-view")
    if span_path and not recording["runs"]:
        raise Fault(f"'{span_path}' needs the statistics of a run (CILK_STATS=x.json), and "
                    f"'{path}' has none")
    if span_path:
        recording["span"] = check_span(read_json(span_path, SPAN), span_path)
    if races_path:
        recording.update(races.check(read_json(races_path, RACES), races_path))
    if trace_path:
        recording["timeline"] = trace.load(trace_path)
        if recording["runs"]:
            before = before_start_ns(recording["runs"][0]["statistics"])
            recording["timeline"] = live.with_serial_start(recording["timeline"], before)
    return recording


def load_runs(path):
    recording = load(path)
    if not recording["runs"]:
        raise Fault(f"'{path}' has no runs to compare; give a file of CILK_STATS or of nopal-view")
    return recording
