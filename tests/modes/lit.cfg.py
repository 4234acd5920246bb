"""A program in C and one in C++ in every mode of the compiler, as a suite of lit: a test each.

Each runs with chaos at one and at two workers, and without chaos at two, and prints what its serial
elision prints. modes/table.py has the modes. Without a parameter each quick one runs in one of its
languages, in turn; `--param part=1/2` takes the first of each two of them, and `--param full=1` all
modes, in all languages.
"""

import shutil
import sys
from pathlib import Path

here = Path(__file__).resolve().parent
sys.path[:0] = [str(here), str(here.parent / "programs")]
from matrix import suite  # noqa: E402  shared with the programs, as is the way to run a command
from modes import job, table  # noqa: E402

config.name = "nopal-modes"
config.test_source_root = str(here)
tools = job.Tools(Path(config.nopal_bin_dir), Path(config.llvm_tools_dir),
                  Path(config.nopal_include_dir), Path(config.test_exec_root) / "work")
shutil.rmtree(tools.work, ignore_errors=True)
tools.work.mkdir(parents=True)
old = [mode.name for mode in table.MODES if mode.since > int(config.llvm_version)]
if old:
    lit_config.note(f"left out, not in Clang {config.llvm_version}: {', '.join(old)}")
modes = [mode for mode in table.MODES if mode.name not in old]
pairs = [(mode, language) for mode in modes for language in mode.languages]
part, of = (int(number) for number in lit_config.params.get("part", "1/1").split("/"))
quick = [mode for mode in modes if mode.quick][part - 1::of]
in_turn = {(mode, mode.languages[number % len(mode.languages)])
           for number, mode in enumerate(quick)}
chosen = [job.Job(tools, mode, language, number) for number, (mode, language) in enumerate(pairs)
          if (mode, language) in in_turn or lit_config.params.get("full")]
config.test_format = suite.Suite(chosen)
if len(chosen) < len(pairs):
    lit_config.note(f"left out: {len(pairs) - len(chosen)} of {len(pairs)} modes; --param full=1 "
                    "has them")
