"""One seed: its source, its mutations, how it is built and run, and whether it does what the
original does."""

import functools
import random
import re
import shlex
import subprocess
import sys
import threading
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "generator"))

import mutate  # noqa: E402
import tree  # noqa: E402
# noqa: E402
from case import (FLAGS, INCLUDE, LEVELS, SANITIZE, SANITIZERS, VERIFY, Case, described, difference,
                  execute)
from program import generate  # noqa: E402

# Besides the generator's: options of existing programs' makefiles.
MORE = {"-flto=thin": 0.02, "-fstack-protector-strong": 0.05, "-fcf-protection": 0.05,
        "-fno-vectorize": 0.03, "-fno-jump-tables": 0.05, "-fno-builtin": 0.03,
        "-fdata-sections": 0.03, "-fsanitize=undefined": 0.03, "-gline-tables-only": 0.05,
        "-fvisibility=hidden": 0.03, "-fomit-frame-pointer": 0.05,
        "-ftrivial-auto-var-init=zero": 0.04, "-fno-delete-null-pointer-checks": 0.03,
        "-fno-elide-constructors": 0.04, "-fno-signed-zeros": 0.03}
ONLY_CPP = {"-fno-rtti", "-fno-elide-constructors"}
# A source says in its first lines what it needs: `mutator: c++20, rtti, no sanitizers`.
NEEDS = re.compile(r"mutator: (.*?)(?:\*/)?$", re.MULTILINE)
ROWS = HERE.parent.parent / "clang-plugin" / "contract" / "Diagnostics.def"
ERROR = re.compile(r"^[^\n:]+:(\d+):\d+: (?:fatal )?error: (.*)$", re.MULTILINE)


def rows():
    """The front-end's errors: a pattern of the text for each row."""
    text = re.sub(r'"\s*\n\s*"', "", ROWS.read_text())
    result = {}
    for name, message in re.findall(r'NOPAL_DIAG\((\w+), Error,\s*"([^"]*)"', text):
        result[name] = re.compile(re.sub(r"%\d", ".*", re.escape(message).replace(r"\%", "%")) +
                                  "$")
    return result


@functools.cache
def version_of(folder):
    """The major version of the Clang that the driver runs."""
    done = subprocess.run([folder / "nopal-clang", "-dumpversion"], capture_output=True, text=True,
                          check=True)
    return done.stdout.split(".")[0]


class Original:
    """A program before it is mutated."""

    def __init__(self, path, in_c, text=None):
        self.path, self.in_c = path, in_c
        self.text = path.read_bytes() if text is None else text
        needs = NEEDS.search(self.text[:1000].decode(errors="replace"))
        self.needs = {need.strip() for need in needs[1].split(",")} if needs else set()
        self.folder = path.parent


class Originals:
    """All of them, and what is known of each: what it prints, and where it may be mutated."""

    def __init__(self, options):
        self.options, self.lock, self.locks, self.known = options, threading.Lock(), {}, {}
        self.paths = [sources_of(folder) for folder in options.sources or [HERE / "sources"]]

    def choose(self, rng):
        """From the folders in turn, and from the generator if none was named."""
        if not self.options.sources and rng.random() < 0.1:
            seed = rng.randrange(400)
            in_c = seed % 5 == 4
            path = self.options.build_dir / f"generated-{seed}.{'c' if in_c else 'cpp'}"
            with self.lock:
                # without exceptions, since its handlers call functions that rethrow
                if not path.exists():
                    text = tree.render(generate(seed, in_c, False))
                    # Between such a pragma and its loop nothing may stand.
                    path.write_text(re.sub(r"(?m)^ *#pragma cilk.*$", "", text))
        else:
            path = rng.choice(rng.choice(self.paths))
        return Original(path, path.suffix == ".c")

    def once(self, key, make):
        """The result of `make`, which is called once for a key."""
        with self.lock:
            lock = self.locks.setdefault(key, threading.Lock())
        with lock:
            if key not in self.known:
                self.known[key] = make()
            return self.known[key]


def sources_of(folder):
    return sorted(path for path in Path(folder).rglob("*") if path.suffix in (".c", ".cpp", ".cc"))


