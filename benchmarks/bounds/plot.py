"""Draws times against T1/P + c*Tinf, thefts against P*Tinf, and the grain's curve, as SVG. Used by run.py --svg; needs matplotlib."""
import pathlib

import matplotlib

import fit

matplotlib.use("svg")
matplotlib.rcParams["svg.hashsalt"] = "nopal"  # the same file from the same numbers
from matplotlib import pyplot  # noqa: E402

COLOURS = {"tree": "#1b6ca8", "skewed": "#c0392b", "sum": "#d68910", "mergesort": "#8e6bbf", "parallel_merge": "#2e8b57"}


def scatter(axis, rows, x, what, scale=1.0, marker="o"):
    for program, colour in COLOURS.items():
        mine = [row for row in rows if row["program"] == program]
        spreads = [row[what + "_spread"] for row in mine]
        axis.errorbar([x(row) for row in mine], [s["median"] * scale for s in spreads],
                      [[(s["median"] - s["low"]) * scale for s in spreads], [(s["high"] - s["median"]) * scale for s in spreads]],
                      fmt=marker, color=colour, markersize=3.5, linewidth=0.8, label=program)


def diagonal(axis, label):
    low, high = (max(axis.get_xlim()[0], 1e-3), axis.get_xlim()[1])
    axis.plot([low, high], [low, high], ":", color="#555", linewidth=1, label=label)


def plot(rows, path: pathlib.Path):
    figure, (times, thefts, looks, grains) = pyplot.subplots(1, 4, figsize=(17, 4.2))
    timed, parallel = fit.timed(rows), [row for row in rows if row["workers"] > 1]
    if len(timed) > 2:
        c = fit.fit_span([(row["seconds_spread"]["median"], row["t1"] / row["workers"], row["tinf"]) for row in timed])
        scatter(times, timed, lambda row: 1e3 * (row["t1"] / row["workers"] + c * row["tinf"]), "seconds", 1e3)
        times.set(title=f"T_P against T1/P + {c:.1f} T∞, ms ({len(timed)} rows)", xlabel="T1/P + c T∞", ylabel="T_P", xscale="log", yscale="log")
        diagonal(times, "equal")
    for axis, what in ((thefts, "steals"), (looks, "attempts")):
        scatter(axis, parallel, lambda row: row["bound"], what)
        axis.set(title=f"{what} against P T∞, P = {', '.join(map(str, sorted({row['workers'] for row in parallel})))}", xlabel="P T∞, units", xscale="log")
        axis.set_yscale("symlog")
        diagonal(axis, "equal")
    for workers in sorted({row["workers"] for row in rows if row["is_timed"]}):
        mine = [row for row in rows if row["program"] == "sum" and row["workers"] == workers]
        spreads = [row["seconds_spread"] for row in mine]
        grains.plot([row["number"] for row in mine], [1e3 * s["median"] for s in spreads], "o-", markersize=3.5, label=f"P = {workers}")
        grains.fill_between([row["number"] for row in mine], [1e3 * s["low"] for s in spreads], [1e3 * s["high"] for s in spreads], alpha=0.2)
    grains.set(title="sum of 4 million numbers, eight times", xlabel="grain", ylabel="ms", xscale="log", yscale="log")
    for axis in (times, thefts, looks, grains):
        axis.grid(alpha=0.25)
        axis.title.set_fontsize(10)
        axis.legend(fontsize=7)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})
