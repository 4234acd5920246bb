#!/usr/bin/env python3
"""Compiles and runs every example of docs/user-guide*.md and docs/signals.md, and compares with
what the guide shows.

    run.py --bin build/bin --build-dir build/guide [-j 2] [--guide FILE]... [--only LINE]

An HTML comment before each fenced block says what the block is:

  <!-- guide: prelude -->         C++ or C, put before every part of that language,
                                  with those of the other pages
  <!-- guide: part                file-scope code; the rest of the comment is main's body
  STATEMENTS -->
  <!-- guide: program NAME -->    a whole program, saved as NAME too
  <!-- guide: file NAME -->       saved as NAME for the shell
  <!-- guide: shell -->           bash commands, run where the saved files are
  <!-- guide: output -->          what the block before it prints
  <!-- guide: says -->            what the compiler says to the part before it; that is not run

Options after the kind of a part or program: `parallel-only` (its serial elision prints something
else), `flags=-pthread,...`. In output, `...` stands for anything, and for any number of lines where
it is a line of its own.

A part and a program are compiled without a warning by nopal-clang(++) and, as serial elision, by
the stock compiler; run with several workers and with simulated steals; each time they must print
what the guide shows, or what the serial elision prints if it shows nothing. A block without a
comment is an error, so that nothing in the guide goes untested; so is a CILK_ variable that the
runtime does not know. Python's standard library only; status 1 if anything is wrong.
"""
import argparse
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))
from compilers import HUGE_PAGES  # noqa: E402

DIRECTIVE = re.compile(r"^<!-- guide: (\w+)(.*?)(?:-->)?$")
SETTINGS = ({"CILK_NWORKERS": "1"}, {"CILK_NWORKERS": "4"},
            {"CILK_NWORKERS": "1", "CILK_CHAOS": "1:1"},
            {"CILK_NWORKERS": "4", "CILK_CHAOS": "2:0.5"},
            {"CILK_NWORKERS": "2", "CILK_CHAOS": "3:1"})
KINDS = {"prelude", "part", "program", "file", "shell", "output", "says"}
MACROS = re.compile("CILK_SERIAL|CILK_C_[A-Z_]*")  # no variables of the environment
PAGES = ("user-guide.md", "user-guide-practice.md", "user-guide-reducers.md",
         "user-guide-algorithms.md", "user-guide-coming-from.md", "signals.md")
SUMMARY = re.compile(r"^\d+ (warning|error)s?( and \d+ errors?)? generated\.$")


class Wrong(Exception):
    """An example that does not do what the guide says."""


@dataclass
class Block:
    kind: str
    line: int
    language: str
    text: str
    words: list = field(default_factory=list)
    main: str = ""
    guide: str = ""  # name of its file, without the ending
    output: "Block | None" = None
    says: "Block | None" = None

    @property
    def flags(self):
        return [flag for word in self.words if word.startswith("flags=")
                for flag in word[len("flags="):].split(",")]


def parse(guide):
    """The blocks of a page, in order. Raises Wrong for a block that does not say what it is."""
    blocks, directive, hidden = [], None, []
    lines = iter(enumerate(guide.read_text().splitlines(), 1))
    for number, line in lines:
        match = DIRECTIVE.match(line)
        if match:
            directive, hidden = (match[1], match[2].split(), number), []
            if directive[0] not in KINDS:
                raise Wrong(f"{guide.name}:{number}: no kind of block is called '{directive[0]}'")
            if not line.endswith("-->"):
                for _, inner in lines:
                    if inner.rstrip().endswith("-->"):
                        hidden.append(inner.rstrip()[:-len("-->")])
                        break
                    hidden.append(inner)
        elif line.startswith("```"):
            if directive is None:
                raise Wrong(f"{guide.name}:{number}: no comment says what this block is")
            body = []
            for _, inner in lines:
                if inner.startswith("```"):
                    break
                body.append(inner)
            kind, words, _ = directive
            block = Block(kind, number + 1, line[3:].strip(), "\n".join(body) + "\n", words,
                          "\n".join(hidden), guide.stem)
            if kind in ("output", "says"):
                if not blocks:
                    raise Wrong(f"{guide.name}:{number}: nothing stands before this block")
                setattr(blocks[-1], kind, block)
            else:
                blocks.append(block)
            directive = None
        elif line.startswith("    ") and not line.lstrip().startswith(("-", "*")):
            raise Wrong(f"{guide.name}:{number}: an indented block is not tested; use a fence")
        elif directive and line.strip():
            raise Wrong(f"{guide.name}:{number}: a fenced block has to follow the comment of line "
                        f"{directive[2]}")
    return blocks


