"""Runs the variants of the programs in interleaved rounds, pinned; checks that all print the same;
keeps time, processor time, peak memory."""
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time

from .build import OURS

TIMEOUT_SECONDS = 120
REAL_TIME_PRIORITY = 50
# Peers run other tasks on top of those that wait, so the deep trees need more than the usual stack
STACK_BYTES = 512 << 20


class WrongResult(Exception):
    """A variant failed, or printed something else than the others."""


class Bar:
    """A progress bar on standard error, a line at the end of each phase where that is no
    terminal."""

    def begin(self, phase, total):
        self.phase, self.total, self.done, self.start = phase, total, 0, time.monotonic()

    def step(self, what):
        self.done += 1
        if sys.stderr.isatty():
            filled = 30 * self.done // self.total
            left = (time.monotonic() - self.start) / self.done * (self.total - self.done)
            print(f"\r{self.phase} [{'#' * filled}{'.' * (30 - filled)}] {self.done}/{self.total}, "
                  f"{left:.0f} s left  {what[:40]:40}", end="",
                  file=sys.stderr, flush=True)

    def end(self):
        print(f"{chr(13) if sys.stderr.isatty() else ''}{self.phase}: {self.total} in "
              f"{time.monotonic() - self.start:.0f} s{' ' * 80}".rstrip(),
              file=sys.stderr)


def environment_of(variant):
    clean = {key: value for key, value in os.environ.items()
             if not key.startswith(("CILK_", "OMP_", "KMP_", "GOMP_", "TBB_", "BENCHMARK_"))}
    workers = str(variant.workers)
    return {**clean, "CILK_NWORKERS": workers, "OMP_NUM_THREADS": workers, "OMP_STACKSIZE": "512M",
            "BENCHMARK_WORKERS": workers,
            **dict(variant.environment)}


def become_real_time():
    os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(REAL_TIME_PRIORITY))


def may_be_real_time():
    """Whether processes started from here may have real-time priority."""
    try:
        return subprocess.run(["true"], preexec_fn=become_real_time).returncode == 0
    except subprocess.SubprocessError:
        return False


def cores():
    """The processors of each core that this process may use, as lists; hyper-threads share one."""
    groups = {}
    for processor in sorted(os.sched_getaffinity(0)):
        path = f"/sys/devices/system/cpu/cpu{processor}/topology/thread_siblings_list"
        try:
            with open(path) as file:
                groups.setdefault(file.read().strip(), []).append(processor)
        except OSError:  # a machine that does not say
            groups[processor] = [processor]
    return list(groups.values())


def by_core():
    """The processors in the order in which workers take them: one of each core comes first."""
    return [processor for _, _, processor in
            sorted((place, core, processor) for core, group in enumerate(cores())
                   for place, processor in enumerate(group))]


def start(binary, variant, size, processors, real_time):
    """Starts one process on these processors, before all others if `real_time`; what it prints goes
    to files, so that nobody need read along."""
    out, err = tempfile.TemporaryFile("w+"), tempfile.TemporaryFile("w+")

    def prepare():
        os.sched_setaffinity(0, processors)
        if real_time:
            become_real_time()
        if variant.model in OURS:
            return
        hard = resource.getrlimit(resource.RLIMIT_STACK)[1]
        limit = STACK_BYTES if hard == resource.RLIM_INFINITY else min(STACK_BYTES, hard)
        resource.setrlimit(resource.RLIMIT_STACK, (limit, hard))

    process = subprocess.Popen([str(binary), str(size)], env=environment_of(variant), stdout=out,
                               stderr=err, stdin=subprocess.DEVNULL,
                               preexec_fn=prepare)
    return process, out, err


