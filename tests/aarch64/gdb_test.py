#!/usr/bin/env python3
"""gdb's cilk-bt on a program for AArch64, which the emulator runs for gdb.

    python3 tests/aarch64/gdb_test.py --build build --compiler clang++-22 \\
        --emulator qemu-aarch64-static --gdb gdb-multiarch

The program and the backtraces that it must have are those of ../tools: a function whose stack is a
thread's, a child, and a function on a suspended stack, whose registers are those that Boost.Context
saves. The structures of the runtime must have the layout that the build has found on this machine.
The emulated processor has no pointer authentication: the emulator does not tell gdb of it.

The emulator loses breakpoints and its connection if the program creates a thread as it stops, so
the program runs once before, which creates its threads.

A breakpoint stops the other threads anywhere. Where one of them is between two stacks, cilk-bt says
that it does not find a stack: in about one of five runs here. Such a run is repeated, up to eight
times.
"""
import argparse
import json
import pathlib
import socket
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/tools"))
from tools_test import CHAOS, Tools  # noqa: E402

TARGET = "--target=aarch64-linux-gnu"
MOST_RUNS = 8


def check_layout(options, folder):
    """What is wrong with cilk-gdb-layout.json for the target."""
    subprocess.run([options.compiler, TARGET, "-std=c++20", "-static",
                    f"-I{ROOT}/runtime/include", f"-I{ROOT}/cactus-stack/include",
                    str(ROOT / "runtime/debugger/layout.cpp"), "-o", str(folder / "layout")],
                   check=True)
    there = json.loads(subprocess.run([options.emulator, str(folder / "layout")], check=True,
                                      stdout=subprocess.PIPE).stdout)
    here = json.loads((options.build / "lib/nopal/cilk-gdb-layout.json").read_text())
    return [] if there == here else [f"the layout is {there}, not {here}"]


def check_level(options, folder, level):
    """What is wrong with the backtraces of the program at an optimization level."""
    program = folder / "stacks"
    subprocess.run([options.build / "bin/nopal-clang++", TARGET, "-std=c++20", "-Wno-pass-failed",
                    "-static", "-g", level, ROOT / "tests/tools/stacks.cpp", "-o", program],
                   check=True)
    for _ in range(MOST_RUNS):
        failures, is_between = check_backtraces(options, program, level)
        if not is_between:
            break
    return failures


def check_backtraces(options, program, level):
    """What is wrong with those of one run, and whether a thread was between two stacks."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    commands = ["set confirm off", "set pagination off", "set debuginfod enabled off",
                "set tcp connect-timeout 60", f"source {options.build}/lib/nopal/cilk-gdb.py",
                f"target remote 127.0.0.1:{port}"]
    commands += ["break calls", "continue", "continue", "delete"]
    commands += [f"break {where}" for where in Tools.IN_CHAOS] + ["continue"]
    for where in Tools.IN_CHAOS:
        commands += [f"echo =={where}\\n", "cilk-bt", "echo ==next\\n", "continue"]
    with subprocess.Popen([options.emulator, "-cpu", "cortex-a57", "-g", str(port), program, "2"],
                          env=CHAOS, stdout=subprocess.PIPE, text=True) as emulator:
        done = subprocess.run([options.gdb, "-nx", "-batch", program,
                               *(word for command in commands for word in ("-ex", command))],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              stdin=subprocess.DEVNULL, timeout=300)
        if "exited normally" not in done.stdout:
            emulator.kill()
        printed = emulator.communicate()[0]
    sections = Tools().sections(done.stdout)
    found = {where: Tools.functions(sections.get(where, "")) for where in Tools.IN_CHAOS}
    failures = [f"{level}: {where}: {found[where]}, not {Tools.WANTED[where]}"
                for where in Tools.IN_CHAOS if found[where] != Tools.WANTED[where]]
    if failures or printed != "right\n":
        failures.append(f"{level}: the program printed {printed!r}, gdb\n{done.stdout}")
    return failures, "was not found" in done.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", required=True, type=pathlib.Path)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--emulator", required=True)
    parser.add_argument("--gdb", required=True)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        failures = check_layout(options, folder)
        for level in ("-O0", "-O2"):
            failures += check_level(options, folder, level)
    for failure in failures:
        print(f"FAILED: {failure}")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
