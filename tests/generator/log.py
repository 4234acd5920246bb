"""Which seeds run, and the log that they go on from: a line of JSON for each. The mutator's
(../mutator) is the same."""

import collections
import json
import subprocess
import sys
import time
from pathlib import Path


def entries(log):
    return [json.loads(line)
            for line in log.read_text().splitlines()] if log and log.exists() else []


def count(log):
    numbers = collections.Counter((entry["commit"], entry["passed"]) for entry in entries(log))
    for (commit, passed), number in numbers.items():
        print(f"{commit}: {number} {'passed' if passed else 'failed'}")
    print(f"{sum(numbers.values())} programs")


def seeds(options):
    """Seeds until the last one, or until the time is over."""
    end = time.monotonic() + options.minutes * 60 if options.minutes else None
    if options.seeds:
        first, _, last = options.seeds.partition("-")
        numbers = range(int(first), int(last or first) + 1)
    else:
        numbers = range(options.first, sys.maxsize)
    done = {entry["seed"] for entry in entries(options.log)}
    for seed in numbers:
        if seed in done:
            continue
        if end and time.monotonic() > end:
            return
        yield seed


def commit():
    """What is tested, for the log."""
    here = Path(__file__).resolve().parent
    try:
        described = subprocess.run(["git", "-C", str(here), "describe", "--always", "--dirty"],
                                   capture_output=True, text=True, check=False).stdout
    except FileNotFoundError:  # a source tree on a machine without git
        described = ""
    return described.strip() or "unknown"
