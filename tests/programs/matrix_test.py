#!/usr/bin/env python3
"""Tests of the matrix itself: it must find a wrong output, a hang, a lost spawn and a slow clone
that never ran, and cover the promised settings.

Needs no compiler: programs are small shell scripts.
"""

import json
import tempfile
import unittest
from itertools import product
from pathlib import Path
from unittest import mock

from matrix import case, programs, runs, sites

SOURCE = """\
// A comment may say cilk_spawn.
// matrix: args 3 {tree}
/* matrix: chaos-args 2 */
const char *text = "cilk_spawn";
#define BOTH(f) cilk_spawn f(); /* matrix: elsewhere (a macro) */ \\
  f()
void f() {
  cilk_spawn g();
  cilk_spawn h();  // matrix: some (two constructors)
  if (0) cilk_spawn g();  // matrix: never (dead)
  // matrix: never-begin (another process)
  cilk_spawn g();
  // matrix: never-end
  BOTH(g);
}
"""


class WithFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def script(self, text):
        path = self.folder / "script"
        path.write_text("#!/bin/sh\n" + text)
        path.chmod(0o755)
        return [str(path)]


class Plan(unittest.TestCase):
    def test_quick_meets_every_value_and_the_pairs_it_promises(self):
        for number in range(12):
            levels = runs.quick_levels(number, is_sanitized=False)
            plan = runs.quick_plan(levels, number)
            self.assertEqual({(s.level, s.chaos) for s in plan},
                             set(product(levels, runs.QUICK_CHAOS)))
            self.assertEqual({(s.level, s.workers) for s in plan},
                             set(product(levels, runs.WORKERS)))
            self.assertEqual({s.fence for s in plan}, set(runs.FENCES))
            both = plan + runs.quick_plan(levels, number + 2)
            self.assertEqual({(s.workers, s.fence) for s in both},
                             set(product(runs.WORKERS, runs.FENCES)))
            kinds = {(s.workers, s.steals_everything()) for s in both if s.chaos}
            self.assertEqual(kinds, set(product(runs.WORKERS, [True, False])))

    def test_programs_in_a_row_meet_all_levels_and_workers(self):
        for is_sanitized, row, levels in ((False, 6, set(runs.LEVELS)), (True, 2, {"-O0", "-O2"})):
            found = [runs.quick_levels(number, is_sanitized) for number in range(row)]
            self.assertEqual({level for some in found for level in some}, levels)
        without_chaos = {s.workers for number in range(4)
                         for s in runs.quick_plan(runs.quick_levels(number, False), number)
                         if not s.chaos}
        self.assertEqual(without_chaos, set(runs.WORKERS))

    def test_full_is_the_product(self):
        self.assertEqual(len(set(runs.full_plan(runs.LEVELS))),
                         len(runs.LEVELS) * len(runs.WORKERS) * len(runs.CHAOS) * len(runs.FENCES))


class Execute(WithFolder):
    def test_status_output_and_environment(self):
        outcome = runs.execute(self.script('echo "$CILK_CHAOS"; exit 3'), {"CILK_CHAOS": "1:1"}, 10)
        self.assertEqual((outcome.status, outcome.stdout), (3, b"1:1\n"))
        self.assertTrue(outcome.reproduce().startswith("CILK_CHAOS=1:1 /"))

    def test_a_hang_is_ended_with_its_children_and_described(self):
        outcome = runs.execute(self.script("echo begun; sleep 1000 & wait"), {}, 0.5)
        self.assertIsNone(outcome.status)
        self.assertEqual(outcome.stdout, b"begun\n")
        self.assertIn("did not end", outcome.describe_status())

    def test_a_signal_is_described(self):
        self.assertIn("SIGSEGV",
                      runs.execute(self.script("kill -SEGV $$"), {}, 10).describe_status())


class Launcher:
    """As peak.Launcher, but for the compiler."""

    def measure(self, command, run):
        return run(["/usr/bin/env", *command]), 5000


