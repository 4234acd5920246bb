"""Small programs with a race, and the same without: what the detector reports of each.

    python3 tests/race/report_test.py --bin build/bin
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

options = None
START = """#include <cilk/cilk.h>
#include <cilk/reducer.h>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <mutex>
#include <vector>
static long shared; static char text[64]; static std::mutex lock; static std::atomic<long> counter;
[[gnu::noinline]] void add(long n) { shared += n; }
[[gnu::noinline]] void put(char *at, char c) { *at = c; }
[[gnu::noinline]] void fill(void *at, int size) { memset(at, 1, size); }
[[gnu::noinline]] void locked() { std::lock_guard guard(lock); shared += 1; }
[[gnu::noinline]] void counted() { counter.fetch_add(1); }
[[gnu::noinline]] long once() { static std::vector<long> table(5, 7); return table[2]; }
[[gnu::noinline]] long on_stack(int i) { volatile long a[4] = {i, i}; return a[1]; }
[[gnu::noinline]] void fails() { throw 1; }
static thread_local long own;
[[gnu::noinline]] void use_own() { own += 1; }
int main() {
"""
# What is in main -> whether there is a race.
PROGRAMS = {
    "cilk_spawn add(1); add(2); cilk_sync;": True,
    "cilk_spawn add(1); cilk_sync; add(2);": False,
    "cilk_for (int i = 0; i < 4; ++i) add(i);": True,
    "cilk_for (int i = 0; i < 64; ++i) put(text + i, 1);": False,
    "cilk_for (int i = 0; i < 63; ++i) put(text + i + (i == 8), 1);": True,
    "cilk_spawn fill(text, 9); put(text + 8, 2); cilk_sync;": True,
    "cilk_spawn fill(text, 8); put(text + 8, 2); cilk_sync;": False,
    "cilk_spawn fill(text + 3, 30); fill(text, 3); cilk_sync;": False,
    "cilk_spawn locked(); locked(); cilk_sync;": False,
    "cilk_spawn locked(); add(1); cilk_sync;": True,
    "cilk_spawn counted(); counted(); cilk_sync;": False,
    "cilk_spawn use_own(); use_own(); cilk_sync;": False,
    "long a = cilk_spawn once(); long b = once(); cilk_sync; printf(\"%ld\", a + b);": False,
    "long a = cilk_spawn on_stack(1); long b = on_stack(2); cilk_sync; printf(\"%ld\", a + b);":
        False,
    "char *p = (char *)malloc(8); cilk_spawn put(p, 1); free(p); cilk_sync;": True,
    "cilk_for (int i = 0; i < 9; ++i) { char *p = new char[8]; put(p, 1); delete[] p; }": False,
    "int x = 0; cilk_spawn [&] { x = 1; }(); x = 2; cilk_sync; printf(\"%d\", x);": True,
    "cilk_spawn add(1); cilk_scope { cilk_spawn counted(); } add(2); cilk_sync;": True,
    "cilk_scope { cilk_spawn add(1); } add(2);": False,
    "try { cilk_spawn fails(); cilk_sync; } catch (int) { add(1); }": False,
    "cilk::reducer<long, std::plus<>> sum;"
    " cilk_for (int i = 0; i < 50; ++i) *sum += i; printf(\"%ld\", *sum);": False,
    "cilk_spawn put(text, 1); printf(\"%zu\", strlen(text)); cilk_sync;": True,
}


class Races(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="nopal-race-")
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)

    def build(self, body, level="-O2"):
        (self.folder / "a.cpp").write_text(START + body + "\n}\n")
        done = subprocess.run([options.bin / "nopal-clang++", "-std=c++20", level, "-g", "-w",
                               "-fsanitize=cilk", "a.cpp", "-o", "a"], cwd=self.folder, text=True,
                              capture_output=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)

    def run_program(self, **environment):
        return subprocess.run([self.folder / "a"], cwd=self.folder, text=True, capture_output=True,
                              check=False, env={**os.environ, **environment})

    def test_programs(self):
        for body, has_race in PROGRAMS.items():
            for level in ("-O0", "-O2"):
                with self.subTest(body=body, level=level):
                    self.build(body, level)
                    done = self.run_program()
                    self.assertEqual(done.returncode, 66 if has_race else 0, done.stderr)

    def test_report(self):
        self.build("cilk_spawn add(1); add(2); cilk_sync;")
        done = self.run_program(CILK_RACE_OUT=str(self.folder / "a.json"))
        self.assertIn("race on `shared`", done.stderr)
        self.assertIn("make `shared` a reducer", done.stderr)
        race, = json.loads((self.folder / "a.json").read_text())["races"]
        self.assertEqual((race["later"]["kind"], race["earlier"]["kind"]), ("update", "update"))
        self.assertEqual(race["later"]["line"], 11)
        self.run_program(CILK_RACE_OUT=str(self.folder / "a.sarif"))
        sarif = json.loads((self.folder / "a.sarif").read_text())
        self.assertEqual(len(sarif["runs"][0]["results"]), 1)

    def test_options(self):
        self.build("cilk_spawn add(1); add(2); cilk_sync;")
        self.assertEqual(self.run_program(CILK_RACE_EXIT="5").returncode, 5)
        self.assertEqual(self.run_program(CILK_RACE_IGNORE="a.cpp:11").returncode, 0)
        self.assertIn("is not", self.run_program(CILK_RACE_EXIT="x").stderr)
        self.build("cilk_spawn counted(); counted(); cilk_sync;")
        self.assertEqual(self.run_program(CILK_RACE_ATOMICS="1").returncode, 66)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", type=lambda text: Path(text).resolve(), required=True)
    options, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *rest])
