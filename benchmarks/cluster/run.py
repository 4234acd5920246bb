"""Two ranks of one worker against one rank of two workers: interleaved rounds, medians.

    python3 benchmarks/cluster/run.py --bin build/bin [--rounds 9]

Prints a row a program: seconds of each, and the ratio. No time is judged.
"""
import argparse
import os
import re
import shutil
import statistics
import subprocess
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROGRAMS = {"uts": "T3", "nqueens": "15", "mandelbrot": "1200", "betweenness": "12"}
SHAPES = {"1 rank, 2 workers": (1, 2), "2 ranks, 1 worker": (2, 1), "1 rank, 1 worker": (1, 1)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", default="build/bin", help="the folder of nopal-clang++")
    parser.add_argument("--rounds", type=int, default=9)
    options = parser.parse_args()
    compilers = ("mpicxx.openmpi", "mpicxx.mpich")
    compiler = next((each for each in compilers if shutil.which(each)), None)
    if compiler is None:
        raise SystemExit("no MPI is installed; install libopenmpi-dev and openmpi-bin")
    # Open MPI binds a rank to one core, and so all of its workers.
    unbound = ["--bind-to", "none"] if compiler == "mpicxx.openmpi" else []
    driver = str(Path(options.bin).resolve() / "nopal-clang++")
    environment = dict(os.environ, OMPI_CXX=driver, MPICH_CXX=driver, OMPI_ALLOW_RUN_AS_ROOT="1",
                       OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    with tempfile.TemporaryDirectory() as folder:
        for name in PROGRAMS:
            subprocess.run([compiler, "-std=c++20", "-O2", str(HERE / f"{name}.cpp"), "-o",
                            f"{folder}/{name}"], env=environment, check=True)
        times = {(name, shape): [] for name in PROGRAMS for shape in SHAPES}
        for _ in range(options.rounds):
            for name, shape in times:
                ranks, workers = SHAPES[shape]
                done = subprocess.run(
                    [compiler.replace("mpicxx", "mpirun"), *unbound, "-n", str(ranks),
                     f"{folder}/{name}", PROGRAMS[name]],
                    env=dict(environment, CILK_NWORKERS=str(workers)), capture_output=True,
                    text=True, check=True)
                times[name, shape].append(float(re.search(r"seconds ([0-9.]+)", done.stderr)[1]))
    print("| program | " + " | ".join(SHAPES) + " | workers / ranks |")
    print("|---" * (len(SHAPES) + 2) + "|")
    for name, argument in PROGRAMS.items():
        medians = [statistics.median(times[name, shape]) for shape in SHAPES]
        print(f"| {name} {argument} | " + " | ".join(f"{each:.3f} s" for each in medians) +
              f" | {medians[0] / medians[1]:.2f} |")


if __name__ == "__main__":
    main()
