"""Programs across ranks: the same result for any number of ranks and workers, and a clear end for
each fault.

    python3 tests/cluster/cluster_test.py --bin build/bin [--mpi openmpi|mpich] [--all]

Exit status 77: no MPI is installed. With --all all programs run with each MPI in each shape, else
most of them with the first in two shapes, and one with the others in each. That one is optimized,
the others with --all only.
"""
import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROGRAMS = HERE.parents[1] / "benchmarks" / "cluster"
# Program, argument. Small: the results are checked, not the times.
SMALL = {"uts": "T1", "nqueens": "10", "mandelbrot": "100", "betweenness": "7",
         "wordcount": str(HERE.parents[1] / "docs")}
# With --all only.
MORE = {"nqueens", "mandelbrot"}
# Ranks, workers of each.
SHAPES = ((1, 1), (2, 2), (5, 1))
MPIS = {
    "openmpi": ("mpicxx.openmpi", {"OMPI_CXX": None}, ("mpirun.openmpi", "--oversubscribe")),
    "mpich": ("mpicxx.mpich", {"MPICH_CXX": None}, ("mpirun.mpich",)),
}
options = None


def installed():
    return [name for name, (compiler, _, run) in MPIS.items()
            if shutil.which(compiler) and shutil.which(run[0]) and options.mpi in (None, name)]


class Cluster:
    """One MPI: compiles once, runs often."""

    def __init__(self, name, folder):
        self.folder = Path(folder) / name
        self.folder.mkdir()
        self.compiler, variables, self.run_command = MPIS[name]
        driver = str(Path(options.bin).resolve() / "nopal-clang++")
        self.environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1",
                                OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
        self.environment.update({variable: driver for variable in variables})

    def compile(self, source, *flags, name=None):
        program = self.folder / (name or source.stem)
        if not program.exists():
            level = "-O2" if options.all or source.stem == "uts" else "-O0"
            done = subprocess.run([self.compiler, "-std=c++20", level, "-Wall", "-Wextra", *flags,
                                   str(source), "-o", str(program)], env=self.environment,
                                  capture_output=True, text=True)
            assert done.returncode == 0, done.stderr
        return program

    def run(self, program, *arguments, ranks=2, workers=1, **variables):
        command = [*self.run_command, "-n", str(ranks), str(program), *arguments]
        return self.start(command, workers, **variables)

    def start(self, command, workers=1, **variables):
        environment = dict(self.environment, CILK_NWORKERS=str(workers), **variables)
        return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=100)


