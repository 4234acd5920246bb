#!/usr/bin/env python3
"""Simulated against real runs: five programs, time within 15 %, steals within a factor of 1.5.

    quiet python3 benchmarks/policies/reality/check.py [--build build] [--rounds 30] [--workers 1,2]
                                                       [--costs FILE] [--json FILE]
                                                       [--binary FILE]
    python3 benchmarks/policies/reality/check.py --waiting --workers 2,4,8,16,32
                                                       [--policies random,...]

Needs a machine that does nothing else (`quiet` stands for whatever sees to that), with as many
processors as workers. Measures the strands of the programs first, and then runs programs and
workers by turns, TIMES times each, and the costs of the machine between. The medians of the rounds
are held against those of as many simulated runs, with the costs that were measured last before.
Times are without the serial work before each run.
With one worker nothing is predicted: T_P is T1, which was measured strand by strand, and that row
only says how well. Rounds in which the machine was not idle do not count. Status 1 if a predicted
row lies outside, or if no round counts. --binary: programs.cpp, compiled before, for a machine
without a compiler. Asks for the highest priority (as root), so that little can come between.

--waiting: strands sleep and need no processor. So there may be more workers than processors, and
the runtime's own scheduler is held against the simulator's with as many workers as wanted.
"""
import argparse
import itertools
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
TIME, STEALS = 0.15, 1.5
TIMES = 10  # a program is run one time after the other: some steal two or three times each
BEFORE = 3_000_000  # ns of serial work before each time: longer than a search and a poller's pause
ROUNDS_A_CALIBRATION = 6
MOST_NOISE = 0.2  # of a processor's time, besides what its usual piece of work loses

# Name, arguments of programs.cpp, and the simulator's description with the ns of spins for braces.
PROGRAMS = (
    ("tree", ("12", "@5000"), "tree:depth=12,leaf={0}"),
    ("fib", ("21", "@1000"), "fib:n=21,leaf={0}"),
    ("loops", ("75", "270", "16", "@1000"), "loops:outer=75,inner=270,grain=16,body={0}"),
    ("bursts", ("20", "8", "@300000", "@2000"), "bursts:phases=20,depth=8,serial={0},leaf={1}"),
    ("uts", ("7", "#1000"), "uts:depth=7,work={0}"),
)

# The same with fewer and longer strands, whose ns are those of sleeps. --waiting
WAITING_TIMES = 3
WAITING = (
    ("tree", ("10", "@1000000"), "tree:depth=10,leaf={0}"),
    ("fib", ("14", "@1000000"), "fib:n=14,leaf={0}"),
    ("loops", ("15", "64", "4", "@1000000"), "loops:outer=15,inner=64,grain=4,body={0}"),
    ("bursts", ("5", "7", "@5000000", "@2000000"), "bursts:phases=5,depth=7,serial={0},leaf={1}"),
    ("uts", ("5", "@1000000"), "uts:depth=5,work={0}"),
)
SHORT_SEARCH = "--rule", "search_ns=100000"  # kShortSearchNs: with more workers than processors


def output(*words, **more):
    return subprocess.run([str(w) for w in words], check=True, capture_output=True, text=True,
                          **more).stdout


def spin_ns(binary, kind, turns):
    """On the fastest processor alone: `nopal-sim calibrate` records what is lost against that."""
    return min(int(output(binary, kind, turns,
                          preexec_fn=lambda cpu=cpu: os.sched_setaffinity(0, {cpu})))
               for cpu in os.sched_getaffinity(0) for _ in range(3))


def turns_for(binary, ns):
    """How many turns of a spin take that long."""
    turns = 100_000
    return max(1, round(ns * turns / spin_ns(binary, "spin", turns)))


class Spinning:
    """Strands that spin for so many turns, each on a processor."""
    programs, times, flags = PROGRAMS, TIMES, ()

    def __init__(self, sim, binary):
        self.sim, self.binary = sim, binary

    def strand(self, ns, hashes):
        """The argument for a strand of that length, and how long it takes."""
        turns = turns_for(self.binary, ns)
        return turns, spin_ns(self.binary, "hash" if hashes else "spin", turns)

    def costs(self, workers):
        return json.loads(output(self.sim, "calibrate", "-P", workers))


class Waiting(Spinning):
    """Strands that sleep; their noise is how much later than the earliest they wake up."""
    programs, times, flags = WAITING, WAITING_TIMES, ("-DWAITING",)
    SLICE = 1_000_000

    def __init__(self, sim, binary):
        super().__init__(sim, binary)
        self.late = min(self.slices(1)) - self.SLICE

    def slices(self, threads):
        return [int(ns) for ns in output(self.binary, "threads", threads, self.SLICE).split()]

    def strand(self, ns, hashes):
        return ns, ns + self.late

    def costs(self, workers):
        processors = len(os.sched_getaffinity(0))
        costs = super().costs(min(workers, processors))
        slice_ns = self.SLICE + self.late
        return costs | {"noise_slice_ns": slice_ns, "noise_processors": workers,
                        "noise_ns": [max(0, ns - slice_ns) for ns in self.slices(workers)]}


def prepared(strands):
    """Names, arguments, and descriptions with ns as measured; and the ns of all serial work."""
    before, before_ns = strands.strand(BEFORE, False)
    ready = []
    for name, arguments, description in strands.programs:
        words, measured = [], []
        for word in arguments:
            if word[0] in "@#":
                word, ns = strands.strand(int(word[1:]), word[0] == "#")
                measured.append(ns)
            words.append(str(word))
        ready.append((name, [str(strands.times), str(before), name, *words],
                      description.format(*measured)
                      + f",times={strands.times},before={before_ns}"))
    return ready, strands.times * before_ns


