"""How Markdown is laid out: each sentence starts a line, and no line has more than 100 columns.

Tables, headings, code, comments, and lines that are one link are exempt.
"""
import re

from tree import unfenced

NOT_YET = ("tests/model/",)
COLUMNS = 100
EXEMPT = ("|", "#", "    ", "<", "[", "!")
ITEM = re.compile(r"^\s*([-*]|\d+\.) ")
ATOM = re.compile(r"`[^`]*`|\[[^\]\[]*\]\([^)]*\)|\([^()]*\)")
# A word of two letters or more before the stop leaves out initials and 'e.g.'; an open parenthesis
# may hold a sentence.
SENTENCE = re.compile(r"^[^(]*\w\w[)*\"']*[.?!][)*\"']* +[A-Z*\"(\[X]")


def prose(lines):
    """Numbered lines outside of fenced code and comments."""
    comment = False
    for number, line in unfenced(lines):
        if comment or line.startswith("<!--"):
            comment = "-->" not in line
        elif not line.startswith(EXEMPT):
            yield number, line


def check(tree):
    for path in tree.paths:
        if path.startswith(NOT_YET) or not path.endswith(".md"):
            continue
        for number, line in prose(tree.lines(path)):
            if len(line) > COLUMNS:
                yield path, number, f"{len(line)} columns, more than {COLUMNS}"
            if SENTENCE.match(ATOM.sub("XX", ITEM.sub("", line, 1))):
                yield path, number, "a second sentence begins on the line"
