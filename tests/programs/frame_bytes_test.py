#!/usr/bin/env python3
"""Compares the bounds that sites give for their functions' stack frames with the real frames.

    tests/programs/frame_bytes_test.py --bin build/bin    some programs and a hard one, -O0 and -O2
    tests/programs/frame_bytes_test.py --bin build/bin --all    all programs, -O0 to -O3

nopal_site::frame_bytes bounds the part of a fast clone's stack frame that lies below its frame
header. The stack frame without the frame (whose size a remark says) contains that part. So it may
not be larger than the bound, and clang's -fstack-usage checks that.
"""

import argparse
import concurrent.futures
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
SOME = ["kernels/strassen.cpp", "kernels/knapsack.c", "language/locals.cpp",
        "language/arguments.cpp", "language/vectors.cpp", "language/odd_values.c",
        "language/variable_arguments.c", "exceptions/regions.cpp"]

SITE = re.compile(r"^\"?([^\s\"]+)\.site(?:\.\d+)?\"?:\n((?:\t\..*\n)+)", re.M)
BOUND = re.compile(r"^\t\.quad\t\S+\.steals(?:\.\d+)?\"?\n\t\.long\t(\d+)\b", re.M)

# Far more values than registers, wide values, and large arguments, for which the 4096 spare bytes
# of each function are too few.
HARD = """#include <cilk/cilk.h>
struct large {{ char bytes[30000]; }};
typedef long wide __attribute__((vector_size(256)));
void work(void);
long take(struct large, long);
long use(const wide *);
long parts(wide a, int at) {{ return a[at]; }}
long values(const volatile long *p) {{
  cilk_spawn work();
  {loads}
  work();
  cilk_sync;
  return {sum};
}}
long vectors(const volatile wide *p, int at) {{
  long sum = 0;
  cilk_spawn work();
  {wide_loads}
  work();
  {wide_sum}
  cilk_sync;
  return sum;
}}
long by_value(const struct large *p, long n) {{
  long a = cilk_spawn take(*p, n);
  long b = take(*p, n + 1) + take(*p, n + 2);
  cilk_sync;
  return a + b;
}}
long child(long n) {{
  cilk_spawn {{ wide many[200]; many[n][0] = n; use(many); }}
  work();
  cilk_sync;
  return n;
}}
"""


def hard_program(folder):
    path = folder / "hard.c"
    count, wides = 1500, 60
    path.write_text(HARD.format(
        loads="\n  ".join(f"long a{i} = p[{i}];" for i in range(count)),
        sum=" + ".join(f"a{i} * {i + 3}" for i in range(count)),
        wide_loads="\n  ".join(f"wide a{i} = p[{i}];" for i in range(wides)),
        wide_sum="\n  ".join(f"sum += a{i}[(at + {i}) & 31];" for i in range(wides))))
    return path


def run(*command):
    return subprocess.run([str(word) for word in command], check=True, capture_output=True,
                          text=True).stdout


def bounds(assembly):
    """{function: frame_bytes} of the sites in assembly text.

    A site's symbol is that of its function, then .site and maybe a number. In the site the bound
    comes next to the counter's address.
    """
    found = {}
    for match in SITE.finditer(assembly.read_text()):
        bound = BOUND.search(match[2])
        found.setdefault(match[1], set()).add(int(bound[1]))
    for function, values in found.items():
        assert len(values) == 1, f"{assembly}: sites of {function} differ: {values}"
    return {function: values.pop() for function, values in found.items()}


def frame_sizes(record):
    """{function: bytes of its frame, header included}, from the splitter's remarks."""
    sizes = {}
    for document in record.read_text().split("--- !")[1:]:
        if "Pass:            nopal-split" in document and "FrameSize:" in document:
            name = re.search(r"^Function: +'?(.*?)'?$", document, re.M)[1]
            sizes[name] = int(re.search(r"FrameSize: +(\d+)", document)[1])
    return sizes


def check(options, folder, source, level):
    """Lines about what is wrong, and how many functions have a bound and have none."""
    assembly = folder / f"{source.parent.name}_{source.stem}{level}.s"
    compiler = "nopal-clang" if source.suffix == ".c" else "nopal-clang++"
    given = re.search(r"matrix: flags (.*?)\s*(?:\*/)?$", source.read_text(), re.M)
    standard = [] if source.suffix == ".c" else ["-std=c++17"]
    run(options.bin / compiler, level, "-w", "-fstack-usage", "-fsave-optimization-record",
        *standard, "-I", HERE, *(given[1].split() if given else []),
        "-S", source, "-o", assembly)
    used = {}
    for line in assembly.with_suffix(".su").read_text().splitlines():
        place, size, kind = line.rsplit("\t", 2)
        used[place.rsplit(":", 1)[1]] = (int(size), kind)
    frames = frame_sizes(assembly.with_suffix(".opt.yaml"))
    wrong, known, unknown = [], 0, 0
    for function, bound in bounds(assembly).items():
        if function not in used:  # nobody calls it, so there is no code
            continue
        size, kind = used[function]
        if bound == 0:
            unknown += 1
            continue
        known += 1
        below = size - frames.get(function, 0)
        if options.verbose:
            print(f"{source.name} {level} {function}: {below} of {bound}")
        if kind != "static" or below > bound:
            wrong.append(f"{source} {level}: {function} uses {below} bytes below its header "
                         f"({kind}), and says {bound}")
    return wrong, known, unknown


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", type=Path, required=True, help="folder of nopal-clang")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("-j", type=int, default=2)
    options = parser.parse_args()
    programs = [HERE / name for name in SOME]
    if options.all:
        programs = sorted(path
                          for folder in ("kernels", "language", "exceptions", "regressions",
                                         "system")
                          for path in (HERE / folder).iterdir() if path.suffix in (".c", ".cpp"))
    levels = ["-O0", "-O1", "-O2", "-O3", "-Os"] if options.all else ["-O0", "-O2"]
    with tempfile.TemporaryDirectory() as name, \
            concurrent.futures.ThreadPoolExecutor(options.j) as pool:
        folder = Path(name)
        jobs = [(program, level) for program in [hard_program(folder), *programs]
                for level in levels]
        results = list(pool.map(lambda job: check(options, folder, *job), jobs))
    failures = [line for wrong, _, _ in results for line in wrong]
    known, unknown = sum(result[1] for result in results), sum(result[2] for result in results)
    print(f"{known} functions have a bound, {unknown} have none")
    if known < 10 * unknown:
        failures.append("too few functions have a bound")
    for failure in failures:
        print("FAILED:", failure)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
