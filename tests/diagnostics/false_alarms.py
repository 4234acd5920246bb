#!/usr/bin/env python3
"""Compiles every Cilk program of docs/ and benchmarks/, and some of the generator's, with the
front-end's warnings as errors (-fsyntax-only). Those of tests/programs are compiled so in their
matrix, and those that benchmarks/run.py compares are when it compiles them.

    false_alarms.py --bin build/bin [--seeds 1-6] [-j 2]

They are correct programs, so a warning of a race or of a variable that ends too early is a false
alarm. Prints what the compiler said; status 1 if anything.
"""
import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests" / "programs"), str(ROOT / "benchmarks")]
from harness.programs import PROGRAMS  # noqa: E402
from matrix import programs  # noqa: E402

WARNINGS = ["-fsyntax-only", "-Werror=unsequenced", "-Werror=dangling"]
FOLDERS = ["docs/examples", "benchmarks"]


def mpi_options():
    """Where MPI's headers are, or None if it is not installed."""
    if not shutil.which("mpicxx"):
        return None
    shown = subprocess.check_output(["mpicxx", "-show"], text=True)
    return [word for word in shown.split() if word.startswith("-I")]


# What the sources of a folder are compiled with; None: they are left out.
OPTIONS = {"benchmarks/algorithms": ["-DWAY=1"], "benchmarks/cluster": mpi_options()}


def sources():
    """(file, options) of each source file that has a keyword or a header of Cilk."""
    compared = {program.source(variant) for program in PROGRAMS.values()
                for variant in program.variants if variant.model.startswith("cilk")}
    for folder in FOLDERS:
        flags = {}
        for program in programs.find_programs(ROOT / folder):
            for source in program.sources:
                flags[source] = program.flags()
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix not in (".c", ".cpp") or path in compared:
                continue
            if not re.search(r"\bcilk_|<cilk/", path.read_text()):
                continue
            options = OPTIONS.get(path.parent.relative_to(ROOT).as_posix(), [])
            if options is None:
                print(f"{path}: left out, no MPI is installed")
            else:
                yield path, [*flags.get(path, []), *options, "-Werror=pass-failed"]


def generated(seeds, folder):
    for seed in seeds:
        for options, suffix in (([], ".cpp"), (["--c"], ".c")):
            text = subprocess.run([sys.executable, "-B", ROOT / "tests/generator/generate.py",
                                   str(seed), *options],
                                  check=True, capture_output=True, text=True).stdout
            path = Path(folder) / f"seed{seed}{suffix}"
            path.write_text(text)
            yield path, ["-Wno-pass-failed", f"-I{ROOT}/tests/generator/support"]


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True, type=Path, help="folder of nopal-clang")
    parser.add_argument("--seeds", default="1-6", help="of the generator, FIRST-LAST")
    parser.add_argument("-j", type=int, default=2, help="compilers at a time")
    options = parser.parse_args()
    first, last = map(int, options.seeds.split("-"))

    def compile_one(job):
        path, flags = job
        is_c = path.suffix == ".c"
        name, standard = ("nopal-clang", "gnu17") if is_c else ("nopal-clang++", "c++20")
        run = subprocess.run([options.bin / name, f"-std={standard}", *WARNINGS, *flags, str(path)],
                             capture_output=True, text=True)
        return run.returncode, path, run.stderr

    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(options.j) as pool:
        jobs = [*sources(), *generated(range(first, last + 1), folder)]
        results = list(pool.map(compile_one, jobs))
    failed = [(path, text) for status, path, text in results if status]
    for path, text in failed:
        print(f"{path}:\n{text}")
    print(f"{len(results)} files, {len(failed)} with a warning or an error")
    return 1 if failed or not results else 0


if __name__ == "__main__":
    sys.exit(main())