class Runs(WithFolder):
    def run_setting(self, directive="", serial_kib=100, script="echo done"):
        """The case of a program that needs 5000 KiB with one worker, after one run."""
        source = self.folder / "program.cpp"
        source.write_text(f"// {directive}\n")
        (program,) = programs.find_programs(self.folder)
        setting = runs.Setting("-O2", 1, None, "full")
        matrix = case.Matrix(self.folder, None, None, [setting], timeout=1, launcher=Launcher())
        run = case.Case(matrix, program)
        expected = runs.Outcome([], {}, 0, b"done\n", peak_kib=serial_kib)
        run.run_setting(self.script(script)[0], setting, [], expected)
        return run

    def test_what_is_right(self):
        run = self.run_setting()
        self.assertEqual((run.passed, run.failed), (1, 0))
        self.assertIn("-O2 workers=1", run.worst_peak.what)

    def test_what_is_wrong(self):
        for script, what in (("echo other", "line 1 of stdout is 'other'"),
                             ("echo done; exit 3", "status 3"),
                             ("echo done; sleep 100", "did not end"), ("kill -SEGV $$", "SIGSEGV")):
            run = self.run_setting(script=script)
            self.assertEqual((run.passed, run.failed), (0, 1))
            self.assertIn(what, run.lines[0])
            self.assertIn("again: CILK_FENCE=full CILK_NWORKERS=1 ", run.lines[1])

    def test_a_run_that_needs_too_much(self):
        with mock.patch.object(case.peak, "allowed_kib", lambda serial, workers: serial * workers):
            run = self.run_setting()
            self.assertEqual((run.passed, run.failed), (0, 1))
            self.assertIn("peak memory of 5000 KiB with 1 workers, serially 100 KiB: 100 KiB are "
                          "allowed",
                          run.lines[0])
            self.assertEqual(self.run_setting(serial_kib=5000).failed, 0)
            self.assertEqual(self.run_setting("matrix: more-memory it keeps what it reads").failed,
                             0)


class Sites(WithFolder):
    def setUp(self):
        super().setUp()
        self.source = self.folder / "program.cpp"
        self.source.write_text(SOURCE)
        (self.program,) = programs.find_programs(self.folder)

    def check(self, steals):
        """`steals`: triples of function, line and steals."""
        statistics = self.folder / "statistics.json"
        rows = [{"function": function, "file": "/elsewhere/program.cpp", "line": line,
                 "steals": count} for function, line, count in steals]
        statistics.write_text(json.dumps({"sites": rows}))
        return sites.check(self.program, statistics, [])

    def test_directives(self):
        self.assertEqual(self.program.arguments(False, False, "T"), ["3", "T"])
        self.assertEqual(self.program.arguments(True, False, "T"), ["2"])
        found = {spawn.line: spawn.expectation for spawn in programs.spawn_lines(self.source)}
        self.assertEqual(found, {5: "elsewhere", 8: "all", 9: "some", 10: "never", 12: "never"})

    def test_an_unknown_directive_is_refused(self):
        self.source.write_text("// matrix: argss 3\n")
        self.assertRaises(ValueError, programs.find_programs, self.folder)

    def test_all_stolen(self):
        self.assertEqual(self.check([("f", 8, 1), ("C1", 9, 1), ("C2", 9, 0), ("f", 10, 0),
                                     ("f", 12, 0), ("f", 14, 2)]), [])

    def test_a_slow_clone_that_never_ran(self):
        (complaint,) = self.check([("f", 8, 0), ("C1", 9, 1), ("f", 14, 2)])
        self.assertIn("program.cpp:8: never stolen, in f", complaint)

    def test_copies_that_the_optimizer_made(self):
        self.assertEqual(self.check([("f", 8, 0), ("f", 8, 3), ("C1", 9, 1), ("f", 14, 2)]), [])
        self.assertEqual(len(self.check([("f<int>", 8, 0), ("f<long>", 8, 3), ("C1", 9, 1),
                                         ("f", 14, 2)])), 1)

    def test_none_of_some(self):
        self.assertEqual(len(self.check([("f", 8, 1), ("C1", 9, 0), ("C2", 9, 0), ("f", 14, 2)])),
                         1)

    def test_in_a_macro(self):
        self.assertEqual(len(self.check([("f", 8, 1), ("C1", 9, 1), ("f", 14, 0)])), 1)

    def test_a_lost_spawn(self):
        (complaint,) = self.check([("C1", 9, 1), ("f", 14, 2)])
        self.assertIn("program.cpp:8: a spawn without a site", complaint)

    def test_no_statistics(self):
        self.assertIn("no statistics",
                      sites.check(self.program, self.folder / "missing.json", [])[0])


if __name__ == "__main__":
    unittest.main()
