"""Links of the Markdown files lead somewhere: relative ones to a file or folder, and those with
#anchor to a heading of it.

Each section of docs/questions.md is a question with its answer. README.md links the page, and each
answer names functions (names.py checks them) and one page to read on.
"""
import os
import re

from tree import prose

LINK = re.compile(r"\[[^\]\[]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#{1,6}\s+(.*)$")


def anchor_of(heading):
    """As code hosts make it: lower case, words joined by '-', punctuation dropped."""
    kept = re.sub(r"[^\w\- ]", "", heading.strip().lower())
    return kept.replace(" ", "-")


def links(path, line):
    """Each link into the tree on a line of `path`: its text, the file, and the heading or ''."""
    for target in LINK.findall(re.sub(r"`[^`]*`", "", line)):
        if not re.match(r"[a-z]+:", target):
            name, _, anchor = target.partition("#")
            goal = os.path.normpath(os.path.join(os.path.dirname(path), name)) if name else path
            yield target, goal, anchor


QUESTIONS = "docs/questions.md"
MOST_OPENED = 2
NAMES = re.compile(r"`[^`]+` in \[[^\]]*\]\([^)\s]+\)")


def files_opened(tree):
    """How many files a reader opens after README.md on the shortest path of links to each file."""
    opened = {"README.md": 0}
    waiting = ["README.md"]
    for path in waiting:
        if not path.endswith(".md") or path not in tree.paths:
            continue
        for _, line in prose(tree.lines(path)):
            for _, goal, _ in links(path, line):
                if goal not in opened:
                    opened[goal] = opened[path] + 1
                    waiting.append(goal)
    return opened


def sections(lines):
    """The title of each section, the number of its line, and its text."""
    found = []
    for number, line in enumerate(lines, 1):
        if line.startswith("## "):
            found.append((line[3:], number, []))
        elif found:
            found[-1][2].append(line)
    return found


def check_questions(tree):
    if QUESTIONS not in tree.paths:
        yield QUESTIONS, 1, "the page of the newcomer's questions is gone"
        return
    if files_opened(tree).get(QUESTIONS, MOST_OPENED) + 1 > MOST_OPENED:
        yield QUESTIONS, 1, f"an answer takes more than {MOST_OPENED} files from README.md"
    questions = sections(tree.lines(QUESTIONS))
    for title, number, lines in questions:
        more = [[goal for _, goal, _ in links(QUESTIONS, line) if goal != QUESTIONS]
                for line in lines if line.startswith("More")]
        if not title.endswith("?") or [len(files) for files in more] != [1]:
            yield QUESTIONS, number, "no question, or not one page to read after its answer"
        if not any(map(NAMES.search, lines)):
            yield QUESTIONS, number, "the answer does not say which function of which file it is"
    if not questions:
        yield QUESTIONS, 1, "there are no questions"


def check(tree):
    yield from check_links(tree)
    yield from check_questions(tree)


def check_links(tree):
    for path in tree.paths:
        if not path.endswith(".md"):
            continue
        for number, line in prose(tree.lines(path)):
            for target, goal, anchor in links(path, line):
                if not (tree.root / goal).exists():
                    yield path, number, f"the link '{target}' leads nowhere"
                elif anchor and goal.endswith(".md"):
                    anchors = {anchor_of(found.group(1))
                               for found in map(HEADING.match, tree.lines(goal)) if found}
                    if anchor not in anchors:
                        yield path, number, f"'{goal}' has no heading '#{anchor}'"
