#!/usr/bin/env python3
"""What the system refuses, and what goes wrong in programs.

Each run ends with the right result or a clear message; none is corrupt, none hangs.

  faults.py --cc build/bin/nopal-clang --cxx build/bin/nopal-clang++ \\
            --build-dir build/faults [GROUP...]
  faults.py ... --long         attach: a million cycles instead of some thousands (minutes)

Status 0: all cases as wanted; 1: failures, each printed. Cases that this machine does not allow are
named.
"""

import argparse
import inspect
import itertools
import os
import resource
import signal
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import support

CHAOS = {"CILK_CHAOS": "1:1", "CILK_NWORKERS": "4", "CILK_SEGMENT_SIZE": "256K"}


class Faults:
    def __init__(self, builder, is_long):
        self.builder, self.is_long = builder, is_long
        self.passed, self.failures, self.left_out = 0, [], []

    def check(self, is_wanted, ended, wanted):
        if is_wanted:
            self.passed += 1
        else:
            self.failures.append(f"{ended.describe()}\n  wanted: {wanted}")

    def check_right(self, ended):
        self.check(ended.is_right(), ended, "right")

    def check_right_or_refused(self, ended):
        self.check(ended.is_right() or ended.is_refused_clearly(), ended,
                   "right, or a clear message")

    # ---- The groups ----

    def overflow(self):
        """A full stack gives a message with worker, size and remedy; handlers work."""
        program = self.builder.program("overflow")
        environment = {"CILK_NWORKERS": "3", "CILK_SEGMENT_SIZE": "256K"}
        segment = ("its stack segment of 262144 bytes is full; raise CILK_SEGMENT_SIZE, "
                   "for instance to 512K\n")
        main = "its thread's own stack of "
        wanted = {"child": main, "continuation": segment, "grandchild": segment, "big": segment,
                  "jump": segment,
                  "thread": "its thread's own stack of 262144 bytes is full; "
                            "create the thread with a larger one (pthread_attr_setstacksize)\n"}
        for where, message in wanted.items():
            ended = support.run([program, where], environment,
                                lambda: resource.setrlimit(resource.RLIMIT_STACK,
                                                           (1 << 20, 8 << 20)))
            start = "nopal: fatal: stack overflow on worker "
            self.check(ended.status == -signal.SIGSEGV and ended.stderr.startswith(start)
                       and message in ended.stderr
                       and ended.stderr.count("\n") == 1, ended, message)
            if where == "child":
                self.check("raise the limit, for instance by ulimit -s " in ended.stderr, ended,
                           "the remedy")
            else:
                ended = support.run([program, "later", where], environment)
                self.check(ended.status == 42, ended,
                           "the handler that was installed later gets the overflow")
        ended = support.run([program, "handled"], environment)
        self.check(ended.status == 42 and ended.stderr == "", ended,
                   "the handler that was there before gets the overflow of the main stack")
        for when in ("before", "after"):
            for chaos in ({}, {"CILK_CHAOS": "1:1"}):
                self.check_right(support.run([program, "real", when], {**environment, **chaos}))
        ended = support.run([program, "once"], environment)
        self.check(ended.status == -signal.SIGSEGV and ended.stdout == "repaired 1\n"
                   and ended.stderr == "", ended, "SA_RESETHAND is kept")

    def refused(self):
        """The n-th call, or that and all later ones, fails: memory maps, threads, heap."""
        program, refuser = self.builder.program("work"), self.builder.refuser()
        count_file = self.builder.folder / f"calls.{os.getpid()}"
        for call, most in (("mmap", 24), ("mprotect", 20), ("madvise", 12), ("munmap", 3),
                           ("thread", 5), ("heap", 30)):
            ended = support.run([program],
                                {**CHAOS, "LD_PRELOAD": refuser, "NOPAL_REFUSE": f"{call}:0",
                                 "NOPAL_REFUSE_COUNT": count_file})
            self.check_right(ended)
            is_called = count_file.exists() and int(count_file.read_text()) > 0
            # few runs unmap before their end
            self.check(is_called or call == "munmap", ended, f"{call} is called at all")
            for number in range(1, most + 1):
                for suffix in ("", "+"):
                    ended = support.run([program],
                                        {**CHAOS, "LD_PRELOAD": refuser,
                                         "NOPAL_REFUSE": f"{call}:{number}{suffix}"})
                    if call in ("madvise", "munmap", "thread"):
                        self.check_right(ended)  # costs memory or parallelism only
                    else:
                        self.check_right_or_refused(ended)
        count_file.unlink(missing_ok=True)
        for bind in ("none", "compact"):  # hwloc would ask again and again
            self.check_right(support.run([program], {
                "CILK_NWORKERS": "4", "CILK_BIND": bind, "LD_PRELOAD": refuser,
                "NOPAL_REFUSE": "affinity:1+"}))
        self.refused_deques(program, refuser, count_file)

    def refused_deques(self, program, refuser, count_file):
        """Without memory for a deque no further worker is made; the first thread has one."""
        environment = {"CILK_NWORKERS": "4", "LD_PRELOAD": refuser,
                       "NOPAL_REFUSE_COUNT": count_file}
        ended = support.run([program], {**environment, "NOPAL_REFUSE": "deque:2+"})
        self.check_right(ended)
        warning = "cannot make another worker: Cannot allocate memory; going on with fewer"
        self.check(warning in ended.stderr, ended, "a warning")
        count_file.unlink()

    def limits(self):
        """Address space and mappings run out; membarrier is refused after the start; no limit of
        the stack."""
        unlimited = resource.RLIM_INFINITY
        for environment in ({"CILK_NWORKERS": "4"}, CHAOS):
            self.check_right(support.run([self.builder.program("heap")], environment,
                                         lambda: resource.setrlimit(resource.RLIMIT_STACK,
                                                                    (unlimited, unlimited))))
        program = self.builder.program("work")
        for mebibytes in (8, 12, 16, 20, 24, 32, 48, 64, 96, 160):
            size = mebibytes << 20
            ended = support.run([program], {**CHAOS, "CILK_SEGMENT_SIZE": "2M"},
                                lambda size=size: resource.setrlimit(resource.RLIMIT_AS,
                                                                     (size, size)))
            could_not_start = (ended.status == 127 or "bad_alloc" in ended.stderr or
                               "error while loading shared libraries" in ended.stderr)
            self.check(could_not_start or ended.is_right() or ended.is_refused_clearly(), ended,
                       "right, or a clear message")
        for spare in (0, 2, 5, 9, 10, 11, 14, 20, 30, 50):
            self.check_right_or_refused(support.run([program, 1, "mappings", spare], CHAOS))
        for fence in ("asymmetric", "full"):
            ended = support.run([program, 20, "membarrier"],
                                {"CILK_NWORKERS": "4", "CILK_FENCE": fence})
            if ended.status == 77:
                self.left_out.append("membarrier refused after the start: "
                                     "the system refuses the filter")
            elif fence == "full":
                self.check_right(ended)
            else:
                refused = ("membarrier refused a private expedited fence" in ended.stderr and
                           "set CILK_FENCE=full" in ended.stderr)
                self.check(ended.is_right() or (ended.status == -signal.SIGABRT and refused), ended,
                           "right, or a clear message")

        self.turns_without_a_file(program)
        ended = support.run([program, 5, "deadly"], {"CILK_NWORKERS": "4", "CILK_FENCE": "full"})
        if ended.status == 77:
            self.left_out.append("membarrier that ends the process: the system refuses the filter")
        else:
            self.check_right(ended)

    def turns_without_a_file(self, program):
        """The list of programs that take turns cannot be made: files may have no length."""
        one = max(os.sched_getaffinity(0))
        number = (2166136261 ^ one) * 16777619 % 2**32  # runtime/src/idle/programs.cpp

        def prepare():
            os.sched_setaffinity(0, {one})  # the list of other tests is another
            resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))

        Path(f"/dev/shm/nopal-turns-1-{os.geteuid()}-{number}").unlink(missing_ok=True)
        ended = support.run([program, 1], {"CILK_ADAPT": "turns", "CILK_NWORKERS": "2"}, prepare)
        self.check(ended.is_right() and "takes no turns" in ended.stderr, ended,
                   "right, with a warning")

    def machine(self):
        """Fewer processors than workers, half a processor, a process that is stopped."""
        program = self.builder.program("work")
        one = min(os.sched_getaffinity(0))
        for chaos in ({}, {"CILK_CHAOS": "1:0.05"}):
            self.check_right(support.run([program, 10], {"CILK_NWORKERS": "16", **chaos},
                                         lambda: os.sched_setaffinity(0, {one})))
        process = support.start([program, 60], {"CILK_NWORKERS": "4", "CILK_CHAOS": "1:0.05"})
        time.sleep(0.1)
        process.send_signal(signal.SIGSTOP)
        time.sleep(1)
        process.send_signal(signal.SIGCONT)
        self.check_right(support.finish(process, f"{program} 60, stopped for a second"))
        self.quota(program)

    def quota(self, program):
        group = Path(f"/sys/fs/cgroup/cpu/nopal-faults-{os.getpid()}")
        try:
            group.mkdir()
        except OSError:
            self.left_out.append("a quota of half a processor: no control group can be made "
                                 "(tests/unit/cpus_test.cpp has made-up ones)")
            return
        try:
            (group / "cpu.cfs_period_us").write_text("100000")
            (group / "cpu.cfs_quota_us").write_text("50000")
            # the process that is to run the program
            join = lambda: (group / "cgroup.procs").write_text("0")
            for workers in ({}, {"CILK_NWORKERS": "8"}):
                self.check_right(support.run([program, 5], workers, join))
        except OSError as error:
            self.left_out.append(f"a quota of half a processor: {error}")
        finally:
            group.rmdir()

    def attach(self):
        """Sixteen threads at once whose children attach and detach."""
        cycles = 62500 if self.is_long else 250
        program = self.builder.program("attach")
        for environment in ({"CILK_NWORKERS": "4"}, {"CILK_NWORKERS": "2", "CILK_CHAOS": "1:1"}):
            self.check_right(support.run([program, 16, cycles], environment, timeout=3600
                                         if self.is_long else 120))

    def signals(self):
        """Signals interrupt workers anywhere; a worker stays in a handler for a second."""
        program = self.builder.program("signals")
        for storm in ("timers", "threads", "stopped"):
            for environment in ({"CILK_NWORKERS": "4"},
                                {"CILK_NWORKERS": "3", "CILK_CHAOS": "1:0.05"}):
                self.check_right(support.run([program, storm], environment))

    def interrupted(self):
        """What is forbidden: a handler spawns at 500 Hz, longjmp past a spawn, a lost frame."""
        program = self.builder.program("interrupted")
        chaos = {"CILK_CHAOS": "1:0.01"}
        seen = runs = 0
        for what in ("handler", "longjmp", "stolen"):
            for workers in (1, 2, 4):
                for environment in ({}, {"CILK_FENCE": "full"}, chaos):
                    for _ in range(3):
                        ended = support.run([program, what],
                                            {"CILK_NWORKERS": str(workers), **environment},
                                            timeout=60 if what == "handler" else 20)
                        if workers == 1 and not environment:
                            self.check_right_or_refused(ended)
                            continue
                        # What a thief has taken in the meantime is undefined (docs/signals.md). A
                        # handler's damage always ends the program. After a longjmp the thief may
                        # run in a function that has ended, and lose its worker: one run in a
                        # hundred then waits for ever, and counts as not seen.
                        self.check(ended.status is not None or what != "handler", ended, "an end")
                        seen += ended.is_right() or ended.is_refused_clearly()
                        runs += 1
        # `ended` is the last of them.
        self.check(seen >= runs - runs // 10, ended,
                   f"{seen} of {runs} runs right or refused: nine of ten")
        ended = support.run([program, "longjmp"], {"CILK_NWORKERS": "1"})
        self.check("finds the continuation of a function that has ended" in ended.stderr, ended,
                   "a message")
        for workers in (1, 2, 4):
            for environment in ({}, chaos):
                ended = support.run([program, "lost"],
                                    {"CILK_NWORKERS": str(workers), **environment})
                self.check(ended.is_refused_clearly() and "all workers are idle" in ended.stderr,
                           ended, "a message")

    def idle(self):
        """Threads that wait, work and sleep for seconds are no lost frame."""
        program = self.builder.program("interrupted")

        def idle(workers, environment):
            return support.run([program, "idle"], {"CILK_NWORKERS": str(workers), **environment})

        cases = itertools.product((1, 2, 4), ({}, {"CILK_CHAOS": "1:1"}))
        with ThreadPoolExecutor(6) as pool:  # they hardly use a processor
            for ended in pool.map(lambda case: idle(*case), cases):
                self.check_right(ended)

    def helping(self):
        """The first thread helps: no thread can be created for the frame it joins; it forks."""
        program, refuser = self.builder.program("helping"), self.builder.refuser()
        for workers in (2, 3):
            ended = support.run([program, "resumed"],
                                {"CILK_NWORKERS": str(workers), "LD_PRELOAD": refuser,
                                 "NOPAL_REFUSE": f"thread:{workers}+"})
            self.check(ended.is_right() or ended.is_right("left out\n"), ended, "right")
            if "left out" in ended.stdout:
                self.left_out.append("a thread that helps and joins last: it never did")
        ended = support.run([program, "forks"], {"CILK_NWORKERS": "4"})
        self.check(ended.is_right("left out\n")
                   or (ended.is_right()
                       and "forked within a function that has spawned" in ended.stderr), ended,
                   "right, and a message")
        if "left out" in ended.stdout:
            self.left_out.append("a thread that forks while it helps: it never did")

    def memory(self):
        """Exceptions while malloc refuses everything."""
        program, refuser = self.builder.program("memory_short"), self.builder.refuser()
        refusing = {"LD_PRELOAD": refuser, "NOPAL_REFUSE": "malloc:1+"}
        self.check_right(support.run([program], {"CILK_NWORKERS": "1", **refusing}))
        # one more stack than before needs memory
        for environment in ({}, {"CILK_CHAOS": "1:0.05"}, {"CILK_CHAOS": "1:1"}):
            self.check_right_or_refused(support.run([program],
                                                    {"CILK_NWORKERS": "4", **environment,
                                                     **refusing}))
        ended = support.run([program, "cold"],
                            {"CILK_NWORKERS": "4", "LD_PRELOAD": refuser,
                             "NOPAL_REFUSE": "malloc:1+"})
        self.check(ended.is_refused_clearly(), ended, "a clear message")


