#!/usr/bin/env python3
"""What happens if a constant of turns (CILK_ADAPT=turns) is four times off, with real programs.

    quiet python3 benchmarks/policies/adapt/constants.py [--rounds 7] [--build build]
                                                         [--only NAME,...]

Builds the shared library once for each change, of a copy of the sources, and runs pairs of programs
with each, interleaved, and with a fixed number of workers. Prints the geometric mean of both times
over that with a fixed number: medians. `turns` and `turns again` are the same library, so what they
differ by is noise. Needs an idle machine; a minute or two for the builds and one for each round.
"""
import argparse
import pathlib
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

import run

# Where it stands, before its value. All are times but kMostRests.
CONSTANTS = {
    "kLookForPrograms": ("idle/constants.h", r"kLookForPrograms\{"),
    "kTurnQuantum": ("idle/constants.h", r"kTurnQuantum\{"),
    "kLongestTurnWait": ("idle/constants.h", r"kLongestTurnWait\{"),
    "kTurnStartNs": ("idle/constants.h", r"kTurnStartNs = "),
    "kMostRests": ("idle/constants.h", r"kMostRests = "),
    "kBlockedNs": ("idle/constants.h", r"kBlockedNs = "),
    "kSilentNs": ("idle/programs.h", r"kSilentNs = "),
    "kShortestNs": ("policy/turns.h", r"kShortestNs = "),
    "kLongestNs": ("policy/turns.h", r"kLongestNs = "),
    "kRememberedNs": ("policy/turns.h", r"kRememberedNs = "),
}
PAIRS = {"80 us: half, all": (run.HALF, run.ALL), "all, half": (run.ALL, run.HALF),
         "2 us: half, all": (run.FINE_HALF, run.FINE_ALL),
         "all, half ": (run.FINE_ALL, run.FINE_HALF),
         "two all": (run.ALL, run.ALL), "two half": (run.HALF, run.HALF)}


def changed(text, before, name, divide):
    """`text` with the constant four times smaller, or larger."""
    found = re.search(before + r"([\d']+)", text)
    if not found:
        sys.exit(f"constants.py: {name} is not where it was; see CONSTANTS")
    value = int(found[1].replace("'", ""))
    value = value // 4 if divide else value * 4
    return text[:found.start(1)] + str(value) + text[found.end(1):]


def libraries(folder, names):
    """Builds them. Name of the change -> folder of its library."""
    source, build = folder / "source", folder / "build"
    shutil.copytree(run.ROOT, source, ignore=shutil.ignore_patterns("build*", ".git"))
    configure = ["cmake", "-S", source, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                 *(f"-DNOPAL_BUILD_{part}=OFF" for part in ("PLUGIN", "TESTS", "TOOLS"))]
    subprocess.run(configure, check=True, stdout=subprocess.DEVNULL)
    changes = {"turns": None}
    for name in names:
        changes[f"{name} / 4"], changes[f"{name} x 4"] = (name, True), (name, False)
    made = {}
    for title, change in changes.items():
        if change:
            path, before = CONSTANTS[change[0]]
            path = source / "runtime/src" / path
            text = path.read_text()
            path.write_text(changed(text, before, *change))
        subprocess.run(["cmake", "--build", build, "--target", "nopal_shared"], check=True,
                       stdout=subprocess.DEVNULL)
        if change:
            path.write_text(text)
        made[title] = folder / f"library{len(made)}"
        shutil.copytree(build / "lib", made[title], symlinks=True,
                        ignore=lambda _, files: [f for f in files if "libnopal.so" not in f])
    return {**made, "turns again": made["turns"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--build", type=pathlib.Path, default=run.ROOT / "build")
    parser.add_argument("--only", help="names of constants, with commas between them")
    given = parser.parse_args()
    names = given.only.split(",") if given.only else list(CONSTANTS)
    if unknown := [name for name in names if name not in CONSTANTS]:
        sys.exit(f"constants.py: {', '.join(unknown)} is none of {', '.join(CONSTANTS)}")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        program = folder / "phases"
        subprocess.run([given.build / "bin/nopal-clang++", "-O2", run.HERE / "phases.cpp", "-o",
                        program], check=True)
        made = libraries(folder, names)
        ways = {"fixed": (program, {"LD_LIBRARY_PATH": str(made["turns"])})}
        for title, library in made.items():
            ways[title] = (program, {"LD_LIBRARY_PATH": str(library), "CILK_ADAPT": "turns"})
        means = {(way, pair): [] for way in ways for pair in PAIRS}
        for _ in range(given.rounds):
            for pair, programs in PAIRS.items():
                for way in random.sample(list(ways), len(ways)):
                    means[way, pair].append(run.together(ways[way], programs)[-2])
    print(f"| | {' | '.join(PAIRS)} |\n|---|{'---|' * len(PAIRS)}")
    for way in ways:
        cells = [statistics.median(means[way, pair]) / statistics.median(means["fixed", pair])
                 for pair in PAIRS]
        print(f"| {way} | {' | '.join(f'{cell:.2f}' for cell in cells)} |")


if __name__ == "__main__":
    main()
