#!/usr/bin/env python3
"""Bounds the instructions that a spawn of fib costs on AArch64, and pins those that order memory.

    python3 tests/aarch64/instructions_test.py --driver build/bin/nopal-clang++ \\
        --emulator qemu-aarch64-static

As ../instructions/spawn_test.py, but counted by qemu, which logs each instruction of fib and of its
body, to which clones pass the worker. The runtime's own are left out: how many there are depends on
how long the emulator takes. Fib's fast path must have exactly two ordered instructions, the
store-release of a push and that of a pop: no barrier, no load-acquire, no exclusive or atomic
access. With -mbranch-protection all functions, those of the passes too, sign return addresses and
mark the targets of branches; so do the runtime's objects, by their notes.
"""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "instructions"))
import counting  # noqa: E402
from spawn_test import calls, fibonacci, spawns  # noqa: E402

TARGET = "--target=aarch64-linux-gnu"
SMALL, LARGE = 8, 20
# name: (arguments of the compiler, most instructions a spawn beyond the elision)
BOUNDS = {"as it is": ([], 6.4), "noinline": (["-DNOINLINE"], 18.5)}
# fib, and its body, to which a clone passes the worker.
NAME = r"_Z3fibl(?:\.with_worker)?"
ORDERED = re.compile(r"^\s+(dmb|dsb|isb|ldar|ldapr|ldaxr|ldxr|stlr|stlxr|stxr|cas|swp|ldadd)\w*\b",
                     re.M)


def executed(emulator, binary, n, folder):
    """Instructions of fib in a whole run."""
    log = folder / "log"
    symbols = subprocess.run(["nm", "-S", str(binary)], stdout=subprocess.PIPE, text=True,
                             check=True).stdout
    ranges = ",".join(f"0x{start}+0x{size}" for start, size in
                      re.findall(rf"^(\w+) (\w+) [Tt] {NAME}$", symbols, re.M))
    done = subprocess.run([emulator, "-singlestep", "-d", "exec,nochain", "-dfilter",
                           ranges, "-D", str(log), str(binary), str(n)],
                          env={"CILK_NWORKERS": "1"}, capture_output=True, text=True)
    if done.returncode != 0 or f"fib({n}) = {fibonacci(n)}" not in done.stdout:
        sys.exit(f"{binary} {n}: status {done.returncode}\n{done.stdout}{done.stderr}")
    with log.open() as lines:
        return sum(line.startswith("Trace") for line in lines)


def function(text, name):
    return re.search(rf"^{name}:.*?^\.Lfunc_end", text, re.M | re.S).group()


def check_order(driver, folder):
    """What is wrong with the instructions of fib's fast path that order memory."""
    text = counting.compile_benchmark([driver, TARGET, "-S"], "fib/cilk.cpp", folder).read_text()
    fast = function(text, "_Z3fibl.with_worker").split("\tret\n")[0]
    found = ORDERED.findall(fast)
    print(f"fib's fast path orders memory by {found}")
    return [] if found == ["stlr", "stlr"] else [f"fib's fast path has {found}, not two stlr"]


def check_branches(driver, folder):
    """What is wrong with the functions of a module that protects branches."""
    command = [driver, TARGET, "-S", "-mbranch-protection=standard"]
    text = counting.compile_benchmark(command, "fib/cilk.cpp", folder).read_text()
    names = re.findall(r"^(\S+):\s+// @", text, re.M)
    bodies = {name: function(text, re.escape(name)) for name in names
              if f"{name},@function" in text}
    # paciasp, or bti c in a leaf function: as a processor without them disassembles them.
    bare = [name for name, body in bodies.items()
            if not re.search(r"hint\s+#25\b" if "\tbl" in body else r"hint\s+#(25|34)\b", body)]
    made = [name for name in bodies if name.endswith(".slow") or name == "nopal.register"]
    print(f"{len(bodies)} functions, of which without protection: {bare}")
    if len(made) < 2:
        return [f"the functions of the passes are not there: {list(bodies)}"]
    return [f"without protected branches: {bare}"] if bare else []


def check_runtime(driver):
    """What is wrong with the notes of the runtime's objects. Those of Debian's Boost have none."""
    archive = pathlib.Path(driver).resolve().parents[1] / "lib/aarch64-linux-gnu/libnopal.a"
    notes = subprocess.run(["readelf", "-n", str(archive)], stdout=subprocess.PIPE, text=True,
                           check=True).stdout
    _, *parts = re.split(r"^File: .*\((.*)\)$", notes, flags=re.M)
    members = dict(zip(parts[::2], parts[1::2]))
    bare = [name for name, text in members.items()
            if "BTI, PAC" not in text and not re.match(r".*_arm64_aapcs|stack_traits", name)]
    print(f"{len(members)} objects of the runtime, of which without protection: {bare}")
    return [f"objects without a note of BTI and PAC: {bare}"] if bare or not members else []


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--driver", required=True)
    parser.add_argument("--emulator", required=True)
    options = parser.parse_args()
    failures = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)

        def count(command):
            binary = counting.compile_benchmark([*command, TARGET, "-static"], "fib/cilk.cpp",
                                                folder)
            small, large = (executed(options.emulator, binary, n, folder) for n in (SMALL, LARGE))
            return large - small

        failures += check_order(options.driver, folder)
        failures += check_branches(options.driver, folder)
        failures += check_runtime(options.driver)
        serial = count(counting.serial_elision())
        between_calls, between_spawns = (of(LARGE) - of(SMALL) for of in (calls, spawns))
        print(f"serial elision: {serial / between_calls:.2f} instructions a call")
        for title, (arguments, most) in BOUNDS.items():
            counted = count([options.driver, *arguments])
            a_spawn = (counted - serial) / between_spawns
            print(f"{title}: {counted / between_calls:.2f} instructions a call, {a_spawn:.2f} more "
                  f"than the elision a spawn (bound {most})")
            if a_spawn > most:
                failures.append(f"{title}: {a_spawn:.2f} instructions a spawn, more than {most}")
    for failure in failures:
        print(f"FAILED: {failure}")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
