"""How code and prose are laid out.

- C and C++ are as clang-format-22 leaves them (.clang-format at the root).
- 100 columns. (Markdown: prose.py.)

Inputs of the compiler whose lines and columns are tested are left out. Without clang-format-22 its
part is left out, by name.
"""
import re
import shutil
import subprocess

# Their messages and checks stand at the end of lines, and tests match their positions.
INPUTS = ("tests/diagnostics/", "tests/pass/")
GENERATED = (".svg", ".png")
COLUMNS = 100
FORMATTER = "clang-format-22"
FILES_A_CALL = 100


def check(tree):
    sources = []
    for path in tree.paths:
        is_input = path.startswith(INPUTS) and not path.endswith(".py")
        if is_input:
            continue
        if path.endswith((".h", ".c", ".cpp")):
            sources.append(path)
        for number, line in enumerate(tree.lines(path), 1):
            if len(line) > COLUMNS and not path.endswith(GENERATED + (".md",)):
                yield path, number, f"{len(line)} columns, more than {COLUMNS}"
    if not shutil.which(FORMATTER):
        print(f"lint: left out: the layout of code, without {FORMATTER}")
        return
    # One call for many files: loading LLVM takes longer than one file.
    for first in range(0, len(sources), FILES_A_CALL):
        done = subprocess.run([FORMATTER, "--dry-run", *sources[first:first + FILES_A_CALL]],
                              cwd=tree.root, capture_output=True, text=True, timeout=250)
        for path, number in re.findall(r"^(.+?):(\d+):\d+: warning: code should be clang-formatted",
                                       done.stderr, re.MULTILINE):
            yield path, int(number), f"not as {FORMATTER} lays it out"
        if done.returncode:
            yield ".clang-format", 1, f"{FORMATTER}: {done.stderr.strip().splitlines()[-1:]}"
