"""Makes recordings as record.py would, of programs whose numbers are known: no clock, no run.

A program here has `work` ms, of which `serial` ms run while the other workers idle.
"""
import json
import sys
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]


def import_view():
    """The package, from the source tree."""
    sys.path.insert(0, str(SOURCE / "tools"))
    sys.dont_write_bytecode = True


def damaged(whole):
    """The text of `whole` with one value of another type, or without it, at each place in turn."""
    def places(value):
        if isinstance(value, (dict, list)):
            for key in value if isinstance(value, dict) else range(len(value)):
                yield value, key
                yield from places(value[key])

    for inside, key in list(places(whole)):
        kept = inside[key]
        for other in ("x", None, [], {}, 0):
            inside[key] = other
            yield json.dumps(whole)
        if isinstance(inside, dict):
            order = list(inside.items())
            del inside[key]
            yield json.dumps(whole)
            inside.clear()
            inside.update(order)
        inside[key] = kept


MS = 1_000_000


def site(function="f()", line=10, file="program.cpp", **numbers):
    return {"function": function, "file": file, "line": line, "column": 3, "index": 0, "steals": 0,
            "stolen_ns": 0, "alone_child_ns": 0, "alone_continuation_ns": 0, "alone_before_ns": 0,
            "alone_longest_ns": 0, **numbers}


def worker(index, working, stealing, parked, steals_from):
    return {"index": index, "kind": "helper" if index else "attached", "working_ns": working,
            "working_cpu_ns": working, "stealing_ns": stealing, "parked_ns": parked,
            "steals": sum(steals_from), "steal_attempts": 3 * sum(steals_from),
            "steals_from": list(steals_from)}


def run(workers, work=200, serial=0, inflation=1.0, cause="none", lost=0, site_place=None,
        matrix=None, waiting=0, blocked=0.0, sites=None, memory=(64, 1024), tail=0):
    """One run. `waiting`: ms for which all workers together waited for a processor. `blocked`: the
    share of work that took no processor."""
    parallel = (work - serial) * inflation / workers
    elapsed = serial + parallel
    matrix = matrix or [[0] * workers for _ in range(workers)]
    rows = []
    for index in range(workers):
        working = parallel + (serial if index == 0 else 0)
        rows.append(worker(index, int(working * MS), 0, int((elapsed - working) * MS),
                           matrix[index]))
    total = {key: sum(row[key] for row in rows) for key in
             ("working_ns", "working_cpu_ns", "stealing_ns", "parked_ns", "steals",
              "steal_attempts")}
    total["working_cpu_ns"] = int(total["working_cpu_ns"] * (1 - blocked))
    total["stacks"] = {"peak_resident_bytes": memory[0] * 1024}
    verdict = {"cause": cause, "lost_percent": lost, "sentence": f"{workers} workers: {cause}",
               "advice": "change it"}
    if site_place:
        verdict["site"] = site_place
    return {"workers": workers, "wall_ns": int(elapsed * MS), "cpu_ns": total["working_cpu_ns"],
            "max_rss_bytes": 4 << 20,
            "statistics": {
                "schema": 1, "program": "program", "nworkers": workers,
                "elapsed_ns": int(elapsed * MS), "verdict": verdict,
                "summary": {"processors": 8, "before_start_ns": 0, "after_last_join_ns": tail * MS,
                            "working_wait_ns": waiting * MS, "idle_wait_ns": 0},
                "workers": rows, "total": total,
                "segments": {"deepest_path_bytes": memory[1] * 1024 // workers,
                             "space_bound_bytes": memory[1] * 1024},
                "sites": sites or [site()]}}


