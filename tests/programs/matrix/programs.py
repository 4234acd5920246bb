"""Finds the programs and reads what they say about themselves.

A program is a .c or .cpp file, or a folder with a main.cpp whose .cpp files belong together. Its
comments hold directives:

  matrix: args ARGS           arguments of a run; {tree} is a generated tree of files (tree.py)
  matrix: chaos-args ARGS     the same under CILK_CHAOS, where spawns cost far more (default: args)
  matrix: sanitize-args ARGS  the same in a sanitized build (default: chaos-args)
  matrix: flags FLAGS         more options of the compiler
  matrix: segments default    tests/soak draws no smaller stack segments for it
  matrix: sanitizers LIST     it is built with these sanitizers only, and unsupported with others
  matrix: more-memory REASON  its peak memory is not compared with the serial elision's; reported
  matrix: needs FEATURE       a flag that /proc/cpuinfo must list; else the program is unsupported

and, in a comment at the end of a line with a spawn, what to expect of its sites at
CILK_CHAOS=SEED:1 (default: all are stolen):

  matrix: some (REASON)       at least one of the sites of this line is stolen
  matrix: never (REASON)      none need be: the spawn is not executed, or not in this process
  matrix: elsewhere (REASON)  the line is part of a macro: its sites are where the macro is used
  matrix: never-begin (REASON) ... matrix: never-end    the same for all lines between
"""

import re
import shlex
from dataclasses import dataclass, field
from pathlib import Path

DIRECTIVE = re.compile(r"matrix: ([a-z-]+)(?: (.*?))?\s*(?:\*/.*)?$")
PROGRAM_DIRECTIVES = {"args", "chaos-args", "sanitize-args", "flags", "segments", "sanitizers",
                      "needs", "more-memory"}
SITE_DIRECTIVES = {"some", "never", "elsewhere", "never-begin", "never-end"}
SOURCES = {".c", ".cpp"}


@dataclass
class Program:
    name: str  # the path without its ending, from the folder in which programs are searched
    sources: list[Path]
    directives: dict[str, str] = field(default_factory=dict)

    @property
    def is_c(self):
        return self.sources[0].suffix == ".c"

    def flags(self):
        return shlex.split(self.directives.get("flags", ""))

    def missing(self, cpu_flags):
        """The needed feature that the processor lacks, or None."""
        needed = self.directives.get("needs")
        return needed if needed and needed not in cpu_flags else None

    def sanitizes(self, sanitize):
        """Whether the program runs with these sanitizers (a list with commas, or nothing)."""
        asked = set((sanitize or "").split(",")) - {""}
        allowed = self.directives.get("sanitizers", "").split(" ")[0]
        return not allowed or asked <= set(allowed.split(","))

    def arguments(self, chaos, sanitize, tree):
        given = self.directives
        text = given.get("args", "")
        if chaos or sanitize:
            text = given.get("chaos-args", text)
        if sanitize:
            text = given.get("sanitize-args", text)
        return [word.format(tree=tree) for word in shlex.split(text)]


@dataclass
class SpawnLine:
    """A line of a source file with at least one cilk_spawn, or with a directive for its sites."""

    file: Path
    line: int
    expectation: str  # "all", "some", "never" or "elsewhere"


def all_programs():
    here = Path(__file__).resolve().parent.parent
    root = here.parent.parent
    benchmarks = [program for program in find_programs(root / "benchmarks")
                  if "args" in program.directives]  # the others have no size for this
    return [*find_programs(here), *find_programs(root / "docs" / "examples"), *benchmarks]


def find_programs(root):
    """All programs below `root`, sorted by name. Raises ValueError for a directive that is not
    known."""
    programs = []
    for path in sorted(root.rglob("*")):
        if path.suffix not in SOURCES or (path.parent /
                                          "main.cpp").exists() and path.name != "main.cpp":
            continue
        if path.name == "main.cpp":
            programs.append(Program(str(path.parent.relative_to(root)),
                                    sorted(path.parent.glob("*.cpp"))))
        else:
            programs.append(Program(str(path.relative_to(root).with_suffix("")), [path]))
    for program in programs:
        for source in program.sources:
            for number, line in enumerate(source.read_text().splitlines(), 1):
                match = DIRECTIVE.search(line)
                if match is None or match[1] in SITE_DIRECTIVES:
                    continue
                if match[1] not in PROGRAM_DIRECTIVES:
                    raise ValueError(f"{source}:{number}: unknown directive '{match[1]}'")
                program.directives[match[1]] = match[2] or ""
    return programs


def without_comments(text):
    """The text with comments and literals blanked, line by line as it was."""
    token = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", re.S)
    return token.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)


def spawn_lines(file):
    """The lines of `file` with a spawn or a directive, and what to expect of their sites."""
    text = file.read_text()
    found, in_never = [], False
    for number, (line,
                 code) in enumerate(zip(text.splitlines(), without_comments(text).splitlines()), 1):
        match = DIRECTIVE.search(line.rstrip("\\ "))
        directive = match[1] if match else None
        if directive in ("never-begin", "never-end"):
            in_never = directive == "never-begin"
        # A line without one may have the sites of a loop or of a macro.
        if re.search(r"\bcilk_spawn\b", code) is None and directive not in ("some", "never"):
            continue
        expectation = directive if directive in SITE_DIRECTIVES else "never" if in_never else "all"
        found.append(SpawnLine(file, number, expectation))
    return found
