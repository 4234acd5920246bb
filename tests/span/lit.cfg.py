"""The programs and the examples, lowered to serial code with hooks, as a suite of lit: a test each.

At -O0 to -O3 each must print what its serial elision prints, and call its hooks in an order that
the grammar of clang-plugin/serial/README.md allows: the tool that is linked checks it (checker/).

Parameters, as in `lit-22 -sv build/tests/span --param levels=O0,O2 --filter cilksort`:
  levels=O0,O2     only these
  tool=span        the library of work and span instead of the checker
  options=TEXT     more options for the compiler, e.g. -flto
  timeout=SECONDS  for a run
"""

import sys
from pathlib import Path

here = Path(__file__).resolve().parent
sys.path[:0] = [str(here), str(here.parent / "programs")]
from matrix import hooked, runs  # noqa: E402  shared with the programs

config.name = "nopal-span"
config.test_source_root = str(here)
root = config.test_exec_root
tool = lit_config.params.get("tool", "checker")
options = {"checker": ["-mllvm", "-nopal-serial", "-L", root, "-l", "nopal_hook_checker",
                       "-Xlinker", f"-rpath={root}"],
           "span": ["-fnopal-span"]}
hooked.set_up(config, lit_config, tool, options[tool], runs.LEVELS)
