"""Links of the Markdown files lead somewhere: relative ones to a file or folder, and those with
#anchor to a heading of it.

Each question of docs/questions.md is answered within three files that a reader opens from README.md
by links, and the files have the names that its row tells the reader to look for.
"""
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


QUESTIONS = "docs/questions.md"
MOST_OPENED = 3
LOOK_FOR = re.compile(r"`([^`]+)` in \[[^\]]*\]\(([^)#\s]+)")


def goals(path, line):
    """The files of the tree that `line` of `path` links to."""
    names = [target.partition("#")[0] for target in LINK.findall(line)
             if not re.match(r"[a-z]+:", target)]
    return [os.path.normpath(os.path.join(os.path.dirname(path), name)) for name in names if name]


def files_opened(tree):
    """How many files a reader has opened after README.md when they first see each file, by the
    shortest way of links."""
    opened = {"README.md": 0}
    waiting = ["README.md"]
    for path in waiting:
        if not path.endswith(".md") or path not in tree.paths:
            continue
        for _, line in prose(tree.lines(path)):
            for goal in goals(path, line):
                if goal not in opened:
                    opened[goal] = opened[path] + 1
                    waiting.append(goal)
    return opened


def check_questions(tree):
    if QUESTIONS not in tree.paths:
        yield QUESTIONS, 1, "the page of the newcomer's questions is gone"
        return
    opened = files_opened(tree)
    questions = 0
    for number, line in enumerate(tree.lines(QUESTIONS), 1):
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        if not line.startswith("|") or "?" not in cells[0]:
            continue
        questions += 1
        files = goals(QUESTIONS, cells[2])
        names = LOOK_FOR.findall(cells[3])
        if not files or not names:
            yield QUESTIONS, number, "a question without a file, or without a name to look for"
        if opened.get(QUESTIONS, MOST_OPENED) + len(files) > MOST_OPENED:
            yield (QUESTIONS, number,
                   f"the answer takes more than {MOST_OPENED} files from README.md")
        for name, link in names:
            goal = os.path.normpath(os.path.join(os.path.dirname(QUESTIONS), link))
            if goal not in files:
                yield QUESTIONS, number, f"'{goal}' is not among the files of the question"
            elif goal not in tree.paths or not any(name in text for text in tree.lines(goal)):
                yield QUESTIONS, number, f"'{name}' is not in '{goal}'"
    if not questions:
        yield QUESTIONS, 1, "the table of questions is empty"


def check(tree):
    yield from check_links(tree)
    yield from check_questions(tree)


def check_links(tree):
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
                    anchors = {anchor_of(found.group(1))
                               for found in map(HEADING.match, tree.lines(goal)) if found}
                    if anchor not in anchors:
                        yield path, number, f"'{goal}' has no heading '#{anchor}'"
