#!/usr/bin/env python3
"""Puts each pragma of the front-end at each odd position, and compares what the compiler says with
a table (-fsyntax-only).

    positions.py --bin build/bin [-j 2] [--every 1] [--keep DIR]

A position is the end of a file or of an included file (with a newline, without one, with a
directive after it), a macro, an argument of a macro, the end of a block. What follows the pragma is
each kind of token that matters to it. Every file is compiled as C and as C++, and once more from
its preprocessed text. The compiler never crashes, takes what is right, and refuses what is not.
Prints the cases that differ; status 1 if any. The cases are 2,000, so by default only each 17th of
them is compiled.
"""
import argparse
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

FOR = "for (int i = 0; i < n; ++i) f(i);"
NEXT = {"call": "f(n);", "block": "{ f(n); }", "for": FOR, "semicolon": ";", "nothing": "",
        "parentheses": "();"}
# What may follow, by the words of the pragma.
TAKES = {
    "cilk spawn": {"call", "block", "for", "semicolon"},
    "cilk sync": {"semicolon"},
    "cilk scope": {"block"},
    "cilk for": {"for"},
    "cilk grainsize 4": {"for"},  # with a warning: it is no cilk_for
    "cilk grainsize = GRAIN": {"for"},
    "cilk grainsize": set(),
    "cilk_grainsize = GRAIN": {"for"},
    "cilk unknown": {"call", "block", "for", "semicolon", "nothing"},  # Clang's warning
}
PROLOGUE = "void f(int);\n#define GRAIN 4\n#define ID(...) __VA_ARGS__\n"


def function(body):
    return f"{PROLOGUE}void g(int n) {{\n{body}\n}}\n"


def positions(words, rest):
    """(name, text of the file, text of the included file or None) of the pragma."""
    directive, operator = f"#pragma {words}", f'_Pragma("{words}")'
    included = function(f'#include "part.h"\n{rest}')
    yield "line", function(f"{directive}\n{rest}"), None
    yield "end of include", included, f"{directive}\n"
    yield "end of include without newline", included, directive
    yield "end of include in a condition", included, f"#if 1\n{directive}\n#endif\n"
    yield "end of include before a comment", included, f"{directive}\n/* end */"
    yield "operator at end of include", included, operator
    yield "macro at end of include", included, f"#define WORD {operator}\nWORD"
    yield "whole statement in an include", function('#include "part.h"'), f"{directive}\n{rest}"
    yield "macro", f"#define WORD {operator}\n{function('WORD ' + rest)}", None
    yield ("macro of a macro",
           f"#define WORD {operator}\n#define AGAIN WORD\n{function('AGAIN ' + rest)}", None)
    yield "macro with what follows", f"#define ALL(n) {operator} {rest}\n{function('ALL(n)')}", None
    yield "argument", function(f"ID({operator}) {rest}"), None
    yield "argument with what follows", function(f"ID({operator} {rest})"), None
    yield "argument of an argument", function(f"ID(ID({operator}) {rest})"), None
    yield "branch", function(f"if (n)\n{directive}\n{rest}\nelse\nf(3);"), None
    yield "after a label", function(f"label:\n{directive}\n{rest}\nif (n) goto label;"), None
    yield "after a case", function(f"switch (n) {{\ncase 1:\n{directive}\n{rest}\nbreak;\n}}"), None


def files():
    """(name, text, included, whether it is right; None if only the compiler's survival counts)."""
    for words, takes in TAKES.items():
        for follows, rest in NEXT.items():
            for place, text, included in positions(words, rest):
                right = follows in takes
                if place in ("branch", "after a label", "after a case") and follows == "nothing":
                    right = None  # what comes after it is no longer nothing
                yield f"{words}, {follows}, {place}", text, included, right
        for ending in ("\n", "", "\n#if 0\n#endif", "\n//"):
            for place, before in (("outside", PROLOGUE),
                                  ("in a function", PROLOGUE + "void g(int n) {\n")):
                right = False
                if "unknown" in words:
                    right = True if place == "outside" else None
                if words == "cilk spawn" and place == "outside":
                    right = None
                yield (f"{words}, end of file {place} {ending!r}",
                       before + f"#pragma {words}{ending}", None, right)
                yield (f"{words}, operator at end of file {place} {ending!r}",
                       before + f'_Pragma("{words}"){ending}', None, right)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True, type=Path, help="folder of nopal-clang")
    parser.add_argument("--only", default="", help="cases whose name contains this")
    parser.add_argument("--every", type=int, default=17,
                        help="compile each so-many-th case (1: all)")
    parser.add_argument("--keep", type=Path, help="write the files here and leave them")
    parser.add_argument("-j", type=int, default=2, help="compilers at a time")
    options = parser.parse_args()

    def compile_one(job):
        number, (name, text, included, right), suffix = job
        folder = work / f"{number}{suffix}"
        folder.mkdir(parents=True, exist_ok=True)
        source = folder / f"main{suffix}"
        source.write_text(text)
        if included is not None:
            (folder / "part.h").write_text(included)
        compiler = [options.bin / ("nopal-clang" if suffix == ".c" else "nopal-clang++"), "-w",
                    "-fno-crash-diagnostics"]
        saved = folder / ("main.i" if suffix == ".c" else "main.ii")
        outcomes = []
        for command in ([*compiler, "-fsyntax-only", source],
                        [*compiler, "-E", source, "-o", saved],
                        [*compiler, "-fsyntax-only", saved]):
            run = subprocess.run(command, capture_output=True, text=True)
            if run.returncode not in (0, 1) or "Stack dump" in run.stderr:
                return f"{name} ({suffix}): the compiler crashed: {command[-1]}\n{run.stderr[:400]}"
            outcomes.append((run.returncode == 0, run.stderr))
        (direct, said), _, (later, said_later) = outcomes
        if right is not None and direct != right:
            return f"{name} ({suffix}): {'refused' if right else 'accepted'}\n{said[:400]}"
        if direct != later:
            return (f"{name} ({suffix}): not so from the preprocessed file\n"
                    f"{(said or said_later)[:400]}")
        return None

    with tempfile.TemporaryDirectory() as temporary, ThreadPoolExecutor(options.j) as pool:
        work = options.keep or Path(temporary)
        cases = [case for case in files() if options.only in case[0]]
        jobs = [(number, case, suffix) for number, case in enumerate(cases)
                for suffix in (".c", ".cpp")][::options.every]
        failures = [failure for failure in pool.map(compile_one, jobs) if failure]
    for failure in failures:
        print(failure)
    print(f"{len(jobs)} files, {len(failures)} not as they should be")
    return 1 if failures or not jobs else 0


if __name__ == "__main__":
    sys.exit(main())
