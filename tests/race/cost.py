"""What the race detector costs: time and memory of the benchmark programs at -O2, against their
serial elisions.

    python3 tests/race/cost.py --bin build/bin [--rounds 3] [--filter cilksort]
"""
import argparse
import math
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / "benchmarks"))
from harness import programs  # noqa: E402  the benchmarks' list

# Sizes at which the serial program takes some hundredths of a second.
SIZES = {"fib": 30, "nqueens": 10, "integrate": 1000, "skynet": 6, "cilksort": 1_000_000,
         "quicksort": 2_200_000, "matmul": 320, "rectmul": 320, "strassen": 512, "lu": 512,
         "cholesky": 600, "fft": 18, "heat": 5, "knapsack": 36, "spawnloop": 1_000_000,
         "daxpy": 2_000_000, "stencil": 5, "spmv": 200_000, "mandelbrot": 200, "triangle": 1000,
         "hot": 100_000, "uts-T1": 0}


def source(name):
    program = programs.PROGRAMS[name]
    folder = ROOT / "benchmarks" / program.folder
    return folder / (f"{name}.cpp" if program.folder == "loops" else "cilk.cpp")


def build(options, name, folder):
    """The serial elision and the checked program."""
    rest = ["-O2", "-w", "-std=c++20", source(name), "-o"]
    subprocess.run(["clang++-22", "-DCILK_SERIAL", f"-I{ROOT}/runtime/include", *rest,
                    folder / "serial"], check=True)
    subprocess.run([options.bin / "nopal-clang++", "-fsanitize=cilk", *rest, folder / "checked"],
                   check=True)


def run(program, size):
    """Seconds, and the peak of memory in KiB."""
    done = subprocess.run([program, str(size)], capture_output=True, text=True, check=False)
    if "race" in done.stderr or done.returncode:
        raise SystemExit(f"{program}: {done.stderr}")
    return (float(re.search(r"seconds (\S+)", done.stderr)[1]),
            int(re.search(r"peak_kib (\S+)", done.stderr)[1]))


def mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", type=lambda text: Path(text).resolve(), required=True)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--filter", default="")
    options = parser.parse_args()
    times, memories = [], []
    print("program          serial      checked     time   memory")
    for name, size in SIZES.items():
        if not re.search(options.filter, name):
            continue
        with tempfile.TemporaryDirectory(prefix="nopal-race-") as text:
            folder = Path(text)
            build(options, name, folder)
            found = {}
            for _ in range(options.rounds):  # interleaved
                for kind in ("serial", "checked"):
                    spent = run(folder / kind, size)
                    found[kind] = tuple(map(min, found.get(kind, spent), spent))
        (serial, serial_memory), (checked, memory) = found["serial"], found["checked"]
        times.append(checked / serial)
        memories.append(memory / serial_memory)
        print(f"{name:12} {serial:8.4f} s {checked:10.4f} s {times[-1]:7.1f}x {memories[-1]:7.2f}x",
              flush=True)
    print(f"geometric mean: {mean(times):.2f}x time, {mean(memories):.2f}x memory")


if __name__ == "__main__":
    main()
