"""The programs and the examples, lowered to serial code with hooks, as the suite of lit of a tool
that is linked (../../race, ../../span)."""
import shlex
from pathlib import Path

from . import case, programs, runs, suite, tree


def set_up(config, lit_config, folder, options, levels):
    """A test for each program, compiled with these options. Each run must print what the serial
    elision prints, and end as that does. The suite's parameters are in its lit.cfg.py."""
    given = lit_config.params
    warnings = ["-Wall", "-Wextra"]
    tools = config.llvm_tools_dir
    serial = runs.Toolchain(f"{tools}/clang", f"{tools}/clang++",
                            [*warnings, "-Werror", "-DCILK_SERIAL",
                             f"-I{config.nopal_include_dir}"])
    hooked = runs.Toolchain(
        f"{config.nopal_bin_dir}/nopal-clang", f"{config.nopal_bin_dir}/nopal-clang++",
        [*warnings, "-fno-crash-diagnostics", "-fverify-intermediate-code",
         *shlex.split(given.get("options", "")), *options])
    levels = [f"-{level}" for level in given.get("levels", "").split(",") if level] or levels
    plan = [runs.Setting(level, 1, None, "automatic") for level in levels]
    matrix = case.Matrix(Path(config.test_exec_root) / folder, serial, hooked, plan,
                         timeout=float(given.get("timeout", 120)))
    tree.make_tree(matrix.tree)
    config.test_format = suite.Suite(case.Case(matrix, program)
                                     for program in programs.all_programs())
    if len(levels) < len(runs.LEVELS):
        lit_config.note(f"left out: {len(runs.LEVELS) - len(levels)} of {len(runs.LEVELS)} levels")
