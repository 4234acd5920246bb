"""How code and prose are laid out, in the folders that have been moved to it.

- C and C++ are as clang-format-22 leaves them (.clang-format at the root).
- 100 columns, code and prose. In Markdown: not tables, links of their own, and code.

FOLDERS grows until it is the whole tree. Without clang-format-22 its part is left out, by name.
"""
import shutil
import subprocess

FOLDERS = ("benchmarks/", "cactus-stack/", "clang-plugin/Plugin.cpp", "clang-plugin/analysis/",
           "clang-plugin/contract/", "clang-plugin/frontend/", "clang-plugin/outline/",
           "clang-plugin/serial/", "clang-plugin/split/", "docs/examples/", "runtime/",
           "tests/debug/", "tests/faults/", "tests/guide/", "tests/instructions/",
           "tests/libraries/", "tests/model/", "tests/peak/", "tests/sim/", "tests/soak/", "tests/stress/",
           "tests/tools/", "tests/unit/", "tools/")
COLUMNS = 100
FORMATTER = "clang-format-22"


def check(tree, folders=FOLDERS):
    sources = []
    for path in tree.paths:
        if not path.startswith(folders):
            continue
        if path.endswith((".h", ".c", ".cpp")):
            sources.append(path)
        for number, line in enumerate(tree.lines(path), 1):
            is_exempt = path.endswith(".md") and line.startswith(("|", "    ", "["))
            if len(line) > COLUMNS and not is_exempt:
                yield path, number, f"{len(line)} columns, more than {COLUMNS}"
    if not shutil.which(FORMATTER):
        print(f"lint: left out: the layout of code, without {FORMATTER}")
        return
    for path in sources:
        source = (tree.root / path).read_bytes()
        done = subprocess.run([FORMATTER, f"--assume-filename={tree.root / path}"], input=source,
                              capture_output=True, check=True)
        for number, (mine, wanted) in enumerate(zip(source.splitlines(), done.stdout.splitlines()),
                                                1):
            if mine != wanted:
                yield path, number, f"not as {FORMATTER} lays it out"
                break
