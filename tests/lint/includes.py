"""Which folder may include what. The tables below are the rule.

- cactus-stack knows nothing of Cilk: the standard library and the system, nothing else.
- runtime/abi is read by compiler and runtime, in C and C++: <stdint.h>, <stddef.h> and
  <stdbool.h> alone.
- runtime/include is installed: it must not need anything that is not.
- The plugin never includes the runtime's sources. It has the fast path as bitcode, and the layouts
  through runtime/abi.
- The folders inside clang-plugin and runtime/src are layers: each includes lower ones alone.
  runtime/README.md lists those of the runtime in the same order.
- No two folders of the tree include each other, directly or through others.
- In the plugin, only compatibility/Compatibility.h tests the version of LLVM.
"""
import os
import re

VERSION = re.compile(r"\b(LLVM|CLANG)_VERSION_|\b__clang_major__\b")
VERSIONS = "clang-plugin/compatibility/Compatibility.h"
LAYER_ROW = re.compile(r"\| \[src/(\w+)/\]")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')

# Folder (the longest prefix counts) -> what it may include: folders of ours, and kinds of foreign
# headers.
ALLOWED = {
    "cactus-stack": {"cactus-stack", "system"},
    "runtime/abi": {"stdbool.h", "stdint.h", "stddef.h"},
    "runtime/include": {"runtime/include", "system"},
    "runtime/fastpath": {"runtime/fastpath", "runtime/src", "runtime/abi", "runtime/include",
                         "system"},
    "runtime/src": {"runtime/src", "runtime/fastpath", "runtime/abi", "runtime/include",
                    "cactus-stack", "system", "boost"},
    "clang-plugin": {"clang-plugin", "runtime/abi", "system", "llvm"},
    "clang-plugin/driver": {"clang-plugin/driver", "system"},
    # Of worker, the generator of random numbers alone; of idle, the constants; deque and platform
    # for `calibrate`; of the benchmarks, the generator of UTS.
    "tools/sim": {"tools/sim", "runtime/src/policy", "runtime/src/idle", "runtime/src/worker",
                  "runtime/src/deque", "runtime/src/platform", "benchmarks/uts", "system"},
    "docs/examples": {"docs/examples", "runtime/include", "system"},
    "tests/programs": {"tests/programs", "runtime/include", "system"},
}

# The layers of clang-plugin and runtime/src, lowest first. A folder may include itself and those
# named, which stand before it.
PLUGIN_LAYERS = {
    "compatibility": (),
    "contract": ("compatibility",),
    "analysis": ("compatibility", "contract"),
    "frontend": ("compatibility", "contract", "analysis"),
    "outline": ("compatibility", "contract", "analysis"),
    "split": ("compatibility", "contract", "analysis"),
    "early": ("contract", "analysis", "split"),
    "serial": ("contract", "analysis", "split"),
    "race": ("compatibility", "contract", "analysis"),
    "span": ("contract", "analysis", "split"),
}
RUNTIME_LAYERS = {
    "platform": (),
    "policy": (),
    "config": ("platform", "policy"),
    "deque": ("platform", "config"),
    "stats": ("platform", "config"),
    "frame": ("platform", "stats"),
    "trace": ("platform", "config", "stats"),
    "hyper": ("platform", "stats", "frame"),
    "worker": ("platform", "policy", "config", "deque", "stats", "frame", "trace",
               "hyper"),
    "stack": ("platform", "frame", "worker"),
    "idle": ("platform", "policy", "config", "frame", "worker", "stack"),
    "process": ("platform", "policy", "config", "deque", "stats", "frame", "trace", "hyper",
                "worker", "stack", "idle"),
    "scheduler": ("platform", "config", "deque", "stats", "frame", "hyper", "worker", "stack",
                  "idle", "process"),
}
LAYERS = {"clang-plugin": PLUGIN_LAYERS, "runtime/src": RUNTIME_LAYERS}
for home, layers in LAYERS.items():
    for layer, lower in layers.items():
        ALLOWED[f"{home}/{layer}"] = (ALLOWED[home] - {home}) | {f"{home}/{name}" for name in lower}

