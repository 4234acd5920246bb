"""Work, span and their consequences, as programs built with -fnopal-span report them.

    python3 tests/span/report_test.py --bin build/bin

With the counting clock every figure is exact: programs/closed_forms.cpp counts the ticks, and FORMS
has the formulas. --emulator PROGRAM: of programs for AArch64, which that program runs.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
import unittest
from math import ceil, log2
from pathlib import Path

PROGRAMS = Path(__file__).resolve().parent / "programs"
BURDEN = 100
options = None


def levels(leaves):
    return ceil(log2(leaves)) if leaves > 1 else 0


def merge_work(n):
    return 1 if n == 1 else 2 * merge_work(n // 2) + log2(n)


def merge_span(n):
    return 1 if n == 1 else merge_span(n // 2) + log2(n)


def sort_work(n):
    return 1 if n == 1 else 2 * sort_work(n // 2) + merge_work(n)


def sort_span(n):
    return 1 if n == 1 else sort_span(n // 2) + merge_span(n)


def loop_form(n, grain, each):
    leaves = ceil(n / grain)
    return n * each, levels(leaves) + min(n, grain) * each, levels(leaves) * BURDEN


# Name -> arguments, and for one of them: work, span, and what steals add to the span on its path.
FORMS = {
    "tree": ((1, 5, 10), lambda n: (3 * 2**n - 2, 1 + 2 * n, BURDEN * n)),
    "chain": ((1, 7, 3000), lambda n: (3 * n, 3 * n, BURDEN * (n - 1))),
    # The last child's path: 1 after each of the others, and 5.
    "flat": ((1, 4, 50), lambda n: (6 * n, n + 4, BURDEN * n)),
    # Without a grain, as if for 64 workers: n / 512 iterations a leaf.
    "loop": ((1, 100, 10240), lambda n: loop_form(n, max(1, n // 512), 7)),
    "loop_with_grain": ((5, 10, 11, 160, 161), lambda n: loop_form(n, 10, 7)),
    "uneven_loop": ((64,), lambda n: (1000 + n - 1, 1000 + 6, 6 * BURDEN)),
    "nested_loops": ((16,), lambda n: (n * n, 4 + 4 + 1, 8 * BURDEN)),
    "sort": ((2, 1024), lambda n: (n * log2(n) + n, 2 * n - 1, BURDEN * log2(n))),
    "sort_with_parallel_merge": ((2, 256), lambda n: (sort_work(n), sort_span(n), None)),
    # Each half: the first spawn's continuation burdens the others.
    "multiply": ((1, 2, 16), lambda n: (n**3, n, None)),
    "regions": ((10,), lambda n: (3 * n + n + 1 + n, 3 * n, None)),
    # The serial program does not run the code after a child that throws.
    "exceptions": ((1, 3), lambda n: ((10 + 4 + 1) * n, (10 + 1) * n, None)),
}


def comma_locale(folder):
    """The variables of a locale whose numbers have a comma, which it makes in the folder."""
    source = Path(folder) / "comma"
    source.write_text('LC_CTYPE\ncopy "POSIX"\nEND LC_CTYPE\n'
                      'LC_NUMERIC\ndecimal_point ","\nthousands_sep ""\ngrouping -1\n'
                      'END LC_NUMERIC\n')
    # Its status says that categories are missing, and perhaps the file of the character set.
    subprocess.run(["localedef", "-c", "-i", source, Path(folder) / "with_comma"],
                   capture_output=True, check=False)
    return {"LOCPATH": str(folder), "LC_ALL": "with_comma"}


class Test(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="nopal-span-")
        cls.locale = comma_locale(cls.folder.name)
        cls.program = Path(cls.folder.name) / "closed_forms"
        cls.report = Path(cls.folder.name) / "report.json"
        cls.build("nopal-clang++", "closed_forms.cpp", cls.program, "-std=c++20", "-fnopal-span")

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @staticmethod
    def build(compiler, source, output, *flags):
        target = ("--target=aarch64-linux-gnu",) if options.emulator else ()
        done = subprocess.run([options.bin / compiler, *target, "-O2", "-Wall", "-Wextra",
                               "-Wno-pass-failed", *flags, PROGRAMS / source, "-o", output],
                              text=True, capture_output=True, check=False)
        assert done.returncode == 0 and not done.stderr, done.stderr

    def run_program(self, *arguments, program=None, status=0, **variables):
        self.report.unlink(missing_ok=True)
        environment = {name: value for name, value in os.environ.items()
                       if not name.startswith("CILK")}
        environment |= self.locale
        environment |= {"CILK_SPAN": str(self.report), "CILK_SPAN_CLOCK": "count",
                        "CILK_SPAN_BURDEN": str(BURDEN)} | variables
        emulator = [options.emulator] if options.emulator else []
        done = subprocess.run([*emulator, program or self.program, *map(str, arguments)],
                              env=environment, text=True, capture_output=True, check=False,
                              cwd=self.folder.name)
        self.assertEqual(done.returncode, status, done.stderr)
        return done

    def figures(self, *arguments, **variables):
        self.run_program(*arguments, **variables)
        return json.loads(self.report.read_text())

    def test_closed_forms(self):
        for name, (sizes, form) in FORMS.items():
            for n in sizes:
                with self.subTest(program=name, n=n):
                    work, span, burden = form(n)
                    found = self.figures(name, n)["program"]
                    self.assertEqual((found["work_ns"], found["span_ns"]), (work, span))
                    if burden is not None:
                        self.assertEqual(found["burdened_span_ns"], span + burden)
                    self.assertAlmostEqual(found["parallelism"], work / span)

    def test_numbers_have_points_in_any_locale(self):
        """All tests here run in a locale with a comma."""
        self.assertEqual(self.run_program("decimal_point").stdout, ",\n")

    def test_workers_do_not_matter(self):
        runs = [self.figures("sort", 256, CILK_NWORKERS=workers) for workers in ("1", "8")]
        for part in ("program", "sites"):
            self.assertEqual(runs[0][part], runs[1][part])

    def test_sites(self):
        """Of a recursion the outermost children count for `work`, strands for `own`."""
        report = self.figures("tree", 6)
        site, = [one for one in report["sites"] if one["kind"] == "spawn"]
        self.assertEqual((site["file"].split("/")[-1], site["function"]),
                         ("closed_forms.cpp", "tree(long)"))
        self.assertEqual(site["count"], 2**6 - 1)
        # Children of levels 5 to 0 along the calls that the root makes itself.
        self.assertEqual(site["work_ns"], sum(3 * 2**level - 2 for level in range(6)))
        self.assertEqual(site["own_ns"], site["work_ns"])
        outside, = [one for one in report["sites"] if one["kind"] == "program"]
        self.assertEqual(outside["own_ns"], report["program"]["work_ns"] - site["own_ns"])
        on_span = sum(one["on_span_ns"] for one in report["sites"])
        self.assertEqual(on_span, report["program"]["span_ns"])

    def test_instances_of_one_template(self):
        """Two records of one place are one site, and no other loses its time."""
        n = 7
        report = self.figures("instances", n)
        sites = {(one["function"], one["line"]): one for one in report["sites"]}
        self.assertEqual(sum(one["own_ns"] for one in sites.values()),
                         report["program"]["work_ns"])
        work = sorted((one["count"], one["work_ns"]) for one in sites.values()
                      if one["kind"] == "spawn")
        self.assertEqual(work, [(1, n + 7), (1, 100 * n), (2, 2 * n)])
        self.assertIn("void instance<long>(long)", [function for function, _ in sites])

    def test_what_if(self):
        n = 50
        report = self.figures("two_sites", n)
        work, span = 6 * n + 5, 2 * n + 5
        self.assertEqual((report["program"]["work_ns"], report["program"]["span_ns"]),
                         (work, span))
        answers = {one["function"] + str(one["count"]):
                   (one["parallelism_if_twice_as_fast"], one["parallelism_if_parallel"])
                   for one in report["sites"]}
        # Half of the long child is as long as one of the short ones; without it they are longest.
        self.assertAlmostEqual(answers["two_sites(long)1"][0], (work - n) / (n + 5))
        self.assertAlmostEqual(answers["two_sites(long)1"][1], work / (n + 5))
        # The short ones are not on the span.
        self.assertAlmostEqual(answers["two_sites(long)4"][0], (work - 2 * n) / span)
        self.assertAlmostEqual(answers["two_sites(long)4"][1], work / span)
        # What comes last.
        self.assertAlmostEqual(answers["0"][0], (work - 2.5) / (2 * n + 2.5))
        self.assertAlmostEqual(answers["0"][1], work / (2 * n))

    def test_what_if_of_a_loop(self):
        site, = [one for one in self.figures("loop_with_grain", 80)["sites"]
                 if one["kind"] == "loop"]
        self.assertEqual((site["count"], site["own_ns"], site["on_span_ns"]), (8, 560, 73))
        self.assertIsNone(site["parallelism_if_parallel"])  # no limit

    def test_regions(self):
        regions = {one["name"]: one for one in self.figures("measured", 5)["regions"]}
        tree, flat = regions["tree"], regions["flat"]
        self.assertEqual((tree["count"], tree["work_ns"], tree["span_ns"]),
                         (3, 3 * (3 * 2**5 - 2), 3 * (1 + 2 * 5)))
        self.assertEqual((flat["count"], flat["work_ns"], flat["span_ns"]), (1, 30, 9))

    def test_cilkscale(self):
        header = ("tag,work (seconds),span (seconds),parallelism,burdened_span (seconds),"
                  "burdened_parallelism")
        expected = [header, "tree,9.4e-08,1.1e-08,8.54545,5.11e-07,0.183953",
                    "flat,3e-08,9e-09,3.33333,5.09e-07,0.0589391"]
        lines = self.run_program("cilkscale", 5).stdout.splitlines()
        self.assertEqual(lines[:3], expected)
        self.assertEqual(lines[3], ",1.24e-07,2e-08,6.2,1.02e-06,0.121569")
        table = Path(self.folder.name) / "table.csv"
        done = self.run_program("cilkscale", 5, CILKSCALE_OUT=str(table))
        self.assertEqual((done.stdout, table.read_text().splitlines()), ("", lines))

    def test_c_and_stock_builds(self):
        program = Path(self.folder.name) / "stock"
        self.build("nopal-clang", "stock.c", program)
        self.assertEqual(self.run_program(program=program).stdout, "0 0 1\n")
        for link in ((), ("-static-libnopal",), ("-static",)):
            with self.subTest(link=link):
                self.build("nopal-clang", "stock.c", program, "-fnopal-span", *link)
                said = self.run_program(program=program).stdout.splitlines()
                self.assertEqual(said[0], "10 5 1")
                self.assertEqual(said[2], "part,1e-08,5e-09,2,1.05e-07,0.0952381")
                sites = json.loads(self.report.read_text())["sites"]
                self.assertEqual({one["function"] for one in sites}, {"", "f"})

    def test_threads_and_ends(self):
        report = self.figures("other_thread", 5)
        self.assertEqual(report["program"]["work_ns"], 4)
        self.assertEqual([one["work_ns"] for one in report["threads"]], [3 * 2**5 - 2])
        report = self.figures("ends", 1)
        self.assertEqual(report["program"]["work_ns"], 2 + 1)
        self.assertEqual(sum(site["on_span_ns"] for site in report["sites"]),
                         report["program"]["span_ns"])

    def test_table(self):
        """With the real clock, and what it says of itself."""
        environment = {"CILK_SPAN": "1", "CILK_SPAN_CLOCK": "", "CILK_SPAN_BURDEN": ""}
        said = self.run_program("measured", 8, **environment).stderr
        for expected in (r"nopal: parallelism \d+\.\d\d; with what a steal costs, \d+\.\d\d\n",
                         r"  work  +\d+\.\d+ [mu]?s", r"  span  +\d+\.\d+ [mu]?s",
                         r"  burdened span  .* a steal costs [\d.]+ \w+, (measured|assumed)",
                         r"  closed_forms\.cpp:\d+:3 in tree\(long\) +765 ",
                         r"  \(outside of all spawns\) ", r"  tree  +3 ",
                         r"  clock: (cycle counter|steady clock); a read costs [\d.]+ ns; "):
            self.assertRegex(said, expected)
        self.assertEqual(self.run_program("tree", 1, CILK_SPAN="0").stderr, "")

    def test_path_that_is_no_text(self):
        """What is not UTF-8 in a path is U+FFFD in JSON."""
        folder = os.fsencode(self.folder.name) + b"/b\xffd"
        os.mkdir(folder)
        source, program = folder + b"/source.cpp", Path(self.folder.name) / "no_text"
        Path(os.fsdecode(source)).write_text(
            "#include <cilk/cilk.h>\nvoid f() {}\nint main() { cilk_spawn f(); }\n")
        self.build("nopal-clang++", os.fsdecode(source), program, "-fnopal-span")
        self.run_program(program=program)
        sites = json.loads(self.report.read_text(encoding="utf-8"))["sites"]
        self.assertTrue(any("b\N{REPLACEMENT CHARACTER}d/source.cpp" in site["file"]
                            for site in sites), sites)

    def test_program_that_never_spawns(self):
        program = Path(self.folder.name) / "serial"
        source = program.with_suffix(".c")
        source.write_text("int main(void) { return 0; }\n")
        self.build("nopal-clang", source, program, "-fnopal-span")
        self.assertEqual(self.run_program(program=program, CILK_SPAN="1").stderr,
                         "nopal: this program never spawned: nothing in it may run in parallel\n")

    def test_spawns_that_were_compiled_without_the_option(self):
        program = Path(self.folder.name) / "apart"
        source = program.with_suffix(".c")
        source.write_text("#include <cilk/cilk.h>\nstatic void f(void) {}\n"
                          "int main(void) {\n  cilk_spawn f();\n  f();\n  cilk_sync;\n}\n")
        self.build("nopal-clang", source, program.with_suffix(".o"), "-c")
        self.build("nopal-clang", program.with_suffix(".o"), program, "-fnopal-span")
        place = f"{source}:4:3"
        self.assertIn(f"the spawn at {place} was compiled without -fnopal-span",
                      self.run_program(program=program, CILK_SPAN="1").stderr)
        report = program.with_suffix(".json")
        self.run_program(program=program, CILK_SPAN=str(report))
        self.assertEqual(json.loads(report.read_text())["unseen_spawn"], place)

    def test_constructors_and_destructors_spawn(self):
        program = Path(self.folder.name) / "early"
        source = program.with_suffix(".cpp")
        source.write_text("#include <cilk/cilk.h>\n#include <cilk/measure.h>\n"
                          "static void child() { nopal_span_count(2); }\n"
                          "static void run() { cilk_spawn child(); child(); cilk_sync; }\n"
                          "struct Spawns { Spawns() { run(); } ~Spawns() { run(); } } spawns;\n"
                          "int main() {}\n")
        for link in ((), ("-static",)):
            with self.subTest(link=link):
                self.build("nopal-clang++", source, program, "-fnopal-span", *link)
                self.run_program(program=program)
                found = json.loads(self.report.read_text())["program"]
                self.assertEqual((found["work_ns"], found["span_ns"]), (8, 4))

    def test_full_disk(self):
        full = Path(self.folder.name) / "full.json"
        full.symlink_to("/dev/full")
        said = self.run_program("cilkscale", 5, CILK_SPAN=str(full), CILKSCALE_OUT="/dev/full")
        refused = "nopal: cannot write '{}': No space left on device; name another file in {}\n"
        expected = (refused.format("/dev/full", "CILKSCALE_OUT") +
                    refused.format(full, "CILK_SPAN") + "nopal: parallelism ")
        self.assertEqual(said.stderr[:len(expected)], expected)

    def test_paths_are_from_where_the_program_started(self):
        source, program = Path(self.folder.name) / "moves.cpp", Path(self.folder.name) / "moves"
        source.write_text("#include <cilk/cilk.h>\n#include <unistd.h>\nvoid f() {}\n"
                          "int main() {\n  cilk_spawn f();\n  cilk_sync;\n"
                          "  return chdir(\"inner\");\n}\n")
        (Path(self.folder.name) / "inner").mkdir()
        self.build("nopal-clang++", source, program, "-fnopal-span")
        self.run_program(program=program, CILK_SPAN="moved.json")
        self.assertIn("program", json.loads((Path(self.folder.name) / "moved.json").read_text()))

    def test_refused(self):
        for name, value in (("CILK_SPAN", "yes"), ("CILK_SPAN_CLOCK", "sun"),
                            ("CILK_SPAN_BURDEN", "1us")):
            done = self.run_program("tree", 1, status=2, **{name: value})
            self.assertIn(f'nopal: fatal: {name}: "{value}" is not ', done.stderr)
        done = self.run_program("tree", 1, CILK_SPAN="/nowhere/x.json")
        self.assertIn("nopal: cannot write '/nowhere/x.json': No such file", done.stderr)
        self.assertIn("CILK_SPAN_CLOCK", self.run_program("tree", 1, CILK_HELP="1").stderr)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", type=Path, required=True)
    parser.add_argument("--emulator")
    options, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *rest])
