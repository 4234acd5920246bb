"""Every folder has a README.md that names every file in it.

A file is named by its name, or by a pattern in backticks that is more than a suffix: `spawn-*.ll`. A folder without a README passes if the
README one level up names it (`walk/`) and its files open with a comment anyway; that is for the parts of one program.
"""
import fnmatch
import os
import re

UNNAMED = {"README.md", "CMakeLists.txt", "LICENSE"}
ROOT_README_NAMES_FOLDERS_ONLY = ""
PATTERN = re.compile(r"`([^`\s]*\*[^`\s]*)`")


def is_named(name, readme):
    if re.search(rf"(?<![\w.-]){re.escape(name)}(?![\w-])", readme):
        return True
    return any(fnmatch.fnmatch(name, pattern) for pattern in PATTERN.findall(readme) if not pattern.startswith("*"))


def check(tree):
    folders = {}
    for path in tree.paths:
        folder, name = os.path.split(path)
        if any(part.startswith(".") for part in folder.split("/") if part) or "Inputs" in folder.split("/"):
            continue
        folders.setdefault(folder, []).append(name)
    for folder, names in sorted(folders.items()):
        if folder == ROOT_README_NAMES_FOLDERS_ONLY:
            continue
        if "README.md" not in names:
            above, last = os.path.split(folder)
            readme = "\n".join(tree.lines(f"{above}/README.md")) if "README.md" in folders.get(above, []) else ""
            if f"{last}/" not in readme:
                yield folder, 1, "this folder has no README.md, and the one above does not name it"
            continue
        readme = "\n".join(tree.lines(f"{folder}/README.md"))
        for name in names:
            if name not in UNNAMED and not name.startswith(".") and not is_named(name, readme):
                yield f"{folder}/README.md", 1, f"does not name {name}"
