"""Small programs with a race, and the same without: what the detector reports of each.

    python3 tests/race/report_test.py --bin build/bin

They are the cases of one program for each level; its argument chooses one.
"""
import argparse
import json
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from report_cases import ATOMICS, CASES, LOOP, NESTED, START, TOGETHER, UPDATES

options = None
SUM = """#include <cilk/cilk.h>
long total, terms[100];
[[gnu::noinline]] static void add(int n) { for (int i = 0; i < n; ++i) total += terms[i]; }
int main() {
  cilk_spawn add(100);
  add(50);
  cilk_sync;
  cilk_for (int i = 0; i < 100; ++i) total += terms[i];
  return 0;
}
"""
NAMES = """#include <cilk/cilk.h>
#include <vector>
namespace place {
struct node { int key; long count; };
long total;
}
struct base { int near; };
struct pair { int left, far; };
struct derived : base { pair inner; int last; };
place::node all[4];
[[gnu::noinline]] static void count(place::node *node) { ++node->count; }
[[gnu::noinline]] static void set(long *at) { *at = 1; }
[[gnu::noinline]] static void far(derived *one) { one->inner.far = 3; }
[[gnu::noinline]] static void whole() { place::total = 4; }
[[gnu::noinline]] static void mark(long *at) { *at = 5; }
int main() {
  cilk_spawn count(&all[1]);
  count(&all[1]);
  cilk_sync;
  std::vector<long> five(5);
  cilk_spawn set(&five[2]);
  set(&five[2]);
  auto *one = new derived();
  cilk_sync;
  cilk_spawn far(one);
  far(one);
  cilk_sync;
  cilk_spawn whole();
  whole();
  cilk_sync;
  long local = 0;
  cilk_spawn mark(&local);
  mark(&local);
  cilk_sync;
  return all[1].count == 5 && one->last && local;
}
"""
DEEP = """#include <cilk/cilk.h>
#include <stdlib.h>
long end;
[[gnu::noinline]] static void down(long n) {
  volatile long here = n;
  if (n == 0) ++end;
  else down(n - 1);
  here = 0;
}
[[gnu::noinline]] static void spawning(long n) {
  if (n == 0) ++end;
  else cilk_spawn spawning(n - 1);
  cilk_sync;
}
int main(int, char **arguments) {
  void (*const run)(long) = arguments[1][0] == 's' ? spawning : down;
  const long depth = atol(arguments[2]);
  cilk_spawn run(depth);
  run(depth);  // line 19
  cilk_sync;
}
"""
THREADS = """#include <cilk/cilk.h>
#include <thread>
long end, other;
static void add() { ++end; }
static void spawn() { cilk_spawn add(); ++other; cilk_sync; }
int main(int count, char **) {
  spawn();
  if (count == 2) std::thread(add).join();
  if (count == 3) std::thread(spawn).join();
}
"""
NARROW = """#include <cilk/cilk.h>
int table[256], got[300];
signed char narrows[300];
int main() {
  for (int i = 0; i < 256; ++i) table[i] = i;
  cilk_for (int i = 0; i < 300; ++i) {
    const signed char narrow = static_cast<signed char>(i);
    narrows[i] = narrow;
    got[i] = (table + 128)[narrow];
  }
  for (int i = 0; i < 300; ++i)
    if (got[i] != static_cast<signed char>(i) + 128) return 1;
}
"""
WORDS = """#include <cilk/cilk.h>
#include <string>
#include <unordered_map>
std::unordered_map<std::string, long> words;
[[gnu::noinline]] void count(long n) { words[std::to_string(n % 100)] += n; }
int main() {
  for (long n = 0; n < 1000; ++n) cilk_spawn count(n);
  cilk_sync;
}
"""
LINE_OF_ADD = 1 + START[:START.index("void add")].count("\n")
LEVELS = ("-O0", "-O2")


