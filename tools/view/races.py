"""The answer to "Is it free of races?", from what the race detector writes (CILK_RACE_OUT=x.json,
docs/races.md)."""
from .fault import Fault

VERSION = 1
KEYS = {"memory", "later", "earlier", "parting", "remedy", "count"}
MOST_FRAMES = 30


def check(found, path):
    """What a recording holds of them."""
    if found.get("version") != VERSION or not isinstance(found.get("races"), list):
        raise Fault(f"'{path}' is not version {VERSION} of the race detector's JSON")
    if not all(KEYS <= set(race) for race in found["races"]):
        raise Fault(f"'{path}' is damaged: a race lacks one of {', '.join(sorted(KEYS))}")
    return {"races": found["races"], "unseen_spawn": found.get("unseen_spawn", "")}


def place(where, with_column=True):
    """As a compiler says it; code that the optimizer has moved has no line."""
    if not where.get("file"):
        return where.get("code") or "?"
    if not where.get("line"):
        return f"{where['file']} (no line)"
    column = f":{where['column']}" if with_column and where.get("column") else ""
    return f"{where['file']}:{where['line']}{column}"


def with_article(kind):
    return f"an {kind}" if kind == "update" else f"the {kind}" if " of " in kind else f"a {kind}"


def finding(race):
    later, earlier = race["later"], race["earlier"]
    return {"name": f"race on {race['memory'].replace('`', '')}", "site": place(later, False),
            "lost_percent": 0,
            "evidence": f"{with_article(later['kind']).capitalize()} at {place(later)} in "
            f"{later['function']} may run at the same time as {with_article(earlier['kind'])} at "
            f"{place(earlier)} in {earlier['function']}: {race['parting']}. Seen "
            f"{race['count']:,} times.",
            "remedy": race["remedy"][:1].upper() + race["remedy"][1:] + "."}


def stacks(number, race):
    """Both stacks up to the function that both share."""
    rows = []
    for which in ("later", "earlier"):
        access = race[which]
        for frame in access["stack"][:MOST_FRAMES]:
            rows.append([f"{which} {access['kind']}", place(frame), frame["function"],
                         frame["note"]])
    return {"title": f"Race {number}: both stacks, innermost first",
            "headings": ["access", "place", "function", "parts the strands"], "rows": rows}


def answer(races, unseen_spawn=""):
    made = {"key": "races", "question": "Is it free of races?", "charts": [],
            "tables": [stacks(number, race) for number, race in enumerate(races, 1)],
            "findings": [finding(race) for race in races], "caveats": []}
    if races:
        first = races[0]
        made["sentence"] = (f"No: {len(races)} pair{'s' if len(races) > 1 else ''} of accesses "
                            f"race on this input, the first on "
                            f"{first['memory'].replace('`', '')}.")
    elif unseen_spawn:
        made["sentence"] = (f"Not known: the spawn at {unseen_spawn} was compiled without "
                            "-fsanitize=cilk.")
    else:
        made["sentence"] = ("On this input, yes: no two accesses of instrumented code race, "
                            "whatever the schedule.")
        made["caveats"] = ["Another input may have races, and libraries that are not instrumented "
                           "were not watched."]
    if unseen_spawn:
        made["caveats"].append(f"What ran beside the spawn at {unseen_spawn} was not watched: "
                               "compile all files with -fsanitize=cilk.")
    return made
