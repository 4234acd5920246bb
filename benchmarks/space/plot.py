"""Draws peak resident stack against P·S1, a panel for each program. Used by run.py --svg."""
from harness import chart

MODELS = {"nopal": ("Nopal", "#1b6ca8"), "openmp": ("OpenMP tasks (libomp)", "#c0392b"),
          "tbb": ("oneTBB task_group", "#d68910")}


def plot(rows, path):
    panels = []
    for program, size in dict.fromkeys((row["program"], row["size"]) for row in rows
                                       if not row["chaos"]):
        of = {model: [row for row in rows
                      if (row["program"], row["model"], row["chaos"]) == (program, model, False)]
              for model in MODELS}
        line = lambda model, value: [(row["workers"], value(row) / 1024) for row in of[model]]
        series = [chart.Series(name, colour, line(model, lambda row: row["peak_resident"]), "solid")
                  for model, (name, colour) in MODELS.items()]
        series.append(chart.Series("P·S₁ of Nopal", "#555",
                                   line("nopal", lambda row: row["s1"] * row["workers"]),
                                   "dotted", marks=False))
        panels.append(chart.Panel(f"{program} {size:,}", series, "workers P",
                                  "peak resident stack, KiB"))
    chart.write(path, panels)