def source():
    text = START
    for number, body in enumerate(CASES):
        text += f"[[gnu::noinline]] void case_{number}() {{ {body} }}\n"
    names = ", ".join(f"case_{number}" for number in range(len(CASES)))
    return text + f"int main(int, char **argv) {{\n  void (*const cases[])() = {{{names}}};\n" \
        "  cases[std::atoi(argv[1])]();\n}\n"


class Races(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        holder = tempfile.TemporaryDirectory(prefix="nopal-race-")
        cls.addClassCleanup(holder.cleanup)
        cls.folder = Path(holder.name)
        (cls.folder / "a.cpp").write_text(source())
        for level in LEVELS:
            subprocess.run([options.bin / "nopal-clang++", "-std=c++20", level, "-g", "-w",
                            "-fsanitize=cilk", "a.cpp", "-o", f"a{level}"], cwd=cls.folder,
                           check=True)

    def run_case(self, number, level="-O2", **environment):
        return subprocess.run([self.folder / f"a{level}", str(number)], cwd=self.folder, text=True,
                              capture_output=True, check=False, env={**os.environ, **environment})

    def test_cases(self):
        for level in LEVELS:
            for number, (body, has_race) in enumerate(CASES.items()):
                with self.subTest(body=body, level=level):
                    # Only the status counts: no llvm-symbolizer.
                    done = self.run_case(number, level, PATH="")
                    self.assertEqual(done.returncode, 66 if has_race else 0, done.stderr)

    def test_report(self):
        done = self.run_case(UPDATES, CILK_RACE_OUT=str(self.folder / "a.json"))
        self.assertIn("race on `shared`", done.stderr)
        self.assertIn("make `shared` a reducer", done.stderr)
        report = json.loads((self.folder / "a.json").read_text())
        self.assertTrue(any("libstdc++.so" in path for path in report["not_checked"]))
        race, = report["races"]
        self.assertEqual((race["later"]["kind"], race["earlier"]["kind"]), ("update", "update"))
        self.assertEqual(race["later"]["line"], LINE_OF_ADD)
        self.run_case(UPDATES, CILK_RACE_OUT=str(self.folder / "a.sarif"))
        sarif = json.loads((self.folder / "a.sarif").read_text())
        result, = sarif["runs"][0]["results"]
        self.assertEqual(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
                         "a.cpp")

    def test_sarif(self):
        """What SARIF 2.1.0 demands of a path with a space, and where there is none."""
        (self.folder / "the one.cpp").write_text(SUM)
        subprocess.run([options.bin / "nopal-clang++", "-w", "-fsanitize=cilk", "the one.cpp",
                        "-o", "of one"], cwd=self.folder, check=True)
        for strip in (False, True):
            if strip:
                subprocess.run(["llvm-strip-22", "of one"], cwd=self.folder, check=True)
            subprocess.run([self.folder / "of one"], cwd=self.folder, check=False,
                           capture_output=True, env={**os.environ, "CILK_RACE_OUT": "a b.sarif"})
            sarif = json.loads((self.folder / "a b.sarif").read_text())
            self.assertEqual(sarif["version"], "2.1.0")
            run, = sarif["runs"]
            rule, = run["tool"]["driver"]["rules"]
            self.assertTrue(run["tool"]["driver"]["name"])
            for result in run["results"]:
                self.assertEqual(result["ruleId"], rule["id"])
                self.assertTrue(result["message"]["text"])
                places = [*result["locations"], *result["relatedLocations"]]
                places += [frame["location"] for stack in result["stacks"]
                           for frame in stack["frames"]]
                paths = {place["physicalLocation"]["artifactLocation"]["uri"] for place in places
                         if "physicalLocation" in place}
                self.assertLessEqual(paths, {"the%20one.cpp"})
                self.assertEqual(bool(result["locations"][0].get("physicalLocation")), not strip)

    def test_a_container_is_named_at_the_lines_that_use_it(self):
        (self.folder / "words.cpp").write_text(WORDS)
        for level in LEVELS:
            subprocess.run([options.bin / "nopal-clang++", "-std=c++20", level, "-g", "-w",
                            "-fsanitize=cilk", "words.cpp", "-o", "words"], cwd=self.folder,
                           check=True)
            done = subprocess.run([self.folder / "words"], cwd=self.folder, text=True,
                                  capture_output=True, check=False)
            places = re.findall(r"^  (?:may run beside the earlier )?\w+ at (\S+) in", done.stderr,
                                re.M)
            with self.subTest(level=level):
                self.assertEqual({place.split(":")[0] for place in places}, {"words.cpp"},
                                 done.stderr)
                self.assertLessEqual(done.stderr.count("nopal: race on"), 4, done.stderr)
                self.assertIn("nopal: race on `words`", done.stderr)
                self.assertIn("make `words` a reducer", done.stderr)
                self.assertIn("hashtable", done.stderr)  # the stacks have all

    def test_sum_in_a_loop(self):
        """The optimizer leaves the updates where they are."""
        (self.folder / "sum.cpp").write_text(SUM)
        for level in ("-O0", "-O1", "-O2", "-O3"):
            subprocess.run([options.bin / "nopal-clang++", level, "-w", "-fsanitize=cilk",
                            "sum.cpp", "-o", "sum"], cwd=self.folder, check=True)
            done = subprocess.run([self.folder / "sum"], text=True, capture_output=True,
                                  check=False)
            with self.subTest(level=level):
                self.assertEqual(done.stderr.count("make `total` a reducer"), 2, done.stderr)
                self.assertEqual(done.stderr.count("earlier update at"), 2, done.stderr)

    def test_emulated_thread_locals(self):
        """Checks that are inline find the serial time, in a library that knows no detector, too."""
        (self.folder / "sum.cpp").write_text(SUM)
        (self.folder / "main.cpp").write_text("int sum(); int main() { return sum(); }")
        build = [options.bin / "nopal-clang++", "-O2", "-w", "-femulated-tls", "-fsanitize=cilk"]
        alone = [options.bin / "nopal-clang++", "-shared", "-static-libgcc", "sum.o", "-o",
                 "libsum.so"]
        for commands in ([[*build, "sum.cpp", "-o", "sum"]],
                         [[*build, "-fPIC", "-Dmain=sum", "-c", "sum.cpp"], alone,
                          [*build, "main.cpp", "./libsum.so", "-o", "sum"]]):
            for command in commands:
                subprocess.run(command, cwd=self.folder, check=True)
            done = subprocess.run([self.folder / "sum"], cwd=self.folder, text=True,
                                  capture_output=True, check=False)
            self.assertEqual(done.stderr.count("make `total` a reducer"), 2, done.stderr)

    def test_narrow_control_variable(self):
        """Only a conversion to 32 bits leaves an iteration's number as it is."""
        (self.folder / "narrow.cpp").write_text(NARROW)
        for level in LEVELS:
            subprocess.run([options.bin / "nopal-clang++", level, "-fsanitize=cilk", "narrow.cpp",
                            "-o", "narrow"], cwd=self.folder, check=True)
            self.assertEqual(subprocess.run([self.folder / "narrow"], check=False).returncode, 0)

    def test_iterations_at_once(self):
        """A loop that is one leaf: the report does not name a wrong iteration."""
        done = self.run_case(TOGETHER, CILK_RACE_OUT=str(self.folder / "a.json"))
        self.assertIn("--- an iteration of the cilk_for at a.cpp", done.stderr)
        self.assertNotIn("--- iteration", done.stderr)

    def test_stacks(self):
        """Both stacks up to where the strands part, and the tree of the strands."""
        done = self.run_case(NESTED, "-O0")
        self.assertEqual(done.stderr.count("--- the spawn at a.cpp:"), 3, done.stderr)
        self.assertRegex(done.stderr, r"(?m)^ +case_\d+\(\)\n"
                         r" +\+- the spawn at \S+ -- the spawn at \S+ -- earlier update\n"
                         r" +\+- the spawn at \S+ -- later update$")
        done = self.run_case(LOOP, "-O0", CILK_RACE_OUT=str(self.folder / "a.json"))
        self.assertIn("iteration 1 of the cilk_for", done.stderr)
        race = json.loads((self.folder / "a.json").read_text())["races"][0]
        self.assertIn("iteration 0 of", race["earlier"]["stack"][-1]["note"])

    def test_names(self):
        """Variables, fields and who allocated. TBAA knows the outermost class, IR the innermost."""
        for level, field in zip(LEVELS, ("pair::far", "derived::inner.far")):
            with self.subTest(level=level):
                self.build(NAMES, level)
                found = re.findall(r"race on (.*)", self.run_one().stderr)
                self.assertEqual(found, [
                    "`all`, byte 24 of 64, field `place::node::count`",
                    "byte 16 of a block of 40 bytes on the heap, allocated at one.cpp:20:21",
                    "byte 8 of a block of 16 bytes on the heap, allocated at one.cpp:23:15, "
                    f"field `{field}`",
                    "`place::total`",
                    "the local variable `local` of main"])

    def test_value(self):
        """A value that depends on the schedule: the child, and where to wait for it."""
        self.build("""#include <cilk/cilk.h>
#include <cilk/reducer.h>
#include <functional>
cilk::reducer<long, std::plus<>> sum;
static void add(long n) { *sum += n; }
int main() {
  cilk_spawn add(1);
  long early = sum.get_value();  // line 8
  cilk_sync;
  return early == 7;
}
""")
        done = self.run_one()
        self.assertEqual(done.returncode, 66)
        self.assertIn("nopal: race on `sum`\n  use of the value at one.cpp:8:20", done.stderr)
        self.assertIn("may run beside the earlier child at one.cpp:7:3", done.stderr)
        self.assertIn("remedy: put a cilk_sync before one.cpp:8:", done.stderr)

    def test_end(self):
        """A hyperobject that dies beside a child that has used it, and not after a sync."""
        self.build("""#include <cilk/cilk.h>
#include <cilk/reducer.h>
#include <functional>
#include <memory>
using Sum = cilk::reducer<long, std::plus<>>;
static void add(Sum *sum, long n) { **sum += n; }
void zero(void *view) { *(long *)view = 0; }
void plus(void *left, void *right) { *(long *)left += *(long *)right; }
struct Plain {
  long cilk_reducer(zero, plus) sum = 0;
  void add(long n) { sum += n; }
};
static void waits() {
  Sum sum;
  cilk_spawn add(&sum, 1);
  add(&sum, 2);
}
int main(int argc, char **) {
  for (int i = 0; i < 3; ++i) cilk_spawn waits();
  cilk_for (int i = 0; i < 10; ++i) {
    Plain own;
    cilk_spawn own.add(1);
    own.add(2);
  }
  cilk_sync;
  if (argc == 2) {
    auto sum = std::make_unique<Sum>();
    cilk_spawn add(sum.get(), 1);
    sum.reset();  // line 29
    cilk_sync;
  }
  if (argc == 3) {
    auto *sum = new Plain;
    cilk_spawn sum->add(1);
    delete sum;  // line 35
    cilk_sync;
  }
}
""")
        done = self.run_one()
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        done = self.run_one("library")
        self.assertIn("end of the hyperobject at one.cpp:29:", done.stderr)
        self.assertIn("may run beside the earlier use at one.cpp:6:", done.stderr)
        self.assertIn("remedy: put a cilk_sync before one.cpp:29:", done.stderr)
        self.assertEqual(self.run_one("the", "language").returncode, 66)

    def build(self, text, *more):
        (self.folder / "one.cpp").write_text(text)
        subprocess.run([options.bin / "nopal-clang++", "-O2", "-g", "-fsanitize=cilk", "one.cpp",
                        "-o", "one", *more], cwd=self.folder, check=True)

    def run_one(self, *arguments, **more):
        return subprocess.run([self.folder / "one", *arguments], cwd=self.folder, text=True,
                              capture_output=True, check=False, **more)

    def test_deep_stacks(self):
        """The two ends of a deep stack are shown, and the remedy is where the strands part."""
        self.build(DEEP)
        for kind in ("down", "spawning"):
            done = self.run_one(kind, "5000")
            with self.subTest(kind=kind):
                self.assertIn("cilk_sync before one.cpp:19:", done.stderr)
                self.assertRegex(done.stderr, r"\d+ calls between these are not shown")
                self.assertLess(done.stderr.count("\n"), 450)  # of some 10,000

    def test_full_stack(self):
        self.build(DEEP)
        done = self.run_one("down", "10000000")
        self.assertEqual(done.returncode, -signal.SIGSEGV)
        self.assertRegex(done.stderr, r"fatal: the stack of \d+ MiB is full")

    def test_no_addresses_for_shadow_memory(self):
        self.build(SUM, "-w")
        done = self.run_one(preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS,
                                                                  (1 << 32, 1 << 32)))
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, r"cannot map \d+ GiB of shadow memory.*ulimit -v")

    def test_library_without_the_option(self):
        (self.folder / "plain.c").write_text("long total; void plain(long n) { total += n; }")
        subprocess.run(["clang-22", "-shared", "-fPIC", "plain.c", "-o", "libplain.so"],
                       cwd=self.folder, check=True)
        self.build('#include <cilk/cilk.h>\nextern "C" void plain(long);\n'
                   "int main() { cilk_spawn plain(1); plain(2); cilk_sync; }", "./libplain.so")
        done = self.run_one()
        self.assertEqual(done.returncode, 0)
        self.assertIn("not checked: ./libplain.so\n", done.stderr)

    def test_other_threads(self):
        self.build(THREADS)
        for count, word in ((0, ""), (1, "there were other threads"), (2, "other threads spawn")):
            done = self.run_one(*["x"] * count)
            self.assertEqual(done.returncode, 0)
            self.assertIn(word, done.stderr)
            self.assertEqual("not checked" in done.stderr, bool(word))

    def test_without_symbols(self):
        subprocess.run(["llvm-strip-22", "a-O2", "-o", "b-O2"], cwd=self.folder, check=True)
        done = subprocess.run([self.folder / "b-O2", str(UPDATES)], text=True, capture_output=True,
                              check=False)
        self.assertEqual(done.returncode, 66)
        self.assertIn("b-O2+0x", done.stderr)
        self.assertIn("places without a line", done.stderr)

    def test_options(self):
        self.assertEqual(self.run_case(UPDATES, CILK_RACE_EXIT="5").returncode, 5)
        self.assertEqual(self.run_case(UPDATES, CILK_RACE_IGNORE=f"a.cpp:{LINE_OF_ADD}").returncode,
                         0)
        self.assertEqual(self.run_case(UPDATES, CILK_RACE_IGNORE="b.cpp:1,a.cpp").returncode, 0)
        self.assertEqual(self.run_case(ATOMICS, CILK_RACE_ATOMICS="1").returncode, 66)

    def test_options_that_say_nothing_are_refused(self):
        for name, words, texts in (
                ("CILK_RACE_EXIT", "a whole number from 0 to 255", ("x", "5x", "-1", "256")),
                ("CILK_RACE_ATOMICS", "0 or 1", ("2",)),
                ("CILK_RACE_OUT", "a path that ends in NAME.json or NAME.sarif",
                 (".json", "races/.sarif", "races.txt")),
                ("CILK_RACE_IGNORE", "FILE or FILE:LINE with the number of a line",
                 ("a.cpp:12x", "a.cpp:", ":12", "a.cpp:0", "b.cpp,a.cpp:012", "a.cpp:12:3",
                  ",a.cpp"))):
            for text in texts:
                with self.subTest(name=name, text=text):
                    done = self.run_case(UPDATES, **{name: text})
                    self.assertEqual(done.returncode, 2)
                    self.assertIn(f'nopal: fatal: {name}: "{text}" is not {words}', done.stderr)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", type=lambda text: Path(text).resolve(), required=True)
    options, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *rest])
