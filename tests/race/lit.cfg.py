"""The programs and the examples under the race detector, as a suite of lit: a test each.

At -O0 and -O2 each must print what its serial elision prints, end as that does, and have no race.

Parameters, as in `lit-22 -sv build/tests/race --param levels=O2 --filter cilksort`:
  levels=O0,O2     only these
  options=TEXT     more options for the compiler
  timeout=SECONDS  for a run
"""

import sys
from pathlib import Path

here = Path(__file__).resolve().parent
sys.path[:0] = [str(here), str(here.parent / "programs")]
from matrix import hooked  # noqa: E402  shared with the programs

config.name = "nopal-race"
config.test_source_root = str(here)
hooked.set_up(config, lit_config, "programs", ["-fsanitize=cilk"], ["-O0", "-O2"])
