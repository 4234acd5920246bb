"""Compares the spawn sites of a run's statistics with the spawns in the program's sources.

At CILK_CHAOS=SEED:1 every continuation is stolen, so a site that was executed and not stolen is a
slow clone that never ran, and a spawn in the source without a site is one that the compiler lost.
"""

import json
from collections import defaultdict

from . import programs


def check(program, statistics, headers):
    """The complaints about the JSON file `statistics` of a run of `program`; `headers` are spawning
    headers besides its sources."""
    try:
        sites = json.loads(statistics.read_text())["sites"]
    except (OSError, ValueError, KeyError) as error:
        return [f"no statistics: {error!r}"]

    by_line = defaultdict(list)
    for site in sites:
        by_line[(site["file"].rsplit("/", 1)[-1], site["line"])].append(site)

    complaints = []
    expected = {}
    for file in program.sources + headers:
        for spawn in programs.spawn_lines(file):
            expected[(file.name, spawn.line)] = spawn.expectation
            is_expected = file in program.sources and spawn.expectation in ("all", "some")
            if is_expected and (file.name, spawn.line) not in by_line:
                complaints.append(f"{file.name}:{spawn.line}: a spawn without a site")
    for (name, line), found in sorted(by_line.items()):
        # The optimizer may copy a spawn, in an unrolled loop for instance; the copies of one
        # function count as one site.
        steals = defaultdict(int)
        for site in found:
            steals[site["function"]] += site["steals"]
        never_stolen = sorted(function for function, count in steals.items() if count == 0)
        expectation = expected.get((name, line), "all")
        if expectation == "never" or expectation == "some" and len(never_stolen) < len(steals):
            continue
        if never_stolen:
            complaints.append(f"{name}:{line}: never stolen, in {', '.join(never_stolen)}")
    return complaints
