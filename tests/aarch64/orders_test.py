#!/usr/bin/env python3
"""Pins the instructions that order memory in the runtime's lock-free code on AArch64.

    python3 tests/aarch64/orders_test.py --compiler clang++-22

Each function of ordered.cpp, and those that it leaves out of line, has these and no others, in any
order. A compare-exchange and the like are calls of the compiler's own functions, whose names carry
the order: by one instruction of LSE where the processor has it, else by exclusives. That these
orders suffice: ../model (ARMv8).
"""
import argparse
import collections
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
# A call of syscall() is membarrier or a futex.
ORDERED = re.compile(r"^\s+(?:(dmb\s+\w+|dsb\s+\w+|(?:ldar|ldapr|ldaxr|ldxr|stlr|stlxr|stxr|cas|swp"
                     r"|ldadd|ldset|ldclr)\w*)|bl?\s+__aarch64_(\w+)|bl?\s+(syscall))\b", re.M)
EXPECTED = {
    "deque_push_fast": "stlr",
    "deque_pop_fast": "stlr",
    "deque_push_out_of_line": "stlr",
    "deque_drain_oldest": "2 ldar, 2 cas8_acq_rel",
    "deque_expect_thief": "2 stlr",
    "deque_steal_several": "7 ldar, 6 cas8_acq_rel",
    "deque_is_stealable": "ldar",
    "Local::push_slow": "ldar, stlr",
    "Local::grow": "ldar, cas8_acq_rel, 2 stlr",
    "Local::pop_slow": "dmb ish, 2 ldar, cas8_acq_rel",
    "Local::start_over": "stlr, 3 cas8_acq_rel, dmb ish",
    "Local::notice_return": "3 stlr, dmb ish",
    "Local::notice_steal": "2 stlr",
    "Steal::steal": "6 ldar, 4 cas8_acq_rel",
    "Steal::fence": "dmb ish, ldar, syscall",
    "join_child": "ldadd8_acq_rel",
    "join_only_child": "ldar",
    "join_sync": "ldadd8_acq_rel",
    "join_lock": "ldset8_acq",
    "join_unlock": "ldadd8_rel",
    "sleep_attach": "ldadd8_acq_rel",
    "sleep_go_idle": "2 cas8_acq_rel",
    "sleep_is_watched": "ldar",
    "alarm_set": "dmb ish",
    "alarm_pushes_are_slow": "dmb ish",
    "alarm_push": "dmb ish, cas8_acq_rel",
    "grant_give": "swp4_rel, syscall",
    "grant_wait": "2 ldar, cas4_acq, syscall",
    "path_set": "dmb ish, stlr",
    "path_get": "ldar, dmb ishld",
}


def name_of(symbol):
    """As in EXPECTED: a plain name, or class and function of a mangled one."""
    found = re.search(r"(?:5(Local)|5(Steal))\d+([a-z_]+?)(?:I|E)", symbol)
    return f"{found[1] or found[2]}::{found[3]}" if found else symbol


def parse(text):
    counts = collections.Counter()
    for part in text.split(", "):
        count, _, name = part.partition(" ")
        counts[name if count.isdigit() else part] += int(count) if count.isdigit() else 1
    return counts


def shown(counts):
    return ", ".join(f"{n} {name}" for name, n in sorted(counts.items())) or "nothing"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--compiler", required=True)
    options = parser.parse_args()
    command = [options.compiler, "--target=aarch64-linux-gnu", "-std=c++20", "-O2", "-S", "-o", "-",
               f"-I{ROOT}/runtime/include", f"-I{ROOT}/cactus-stack/include",
               f"{ROOT}/tests/aarch64/ordered.cpp"]
    text = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    found = {}
    for symbol, body in re.findall(r"^(\S+):\s+// @\S+\n(.*?)^\.Lfunc_end", text, re.M | re.S):
        counts = collections.Counter(re.sub(r"\s+", " ", one or other or call)
                                     for one, other, call in ORDERED.findall(body))
        if counts or symbol in EXPECTED:
            found[name_of(symbol)] = counts
    wrong = [f"{name}: {shown(found.get(name, {}))}, not {text}"
             for name, text in EXPECTED.items() if found.get(name) != parse(text)]
    wrong += [f"{name}: {shown(found[name])}, and no row" for name in found if name not in EXPECTED]
    for line in wrong:
        print(f"FAILED: {line}")
    print(f"{len(found)} functions that order memory")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
