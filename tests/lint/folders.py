"""Every folder has a README.md that names every file in it.

A file is named by its name, or by a pattern in backticks that is more than a suffix: `spawn-*.ll`. A folder without a README of its own, such as
include/cactus, passes if the nearest one above names all its files, or names the folder (`walk/`) as one thing.
"""
import fnmatch
import os
import re

UNNAMED = {"README.md", "CMakeLists.txt", "LICENSE"}
PATTERN = re.compile(r"`([^`\s]*\*[^`\s]*)`")


def is_named(name, readme):
    if re.search(rf"(?<![\w.-]){re.escape(name)}(?![\w-])", readme):
        return True
    return any(fnmatch.fnmatch(name, pattern) for pattern in PATTERN.findall(readme) if not pattern.startswith("*"))


def missing(names, readme):
    return [name for name in names if name not in UNNAMED and not name.startswith(".") and not is_named(name, readme)]


def nearest_above(folder, folders):
    while folder:
        folder = os.path.dirname(folder)
        if folder and "README.md" in folders.get(folder, []):
            return folder
    return None


def check(tree):
    folders = {}
    for path in tree.paths:
        folder, name = os.path.split(path)
        parts = folder.split("/")
        if folder and not any(part.startswith(".") for part in parts) and "Inputs" not in parts:
            folders.setdefault(folder, []).append(name)
    for folder, names in sorted(folders.items()):
        if "README.md" in names:
            readme = "\n".join(tree.lines(f"{folder}/README.md"))
            for name in missing(names, readme):
                yield f"{folder}/README.md", 1, f"does not name {name}"
            continue
        above = nearest_above(folder, folders)
        readme = "\n".join(tree.lines(f"{above}/README.md")) if above else ""
        if f"{os.path.relpath(folder, above) if above else folder}/" not in readme and missing(names, readme):
            yield folder, 1, "this folder has no README.md, and the one above names neither it nor all its files"
