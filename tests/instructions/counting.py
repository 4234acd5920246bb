"""Compiles programs of benchmarks/ and counts their instructions by callgrind. Used by the tests of this folder."""
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
SKIPPED = 77


def skip_without_valgrind():
    """Ends the test if nothing can be counted here."""
    if shutil.which("valgrind") is None:
        print("skipped: valgrind is not installed; bash tests/install/dependencies installs it")
        sys.exit(SKIPPED)


def serial_elision():
    """The command that compiles without the keywords."""
    return [shutil.which("clang++-22") or "clang++-22", "-DCILK_SERIAL", "-I", str(ROOT / "runtime" / "include")]


def compile_benchmark(command, source, folder):
    """The program that `command` makes of a source below benchmarks/, as these are compiled for timings."""
    output = folder / "program"
    subprocess.run([*command, "-std=c++20", "-O3", str(ROOT / "benchmarks" / source), "-o", str(output)], check=True)
    return output


def instructions(binary, argument, expected, folder):
    """Instructions of a whole run with one worker, which has to print `expected`."""
    done = subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder / 'callgrind.out'}", str(binary), str(argument)],
                          env={"PATH": "/usr/bin:/bin", "CILK_NWORKERS": "1"}, capture_output=True, text=True)
    if done.returncode != 0 or expected not in done.stdout:
        sys.exit(f"{binary} {argument} under callgrind: status {done.returncode}\n{done.stdout}{done.stderr}")
    return int(re.search(r"Collected\s*:\s*(\d+)", done.stderr).group(1))