GROUPS = ("overflow", "refused", "limits", "machine", "attach", "helping", "signals", "interrupted",
          "idle", "memory")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cc", required=True)
    parser.add_argument("--cxx", required=True)
    parser.add_argument("--plain-cc", default="clang-22",
                        help="compiles the library that refuses calls (default %(default)s)")
    parser.add_argument("--build-dir", required=True)
    parser.add_argument("--long", action="store_true")
    parser.add_argument("groups", nargs="*", metavar="GROUP",
                        help="; ".join(f"{name}: {inspect.getdoc(getattr(Faults, name))}"
                                       for name in GROUPS))
    options = parser.parse_args()
    builder = support.Builder(options.cc, options.cxx, options.plain_cc, options.build_dir)
    faults = Faults(builder, options.long)
    try:
        for name in options.groups or GROUPS:
            if name not in GROUPS:
                parser.error(f"no group '{name}'")
            getattr(faults, name)()
    finally:
        builder.remove()
    for failure in faults.failures:
        print(f"FAIL {failure}")
    for line in faults.left_out:
        print(f"left out: {line}")
    print(f"{faults.passed} passed, {len(faults.failures)} failed, {len(faults.left_out)} left out")
    return 1 if faults.failures else 0


if __name__ == "__main__":
    sys.exit(main())