def matches(shown, printed):
    """Whether `printed` is what the guide shows."""
    pattern = ""
    for line in shown.splitlines():
        if line.strip() == "...":
            pattern += r"(?:.*\n)*"
        else:
            pattern += re.sub(r"(\\\.){3}", ".*", re.escape(line)) + r"\n"
    return re.fullmatch(pattern, printed if printed.endswith("\n") or not printed
                        else printed + "\n") is not None


def run(command, extra=None, folder=None, both=False):
    environment = {name: value for name, value in os.environ.items()
                   if not name.startswith("CILK_")}
    environment.update(extra or {})
    try:
        return subprocess.run(command, env=environment, cwd=folder, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT if both else subprocess.PIPE, text=True,
                              timeout=120, check=False)
    except subprocess.TimeoutExpired:
        raise Wrong(f"{' '.join(map(str, command))} did not end") from None


class Guide:
    def __init__(self, options):
        self.options = options
        self.folder = options.build_dir.resolve()
        self.folder.mkdir(parents=True, exist_ok=True)
        self.text, self.blocks = "", []
        for guide in options.guide or [ROOT / "docs" / page for page in PAGES]:
            self.text += guide.read_text()
            self.blocks += parse(guide)
        self.prelude = {}
        for block in self.blocks:
            if block.kind == "prelude":
                self.prelude[block.language] = self.prelude.get(block.language, "") + block.text
        self.precompiled = {}

    def compiler(self, language, serial):
        name = "clang++-22" if language == "cpp" else "clang-22"
        common = ["-std=c++20" if language == "cpp" else "-std=gnu17", "-O2", "-Wall", "-Wextra"]
        if serial:
            return [name, *common, "-DCILK_SERIAL", "-Wno-unknown-pragmas", "-I",
                    self.options.include]
        return [self.options.bin.resolve() / name.replace("-22",
                                                          "").replace("clang", "nopal-clang"),
                *common]

    def precompile(self):
        """The headers of the prelude take most of a part's time."""
        for language, text in self.prelude.items():
            header = self.folder / f"prelude.{language}.h"
            header.write_text(text)
            for serial in (True, False):
                output = header.with_suffix(".serial.pch" if serial else ".nopal.pch")
                done = run([*self.compiler(language, serial), "-x",
                            "c++-header" if language == "cpp" else "c-header", header, "-o",
                            output], HUGE_PAGES)
                if done.returncode:
                    raise Wrong(f"the prelude does not compile:\n{done.stderr}")
                self.precompiled[language, serial] = ["-include-pch", output]

    def source(self, block, serial=False):
        """What the compiler gets; messages count the lines of the block."""
        suffix = "cpp" if block.language == "cpp" else "c"
        path = self.folder / f"{block.guide}-{block.line}.{suffix}"
        text, options = block.text, block.flags
        if block.kind == "part":
            text = (f"#line 1 \"example.{suffix}\"\n{text}"
                    f"#line 1 \"main\"\nint main(void) {{\n{block.main}\nreturn 0;\n}}\n")
            if options:  # other options, another precompiled header
                text = self.prelude.get(block.language, "") + text
            else:
                options = self.precompiled.get((block.language, serial), [])
        path.write_text(text)
        return [*options, path]

    def check_messages(self, block):
        # The hidden main would be in the way of messages about functions that nobody defines.
        done = run([*self.compiler(block.language, False), "-fsyntax-only",
                    "-fno-caret-diagnostics", *self.source(block)])
        said = "".join(f"{line}\n" for line in done.stderr.splitlines() if not SUMMARY.match(line))
        if not matches(block.says.text, said):
            raise Wrong(f"the compiler says\n{said}and not, as the guide does,\n{block.says.text}")

    def check_program(self, block):
        binaries = {}
        for serial in (True, False):
            if serial and "parallel-only" in block.words:
                continue
            source = self.source(block, serial)
            binaries[serial] = source[-1].with_suffix(".serial" if serial else ".nopal")
            done = run([*self.compiler(block.language, serial), "-Werror", *source, "-o",
                        binaries[serial]], HUGE_PAGES)
            if done.returncode:
                raise Wrong(f"{'the serial elision' if serial else 'it'} does not compile:\n"
                            f"{done.stderr}")
        shown = block.output.text if block.output else None
        for serial, settings in ((True, [{}]), (False, SETTINGS)):
            for setting in settings if serial in binaries else []:
                done = run([binaries[serial]], setting)
                if done.returncode:
                    raise Wrong(f"ends with status {done.returncode} under {setting}:\n"
                                f"{done.stderr}")
                if shown is None:
                    shown = done.stdout
                if not matches(shown, done.stdout):
                    raise Wrong(f"{'the serial elision' if serial else 'it'} prints\n"
                                f"{done.stdout}under {setting}, and not\n{shown}")

    def check_shell(self, block):
        paths = f"{self.options.bin.resolve()}:{os.environ['PATH']}"
        done = run(["bash", "-e", "-o", "pipefail", "-c", block.text], {"PATH": paths},
                   self.folder / "files", both=True)
        if done.returncode:
            raise Wrong(f"ends with status {done.returncode}:\n{done.stdout}")
        if not matches(block.output.text if block.output else "", done.stdout):
            raise Wrong(f"prints\n{done.stdout}and not, as the guide does,\n"
                        f"{block.output.text if block.output else ''}")

    def check(self, block):
        """A line on what is wrong, or None."""
        try:
            if block.says:
                self.check_messages(block)
            elif block.kind in ("part", "program"):
                self.check_program(block)
            elif block.kind == "shell":
                self.check_shell(block)
            return None
        except Wrong as wrong:
            return f"{block.guide}.md:{block.line}: {wrong}"

    def check_variables(self):
        """The CILK_ variables that the guide names are those of the runtime."""
        source = self.folder / "variables.c"
        source.write_text("#include <cilk/cilk_api.h>\nint main(void) { __cilkrts_init(); return "
                          "0; }\n")
        binary = source.with_suffix("")
        built = run([*self.compiler("c", False), source, "-o", binary])
        known = run([binary], {"CILK_HELP": "1"}).stderr if built.returncode == 0 else ""
        for name in sorted(set(re.findall(r"\bCILK_[A-Z_]+\b", self.text))):
            if not MACROS.fullmatch(name) and not re.search(rf"^ *{name}\b", known, re.M):
                yield f"the runtime knows no variable {name}"

    def run(self):
        (self.folder / "files").mkdir(exist_ok=True)
        for block in self.blocks:
            if block.kind in ("program", "file"):
                (self.folder / "files" / block.words[0]).write_text(block.text)
        self.precompile()
        chosen = [block for block in self.blocks if not self.options.only
                  or block.line in self.options.only]
        # The shell's blocks go on with what the ones before them left: one after the other.
        jobs = [[block] for block in chosen
                if block.kind != "shell"] + [[block for block in chosen if block.kind == "shell"]]
        with ThreadPoolExecutor(self.options.j) as pool:
            done = pool.map(lambda job: [self.check(block) for block in job], jobs)
            complaints = [complaint for job in done for complaint in job if complaint]
        complaints += self.check_variables()
        for complaint in complaints:
            print(complaint)
        print(f"{len(chosen)} blocks, {len(complaints)} wrong")
        return 1 if complaints or not chosen else 0


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True, type=Path,
                        help="where nopal-clang and nopal-clang++ are")
    parser.add_argument("--build-dir", required=True, type=Path)
    parser.add_argument("--guide", type=Path, action="append",
                        help="a page; default: those in docs")
    parser.add_argument("--include", type=Path, default=ROOT / "runtime" / "include")
    parser.add_argument("-j", type=int, default=2, help="examples at a time")
    parser.add_argument("--only", type=int, action="append",
                        help="the block that begins at this line")
    try:
        return Guide(parser.parse_args(arguments)).run()
    except Wrong as wrong:
        print(wrong)
        return 1


if __name__ == "__main__":
    sys.exit(main())
