"""Draws peak resident stack against P·S1, a panel a program, as SVG. Used by run.py --svg; needs matplotlib."""
import pathlib

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams["svg.hashsalt"] = "nopal"  # the same file from the same numbers
from matplotlib import pyplot  # noqa: E402

COLOURS = {"nopal": "#1b6ca8", "chaos": "#7fb3d5", "openmp": "#c0392b", "tbb": "#d68910"}
NAMES = {"nopal": "Nopal", "chaos": "Nopal, chaos 1 (smaller size)", "openmp": "OpenMP tasks (libomp)", "tbb": "oneTBB task_group"}


def plot(rows, path: pathlib.Path):
    programs = list(dict.fromkeys(row["program"] for row in rows))
    columns = 4
    lines = -(-len(programs) // columns)
    figure, axes = pyplot.subplots(lines, columns, figsize=(15, 3.6 * lines), squeeze=False)
    for axis in axes.flat[len(programs):]:
        axis.set_visible(False)
    for axis, program in zip(axes.flat, programs):
        for model in NAMES:
            mine = [r for r in rows if r["program"] == program and ("chaos" if r["chaos"] else r["model"]) == model]
            if not mine or model == "chaos":
                continue
            axis.plot([r["workers"] for r in mine], [r["peak_resident"] / 1024 for r in mine], "o-", color=COLOURS[model], label=NAMES[model],
                      markersize=3.5, linewidth=1.3)
            if model == "nopal":
                axis.plot([r["workers"] for r in mine], [r["s1"] * r["workers"] / 1024 for r in mine], ":", color="#555", label="P·S₁")
                axis.plot([r["workers"] for r in mine], [r["bound"] / 1024 for r in mine], "--", color="#999",
                          label="P·S₁ + P·64 KiB + 1 MiB")
        axis.set_xscale("log", base=2)
        axis.set_yscale("log")
        axis.set_title(f"{program} {mine_size(rows, program):,}", fontsize=10)
        axis.set_xlabel("workers P", fontsize=8)
        axis.set_ylabel("peak resident stack, KiB", fontsize=8)
        axis.grid(alpha=0.25)
    handles, labels = axes.flat[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="lower center", ncol=5, fontsize=9, frameon=False)
    figure.tight_layout(rect=(0, 0.05, 1, 1))
    figure.savefig(path, metadata={"Date": None})


def mine_size(rows, program):
    return next(r["size"] for r in rows if r["program"] == program and not r["chaos"])
