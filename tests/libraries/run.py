#!/usr/bin/env python3
"""Libraries that spawn, loaded with dlopen, call and throw through each other: by a serial program,
by one that spawns, and by one with a runtime of its own (-static-libnopal), which then has two.

  run.py --cxx nopal-clang++ --serial-cxx clang++-22 --build-dir build/libraries
"""

import argparse
import os
import subprocess
import sys
from pathlib import Path

SOURCES = Path(__file__).resolve().parent
EXPECTED = "610\ntwo libraries: 1\n610 610 610\nthrown in a library\n610\n6765\n"
PROGRAMS = {  # name: compiler and options
    "serial": ("serial_cxx", []),
    "spawns": ("cxx", ["-DSPAWNS"]),
    "two_runtimes": ("cxx", ["-DSPAWNS", "-static-libnopal"]),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cxx", required=True)
    parser.add_argument("--serial-cxx", default="clang++-22")
    parser.add_argument("--build-dir", type=Path, required=True)
    options = parser.parse_args()
    build = options.build_dir
    build.mkdir(parents=True, exist_ok=True)
    for library in ("a.so", "b.so"):
        subprocess.run([options.cxx, "-O2", "-fPIC", "-shared", SOURCES / "peer.cpp", "-o",
                        build / library], check=True)
    failed = passed = 0
    for name, (compiler, flags) in PROGRAMS.items():
        subprocess.run([getattr(options, compiler), "-O2", *flags, SOURCES / "loads.cpp", "-o",
                        build / name, "-pthread"], check=True)
        for workers in "1", "4":
            for chaos in None, "1:0.3", "1:1":
                settings = {"CILK_NWORKERS": workers, **({"CILK_CHAOS": chaos} if chaos else {})}
                done = subprocess.run([f"./{name}"], cwd=build, env={**os.environ, **settings},
                                      capture_output=True, text=True, timeout=300)
                if done.returncode == 0 and done.stdout == EXPECTED:
                    passed += 1
                    continue
                failed += 1
                print(f"FAIL {settings} {build / name}: status {done.returncode}\n"
                      f"{done.stdout}{done.stderr}")
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
