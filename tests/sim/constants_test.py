#!/usr/bin/env python3
"""The simulator's rules for idle workers (tools/sim/idle_rules.h) are the runtime's constants: the
runtime's sources define each name with that value. So is delta of --adapt runtime.

    python3 tests/sim/constants_test.py --sim build/bin/nopal-sim
"""
import argparse
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCES, SIM = ROOT / "runtime/src", ROOT / "tools/sim"


def values_of(name, text):
    """What `name` is initialized with: `name = 1'000;`, `name{1'000}` or `name =\\n 1'000;`."""
    return {int(value.replace("'", "")) for value in
            re.findall(rf"\b{name}\s*(?:=\s*|{{)([\d']+)\s*[;}}]", text)}


def delta_of(path):
    """Of feedback, in a designated initializer."""
    found = re.findall(r"\.delta = ([\d.]+)", path.read_text())
    return float(found[0]) if len(found) == 1 else f"in {path} {len(found)} times"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--sim", required=True)
    listed = subprocess.run([parser.parse_args().sim, "list"], capture_output=True, text=True,
                            check=True).stdout
    rules = [line.split() for line in listed.partition("\nrules\n")[2].splitlines()]
    assert len(rules) >= 10, "no rules are listed"
    text = "\n".join(path.read_text() for path in sorted(SOURCES.rglob("*.h")) +
                     sorted(SOURCES.rglob("*.cpp")))
    wrong = [f"{rule[0]} is {rule[1]}, and {rule[-1]} in runtime/src is "
             f"{sorted(values_of(rule[-1], text)) or 'not found'}"
             for rule in rules if int(rule[1]) not in values_of(rule[-1], text)]
    for line in wrong:
        print(f"constants_test.py: {line}; change tools/sim/idle_rules.h with it", file=sys.stderr)
    deltas = [delta_of(path) for path in (SOURCES / "idle/feedback.cpp", SIM / "feedback.cpp")]
    if deltas[0] != deltas[1]:
        wrong.append("delta")
        print(f"constants_test.py: delta is {deltas[1]} in tools/sim/feedback.cpp and {deltas[0]} "
              "in runtime/src/idle/feedback.cpp", file=sys.stderr)
    assert values_of("kA", "kA = 1'000;") == {1000} and values_of("kA", "kA{2}; kAB = 3;") == {2}
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