def finish(process, out, err, timeout_seconds):
    """Waits for a process; returns what it printed and its figures, or None if it took too long."""
    deadline = time.monotonic() + timeout_seconds
    pause = 0.0005
    while True:
        pid, status, usage = os.wait4(process.pid, os.WNOHANG)
        if pid:
            break
        if time.monotonic() > deadline:
            process.kill()
            os.wait4(process.pid, 0)
            process.returncode = -9
            return None
        time.sleep(pause)
        pause = min(0.02, pause * 1.5)
    process.returncode = os.waitstatus_to_exitcode(status)
    out.seek(0)
    err.seek(0)
    errors = err.read()
    if process.returncode != 0:
        raise WrongResult(f"{' '.join(process.args)}: status {process.returncode}\n{errors}")
    figures = dict(line.split() for line in errors.splitlines()
                   if line.startswith(("seconds ", "peak_kib ")))
    return out.read(), {"seconds": float(figures["seconds"]), "peak_kib": int(figures["peak_kib"]),
                        "cpu_seconds": usage.ru_utime + usage.ru_stime}


def run_variant(binary, variant, size, real_time, timeout_seconds):
    """One run: one process, or `copies` at once, each on a processor of its own, of which the
    slowest counts. None: too slow.

    Of copies, `seconds_a_copy` is what one would take if all were equally fast and did as much
    together.
    """
    allowed = by_core()
    places = ([{processor} for processor in allowed[:variant.copies]] if variant.copies > 1
              else [set(allowed[:variant.workers])])
    started = [start(binary, variant, size, place, real_time) for place in places]
    try:
        finished = [finish(*one, timeout_seconds) for one in started]
    finally:
        for process, out, err in started:
            if process.returncode is None:
                process.kill()
                process.wait()
            out.close()
            err.close()
    if None in finished:
        return None
    printed, figures = max(finished, key=lambda one: one[1]["seconds"])
    for other, _ in finished:
        if other != printed:
            raise WrongResult(
                f"{binary} {size}, {variant.copies} at once: one printed {other!r}, another "
                f"{printed!r}")
    if variant.copies > 1:
        seconds = [other["seconds"] for _, other in finished]
        figures["seconds_a_copy"] = statistics.harmonic_mean(seconds)
    return printed, figures


def measure(programs, binaries, bar, *, rounds, quick=False, real_time=False, warm_up=True,
            timeout_seconds=TIMEOUT_SECONDS):
    """All variants of a program in turn, `rounds` times, after one round at the quick size that
    warms up and checks; `warm_up` false leaves that out. A run may take `timeout_seconds`.

    Returns the runs, as dictionaries, and what was left out because it took too long, or because a
    peer failed: {(program, variant): why}.
    """
    processors = len(os.sched_getaffinity(0))
    runs, left_out = [], {}
    fits = lambda variant: processors > 1 or (variant.workers != 2 and variant.copies == 1)
    todo = [(program, [variant for variant in program.variants
                       if (program.name, variant.key) in binaries and fits(variant)])
            for program in programs]
    warm_up = warm_up and not quick
    bar.begin("run", sum(len(variants) for _, variants in todo) * (warm_up + rounds))
    for program, variants in todo:
        expected = {}  # by size
        for number in range(0 if warm_up else 1, rounds + 1):
            for variant in variants:
                key = program.name, variant.key
                bar.step(f"{program.name}, {variant.key}")
                if key in left_out:
                    continue
                size = program.size_of(variant, quick or number == 0)
                try:
                    result = run_variant(binaries[key], variant, size, real_time,
                                         timeout_seconds)
                except WrongResult as failure:
                    if variant.model in OURS:
                        raise
                    left_out[key] = " ".join(str(failure).split())
                    continue
                if result is None:
                    left_out[key] = f"more than {timeout_seconds} s"
                    continue
                printed, figures = result
                if printed != expected.setdefault(size, printed):
                    raise WrongResult(
                        f"{program.name}, {variant.key}, size {size} printed {printed!r}, not "
                        f"{expected[size]!r}")
                if number:
                    runs.append({"program": program.name, "variant": variant.key,
                                 "workers": variant.workers, "size": size, "round": number,
                                 **figures})
    bar.end()
    return runs, left_out
