"""Constants of the theorems with their intervals, from the rows of nopal-sim. For run.py.

    python3 benchmarks/policies/fit.py          checks itself on made-up rows

A range is the 2.5 and the 97.5 percentile of runs. An interval is those of a fit over 1,000
resamplings of the cells (bootstrap, with a fixed seed). A cell is a program with a number of
workers: its seeds are alike, so they are drawn together.
"""
import math
import random
import statistics


LEAST_SPAN = 0.01  # of T_P, for the c of a cell
# Over the runtime with 64 workers: of the search for a steal (the aim), and of T_P / (T1/P).
MOST_SEARCH_GROWTH, MOST_TIME_GROWTH = 2, 1.5
MOST_OF_SPAN = 1.01  # T_P of Remark 1, whose critical path no steal-back shortens


def percentile(values, part):
    ordered = sorted(values)
    place = part * (len(ordered) - 1)
    low = math.floor(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


def over_runs(values):
    return {"median": percentile(values, 0.5), "low": percentile(values, 0.025),
            "high": percentile(values, 0.975), "most": max(values), "runs": len(values)}


def fit_span(points):
    """c that makes the relative errors of T_P = T1/P + c*Tinf least, in squares."""
    return (sum((t - w) * s / t ** 2 for t, w, s in points) /
            sum((s / t) ** 2 for t, w, s in points))


def exponent(points):
    """The slope of a line through (log x, log y)."""
    logs = [(math.log(x), math.log(y)) for x, y in points]
    mx, my = (statistics.fmean(v[i] for v in logs) for i in (0, 1))
    return sum((x - mx) * (y - my) for x, y in logs) / sum((x - mx) ** 2 for x, _ in logs)


def fit_cells(cells, fitted):
    return fitted([point for cell in cells for point in cell])


def bootstrap(cells, fitted, resamplings=1000):
    """`cells`: lists of points. Whole cells are drawn."""
    draw = random.Random(1)
    values = [fit_cells(draw.choices(cells, k=len(cells)), fitted) for _ in range(resamplings)]
    return {"value": fit_cells(cells, fitted), "low": percentile(values, 0.025),
            "high": percentile(values, 0.975), "cells": len(cells)}


def over_cells(cells):
    """c of each cell alone. In cells where Tinf is a tiny part of T_P, c is the quotient of two
    small numbers. They count in the fit by their part squared, which is next to nothing, and not
    here."""
    values = [fit_span(cell) for cell in cells
              if statistics.median(s / t for t, _, s in cell) >= LEAST_SPAN]
    return {"low": min(values, default=math.nan), "high": max(values, default=math.nan),
            "cells": len(values)}


def by(rows, *names):
    parts = {}
    for row in rows:
        parts.setdefault(tuple(row[name] for name in names), []).append(row)
    return parts


def parameter(row, name):
    words = dict(item.split("=") for item in row["program"].partition(":")[2].split(","))
    return int(words[name])


def bounds(rows):
    table = []
    for (policy, options), mine in by(rows, "policy", "options").items():
        cells = [[(r["time_ns"], r["t1_ns"] / r["workers"], r["span_ns"]) for r in cell]
                 for cell in by(mine, "program", "workers").values()]
        table.append({
            "policy": policy, "has_word_costs": "unit-words" in options, "runs": len(mine),
            "span": bootstrap(cells, fit_span), "cells": over_cells(cells),
            "attempts": over_runs([r["attempts"] / (r["workers"] * r["span_ns"]) for r in mine]),
            "steals": over_runs([(r["general_steals"] + r["steal_backs"]) /
                                 (r["workers"] * r["span_ns"]) for r in mine]),
            "space": max(r["peak_stack_bytes"] / (r["workers"] * r["s1_bytes"]) for r in mine)})
    return table


def space(rows):
    """Where all leaves are as deep as can be."""
    return [{"policy": policy, "runs": len(mine),
             "most": max(r["peak_stack_bytes"] / (r["workers"] * r["s1_bytes"]) for r in mine)}
            for (policy,), mine in by(rows, "policy").items()]


def by_workers(rows):
    return [{"policy": policy, "workers": workers,
             "span": over_runs([(r["time_ns"] - r["t1_ns"] / workers) / r["span_ns"]
                                for r in mine]),
             "attempts": over_runs([r["attempts"] / (workers * r["span_ns"]) for r in mine])}
            for (policy, workers), mine in sorted(by(
                [r for r in rows if not r["options"]], "policy", "workers").items())]


def configuration(options):
    return "paper" if "--general 0" in options else "shipped"


def remark1(rows):
    return [{"as": configuration(options), "policy": policy,
             "time": over_runs([r["time_ns"] / r["span_ns"] for r in mine]),
             "general": over_runs([r["general_steals"] for r in mine]),
             "backs": over_runs([r["steal_backs"] for r in mine])}
            for (options, policy), mine in by(rows, "options", "policy").items()]


def steal_backs(rows):
    table = []
    for (program, workers, options, policy), mine in by(rows, "program", "workers", "options",
                                                         "policy").items():
        m, height = parameter(mine[0], "m"), parameter(mine[0], "depth")
        least = min(m, height)
        table.append({
            "as": configuration(options), "policy": policy, "workers": workers, "m": m,
            "height": height,
            "backs_a_general": over_runs([r["back_attempts"] / max(1, r["general_steals"])
                                          for r in mine]),
            "constant": over_runs([r["back_attempts"] / (workers * r["span_ns"] * least)
                                   for r in mine])})
    return table


def explosion(rows):
    result = {"rows": [], "exponents": {}}
    for row in rows:
        height = parameter(row, "height")
        expected = sum((2 ** f - 1) * (height - f)
                       for f in (i.bit_length() - 1 for i in range(1, row["workers"] + 1)))
        result["rows"].append({
            "policy": row["policy"], "workers": row["workers"], "height": height,
            "general": row["general_steals"], "backs": row["steal_backs"],
            "predicted": expected if row["policy"] == "localized" else row["general_steals"],
            "constant": row["steal_backs"] / (row["workers"] ** 2 * height)})
    tall = max(r["height"] for r in result["rows"])
    for policy in ("localized", "mugging"):
        for what in ("general", "backs"):
            # P = 2^k - 1 is the end of a step of floor(lg i), so powers of two are alike.
            points = [(r["workers"], r[what]) for r in result["rows"]
                      if r["policy"] == policy and r["height"] == tall and r["workers"] >= 16]
            result["exponents"][f"{policy} {what}"] = exponent(points)
    return result


def pile_up(rows):
    return [{"as": configuration(options), "policy": policy, "workers": workers,
             "mean": over_runs([r["pile_up"] for r in mine]),
             "time": over_runs([r["time_ns"] / (r["t1_ns"] / workers) for r in mine])}
            for (options, policy, workers), mine in by(rows, "options", "policy",
                                                       "workers").items()]


def machine(rows):
    """With costs that grow with distance: time, and how far and how long thieves go."""
    return [{"program": shown(program), "policy": policy, "workers": workers,
             "time": over_runs([r["time_ns"] * workers / r["t1_ns"] for r in mine]),
             "attempts": over_runs([r["attempts"] / (r["general_steals"] + r["steal_backs"])
                                    for r in mine]),
             "near": over_runs([r["steals_at_level"][0] / sum(r["steals_at_level"])
                                for r in mine])}
            for (program, workers, policy), mine in by(rows, "program", "workers",
                                                       "policy").items()]


def with_work(row):
    """Search time a steal in us, without the failed attempts while no deque had anything."""
    time = (row["steal_ns"] + row["look_ns"] + row["overhead_ns"] +
            row["fail_ns"] * (1 - row["without_work"]))
    return time / row["general_steals"] / 1000


def fixed(rows):
    """The work stays as it is while the workers grow."""
    table = []
    for (program, workers), mine in by(rows, "program", "workers").items():
        table.append({"program": shown(program), "workers": workers,
                      "slackness": mine[0]["t1_ns"] / mine[0]["span_ns"] / workers,
                      "search": over_runs([r["search_ns_a_steal"] / 1000 for r in mine]),
                      "steal": over_runs([r["steal_ns"] / r["general_steals"] / 1000
                                          for r in mine]),
                      "without_work": over_runs([r["without_work"] for r in mine]),
                      "with_work": over_runs([with_work(r) for r in mine]),
                      "time": over_runs([r["time_ns"] * workers / r["t1_ns"] for r in mine])})
    for row in table:
        least = next(r for r in table if r["workers"] == 64 and r["program"] == row["program"])
        for name in ("search", "with_work"):
            row[f"{name}_growth"] = row[name]["median"] / least[name]["median"]
    return table


def shown(program):
    name, _, more = program.partition(":")
    values = dict(item.split("=") for item in more.split(","))
    return name + (f", {int(values['serial']) / 1e6:g} ms serial" if "serial" in values else
                   " T3" if values.get("kind") == "binomial" else "")


def search(rows):
    """Processor time for the search, over steals; the work grows with the workers. Growth is over
    the runtime's with 64."""
    table = []
    for (options, workers, program), mine in by(rows, "options", "workers", "program").items():
        table.append({"program": shown(program), "workers": workers,
                      "mend": options.partition("--mend ")[2],
                      "search": over_runs([r["search_ns_a_steal"] / 1000 for r in mine]),
                      "time": over_runs([r["time_ns"] * workers / r["t1_ns"] for r in mine])})
    for row in table:
        least = next(r for r in table if (r["workers"], r["program"], r["mend"]) ==
                     (64, row["program"], "all"))
        row["growth"] = row["search"]["median"] / least["search"]["median"]
        row["slower"] = row["time"]["median"] / least["time"]["median"]
    return table


def is_grown(row):
    return row["growth"] > MOST_SEARCH_GROWTH or row["slower"] > MOST_TIME_GROWTH


def feedback(rows):
    table = []
    for (program, workers, options), mine in by(rows, "program", "workers", "options").items():
        delta = (0.5 if "--delta 0.5" in options else 0.8 if "a-steal" in options else
                 0.9 if "runtime" in options else None)
        waste = over_runs([(r["active_ns"] - r["work_ns"]) / r["work_ns"] for r in mine])
        table.append({
            "serial": parameter(mine[0], "serial"), "workers": workers, "delta": delta,
            "rule": ("fixed P" if delta is None else f"A-STEAL, delta {delta}, 50 us"
                     if "a-steal" in options else "as the runtime: delta 0.9, 1 ms"),
            "time": over_runs([r["time_ns"] for r in mine]), "waste": waste,
            "bound": None if delta is None else (1 + 2 - delta) / delta})
    for row in table:
        fixed = next(r for r in table if r["delta"] is None and
                     (r["serial"], r["workers"]) == (row["serial"], row["workers"]))
        row["slower"] = row["time"]["median"] / fixed["time"]["median"]
    return table


def broken(summary):
    """Bounds without a constant, which each row must keep."""
    lines = [f"{r['policy']}: live frames take {r['space']:.2f} of P*S1"
             for r in summary["bounds"] if r["space"] > 1]
    lines += [f"deep, {r['policy']}: live frames take {r['most']:.2f} of P*S1"
              for r in summary["space"] if r["most"] > 1]
    lines += [f"remark1, {r['policy']}: T_P is {r['time']['most']:.3f} Tinf"
              for r in summary["remark1"] if r["time"]["most"] > MOST_OF_SPAN]
    lines += [f"mugging: {r['backs_a_general']['most']:.2f} steal-backs a general steal"
              for r in summary["steal_backs"]
              if r["policy"] == "mugging" and r["backs_a_general"]["most"] > 1]
    lines += [f"remark2, {r['policy']}, P = {r['workers']}: {r['backs']} steal-backs, "
              f"{r['predicted']} predicted"
              for r in summary["explosion"]["rows"] if r["backs"] != r["predicted"]]
    lines += [f"search, {r['program']}: {r['workers']} workers search {r['growth']:.2f} times as "
              f"long for a steal as 64, and take {r['slower']:.2f} times as long"
              for r in summary["search"] if r["mend"] == "all" and is_grown(r)]
    lines += [f"search with --mend {mend}: nothing has grown, so nothing notices what it leaves out"
              for mend in sorted({r["mend"] for r in summary["search"]} - {"all"})
              if not any(is_grown(r) for r in summary["search"] if r["mend"] == mend)]
    lines += [f"feedback: waste of {r['waste']['most']:.2f} T1, bound {r['bound']:.2f}"
              for r in summary["feedback"]
              if r["bound"] is not None and r["waste"]["most"] > r["bound"]]
    return lines


def summary(rows):
    result = {"bounds": bounds(rows["bounds"]), "space": space(rows["space"]),
              "by_workers": by_workers(rows["bounds"]),
              "machine": machine(rows["machine"]), "search": search(rows["search"]),
              "fixed": fixed([r for r in rows["machine"] + rows["fixed"]
                              if r["policy"] == "random"]),
              "steal_backs": steal_backs(rows["steal_backs"]), "remark1": remark1(rows["remark1"]),
              "explosion": explosion(rows["explosion"]), "pile_up": pile_up(rows["pile_up"]),
              "feedback": feedback(rows["feedback"])}
    return result | {"broken": broken(result)}


def span_of(figure):
    middle = figure.get("median", figure.get("value"))
    return f"{middle:.2f} ({figure['low']:.2f} to {figure['high']:.2f})"


def table(heading, rows):
    lines = ["| " + " | ".join(heading) + " |", "|" + "---|" * len(heading)]
    return lines + ["| " + " | ".join(map(str, row)) + " |" for row in rows] + [""]


def markdown(s):
    lines = table(
        ("policy", "c of T_P = T1/P + c Tinf (95 % interval)", "c of single cells",
         "attempts / (P Tinf) (95 % of runs)", "steals / (P Tinf) (95 % of runs)",
         "most stack / (P S1)", "runs"),
        [(r["policy"] + (", words cost" if r["has_word_costs"] else ""), span_of(r["span"]),
          f"{r['cells']['low']:.2f} to {r['cells']['high']:.2f}, {r['cells']['cells']} of "
          f"{r['span']['cells']}", span_of(r["attempts"]), span_of(r["steals"]),
          f"{r['space']:.2f}", r["runs"]) for r in s["bounds"]])
    lines += table(("policy", "most stack / (P S1) in deep", "runs"),
                   [(r["policy"], f"{r['most']:.3f}", r["runs"]) for r in s["space"]])
    lines += table(("policy", "P", "(T_P - T1/P) / Tinf", "attempts / (P Tinf)"),
                   [(r["policy"], r["workers"], span_of(r["span"]), span_of(r["attempts"]))
                    for r in s["by_workers"] if r["policy"] in ("random", "nearest", "localized")])
    lines += table(("program", "P", "policy", "T_P / (T1/P)", "attempts a steal",
                    "steals within the node"),
                   [(r["program"], r["workers"], r["policy"], span_of(r["time"]),
                     f"{r['attempts']['median']:.1f}", f"{r['near']['median']:.2f}")
                    for r in s["machine"]])
    lines += table(("program", "mends", "P", "search/us a steal", "over the runtime's with 64",
                    "T_P / (T1/P)", "over the runtime's with 64"),
                   [(r["program"], r["mend"], r["workers"], span_of(r["search"]),
                     f"{r['growth']:.2f}", span_of(r["time"]), f"{r['slower']:.2f}")
                    for r in s["search"]])
    lines += table(("fixed work", "P", "T1 / (P Tinf)", "T_P / (T1/P)", "search/us a steal",
                    "over 64", "the steal alone/us", "attempts while nobody has anything",
                    "search while somebody has/us", "over 64"),
                   [(r["program"], r["workers"], f"{r['slackness']:.1f}",
                     f"{r['time']['median']:.2f}", f"{r['search']['median']:.1f}",
                     f"{r['search_growth']:.1f}", f"{r['steal']['median']:.1f}",
                     f"{100 * r['without_work']['median']:.0f} %",
                     f"{r['with_work']['median']:.1f}", f"{r['with_work_growth']:.1f}")
                    for r in s["fixed"]])
    lines += table(("Remark 1, as", "policy", "T_P / Tinf", "general steals", "steal-backs"),
                   [(r["as"], r["policy"], f"{r['time']['median']:.3f}", span_of(r["general"]),
                     span_of(r["backs"])) for r in s["remark1"]])
    lines += table(("as", "policy", "P", "M", "T'inf", "steal-backs a general steal",
                    "steal-backs / (P Tinf min(M, T'inf))"),
                   [(r["as"], r["policy"], r["workers"], r["m"], r["height"],
                     span_of(r["backs_a_general"]), f"{r['constant']['median']:.4f}")
                    for r in s["steal_backs"]])
    lines += table(("policy", "P", "T'inf", "general steals", "steal-backs", "predicted",
                    "steal-backs / (P^2 T'inf)"),
                   [(r["policy"], r["workers"], r["height"], r["general"], r["backs"],
                     r["predicted"], f"{r['constant']:.3f}") for r in s["explosion"]["rows"]])
    lines += table(("Remark 2", "exponent of P"),
                   [(name, f"{value:.2f}") for name, value in s["explosion"]["exponents"].items()])
    lines += table(("as", "policy", "P", "pile-up", "T_P / (T1/P)"),
                   [(r["as"], r["policy"], r["workers"], span_of(r["mean"]), span_of(r["time"]))
                    for r in s["pile_up"]])
    lines += table(("serial part, ns", "P", "rule", "waste / T1", "its bound", "T_P / fixed P"),
                   [(r["serial"], r["workers"], r["rule"], span_of(r["waste"]),
                     "" if r["bound"] is None else f"{r['bound']:.2f}", f"{r['slower']:.3f}")
                    for r in s["feedback"]])
    return "\n".join(lines)


if __name__ == "__main__":
    made_up = [(w + 3 * s, w, s) for w, s in ((1, 0.1), (2, 0.01), (0.5, 0.2))]
    assert abs(fit_span(made_up) - 3) < 1e-9
    assert abs(exponent([(x, 5 * x ** 2) for x in (2, 4, 8)]) - 2) < 1e-9
    assert percentile([1, 2, 3], 0.5) == 2 and percentile([0, 10], 0.975) == 9.75
    cells = [[(10 + c, 10, 1)] * 30 for c in (1, 3)]  # two cells say little, however many seeds
    assert bootstrap(cells, fit_span)["low"] < 1.01 and bootstrap(cells, fit_span)["high"] > 2.99
    assert over_cells(cells + [[(1000, 900, 1)]])["cells"] == 2  # Tinf is a thousandth of T_P
    good = {"bounds": [{"policy": "p", "space": 0.9}],
            "space": [{"policy": "p", "most": 0.99}],
            "remark1": [{"policy": "p", "time": {"most": 1.001}}],
            "feedback": [{"bound": 2.5, "waste": {"most": 2}}],
            "search": [{"program": "p", "mend": mend, "workers": 1024, "growth": growth,
                        "slower": slower} for mend, growth, slower in
                       (("all", 1.9, 1.4), ("none", 9, 1), ("tree,late", 1, 9))],
            "steal_backs": [{"policy": "mugging", "backs_a_general": {"most": 1}}],
            "explosion": {"rows": [{"policy": "localized", "workers": 8, "backs": 5,
                                    "predicted": 5}]}}
    assert broken(good) == []
    good["space"][0]["most"] = 1.01
    good["remark1"][0]["time"]["most"] = 1.2
    good["search"][2]["slower"] = 1  # leaving out the fences changes nothing
    assert len(broken(good)) == 3
    good["bounds"][0]["space"] = 1.1
    good["feedback"][0]["waste"]["most"] = 3
    good["steal_backs"][0]["backs_a_general"]["most"] = 1.01
    good["explosion"]["rows"][0]["backs"] = 6
    good["search"][0]["growth"] = 2.1
    assert len(broken(good)) == 8
