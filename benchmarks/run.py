#!/usr/bin/env python3
"""Times the benchmarks: builds, runs interleaved rounds, pinned, checks results, prints medians
with their spread and the ratios.

    python3 benchmarks/run.py [--only NAME]... [--rounds 3] [--json FILE] [--svg FILE] [--page FILE]
    python3 benchmarks/run.py --show FILE [--svg FILE] [--page FILE]   # of what --json wrote
    python3 benchmarks/run.py --quick                                  # what ctest runs
    python3 benchmarks/run.py --list

README.md says what the columns mean. --page writes the tables of docs/performance.md anew, of the
programs that were run. Results are checked, times are never judged: status 1 is a wrong result or a
program that does not compile. Needs the build; peers that are not installed are named and left out.
Binaries are kept in the build's folder benchmarks/. --quick: one round of small sizes.
"""
import argparse
import json
import os
import pathlib
import sys

from harness import build, measure, page, plot, programs, report

ROOT = pathlib.Path(__file__).resolve().parents[1]


def chosen(only):
    """The programs whose name is one of these, or begins with one and a dash."""
    return [program for name, program in programs.PROGRAMS.items()
            if not only or any(name == word or name.startswith(f"{word}-") for word in only)]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    file = {"type": pathlib.Path, "metavar": "FILE"}
    parser.add_argument("--driver", type=pathlib.Path, default=ROOT / "build/bin/nopal-clang++")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", action="append", metavar="NAME",
                        help="a program, or its name up to a dash; may be repeated")
    parser.add_argument("--without", action="append", default=[], choices=sorted(build.MODELS),
                        help="a model to leave out")
    parser.add_argument("--json", **file)
    parser.add_argument("--svg", **file)
    parser.add_argument("--page", **file)
    parser.add_argument("--show", **file)
    parser.add_argument("--real-time", action="store_true",
                        help="run at real-time priority, so that no other process counts")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    if options.rounds < 1:
        parser.error("--rounds takes 1 or more")
    options.programs = chosen(options.only)
    if not options.programs:
        parser.error(f"no such program; there are {', '.join(programs.PROGRAMS)}")
    return options


def list_programs(chosen_programs):
    for program in chosen_programs:
        print(f"{program.name:14} {program.folder:10} sizes {program.size}, peers "
              f"{program.peers_size}, quick {program.quick_size}: "
              f"{', '.join(variant.key for variant in program.variants)}")


def show(run, options):
    report.print_summary(run["programs"])
    if options.svg:
        plot.plot(run["programs"], options.svg)
    if options.page:
        options.page.write_text(page.rewritten(run, options.page.read_text()))


def measured(options):
    """Builds and measures; returns the run, as --json writes it."""
    driver = options.driver.absolute()  # nopal-clang++ is a link to nopal-clang; its name counts
    rounds = 1 if options.quick else options.rounds
    bar = measure.Bar()
    load = os.getloadavg()[0]
    try:
        binaries, missing = build.build(options.programs, driver.parent.parent / "benchmarks",
                                        str(driver), bar, set(options.without))
        runs, slow = measure.measure(options.programs, binaries, bar, rounds=rounds,
                                     quick=options.quick, real_time=options.real_time)
    except (build.BuildFailure, measure.WrongResult) as failure:
        sys.exit(f"\nrun.py: {failure}")
    left_out = missing | {f"{program}, {variant}": why for (program, variant), why in slow.items()}
    processors = len(os.sched_getaffinity(0))
    if processors < 2:
        left_out["two workers"] = "there is one processor"
    print(f"{rounds} interleaved rounds, {processors} processors, load {load:.1f} before and "
          f"{os.getloadavg()[0]:.1f} after")
    return {"made": page.describe(ROOT), "rounds": rounds, "quick": options.quick,
            "real_time": options.real_time, "processors": processors, "load": load, "runs": runs,
            "programs": report.summary(options.programs, report.Runs(runs), options.quick),
            "left_out": left_out}


def main():
    options = arguments()
    if options.list:
        return list_programs(options.programs)
    if options.show:
        return show(json.loads(options.show.read_text()), options)
    if not os.access(options.driver, os.X_OK):
        sys.exit(f"run.py: no driver at {options.driver}; build first, or name it with --driver")
    if options.real_time and not measure.may_be_real_time():
        sys.exit("run.py: no right to real-time priority: be root, raise `ulimit -r`, or leave out "
                 "--real-time")
    run = measured(options)
    if options.json:
        options.json.write_text(json.dumps(run, indent=1) + "\n")
    show(run, options)
    if options.quick:  # whether the page can be written; its figures would mean nothing
        page.rewritten(run, (ROOT / "docs/performance.md").read_text())
    for what, why in sorted(run["left_out"].items()):
        print(f"left out: {what}: {why}")


if __name__ == "__main__":
    main()
