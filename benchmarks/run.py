#!/usr/bin/env python3
"""Times the benchmarks: builds, runs interleaved rounds, pinned, checks results, prints medians with their spread and the ratios.

    python3 benchmarks/run.py [--only NAME]... [--rounds 3] [--json FILE] [--svg FILE] [--driver build/bin/nopal-clang++]
    python3 benchmarks/run.py --quick                       # what ctest runs: benchmarks.quick
    python3 benchmarks/run.py --show FILE [--svg FILE]      # prints and plots what an earlier run wrote by --json
    python3 benchmarks/run.py --list

README.md says what the columns mean. Results are checked, timings are never judged: status 1 is a wrong result or a program that does not
compile. Needs the build; peers that are not installed are named and left out, and so is the figure without matplotlib. Binaries are
kept in the build's folder benchmarks/. --quick: one round of small sizes.
"""
import argparse
import json
import os
import pathlib
import sys

from harness import build, measure, plot, programs, report

ROOT = pathlib.Path(__file__).resolve().parents[1]


def chosen(only):
    """The programs whose name is one of these, or begins with one and a dash."""
    return [program for name, program in programs.PROGRAMS.items() if not only or any(name == word or name.startswith(f"{word}-") for word in only)]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--driver", type=pathlib.Path, default=ROOT / "build" / "bin" / "nopal-clang++")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", action="append", help="a program, or what its name begins with before a dash; may be repeated")
    parser.add_argument("--without", action="append", default=[], choices=sorted(build.MODELS), help="a model to leave out")
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--svg", type=pathlib.Path)
    parser.add_argument("--show", type=pathlib.Path)
    parser.add_argument("--real-time", action="store_true", help="run the programs at real-time priority, so that no other process counts")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    if options.rounds < 1:
        parser.error("--rounds takes 1 or more")
    options.programs = chosen(options.only)
    if not options.programs:
        parser.error(f"no such program; there are {', '.join(programs.PROGRAMS)}")
    return options


def write_figure(summary, path):
    try:
        plot.plot(summary, path)
    except ImportError:
        print("left out: the figure: this Python has no matplotlib (Debian: python3-matplotlib, for /usr/bin/python3; --show FILE --svg FILE draws it later)")


def main():
    options = arguments()
    if options.list:
        for program in options.programs:
            print(f"{program.name:14} {program.folder:10} sizes {program.size}, peers {program.peers_size}, quick {program.quick_size}: "
                  f"{', '.join(variant.key for variant in program.variants)}")
        return
    if options.show:
        written = json.loads(options.show.read_text())
        report.print_summary(written["programs"])
        if options.svg:
            write_figure(written["programs"], options.svg)
        return
    if not os.access(options.driver, os.X_OK):
        sys.exit(f"run.py: no driver at {options.driver}; build first, or name it with --driver")
    driver = options.driver.absolute()  # nopal-clang++ is a link to nopal-clang, and its name counts
    if options.real_time and not measure.may_be_real_time():
        sys.exit("run.py: no right to real-time priority: be root, raise `ulimit -r`, or leave out --real-time")
    rounds = 1 if options.quick else options.rounds
    bar = measure.Bar()
    load = os.getloadavg()[0]
    try:
        binaries, missing = build.build(options.programs, driver.parent.parent / "benchmarks", str(driver), bar, set(options.without))
        runs, slow = measure.measure(options.programs, binaries, rounds, options.quick, options.real_time, bar)
    except (build.BuildFailure, measure.WrongResult) as failure:
        sys.exit(f"\nrun.py: {failure}")
    processors = len(os.sched_getaffinity(0))
    summary = report.summary(options.programs, report.Runs(runs), options.quick)
    print(f"{rounds} interleaved rounds, {processors} processors, load {load:.1f} before and {os.getloadavg()[0]:.1f} after")
    report.print_summary(summary)
    report.print_left_out(missing, slow)
    if processors < 2:
        print("left out: two workers: there is one processor")
    if options.json:
        options.json.write_text(json.dumps({
            "rounds": rounds, "quick": options.quick, "real_time": options.real_time, "processors": processors, "load": load, "runs": runs, "programs": summary,
            "left_out": {**missing, **{f"{program}, {variant}": why for (program, variant), why in slow.items()}}}, indent=1) + "\n")
    if options.svg:
        write_figure(summary, options.svg)


if __name__ == "__main__":
    main()
