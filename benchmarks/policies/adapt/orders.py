#!/usr/bin/env python3
"""How long two programs take at once in turns, over equal shares: a model, for random pairs.

    python3 benchmarks/policies/adapt/orders.py [--pairs 4000]

Two processors. A program uses both, or 1.5 on average; its work is from 0.05 to 50 s. With equal
shares each thread has the same part of the machine. In turns the first has all that it can use
(runtime/src/policy/turns.h), and of the rest the other gets half, since it comes late. The table is
in runtime/src/policy/README.md, "Turns".
"""
import argparse
import math
import random

PROCESSORS = 2
OF_THE_REST = 0.5
# Name: factor from level to level, seconds of the first level.
LEVELS = {"factors of 2 from 0.1 s": (2, 0.1), "factors of 10 from 0.1 s": (10, 0.1),
          "factors of 10 from 1 s": (10, 1.0), "none": (math.inf, 1.0)}
KINDS = {"both within 25 %": math.log10(1.25), "within a factor of 3": 0.5, "any two": None}


def level_and_end(used, factor, first):
    """The level of a program that has used so much, and where it ends."""
    end, level = first, 0
    if factor == math.inf:
        return 0, math.inf
    while used >= end * (1 - 1e-9):
        end, level = end * factor, level + 1
    return level, end


def rates(here, used, levels):
    """What each of the programs `here` gets: {index: processors}, and for how long."""
    if len(here) == 1:
        return {index: width for index, (_, _, width) in here.items()}, math.inf
    if levels is None:
        all_threads = sum(width for _, _, width in here.values())
        return {index: PROCESSORS * width / all_threads
                for index, (_, _, width) in here.items()}, math.inf
    order = sorted(here,
                   key=lambda i: (level_and_end(used[i], *levels)[0], -here[i][2], here[i][0]))
    first_width = here[order[0]][2]
    got = {order[0]: first_width, order[1]: (PROCESSORS - first_width) * OF_THE_REST}
    until = min((level_and_end(used[i], *levels)[1] - used[i]) / got[i] for i in got if got[i] > 0)
    return got, until


def times(programs, levels):
    """How long each takes; `programs` are (arrival, work, width)."""
    left = {index: work for index, (_, work, _) in enumerate(programs)}
    used = dict.fromkeys(left, 0.0)
    ends, now = {}, 0.0
    while len(ends) < len(programs):
        here = {i: program for i, program in enumerate(programs)
                if i not in ends and program[0] <= now}
        later = [program[0] for program in programs if program[0] > now]
        if not here:
            now = min(later)
            continue
        got, until = rates(here, used, levels)
        step = min([until, *(left[i] / rate for i, rate in got.items() if rate > 0),
                    *(arrival - now for arrival in later)])
        now += step
        for i, rate in got.items():
            left[i] -= rate * step
            used[i] += rate * step
            if left[i] < 1e-9:
                ends[i] = now
    return [ends[i] - program[0] for i, program in enumerate(programs)]


def draw(spread):
    """A pair; `spread`: the second's work is at most so many powers of ten from the first's."""
    work = 10 ** random.uniform(-1.3, 1.7)
    other = (work * 10 ** random.uniform(-spread, spread) if spread
             else 10 ** random.uniform(-1.3, 1.7))
    widths = [random.choice((1.5, 2.0)) for _ in range(2)]
    return [(0.0, work, widths[0]), (random.uniform(0, 0.3) * work, other, widths[1])]


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=4000)
    given = parser.parse_args()
    random.seed(1)
    pairs = {kind: [draw(spread) for _ in range(given.pairs)] for kind, spread in KINDS.items()}
    shares = {kind: [geometric_mean(times(pair, None)) for pair in drawn]
              for kind, drawn in pairs.items()}
    print("| levels | " + " | ".join(KINDS) + " | worst pair |\n|---|" + "---|" * (len(KINDS) + 1))
    for name, levels in LEVELS.items():
        over = {kind: [geometric_mean(times(pair, levels)) / share
                       for pair, share in zip(drawn, shares[kind])]
                for kind, drawn in pairs.items()}
        means = " | ".join(f"{geometric_mean(values):.2f}" for values in over.values())
        print(f"| {name} | {means} | {max(max(values) for values in over.values()):.1f} |")


if __name__ == "__main__":
    main()