def simulated(sim, description, policy, workers, costs):
    """Medians of a run a round, with the costs of the round."""
    rows = []
    rules = SHORT_SEARCH if workers > len(os.sched_getaffinity(0)) else ()
    for file in set(costs):
        rows += json.loads(output(sim, "run", "-q", "-f", "json", "-p", description, "-s", policy,
                                  "-P", max(2, workers), "--seeds", costs.count(file), "--costs",
                                  file, "--idle", "sleep", *rules))
    if workers == 1:
        return rows[0]["t1_ns"], 0
    return (statistics.median(row["time_ns"] for row in rows),
            statistics.median(row["general_steals"] + row["steal_backs"] for row in rows))


def was_idle(costs, workers):
    """Prints the costs, and judges the noise among them."""
    noise, slice_ns = costs["noise_ns"], costs["noise_slice_ns"]
    usual = statistics.median(noise)
    part = sum(noise) / len(noise) / slice_ns
    beyond = sum(max(0, lost - usual) for lost in noise) / len(noise) / (slice_ns + usual)
    print(json.dumps({name: value for name, value in costs.items() if name != "noise_ns"}))
    print(f"noise with {workers} at work: {1e6 * part:.0f} us in a second, "
          f"{max(noise) / 1e3:.0f} us at once"
          + ("; not idle: these rounds do not count" if beyond > MOST_NOISE else ""))
    return beyond <= MOST_NOISE


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--workers", default="1,2")
    parser.add_argument("--costs", help="instead of calibrating")
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--binary", type=pathlib.Path)
    parser.add_argument("--waiting", action="store_true")
    parser.add_argument("--policies", default="random")
    options = parser.parse_args()
    workers = [int(w) for w in options.workers.split(",")]
    policies = options.policies.split(",")
    if not options.waiting and max(workers) > len(os.sched_getaffinity(0)):
        sys.exit(f"check.py: {max(workers)} workers on {len(os.sched_getaffinity(0))} processors: "
                 "the simulator gives each worker its own; give --workers fewer, or --waiting")
    try:
        os.nice(-20)  # other processes then take little, if this one may
    except PermissionError:
        pass
    with tempfile.TemporaryDirectory() as folder:
        sim = options.build / "bin/nopal-sim"
        binary = options.binary or pathlib.Path(folder) / "programs"
        kind = Waiting if options.waiting else Spinning
        if not options.binary:
            output(options.build / "bin/nopal-clang++", "-std=c++20", "-O2", *kind.flags,
                   HERE / "programs.cpp", "-o", binary)
        strands = kind(sim, binary)
        programs, serial = prepared(strands)
        times, steals = {}, {}
        # The file of each round. One worker has no use for costs, and takes those of two.
        costs = {max(2, count): [] for count in workers}
        latest = {}
        for number in range(options.rounds):
            for count in costs:
                if options.costs:
                    latest[count] = options.costs, True
                elif number % ROUNDS_A_CALIBRATION == 0:
                    file = pathlib.Path(folder) / f"costs{number}-{count}.json"
                    measured = strands.costs(count)
                    file.write_text(json.dumps(measured))
                    latest[count] = file, was_idle(measured, count)
            counted = [count for count in workers if latest[max(2, count)][1]]
            for count in sorted({max(2, count) for count in counted}):
                costs[count].append(latest[count][0])
            for (name, words, _), count, policy in itertools.product(programs, counted, policies):
                took, stolen, _ = output(binary, *words, env=dict(
                    os.environ, CILK_NWORKERS=str(count), CILK_STEAL=policy)).split()
                times.setdefault((name, count, policy), []).append(int(took))
                steals.setdefault((name, count, policy), []).append(int(stolen))
        rows = []
        if not all(costs.values()):
            sys.exit("check.py: the machine was never idle; nothing counts")
        for (name, _, description), count, policy in itertools.product(programs, workers, policies):
            took, stolen = simulated(sim, description, policy, count, costs[max(2, count)])
            real = statistics.median(times[name, count, policy])
            real_steals = statistics.median(steals[name, count, policy])
            rows.append({"program": f"{description} {policy}", "workers": count,
                         "real_ns": real - serial, "simulated_ns": took - serial,
                         "real_steals": real_steals, "simulated_steals": stolen})
    outside = report(rows)
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n")
    sys.exit(1 if outside else 0)


def report(rows):
    print("| program | P | real/ms | simulated/ms | ratio | real steals | simulated | ratio | |\n"
          "|---|---|---|---|---|---|---|---|---|")
    outside = 0
    for row in rows:
        if row["workers"] == 1:
            print(f"| {row['program']} | 1 | {row['real_ns'] / 1e6:.2f} | "
                  f"{row['simulated_ns'] / 1e6:.2f} | {row['simulated_ns'] / row['real_ns']:.2f} | "
                  "| | | measured, not predicted |")
            continue
        ratio = row["simulated_ns"] / row["real_ns"]
        steals = (row["simulated_steals"] or 1) / (row["real_steals"] or 1)
        is_in = abs(ratio - 1) <= TIME and 1 / STEALS <= steals <= STEALS
        outside += not is_in
        print(f"| {row['program']} | {row['workers']} | {row['real_ns'] / 1e6:.2f} | "
              f"{row['simulated_ns'] / 1e6:.2f} | {ratio:.2f} | {row['real_steals']:g} | "
              f"{row['simulated_steals']:g} | {steals:.2f} | {'' if is_in else 'outside'} |")
    predicted = sum(row["workers"] > 1 for row in rows)
    print(f"\n{predicted - outside} of {predicted} predicted rows lie within "
          f"{100 * TIME:.0f} % of the time and a factor of {STEALS} of the steals.")
    return outside


if __name__ == "__main__":
    main()
