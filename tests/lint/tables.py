"""Tables in Markdown are whole: a row that no other row precedes opens a table, so a line of dashes
follows it.

A blank line inside a table ends it, and the rest becomes text.

A table of files in a README of runtime/src is complete: each source beside it is named there.
"""
import os
import re

DASHES = re.compile(r"^\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$")
FILES = "| file | content |"


def check(tree):
    yield from check_whole(tree)
    yield from check_files(tree)


def check_files(tree):
    for path in tree.code():
        folder, name = os.path.split(path)
        readme = f"{folder}/README.md"
        if not folder.startswith("runtime/src/") or readme not in tree.paths:
            continue
        lines = tree.lines(readme)
        rows = "\n".join(line for line in lines if line.startswith("|"))
        if FILES in lines and not re.search(rf"(?<![\w.]){re.escape(name)}", rows):
            yield readme, lines.index(FILES) + 1, f"the table does not name {name}"


def check_whole(tree):
    for path in tree.paths:
        if not path.endswith(".md"):
            continue
        lines = tree.lines(path)
        is_code, before = False, ""
        for number, line in enumerate(lines, 1):
            if line.lstrip().startswith("```"):
                is_code = not is_code
            if not is_code and line.startswith("|") and not before.startswith("|"):
                after = lines[number] if number < len(lines) else ""
                if not DASHES.match(after):
                    yield (path, number, "a row of a table without its heading: "
                           "a blank line before it ends the table")
            before = line
