"""Draws overhead, speed-up and peak memory side by side, a bar a model, as SVG. Used by run.py --svg; needs matplotlib."""
import math
import pathlib

# model: (its name, its colour)
MODELS = {
    "cilk": ("Nopal", "#1b6ca8"),
    "tbb": ("oneTBB", "#d68910"),
    "openmp": ("OpenMP tasks, libomp", "#c0392b"),
    "gomp": ("OpenMP tasks, libgomp", "#8e6bbf"),
    "static": ("OpenMP static", "#c0392b"),
    "dynamic": ("OpenMP dynamic", "#e6a39b"),
    "tbb-loop": ("oneTBB parallel_for", "#d68910"),
}
LOOPS = ("static", "dynamic", "tbb-loop")


def panel(axis, summary, names, models, workers, value, title, ideal):
    width = 0.8 / len(models)
    for index, model in enumerate(models):
        label, colour = MODELS[model]
        values = []
        for name in names:
            row = summary[name]["variants"].get(f"{model} {workers}", {})
            values.append(value(row) if row else math.nan)
        axis.barh([place + width * index for place in range(len(names))], values, width, color=colour, label=label)
    axis.axvline(ideal, color="#555", linewidth=0.8, linestyle=":")
    axis.set_yticks([place + 0.4 - width / 2 for place in range(len(names))], names, fontsize=8)
    axis.invert_yaxis()
    axis.set_title(title, fontsize=10)
    axis.grid(axis="x", alpha=0.25)


def plot(summary, path: pathlib.Path):
    import matplotlib
    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "nopal"  # the same file from the same numbers
    from matplotlib import pyplot

    def has(name, model):
        return f"{model} 2" in summary[name]["variants"] or f"{model} 1" in summary[name]["variants"]

    loops = [name for name in summary if any(has(name, model) for model in LOOPS)]
    tasks = [name for name in summary if name not in loops and has(name, "cilk")]
    groups = [group for group in ((tasks, ("cilk", "tbb", "openmp", "gomp")), (loops, ("cilk", *LOOPS))) if group[0]]
    if not groups:
        return
    figure, axes = pyplot.subplots(len(groups), 3, figsize=(15, 1.5 + 0.42 * sum(len(names) + 2 for names, _ in groups)), squeeze=False,
                                   gridspec_kw={"height_ratios": [len(names) + 1 for names, _ in groups]})
    for line, (names, models) in zip(axes, groups):
        panel(line[0], summary, names, models, 1, lambda row: row.get("overhead", math.nan), "overhead: T1 / Tserial", 1)
        line[0].set_xscale("log")
        panel(line[1], summary, names, models, 2, lambda row: row.get("speedup", math.nan), "speed-up: T1 / T2", 2)
        panel(line[2], summary, names, models, 2, lambda row: row["peak_kib"] / 1024, "peak memory, 2 workers, MiB", 0)
        line[2].set_xscale("log")
        line[0].legend(fontsize=7, frameon=False, loc="best")
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})
