"""Links of the Markdown files lead somewhere: relative ones to a file or folder, and those with #anchor to a heading of it."""
import os
import re

LINK = re.compile(r"\[[^\]\[]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#{1,6}\s+(.*)$")


def anchor_of(heading):
    """As code hosts make it: lower case, words joined by '-', punctuation dropped."""
    kept = re.sub(r"[^\w\- ]", "", heading.strip().lower())
    return kept.replace(" ", "-")


def prose(lines):
    """Numbered lines outside of fenced code, with code in backticks taken out."""
    inside = False
    for number, line in enumerate(lines, 1):
        if line.lstrip().startswith("```"):
            inside = not inside
        elif not inside and not line.startswith("    "):
            yield number, re.sub(r"`[^`]*`", "", line)


def check(tree):
    for path in tree.paths:
        if not path.endswith(".md"):
            continue
        for number, line in prose(tree.lines(path)):
            for target in LINK.findall(line):
                if re.match(r"[a-z]+:", target):
                    continue
                name, _, anchor = target.partition("#")
                goal = os.path.normpath(os.path.join(os.path.dirname(path), name)) if name else path
                if not (tree.root / goal).exists():
                    yield path, number, f"the link '{target}' leads nowhere"
                elif anchor and goal.endswith(".md"):
                    anchors = {anchor_of(found.group(1)) for found in map(HEADING.match, tree.lines(goal)) if found}
                    if anchor not in anchors:
                        yield path, number, f"'{goal}' has no heading '#{anchor}'"
