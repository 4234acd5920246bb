"""What changed between two recordings: times, shares, pathologies, and sites by place."""
from . import advice
from .markdown import cell

LEAST_CHANGE = 0.05


def change(before, after):
    if not before or not after:
        return ""
    return f"{100 * (after / before - 1):+.0f} %"


def number(value):
    return "" if value is None else f"{value:,.1f}"


def lines_of(headings, rows):
    yield "| " + " | ".join(headings) + " |"
    yield "|" + "---|" * len(headings)
    for row in rows:
        yield "| " + " | ".join(map(cell, row)) + " |"
    yield ""


def verdict(old, new, old_found, new_found):
    counts = [count for count in new.counts if count in old.runs]
    if not counts:
        return "The two have no worker count in common."
    count = max([one for one in counts if one <= new.processors], default=counts[-1])
    ratio = new.wall(count) / old.wall(count)
    if ratio > 1 + LEAST_CHANGE:
        said = f"With {count} workers the second is {ratio:.2f} times slower."
    elif ratio < 1 - LEAST_CHANGE:
        said = f"With {count} workers the second is {1 / ratio:.2f} times faster."
    else:
        said = f"With {count} workers there is no difference ({100 * (ratio - 1):+.0f} %)."
    commands = [figures.recording["command"] for figures in (old, new)]
    # A file of CILK_STATS does not know the arguments, nor the processor time.
    are_known = all(figures.of(count, "cpu_ns") is not None for figures in (old, new))
    if are_known and commands[0][1:] != commands[1][1:]:
        said += (" But the commands differ: `" + "` and `".join(map(" ".join, commands)) + "`.")
    before, after = ({one["name"] for one in found} for found in (old_found, new_found))
    if after - before:
        said += f" New: {', '.join(sorted(after - before))}."
    if before - after:
        said += f" Gone: {', '.join(sorted(before - after))}."
    return said


def heaviest(old, new):
    """By what sites are compared, and its key: the most exact that both have."""
    if old.span and new.span:
        return "own work", "own_ns"
    if all(figures.site_work(figures.full) for figures in (old, new)):
        return "work", "sampled_ns"
    return "stolen", "stolen_ns"


def compare(before, after):
    old, old_found, _ = advice.judge(before)
    new, new_found, _ = advice.judge(after)
    lines = ["# Before and after", "", verdict(old, new, old_found, new_found), ""]
    rows = []
    for count in sorted(set(old.counts) & set(new.counts)):
        for name, scale, one, other in (
                ("time, ms", 1e6, old.wall(count), new.wall(count)),
                ("work, processor ms", 1e6, old.total(count, "working_cpu_ns"),
                 new.total(count, "working_cpu_ns")),
                ("search, ms", 1e6, old.total(count, "stealing_ns"),
                 new.total(count, "stealing_ns")),
                ("steals", 1, old.total(count, "steals"), new.total(count, "steals"))):
            rows.append([str(count), name, number(one / scale), number(other / scale),
                         change(one, other)])
    lines += lines_of(["workers", "what", "before", "after", "change"], rows)
    what, name = heaviest(old, new)
    sites_before = {(row["place"].split(":")[0], row["full_name"], rank): row
                    for rank, row in ranked(old.sites())}
    sites_after = {(row["place"].split(":")[0], row["full_name"], rank): row
                   for rank, row in ranked(new.sites())}
    rows = []
    for key in sorted(set(sites_before) | set(sites_after)):
        one, other = sites_before.get(key), sites_after.get(key)
        weights = [(row or {}).get(name) for row in (one, other)]
        if not any([*weights, (one or {}).get("steals"), (other or {}).get("steals")]):
            continue  # it did nothing in both
        rows.append((abs((weights[1] or 0) - (weights[0] or 0)), [
            (other or one)["place"], (other or one)["function"],
            number((one or {}).get("steals")), number((other or {}).get("steals")),
            number(weights[0] / 1e6 if weights[0] is not None else None),
            number(weights[1] / 1e6 if weights[1] is not None else None), change(*weights)]))
    rows.sort(key=lambda row: -row[0])
    lines += lines_of(["site", "function", "steals before", "after", f"{what} ms before", "after",
                       "change"], [row for _, row in rows[:20]])
    return "\n".join(lines)


def ranked(rows):
    """A function's sites in the order of its text, so that moved lines still match."""
    seen = {}
    for row in sorted(rows, key=lambda row: (row["full_name"], len(row["place"]), row["place"])):
        rank = seen.get(row["full_name"], 0)
        seen[row["full_name"]] = rank + 1
        yield rank, row