# Where the build looks for headers of ours.
SEARCHED = ("cactus-stack/include", "cactus-stack/src", "runtime", "runtime/src", "runtime/abi",
            "runtime/include", "clang-plugin", "clang-plugin/driver", "clang-plugin/frontend",
            "tools/sim", "benchmarks", "tests", "tests/programs")

FOREIGN = (("boost", "boost/"), ("llvm", "llvm/"), ("llvm", "llvm-c/"), ("llvm", "clang/"),
           ("llvm", "clang-c/"),
           ("gtest", "gtest/"), ("gtest", "gmock/"))


def area_of(path):
    """The row of ALLOWED that a path belongs to, or its first folder."""
    rows = [row for row in ALLOWED if path.startswith(row + "/")]
    return max(rows, key=len) if rows else path.split("/")[0]


def resolve(tree, path, name):
    """The file of ours that an #include names, or None."""
    known = set(tree.paths)
    for folder in (os.path.dirname(path), *SEARCHED):
        candidate = os.path.normpath(os.path.join(folder, name))
        if candidate in known:
            return candidate
    return None


def kind_of(name):
    for kind, prefix in FOREIGN:
        if name.startswith(prefix):
            return kind
    return "system"


def includes_of(tree, path):
    """The #include lines of a file: number, bracket, name."""
    for number, line in enumerate(tree.lines(path), 1):
        if found := INCLUDE.match(line):
            yield number, *found.groups()


def check(tree):
    yield from check_folders(tree)
    yield from check_cycles(tree)
    yield from check_versions(tree)
    yield from check_list(tree)


def check_list(tree):
    path = "runtime/README.md"
    if path not in tree.paths:
        return
    rows = [(number, found[1]) for number, line in enumerate(tree.lines(path), 1)
            if (found := LAYER_ROW.match(line))]
    if [name for _, name in rows] != list(RUNTIME_LAYERS):
        yield path, rows[0][0] if rows else 1, "the folders of src are not those of RUNTIME_LAYERS"


def check_versions(tree):
    for path in tree.code():
        if not path.startswith("clang-plugin/") or path == VERSIONS:
            continue
        for number, line in enumerate(tree.lines(path), 1):
            if VERSION.search(line):
                yield path, number, "only Compatibility.h may ask for the version of LLVM"


def check_folders(tree):
    for path in tree.code():
        area = area_of(path)
        allowed = ALLOWED.get(area)
        if allowed is None:
            continue
        for number, bracket, name in includes_of(tree, path):
            ours = resolve(tree, path, name)
            if ours:
                if any(ours.startswith(folder + "/") for folder in (area, *allowed)):
                    continue
                yield path, number, f"{area} may not include {area_of(ours)} ('{name}')"
            elif bracket == '"' and kind_of(name) == "system":
                yield path, number, f"'{name}' is no file of the project that is searched for here"
            elif kind_of(name) not in allowed and name not in allowed:
                yield path, number, f"{area} may not include <{name}>"


def check_cycles(tree):
    """Each #include that is part of a cycle between folders."""
    edges = {}  # folder -> folder that it includes -> the first such line
    for path in tree.code():
        folder = os.path.dirname(path)
        for number, _, name in includes_of(tree, path):
            ours = resolve(tree, path, name)
            if ours and os.path.dirname(ours) != folder:
                edges.setdefault(folder, {}).setdefault(os.path.dirname(ours), (path, number))
    for folder in sorted(edges):
        for included, (path, number) in edges[folder].items():
            if way := way_between(edges, included, folder):
                yield path, number, f"a cycle of folders: {' -> '.join([folder, *way])}"


def way_between(edges, start, end):
    """The folders of a shortest path of includes from start to end, or None."""
    ways = {start: [start]}
    for folder in (queue := [start]):
        for included in edges.get(folder, ()):
            if included not in ways:
                ways[included] = [*ways[folder], included]
                queue.append(included)
    return ways.get(end)
