"""Makes the report: a dict of answers, the same for HTML, Markdown and JSON. Each answer has a
question, one sentence, charts and tables; page.py and markdown.py only lay them out."""
from . import advice, races, ranks

PALETTE = {"work": "good", "search": "warn", "idle": "idle"}
MOST_SITES = 20
# Pages for each worker, beyond which stacks are said to exceed their bound: a worker touches one or
# two more than the serial program. The proof allows more (cactus-stack/README.md, "The bound").
PAGES_BEYOND_BOUND = 4
PAGE_BYTES = 4096


def chart(name, kind, title, labels, series, x, y, **more):
    """`series`: (name, color, values). Colors are names of page.css."""
    return {"name": name, "kind": kind, "title": title, "labels": labels, "x": x, "y": y,
            "series": [{"name": label, "color": color, "values": values}
                       for label, color, values in series], **more}


def table(title, headings, rows, **more):
    return {"title": title, "headings": headings, "rows": rows, **more}


def number(value, digits=2):
    return None if value is None else round(value, digits)


def workers_of(count):
    return f"{count} worker{'' if count == 1 else 's'}"


def milliseconds(ns):
    return None if ns is None else number(ns / 1e6, 1)


def speed_up(figures):
    measured = figures.speedups()
    predicted = figures.predictions()
    answer = {"key": "speedup", "question": "Did it get faster?", "charts": [], "tables": []}
    full = figures.full
    said = []
    if not measured:
        said.append("One run does not show it: nopal-view run compares worker counts")
        if predicted is None:
            answer["sentence"] = said[0] + "."
            return answer
    if full in measured and full > 1:
        factor = figures.machine_factor()
        said.append(f"{full} workers make it {measured[full]:.2f} times as fast as one")
        # On a busy machine the copies may have had less of it than the program had.
        if factor > 1.05 and full / factor >= measured[full]:
            said[-1] += (f"; this machine allows {full / factor:.2f}, since {full} independent "
                         f"copies each take {factor:.2f} times as long")
    if predicted:
        last = predicted["rows"][-1]
        if "at_least" in last:
            is_bounded = last["at_most"] < last["workers"]
            said.append(f"with {last['workers']} workers expect {last['at_least']:.1f} " +
                        (f"to {last['at_most']:.1f}" if is_bounded else "or more") +
                        " (estimated)")
        else:
            said.append(f"with {last['workers']} workers expect {last['expected']:.1f}"
                        + (" (fitted to these runs)" if predicted["how"] == "fitted" else ""))
        if advice.runtime_cause(figures)[0] == "blocked":
            said[-1] += ", if no time were lost to locks as it was here"
    if figures.measured_span():
        said.append(f"no number of workers makes it more than "
                    f"{figures.span['program']['parallelism']:.1f} times as fast")
    answer["sentence"] = "; ".join(said) + "." if said else "Only one worker count was measured."
    answer["sentence"] = answer["sentence"][0].upper() + answer["sentence"][1:]
    rows = predicted["rows"] if predicted else [
        {"workers": count, "work_law": count} for count in figures.counts]
    labels = [row["workers"] for row in rows]

    def column(key):
        return [number(row.get(key)) for row in rows]
    series = [("measured", "accent", [number(measured.get(count)) for count in labels]),
              ("work law: workers", "idle", column("work_law"))]
    if predicted:
        series += [(name, hue, column(key)) for key, name, hue in (
            ("span_law", "span law: parallelism", "bad"), ("expected", "expected", "good"),
            ("at_most", "at most", "bad"), ("at_least", "at least", "warn"))
            if key in rows[-1]]
        if "burdened_bound" in rows[0]:
            series.append(("with steals, at least", "warn", column("burdened_bound")))
    answer["charts"].append(chart("speedup", "line", "Speed-up", labels, series, "workers",
                                  "times as fast as one worker", logarithmic=True))
    answer["tables"].append(table(
        "Time by workers", ["workers", "median ms", "least ms", "most ms", "processor ms"],
        [[count, number(figures.wall(count) / 1e6, 1),
          number(min(run["wall_ns"] for run in figures.runs[count]) / 1e6, 1),
          number(max(run["wall_ns"] for run in figures.runs[count]) / 1e6, 1),
          milliseconds(figures.of(count, "cpu_ns"))] for count in figures.counts]))
    estimate = None if figures.span else figures.estimate()
    if estimate:
        answer["tables"].append(table(
            "Work and span, estimated", ["", "at least", "at most"],
            [["work, ms", *(number(bound / 1e6, 1) for bound in estimate["work"])],
             ["span, ms", *(number(bound / 1e6, 1) for bound in estimate["span"])],
             ["parallelism", *map(number, estimate["parallelism"])]]))
    return answer


def over_time(line):
    return chart("timeline", "area", "Over time",
                 [number(time / 1e6, 1) for time in line["times_ns"]],
                 [(f"worker {index}", f"series{index % 8}", shares["working"])
                  for index, shares in enumerate(line["workers"])],
                 "ms since the start", "workers at work", stacked=True)


