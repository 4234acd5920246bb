"""Random loops whose accesses are told before them, as ranges and rows (clang-plugin/race), and
blocks that the library checks by chunks.
What races is found here, by going through the iterations; the detector must say the same.

    python3 tests/race/loops_test.py --bin build/bin --seeds 1-20
"""
import argparse
import copy
import itertools
import os
import random
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

CASES = 100  # of a seed, in one program
BYTES = 4096
CHUNK = 512  # NOPAL_RACE_CHUNK
LEVELS = ("-O1", "-O2", "-O3")
# Only the status counts. Without llvm-symbolizer in PATH the report is made at once.
QUICK = {**os.environ, "PATH": ""}
TYPES = {"std::uint8_t": 1, "std::uint16_t": 2, "std::uint32_t": 4, "std::uint64_t": 8}
START = f"""#include <cilk/cilk.h>
#include <cstdint>
#include <cstdlib>
alignas({CHUNK}) unsigned char memory[{BYTES}];
std::uint64_t sums[2][64];
// Values that the optimizer does not know.
static volatile long opaque = 0;
static thread_local volatile std::uint64_t seen;
template <class T> static T &at(long byte) {{ return *reinterpret_cast<T *>(memory + byte); }}
[[gnu::noinline]] static void write_block(long first, long end) {{
  for (long byte = first; byte < end; byte += 8) at<std::uint64_t>(byte) = 1;
}}
[[gnu::noinline]] static void read_block(long first, long end) {{
  std::uint64_t sum = 0;
  for (long byte = first; byte < end; byte += 8) sum += at<std::uint64_t>(byte);
  seen = sum;
}}
"""
END = """
int main(int, char **arguments) { cases[std::atoi(arguments[1])](); }
"""


class Loop:
    """From 0 up, or down to 0, by a step; the trip count may be 0."""

    def __init__(self, dice, name):
        self.name, self.trips = name, dice.choice([0, 1, 2, 3, 5, 8])
        self.step, self.is_down = dice.choice([1, 1, 1, 2, 3]), dice.random() < 0.2

    def values(self):
        values = [self.step * trip for trip in range(self.trips)]
        return values[::-1] if self.is_down else values

    def text(self):
        name, last = self.name, f"{self.step * (self.trips - 1)} + zero"
        if self.is_down:
            return f"for (long {name} = {last}; {name} >= 0; {name} -= {self.step}) "
        return f"for (long {name} = 0; {name} <= {last}; {name} += {self.step}) "


class Access:
    """In up to two loops, perhaps under a condition: a read, a write or an update."""

    def __init__(self, dice, outer):
        self.loops = [Loop(dice, name) for name in "jk"[:dice.randrange(3)]]
        self.kind, self.type = dice.choice("rrwu"), dice.choice(list(TYPES))
        self.condition, self.is_inner = dice.choice([None, None, True, False]), dice.random() < 0.5
        size = TYPES[self.type]
        factors = [0, size, size, -size, 2 * size, 3 * size, 16 * size, 64]
        self.factors = [dice.choice(factors) for _ in range(1 + len(self.loops))]
        self.base = 0
        reached = [self.byte(i, values) for i in outer for values in self.inner()] or [0]
        room = BYTES - size - (max(reached) - min(reached))
        self.fits = room >= 0
        first = dice.choice([0, 64, 512, 1024]) if room > 1024 + 64 else 0
        self.base = first + size * dice.randrange(8) * (room > 1024 + 64) - min(reached)
        self.base += -self.base % size

    def near(self, dice, outer):
        """Another one that moves in the same way, some elements or iterations away."""
        result = copy.copy(self)
        result.kind = dice.choice("rrwu")
        unit = dice.choice([TYPES[self.type], abs(self.factors[0])])
        result.base += dice.choice([-7, -2, -1, 0, 1, 2, 7]) * unit
        reached = [result.byte(i, values) for i in outer for values in result.inner()] or [0]
        result.fits = min(reached) >= 0 and max(reached) + TYPES[self.type] <= BYTES
        return result

    def inner(self):
        return itertools.product(*(loop.values() for loop in self.loops))

    def byte(self, i, values):
        return self.base + sum(f * v for f, v in zip(self.factors, (i, *values)))

    def bytes(self, i):
        """What iteration i touches, and what of it is written."""
        if self.condition is False:
            return set(), set()
        size = TYPES[self.type]
        touched = {self.byte(i, values) + n for values in self.inner() for n in range(size)}
        return touched, touched if self.kind != "r" else set()

    def text(self):
        terms = [f"{f} * {v}" for f, v in zip(self.factors, "ijk")]
        place = f"at<{self.type}>({' + '.join([str(self.base), *terms])})"
        access = {"r": f"sum += {place};", "w": f"{place} = static_cast<{self.type}>(i + 1);",
                  "u": f"{place} += 3;"}[self.kind]
        loops = [loop.text() for loop in self.loops]
        if self.condition is None:
            return "".join(loops) + access
        condition = f"if (zero {'==' if self.condition else '!='} 0) "
        where = len(loops) if self.is_inner else 0
        return "".join([*loops[:where], condition, *loops[where:], access])


