#!/usr/bin/env python3
"""Compiles every test of this folder as its RUN lines say, but without -verify, which compares
lines and no columns, and compares what the caret of each message of the front-end stands on with
carets.txt.

    carets.py --clang /usr/lib/llvm-22/bin --plugin build/lib/nopal/NopalPlugin.so [--update]

A line of carets.txt is one message: file, message, the source with the token in brackets, and the
same of the message's note if that stands at another place. Run it with --update after a change, and
read the difference. Status 1 if any line differs.
"""
import argparse
import difflib
import os
import re
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
LISTING = HERE / "carets.txt"
sys.path.insert(0, str(ROOT / "tests"))
from compilers import HUGE_PAGES  # noqa: E402

MESSAGE = 46  # columns of a message, and of the source before and from the token
BEFORE, FROM = 16, 28
STRING = r'"(?:[^"\\]|\\.)*"'
TOKEN = re.compile(rf"{STRING}|[A-Za-z_]\w*|\d[\w.']*|->\*?|<=>|<<=?|>>=?|::|\+\+|--|&&|\|\||"
                   r"[-+*/%&|^<>=!]=|.")
RUN = re.compile(r"// RUN: (?:not )?%cilk_(c|cxx)(?:_verify(?:=\w+)?)?((?: -\S+| -x c)* %s.*)")


def patterns():
    """(level, pattern of the text, pattern of the note) of each row of the front-end."""
    def pattern(literals):
        text = "".join(part[1:-1] for part in re.findall(STRING, literals)).replace('\\"', '"')
        return re.compile(".*".join(map(re.escape, re.split(r"%\d", text))))
    table = (ROOT / "clang-plugin" / "contract" / "Diagnostics.def").read_text()
    for level, text, note in re.findall(
            rf"^NOPAL_DIAG\(\w+, (\w+),((?:\s*{STRING})+),((?:\s*{STRING})+)\)", table, re.M):
        yield "error" if level == "Error" else "warning", pattern(text), pattern(note)


def options(path):
    """(language, options) of each RUN line that only looks at messages."""
    for language, rest in RUN.findall(path.read_text()):
        rest = re.sub(r"%if llvm-\d+ %\{.*?%\}", "", rest)
        yield language, [word for word in rest.split(" 2>&1")[0].split() if word != "%s"]


def caret(path, line, column):
    """The source around the token at `line` and `column`, which counts bytes."""
    text = path.read_bytes().splitlines()[line - 1]
    before, rest = text[:column - 1].decode(), text[column - 1:].decode()
    token = TOKEN.match(rest)[0] if rest else ""
    after = re.split(r"\s*(?://|/\*)", rest[len(token):])[0][:FROM - len(token)]
    return f"{before.lstrip()[-BEFORE:]}[{token}]{after}".strip()


def messages(said, rows):
    """(place, level, text, place of the note) of each message of the front-end in what Clang said;
    a place is a file, a line and a column."""
    found, note = [], None
    for path, line, column, level, text in re.findall(
            r"^(.+?):(\d+):(\d+): (error|warning|note): (.*)$", said, re.M):
        place = Path(path), int(line), int(column)
        if level != "note":
            note = next((each for row, wording, each in rows
                         if row == level and wording.fullmatch(text)), None)
            if note:
                found.append((place, level, text, None))
        elif note and note.fullmatch(text):
            found[-1] = *found[-1][:3], place
            note = None
    return found


def carets(path, command, rows):
    """The lines of the listing of one test, in the order of the source."""
    found = set()
    for language, flags in options(path):
        done = subprocess.run([*command(language), *flags, path], capture_output=True, text=True,
                              env={**os.environ, **HUGE_PAGES})
        found.update(messages(done.stderr, rows))
    for place, level, text, note in sorted(found):
        short = text if len(text) <= MESSAGE else text[:MESSAGE - 3] + "..."
        line = f"{path.name} | {level}: {short} | {caret(*place)}"
        yield line if note == place else f"{line} | note: {caret(*note)}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--clang", required=True, type=Path, help="the folder of clang and clang++")
    parser.add_argument("--plugin", required=True)
    parser.add_argument("--update", action="store_true")
    args = parser.parse_args()
    rows = list(patterns())

    def command(language):
        return [args.clang / ("clang++" if language == "cxx" else "clang"),
                f"-fpass-plugin={args.plugin}", "-isystem", ROOT / "runtime" / "include",
                "-fsyntax-only", "-ferror-limit=0", "-fno-caret-diagnostics",
                "-fno-diagnostics-show-option"]

    tests = sorted(path for path in HERE.iterdir() if path.suffix in (".c", ".cpp"))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        lists = pool.map(lambda path: list(carets(path, command, rows)), tests)
        lines = [line for each in lists for line in each]
    # One line for messages that differ in nothing but their line in the file.
    new = [line if count == 1 else f"{line} | {count} times"
           for line, count in Counter(lines).items()]
    if args.update:
        LISTING.write_text("\n".join(new) + "\n")
    difference = list(difflib.unified_diff(LISTING.read_text().splitlines(), new, "carets.txt",
                                           "the compiler", lineterm="", n=0))
    print("\n".join(difference) or f"{len(lines)} carets")
    return 1 if difference else 0


if __name__ == "__main__":
    sys.exit(main())
