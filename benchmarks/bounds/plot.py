"""Draws times against T1/P + c*Tinf, steals against P*Tinf, and the grain's curve. Used by run.py
--svg."""
from harness import chart

import fit

COLOURS = {"tree": "#1b6ca8", "skewed": "#c0392b", "sum": "#d68910", "mergesort": "#8e6bbf",
           "parallel_merge": "#2e8b57"}


def scatter(title, x, y, rows, place, value):
    series = [chart.Series(program, colour,
                           [(place(row), value(row)) for row in rows if row["program"] == program])
              for program, colour in COLOURS.items()]
    ends = [place(row) for row in rows]
    equal = chart.Series("equal", "#555", [(end, end) for end in (min(ends), max(ends))], "dotted",
                         marks=False)
    return chart.Panel(title, [*series, equal], x, y)


def plot(rows, path):
    median = lambda row, what: row[what + "_spread"]["median"]
    timed, parallel = fit.timed(rows), [row for row in rows if row["workers"] > 1]
    panels = []
    if len(timed) > 2:
        c = fit.fit_span([(median(row, "seconds"), row["t1"] / row["workers"], row["tinf"])
                          for row in timed])
        panels.append(scatter("time with P workers", f"T1/P + {c:.1f} T∞, ms", "ms", timed,
                              lambda row: 1e3 * (row["t1"] / row["workers"] + c * row["tinf"]),
                              lambda row: 1e3 * median(row, "seconds")))
    for what in ("steals", "attempts"):
        panels.append(scatter(what, "P T∞, units", what, parallel, lambda row: row["bound"],
                              lambda row: max(1, median(row, what))))
    grains = []
    for workers, colour in zip(sorted({row["workers"] for row in rows if row["is_timed"]}),
                               COLOURS.values()):
        points = [(row["number"], 1e3 * median(row, "seconds")) for row in rows
                  if row["program"] == "sum" and row["workers"] == workers]
        grains.append(chart.Series(f"P = {workers}", colour, points, "solid"))
    panels.append(chart.Panel("sum of 4 million numbers, eight times", grains, "grain", "ms"))
    chart.write(path, panels)
