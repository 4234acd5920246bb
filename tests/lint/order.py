"""The compiler's output does not depend on addresses: no loop in the plugin visits a hash table in
its order.

A range-for over a name that is declared as DenseMap, DenseSet, SmallDenseMap, SmallDenseSet,
SmallPtrSet or SmallPtrSetImpl, or over a call of a function with such a result, is a violation:
SetVector and MapVector keep the order of insertion. Where the order does not matter, as the loop
only fills another set, the line ends in `// any order: REASON`.

A name counts in its own file, and that of a.h in a.cpp; in the other files of the header's folder
as a member (`Plan.Syncs`) or a call. Not seen: iterators, and algorithms over such a table.
"""
import re

FOLDER = "clang-plugin/"
TABLE = re.compile(r"\b(?:Small)?(?:DenseMap|DenseSet|PtrSet|PtrSetImpl)<")
NAME = re.compile(r"\s*&?\s*(?:\w+::)*(\w+)")
LOOP = re.compile(r"\bfor \((?:[^;:]|::)*[^:]:(?!:)([^;]*)")
ACCEPTED = re.compile(r"// any order: \w")


def without_comment(line):
    return line.split("//")[0]


def behind_brackets(text, start):
    """The text behind the bracket that closes the one at `start`, or None."""
    depth = 0
    for place in range(start, len(text)):
        depth += {"<": 1, ">": -1}.get(text[place], 0)
        if depth == 0:
            return text[place + 1:]
    return None


def tables(lines):
    """The names that are declared as a hash table."""
    for line in map(without_comment, lines):
        for found in TABLE.finditer(line):
            # In a MapVector or a vector it is a parameter of the type, and the loop does not visit
            # it.
            outer = line[:found.start()]
            rest = behind_brackets(line, found.end() - 1)
            if rest is None or outer.count("<") > outer.count(">"):
                continue
            first = NAME.match(rest)
            if first is None:
                continue
            yield first[1]
            if ";" in rest and "(" not in rest:  # more names in the declaration
                yield from re.findall(r",\s*(\w+)", rest)


def range_of(lines, number):
    """What the range-for that begins in this line goes through, or None."""
    code = without_comment(lines[number - 1]).strip()
    if number < len(lines) and code.count("(") > code.count(")"):
        code += " " + without_comment(lines[number]).strip()
    found = LOOP.search(code)
    if found is None:
        return None
    depth = 1  # of brackets: the loop's own
    for place, letter in enumerate(found[1]):
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if depth == 0:
            return found[1][:place].strip()
    return None


def gone_through(expression):
    """The last name: Live in P.Live, blocksOf in blocksOf(F)."""
    found = re.search(r"(\w+)$", re.sub(r"\(.*\)$", "", expression))
    return found[1] if found else None


def check(tree):
    paths = [path for path in tree.code() if path.startswith(FOLDER)]
    names = {path: set(tables(tree.lines(path))) for path in paths}
    for path in paths:
        folder, stem = path.rpartition("/")[0], path.rpartition(".")[0]
        own = names[path] | names.get(f"{stem}.h", set())
        members = {name for other in paths if other.endswith(".h")
                   and other.rpartition("/")[0] == folder for name in names[other]}
        lines = tree.lines(path)
        for number, line in enumerate(lines, 1):
            expression = range_of(lines, number)
            if expression is None or ACCEPTED.search(line):
                continue
            name = gone_through(expression)
            is_member = re.search(r"(\.|->)\w+$", expression) or expression.endswith(")")
            if name in own or is_member and name in members:
                yield path, number, f"'{name}' is gone through in the order of addresses"
