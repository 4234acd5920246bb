"""Tables in Markdown are whole: a row that no other row precedes opens a table, so a line of dashes
follows it.

A blank line inside a table ends it, and the rest becomes text.
"""
import re

DASHES = re.compile(r"^\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$")


def check(tree):
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
