"""How Markdown is laid out: each sentence starts a line, and no line has more than 100 columns.

Tables, headings, code, comments, and lines that are one link are exempt. A decision has at most 300
words.
"""
import re

from tree import unfenced

COLUMNS = 100
DECISION = re.compile(r"docs/decisions/\d+-.*")
DECISION_WORDS = 300
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
        if not path.endswith(".md"):
            continue
        words = sum(len(line.split()) for line in tree.lines(path))
        if DECISION.match(path) and words > DECISION_WORDS:
            yield path, 1, f"the decision has {words} words, more than {DECISION_WORDS}"
        for number, line in prose(tree.lines(path)):
            if len(line) > COLUMNS:
                yield path, number, f"{len(line)} columns, more than {COLUMNS}"
            if SENTENCE.match(ATOM.sub("XX", ITEM.sub("", line, 1))):
                yield path, number, "a second sentence begins on the line"
