#!/usr/bin/env python3
"""What happens if a constant of the search, the poller or sleep is four times off, simulated.

    python3 benchmarks/policies/constants.py [--sim build/bin/nopal-sim] [--seeds 7] [--jobs 2]
                                             [--only RULE,...] [--markdown FILE]

Each rule of `nopal-sim list`, divided by four and times four, at 2, 16, 64 and 256 workers, on five
programs. A cell has the largest change of the median T_P in percent, with the program's letter, and
after the stroke that of the processor time without work. A change is shown only if it is more than
3 % and lies outside the spread of the seeds. Some minutes.
"""
import argparse
import concurrent.futures
import json
import pathlib
import statistics
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
WORKERS = (2, 16, 64, 256)
LEAST = 0.03


def programs(workers):
    height = workers.bit_length() - 1
    return {"T": f"tree:depth={height + 7},leaf=1000",
            "L": f"bursts:phases=10,depth={height + 4},serial=2000000,leaf=2000",
            "S": f"bursts:phases=30,depth={height + 4},serial=500000,leaf=2000",
            "R": "bursts:phases=1000,depth=1,serial=300,leaf=300",
            "C": "spawns:n=50000,leaf=20"}


def measured(sim, program, workers, seeds, rule=None):
    words = [str(sim), "run", "-q", "-f", "json", "-p", program, "-P", str(workers), "--seeds",
             str(seeds), "--costs", "default", "--idle", "sleep"]
    rows = json.loads(subprocess.run(words + (["--rule", rule] if rule else []), check=True,
                                     capture_output=True, text=True).stdout)
    times = [r["time_ns"] for r in rows]
    idle = [sum(r[name] for name in ("fail_ns", "steal_ns", "look_ns", "overhead_ns", "wait_ns"))
            for r in rows]
    return times, idle


def change(values, base):
    """Of the median, if it is large and the middle halves of the seeds do not overlap; else 0."""
    middle = statistics.median(base)
    if middle == 0:
        return 0.0
    part = statistics.median(values) / middle - 1
    low, _, high = statistics.quantiles(base, n=4)
    low_now, _, high_now = statistics.quantiles(values, n=4)
    apart = low_now > high or high_now < low
    return part if abs(part) >= LEAST and apart else 0.0


def cell(changes):
    """`changes`: letter -> (of time, of processor time)."""
    texts = []
    for index in (0, 1):
        letter = max(changes, key=lambda name: abs(changes[name][index]))
        value = changes[letter][index]
        texts.append(f"{100 * value:+.0f}{letter}" if value else "=")
    return " / ".join(texts)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sim", type=pathlib.Path, default=ROOT / "build/bin/nopal-sim")
    parser.add_argument("--seeds", type=int, default=7)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", help="some of the rules")
    parser.add_argument("--markdown", type=pathlib.Path)
    options = parser.parse_args()
    listed = subprocess.run([str(options.sim), "list"], check=True, capture_output=True,
                            text=True).stdout.partition("\nrules\n")[2]
    rules = [(line.split()[0], int(line.split()[1]), line.split()[-1])
             for line in listed.splitlines()]
    if options.only:
        rules = [rule for rule in rules if rule[0] in options.only.split(",")]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        def started(rule, workers):
            return {letter: pool.submit(measured, options.sim, program, workers, options.seeds,
                                        rule) for letter, program in programs(workers).items()}
        base = {workers: started(None, workers) for workers in WORKERS}
        others = {(name, factor, workers):
                  started(f"{name}={max(1, round(value * factor))}", workers)
                  for name, value, _ in rules for factor in (0.25, 4) for workers in WORKERS}
        lines = ["| rule | constant | value | | " + " | ".join(f"P = {w}" for w in WORKERS) + " |",
                 "|---|---|---|---|" + "---|" * len(WORKERS)]
        for name, value, constant in rules:
            for factor, sign in ((0.25, "/ 4"), (4, "x 4")):
                cells = []
                for workers in WORKERS:
                    changes = {}
                    for letter, future in others[name, factor, workers].items():
                        now, before = future.result(), base[workers][letter].result()
                        changes[letter] = tuple(change(now[i], before[i]) for i in (0, 1))
                    cells.append(cell(changes))
                first = (f"{name} | {constant} | {value:,}" if factor < 1 else " | | ")
                lines.append(f"| {first} | {sign} | " + " | ".join(cells) + " |")
    text = "\n".join(lines) + "\n"
    print(text)
    if options.markdown:
        options.markdown.write_text(text)


if __name__ == "__main__":
    main()
