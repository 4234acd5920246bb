"""Which folder may include what. The table below is the rule; docs/tour.md explains it.

- cactus-stack knows nothing of Cilk: the standard library and the system, nothing else.
- runtime/abi is read by compiler and runtime, in C and C++: <stdint.h> and <stddef.h>, nothing else.
- runtime/include is installed: it must not need anything that is not.
- The plugin never includes the runtime's sources. It has the fast path as bitcode, and the layouts through runtime/abi.
"""
import os
import re

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')

# Folder (the longest prefix counts) -> what it may include: folders of ours, and kinds of foreign headers.
ALLOWED = {
    "cactus-stack": {"cactus-stack", "system"},
    "runtime/abi": {"stdint.h", "stddef.h"},
    "runtime/include": {"runtime/include", "system"},
    "runtime/fastpath": {"runtime/fastpath", "runtime/src", "runtime/abi", "system"},
    "runtime/src": {"runtime/src", "runtime/fastpath", "runtime/abi", "runtime/include", "cactus-stack", "system", "boost"},
    "clang-plugin": {"clang-plugin", "runtime/abi", "system", "llvm"},
    "clang-plugin/driver": {"clang-plugin/driver", "system"},
    "docs/examples": {"docs/examples", "runtime/include", "system"},
    "tests/programs": {"tests/programs", "runtime/include", "system"},
}

# The layers of runtime/src, lowest first. A folder may include itself and those named, which stand above it in the table.
RUNTIME_LAYERS = {
    "platform": (),
    "config": ("platform",),
    "deque": ("platform", "config"),
    "stats": ("platform", "config"),
    "frame": ("platform", "stats"),
    "worker": ("platform", "config", "deque", "stats", "frame"),
    "stack": ("platform", "frame", "worker"),
    "idle": ("platform", "config", "frame", "worker", "stack"),
    "process": ("platform", "config", "deque", "stats", "frame", "worker", "stack", "idle"),
    "scheduler": ("platform", "config", "deque", "stats", "frame", "worker", "stack", "idle", "process"),
}
for layer, lower in RUNTIME_LAYERS.items():
    ALLOWED[f"runtime/src/{layer}"] = (ALLOWED["runtime/src"] - {"runtime/src"}) | {f"runtime/src/{name}" for name in lower}

# Where the build looks for headers of ours.
SEARCHED = ("cactus-stack/include", "cactus-stack/src", "runtime", "runtime/src", "runtime/abi", "runtime/include", "clang-plugin",
            "clang-plugin/driver", "clang-plugin/frontend", "tests", "tests/programs")

FOREIGN = (("boost", "boost/"), ("llvm", "llvm/"), ("llvm", "llvm-c/"), ("llvm", "clang/"), ("llvm", "clang-c/"),
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


def check(tree):
    for path in tree.code():
        area = area_of(path)
        allowed = ALLOWED.get(area)
        if allowed is None:
            continue
        for number, line in enumerate(tree.lines(path), 1):
            found = INCLUDE.match(line)
            if not found:
                continue
            bracket, name = found.groups()
            ours = resolve(tree, path, name)
            if ours:
                if ours.startswith(area + "/") or any(ours.startswith(folder + "/") for folder in allowed):
                    continue
                yield path, number, f"{area} may not include {area_of(ours)} ('{name}')"
            elif bracket == '"' and kind_of(name) == "system":
                yield path, number, f"'{name}' is no file of the project that is searched for here"
            elif kind_of(name) not in allowed and name not in allowed:
                yield path, number, f"{area} may not include <{name}>"
