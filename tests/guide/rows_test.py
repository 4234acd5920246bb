#!/usr/bin/env python3
"""Every row of the tables of docs/user-guide-coming-from.md is in a program of rows/, with what the
user wrote where a compiler here takes it and what the guide says to write; each program checks that
both give the same.

    rows_test.py --bin build/bin --include DIR

A comment `// row: FIRST CELL` names the row. `// flags:` are the compiler's options, `// or flags:`
another set, `// compiler:` another compiler. Python's standard library only.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
PAGE = HERE.parents[1] / "docs" / "user-guide-coming-from.md"
SETTINGS = ({"CILK_NWORKERS": "1", "OMP_NUM_THREADS": "1"},
            {"CILK_NWORKERS": "4", "OMP_NUM_THREADS": "4"},
            {"CILK_NWORKERS": "1", "CILK_CHAOS": "1:1"},
            {"CILK_NWORKERS": "4", "CILK_CHAOS": "2:0.5"})
HAVE = {"onetbb.cpp": "tbb/tbb.h", "openmp.cpp": "omp.h"}  # what may not be installed
# Rows that no program can show: the reason, or the test that does.
WITHOUT_PROGRAM = {
    "`clang++ -fopencilk -O2 x.cpp`": "how the programs are compiled",
    "`icc -fcilkplus`, `g++ -fcilkplus -lcilkrts`": "how the programs are compiled",
    "`-fsanitize=cilk` (Cilksan)": "tests/race",
    "`-fcilktool=cilkscale-benchmark` and its plots": "nothing of the kind",
    "Cilkscreen, Cilkview": "tests/race, tests/span",
    "`<cilktools/cilkview.h>`, `__cilkview_query(d)`": "rows/opencilk_span.cpp",
    "`<cilk/cilk_undocumented.h>`, `__cilkrts_dump_stats()`": "tests/unit/stats_test.cpp",
    "`-std=c++11`": "the first error of <cilk/monoid.h>",
    "`__cilkrts_metacall`, `__cilkrts_get_force_reduce`": "nothing of the kind",
    "`tbb::task_arena`, priorities, `tbb::flow::graph`, `tbb::parallel_pipeline`, cancellation":
        "nothing of the kind",
    "`schedule(static)` to keep data near a processor": "nothing of the kind",
    "`depend(in : x)`, `barrier`, `ordered`, `target`, `cancel`": "nothing of the kind",
}
options = None


def rows():
    """The first cell of each row of each table, headings left out."""
    for line in PAGE.read_text().splitlines():
        if match := re.match(r"\| (.*?) \| ", line):
            if match[1] != "you wrote":
                yield match[1]


class Rows(unittest.TestCase):
    def test_each_row_is_in_a_program(self):
        programs = [path.read_text() for path in sorted(HERE.glob("rows/*.c*"))]
        shown = re.findall(r"// row: (.*)", "\n".join(programs))
        self.assertEqual(sorted(rows()), sorted([*shown, *WITHOUT_PROGRAM]))

    def test_programs(self):
        with tempfile.TemporaryDirectory(prefix="nopal-rows-") as folder:
            for path in sorted(HERE.glob("rows/*.c*")):
                for flags in re.findall(r"// (?:or )?flags: (.*)", path.read_text()):
                    with self.subTest(path=path.name, flags=flags):
                        self.check(path, flags.split(), Path(folder) / path.name)

    def compile(self, path, flags, program):
        compiler = re.search(r"// compiler: (.*)", path.read_text())
        nopal = options.bin / ("nopal-clang++" if path.suffix == ".cpp" else "nopal-clang")
        command = [compiler[1], "-I", options.include] if compiler else [nopal]
        return subprocess.run([*command, "-std=c++20" if path.suffix == ".cpp" else "-std=gnu17",
                               "-O2", "-Wall", "-Wextra", "-Werror", path, *flags, "-o", program],
                              capture_output=True, text=True, check=False)

    def check(self, path, flags, program):
        built = self.compile(path, flags, program)
        if built.returncode and f"'{HAVE.get(path.name)}' file not found" in built.stderr:
            self.skipTest(f"{HAVE[path.name]} is not installed")
        self.assertEqual(built.returncode, 0, built.stderr)
        for setting in SETTINGS:
            environment = {name: value for name, value in os.environ.items()
                           if not name.startswith(("CILK_", "OMP_"))}
            done = subprocess.run([program], env={**environment, **setting}, timeout=60,
                                  capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, f"{setting}: {done.stderr}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", type=Path, required=True)
    parser.add_argument("--include", type=Path, required=True)
    options, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *rest])
