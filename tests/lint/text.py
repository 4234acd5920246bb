"""What no file may contain, and what each must.

- At most 600 lines: a file fits one sitting.
- No TODO, FIXME or XXX.
- No absolute path of somebody's machine, no tabs, no blanks at a line's end, a newline at the end.
- A file of code opens with a comment: what it is. One that begins with #! can be executed.
- What is linked or inlined into users' programs names its licence.
- The library reads the environment in runtime/src/config alone. That of tools is read in
  runtime/src/platform/tool_variables.h (runtime/race/options.cpp hands it to a process that it
  starts), and what mpirun sets in runtime/include/cilk/cluster/report.h.
"""
import os
import re

LONGEST = 600
OPEN_END = re.compile(r"\b(TODO|FIXME|XXX)\b")
MACHINE_PATH = re.compile(r"(?<![\w.$}/-])/(?:home|root|work|Users|mnt|tmp/b-|tmp/brief)"
                          r"(?:/|\b(?=-))")
GETENV = re.compile(r"\bgetenv\b|\bsecure_getenv\b|\benviron\b")
OPENS = ("//", "/*", "#", ";", '"""')
LICENCE = "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"
IN_PROGRAMS = ("runtime/", "cactus-stack/")
TEXT_SUFFIXES = (".h", ".c", ".cpp", ".S", ".py", ".md", ".txt", ".cmake", ".in", ".cfg", ".ll",
                 ".json", ".inc")


def is_script(lines):
    return bool(lines) and lines[0].startswith("#!")


def check(tree):
    for path in tree.paths:
        lines = tree.lines(path)
        if not path.endswith(TEXT_SUFFIXES) and not is_script(lines):
            continue
        if len(lines) > LONGEST:
            yield path, LONGEST + 1, f"the file has {len(lines)} lines, more than {LONGEST}"
        if path.endswith((".h", ".c", ".cpp", ".S", ".ll",
                          ".py")) and not (lines and lines[0].startswith(OPENS)):
            yield path, 1, "the file does not open with a comment that says what it is"
        if (path.startswith(IN_PROGRAMS) and path.endswith((".h", ".c", ".cpp", ".S", ".py"))
                and not any(LICENCE in line for line in lines[:60])):
            yield path, 1, f"the file does not name its licence: {LICENCE}"
        if is_script(lines) and not os.access(tree.root / path, os.X_OK):
            yield path, 1, "the file begins with #! and cannot be executed; chmod +x"
        is_this_folder = path.startswith("tests/lint/")
        reads_no_environment = path.startswith(
            ("runtime/", "cactus-stack/")) and not path.startswith(
                ("runtime/src/config/", "runtime/src/platform/tool_variables.h",
                 "runtime/race/options.cpp", "runtime/include/cilk/cluster/report.h"))
        for number, line in enumerate(lines, 1):
            found = OPEN_END.search(line)
            if found and not is_this_folder:
                yield path, number, f"{found.group(1)}: finish it or file it"
            if MACHINE_PATH.search(line) and not is_this_folder:
                yield path, number, "an absolute path of a machine"
            if reads_no_environment and path.endswith((".h", ".c", ".cpp")) and GETENV.search(line):
                yield path, number, "an environment variable is read outside of runtime/src/config"
            if line.endswith((" ", "\t")):
                yield path, number, "blanks at the end of the line"
            if "\t" in line:
                yield path, number, "a tab"
        if lines and not (tree.root / path).read_bytes().endswith(b"\n"):
            yield path, len(lines), "no newline at the end of the file"