class Part:
    """A function with a loop over i, parallel or not."""

    def __init__(self, dice, number, is_parallel):
        self.number, self.is_parallel = number, is_parallel
        self.count, self.type = dice.choice([0, 1, 2, 5, 17, 40]), dice.choice(["long", "int"])
        while True:
            self.accesses = [Access(dice, range(self.count)) for _ in range(dice.randrange(1, 4))]
            if dice.random() < 0.5:
                self.accesses.append(self.accesses[0].near(dice, range(self.count)))
            if all(access.fits for access in self.accesses):
                break

    def iterations(self):
        for i in range(self.count):
            touched, written = set(), set()
            for access in self.accesses:
                one, other = access.bytes(i)
                touched |= one
                written |= other
            yield touched, written

    def whole(self):
        touched, written = set(), set()
        for one, other in self.iterations():
            touched |= one
            written |= other
        return touched, written

    def has_race(self):
        if not self.is_parallel:
            return False
        earlier, earlier_written = set(), set()
        for touched, written in self.iterations():
            if touched & earlier_written or written & earlier:
                return True
            earlier |= touched
            earlier_written |= written
        return False

    def text(self, name):
        loop = "cilk_for" if self.is_parallel else "for"
        body = "\n".join(f"    {access.text()}" for access in self.accesses)
        return (f"[[gnu::noinline]] static void {name}() {{\n  const long zero = opaque;\n"
                f"  const {self.type} count = {self.count} + zero;\n"
                f"  {loop} ({self.type} i = 0; i < count; ++i) {{\n"
                f"    std::uint64_t sum = 0;\n{body}\n"
                f"    sums[{self.number}][i] = sum;\n  }}\n}}\n")


class Case:
    def __init__(self, dice):
        self.parts = [Part(dice, n, dice.random() < 0.7) for n in range(dice.choice([1, 1, 2]))]
        if len(self.parts) == 1:
            self.parts[0].is_parallel = True

    def has_race(self):
        if any(part.has_race() for part in self.parts):
            return True
        if len(self.parts) == 1:
            return False
        (touched, written), (others, others_written) = (part.whole() for part in self.parts)
        return bool(touched & others_written or written & others)

    def text(self, number):
        names = [f"part_{number}_{n}" for n in range(len(self.parts))]
        functions = "".join(part.text(name) for part, name in zip(self.parts, names))
        calls = (f"{names[0]}();" if len(names) == 1 else
                 f"cilk_spawn {names[0]}(); {names[1]}(); cilk_sync;")
        return f"{functions}static void case_{number}() {{ {calls} }}\n"


class Blocks:
    """Children that read or write some chunks of shadow memory each, most of them whole."""

    def __init__(self, dice):
        self.steps = []
        for _ in range(dice.randrange(2, 7)):
            first = CHUNK * dice.randrange(BYTES // CHUNK) + dice.choice([0, 0, 0, 8, 104])
            end = first + CHUNK * dice.randrange(1, 6) + dice.choice([0, 0, 0, 8, -8])
            self.steps.append((dice.choice("rrw"), first, min(end, BYTES), dice.random() < 0.4))

    def has_race(self):
        parallel = []
        for kind, first, end, syncs in self.steps:
            if any("w" in (kind, other) and first < its_end and its_first < end
                   for other, its_first, its_end in parallel):
                return True
            parallel = [] if syncs else [*parallel, (kind, first, end)]
        return False

    def text(self, number):
        spawns = "".join(
            f"  cilk_spawn {'write' if kind == 'w' else 'read'}_block({first}, {end});\n" +
            ("  cilk_sync;\n" if syncs else "") for kind, first, end, syncs in self.steps)
        return f"static void case_{number}() {{\n{spawns}}}\n"


def judge(options, seed):
    """How many cases have a race, how many ranges there are, and what is wrong."""
    dice = random.Random(seed)
    cases = [Blocks(dice) if dice.random() < 0.2 else Case(dice) for _ in range(CASES)]
    names = ", ".join(f"case_{n}" for n in range(CASES))
    text = (START + "".join(case.text(n) for n, case in enumerate(cases)) +
            f"static void (*const cases[])() = {{{names}}};" + END)
    wrong = []
    with tempfile.TemporaryDirectory(prefix="nopal-race-") as folder:
        source, module, program = (Path(folder) / name for name in ("a.cpp", "a.o", "a"))
        source.write_text(text)
        level = LEVELS[seed % len(LEVELS)]
        for arguments in (["-std=c++20", level, "-w", "-c", source, "-o", module],
                          [module, "-o", program]):
            subprocess.run([options.bin / "nopal-clang++", "-fsanitize=cilk", *arguments],
                           check=True)
        told = subprocess.run(["llvm-objdump-22", "-r", module], capture_output=True, text=True,
                              check=True).stdout.count("__nopal_race_rows")
        for number, case in enumerate(cases):
            done = subprocess.run([program, str(number)], capture_output=True, text=True,
                                  check=False, env=QUICK)
            if done.returncode != (66 if case.has_race() else 0):
                wrong.append(f"seed {seed}, {level}, case {number}: race {case.has_race()}, status "
                             f"{done.returncode}\n{case.text(number)}{done.stderr[:1500]}")
    return sum(case.has_race() for case in cases), told, wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", type=lambda text: Path(text).resolve(), required=True)
    parser.add_argument("--seeds", default="1-3")
    options = parser.parse_args()
    first, last = (int(text) for text in options.seeds.split("-"))
    racing = told = total = 0
    complaints = []
    with ThreadPoolExecutor(2) as pool:
        for races, ranges, wrong in pool.map(lambda seed: judge(options, seed),
                                             range(first, last + 1)):
            racing += races
            told += ranges
            total += CASES
            complaints += wrong
    print(f"{racing} of {total} cases have a race; {told} calls tell of ranges; "
          f"{len(complaints)} wrong verdicts")
    for wrong in complaints[:5]:
        print(wrong)
    # Ranges, and each kind of verdict, must have come up, or nothing is shown.
    return 1 if complaints or told < total or not 0 < racing < total else 0


if __name__ == "__main__":
    sys.exit(main())
