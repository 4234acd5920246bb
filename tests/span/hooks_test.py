"""How often small programs call each hook, and that the checker finds each kind of wrong order.

    python3 tests/span/hooks_test.py --bin build/bin --checker build/tests/span
"""
import argparse
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

INCLUDE_ABI = Path(__file__).resolve().parent.parent.parent / "runtime" / "abi"
options = None

# CASES: `case N: BODY break;` for each body; the argument of a run is N.
PROGRAM = """
#include <cilk/cilk.h>
#include <cstdlib>
#include <stdexcept>
static void nothing() { asm volatile("" ::: "memory"); }
static void throws() { throw std::runtime_error("child"); }
static void spawns_two() { cilk_spawn nothing(); cilk_spawn nothing(); cilk_sync; nothing(); }
static void spawns_in_a_loop(int n) { for (int i = 0; i < n; ++i) cilk_spawn nothing(); }
static void child_throws() { cilk_spawn throws(); nothing(); cilk_sync; }
static void callee_throws() { cilk_spawn nothing(); throws(); }
static void one_scope() { cilk_scope { cilk_spawn nothing(); } nothing(); }
static void nested_scopes() {
  cilk_spawn nothing();
  cilk_scope { cilk_spawn nothing(); }
  nothing();
}
static void block() { int x = 0; cilk_spawn { ++x; nothing(); } nothing(); }
static void loop(long n) { cilk_for (long i = 0; i < n; ++i) nothing(); }
static void loop_of_spawns(long n) { cilk_for (long i = 0; i < n; ++i) { cilk_spawn nothing(); } }
static void loop_throws(long n) { cilk_for (long i = 0; i < n; ++i) if (i == 2) throws(); }
template <class F> static void caught(F f) { try { f(); } catch (const std::exception &) {} }
int main(int, char **arguments) { switch (atoi(arguments[1])) { CASES } }
"""
# Body -> how often: functions, spawns, syncs, loops, leaves.
COUNTS = {
    "spawns_two();": (1, 2, 1, 0, 0),
    "spawns_in_a_loop(3);": (1, 3, 1, 0, 0),
    "caught(child_throws);": (1, 1, 1, 0, 0),
    "caught(callee_throws);": (1, 1, 1, 0, 0),
    "one_scope();": (1, 1, 1, 0, 0),
    "nested_scopes();": (2, 2, 2, 0, 0),
    "block();": (1, 1, 1, 0, 0),
    "loop(5);": (0, 0, 0, 1, 5),
    "loop(0);": (0, 0, 0, 1, 0),
    "loop_of_spawns(4);": (4, 4, 4, 1, 4),
    "caught([] { loop_throws(5); });": (0, 0, 0, 1, 3),
}

HOOKS_ALONE = """
#include "nopal_hooks.h"
#include <stdlib.h>
static nopal_hook_site f = {"f", "a.c", 1, 1, NOPAL_HOOK_FUNCTION, 0, 0};
static nopal_hook_site g = {"g", "a.c", 2, 1, NOPAL_HOOK_FUNCTION, 0, 0};
static nopal_hook_site s = {"f", "a.c", 3, 1, NOPAL_HOOK_SPAWN, 0, 0};
static nopal_hook_site l = {"f", "a.c", 4, 1, NOPAL_HOOK_LOOP, 0, 0};
int main(int count, char **arguments) {
  (void)count;
  switch (atoi(arguments[1])) { CASES }
  return 0;
}
"""
# What is wrong -> calls of hooks, and what the checker says.
WRONG = {
    "leave without enter": ("leave(&f);", "another kind"),
    "leave of another function": ("enter(&f); leave(&g);", "another record"),
    "leave without a sync": ("enter(&f); spawn(&s); ret(&s); leave(&f);", "not waited for"),
    "spawn outside of a function": ("spawn(&s);", "another kind"),
    "spawn in a child": ("enter(&f); spawn(&s); spawn(&s);", "another kind"),
    "leave in a child": ("enter(&f); spawn(&s); leave(&f);", "another kind"),
    "sync in a child": ("enter(&f); spawn(&s); sync(&f);", "another kind"),
    "sync of another function": ("enter(&f); sync(&g);", "another record"),
    "record of another kind": ("enter(&s);", "no record of a function"),
    "leaf out of order": ("loop(&l, 3, 0, 1); leaf(&l, 1, 2);", "do not follow"),
    "leaf beyond the end": ("loop(&l, 3, 9, 1); leaf(&l, 0, 4);", "do not follow"),
    "empty leaf": ("loop(&l, 3, 0, 1); leaf(&l, 0, 0);", "do not follow"),
    "large leaf": ("loop(&l, 9, 2, 1); leaf(&l, 0, 3);", "too large"),
    "leaf that does not end": ("loop(&l, 9, 2, 1); leaf(&l, 0, 2); loop_end(&l);", "another kind"),
}
RIGHT = ("enter(&f); spawn(&s); enter(&g); leave(&g); loop(&l, 3, 2, 1); leaf(&l, 0, 2); "
         "leaf_end(&l); leaf(&l, 2, 3); leaf_end(&l); loop_end(&l); ret(&s); sync(&f); leave(&f);")


def cases(bodies):
    return " ".join(f"case {number}: {body} break;" for number, body in enumerate(bodies))


class Test(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="nopal-hooks-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def build(self, name, text, *flags):
        source = self.folder / name
        source.write_text(text)
        compiler = "nopal-clang++" if name.endswith("cpp") else "nopal-clang"
        checker = ["-L", options.checker, "-l", "nopal_hook_checker",
                   "-Xlinker", f"-rpath={options.checker}"]
        subprocess.run([options.bin / compiler, *flags, source, "-o", self.folder / "program",
                        *checker], check=True)

    def run_program(self, number):
        return subprocess.run([self.folder / "program", str(number)], env={"CHECKER_COUNTS": "1"},
                              text=True, capture_output=True, check=False)

    def test_counts(self):
        for level in ("-O0", "-O2"):
            self.build("a.cpp", PROGRAM.replace("CASES", cases(COUNTS)), "-std=c++20", level,
                       "-Wno-pass-failed", "-mllvm", "-nopal-serial")
            for number, (body, expected) in enumerate(COUNTS.items()):
                with self.subTest(body=body, level=level):
                    done = self.run_program(number)
                    self.assertEqual(done.returncode, 0, done.stderr)
                    counts = dict(re.findall(r"nopal_hook_(\w+) (\d+)", done.stderr))
                    names = ("enter", "spawn", "sync", "loop", "leaf")
                    self.assertEqual(tuple(int(counts[name]) for name in names), expected)

    def test_checker(self):
        calls = cases([RIGHT, *(calls for calls, _ in WRONG.values())])
        for name in ("enter", "leave", "spawn", "sync", "loop_end", "loop", "leaf_end", "leaf"):
            calls = re.sub(rf"\b{name}\(", f"nopal_hook_{name}(", calls)
        calls = calls.replace("ret(", "nopal_hook_return(")
        self.build("a.c", HOOKS_ALONE.replace("CASES", calls), f"-I{INCLUDE_ABI}")
        done = self.run_program(0)
        self.assertEqual(done.returncode, 0, done.stderr)
        for number, (what, (_, said)) in enumerate(WRONG.items(), 1):
            with self.subTest(what=what):
                done = self.run_program(number)
                self.assertNotEqual(done.returncode, 0)
                self.assertIn(said, done.stderr)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", type=Path, required=True)
    parser.add_argument("--checker", type=Path, required=True)
    options, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *rest])