class Mutant(Case):
    """A seed chooses an original, options and mutations. Settings of a run are the generator's."""

    def __init__(self, seed, options, originals):
        self.seed, self.options, self.originals = seed, options, originals
        self.rng = random.Random(f"mutant {seed}")
        self.original = originals.choose(self.rng)
        self.in_c = self.original.in_c
        self.failure = self.again = None
        self.refused, self.invalid, self.mutations, self.manner, self.slow = {}, {}, [], "", False
        self.choose_flags()
        suffix = "c" if self.in_c else "cpp"
        self.source = options.build_dir / f"{seed}.{suffix}"
        self.binary = options.build_dir / f"{seed}"
        self.serial = options.build_dir / f"{seed}.serial"

    def choose_flags(self):
        rng, needs = self.rng, self.original.needs
        least = max([int(need[3:]) for need in needs if re.fullmatch(r"c\+\+\d+", need)] + [17])
        standard = rng.choice([number for number in (17, 20, 20, 23) if number >= least])
        if self.in_c:
            standard = rng.choice([11, 17, 23])
            if "c11" in needs:
                standard = 11
        self.language = [f"-std=gnu{'' if self.in_c else '++'}{standard}"]
        extra = [flag for flag, often in {**FLAGS, **MORE}.items() if rng.random() < often]
        sanitized = [flag for flag in extra if "sanitize" in flag]
        extra = [flag for flag in extra if not (self.in_c and flag in ONLY_CPP)
                 and not (flag == "-fno-rtti" and (sanitized or "rtti" in needs))
                 and not ("no sanitizers" in needs and flag in sanitized)
                 and f"no {flag}" not in needs]
        self.exceptions = not self.in_c
        if "no exceptions" in needs and rng.random() < 0.4:
            self.language.append("-fno-exceptions")
            self.exceptions = False
        self.language += [need for need in needs if need.startswith("-")]
        if not self.in_c and rng.random() < 0.05 and self.exceptions and not sanitized:
            self.language.append("-fno-asynchronous-unwind-tables")
        self.level = self.options.level or rng.choice(LEVELS + ["-O2", "-O1"])
        self.flags = [self.level, VERIFY, *extra, *shlex.split(self.options.flags), *self.language]

    def settings(self):
        """The generator's, but fewer: that each steal is forced on one worker is slow, and few need
        it."""
        return [(1, self.rng.choice(["1", "0.3", "0.1"]), None), *super().settings()[1:3]]

    # ---- building ----

    def stock(self):
        version = version_of(self.options.bin)  # which loads the plugin of Sites.cpp, too
        return [f"clang-{version}" if self.in_c else f"clang++-{version}", "-Wno-everything",
                "-DCILK_SERIAL",
                f"-I{INCLUDE}", f"-iquote{self.original.folder}"]

    def own(self):
        return [str(self.options.bin / ("nopal-clang" if self.in_c else "nopal-clang++")),
                "-Wno-everything", "-ferror-limit=0", "-DCILK_SERIAL",
                "-include", str(HERE / "mutant.h"), f"-iquote{self.original.folder}", *self.flags]

    def build(self, command, source, result):
        return execute([*command, "-o", str(result), str(source), "-lm", "-lpthread"], {},
                       self.options.build_timeout)

    def expected(self):
        """(status, stdout) of the original, without optimization; None if it is of no use: not
        compiled, not the same twice."""
        def make():
            result = self.options.build_dir / f"{self.seed}.original"
            if self.build([*self.stock(), "-O0", *self.language], self.original.path,
                          result)[0] != 0:
                return None
            runs = [execute([str(result)], SANITIZERS, self.options.timeout) for _ in range(2)]
            result.unlink()
            usable = runs[0][:2] == runs[1][:2] and runs[0][0] == 0
            return runs[0][:2] if usable else None
        return self.originals.once(("expected", self.original.path, *self.language), make)

    def functions(self):
        def make():
            command = [*self.stock(), "-include", str(HERE / "mutant.h")]
            return mutate.find(command, self.options.sites, self.original.path, self.language)
        return self.originals.once(("functions", self.original.path, *self.language), make)

    # ---- one mutant ----

    def run(self):
        """True if all is right, None if there is nothing to mutate; otherwise `failure` and `again`
        say what is not."""
        return self.check(self.chosen, self.settings(), 1) if self.choose() else None

    def choose(self):
        """Chooses the mutations; False if there is nothing to mutate."""
        expected, functions = self.expected(), self.functions()
        if expected is None or not functions:
            return False
        chooser = mutate.Chooser(self.rng, functions, not self.in_c, self.exceptions,
                                 self.options.without)
        self.manner, self.chosen = chooser.choose()
        return True

    def parts(self):
        """The numbers of what a reduction may leave out."""
        return [number for number, mutation in enumerate(self.chosen) if mutation in self.mutations]

    def with_parts(self, parts):
        return mutate.render(self.original.text, [self.chosen[number] for number in sorted(parts)])

    def check_parts(self, parts, settings, times):
        return self.choose() and self.check([self.chosen[number] for number in sorted(parts)],
                                            settings, times)

    def check(self, mutations, settings, times):
        """The same for these mutations, `times` times with each setting. Removes and counts those
        that the front-end refuses."""
        self.failure = self.again = None
        command = self.own()
        while True:
            self.source.write_bytes(mutate.render(self.original.text, mutations))
            outcome = self.build(command, self.source, self.binary)
            if outcome[0] == 0:
                break
            left = self.without_refused(mutations, outcome)
            if left is None:
                if not self.builds_without_keywords():
                    return self.is_invalid("not built with these options without its keywords, "
                                           "either")
                return self.fails(f"the compiler {described(outcome)}", None,
                                  shlex.join([*command, str(self.source)]))
            mutations = left
        self.mutations = mutations
        expected = self.expected()
        for setting in [setting for setting in settings for _ in range(times)]:
            environment = self.environment(setting)
            outcome = execute([str(self.binary)], environment, self.options.timeout)
            if outcome[0] is None:
                outcome = self.patient(environment)
            if outcome[:2] == expected:
                continue
            expected = self.judge(expected, outcome)
            if expected is None:
                return None
            if outcome[:2] == expected:
                continue
            text = " ".join(f"{name}={value}" for name, value in environment.items())
            what = (described(outcome) if outcome[0] != expected[0]
                    else difference(expected[1], outcome[1]))
            return self.fails(f"{text}: {what}", setting,
                              f"{shlex.join([*command, '-o', str(self.binary), str(self.source)])} "
                              f"-lm && {text} {self.binary}")
        return True

    def patient(self, environment):
        """Repeats a run that did not end in time with more time, then with few steals. It hangs if
        that does not end either."""
        for changed in ({}, {"CILK_CHAOS": f"{self.seed}:0.01"}):
            outcome = execute([str(self.binary)], {**environment, **changed},
                              4 * self.options.timeout)
            if outcome[0] is not None:
                self.slow = True
                return outcome
        return outcome

    def stock_flags(self):
        """The mutant's flags without the plugin's own options, which the stock compiler does not
        know."""
        return [flag for flag in self.flags if "-nopal-" not in flag]

    def builds_without_keywords(self):
        build = [*self.stock(), *self.stock_flags()]
        serial = [*build, "-DMUTANT_SERIAL", "-include", str(HERE / "mutant.h")]
        pairs = ((build, self.original.path), (serial, self.source))
        return all(self.build(command, source, self.serial)[0] == 0 for command, source in pairs)

    def judge(self, expected, outcome):
        """What the original does with all of the mutant's options; None if the mutant without its
        keywords does something else."""
        build = [*self.stock(), *self.stock_flags()]
        if self.build(build, self.original.path, self.serial)[0] != 0:
            return expected
        same_options = execute([str(self.serial)], SANITIZERS, self.options.timeout)
        if same_options[:2] == outcome[:2]:
            return same_options[:2]
        if same_options[0] != 0 or self.build([*build, "-DMUTANT_SERIAL", "-include",
                                               str(HERE / "mutant.h")], self.source,
                                              self.serial)[0] != 0:
            return self.is_invalid("the original fails with these options")
        elision = execute([str(self.serial)], SANITIZERS, self.options.timeout)
        if elision[:2] == same_options[:2]:
            return same_options[:2]
        return self.is_invalid("the mutant without its keywords differs")

    def is_invalid(self, why):
        self.invalid[why] = self.invalid.get(why, 0) + 1

    def without_refused(self, mutations, outcome):
        """The mutations on lines without errors; None if an error is neither a row of the
        front-end's nor one without keywords too."""
        errors = ERROR.findall(outcome[2])
        if outcome[0] is None or not errors:
            return None
        lines, others = set(), []
        for line, message in errors:
            row = next((name for name, pattern in self.options.rows.items()
                        if pattern.match(message)), None)
            if row:
                self.refused[row] = self.refused.get(row, 0) + 1
                lines.add(int(line))
            else:
                others.append((int(line), message))
        if others and not lines:
            elision = execute([*self.stock(), *self.stock_flags(), "-fsyntax-only",
                               "-ferror-limit=0", "-DMUTANT_SERIAL", "-include",
                               str(HERE / "mutant.h"),
                               str(self.source)],
                              {}, self.options.build_timeout)
            same = ERROR.findall(elision[2])
            if not same:
                return None
            for line, message in same:
                self.invalid[message[:60]] = self.invalid.get(message[:60], 0) + 1
                lines.add(int(line))
        left = [mutation for mutation in mutations if not lines & self.lines(mutation)]
        if len(left) < len(mutations):
            return left
        return [] if mutations and others else None

    def lines(self, mutation):
        if not hasattr(self, "starts"):
            self.starts = [0] + [at + 1 for at, byte in enumerate(self.original.text) if byte == 10]
        import bisect
        return {bisect.bisect_right(self.starts, offset) for offset, _, _ in mutation.insertions}