def span(work=200, longest=2, burdened=None, sites=(), outside=0.1, burden_ns=2000, shared=0):
    """An exact record, in ms. `sites`: (line, kind, count, own, on_span). `shared`: of the work,
    strands too short for a read of their own."""
    rows = [{"kind": kind, "file": "program.cpp", "line": line, "column": 3, "function": "f()",
             "count": count, "work_ns": own * MS, "own_ns": own * MS, "on_span_ns": on_span * MS,
             "parallelism_if_twice_as_fast": None, "parallelism_if_parallel": None}
            for line, kind, count, own, on_span in sites]
    rows.append({"kind": "program", "file": "", "line": 0, "column": 0, "function": "", "count": 0,
                 "work_ns": work * MS, "own_ns": outside * MS, "on_span_ns": outside * MS})
    burdened = burdened or longest
    return {"version": 1, "clock": "cycle counter", "burden_ns": burden_ns,
            "shared_ns": shared * MS,
            "program": {"work_ns": work * MS, "span_ns": longest * MS,
                        "burdened_span_ns": burdened * MS, "parallelism": work / longest,
                        "burdened_parallelism": work / burdened},
            "threads": [], "sites": rows, "regions": []}


def recording(counts=(1, 2), processors=8, rounds=3, exact=None, copies=1.0, one=None, **program):
    """`one`: what differs with one worker. `copies`: how much longer each of P copies takes."""
    runs = []
    for _ in range(rounds):
        for count in counts:
            options = dict(program)
            if count == 1:
                options.update(inflation=1.0, cause="one_worker", matrix=None, blocked=0.0)
                options.update(one or {})
            runs.append(run(count, **options))
    alone = int(program.get("work", 200) * MS)
    copied = [{"copies": max(counts), "wall_ns": int(alone * copies), "cpu_ns": int(alone * copies)}
              for _ in range(rounds)]
    return {"schema": 1, "command": ["./program"], "processors": processors, "rounds": rounds,
            "runs": runs, "copies": copied if copies else [], "span": exact, "timeline": None}


LOOP = (10, "loop", 512, 199, 1)

# name of the program in programs.cpp -> (pathology, a recording of it)
FAULTS = {
    "grain_too_fine": ("grain too fine", lambda: recording(cause="too_fine", lost=33)),
    "grain_too_coarse": ("grain too coarse", lambda: recording(
        exact=span(longest=67, sites=[(10, "spawn", 2, 133, 67)]))),
    "serial_tail": ("serial part", lambda: recording(
        serial=100, tail=100, exact=span(longest=101, outside=100, sites=[LOOP]))),
    "long_item": ("one long item", lambda: recording(
        exact=span(longest=160, sites=[(10, "loop", 64, 199, 159)]))),
    "lock": ("blocked workers", lambda: recording(cause="blocked", lost=48, blocked=0.5)),
    "false_sharing": ("contention", lambda: recording(inflation=4.0)),
    "contended_atomic": ("contention", lambda: recording(inflation=2.0, exact=span(sites=[LOOP]))),
    "one_victim": ("one victim", lambda: recording(
        counts=(1, 4), matrix=[[0, 3, 0, 0], [400, 0, 2, 0], [390, 5, 0, 0], [410, 0, 0, 0]])),
    "oversubscription": ("oversubscription", lambda: recording(
        counts=(1, 2, 8), processors=2, waiting=150)),
    "too_little_parallelism": ("too little parallelism", lambda: recording(
        cause="too_little_parallelism", lost=40,
        exact=span(longest=180, sites=[(10, "spawn", 40, 190, 179)]))),
}

EVEN = [[0, 60, 50, 55], [45, 0, 60, 50], [50, 50, 0, 60], [60, 55, 45, 0]]

# Sound ones, each near one of the rules.
SOUND = {
    "perfect": lambda: recording(exact=span(sites=[LOOP])),
    "without a span": recording,
    "small serial part": lambda: recording(serial=10, exact=span(
        longest=12, outside=10, sites=[LOOP])),
    "much parallelism, few workers": lambda: recording(counts=(1, 2, 4), exact=span(longest=8)),
    "slow machine": lambda: recording(inflation=1.25, copies=1.25),
    "steals from all": lambda: recording(counts=(1, 4), matrix=EVEN),
    "few steals from one": lambda: recording(counts=(1, 4), matrix=[[0] * 4] + [[9, 0, 0, 0]] * 3),
    "two workers have one victim each": lambda: recording(matrix=[[0, 300], [900, 0]]),
    "busy machine": lambda: recording(cause="busy_machine", lost=60),
    "noise": lambda: recording(inflation=1.15, cause="none", lost=9),
    "waits as much on one worker": lambda: recording(
        cause="blocked", lost=20, blocked=0.05),
}
