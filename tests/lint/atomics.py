"""Memory orders, in the runtime and the cactus stack.

- No atomic operation leaves its order to the default.
- A lock-free file may open with an edge table, in a comment:
      // Edges (tag: writer -> reader, and what the reader may then rely on):
      //   [bottom]  owner's store-release of bottom -> ...
  Then every atomic operation and fence below carries a tag of the table in a comment, on its own
  line, on the line above, or on the last line of its statement; every tag that is used is in the
  table; and every tag of the table is used.
"""
import re

FOLDERS = ("runtime/src/", "runtime/fastpath/", "cactus-stack/")
TABLE = re.compile(r"^//\s*Edges\b")
ROW = re.compile(r"^//\s+\[(\w+)\]")
TAG = re.compile(r"\[(\w+)\]")
# With the order in the method's name, as in platform/atoms.h; or std::atomic's.
NAMED = (r"(?:load|store|exchange|compare_exchange|fetch_\w+?)_"
         r"(?:relaxed|acquire|release|acq_rel|seq_cst)")
STANDARD = (r"(?:load|store|exchange|compare_exchange_weak|compare_exchange_strong|"
            r"fetch_(?:add|sub|or|and|xor)|test_and_set)")
OPERATION = re.compile(rf"(?:\.|->)(?:{NAMED}|{STANDARD})\s*\(|\b\w*_fence\w*\s*\(")
DEFAULTABLE = re.compile(rf"(?:\.|->){STANDARD}\s*\(")
IS_FENCE_DECLARATION = re.compile(r"^\s*(?:static|inline|void|FenceMode|\[\[)")


def split_comment(line):
    """Code and comment of a line; `//` inside a string is taken for a comment, which does no harm
    here."""
    code, slashes, comment = line.partition("//")
    return code, slashes + comment


def statement(lines, index, start):
    """The text from `start` of line `index` up to the parenthesis that closes the first one, and
    the index of its last line."""
    depth, text = 0, ""
    for last in range(index, min(index + 12, len(lines))):
        code = split_comment(lines[last])[0]
        for letter in code[start if last == index else 0:]:
            text += letter
            depth += {"(": 1, ")": -1}.get(letter, 0)
            if letter == ")" and depth == 0:
                return text, last
    return text, index


def read_table(lines):
    """Tag -> line number of the table at the top of a file; empty if there is none."""
    rows, inside = {}, False
    for number, line in enumerate(lines, 1):
        if TABLE.match(line):
            inside = True
        elif inside and not line.startswith("//"):
            break
        elif inside and ROW.match(line):
            rows[ROW.match(line).group(1)] = number
    return rows


def check_defaults(path, lines):
    for index, line in enumerate(lines):
        code = split_comment(line)[0]
        for found in DEFAULTABLE.finditer(code):
            text, _ = statement(lines, index, found.start())
            if "memory_order" not in text and "order" not in text:
                name = found.group(0).lstrip(".->")
                yield path, index + 1, f"{name}...) leaves the memory order to the default"


def check_tags(path, lines, table):
    after_table = max(table.values())
    used = set()
    for index, line in enumerate(lines):
        code, comment = split_comment(line)
        if index < after_table:
            continue
        used.update(tag for tag in TAG.findall(comment) if tag in table)
        for found in OPERATION.finditer(code):
            is_fence = "_fence" in found.group(0)
            if is_fence and IS_FENCE_DECLARATION.match(code) and code.rstrip().endswith("{"):
                continue
            _, last = statement(lines, index, found.start())
            above = lines[index - 1] if lines[index - 1].lstrip().startswith("//") else ""
            comments = " ".join([above]
                                + [split_comment(lines[i])[1] for i in range(index, last + 1)])
            tags = TAG.findall(comments)
            if not tags:
                name = found.group(0).lstrip(".->")
                yield path, index + 1, f"{name}...) carries no tag of the edge table"
            for tag in tags:
                if tag not in table:
                    yield path, index + 1, f"[{tag}] is not in the edge table of this file"
    for tag, number in table.items():
        if tag not in used:
            yield path, number, f"[{tag}] is in the edge table, but no operation carries it"


def check(tree):
    for path in tree.code():
        if not path.startswith(FOLDERS):
            continue
        lines = tree.lines(path)
        yield from check_defaults(path, lines)
        table = read_table(lines)
        if table:
            yield from check_tags(path, lines, table)
