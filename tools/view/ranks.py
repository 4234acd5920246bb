"""The answer to "Which ranks worked?", from the files of a cluster program (CILK_STATS=x.json,
docs/cluster.md): x.ranks.json, and x.rank0.json and so on beside it."""
import glob
from pathlib import Path

from .fault import Fault

COUNTS = ("steps", "steals", "failed_steals", "lifelines", "bags_taken", "bags_given", "messages",
          "sent_bytes")
KEYS = {"rank", "workers", "busy_seconds", "run_seconds", *COUNTS}
MOST_WORKERS = 64  # bars of one chart


def check(found, path):
    ranks = found.get("ranks")
    if not isinstance(ranks, list) or not ranks or not all(KEYS <= set(one) for one in ranks):
        raise Fault(f"'{path}' has no ranks; it is written by rank 0 at the end")
    return ranks


def load_workers(path, read):
    """The workers of each rank whose statistics lie beside `path`: [rank, [worker, ...]], ..."""
    stem = Path(path).name.removesuffix(".ranks.json")
    found = []
    for file in Path(path).parent.glob(f"{glob.escape(stem)}.rank*.json"):
        number = file.name.removeprefix(f"{stem}.rank").removesuffix(".json")
        if number.isdigit():
            found.append([int(number), read(file, "a statistics file").get("workers", [])])
    return sorted(found)


def percent(one):
    whole = one["run_seconds"] * max(1, one["workers"])
    return 100 * one["busy_seconds"] / whole if whole > 0 else 0.0


def charts(ranks, workers):
    labels = [f"rank {one['rank']}" for one in ranks]
    busy = [round(one["busy_seconds"], 6) for one in ranks]
    idle = [round(max(0.0, one["run_seconds"] * one["workers"] - one["busy_seconds"]), 6)
            for one in ranks]
    yield {"name": "ranks", "kind": "bar", "title": "Time of each rank, all workers together",
           "labels": labels, "x": "s", "y": "", "stacked": True, "horizontal": True,
           "series": [{"name": "busy", "color": "good", "values": busy},
                      {"name": "idle", "color": "idle", "values": idle}]}
    rows = [(f"rank {rank}, worker {row['index']}", row) for rank, each in workers
            for row in each][:MOST_WORKERS]
    if len(rows) <= len(ranks):
        return
    kinds = (("work", "good", "working_ns"), ("search", "warn", "stealing_ns"),
             ("idle", "idle", "parked_ns"))
    yield {"name": "rank-workers", "kind": "bar", "title": "Time of each worker, by rank",
           "labels": [label for label, _ in rows], "x": "ms", "y": "", "stacked": True,
           "horizontal": True,
           "series": [{"name": name, "color": color,
                       "values": [round(row.get(key, 0) / 1e6, 2) for _, row in rows]}
                      for name, color, key in kinds]}


def answer(ranks, workers):
    shares = [percent(one) for one in ranks]
    least = min(range(len(ranks)), key=shares.__getitem__)
    whole = sum(one["run_seconds"] * one["workers"] for one in ranks)
    mean = 100 * sum(one["busy_seconds"] for one in ranks) / whole if whole > 0 else 0.0
    taken = sum(one["bags_taken"] for one in ranks)
    return {"key": "ranks", "question": "Which ranks worked?",
            "sentence": f"{len(ranks)} ranks were busy for {mean:.0f} % of the time; the least "
            f"busy one, rank {ranks[least]['rank']}, for {shares[least]:.0f} %. {taken:,} bags "
            "went from one rank to another.",
            "charts": list(charts(ranks, workers)),
            "tables": [{"title": "Ranks",
                        "headings": ["rank", "workers", "busy %",
                                     *(name.replace("_", " ") for name in COUNTS)],
                        "rows": [[f"rank {one['rank']}", one["workers"], round(share, 1),
                                  *(one[name] for name in COUNTS)]
                                 for one, share in zip(ranks, shares)]}]}
