"""The programs and the examples, lowered to serial code with hooks, as a suite of lit: a test each.

At -O0 to -O3 each must print what its serial elision prints, and call its hooks in an order that
the grammar of clang-plugin/serial/README.md allows: the tool that is linked checks it (checker/).

Parameters, as in `lit-22 -sv build/tests/span --param levels=O0,O2 --filter cilksort`:
  levels=O0,O2     only these
  tool=span        the library of work and span instead of the checker
  options=TEXT     more options for the compiler, e.g. -flto
  timeout=SECONDS  for a run
"""

import shlex
import sys
from pathlib import Path

here = Path(__file__).resolve().parent
sys.path[:0] = [str(here), str(here.parent / "programs")]
from matrix import case, programs, runs, suite, tree  # noqa: E402  shared with the programs

config.name = "nopal-span"
config.test_source_root = str(here)
given = lit_config.params
root = Path(config.test_exec_root)
warnings = ["-Wall", "-Wextra"]
include = config.nopal_include_dir
tools = config.llvm_tools_dir
serial = runs.Toolchain(f"{tools}/clang", f"{tools}/clang++",
                        [*warnings, "-Werror", "-DCILK_SERIAL", f"-I{include}"])
tool = given.get("tool", "checker")
checker = ["-mllvm", "-nopal-serial",
           "-L", str(root), "-l", "nopal_hook_checker", "-Xlinker", f"-rpath={root}"]
hooked = runs.Toolchain(
    f"{config.nopal_bin_dir}/nopal-clang", f"{config.nopal_bin_dir}/nopal-clang++",
    [*warnings, "-fno-crash-diagnostics", "-fverify-intermediate-code",
     *shlex.split(given.get("options", "")),
     *({"checker": checker, "span": ["-fnopal-span"]}[tool])])
levels = [f"-{level}" for level in given.get("levels", "").split(",") if level] or runs.LEVELS
plan = [runs.Setting(level, 1, None, "automatic") for level in levels]
matrix = case.Matrix(root / tool, serial, hooked, plan,
                     timeout=float(given.get("timeout", 120)))
tree.make_tree(matrix.tree)
config.test_format = suite.Suite(case.Case(matrix, program) for program in programs.all_programs())
if len(levels) < len(runs.LEVELS):
    lit_config.note(f"left out: {len(runs.LEVELS) - len(levels)} of {len(runs.LEVELS)} levels")
