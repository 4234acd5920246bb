"""The repository's programs with one change each that may make a race: the detector must find what
the oracle finds.

    python3 tests/race/mutants.py --bin build/bin --oracle build/tests/race
"""
import argparse
import os
import random
import re
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE / "oracle"), str(HERE.parent / "programs")]
import verdict  # noqa: E402
from matrix import programs, tree  # noqa: E402  shared with the programs

INCLUDE = HERE.parent.parent / "runtime" / "include"
# What is looked for -> what it becomes.
KINDS = {
    "sync deleted": (r"\bcilk_sync;", ";"),
    "scope made a block": (r"\bcilk_scope\b", ""),
    "call spawned": (r"(?m)^(\s+)([A-Za-z_][\w:.]*(?:->\w+)*\([^;{}]*\);)$", r"\1cilk_spawn \2"),
    "result spawned": (r"(?m)^(\s+(?:[\w:<>*&]+ )?[\w.\[\]]+ = )([A-Za-z_][\w:.]*\([^;{}?+]*\);)$",
                       r"\1cilk_spawn \2"),
    "loop made parallel": (r"(?<!cilk_)\bfor \((?=[^;{}]*;[^;{}]*;)", "cilk_for ("),
    "lock deleted": (r"std::(?:lock_guard|scoped_lock|unique_lock)\b[^;]*;", ";"),
    "reducer made plain": (r"\bcilk_reducer\([^()]*\)", ""),
    "reducer of a class made plain": (r"\bcilk::(?:opadd_reducer|holder)<([^<>]*)>", r"\1"),
    "suppression deleted": (r"\bcilk::race::ignore \w+;", ";"),
}
LEVELS = ("-O0", "-O1", "-O2")
TELL_ALL = ("-mllvm", "-nopal-race-locals=false")


def mutants_of(program):
    """(kind, source, line, text) for each mutant."""
    for source in program.sources:
        text = source.read_text()
        blank = programs.without_comments(text)
        for kind, (pattern, replacement) in KINDS.items():
            for match in re.finditer(pattern, blank):
                changed = re.sub(pattern, replacement, text[match.start():match.end()], count=1)
                if kind.endswith("deleted") or kind == "loop made parallel":
                    changed = replacement
                if changed != text[match.start():match.end()]:
                    yield (kind, source, text.count("\n", 0, match.start()) + 1,
                           text[:match.start()] + changed + text[match.end():])


class Suite:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.counts, self.complaints = Counter(), []
        tree.make_tree(folder / "tree")

    def build(self, program, source, text, level, name, *more):
        """The program, with that text as that source. None: it is not a legal one."""
        mutant = self.folder / f"{name}{source.suffix}"
        mutant.write_text(text)
        output = self.folder / f"{name}.out"
        compiler = "nopal-clang" if program.is_c else "nopal-clang++"
        done = subprocess.run(
            [self.options.bin / compiler, "-std=c11" if program.is_c else "-std=c++20", level, "-g",
             "-w", "-fsanitize=cilk", *more, *program.flags(), f"-I{source.parent}", mutant,
             *(other for other in program.sources if other != source), "-o", output, "-lm"],
            capture_output=True, check=False, env={**os.environ, "CCACHE_DISABLE": "1"})
        mutant.unlink()
        return output if done.returncode == 0 else None

    def judge(self, number, program, kind, source, line, text):
        level = LEVELS[number % len(LEVELS)]
        output = self.build(program, source, text, level, f"m{number}")
        where = f"{program.name}:{line} {level}: {kind}"
        if output is None:
            self.counts["not legal"] += 1
            return
        arguments = program.arguments(True, "", self.folder / "tree")
        found = verdict.judge([output, *arguments], self.options.oracle, 20)
        output.unlink()
        if found.undecided:
            self.counts["undecided"] += 1
            if self.options.verbose:
                print(f"undecided: {where}: {found.undecided}", flush=True)
            return
        if not found.wrong and not found.has_race and level != "-O0":
            # What the compiler leaves out, the oracle does not see either.
            whole = self.build(program, source, text, level, f"m{number}w", *TELL_ALL)
            all_told = verdict.judge([whole, *arguments], self.options.oracle, 20)
            whole.unlink()
            if all_told.has_race:
                found.wrong = "a race of an access that the compiler leaves out"
        self.counts["race" if found.has_race else "no race"] += 1
        self.counts[f"{kind}, {'race' if found.has_race else 'no race'}"] += 1
        if kind == "original" and found.has_race:
            self.complaints.append(f"{where}: a race")
        if found.wrong:
            self.complaints.append(f"{where}: {found.wrong}")
            print(f"wrong: {where}: {found.wrong[:300]}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", type=lambda text: Path(text).resolve(), required=True)
    parser.add_argument("--oracle", type=lambda text: Path(text).resolve(), required=True)
    parser.add_argument("--filter", default="", help="programs whose names match")
    parser.add_argument("--most", type=int, help="so many, drawn by --seed")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--part", default="1/1", help="2/9: the second ninth of them")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    options.oracle /= "libnopal_race_oracle.so"
    cases = []
    for program in programs.all_programs():
        if not re.search(options.filter, program.name):
            continue
        first = program.sources[0]
        cases.append((program, "original", first, 1, first.read_text()))
        cases += [(program, *mutant) for mutant in mutants_of(program)]
    if options.most:
        cases = random.Random(options.seed).sample(cases, min(options.most, len(cases)))
    part, parts = (int(number) for number in options.part.split("/"))
    cases = cases[part - 1::parts]
    with tempfile.TemporaryDirectory(prefix="nopal-race-") as folder, \
            ThreadPoolExecutor(options.jobs) as pool:
        suite = Suite(options, Path(folder))
        for job in [pool.submit(suite.judge, number, *case) for number, case in enumerate(cases)]:
            job.result()
    for what, count in sorted(suite.counts.items()):
        print(f"{count:6} {what}")
    print(f"{suite.counts['race'] + suite.counts['no race']} programs judged, "
          f"{len(suite.complaints)} wrong verdicts")
    for wrong in suite.complaints[:20]:
        print(f"  {wrong[:400]}")
    return 1 if suite.complaints or not suite.counts["race"] else 0


if __name__ == "__main__":
    sys.exit(main())
