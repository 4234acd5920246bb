#!/usr/bin/env python3
"""streams.cpp prints the same at each level, with any number of workers and with simulated steals.
A module that spawns without pedigrees is refused beside one with them.

    python3 tests/dprng/streams_test.py --bin build/bin
"""
import argparse
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
CLAIM = "nopal_needs_fnopal_pedigrees_in_all_modules_or_in_none"
SETTINGS = [{"CILK_NWORKERS": str(workers)} for workers in (1, 2, 8)]
SETTINGS += [{"CILK_NWORKERS": "1", "CILK_CHAOS": "1:1"},
             {"CILK_NWORKERS": "8", "CILK_CHAOS": "2:0.2"}]
SPAWNS = """
#include <cilk/cilk.h>
static void child(void) {}
void NAME(void) { cilk_spawn child(); cilk_sync; }
"""
DRAWS = """
#include <cilk/dprng.h>
unsigned long NAME(void) { return __cilkrts_get_dprand(); }
"""
SPAWNS_NOTHING = "int main(void) { return 0; }"
OPENCILK = """
#include <cilk/cilk.h>
#include <cilk/cilk_api.h>
static int depth(void) {
  int result = 0;
  __cilkrts_pedigree strand = __cilkrts_get_pedigree();
  for (__cilkrts_pedigree *at = strand.parent; at; at = at->parent) result++;
  return result;
}
int main(void) {
  int child = cilk_spawn depth();
  uint64_t first = __cilkrts_get_dprand();
  cilk_sync;
  return child != 1 || depth() != 0 || first == __cilkrts_get_dprand();
}
"""
options = None


class Streams(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="nopal-dprng-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def compiler(self, suffix=""):
        return str(options.bin / f"nopal-clang{suffix}")

    def test_same_numbers_for_every_schedule_and_level(self):
        program = self.folder / "streams"
        expected = None
        for level in ("-O0", "-O1", "-O2", "-O3"):
            subprocess.run([self.compiler("++"), level, "-std=c++20", "-Wall", "-Wextra", "-Werror",
                            "-fnopal-pedigrees", HERE / "streams.cpp", "-o", program], check=True)
            for setting in SETTINGS:
                done = subprocess.run([program], env={**os.environ, **setting}, timeout=60,
                                      stdout=subprocess.PIPE, text=True, check=False)
                self.assertEqual(done.returncode, 0, (level, setting))
                if expected is None:
                    expected = done.stdout
                    print(expected)
                self.assertEqual(done.stdout, expected, (level, setting))

    def compile(self, name, text, *flags):
        source = self.folder / f"{name}.c"
        source.write_text(text.replace("NAME", name))
        subprocess.run([self.compiler(), "-O1", *flags, "-c", source, "-o",
                        self.folder / f"{name}.o"], check=True)
        return self.folder / f"{name}.o"

    def link(self, linker, *objects):
        return subprocess.run([self.compiler(), f"-fuse-ld={linker}", *objects, "-o",
                               self.folder / "linked"], capture_output=True, text=True, check=False)

    def test_modules_of_both_kinds_are_not_linked(self):
        kept = [self.compile(name, SPAWNS, "-fnopal-pedigrees") for name in ("a", "b")]
        plain = [self.compile(name, SPAWNS) for name in ("c", "d")]
        draws = self.compile("e", DRAWS, "-fnopal-pedigrees")
        main = self.compile("main", SPAWNS_NOTHING)
        for linker in ("bfd", "lld"):
            for objects in (kept, plain, [*kept, draws], [draws]):
                done = self.link(linker, main, *objects)
                self.assertEqual(done.returncode, 0, done.stderr)
            for module in (kept[0], draws):  # one that draws need not spawn
                done = self.link(linker, main, module, plain[0])
                self.assertNotEqual(done.returncode, 0, linker)
                self.assertIn(CLAIM, done.stderr)

    def test_as_opencilk_has_it(self):
        """Its option, its header, and a parent that is not const."""
        source = self.folder / "opencilk.c"
        source.write_text(OPENCILK)
        program = self.folder / "opencilk"
        for language in (["", "-xc"], ["++", "-xc++"]):
            subprocess.run([self.compiler(language[0]), language[1], "-Wall", "-Wextra", "-Werror",
                            "-fopencilk", "-fopencilk-enable-pedigrees", source, "-o", program],
                           check=True)
            self.assertEqual(subprocess.run([program], timeout=60, check=False).returncode, 0)
        done = subprocess.run([self.compiler(), "-fsyntax-only", source], capture_output=True,
                              text=True, check=False)
        self.assertIn("compile all modules that spawn with -fnopal-pedigrees", done.stderr)

    def test_header_asks_for_pedigrees(self):
        source = self.folder / "without.c"
        source.write_text("#include <cilk/dprng.h>\n")
        done = subprocess.run([self.compiler(), "-fsyntax-only", source], capture_output=True,
                              text=True, check=False)
        self.assertIn("compile all modules that spawn with -fnopal-pedigrees", done.stderr)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", type=Path, required=True)
    options, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *rest])
