"""Draws overhead, speed-up and peak memory, a row for each program and a dot for each model."""
from . import chart

# model: (its name, its colour)
TASKS = {
    "cilk": ("Nopal", "#1b6ca8"),
    "tbb": ("oneTBB", "#d68910"),
    "openmp": ("OpenMP tasks, libomp", "#c0392b"),
    "gomp": ("OpenMP tasks, libgomp", "#8e6bbf"),
}
LOOPS = {
    "cilk": ("Nopal", "#1b6ca8"),
    "static": ("OpenMP static", "#c0392b"),
    "dynamic": ("OpenMP dynamic", "#e6a39b"),
    "tbb-loop": ("oneTBB parallel_for", "#d68910"),
}
# title, workers, is it logarithmic, the value of a row
PANELS = (
    ("overhead: T1 / Tserial", 1, True, lambda row: row.get("overhead")),
    ("speed-up: T1 / T2", 2, False, lambda row: row.get("speedup")),
    ("peak memory, 2 workers, MiB", 2, True, lambda row: row["peak_kib"] / 1024),
)


def panels_of(summary, names, models):
    for title, workers, is_log, value in PANELS:
        series = []
        for model, (label, colour) in models.items():
            rows = [summary[name]["variants"].get(f"{model} {workers}") for name in names]
            points = [(value(row), index) for index, row in enumerate(rows) if row and value(row)]
            series.append(chart.Series(label, colour, points))
        yield chart.Panel(title, series, log_x=is_log, names=tuple(names),
                          height=80 + 14 * len(names))


def plot(summary, path):
    loops = [name for name in summary if any(f"{model} 2" in summary[name]["variants"]
                                             for model in ("static", "dynamic", "tbb-loop"))]
    tasks = [name for name in summary
             if name not in loops and "cilk 1" in summary[name]["variants"]]
    groups = [group for group in ((tasks, TASKS), (loops, LOOPS)) if group[0]]
    chart.write(path,
                [panel for names, models in groups for panel in panels_of(summary, names, models)],
                3)
