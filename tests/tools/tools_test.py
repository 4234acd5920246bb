#!/usr/bin/env python3
"""gdb, perf, valgrind and the thread sanitizer on programs whose stacks are a cactus.

  tools_test.py --build BUILD [test...]

A tool that is not installed is left out, with a line that says so.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
CHAOS = {"CILK_CHAOS": "1:1", "CILK_NWORKERS": "3"}


def run(command, environment=(), timeout=300):
    clean = {name: value for name, value in os.environ.items()
             if not name.startswith(("CILK_", "NOPAL_", "TSAN_"))}
    clean["TSAN_OPTIONS"] = "atexit_sleep_ms=0"  # else a second before each process ends
    clean.update(environment)
    return subprocess.run([str(word) for word in command], capture_output=True, text=True,
                          env=clean, stdin=subprocess.DEVNULL, timeout=timeout)


class Tools(unittest.TestCase):
    build = None

    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp(prefix="nopal-tools-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)

    def compile(self, name, source, *options):
        output = self.folder / name
        done = run([self.build / "bin/nopal-clang++", "-std=c++20", "-Wno-pass-failed", *options,
                    source, "-o", output, "-pthread"])
        self.assertEqual(done.returncode, 0, done.stderr)
        return output

    # ---- gdb ----

    def gdb(self, *arguments, environment=CHAOS):
        if shutil.which("gdb") is None:
            self.skipTest("there is no gdb")
        commands = ["set confirm off", "set pagination off", "set debuginfod enabled off",
                    f"source {self.build}/lib/nopal/cilk-gdb.py"]
        options = [word for command in commands for word in ("-ex", command)]
        done = run(["gdb", "-nx", "-batch", *options, *arguments], environment)
        self.assertNotIn("Python Exception", done.stderr, done.stdout)
        return done.stdout, done.stderr

    @staticmethod
    def functions(text):
        """The functions of a backtrace, newest first, without the compiler's parts of them."""
        found = []
        for line in text.splitlines():
            match = re.match(r"#\d+\s+(?:0x[0-9a-f]+ in )?(?:\(anonymous namespace\)::)?"
                             r"([A-Za-z_:]+)", line)
            if match and "clone .spawn" not in line:
                found.append(match[1])
        return found

    def sections(self, text):
        """What was printed after each `echo ==NAME`."""
        parts = re.split(r"==(\w+)\n", text)
        return dict(zip(parts[1::2], parts[2::2]))

    WANTED = {"in_slow_clone": ["in_slow_clone", "outer", "calls", "main"],
              "in_child": ["in_child", "child", "middle", "outer", "calls", "main"],
              "in_suspended": ["in_suspended", "left_behind", "outer", "calls", "main"],
              "in_helped": ["in_helped", "go_on", "inner", "outer", "calls", "main"]}
    IN_CHAOS = [where for where in WANTED if where != "in_helped"]

    def check_logical(self, where, text):
        self.assertEqual(self.functions(text), self.WANTED[where], text)

    def test_gdb_shows_both_backtraces(self):
        for level in ("-O0", "-O2"):
            program = self.compile(f"stacks{level}", HERE / "stacks.cpp", level, "-g")
            commands = [f"break {where}" for where in self.IN_CHAOS] + ["run"]
            for where in self.IN_CHAOS:
                commands += [f"echo =={where}\\n", "cilk-bt", f"echo =={where}_native\\n", "bt",
                             f"echo =={where}_all\\n", "cilk-bt -a",
                             "echo ==next\\n", "continue"]
            stdout, stderr = self.gdb(*[word for command in commands for word in ("-ex", command)],
                                      program)
            found = self.sections(stdout)
            self.assertIn("right", stdout, stderr)
            for where in self.IN_CHAOS:
                self.check_logical(where, found[where])
                native = found[where + "_native"]
                self.assertNotIn("Backtrace stopped", native)
                # ends cleanly
                self.assertIn("fresh_main",
                              native.splitlines()[-2 if native.splitlines()[-1] == "" else -1],
                              native)
                self.assertIn("nopal::worker_loop", found[where + "_all"])

    def test_gdb_finds_the_callers_of_what_a_waiting_thread_runs(self):
        for level in ("-O0", "-O2"):
            program = self.compile(f"helping{level}", HERE / "helping.cpp", level, "-g")
            stdout, stderr = self.gdb("-ex", "break in_helped", "-ex", "run", "-ex",
                                      "echo ==in_helped\\n", "-ex", "cilk-bt", "-ex",
                                      "echo ==next\\n",
                                      "-ex", "delete", "-ex", "continue", program,
                                      environment={"CILK_NWORKERS": "2"})
            self.assertIn("right", stdout, stderr)
            self.check_logical("in_helped", self.sections(stdout)["in_helped"])

    def test_gdb_finds_the_stack_where_main_itself_spawned(self):
        for level in ("-O0", "-O2"):
            program = self.compile(f"main_spawns{level}", HERE / "main_spawns.cpp", level, "-g")
            stdout, stderr = self.gdb("-ex", "break in_continuation", "-ex", "run", "-ex",
                                      "echo ==in_continuation\\n", "-ex", "cilk-bt", "-ex",
                                      "echo ==next\\n",
                                      "-ex", "show backtrace past-main", "-ex", "continue", program)
            self.assertIn("right", stdout, stderr)
            text = self.sections(stdout)["in_continuation"]
            self.assertEqual(self.functions(text), ["in_continuation", "main"], text)
            self.assertNotIn("was not found", text)
            self.assertIn("past \"main\" is off", stdout)

    def test_gdb_reads_core_files(self):
        program = self.compile("stacks-core", HERE / "stacks.cpp", "-O1", "-g")
        core = self.folder / "core"
        self.gdb("-ex", "break in_suspended", "-ex", "run", "-ex", f"generate-core-file {core}",
                 "-ex", "kill", program)
        stdout, _ = self.gdb(program, core, "-ex", "cilk-bt")
        self.check_logical("in_suspended", stdout[stdout.rindex("#0  in_suspended"):])

    def test_gdb_finds_suspended_stacks_at_lower_and_higher_addresses(self):
        # The segments change from one round to the next. If gdb's check for corrupt stacks were on,
        # half of the rounds would fail.
        rounds = 8
        program = self.compile("stacks-rounds", HERE / "stacks.cpp", "-O1", "-g")
        commands = [f"set args {rounds}", "break in_suspended",
                    "run"] + ["echo ==stop\\n", "cilk-bt", "echo ==next\\n", "continue"] * rounds
        stdout, stderr = self.gdb(*[word for command in commands for word in ("-ex", command)],
                                  program)
        stops = re.findall(r"==stop\n(.*?)==next\n", stdout, re.S)
        self.assertEqual(len(stops), rounds, stderr)
        for text in stops:
            self.check_logical("in_suspended", text)

    def test_gdb_without_a_process(self):
        _, stderr = self.gdb("-ex", "cilk-bt")
        self.assertIn("no process, and no core file", stderr)

    # ---- perf ----

    def samples(self, program, *options):
        """The samples of a run, each the functions of its call chain, newest first."""
        if shutil.which("perf") is None:
            self.skipTest("there is no perf")
        data = self.folder / "perf.data"
        done = run(["perf", "record", "-q", "-e", "cpu-clock", "-F", "500", *options, "-o", data,
                    program], CHAOS)
        if not data.exists() or "Permission" in done.stderr or "not supported" in done.stderr:
            self.skipTest(f"perf record: {' '.join(done.stderr.split())[:200]}")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("right", done.stdout, done.stderr)
        printed = run(["perf", "script", "-F", "ip,sym", "-i", data]).stdout
        return [[line.split(None, 1)[1] for line in sample.splitlines()]
                for sample in re.split(r"\n\s*\n", printed.strip("\n")) if sample]

    def test_perf_follows_frame_pointers_through_every_segment_to_main(self):
        for level in ("-O0", "-O2"):
            program = self.compile(f"profiled{level}", HERE / "profiled.cpp", level, "-g",
                                   "-fno-omit-frame-pointer", "-mno-omit-leaf-frame-pointer")
            chains = [chain for chain in self.samples(program, "--call-graph", "fp")
                      if "busy" in chain]
            self.assertGreater(len(chains), 5)
            for chain in chains:
                self.assertIn("main", chain)
                self.assertTrue(any(name.startswith("calls") or "::calls" in name
                                    for name in chain), chain)
            segments = [sum("call_slow_clone" in name for name in chain) for chain in chains]
            self.assertGreater(max(segments), 1, chains)

    def test_perf_unwinds_each_stack_to_its_base(self):
        program = self.compile("profiled", HERE / "profiled.cpp", "-O2", "-g")
        chains = [chain for chain in self.samples(program, "--call-graph", "dwarf,16384")
                  if "busy" in chain]
        self.assertGreater(len(chains), 5)
        for chain in chains:
            self.assertTrue("main" in chain or "fresh_main" in chain[-1], chain)
        self.assertTrue(any("worker_loop" in name for chain in chains for name in chain))

    # ---- valgrind ----

    def test_valgrind_reports_nothing(self):
        if shutil.which("valgrind") is None:
            self.skipTest("there is no valgrind")
        program = self.compile("work", HERE.parent / "faults" / "programs" / "work.cpp", "-O1")
        for chaos in ("1:1", "1:0.3"):
            done = run(["valgrind", "-q", "--error-exitcode=9", program],
                       {**CHAOS, "CILK_CHAOS": chaos, "CILK_SEGMENT_SIZE": "256K"})
            self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "right\n", ""))

    def test_valgrind_and_the_predicted_bottom(self):
        """A false report that is documented, and the option against it."""
        if shutil.which("valgrind") is None:
            self.skipTest("there is no valgrind")
        for option, expected in (("true", 9), ("false", 0)):
            program = self.compile(f"register-{option}", HERE / "register.cpp", "-O2", "-mllvm",
                                   f"-nopal-predict-bottom={option}")
            done = run(["valgrind", "-q", "--error-exitcode=9", program], {"CILK_NWORKERS": "1"})
            self.assertEqual((done.returncode, done.stdout), (expected, "right\n"), done.stderr)

    # ---- the thread sanitizer ----

    def test_thread_sanitizer_reports_races_and_only_those(self):
        for level in ("-O0", "-O2"):
            right = self.compile(f"right{level}", HERE / "race.cpp", level, "-g",
                                 "-fsanitize=thread")
            wrong = self.compile(f"wrong{level}", HERE / "race.cpp", level, "-g",
                                 "-fsanitize=thread", "-DRACE")
            for chaos in ({}, {"CILK_CHAOS": "1:0.3"}, {"CILK_CHAOS": "2:1"}):
                done = run([right], {"CILK_NWORKERS": "4", **chaos})
                self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "right\n", ""))
            # It sees the race if the schedule lets two strands meet, in about 39 of 40 runs.
            for _ in range(20):
                done = run([wrong], {"CILK_NWORKERS": "4", "CILK_CHAOS": "2:1"})
                if done.returncode != 0:
                    break
            self.assertEqual(done.returncode, 66)
            self.assertRegex(done.stderr, r"data race[^\n]*race\.cpp:\d+[^\n]* in .*fib\(long\)")
            self.assertNotIn("as if synchronized via sleep", done.stderr)

    def test_thread_sanitizer_reports_nothing_when_threads_begin_at_once(self):
        """Threads do everything for the first time at once: each run is another process."""
        program = self.compile("first", HERE / "first.cpp", "-O1", "-g", "-fsanitize=thread")
        statistics = self.folder / "first.json"
        for what in ("spawn", "api", "loop", "read", "param", "mixed"):
            for options in ({}, {"CILK_CHAOS": "1:0.3"}, {"CILK_STATS": str(statistics)}):
                for _ in range(2):
                    done = run([program, what], {"CILK_NWORKERS": "3", **options})
                    self.assertEqual((done.returncode, done.stdout, done.stderr),
                                     (0, "right\n", ""), (what, options))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True, type=Path)
    options, rest = parser.parse_known_args()
    Tools.build = options.build.resolve()
    unittest.main(argv=[sys.argv[0], *rest])
