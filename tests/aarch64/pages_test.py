#!/usr/bin/env python3
"""Runs programs with pages of 4, 16 and 64 KiB, and checks how the runtime divides its memory.

    python3 tests/aarch64/pages_test.py --driver build/bin/nopal-clang++ \\
        --emulator qemu-aarch64-static

The emulator tells the program the size of a page, but the machine's own is 4 KiB, and it does not
refuse what a system with larger pages refuses. So this test reads the calls of the system: each
address that a program maps, protects, advises or unmaps must be the beginning of a page. So must
each end, where the system would round up: memory that is discarded would take live memory of its
last page along.
"""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = [4096, 16384, 65536]
# Stacks that are suspended, trimmed and resumed; by exceptions, too; and threads with small stacks.
PROGRAMS = ["kernels/quicksort.cpp", "exceptions/regions.cpp", "system/threads.cpp"]
# Whole lines only: the emulator may write those of two threads into each other.
CALL = re.compile(r"^\d+ (?:(mmap)\(\w+,(\d+),[^()]*\) = (0x\w+)"
                  r"|(munmap|mprotect|madvise)\((0x\w+),(\d+)(?:,(\w+))?\) = 0)$", re.M)


def check(name, page, trace):
    """What is wrong with the calls; and how many guard zones were made, and ranges discarded."""
    wrong, guards, discards = [], 0, 0
    for mapped, mapped_length, result, call, address, length, what in CALL.findall(trace):
        start = int(result or address, 16)
        ends = call == "munmap" or what == "MADV_DONTNEED"
        if start % page or (ends and int(length) % page):
            wrong.append(f"{name}, pages of {page}: {mapped or call} of {mapped_length or length} "
                         f"bytes at {start:#x} {what}")
        guards += what == "PROT_NONE"
        discards += what == "MADV_DONTNEED"
    return wrong, guards, discards


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--driver", required=True)
    parser.add_argument("--emulator", required=True)
    options = parser.parse_args()
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        for source in PROGRAMS:
            binary = pathlib.Path(folder) / "program"
            subprocess.run([options.driver, "--target=aarch64-linux-gnu", "-static", "-O2",
                            "-std=c++20", str(ROOT / "tests/programs" / source), "-o",
                            str(binary)], check=True)
            outputs = []
            for page in PAGES:
                done = subprocess.run(
                    [options.emulator, "-p", str(page), "-strace", "-D", f"{folder}/trace",
                     str(binary)], stdout=subprocess.PIPE, text=True,
                    env={"CILK_NWORKERS": "2", "CILK_CHAOS": "1:0.1"})
                trace = pathlib.Path(folder, "trace").read_text()
                outputs.append((done.returncode, done.stdout))
                wrong, guards, discards = check(source, page, trace)
                failures += wrong
                print(f"{source}, pages of {page}: status {done.returncode}, {guards} guard zones, "
                      f"{discards} discards")
                if not guards or not discards:
                    failures.append(f"{source}, pages of {page}: no guard zones or no discards")
            if outputs[0][0] != 0 or len(set(outputs)) != 1:
                failures.append(f"{source}: results differ: {outputs}")
    for failure in failures[:20]:
        print(f"FAILED: {failure}")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