def where_traced_time_went(line):
    """Of a trace alone, without statistics."""
    def percent(key):
        rows = [shares[key] for shares in line["workers"]]
        return advice.percent(sum(map(sum, rows)) / sum(map(len, rows)))
    return {"key": "time", "question": "Where did the time go?", "tables": [],
            "sentence": f"Until the trace ends, {percent('working')} % of the time of "
                        f"{len(line['workers'])} workers was work and {percent('stealing')} % "
                        "search. What the rest was, the statistics say (CILK_STATS=x.json).",
            "charts": [over_time(line)]}


def where_time_went(figures):
    count = figures.full
    shares = figures.time_shares(count)
    rows = figures.worker_rows(count)
    workers = [f"worker {row['worker']}" for row in rows]
    answer = {"key": "time", "question": "Where did the time go?", "tables": [],
              "sentence": f"With {workers_of(count)}, {advice.percent(shares['work'])} % of their "
              f"time was work, {advice.percent(shares['search'])} % search and "
              f"{advice.percent(shares['idle'])} % idle.",
              "charts": [chart(
                  "time", "bar", f"Time of each of {count} workers", workers,
                  [(name, color, [number(row[f"{name}_ms"]) for row in rows])
                   for name, color in PALETTE.items()], "ms", "", stacked=True,
                  horizontal=True)]}
    line = figures.recording.get("timeline")
    if line:
        answer["charts"].append(over_time(line))
    all_shares = {workers: figures.time_shares(workers) for workers in figures.counts}
    answer["tables"].append(table(
        "Shares by worker count, in percent", ["workers", *PALETTE],
        [[workers, *(advice.percent(shares[name]) for name in PALETTE)]
         for workers, shares in all_shares.items()]))
    return answer


def who_stole(figures):
    count = max([c for c in figures.counts if figures.steals(c)], default=None)
    answer = {"key": "steals", "question": "Who stole from whom?", "charts": [], "tables": []}
    matrix = figures.steals(count) if count else None
    if matrix is None or sum(map(sum, matrix)) == 0:
        answer["sentence"] = ("Nobody stole." if matrix else
                              "The statistics do not say (made by an older runtime).")
        return answer
    rounds = len(figures.runs[count])
    received = [sum(row[victim] for row in matrix) for victim in range(len(matrix))]
    most = max(range(len(received)), key=received.__getitem__)
    steals = f"{sum(received) / rounds:,.0f}"
    answer["sentence"] = (f"With {workers_of(count)} there {'was' if steals == '1' else 'were'} "
                          f"{steals} steal{'' if steals == '1' else 's'} per run, "
                          f"{advice.percent(received[most] / sum(received))} % of them from "
                          f"{advice.victim(most)}.")
    answer["tables"].append(table(
        "Steals per run: thief (row) and victim (column)",
        ["thief", *(advice.victim(victim, "from ") for victim in range(len(matrix)))],
        [[f"worker {thief}", *(number(cell / rounds, 1) for cell in row)]
         for thief, row in enumerate(matrix)], heat=True))
    return answer


def where_in_source(figures):
    everything = figures.sites()
    rows = [row for row in everything if row["steals"] or row["stolen_ns"] or row.get("spawns")
            or row["sampled_ns"]]
    rows = rows[:MOST_SITES]
    answer = {"key": "sites", "question": "Where in my source?", "charts": [], "tables": []}
    if not rows:
        answer["sentence"] = (f"Nothing was stolen at any of {len(everything)} sites; --span "
                              "counts spawns.")
        return answer
    first = rows[0]
    weight = (f", with {advice.ms(first['own_ns'])} of work and {first['spawns']:,} children"
              if first.get("own_ns") is not None else f", with {first['steals']:,.0f} steals")
    answer["sentence"] = f"The heaviest site is {first['place']} in {first['function']}{weight}."
    if figures.full > 1 and 1 in figures.runs:
        answer["sentence"] += (f" All work takes {figures.work_inflation():.2f} times as long on "
                               f"{figures.full} workers as on one.")
    inflated = max((row for row in rows if row["inflation"]), key=lambda row: row["inflation"],
                   default=None)
    if inflated and inflated["inflation"] >= advice.LEAST_INFLATION:
        answer["sentence"] += (f" Most at {inflated['place']}: {inflated['inflation']:.2f} times.")
    is_sampled = any(row["sampled_ns"] for row in rows)
    key = "own_ns" if figures.span else "sampled_ns" if is_sampled else "stolen_ns"
    outside = [row for row in [figures.outside_row()] if row]
    bars = [row for row in rows + outside if row.get(key)][:10]
    if bars:
        label = {"own_ns": "own work", "sampled_ns": "work, sampled",
                 "stolen_ns": "time in stolen continuations"}[key]
        series = [(label, "accent", [number((row.get(key) or 0) / 1e6) for row in bars])]
        if figures.span:
            series.append(("on the span", "bad",
                           [number((row.get("on_span_ns") or 0) / 1e6) for row in bars]))
        answer["charts"].append(chart("sites", "bar", "Work by site",
                                      [row["place"] for row in bars], series, "ms", "",
                                      horizontal=True))

    def cell(row, name, scale=1e6, digits=1):
        return number(row[name] / scale, digits) if row.get(name) is not None else None
    headings = ["site", "function", "steals per run", "stolen ms", "sampled ms", "inflation"]
    if figures.span:
        headings += ["spawns", "work ms", "own ms", "% of span",
                     "parallelism if this were parallel"]
    answer["tables"].append(table("Sites", headings, [
        [row["place"], row["function"], number(row["steals"], 1), cell(row, "stolen_ns"),
         cell(row, "sampled_ns"), cell(row, "inflation", 1, 2)] + (
            [row.get("spawns"), cell(row, "work_ns"), cell(row, "own_ns"),
             cell(row, "span_share", 0.01), cell(row, "if_parallel", 1)]
            if figures.span else [])
        for row in rows + outside]))
    return answer


