"""The tree of a generated program: which parts of its text can be left out.

The generator writes text. Parts that a reduction may leave out are *nodes*. Control characters mark
them in the text until `render` removes these:

    start(...)  lines  [OTHERWISE  lines]  END      a statement, a declaration, a function; what
                                                    comes after OTHERWISE stands in for it
    expression(...)                                 an operand; a number stands in for it

A program without some of its nodes must still be free of races, and mean the same in every
schedule. So a sync replaces a statement that is left out, if it had one of its own region, and so
do the declarations that others may use (those of its own nesting). Nothing else depends on a
statement. At worst the smaller program is wrong for the serial compiler, which reduce.py sees.
"""

import re

END, OTHERWISE = "\x02", "\x06"
NUMBER = "(u64)7u"
TOKEN = re.compile(r"[ ]*\x01(\d+):(\d+):(\d+):([a-z])(?:\n|$)|[ ]*(\x02)(?:\n|$)"
                   r"|[ ]*(\x06)(?:\n|$)|\x03(\d+):|\x04(\d+):|(\x05)")


def start(number, region, nesting, kind):
    """kind: s statement, d declaration, f function."""
    return f"\x01{number}:{region}:{nesting}:{kind}"


def sync(region, text):
    return f"\x03{region}:{text}"


def expression(number, text):
    return f"\x04{number}:{text}\x05"


class Node:
    def __init__(self, number, region=0, nesting=0, kind="f", depth=0):
        self.number, self.region, self.nesting = number, region, nesting
        self.kind, self.depth = kind, depth
        self.parts, self.other = [], None  # texts, syncs (numbers of regions) and nodes

    def add(self, part):
        (self.parts if self.other is None else self.other).append(part)


def parse(text):
    """The root of the tree."""
    root = Node(0)
    stack, at = [root], 0
    for match in TOKEN.finditer(text):
        stack[-1].add(text[at:match.start()])
        at = match.end()
        number, region, nesting, kind, end, otherwise, synced, operand, operand_end = match.groups()
        if number:
            stack.append(Node(int(number), int(region), int(nesting), kind, len(stack)))
        elif operand:
            stack.append(Node(int(operand), 0, 0, "e", len(stack)))
        elif otherwise:
            stack[-1].other = []
        elif synced:
            stack[-1].add(int(synced))
        elif end or operand_end:
            node = stack.pop()
            stack[-1].add(node)
    stack[-1].add(text[at:])
    assert len(stack) == 1
    return root


def nodes(root):
    """All nodes below, outer ones first."""
    found = []
    for part in [*root.parts, *(root.other or [])]:
        if isinstance(part, Node):
            found.append(part)
            found += nodes(part)
    return found


def has_sync(parts, region):
    return any(part == region if isinstance(part, int) else isinstance(part, Node)
               and has_sync([*part.parts, *(part.other or [])], region)
               for part in parts)


def declarations(node, off):
    """What is left of a statement that is out: the declarations that may be used after it."""
    if node.other is not None:
        return shown(node.other, off)
    result = ""
    for part in node.parts:
        if isinstance(part, Node) and part.kind in "sd" and part.nesting == node.nesting:
            is_shown = part.kind == "d" and part.number not in off
            result += shown([part], off) if is_shown else declarations(part, off)
    return result


def shown(parts, off):
    result = []
    for part in parts:
        if isinstance(part, str):
            result.append(part)
        elif isinstance(part, Node):
            if part.number not in off:
                result.append(shown(part.parts, off))
            elif part.kind == "e":
                result.append(NUMBER)
            elif part.kind == "s":
                result.append(declarations(part, off))
                if has_sync(part.parts, part.region):
                    result.append("cilk_sync;\n")
    return "".join(result)


def render(text, off=frozenset()):
    """The program without the nodes of these numbers."""
    return shown(parse(text).parts, off)
