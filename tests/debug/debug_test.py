#!/usr/bin/env python3
"""Stops program.cpp in gdb at each marked line; compares what gdb prints with what is true.

In its serial order, and with every child stolen (CILK_CHAOS=1:1). Then compares the instructions of
some programs that were compiled with and without -g.

    debug_test.py --cxx nopal-clang++ [--objdump llvm-objdump] [--trace]

Without gdb its part is left out, by name. One worker, so that the order is the same in every run.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE / "program.cpp"
LINES = {m.group(1): n for n, text in enumerate(SOURCE.read_text().splitlines(), 1)
         if (m := re.search(r"// at: (.*)$", text))}

# What each variable holds at a place, the first time that it is reached.
WORK = {"count": "4", "name": '"sum"', "ratio": "2", "array": "{10, 20, 30}",
        "pair": "{first = 7, second = 70}"}
FILL = {"n": "4", "in": "{words = {1, 2, 3, 4}}", "row": "{0, 10, 20, 30}"}
AT = {
    "before": WORK | {"scalar": "5", "last": "0", "counter": "{value = 40}"},
    "child": {"n": "10", "doubled": "20"},
    "added": WORK
    | {"scalar": "5", "last": "0", "counter": "{value = 41}", "i": "0", "results[0]": "21"},
    "after": WORK
    | {"scalar": "5", "last": "0", "counter": "{value = 41}", "i": "0", "results[0]": "21"},
    "block": {"inner": "8", "pair": "{first = 7, second = 70}", "last": "0"},
    "after block": WORK
    | {"scalar": "85", "last": "17", "counter": "{value = 44}", "results": "{21, 41, 61}"},
    "synced": WORK
    | {"scalar": "89", "last": "17", "counter": "{value = 45}", "results": "{21, 41, 61}"},
    "filled": FILL | {"out": "{words = {1, 2, 3, 4}}"},
    "loop": {"i": "0", "twice": "0", "out": "{words = {14, 2, 3, 4}}"},
    "looped": FILL | {"out": "{words = {14, 22, 43, 64}}"},
    "bottom": {"n": "7"},
    "lower": {"n": "13"},
}
# Frames that wait for a child, from the inside out: function, and what its variables hold.
OUTER = {
    "bottom": [("chain", {"low": "7", "high": "63", "depth": "1"}),
               ("chain", {"low": "6", "high": "21", "depth": "2"}),
               ("chain", {"low": "5", "high": "7", "depth": "3"})],
    "lower": [("both", {"low": "11", "high": "13"})],
}
# The function at a place: "work", or "work.slow" if every child is stolen.
FUNCTION = {"child": "child", "before": "work", "block": "work", "synced": "work", "added": "work",
            "after": "work", "after block": "work",
            "filled": "fill", "loop": "fill", "looped": "fill",
            "bottom": "bottom", "lower": "lower"}
IN_SLOW_CLONES = ("added", "after", "after block", "filled")
# With optimization the compiler may drop variables. But gdb must never show a wrong value, and must
# show at least this many at these places. (Line "added" then runs after the call of the next line,
# and "looped" has no code.)
LEAST_OPTIMIZED = {"before": 6, "after": 5, "after block": 5, "synced": 5}
ONLY_UNOPTIMIZED = ("added", "looped")
# Programs whose instructions are compared.
SAME = ("debug/program.cpp", "programs/language/blocks.cpp", "programs/language/locals.cpp",
        "programs/language/odd_functions.c",
        "programs/language/loops_iterators.cpp", "programs/exceptions/regions.cpp")

# Run by gdb: stops at each place once, and prints what the test checks.
LOOK = r"""
import gdb
def say(name, command):
    gdb.write(f"\n<{name}>\n")
    try:
        gdb.execute(command)
    except gdb.error as error:
        gdb.write(f"error: {error}\n")
for command in ("set pagination off", "set confirm off", "set width 0", "set print address off",
                "set print frame-arguments none", "set debuginfod enabled off",
                "set startup-with-shell off", "set env CILK_NWORKERS=1", *SETTINGS):
    gdb.execute(command)
for line in PLACES.values():
    gdb.execute(f"tbreak {line}")
gdb.execute("run")
while PLACES and gdb.selected_inferior().pid:
    line = gdb.newest_frame().find_sal().line
    for place in [place for place, known in PLACES.items() if known == line]:
        PLACES.pop(place)
        say(f"{place}:bt", "bt")
        for variable in VARIABLES[place]:
            say(f"{place}:{variable}", f"print {variable}")
        for n, command in enumerate(COMMANDS.get(place, ())):
            say(f"{place}:{n}", command)
    if PLACES:
        gdb.execute("continue")
