"""The programs and the examples as a suite of lit, a test each, in all settings of the matrix.

Parameters, as in `lit -sv build/tests/programs --param sanitize=address,undefined --filter
cilksort`:
  plan=full        the product of all dimensions; without it a part (matrix/runs.py, quick_plan)
  part=1,3/4       the first and the third of each four programs
  levels=O0,O2     these; without it a part of them for each program
  sanitize=LIST    as clang's -fsanitize=
  options=TEXT     more options for the compiler, e.g. -flto
  steal=POLICY     with this CILK_STEAL
  repeat=N         each run N times
  timeout=SECONDS  for a run; five times that if sanitized
  target=TRIPLE    compiled for that target
  resources=DIR    with clang's -resource-dir DIR, where the target's sanitizers are
  emulator=PROGRAM run by this program, whose memory is not the program's: peak is not compared
  serial=1         only the serial elision; so it is without a build (`lit-22 -sv tests/programs`)

A run fails if its status is not 0, its stdout differs from the serial elision's with the same
arguments, it does not end in time, it needs more memory than the serial elision's with the same
arguments allows (../peak), or, at CILK_CHAOS=SEED:1, a spawn site that it executes was never
stolen. matrix/programs.py says how programs give arguments and expectations, matrix/runs.py what
the dimensions are.
"""

import dataclasses
import shlex
import sys
from pathlib import Path

here = Path(__file__).resolve().parent
sys.path.insert(0, str(here))
from matrix import case, programs, runs, suite, tree  # noqa: E402

config.name = "nopal-programs"
config.test_source_root = str(here)
given = lit_config.params
driver = getattr(config, "nopal_bin_dir", None) if not given.get("serial") else None
tools = getattr(config, "llvm_tools_dir", None)
root = Path(config.test_exec_root or "build-programs").resolve()
config.test_exec_root = str(root)

version = getattr(config, "llvm_version", None)
sanitize = given.get("sanitize", "")
sanitizers = []
if sanitize:
    sanitizers = ["-gline-tables-only", f"-fsanitize={sanitize}", "-fno-sanitize-recover=all"]
warnings = ["-Wall", "-Wextra"]
include = here.parent.parent / "runtime" / "include"
clangs = [f"{tools}/clang{cxx}" if tools else f"clang{cxx}-22" for cxx in ("", "++")]
target = [f"--target={given['target']}"] if "target" in given else []
if "resources" in given:
    target += ["-resource-dir", given["resources"], "-static-libsan"]
serial = runs.Toolchain(*clangs, [*target, *warnings, "-Werror", "-DCILK_SERIAL", f"-I{include}",
                                  *sanitizers])
# IR that breaks LLVM's rules may run correctly by chance. The programs are right, so a warning of a
# race or of a variable that ends too early is a false alarm.
checks = ["-fno-crash-diagnostics", "-fverify-intermediate-code", "-Werror=unsequenced",
          "-Werror=dangling"]
parallel = driver and runs.Toolchain(
    f"{driver}/nopal-clang-{version}", f"{driver}/nopal-clang++-{version}",
    [*target, *warnings, *checks, *sanitizers, *shlex.split(given.get("options", ""))])

levels = [f"-{level}" for level in given.get("levels", "").split(",") if level]
full = runs.full_plan(runs.LEVELS)


def plan_of(number):
    """The settings of the program with this number."""
    if given.get("plan") == "full":
        plan = runs.full_plan(levels or (["-O0", "-O2"] if sanitize else runs.LEVELS))
    else:
        plan = runs.quick_plan(levels or runs.quick_levels(number, bool(sanitize)), number)
    return [dataclasses.replace(setting, steal=given.get("steal")) for setting in plan]


build_dir = root / (sanitize.replace(",", "-") or "plain")
if target:
    build_dir = build_dir / given["target"]
emulator = given.get("emulator")
launcher = None if sanitize or emulator else case.peak.Launcher(serial.c, build_dir / "peak")
matrix = case.Matrix(build_dir, serial, parallel, [], sanitize, int(given.get("repeat", 1)),
                     float(given.get("timeout", 60)), launcher=launcher, emulator=emulator)
tree.make_tree(matrix.tree)
found = programs.all_programs()
if "part" in given:
    parts, of = given["part"].split("/")
    chosen = [program for number, program in enumerate(found)
              if str(number % int(of) + 1) in parts.split(",")]
    lit_config.note(f"left out: {len(found) - len(chosen)} of {len(found)} programs")
    found = chosen
config.test_format = suite.Suite(case.Case(matrix, program, plan_of(number))
                                 for number, program in enumerate(found))

if not parallel:
    lit_config.note("left out: all parallel runs")
elif (left_out := len(full) - len(plan_of(0))) > 0:
    lit_config.note(f"left out: {left_out} of {len(full)} settings of each program")
if sanitize:
    lit_config.note("left out: spawn sites and peak memory, which are not compared if sanitized")
if emulator:
    lit_config.note(f"left out: peak memory, which {emulator} changes")
for program in found:
    if "more-memory" in program.directives and not sanitize:
        lit_config.note(f"left out: peak memory of {program.name}: "
                        f"{program.directives['more-memory']}")
