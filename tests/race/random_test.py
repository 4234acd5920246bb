"""Random programs (random/) whose races are known from their trees: the detector, and the oracle,
must say the same.

    python3 tests/race/random_test.py --bin build/bin --oracle build/tests/race --seeds 1-5000
"""
import argparse
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "oracle"))
import verdict  # noqa: E402

SOURCES = [HERE / "random" / name for name in ("run.cpp", "tree.cpp", "truth.cpp")]
LEVELS = ("-O0", "-O2")


def build(options, folder):
    for level in LEVELS:
        subprocess.run([options.bin / "nopal-clang++", "-std=c++20", level, "-g", "-fsanitize=cilk",
                        *SOURCES, "-o", folder / f"run{level}"], check=True)


def judge(options, folder, seed):
    """Whether it has a race, and what is wrong."""
    level = LEVELS[seed % len(LEVELS)]
    found = verdict.judge([folder / f"run{level}", str(seed)], options.oracle)
    known = found.output.startswith(b"race")
    wrong = found.wrong or found.undecided
    if not wrong and known != found.has_race:
        wrong = f"the tree says {found.output[:4]}, the oracle {found.has_race}"
    return known, wrong and f"{level}, seed {seed}: {wrong}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", type=lambda text: Path(text).resolve(), required=True)
    parser.add_argument("--oracle", type=lambda text: Path(text).resolve(), required=True)
    parser.add_argument("--seeds", default="1-300")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    options.oracle /= "libnopal_race_oracle.so"
    first, last = (int(text) for text in options.seeds.split("-"))
    counts, complaints = {True: 0, False: 0}, []
    with tempfile.TemporaryDirectory(prefix="nopal-race-") as text, \
            ThreadPoolExecutor(options.jobs) as pool:
        build(options, Path(text))
        for has_race, wrong in pool.map(lambda seed: judge(options, Path(text), seed),
                                        range(first, last + 1)):
            counts[has_race] += 1
            if wrong:
                complaints.append(wrong)
    print(f"{counts[True]} programs with a race, {counts[False]} without, "
          f"{len(complaints)} wrong verdicts")
    for wrong in complaints[:20]:
        print(f"  {wrong[:400]}")
    # Each kind of verdict must have come up, or nothing is shown.
    return 1 if complaints or min(counts.values()) == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
