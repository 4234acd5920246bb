"""The files that CILK_TRACE writes: read by a decoder of our own, and by protoc if it is installed.

Only one time is judged: the slices of all workers must add up to the wall time of the statistics,
within 0.5 %. Other programs on the machine can disturb that, so the run is repeated up to
MOST_RUNS times.
"""
import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

import decode

HERE = Path(__file__).resolve().parent
OPTIONS = argparse.Namespace()
KINDS = ("pftrace", "json")
MANY = 72
MOST_RUNS = 20
SECONDS = 120  # until a program that hangs is ended


class TraceTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory(prefix="nopal-trace-")
        cls.folder = Path(cls.temporary.name)
        cls.program = cls.folder / "programs"
        subprocess.run([OPTIONS.driver, "-std=c++20", "-O2", "-g", "-Wall", "-Wextra", "-Werror",
                        str(HERE / "programs.cpp"), "-o", str(cls.program)], check=True,
                       timeout=300)

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def environment(self, path, workers=2, **more):
        found = {key: value for key, value in os.environ.items() if not key.startswith("CILK_")}
        return {**found, "CILK_NWORKERS": str(workers), "CILK_TRACE": str(path), **more}

    def run_program(self, name, path, status=0, limit_bytes=None, **options):
        """Runs it and returns its stderr."""
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit_bytes, limit_bytes))
        done = subprocess.run([str(self.program), name], env=self.environment(path, **options),
                              capture_output=True, text=True, timeout=SECONDS, cwd=self.folder,
                              preexec_fn=limit if limit_bytes else None)
        self.assertEqual(done.returncode, status, done.stderr)
        self.assertEqual(done.stdout, "done\n" if status == 0 else "")
        return done.stderr

    def check(self, trace, is_whole=True):
        """Checks what holds of every trace. Returns the time from its beginning to its end."""
        begins = {slices[0].begin for slices in trace.workers.values()}
        self.assertEqual(len(begins), 1, "all workers are there from the beginning")
        ends = {slices[-1].end for slices in trace.workers.values()}
        for slices in trace.workers.values():
            for before, after in zip(slices, slices[1:]):
                self.assertEqual(before.end, after.begin, "without a gap")
                self.assertLessEqual(before.begin, before.end)
        for leaving, arriving in trace.flows().values():
            self.assertEqual((len(leaving), len(arriving)), (1, 1), "both ends of a flow")
            (victim, stolen_at, what), (thief, runs_at, name) = leaving[0], arriving[0]
            self.assertNotEqual(victim, thief)
            self.assertLessEqual(stolen_at, runs_at)
            self.assertEqual(what, "stolen: " + name)
        if not is_whole:
            return None
        self.assertEqual(len(ends), 1, "all workers are there to the end")
        total = sum(item.end - item.begin for slices in trace.workers.values() for item in slices)
        self.assertEqual(total, len(trace.workers) * (max(ends) - min(begins)))
        return max(ends) - min(begins)

    def test_slices_flows_and_counters(self):
        for kind in KINDS:
            with self.subTest(kind=kind):
                path, stats = self.folder / f"tree.{kind}", self.folder / "stats.json"
                for _ in range(MOST_RUNS):
                    said = self.run_program("tree", path, CILK_STATS=str(stats))
                    self.assertEqual(said, "")
                    trace = decode.read(path)
                    wall = self.check(trace)
                    statistics = json.loads(stats.read_text())
                    self.assertEqual(len(trace.workers), 2)
                    self.assertEqual(len(trace.flows()), statistics["total"]["steals"])
                    if trace.flows() and abs(wall / statistics["elapsed_ns"] - 1) < 0.005:
                        break
                else:
                    self.fail(f"{wall} ns in the trace, {statistics['elapsed_ns']} ns passed; "
                              f"{len(trace.flows())} steals")
                names = {item.name for slices in trace.workers.values() for item in slices}
                self.assertIn("program", names)
                self.assertIn("search", names)
                line = next(number for number, text in enumerate(
                    (HERE / "programs.cpp").read_text().splitlines(), 1)
                    if "cilk_spawn tree(" in text)
                self.assertIn(f"(anonymous namespace)::tree(int) programs.cpp:{line}:3", names)
                self.assertTrue(set(trace.counters) >= {"busy workers", "stack segments"})
                for values in trace.counters.values():
                    self.assertEqual(values, sorted(values, key=lambda pair: pair[0]))
                    self.assertLess(max(value for _, value in values), 1000)
                spawns = [item for items in trace.instants.values() for item in items
                          if item.name.startswith("spawn: ")]
                self.assertTrue(spawns, "sampled")

    def test_a_wait_for_a_turn_is_a_slice(self):
        """Beside a program that came before, until that has used a second. Both have at most two
        processors, which the first one fills."""
        two = sorted(os.sched_getaffinity(0))[:2]
        all_processors = os.sched_getaffinity(0)
        self.addCleanup(os.sched_setaffinity, 0, all_processors)
        os.sched_setaffinity(0, two)
        path, first = self.folder / "turns.pftrace", self.folder / "first.pftrace"
        for _ in range(MOST_RUNS):
            first.unlink(missing_ok=True)
            process = subprocess.Popen([str(self.program), "endless"],
                                       env=self.environment(first, CILK_ADAPT="turns"))
            try:
                deadline = time.monotonic() + SECONDS
                while not first.exists():
                    self.assertIsNone(process.poll())
                    self.assertLess(time.monotonic(), deadline)
                    time.sleep(0.001)
                self.assertEqual(self.run_program("tree", path, CILK_ADAPT="turns"), "")
            finally:
                process.kill()
                process.wait()
            trace = decode.read(path)
            self.check(trace)
            for slices in trace.workers.values():
                for before, wait, after in zip(slices, slices[1:], slices[2:]):
                    if wait.name == "waiting for its turn":
                        self.assertEqual(before.name, after.name)
                        return
        self.fail("no worker waited")

    def test_protoc_reads_it(self):
        if shutil.which("protoc") is None:
            self.skipTest("protoc is not installed")
        path = self.folder / "protoc.pftrace"
        self.run_program("tree", path)
        with open(path, "rb") as file:
            done = subprocess.run(["protoc", "--decode_raw"], stdin=file, capture_output=True,
                                  text=True, timeout=SECONDS, check=True)
        packets = sum(line == "1 {" for line in done.stdout.splitlines())
        self.assertEqual(packets, decode.read(path).packets)

    def test_with_a_steal_at_each_pop(self):
        path = self.folder / "chaos.pftrace"
        said = self.run_program("fib", path, CILK_CHAOS="1:1")
        trace = decode.read(path)
        self.check(trace)
        self.assertGreater(sum(map(len, trace.workers.values())), 1000)
        self.assertRegex(said, r"^$|^nopal: warning: CILK_TRACE: \d+ events came too fast and are "
                               r"not in the trace\n$")

    def test_many_workers(self):
        for kind in KINDS:
            path = self.folder / f"many.{kind}"
            self.assertEqual(self.run_program("tree", path, workers=MANY), "")
            trace = decode.read(path)
            self.check(trace)
            self.assertEqual(sorted(trace.workers), list(range(MANY)))

    def test_killed_program_leaves_a_readable_file(self):
        for kind in KINDS:
            with self.subTest(kind=kind):
                path = self.folder / f"killed.{kind}"
                process = subprocess.Popen([str(self.program), "endless"],
                                           env=self.environment(path))
                deadline = time.monotonic() + SECONDS
                while not path.exists() or path.stat().st_size < 20_000:
                    self.assertIsNone(process.poll())
                    self.assertLess(time.monotonic(), deadline)
                    time.sleep(0.01)
                process.kill()
                process.wait()
                trace = decode.read(path, is_whole=False)
                self.check(trace, is_whole=False)
                self.assertGreater(sum(map(len, trace.workers.values())), 50)

    def test_full_disk(self):
        for kind in KINDS:
            with self.subTest(kind=kind):
                path = self.folder / f"full.{kind}"
                path.symlink_to("/dev/full")
                said = self.run_program("tree", path)
                self.assertRegex(said, r"^nopal: warning: CILK_TRACE: cannot write \S+: No space "
                                       r"left on device; the trace ends [0-9.]+ ms after its "
                                       r"beginning, and the program goes on\n$")

    def test_file_that_may_not_grow_is_readable(self):
        path = self.folder / "limited.pftrace"
        said = self.run_program("tree", path, workers=4, limit_bytes=4000)
        self.assertIn("File too large; the trace ends", said)
        self.assertLessEqual(path.stat().st_size, 4000)
        trace = decode.read(path)
        self.assertEqual(len(trace.workers), 4)
        self.check(trace, is_whole=False)

    def test_program_that_closes_descriptors_keeps_its_own_file(self):
        said = self.run_program("closes_all", self.folder / "closed.pftrace")
        self.assertRegex(said, r"^nopal: warning: CILK_TRACE: cannot write \S+: Bad file "
                               r"descriptor; the trace ends [0-9.]+ ms after its beginning")
        self.assertEqual((self.folder / "own.txt").read_text(), "mine\n" * 8)

    def test_two_processes_do_not_write_one_file(self):
        path = self.folder / "shared.pftrace"
        first = subprocess.Popen([str(self.program), "endless"], env=self.environment(path))
        deadline = time.monotonic() + SECONDS
        while not path.exists() or path.stat().st_size < 20_000:
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.01)
        said = self.run_program("tree", path)
        first.kill()
        first.wait()
        self.assertRegex(said, r"^nopal: warning: CILK_TRACE: another process writes \S+; there is "
                               r"no trace of this one\n$")
        self.check(decode.read(path, is_whole=False), is_whole=False)
        self.assertEqual(self.run_program("tree", path), "")
        self.check(decode.read(path))

    def test_the_file_of_the_statistics_by_another_name(self):
        path = self.folder / "both.json"
        said = self.run_program("tree", self.folder / "." / ".." / self.folder.name / "both.json",
                                status=2, CILK_STATS=str(path))
        self.assertRegex(said, r"^nopal: fatal: CILK_TRACE: \S+ is the file of CILK_STATS, too;")

    def test_fork_leaves_the_trace_to_the_first_process(self):
        path = self.folder / "fork.pftrace"
        self.assertEqual(self.run_program("fork", path), "")
        self.check(decode.read(path))

    def test_main_ends_before_the_process(self):
        """The thread that samples does not keep the process alive."""
        path = self.folder / "main_ends.pftrace"
        self.assertEqual(self.run_program("main_ends", path), "")
        self.check(decode.read(path))

    def test_program_that_never_spawns(self):
        for name in ("serial", "fork_first"):
            path = self.folder / f"{name}.pftrace"
            self.assertEqual(self.run_program(name, path),
                             "nopal: warning: CILK_TRACE: this program never spawned, so there is "
                             "no trace\n")
            self.assertFalse(path.exists())

    def test_path_that_cannot_be_written(self):
        said = self.run_program("tree", self.folder / "none" / "x.pftrace", status=2)
        self.assertRegex(said, r"^nopal: fatal: CILK_TRACE: cannot write \S+: No such file or "
                               r"directory; name a file in a directory that can be written\n$")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--driver", required=True, help="nopal-clang++")
    OPTIONS, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *rest], verbosity=2)
