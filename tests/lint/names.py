"""Names of code that the Markdown files mention exist.

- `file.cpp`, `folder/file.h`: a file of that name is in the tree.
- `Type::member`, `some_function`, `someFunction()`: the name is a word of the code.
- `name` in [file](path), and `file.h` (`name`): that file has it.

Names of the system and of other projects are listed below; a placeholder in capitals (`ROW.cpp`) is
no name.
"""
import os
import re

from tree import prose

CODE = (".h", ".c", ".cpp", ".py", ".def", ".inc", ".in", ".txt", ".S", ".ll", ".map", ".cfg")
FILES = "cpp|h|c|py|ll|def|map|md|cfg"
TICKED = re.compile(r"`([^`\n]+)`")
FILE = re.compile(rf"[\w./-]*?([\w.-]+\.(?:{FILES}))")
MEMBER = re.compile(r"(\w+(?:::~?\w+)+)(?:\(.*\))?")
NAME = re.compile(r"([a-zA-Z]\w*(?:_\w+|[a-z][A-Z]\w*))(?:\(\))?")
IN_FILE = re.compile(r"`([\w:~]+)(?:\(\))?` in \[[^\]]+\]\(([^)#\s]+)\)")
FILE_HAS = re.compile(rf"`([\w-]+\.(?:{FILES}))` \(`([\w:~]+)(?:\(\))?`\)")
WORD = re.compile(r"[A-Za-z_]\w*")

OTHERS = {"POSIX_SPAWN_SETSIGMASK", "PTHREAD_STACK_MIN", "cilk_reducer", "cpu_id",
          "extra_files_to_hash", "futex_wake", "ipi_rseq", "posix_spawn", "pthread_kill", "rseq",
          "sem_post"}
OTHERS_PREFIXES = ("tbb::", "omp_")


def last(name):
    return name.split("::")[-1].strip("~")


def is_placeholder(name):
    return name.split(".")[0].isupper()


class Names:
    def __init__(self, tree):
        self.tree = tree
        self.files = {}
        for path in tree.paths:
            self.files.setdefault(os.path.basename(path), []).append(path)
        self.words = set(OTHERS)
        for path in tree.paths:
            if path.endswith(CODE) and not path.startswith("tests/lint/"):
                self.words |= self.words_of(path)

    def words_of(self, path):
        return set(WORD.findall("\n".join(self.tree.lines(path))))

    def missing(self, text):
        """What a text in backticks names that is not there, or None."""
        if found := FILE.fullmatch(text):
            name = found[1]
            is_right = name in self.files or is_placeholder(name)
            return None if is_right else f"no file is called '{name}'"
        if text.startswith(OTHERS_PREFIXES):
            return None
        if found := MEMBER.fullmatch(text):
            return next((f"nothing is called '{word}'" for word in map(last, found[1].split("::"))
                         if word not in self.words), None)
        if (found := NAME.fullmatch(text)) and found[1] not in self.words:
            return f"nothing is called '{found[1]}'"
        return None


def check(tree):
    names = Names(tree)
    for path in tree.paths:
        if not path.endswith(".md"):
            continue
        for number, line in prose(tree.lines(path)):
            for text in TICKED.findall(line):
                if message := names.missing(text):
                    yield path, number, message
            for name, link in IN_FILE.findall(line):
                target = os.path.normpath(os.path.join(os.path.dirname(path), link))
                if target in tree.paths and last(name) not in names.words_of(target):
                    yield path, number, f"'{name}' is not in {target}"
            for file, name in FILE_HAS.findall(line):
                if file in names.files and not any(last(name) in names.words_of(place)
                                                   for place in names.files[file]):
                    yield path, number, f"'{name}' is not in {file}"
