"""The verdict of CILK_STATS on programs with one seeded fault, and on sound ones.

Each program runs on as many workers as there are processors, unless the case says otherwise. A
fault must be named, with the line of its spawn. A sound program must get no fault named. A run's
figures depend on the load of the machine. So a run with a wrong verdict is repeated, and one of
MOST_RUNS must be right: a wrong rule is wrong in all of them. tests/unit/verdict_test.cpp checks
the verdict for given figures, without a clock.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
SOURCE = HERE / "programs.cpp"
PROCESSORS = len(os.sched_getaffinity(0))
MOST_RUNS = 8
BUSY = "busy_machine"  # others had the processors: no fault of the program
SOUND = ("even", "uneven", "tree", "fine_enough", "rounds")
OPTIONS = argparse.Namespace()


def line_of(site):
    for number, line in enumerate(SOURCE.read_text().splitlines(), 1):
        if line.endswith(f"// site: {site}"):
            return number
    raise KeyError(site)


class Verdict(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory(prefix="nopal-verdict-")
        cls.folder = Path(cls.temporary.name)
        cls.program = cls.folder / "programs"
        subprocess.run([OPTIONS.driver, "-std=c++20", "-O2", "-g", "-Wall", "-Wextra", "-Werror",
                        str(SOURCE), "-o", str(cls.program)], check=True, timeout=300)

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def run_once(self, name, workers, statistics):
        environment = {key: value for key, value in os.environ.items()
                       if not key.startswith("CILK_")}
        environment.update(CILK_NWORKERS=str(workers), CILK_STATS=statistics)
        done = subprocess.run([str(self.program), name], env=environment, capture_output=True,
                              text=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stderr

    def judged(self, name, is_right, workers=max(PROCESSORS, 2)):
        """The statistics of the first run that is judged right; a failure if none is."""
        path = self.folder / f"{name}.json"
        for _ in range(MOST_RUNS):
            self.run_once(name, workers, str(path))
            statistics = json.loads(path.read_text())
            if is_right(statistics["verdict"]):
                return statistics
        self.fail(f"{name}: {MOST_RUNS} runs were judged otherwise; the last was\n" +
                  json.dumps({key: statistics[key] for key in ("verdict", "summary", "total")},
                             indent=1))

    def expect(self, name, cause, site=None, **options):
        where = f"programs.cpp:{line_of(site)}:" if site else ""
        statistics = self.judged(name, lambda verdict: verdict["cause"] == cause and
                                 where in verdict.get("site", ""), **options)
        verdict = statistics["verdict"]
        self.assertGreaterEqual(verdict["lost_percent"], 15)
        if site:
            self.assertIn(verdict["site"], verdict["advice"])

    @unittest.skipIf(PROCESSORS < 2, "needs two processors")
    def test_long_item(self):
        self.expect("long_item", "long_strand", "long_item")

    @unittest.skipIf(PROCESSORS < 2, "needs two processors")
    def test_long_child_is_told_from_the_other_spawns_of_its_function(self):
        self.expect("long_child", "long_strand", "long_child")

    @unittest.skipIf(PROCESSORS < 2, "needs two processors")
    def test_serial_start(self):
        self.expect("serial_start", "serial_start")

    @unittest.skipIf(PROCESSORS < 2, "needs two processors")
    def test_serial_part(self):
        self.expect("serial_part", "serial_part", "serial_part")

    @unittest.skipIf(PROCESSORS < 2, "needs two processors")
    def test_serial_end(self):
        self.expect("serial_end", "serial_end")

    @unittest.skipIf(PROCESSORS < 2, "needs two processors")
    def test_too_little_parallelism(self):
        self.expect("thin", "too_little_parallelism", "thin")

    def test_too_fine(self):
        self.expect("too_fine", "too_fine")

    def test_too_fine_shows_on_one_worker(self):
        self.expect("too_fine", "too_fine", workers=1)

    @unittest.skipIf(PROCESSORS < 2, "needs two processors")
    def test_children_too_small_to_be_shared_are_no_serial_code(self):
        self.expect("tiny_children", "too_fine")
        self.expect("tiny_regions", "too_fine")

    def test_sleeping(self):
        self.expect("sleeping", "blocked")

    def test_oversubscribed(self):
        self.expect("even", "oversubscribed", workers=4 * PROCESSORS)

    def test_sound_programs_get_no_fault(self):
        for name in SOUND:
            with self.subTest(name=name):
                verdict = self.judged(
                    name, lambda verdict: verdict["cause"] in ("none", BUSY))["verdict"]
                if verdict["cause"] == "none":
                    self.assertIn("nopal-view run -- PROGRAM", verdict["advice"])

    def test_short_program_is_not_judged(self):
        self.judged("short", lambda verdict: verdict["cause"] in ("too_short", BUSY))

    def test_first_line_is_the_verdict_and_bytes_are_for_full(self):
        table = self.run_once("even", 2, "1")
        self.assertRegex(table, r"^nopal: statistics: 2 workers, [0-9.]+ ms: busy \d+ % of it; one "
                                r"alone for [0-9.]+ ms \(\d+ %\)(; parallelism [0-9.]+ "
                                r"(or more|to [0-9.]+))?: \w")
        self.assertNotIn("stacks/KiB", table)
        self.assertRegex(table, r"\n +worker  busy/% +working/ms +cpu/ms +stealing/ms")
        self.assertIn("stacks/KiB", self.run_once("even", 2, "full"))

    def test_times_add_up(self):
        statistics = self.judged("even", lambda verdict: True)
        total, summary = statistics["total"], statistics["summary"]
        elapsed = statistics["elapsed_ns"]
        self.assertLessEqual(summary["one_working_ns"] + summary["none_working_ns"],
                             elapsed + 1_000_000)
        self.assertLessEqual(summary["alone_ns"], summary["one_working_ns"])
        self.assertGreater(total["working_cpu_ns"], 0)
        self.assertLessEqual(total["working_cpu_ns"], total["working_ns"] + 5_000_000)
        stolen = sum(site["stolen_ns"] for site in statistics["sites"])
        self.assertLessEqual(stolen, total["working_ns"])
        self.assertTrue(all(site["steals"] or not site["stolen_ns"]
                            for site in statistics["sites"]))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--driver", required=True, help="nopal-clang++")
    OPTIONS, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *rest], verbosity=2)
