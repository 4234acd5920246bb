#!/usr/bin/env python3
"""Adds the policy of docs/adding-a-policy.md by exactly the steps of that page, to a copy of the
runtime's sources, and runs it.

    python3 tests/stress/toy_policy.py --cxx clang++-22 --library build/lib/libnopal.a

The indented text after a line "File PATH:" is that file; after "File `PATH`, the line" it goes
after the last line of its kind in PATH, and the row after that to the end of the table. Then the
test of every policy's invariants runs with it, and the stress tests' clones with CILK_STEAL=last:
results, steals, that it sees the machine, and that an unknown word is refused with a list that has
the new one. The page must also name all that the concept Policy asks for.
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
MAIN = """
#include "clones.h"
#include <cstdio>
int main() {
  const long found = stress::fib(27);
  std::printf("%ld\\n", found);
  return found == stress::serial_fib(27) ? 0 : 1;
}
"""


def steps(page):
    """What the page says: (path, what, text) for each indented block that belongs to a file."""
    path, what, block, found = None, None, [], []
    for line in [*page.splitlines(), "."]:
        heading = re.match(r"File `?([^`]+?)`?(:|, the line)$", line)
        if line.startswith("    ") or (block and not line):
            block.append(line[4:])
            continue
        if block and path:
            found.append((path, what, "\n".join(block).strip() + "\n"))
            what = "row"
        block = []
        if heading:
            path, what = heading.group(1), "file" if heading.group(2) == ":" else "include"
        elif line.startswith("#"):
            path = None
    return found


def apply(tree, path, what, text):
    target = tree / path
    if what == "file":
        target.write_text(text)
        return
    lines = target.read_text().splitlines()
    if what == "include":
        last = max(i for i, line in enumerate(lines) if line.startswith("#include"))
        lines.insert(last + 1, text.rstrip())
    else:
        last = max(i for i, line in enumerate(lines) if line.lstrip().startswith("ROW("))
        lines[last] += " \\"
        lines.insert(last + 1, "  " + text.rstrip())
    target.write_text("\n".join(lines) + "\n")


def members():
    """What the concept Policy asks for."""
    text = (ROOT / "runtime/src/policy/policy.h").read_text()
    concept = text[text.index("concept Policy"):]
    return set(re.findall(r"(?:P::|policy\.)(\w+)", concept[:concept.index("\n};")]))


def included(file, folders, seen):
    """The files that `file` includes, directly or not, added to `seen`."""
    for name in re.findall(r'^#include "([^"]+)"', file.read_text(), re.MULTILINE):
        for folder in (file.parent, *folders):
            found = (folder / name).resolve()
            if found.exists():
                if found not in seen:
                    seen.add(found)
                    included(found, folders, seen)
                break
    return seen


def build(cxx, tree, sources, target, *rest):
    """Compiles the sources as one, since most of each is the same headers, and links."""
    together = target.with_suffix(".cpp")
    together.write_text("".join(f'#include "{source}"\n' for source in sources))
    include = [f"-I{tree / folder}" for folder in
               ("runtime/include", "runtime/abi", "runtime/src", "cactus-stack/include",
                "tests/unit", "tests/stress")]
    subprocess.run([cxx, "-std=c++20", "-O0", *include, str(together), *rest, "-pthread", "-o",
                    str(target)], check=True)


def run(command, **variables):
    environment = {name: value for name, value in os.environ.items()
                   if not name.startswith("CILK_")}
    return subprocess.run(command, env={**environment, **variables}, capture_output=True, text=True,
                          timeout=100)


def check(condition, text):
    if not condition:
        sys.exit(f"toy_policy.py: {text}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cxx", default="clang++-22")
    parser.add_argument("--library", type=pathlib.Path, required=True, help="libnopal.a")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        tree = pathlib.Path(name)
        for folder in ("runtime", "cactus-stack/include", "tests/stress", "tests/unit"):
            shutil.copytree(ROOT / folder, tree / folder)
        page = (ROOT / "docs/adding-a-policy.md").read_text()
        missing = {name for name in members() if not re.search(rf"\| .*`{name}\b", page)}
        check(len(members()) > 8 and not missing, f"the page's table lacks {missing}")
        found = steps(page)
        check([what for _, what, _ in found] == ["file", "include", "row"],
              f"the page should have a file, an include and a row, and has {found}")
        for step in found:
            apply(tree, *step)
        (tree / "tests/stress/main.cpp").write_text(MAIN)
        folders = [tree / "runtime/src", tree / "runtime/abi"]
        changed = {(tree / path).resolve() for path, _, _ in found}
        runtime = [source for source in sorted((tree / "runtime/src").glob("*/*.cpp"))
                   if changed & included(source, folders, set())]
        program = [tree / "tests/stress/main.cpp", tree / "tests/stress/clones.cpp",
                   tree / "runtime/fastpath/fastpath.cpp"]
        raw = tree / "raw.o"
        subprocess.run([given.cxx, "-O1", "-Wno-override-module", "-c",
                        str(tree / "tests/stress/invoke_raw.ll"), "-o", str(raw)], check=True)
        # The sources that see the change are compiled, the rest is the library's.
        build(given.cxx, tree, [*runtime, *program], tree / "toy", str(raw), str(given.library),
              "-ldl")
        build(given.cxx, tree, [tree / "tests/unit/policy_all_test.cpp"], tree / "invariants",
              "-lgtest", "-lgtest_main")

        invariants = run([str(tree / "invariants")])
        check(invariants.returncode == 0, invariants.stdout[-2000:])
        check(invariants.stdout.count("LastPolicy") > 0, "the invariants were not tested for it")
        stats = tree / "stats.json"
        toy = run([str(tree / "toy")], CILK_STEAL="last", CILK_NWORKERS="4", CILK_STATS=str(stats))
        check(toy.returncode == 0, f"status {toy.returncode}: {toy.stdout}{toy.stderr}")
        check(json.loads(stats.read_text())["total"]["steals"] > 0, "it has stolen nothing")
        machine = run([str(tree / "toy")], CILK_STEAL="last", CILK_STATS="1",
                      HWLOC_SYNTHETIC="pack:2 core:2 pu:1").stderr
        check("topology: 2 packages x 2 cores" in machine or "topology: flat: " in machine,
              f"it does not see the machine: {machine}")
        refused = run([str(tree / "toy")], CILK_STEAL="first")
        check(refused.returncode == 2 and refused.stderr.rstrip().endswith(", half, last"),
              f"an unknown word: status {refused.returncode}: {refused.stderr}")
    print("the policy of the page runs, keeps the invariants, and is in the list")


if __name__ == "__main__":
    main()
