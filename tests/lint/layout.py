"""How code and prose are laid out.

- C and C++ are as clang-format-22 leaves them (.clang-format at the root).
- 100 columns. (Markdown: prose.py.)

Inputs of the compiler whose lines and columns are tested are left out. Without clang-format-22 its
part is left out, by name.
"""
import shutil
import subprocess

# Their messages and checks stand at the end of lines, and tests match their positions.
INPUTS = ("tests/diagnostics/", "tests/pass/")
GENERATED = (".svg", ".png")
COLUMNS = 100
FORMATTER = "clang-format-22"


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
    for path in sources:
        source = (tree.root / path).read_bytes()
        try:
            done = subprocess.run([FORMATTER, f"--assume-filename={tree.root / path}"],
                                  input=source, capture_output=True, check=True, timeout=60)
        except subprocess.TimeoutExpired:
            yield path, 1, f"{FORMATTER} does not come to an end"
            continue
        for number, (mine, wanted) in enumerate(zip(source.splitlines(), done.stdout.splitlines()),
                                                1):
            if mine != wanted:
                yield path, number, f"not as {FORMATTER} lays it out"
                break
