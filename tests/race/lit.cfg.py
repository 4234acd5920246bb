"""The programs and the examples under the race detector, as a suite of lit: a test each.

At -O0 and -O2 each must print what its serial elision prints, end as that does, and have no race.

Parameters, as in `lit-22 -sv build/tests/race --param levels=O2 --filter cilksort`:
  levels=O0,O2     only these
  options=TEXT     more options for the compiler
  timeout=SECONDS  for a run
"""

import shlex
import sys
from pathlib import Path

here = Path(__file__).resolve().parent
sys.path[:0] = [str(here), str(here.parent / "programs")]
from matrix import case, programs, runs, suite, tree  # noqa: E402  shared with the programs

config.name = "nopal-race"
config.test_source_root = str(here)
given = lit_config.params
root = Path(config.test_exec_root)
warnings = ["-Wall", "-Wextra"]
tools = config.llvm_tools_dir
serial = runs.Toolchain(f"{tools}/clang", f"{tools}/clang++",
                        [*warnings, "-Werror", "-DCILK_SERIAL", f"-I{config.nopal_include_dir}"])
checked = runs.Toolchain(
    f"{config.nopal_bin_dir}/nopal-clang", f"{config.nopal_bin_dir}/nopal-clang++",
    [*warnings, "-fno-crash-diagnostics", "-fverify-intermediate-code", "-fsanitize=cilk",
     *shlex.split(given.get("options", ""))])
levels = [f"-{level}" for level in given.get("levels", "O0,O2").split(",")]
plan = [runs.Setting(level, 1, None, "automatic") for level in levels]
matrix = case.Matrix(root / "programs", serial, checked, plan,
                     timeout=float(given.get("timeout", 120)))
tree.make_tree(matrix.tree)
config.test_format = suite.Suite(case.Case(matrix, program) for program in programs.all_programs())