class EveryMpi(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.all = [Cluster(name, cls.folder.name) for name in installed()]
        cls.mpi = cls.all[0]
        cls.cases = cls.mpi.compile(HERE / "cases.cpp")

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_results_do_not_depend_on_ranks_and_workers(self):
        for number, mpi in enumerate(self.all):
            for name, argument in SMALL.items():
                if not options.all and (name in MORE or number > 0 and name != "uts"):
                    continue
                program = mpi.compile(PROGRAMS / f"{name}.cpp")
                expected = None
                for ranks, workers in SHAPES if options.all or name == "uts" else SHAPES[:2]:
                    with self.subTest(name=name, ranks=ranks, workers=workers):
                        done = mpi.run(program, argument, ranks=ranks, workers=workers)
                        self.assertEqual(done.returncode, 0, done.stderr)
                        self.assertNotEqual(done.stdout, "")
                        expected = expected or done.stdout
                        self.assertEqual(done.stdout, expected)

    def test_one_rank_without_plugin(self):
        program = self.mpi.compile(PROGRAMS / "uts.cpp", "-DCILK_SERIAL", name="uts_serial")
        done = self.mpi.run(program, "short", ranks=3)
        self.assertEqual((done.returncode, done.stdout), (0, "short: 3987 nodes\n"))

    def test_under_chaos(self):
        done = self.mpi.run(self.mpi.compile(PROGRAMS / "uts.cpp"), "T1", ranks=2, workers=2,
                            CILK_CHAOS="3:0.5")
        self.assertEqual((done.returncode, done.stdout), (0, "T1: 4130071 nodes\n"))

    def test_many_runs_of_one_program(self):
        for ranks, workers in SHAPES:
            done = self.mpi.run(self.cases, "runs", ranks=ranks, workers=workers)
            self.assertEqual((done.returncode, done.stdout), (0, "50 runs\n"), done.stderr)

    def test_results_are_folded_in_order(self):
        for ranks, workers in SHAPES:
            done = self.mpi.run(self.cases, "order", ranks=ranks, workers=workers)
            self.assertEqual((done.returncode, done.stdout), (0, "in order\n"), done.stderr)

    def test_ranges_wider_than_their_type(self):
        for ranks, workers in SHAPES if options.all else SHAPES[1:2]:
            done = self.mpi.run(self.cases, "wide", ranks=ranks, workers=workers)
            self.assertEqual((done.returncode, done.stdout), (0, "wide\n"), done.stderr)

    def test_a_rank_that_dies_leaves_no_result(self):
        for workers in (1, 2):
            done = self.mpi.run(self.cases, "dies", ranks=3, workers=workers)
            self.assertNotEqual(done.returncode, 0)
            self.assertEqual(done.stdout.count("a result"), 0)
            self.assertRegex(done.stderr + done.stdout, "signal 9|Killed|KILLED")

    def test_an_exception_leaves_no_result(self):
        for workers in (1, 2):
            for function in ("step", "split", "reduce", "save", "load"):
                done = self.mpi.run(self.cases, "throws", function, ranks=3, workers=workers)
                self.assertNotEqual(done.returncode, 0)
                self.assertEqual(done.stdout.count("a result"), 0)
                self.assertIn(f"a {function} fails", done.stderr)

    def test_a_reduction_may_spawn(self):
        for ranks, workers, chaos in ((1, 4, "1:0.05"), (1, 4, "7:0.05"), (2, 2, "3:0.5")):
            done = self.mpi.run(self.cases, "sums", ranks=ranks, workers=workers, CILK_CHAOS=chaos)
            self.assertEqual((done.returncode, done.stdout), (0, "sums\n"), done.stderr)

    def test_results_that_are_read_in_part_are_refused(self):
        done = self.mpi.run(self.cases, "short", ranks=3)
        self.assertNotEqual(done.returncode, 0)
        self.assertEqual(done.stdout.count("a result"), 0)
        self.assertIn("a result was shorter than its message", done.stderr)

    def test_other_bags_are_refused(self):
        done = self.mpi.run(self.cases, "types")
        self.assertNotEqual(done.returncode, 0)
        self.assertEqual(done.stdout.count("a result"), 0)
        self.assertIn("the ranks run bags of different types", done.stderr)

    def test_misuse_is_refused(self):
        for case, message in {
                "nested": "a call for all ranks within another",
                "ranges": "loops over different ranges",
                "leaves": "this rank has left the scope of its cilk::cluster",
                "again": "keep one cilk::cluster for the whole program"}.items():
            for workers in (1, 2):
                with self.subTest(case=case, workers=workers):
                    done = self.mpi.run(self.cases, case, workers=workers)
                    self.assertNotEqual(done.returncode, 0)
                    self.assertEqual(done.stdout.count("a result"), 0)
                    self.assertIn(message, done.stderr)

    def test_a_bag_that_is_given_whole_is_worked_on(self):
        for workers in (1, 2):
            done = self.mpi.run(self.cases, "whole", ranks=2, workers=workers)
            self.assertEqual((done.returncode, done.stdout), (0, "30 runs\n"), done.stderr)

    def test_other_versions_are_refused(self):
        other = self.mpi.compile(HERE / "cases.cpp", "-DNOPAL_CLUSTER_TEST_VERSION=99",
                                 name="other")
        done = self.mpi.start([*self.mpi.run_command, "-n", "1", str(self.cases), "runs", ":", "-n",
                               "1", str(other), "runs"])
        self.assertNotEqual(done.returncode, 0)
        self.assertEqual(done.stdout, "")
        self.assertIn("the ranks run different versions of <cilk/cluster.h>: 99 here",
                      done.stderr)

    def test_mpi_for_one_thread_is_refused(self):
        done = self.mpi.run(self.cases, "single", workers=2)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("call MPI_Init_thread with MPI_THREAD_SERIALIZED", done.stderr)
        self.assertEqual(self.mpi.run(self.cases, "single").returncode, 0)

    def test_statistics_of_one_worker_a_rank(self):
        path = self.mpi.folder / "one.json"
        done = self.mpi.run(self.cases, "", ranks=2, CILK_STATS=str(path))
        self.assertEqual(done.returncode, 0, done.stderr)
        ranks = json.loads((self.mpi.folder / "one.ranks.json").read_text())["ranks"]
        self.assertEqual([(each["rank"], each["workers"]) for each in ranks], [(0, 1), (1, 1)])
        for rank in range(2):
            json.loads((self.mpi.folder / f"one.rank{rank}.json").read_text())

    def test_statistics_by_rank(self):
        program = self.mpi.compile(PROGRAMS / "uts.cpp")
        table = self.mpi.run(program, "short", ranks=3, CILK_STATS="1").stderr
        self.assertIn("nopal: ranks", table)
        path = self.mpi.folder / "x.json"
        done = self.mpi.run(program, "T1", ranks=3, workers=2, CILK_STATS=str(path),
                            CILK_TRACE=str(self.mpi.folder / "x.pftrace"))
        self.assertEqual(done.returncode, 0, done.stderr)
        ranks = json.loads((self.mpi.folder / "x.ranks.json").read_text())["ranks"]
        self.assertEqual([each["rank"] for each in ranks], [0, 1, 2])
        self.assertEqual(sum(each["steps"] for each in ranks), 4130071)
        self.assertEqual(sum(each["bags_taken"] for each in ranks),
                         sum(each["bags_given"] for each in ranks))
        self.assertGreater(sum(each["bags_taken"] for each in ranks), 0)
        for rank in range(3):
            written = (self.mpi.folder / f"x.rank{rank}.json").read_text()
            self.assertIn("workers", json.loads(written))
            self.assertTrue((self.mpi.folder / f"x.rank{rank}.pftrace").exists())
        self.assertFalse(path.exists())


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", default="build/bin")
    parser.add_argument("--mpi", choices=MPIS)
    parser.add_argument("--all", action="store_true")
    options, rest = parser.parse_known_args()
    if not installed():
        print("no MPI is installed: left out")
        sys.exit(77)
    unittest.main(argv=[sys.argv[0], *rest])
