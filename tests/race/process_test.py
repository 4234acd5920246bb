"""How the report comes out of a process: names of files and variables, and the ends of a program.

    python3 tests/race/process_test.py --bin build/bin
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from report_test import SUM

options = None
MERGED = """#include <cilk/cilk.h>
[[gnu::noinline]] void set(long *p) { *p += 1; }
[[gnu::noinline]] void two(bool c) {
  if (c) { long first[4] = {}; cilk_spawn set(&first[1]); set(&first[1]); cilk_sync; set(first); }
  else { long second[4] = {}; cilk_spawn set(&second[1]); set(&second[1]); cilk_sync; set(second); }
}
int main(int count, char **) { two(count != 1); }
"""
PARAMETER = """#include <cilk/cilk.h>
struct whole { long parts[4]; };
[[gnu::noinline]] void set(long *at) { *at = 1; }
[[gnu::noinline]] long take(whole given) {
  cilk_spawn set(&given.parts[1]);
  set(&given.parts[1]);
  cilk_sync;
  return given.parts[1];
}
int main() { return take({}) - 1; }
"""
FORK = """#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
long total;
[[gnu::noinline]] void add() { ++total; }
[[gnu::noinline]] void race() { cilk_spawn add(); add(); cilk_sync; }
int main(int count, char **) {
  race();
  if (fork() == 0) {
    if (count == 2) race();
    exit(3);
  }
  int status;
  wait(&status);
  printf("child ended with %d", WEXITSTATUS(status));
}
"""

SMALL = """#include <cilk/cilk.h>
#include <cstring>
typedef int eight __attribute__((vector_size(32)));
eight v;
char text[64];
const char *volatile source = "hello";
[[gnu::noinline]] static void vector() { int i = 3; v = eight{i}; }
static void copy() { std::strcpy(text, source); }
int main() {
  cilk_spawn vector();
  vector();
  cilk_sync;
  cilk_spawn copy();
  copy();
  cilk_sync;
}
"""


class Processes(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        holder = tempfile.TemporaryDirectory(prefix="nopal-race-")
        cls.addClassCleanup(holder.cleanup)
        cls.folder = Path(holder.name)

    def compile(self, source, *more, run_in="."):
        subprocess.run([options.bin / "nopal-clang++", "-w", "-g", "-fsanitize=cilk", source, "-o",
                        self.folder / "one", *more], cwd=self.folder / run_in, check=True)

    def build(self, text, *more):
        (self.folder / "one.cpp").write_text(text)
        self.compile("one.cpp", "-O2", *more)

    def run_one(self, *arguments, **environment):
        return subprocess.run([self.folder / "one", *arguments], cwd=self.folder, text=True,
                              env={**os.environ, **environment}, errors="replace",
                              capture_output=True, check=False)

    def test_one_name_of_a_file(self):
        """Accesses and spawns name a file alike, by whatever name it was compiled."""
        (self.folder / "inner").mkdir(exist_ok=True)
        (self.folder / "sum.cpp").write_text(SUM)
        (self.folder / "inner/sum.cpp").write_text(SUM)
        for source, map_of in (("sum.cpp", ""), (self.folder / "sum.cpp", ""),
                               ("inner/sum.cpp", ""),
                               (self.folder / "sum.cpp", f"-fdebug-prefix-map={self.folder}=/src"),
                               (self.folder / "inner/sum.cpp", "")):
            for run_in in (".", "inner"):
                if run_in == "inner" and not isinstance(source, Path):
                    continue
                self.compile(source, *filter(None, [map_of]), run_in=run_in)
                with self.subTest(source=source, map=map_of, run_in=run_in):
                    done = self.run_one(CILK_RACE_OUT="sum.json")
                    races = json.loads((self.folder / "sum.json").read_text())["races"]
                    names = {race[what]["file"] for race in races
                             for what in ("later", "earlier", "spawn")}
                    self.assertEqual(len(names), 1, names)
                    self.assertEqual(len(set(re.findall(r"[^ ]*sum\.cpp", done.stderr))), 1)

    def test_merged_calls(self):
        """The optimizer makes one call of two, which has no line, and two locals share memory."""
        self.build(MERGED)
        done = self.run_one()
        self.assertEqual(done.returncode, 66)
        self.assertNotIn("one.cpp:0", done.stderr)
        self.assertIn("race on a local variable of two(bool)\n", done.stderr)
        self.assertIn("put a cilk_sync before the later access", done.stderr)

    def test_parameter_in_memory(self):
        """It lies in the caller's frame, and is the callee's."""
        self.build(PARAMETER)
        self.assertIn("race on the parameter `given` of take(whole)", self.run_one().stderr)

    def test_link_time_optimization(self):
        self.build("int main() { return 0; }", "-flto")
        self.assertEqual(self.run_one().stderr, "")

    def test_fork(self):
        """A child of fork has none of its parent's races, and reports its own."""
        self.build(FORK)
        for own in ("", "x"):
            done = self.run_one(*own, CILK_RACE_OUT="fork.json")
            self.assertEqual(done.returncode, 66)
            self.assertIn(f"child ended with {66 if own else 3}", done.stdout)
            self.assertEqual(done.stderr.count("nopal: 1 race"), 2 if own else 1)
            report = json.loads((self.folder / "fork.json").read_text())
            self.assertEqual(len(report["races"]), 1)

    def test_quick_exit(self):
        self.build(SUM.replace("return 0", "quick_exit(0)"), "-include", "cstdlib")
        self.assertEqual(self.run_one().returncode, 66)

    def test_spawns_that_were_compiled_without_the_option(self):
        (self.folder / "apart.cpp").write_text(
            "#include <cilk/cilk.h>\nlong total;\nstatic void add() { ++total; }\n"
            "void apart() {\n  cilk_spawn add();\n  add();\n  cilk_sync;\n}\n")
        (self.folder / "both.cpp").write_text("void apart();\nint main() { apart(); }\n")
        compiler = [options.bin / "nopal-clang++", "-O1"]
        subprocess.run([*compiler, "-c", "apart.cpp"], cwd=self.folder, check=True)
        # The rest is instrumented, or nothing is.
        for option in ((), ("-fno-sanitize=cilk",)):
            subprocess.run([*compiler, "-fsanitize=cilk", *option, "-c", "both.cpp"],
                           cwd=self.folder, check=True)
            subprocess.run([*compiler, "-fsanitize=cilk", "both.o", "apart.o", "-o", "both"],
                           cwd=self.folder, check=True)
            done = subprocess.run(["./both"], cwd=self.folder, text=True, capture_output=True,
                                  check=False, env={**os.environ, "CILK_RACE_OUT": "both.json"})
            self.assertEqual(done.returncode, 66, done.stderr)
            self.assertIn("the spawn at apart.cpp:5:3 was compiled without -fsanitize=cilk",
                          done.stderr)
            report = json.loads((self.folder / "both.json").read_text())
            self.assertEqual((report["unseen_spawn"], report["races"]), ("apart.cpp:5:3", []))

    def test_frames_of_small_functions(self):
        """One that only makes accesses which Clang's pass leaves out, and one that ends by a call
        of the C library."""
        for level in ("-O0", "-O2"):
            with self.subTest(level=level):
                self.build(SMALL, level)
                done = self.run_one()
                self.assertIn("earlier write at one.cpp:7:55 in vector()", done.stderr)
                self.assertIn("earlier write at one.cpp:8:22 in copy()", done.stderr)
                self.assertNotIn("not known", done.stderr)

    def test_a_report_that_cannot_be_written(self):
        self.build(SUM)
        done = self.run_one(CILK_RACE_OUT="/nowhere/a.json")
        self.assertEqual(done.returncode, 2)
        self.assertIn("cannot write '/nowhere/a.json': No such file or directory", done.stderr)

    def test_a_report_goes_where_the_program_started(self):
        self.build(SUM.replace("int main() {", "#include <unistd.h>\nint main() {\n"
                                               "  if (chdir(\"/\") != 0) return 1;", 1))
        done = self.run_one(CILK_RACE_OUT="moved.json")
        self.assertEqual(done.returncode, 66, done.stderr)
        self.assertTrue(json.loads((self.folder / "moved.json").read_text())["races"])

    def test_a_report_beyond_the_limit_on_files(self):
        self.build(SUM)
        (self.folder / "one").rename(self.folder / "limited")
        done = subprocess.run(["sh", "-c", "ulimit -f 0; ./limited"], cwd=self.folder, text=True,
                              env={**os.environ, "CILK_RACE_OUT": "limited.json"}, check=False,
                              capture_output=True)
        self.assertEqual(done.returncode, 66, done.stderr)
        self.assertIn("limited.json': File too large; name another file", done.stderr)
        self.assertRegex(done.stderr, r"nopal: \d+ race")

    def test_elements_that_share_a_word(self):
        self.build("#include <cilk/cilk.h>\n#include <vector>\nint main() {\n"
                   "  std::vector<bool> flags(64);\n"
                   "  cilk_for (int i = 0; i < 64; ++i) flags[i] = true;\n}\n")
        self.assertIn("use a std::vector<char>", self.run_one().stderr)

    def test_misspelt_variables(self):
        self.build(SUM)
        self.assertIn("unknown environment variables: CILK_RACE_FOO",
                      self.run_one(CILK_RACE_FOO="1").stderr)

    def test_path_that_is_no_text(self):
        """What is not UTF-8 in a path is U+FFFD in JSON and SARIF."""
        folder = os.fsencode(self.folder / "b") + b"\xffd\xc3\xa9"
        os.mkdir(folder)
        with open(folder + b"/sum.cpp", "w", encoding="ascii") as file:
            file.write(SUM)
        self.compile(folder + b"/sum.cpp")
        for name in ("a.json", "a.sarif"):
            self.run_one(CILK_RACE_OUT=name)
            text = (self.folder / name).read_text(encoding="utf-8")
            text = json.dumps(json.loads(text), ensure_ascii=False)
            self.assertIn("b\N{REPLACEMENT CHARACTER}d\N{LATIN SMALL LETTER E WITH ACUTE}"
                          if name == "a.json" else "b%FFd%C3%A9", text)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", type=lambda text: Path(text).resolve(), required=True)
    options, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *rest])
