"""A type has one definition in a program.

If two files define different structures of one name in one namespace, the program's behaviour is
undefined. No compiler or linker reports it: the linker takes the first body of each inline member.
So every struct, class, union and enum outside of an anonymous namespace has a name of its own
within the parts that are linked together.
"""
import re

# What becomes one shared object or program; the longest prefix counts.
LINKED = {"clang-plugin/driver": "driver", "clang-plugin": "plugin", "runtime/src": "runtime",
          "runtime/fastpath": "runtime", "runtime/abi": "runtime", "cactus-stack": "runtime"}

OPENS = re.compile(r"^(?:inline )?namespace\s*([\w:]*)\s*\{(.*)$")
CLOSES = re.compile(r"^\}\s*//\s*(?:inline )?namespace")
TYPE = re.compile(r"^(?:template\s*<.*>\s*)?(?:struct|class|union|enum(?: class| struct)?)\s+"
                  r"(?:alignas\([^)]*\)\s*|\[\[[^\]]*\]\]\s*)*(\w+)(?:\s+final)?\s*"
                  r"(?::[^:;].*)?(?:\{|:[^:;]*$|$)")


def part_of(path):
    rows = [row for row in LINKED if path.startswith(row + "/")]
    return LINKED[max(rows, key=len)] if rows else None


def definitions(lines):
    """(line, qualified name) of the types that a file defines at the scope of a named namespace."""
    scopes = []
    for number, line in enumerate(lines, 1):
        if opened := OPENS.match(line):
            if "}" not in opened[2]:
                scopes.append(opened[1])
        elif CLOSES.match(line) and scopes:
            scopes.pop()
        elif (found := TYPE.match(line)) and "" not in scopes:
            yield number, "::".join([*scopes, found[1]])


def check(tree):
    first = {}
    for path in tree.code():
        part = part_of(path)
        if part is None:
            continue
        for number, name in definitions(tree.lines(path)):
            other = first.setdefault((part, name), path)
            if other != path:
                yield (path, number, f"'{name}' is defined in {other}, too; "
                       "give one of them another name or namespace")