gdb.execute("kill")
"""


class Failed(Exception):
    pass


def look(binary, places, stolen, commands, trace):
    """What gdb says: a dictionary of "place:variable", "place:bt" and "place:command number"."""
    script = binary.with_suffix(".gdb.py")
    settings = ["set env CILK_CHAOS=1:1"] if stolen else []
    script.write_text(f"SETTINGS = {settings!r}\nPLACES = {({p: LINES[p] for p in places})!r}\n"
                      f"VARIABLES = {({p: list(AT[p]) for p in places})!r}\n"
                      f"COMMANDS = {commands!r}\n{LOOK}")
    env = {k: v for k, v in os.environ.items() if not k.startswith("CILK_")}
    run = subprocess.run(["gdb", "-nx", "-q", "-batch", "-x", str(script), str(binary)],
                         capture_output=True, text=True, env=env,
                         stdin=subprocess.DEVNULL, timeout=240)
    if trace:
        print(run.stdout, run.stderr)
    parts = re.split(r"\n<([^>\n]*:[^>\n]*)>\n", run.stdout)
    return {name: text.strip() for name, text in zip(parts[1::2], parts[2::2])}


# LLVM 19 says of a register of 16 bytes that it has spilled that the double in it has 16, in every
# program, and gdb refuses to read that. With it `ratio` may be gone for that reason, too.
LLVM_19_REFUSED = "error: That operation is not available on integers of more than 8 bytes."


def value(text):
    """The value in what `print x` says; None if there is none."""
    m = re.search(r"^\$\d+ = (.*)$", text, re.M)
    found = m.group(1) if m else text
    return None if "<optimized out>" in found or found.startswith("error: No symbol") else found


def check(ok, what, said):
    if not ok:
        raise Failed(f"{what}; gdb says:\n{said}")


def check_place(said, place, optimized, stolen, refused):
    """The stack and each variable. Returns the variables that are not shown. `refused`: what gdb
    may say of `ratio` instead of a value, or None."""
    check(f"{place}:bt" in said, "the breakpoint is not reached", sorted(said))
    backtrace = said[f"{place}:bt"]
    is_slow = stolen and place in IN_SLOW_CLONES
    clone = r"\(.*\[clone \.slow\] \(" if is_slow else r"(\(.*\[clone [.a-z0-9]*\])? \("
    name = FUNCTION[place] + clone
    check(re.search(rf"#0  .*\b{name}.*program\.cpp:{LINES[place]}", backtrace),
          f"bt does not begin with {name}", backtrace)
    if not is_slow:
        check("[clone .slow]" not in backtrace.splitlines()[0], "bt begins with a slow clone",
              backtrace)
    if not stolen:
        check(re.search(r"^#\d+ .*\bmain \(", backtrace, re.M), "bt does not reach main", backtrace)
    gone = []
    least = LEAST_OPTIMIZED.get(place, 0)
    for variable, wanted in AT[place].items():
        found = value(said[f"{place}:{variable}"])
        if found is None:
            gone.append(variable)
        elif optimized and variable == "ratio" and found.strip() == refused:
            gone.append(variable)
            least -= 1
        else:
            check(found == wanted, f"{variable} is not {wanted}", found)
    if optimized:
        shown = len(AT[place]) - len(gone)
        check(shown >= least, f"only {shown} variables are shown",
              f"not {', '.join(gone)}")
    else:
        check(not gone, f"not shown: {', '.join(gone)}", "")
    return gone


def outer_commands(place, stolen):
    """Say the variables of the frames that wait for a child."""
    # A slow clone calls the helper of the child.
    commands = ["up"] if stolen and place == "lower" else []
    for _, variables in OUTER[place]:
        commands += ["up", *(f"print {variable}" for variable in variables)]
    return commands


def check_outer(said, place, stolen):
    """The variables of the frames that wait for a child."""
    is_slow = stolen and place == "lower"
    check(f"{place}:0" in said, "the breakpoint is not reached", sorted(said))
    number = int(is_slow)
    gone = []
    for function, variables in OUTER[place]:
        where = said[f"{place}:{number}"]
        clone = r"\(.*\[clone \.slow\]" if is_slow else r"(\(.*\))?"
        check(re.search(rf"\b{function}{clone} \(", where), f"up does not come to {function}",
              where)
        for number, (variable, wanted) in enumerate(variables.items(), number + 1):
            found = value(said[f"{place}:{number}"])
            if found is None:
                gone.append(variable)
            else:
                check(found == wanted, f"{variable} is not {wanted}", found)
        number += 1
    # All are used after the child, so all are in the frame.
    check(not gone, f"not shown: {', '.join(gone)}", "")


def check_steps(binary, stolen, trace):
    """next and step advance line by line after a spawn; finish says what a child returns."""
    at = LINES["added"]
    said = look(binary, ["child", "added"], stolen, {"added": ["next", "step", "bt 1", "finish"]},
                trace)
    check(re.search(rf"^{at + 1}\t", said["added:0"], re.M),
          "next does not go on to the line after", said["added:0"])
    check(re.search(r"\buse \(", said["added:2"]), "step does not go into the call",
          said["added:2"])
    check(re.search(r"\bwork(\(.*\[clone \.slow\])? \(", said["added:3"]),
          "finish does not come back", said["added:3"])
    said = look(binary, ["child"], stolen, {"child": ["finish"]}, trace)
    check(re.search(r"Value returned is \$\d+ = 21$", said["child:0"], re.M),
          "finish does not say 21", said["child:0"])
    check(re.search(r"^#1 .*\bwork\b", said["child:bt"], re.M),
          "bt does not show work as the child's caller", said["child:bt"])


def instructions(lines):
    """The code of what objdump says of an object."""
    # Relocations of the debug sections follow the code's.
    text = []
    is_debug = False
    for line in lines:
        if line.startswith(("RELOCATION RECORDS", "Disassembly of")):
            is_debug = ".debug" in line or ".eh_frame" in line
        if not is_debug:
            text.append(line)
    return text


def check_same(compiler, objdump, folder, program, level):
    """-g does not change code."""
    source = HERE.parent / program
    objects = []
    for options in ((), ("-g",)):
        objects.append(folder / f"same{len(options)}.o")
        is_cxx = source.suffix == ".cpp"
        cxx = compiler if is_cxx else compiler.with_name(compiler.name.replace("++", ""))
        standard = ["-std=c++20"] if is_cxx else []
        subprocess.run([cxx, *standard, "-w", level, *options, "-c", source, "-o", objects[-1]],
                       check=True)
    done = subprocess.run([objdump, "-d", "-r", "--no-show-raw-insn", *objects],
                          capture_output=True, text=True, check=True)
    starts = re.split(r"^.*:\tfile format .*\n", done.stdout, flags=re.M)[1:]
    plain, debug = (instructions(text.strip().splitlines()) for text in starts)
    check(plain, f"{program} {level}", "no code")
    for a, b in zip(plain, debug):
        check(a == b, f"{program} {level}: -g changes code", f"{a}\n{b}")
    check(len(plain) == len(debug), f"{program} {level}: -g changes code", "more or less of it")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cxx", required=True, type=pathlib.Path)
    parser.add_argument("--objdump", default="llvm-objdump-22")
    parser.add_argument("--trace", action="store_true", help="print all that gdb says")
    arguments = parser.parse_args()
    version = subprocess.run([arguments.cxx, "--version"], check=True, text=True,
                             stdout=subprocess.PIPE).stdout
    refused = LLVM_19_REFUSED if "clang version 19." in version else None
    failures = 0

    def perform(title, run):
        nonlocal failures
        try:
            gone = run()
            print(f"ok    {title}" + (f" (not shown: {', '.join(gone)})" if gone else ""))
        except Failed as failure:
            failures += 1
            print(f"FAIL  {title}: {failure}")

    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        if not shutil.which("gdb"):
            print("left out: all that needs gdb, which is not installed")
        for level in ("-O0", "-Og", "-O2") if shutil.which("gdb") else ():
            binary = folder / f"program{level}"
            subprocess.run([arguments.cxx, "-g", level, "-Wno-vla-cxx-extension", SOURCE, "-o",
                            binary], check=True)
            subprocess.run([binary], check=True, stdout=subprocess.DEVNULL)
            for stolen in (False, True):
                what = f"{level}{' stolen' if stolen else ''}"
                said = {}
                places = [place for place in AT if level == "-O0" or place not in ONLY_UNOPTIMIZED]
                commands = {place: outer_commands(place, stolen) for place in OUTER}
                perform(what, lambda: said.update(look(binary, places, stolen, commands,
                                                       arguments.trace)))
                for place in places:
                    perform(f"{what} {place}",
                            lambda: check_place(said, place, level != "-O0", stolen, refused))
                for place in OUTER:
                    perform(f"{what} {place}, outer frames",
                            lambda: check_outer(said, place, stolen))
                if level == "-O0":
                    perform(f"{what} steps", lambda: check_steps(binary, stolen, arguments.trace))
        for number, program in enumerate(SAME):
            level = ("-O2", "-O0")[number % 2]
            perform(f"{level} {program} with and without -g",
                    lambda: check_same(arguments.cxx, arguments.objdump, folder, program, level))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