def memory(figures):
    rows = figures.memory()
    answer = {"key": "memory", "question": "Was memory bounded?", "charts": [], "tables": []}
    if not rows or not rows[-1]["bound_bytes"]:
        answer["sentence"] = "The statistics do not say."
        return answer
    last = next(row for row in rows if row["workers"] == figures.full)
    beyond = PAGES_BEYOND_BOUND * PAGE_BYTES * last["workers"]
    within = last["peak_bytes"] <= last["bound_bytes"] + beyond
    answer["sentence"] = (
        f"{'Yes' if within else 'No'}: stacks took at most {last['peak_bytes'] / 1024:,.0f} KiB "
        f"with {workers_of(last['workers'])}; the bound, workers x (the stack of one + "
        f"{PAGES_BEYOND_BOUND} pages), is {(last['bound_bytes'] + beyond) / 1024:,.0f} KiB.")
    answer["charts"].append(chart(
        "memory", "bar", "Stacks and their bound", [f"{row['workers']} workers" for row in rows],
        [("stacks, at most", "accent", [number(row["peak_bytes"] / 1024, 0) for row in rows]),
         ("bound: workers x stack of one", "idle",
          [number((row["bound_bytes"] or 0) / 1024, 0) for row in rows])],
        "", "KiB"))
    line = figures.recording.get("timeline")
    if line and any(line.get("stack_bytes", [])):
        answer["charts"].append(chart(
            "resident", "area", f"Stacks of {last['workers']} workers over time, and their bound",
            [number(time / 1e6, 1) for time in line["times_ns"]],
            [("stacks", "accent", [size if size is None else number(size / 1024, 0)
                                   for size in line["stack_bytes"]]),
             ("bound: workers x stack of one", "idle",
              [number(last["bound_bytes"] / 1024, 0)] * len(line["times_ns"]))],
            "ms since the start", "KiB"))
    return answer


def what_to_do(figures, found, caveats):
    answer = {"key": "advice", "question": "What should I do?", "charts": [], "tables": [],
              "findings": found, "caveats": caveats}
    if found:
        first = found[0]
        cost = f", which costs {first['lost_percent']} %" if first["lost_percent"] else ""
        where = f" at {first['site']}" if first["site"] else ""
        answer["sentence"] = f"Look at one thing first: {first['name']}{where}{cost}."
    elif advice.is_too_short(figures):
        answer["sentence"] = "The run is too short to judge."
    elif advice.runtime_cause(figures)[0] == "busy_machine":
        answer["sentence"] = "Repeat it on a quiet machine: other programs had the processors."
    else:
        answer["sentence"] = (f"Nothing stands out: no cause costs {advice.LEAST_LOST} % of the "
                              "processors' time.")
    return answer


def subject(figures, recording):
    rounds = recording["rounds"]
    return (f"{figures.processors} processors; workers {', '.join(map(str, figures.counts))}; "
            f"{rounds} round{'' if rounds == 1 else 's'}")


def more_answers(recording):
    if recording.get("ranks"):
        yield ranks.answer(recording["ranks"], recording.get("rank_workers") or [])
    if recording.get("races") is not None:
        yield races.answer(recording["races"], recording.get("unseen_spawn", ""))


def make(recording):
    made = {"schema": 1, "program": " ".join(recording["command"]), "recording": recording}
    if not recording["runs"]:
        line = recording["timeline"]
        answers = [*([where_traced_time_went(line)] if line else []), *more_answers(recording)]
        return {**made, "subject": "", "processors": recording["processors"], "workers": [],
                "rounds": 0, "answers": answers, "findings": []}
    figures, found, caveats = advice.judge(recording)
    return {**made, "subject": subject(figures, recording), "processors": figures.processors,
            "workers": figures.counts, "rounds": recording["rounds"],
            "answers": [speed_up(figures), where_time_went(figures), who_stole(figures),
                        where_in_source(figures), memory(figures), *more_answers(recording),
                        what_to_do(figures, found, caveats)],
            "findings": found}
