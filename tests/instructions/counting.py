"""Compiles programs of benchmarks/ and counts their instructions by callgrind. Used by the tests of
this folder."""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SKIPPED = 77


def skip_without_valgrind():
    """Skips the test if this machine cannot count."""
    if shutil.which("valgrind") is None:
        print("skipped: valgrind is not installed; bash tests/install/dependencies installs it")
        sys.exit(SKIPPED)


def serial_elision():
    """The command that compiles without the keywords."""
    return [shutil.which("clang++-22") or "clang++-22", "-DCILK_SERIAL", "-I",
            str(ROOT / "runtime" / "include")]


def compile_benchmark(command, source, folder):
    """The program that `command` makes of a source (a whole path, or one below benchmarks/), as
    benchmarks are compiled for timings."""
    output = folder / "program"
    subprocess.run([*command, "-std=c++20", "-O3", str(ROOT / "benchmarks" / source), "-o",
                    str(output)], check=True)
    return output


def instructions(binary, argument, expected, folder):
    """Instructions of a whole run, which has to print `expected`."""
    done = subprocess.run(["valgrind", "--tool=callgrind",
                           f"--callgrind-out-file={folder / 'callgrind.out'}", str(binary),
                           str(argument)],
                          env={"PATH": "/usr/bin:/bin", "CILK_NWORKERS": "1"},
                          capture_output=True, text=True)
    if done.returncode != 0 or expected not in done.stdout:
        sys.exit(f"{binary} {argument} under callgrind: status {done.returncode}\n"
                 f"{done.stdout}{done.stderr}")
    return int(re.search(r"Collected\s*:\s*(\d+)", done.stderr).group(1))


def bound_beyond_elision(title, source, sizes, expected, units, unit, most):
    """A whole test: fails if `source` takes over `most` instructions a unit more than its serial
    elision.

    Counts the difference of two sizes, which contains no start-up. `expected(size)`: what a run
    prints; `units(size)`: how many of the units, called `unit`, it has.
    """
    parser = argparse.ArgumentParser(description=title)
    parser.add_argument("--driver", required=True)
    options = parser.parse_args()
    skip_without_valgrind()
    small, large = sizes
    between = units(large) - units(small)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)

        def a_unit(command):
            binary = compile_benchmark(command, source, folder)
            counts = [instructions(binary, size, expected(size), folder) for size in sizes]
            return (counts[1] - counts[0]) / between

        serial = a_unit(serial_elision())
        cilk = a_unit([options.driver, "-static-libnopal"])
    print(f"serial elision: {serial:.2f} instructions a {unit}; with the keywords: {cilk:.2f}, at "
          f"most {most} more")
    if cilk > serial + most:
        print(f"FAILED: {cilk - serial:.2f} instructions a {unit} more than the serial elision")
        sys.exit(1)
