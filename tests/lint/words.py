"""The field's words, and no coined ones: what WORDS refuses, and what to write instead.

Names of files and identifiers count by their parts: `take_orphan` and `LateEntry` have two each.
"behind" and "in front of" are for places: a noun of PLACES follows within four words. For time and
order write "after" and "before".

Not seen: a coined meaning of a common word ("points" for suspend points, "who" for a value).
"""
import re

EXEMPT = ("tests/lint/words.py", "tests/lint/lint_test.py")

PLACES = r"(?:array|page|guard|memory|stack pointer|screen|parenthesis|bracket|name|operand)s?"
PLACE = rf"(?! (?:[\w']+ ){{0,3}}{PLACES}\b)"

# What is refused, in small letters and with a blank between the parts of a name; what to write;
# where, if not everywhere.
WORDS = (
    (r"thefts?", "steal"),
    (rf"(?<!left )behind{PLACE}", "after"),
    (rf"in front of{PLACE}", "before"),
    (r"g[ia]ve[sn]? back|giving back|dirtied", "release (of pages: decommit), touched"),
    (r"(?:comes?|came|coming) to rest", "suspend"),
    (r"keeps? pages|debts?", "cancel the trim, deferred trim"),
    (r"rosters?", "worker registry"),
    (r"heirs?", "hand-off target"),
    (r"gifts?", "grant"),
    (r"orphan(?:s|ed)?", "ownerless frame"),
    (r"elsewhere (?:h|cpp)\b|class elsewhere|elsewhere (?:leave|put)", "affinity hint"),
    (r"thrift", "steal back-off"),
    (r"(?<!in )(?<!of )(?<!first )sights?", "stability probe"),
    (r"fleeting", "transient"),
    (r"ripe", "stable"),
    (r"(?<!suspend )crossings?", "values live across a suspend point"),
    (r"shadows?(?! (?:call|stack|memory|calls)\b)", "demoted slot"),
    (r"whole loops?", "small-loop version"),
    (r"late (?:entry|entries|module|modules)", "split entry"),
    (r"unmade", "conditional cleanup"),
    (r"(?:sync|raise) outside|outside (?:h|cpp)\b", "pass-through sync"),
    (r"rounds", "trip count, iterations", ("clang-plugin/", "tests/pass/")),
    (r"(?:take|put|held) slots?|slot count|most slots", "worker", ("runtime/", "tests/unit/")),
)
ANY = re.compile(rf"\b(?:{'|'.join(f'({row[0]})' for row in WORDS)})\b")
PARTS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[_./-]+")


def found_in(path, text):
    """(line, what is refused, what to write) in a text of `path`."""
    words = re.sub(r" +", " ", PARTS.sub(" ", text)).lower()
    for found in ANY.finditer(words):
        row = WORDS[found.lastindex - 1]
        if len(row) == 2 or path.startswith(row[2]):
            yield words.count("\n", 0, found.start()) + 1, found[0], row[1]


def check(tree):
    for path in tree.paths:
        if path not in EXEMPT:
            for text in (path, "\n".join(tree.lines(path))):
                for number, found, instead in found_in(path, text):
                    if found.startswith("shadow") and path.startswith("runtime/race/"):
                        continue  # of memory, the detectors' own word
                    yield path, number, f"'{found}': write {instead}"
