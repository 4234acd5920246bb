"""The estimate of work, span and parallelism in CILK_STATS against programs whose work and span are
known: tests/span/programs/closed_forms.cpp with strands that take their time, compiled as any
program. tests/span checks that the exact build measures the same.

The interval must hold the true value, with more workers than processors, too. The bounds that are
no statistics must hold in each run. The span's lower bound is the sum of samples less two standard
errors, so one run in forty may be off, and a run is repeated once. And the interval must say
something: programs with little parallelism are told from those with much.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
import unittest
from math import ceil, inf
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "span"))
import report_test  # noqa: E402

TICK_NS = 1_000_000
FORMS = {"tree": 7, "chain": 60, "flat": 50, "loop_with_grain": 80, "uneven_loop": 64, "sort": 32,
         "sort_with_parallel_merge": 32, "multiply": 8}
LEAVES = {"loop_with_grain": ceil(80 / 10), "uneven_loop": 64}
WORKERS = (2, 16)
MOST_RUNS = 8
OPTIONS = argparse.Namespace()


def truth(name):
    """Work and span in nanoseconds. A level of a loop's division takes no tick here."""
    work, span, _ = report_test.FORMS[name][1](FORMS[name])
    return work * TICK_NS, (span - report_test.levels(LEAVES.get(name, 1))) * TICK_NS


class Estimate(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory(prefix="nopal-estimate-")
        cls.folder = Path(cls.temporary.name)
        cls.program = cls.folder / "closed_forms"
        cls.locale = report_test.comma_locale(cls.folder)
        subprocess.run([OPTIONS.driver, "-std=c++20", "-O2", "-Wno-pass-failed",
                        str(report_test.PROGRAMS / "closed_forms.cpp"), "-o", str(cls.program)],
                       check=True, timeout=300)

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def verdict(self, name, workers):
        path = self.folder / "statistics.json"
        environment = {key: value for key, value in os.environ.items()
                       if not key.startswith("CILK_")}
        environment.update(self.locale, CILK_NWORKERS=str(workers), CILK_STATS=str(path),
                           TICK_NS=str(TICK_NS))
        subprocess.run([str(self.program), name, str(FORMS[name])], env=environment, check=True,
                       timeout=120)
        return json.loads(path.read_text())["verdict"]

    def test_intervals_hold_the_true_values(self):
        print(f"\n{'':26} {'workers':>7} {'span/ms':>8} {'interval':>18} {'parallelism':>11} "
              "interval")
        for name in FORMS:
            for workers in WORKERS:
                with self.subTest(program=name, workers=workers):
                    self.check(name, workers)

    def check(self, name, workers, may_repeat=True):
        work, span = truth(name)
        found = self.verdict(name, workers)
        least, most = found["parallelism_least"], found.get("parallelism_most", inf)
        print(f"{name:26} {workers:7} {span / 1e6:8.1f} {found['span_least_ns'] / 1e6:8.1f} "
              f"{found['span_most_ns'] / 1e6:9.1f} {work / span:11.2f} {least} {most}")
        self.assertLessEqual(found["work_least_ns"], work)
        self.assertLessEqual(work, found["work_most_ns"])
        self.assertLessEqual(span, found["span_most_ns"])
        self.assertLessEqual(least, work / span)
        self.assertLess(found["work_most_ns"] / found["work_least_ns"], 1.25)
        if may_repeat and (found["span_least_ns"] > span or most < work / span):
            return self.check(name, workers, may_repeat=False)
        self.assertLessEqual(found["span_least_ns"], span)
        self.assertLessEqual(work / span, most)

    def some_run(self, name, workers, is_told):
        for _ in range(MOST_RUNS):
            found = self.verdict(name, workers)
            if is_told(found["parallelism_least"], found.get("parallelism_most", inf)):
                return
        self.fail(f"{name} on {workers} workers: {found}")

    def test_little_parallelism_is_told_from_much(self):
        """With more workers two processors are enough to see more than twice as much."""
        self.some_run("uneven_loop", 2, lambda least, most: most < 2)
        self.some_run("sort", 32, lambda least, most: most < 10)
        self.some_run("tree", 32, lambda least, most: least > 4)
        self.some_run("multiply", 32, lambda least, most: least > 4)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--driver", required=True, help="nopal-clang++")
    OPTIONS, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *rest], verbosity=2)
