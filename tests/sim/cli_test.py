#!/usr/bin/env python3
"""nopal-sim as a user runs it: the same bytes again, other bytes for other seeds, valid formats,
and errors that name what is valid.

    python3 tests/sim/cli_test.py --sim build/bin/nopal-sim
"""
import argparse
import csv
import io
import json
import os
import pathlib
import subprocess
import tempfile
import unittest
import xml.dom.minidom

SIM = None


def sim(*arguments):
    return subprocess.run([SIM, *arguments], capture_output=True, text=True, timeout=100)


def run(*arguments):
    done = sim("run", "-q", *arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout


class SimTest(unittest.TestCase):
    def test_same_seed_same_bytes(self):
        for policy in ("random", "nearest", "localized", "hashing", "mugging", "half"):
            words = ("-p", "uts:depth=7", "-s", policy, "-P", "200", "--costs", "default", "-f",
                     "json")
            self.assertEqual(run(*words), run(*words))
            other = run(*words, "--seed", "2").replace('"seed": 2', '"seed": 1')
            self.assertNotEqual(run(*words), other)

    def test_formats_agree(self):
        words = ("-p", "tree:depth=10,leaf=5", "-s", "random,half", "-P", "4,8", "--seeds", "2")
        objects = json.loads(run(*words, "-f", "json"))
        rows = list(csv.DictReader(io.StringIO(run(*words, "-f", "csv"))))
        self.assertEqual(len(objects), 8)
        self.assertEqual([str(o["time_ns"]) for o in objects], [r["time_ns"] for r in rows])
        self.assertEqual([o["program"] for o in objects], [r["program"] for r in rows])
        self.assertEqual(len(run(*words).splitlines()), 9)
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "out.json"
            self.assertEqual(run(*words, "-f", "json", "-o", str(file)), "")
            self.assertEqual(json.loads(file.read_text()), objects)

    def test_a_plot_has_a_point_for_each_workers(self):
        plot = xml.dom.minidom.parseString(run("-p", "tree:depth=8", "-P", "2,4,8", "-f", "svg"))
        self.assertEqual(len(plot.getElementsByTagName("circle")), 3)

    def test_memory_does_not_grow_with_the_program(self):
        def peak_kib(depth):
            process = subprocess.Popen([SIM, "run", "-q", "-p", f"tree:depth={depth}", "-P", "8"],
                                       stdout=subprocess.DEVNULL)
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            self.assertEqual(process.returncode, 0)
            return used.ru_maxrss
        self.assertLess(peak_kib(20), peak_kib(10) + 1024)  # two million frames, and 2,000

    def refuses(self, words, *texts):
        done = sim(*words)
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, "^nopal-sim: ")
        for text in texts:
            self.assertIn(text, done.stderr)

    def test_bad_input(self):
        self.refuses(["run", "-p", "tre"], "'tre' is not a program", "tree, skewed, fib", "remark2")
        self.refuses(["run", "-p", "tree:leafs=3"], "no parameter 'leafs'", "depth=20,leaf=1")
        self.refuses(["run", "-p", "tree:depth"], "'depth' is not a name=value")
        self.refuses(["run", "-p", "tree:depth=-1"], "'-1'", "not a number of 0 or more")
        self.refuses(["run", "-p", "skewed:ratio=2"], "above 0 and below 1")
        self.refuses(["run", "-p", "deep:leaves=9,depth=3"], "at least lg leaves")
        self.refuses(["run", "-p", "uts:kind=tall"], "geometric, binomial")
        self.refuses(["run", "-s", "nearst"], "'nearst' is not a policy", "random nearest local")
        self.refuses(["run", "-p", "trace"], "give file=PATH")
        self.refuses(["run", "-p", "trace:file=/no/such"], "cannot read '/no/such'")
        self.refuses(["run", "-P", "1"], "2 to 65536")
        self.refuses(["run", "-P", "65537"], "2 to 65536")
        self.refuses(["run", "--topology", "4xx2"], "'4xx2' is not a topology", "4x2x16")
        self.refuses(["run", "--costs", "cheap"], "'cheap'", "'unit-words', 'default' or a JSON")
        self.refuses(["run", "--idle", "nap"], "spin", "sleep")
        self.refuses(["run", "-p", "remark1", "-P", "4"], "for 3 workers")
        self.refuses(["run", "--adversary"], "--adversary is for the program remark2")
        self.refuses(["run", "--idle", "sleep", "--adapt", "a-steal"], "exclude each other")
        self.refuses(["run", "--adapt", "runtime", "--delta", "0.5"], "--delta is for --adapt a-st")
        self.refuses(["run", "--idle", "sleep", "--rule", "serach_ns=1"],
                     "'serach_ns' is not a rule", "search_ns", "fenced_pops")
        self.refuses(["run", "--idle", "sleep", "--rule", "search_ns"], "write name=value")
        self.refuses(["run", "--idle", "sleep", "--rule", "search_ns=0"], "1 or more")
        self.refuses(["run", "--idle", "sleep", "--mend", "tre"], "'tre' is not a word of --mend",
                     "all, tree")
        self.refuses(["run", "--mend", "tree"], "--idle sleep")
        self.refuses(["nap"], "'nap' is not a command; the commands are: run,")
        self.refuses([], "subcommand")
        self.refuses(["run", "-P", "abc"], "abc")
        self.refuses(["run", "--sedes", "3"], "--sedes")
        self.refuses(["calibrate", "-P", "0"], "'0' is not a number above 0")

    def test_output_that_cannot_be_written(self):
        for words in (["list"], ["costs"], ["--help"], ["run", "-p", "tree:depth=4"],
                      ["run", "-p", "tree:depth=4", "-f", "svg", "-o", "/nowhere/x.svg"]):
            with open("/dev/full", "w") as full:
                done = subprocess.run([SIM, *words], stdout=full, stderr=subprocess.PIPE, text=True)
            self.assertEqual(done.returncode, 2)
            self.assertIn("cannot write", done.stderr)

    def test_cost_files(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "costs.json"
            def written(text):
                file.write_text(text)
                return ["costs", str(file)]
            again = json.loads(sim(*written('{"spawn_ns": 3, "steal_ns": [10, 20]}')).stdout)
            self.assertEqual((again["spawn_ns"], again["steal_ns"]), (3, [10, 20]))
            self.refuses(written("{"), f"{file} is not JSON: parse error at line 1")
            self.refuses(written("[]"), "not a JSON object")
            self.refuses(written('{"spwan_ns": 3}'), "'spwan_ns' is not a cost",
                         "spawn_ns, steal_ns")
            self.refuses(written('{"spawn_ns": -3}'), "must be a number of nanoseconds")
            self.refuses(written('{"steal_ns": []}'), "'steal_ns' is empty")
            self.refuses(written('{"failed_ns": [0]}'), "'failed_ns' must be at least 1")
            noise = '{"noise_slice_ns": 9, "noise_ns": [1, 2, 3], "noise_processors": %d}'
            self.refuses(written(noise % 2), "has 3 numbers, which 2 processors do not share")
            self.refuses(written(noise % 0), "0 processors do not share")

    def test_calibrate_writes_costs_that_run_reads(self):
        done = sim("calibrate")
        if done.returncode == 2:
            self.assertIn("use --costs default", done.stderr)
            return
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "costs.json"
            file.write_text(done.stdout)
            run("-p", "tree:depth=8", "--costs", str(file))
        costs = json.loads(done.stdout)
        self.assertGreaterEqual(costs["steal_ns"][0], costs["membarrier_ns"])
        self.assertGreater(costs["wake_ns"], 0)
        self.assertGreaterEqual(costs["noise_processors"], 2)
        self.assertEqual(len(costs["noise_ns"]) % costs["noise_processors"], 0)
        one = json.loads(sim("calibrate", "-P", "1").stdout)
        self.assertEqual(one["noise_processors"], 1)
        self.refuses(["calibrate", "-P", "0"], "--workers")

    def test_the_runtimes_feedback_begins_with_all(self):
        def first_quantum(*words):
            row, = json.loads(run("-p", "tree:depth=10,leaf=10000", "-P", "8", "-f", "json",
                                  "--costs", "default", *words))
            return row["active_ns"] / row["time_ns"], row["quanta"]
        active, quanta = first_quantum("--adapt", "runtime")
        self.assertGreaterEqual(quanta, 1)
        self.assertGreater(active, 7)
        self.assertLess(first_quantum("--adapt", "a-steal")[0], 6)

    def test_a_broken_law_is_a_status(self):
        done = sim("run", "-q", "-p", "tree:depth=12", "--fault", "forget-work")
        self.assertEqual(done.returncode, 1)
        self.assertIn("and the work is", done.stderr)

    def test_programs_that_cannot_come_several_times_are_refused(self):
        self.refuses(["run", "-p", "owners:times=2"], "several owners have work from the start")
        self.refuses(["run", "-p", "tree:times=0"], "'times' is '0'; it must be from 1")
        self.refuses(["run", "-p", "tree:often=2"], "depth=20,leaf=1,inner=1,times=1,before=0")

    def test_list_names_all(self):
        listed = sim("list").stdout
        for word in ("tree", "remark2", "uts", "random", "nearest", "localized", "hashing",
                     "mugging", "half"):
            self.assertIn(word, listed)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--sim", required=True)
    SIM = parser.parse_args().sim
    unittest.main(argv=[__file__])
