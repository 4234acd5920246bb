#!/usr/bin/env python3
"""nopal-migrate on programs of other systems: each is compiled as it is and after the tool, and
both must print the same.

    python3 tests/migrate/migrate_test.py [--bin build/bin] [--every N] [--benchmarks] [--refused]
                                          [PROGRAM...]

--every N: every N-th program alone. --benchmarks: also those of benchmarks/, at small sizes.
--refused: the files of refused/ instead, in which every construct must stay, with its reason. A
line `// stays: TEXT` in a program is a reason that the tool must give, and it may give no other.
`// keeps: TEXT` names a part of the old system that stays without a reason, and `// has: TEXT` is a
comment that stays. A program that begins with `// layout:` gets a byte order mark, and carriage
returns at the ends of its lines.
"""
import argparse
import codecs
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "benchmarks"))
from harness import programs as benchmarks  # noqa: E402

LIBRARIES = {"openmp": "-fopenmp", "onetbb": "-ltbb", "cilk_plus": "-fcilkplus"}
# What must be gone of each system, unless something stays.
LEFTOVERS = {"openmp": r"#pragma omp |\bomp_\w+\(", "onetbb": r"\btbb::|tbb/",
             "cilk_plus": r"\b_Cilk_\w+"}
WORKERS = (("1", ""), ("4", ""), ("2", "1:0.3"))


def run(command, **settings):
    return subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=300,
                          **settings)


def reasons_of(answer):
    return re.findall(r"not rewritten: (.*)", answer.stderr)


class Failed(Exception):
    pass


def migrate(binaries, path, options, folders=()):
    command = [binaries / "nopal-migrate", "-i", *(f"--headers={folder}" for folder in folders),
               path, "--", *options]
    with tempfile.TemporaryDirectory() as folder:
        # Debian has the header of one LLVM at a time, beside that compiler's own headers.
        headers = pathlib.Path("/usr/lib").glob("llvm-*/lib/clang/*/include/omp.h")
        for header in sorted(headers)[-1:]:
            (pathlib.Path(folder) / header.name).symlink_to(header)
        answer = run([*command, "-idirafter", folder])
    if answer.returncode not in (0, 1):
        raise Failed(f"nopal-migrate exits with {answer.returncode}:\n{answer.stderr}")
    if (answer.returncode == 1) != bool(reasons_of(answer)):
        raise Failed(f"the exit status is {answer.returncode}, and the reasons are "
                     f"{reasons_of(answer)}")
    return answer


def build(compiler, options, path, program):
    answer = run([compiler, *options, path, "-o", program, "-lm"])
    if answer.returncode:
        raise Failed(f"{path.parent.name}: does not compile:\n{answer.stderr[:2000]}")
    return answer


def outputs(program, arguments, settings):
    found = set()
    for workers, chaos in settings:
        environment = {**os.environ, "CILK_NWORKERS": workers, "OMP_NUM_THREADS": workers}
        if chaos:
            environment["CILK_CHAOS"] = chaos
        answer = run([program, *arguments], env=environment)
        if answer.returncode:
            raise Failed(f"{program} exits with {answer.returncode}: {answer.stderr[:500]}")
        found.add(answer.stdout)
    return found


def check_layout(before, after):
    """Comments that stay, the byte order mark, and the ends of lines."""
    for comment in re.findall(rb"(?://|/\*) has: \w+", before):
        if after.count(comment) != 1:
            raise Failed(f"{comment} stands there {after.count(comment)} times")
    if before.startswith(codecs.BOM_UTF8) and after.find(codecs.BOM_UTF8) != 0:
        raise Failed("the byte order mark is not the first in the file")
    if b"\r\n" in before and b"\n" in after.replace(b"\r\n", b""):
        raise Failed("lines end in two ways")


def check_unused(before, old, after, new):
    """The new program has no unused variables if the old one had none."""
    warnings = ["-fsyntax-only", "-Werror=unused-variable"]
    commands = [[word for word in command if word != "-w"] + [*warnings, path]
                for command, path in ((before, old), (after, new))]
    if run(commands[0]).returncode == 0 and (answer := run(commands[1])).returncode:
        raise Failed(f"an unused variable:\n{answer.stderr[:500]}")


def check_program(binaries, system, source):
    is_c = source.suffix == ".c"
    options = ["-std=c11" if is_c else "-std=c++17", "-O1", "-w"]
    nopal = binaries / ("nopal-clang" if is_c else "nopal-clang++")
    plain = nopal if system == "cilk_plus" else "clang-22" if is_c else "clang++-22"
    extra = ["-fcilkplus"] if system == "cilk_plus" else []
    with tempfile.TemporaryDirectory() as name:
        old, new = pathlib.Path(name) / "as it is", pathlib.Path(name) / "after the tool"
        for folder in (old, new):
            folder.mkdir()
            for file in source.parent.glob(source.stem + ".*"):
                shutil.copy(file, folder)
        if source.read_text().startswith("// layout:"):
            lines = source.read_bytes().splitlines()
            (new / source.name).write_bytes(codecs.BOM_UTF8 + b"\r\n".join([*lines, b""]))
        given = (new / source.name).read_bytes()
        answer = migrate(binaries, new / source.name, [*options, *extra])
        text = (new / source.name).read_text()
        check_layout(given, (new / source.name).read_bytes())
        expected = re.findall(r"// stays: (.*)", source.read_text())
        found = reasons_of(answer)
        if len(expected) != len(found) or any(e not in f for e, f in zip(expected, found)):
            raise Failed(f"stays: {found}, and {expected} was expected")
        left = re.findall(LEFTOVERS[system], re.sub(r"//.*|(?s:/\*.*?\*/)", "", text))
        if left and not expected and "// keeps: " not in source.read_text():
            raise Failed(f"{left[0]!r} is left")
        build(plain, [*options, LIBRARIES[system]], old / source.name, old / "program")
        still = [LIBRARIES[system]] if expected else []
        build(nopal, [*options, *still], new / source.name, new / "program")
        check_unused([plain, *options, LIBRARIES[system]], old / source.name,
                     [nopal, *options, *still], new / source.name)
        wanted = outputs(old / "program", [], WORKERS[:1])
        got = outputs(new / "program", [], WORKERS)
        if got != wanted:
            raise Failed(f"prints {got}, and {wanted} before")


def check_benchmark(binaries, program, peer):
    """A task program of benchmarks/ in another system, and its harness."""
    options = ["-std=c++20", "-O2", "-w"]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        shutil.copytree(benchmarks.ROOT / program.folder, folder / program.name)
        shutil.copytree(benchmarks.ROOT / "support", folder / "support")
        source = folder / program.name / f"{peer}.cpp"
        library = "-fopenmp" if peer == "omp" else "-ltbb"
        build("clang++-22", [*options, library], source, folder / "before")
        answer = migrate(binaries, source, options, [folder / "support"])
        if re.search(r"#pragma omp|tbb::", re.sub(r"//.*", "", source.read_text())):
            raise Failed(f"something stays: {answer.stderr}")
        # The harness of oneTBB limits its threads by objects that have no counterpart.
        build(binaries / "nopal-clang++", [*options, *(["-ltbb"] if peer == "tbb" else [])], source,
              folder / "after")
        arguments = [str(program.quick_size)]
        before, after = (outputs(folder / when, arguments, WORKERS[:2])
                         for when in ("before", "after"))
        if before != after:
            raise Failed(f"prints {after}, and {before} before")


def check_refused(binaries, source):
    with tempfile.TemporaryDirectory() as name:
        copy = pathlib.Path(name) / source.name
        shutil.copy(source, copy)
        options = ["-std=c11" if source.suffix == ".c" else "-std=c++17"]
        answer = migrate(binaries, copy, options)
        lines = copy.read_text().splitlines()
        wanted = 0
        for number, line in enumerate(lines):
            if expected := re.match(r"\s*// stays: (.*)", line):
                wanted += 1
                following = lines[number + 1] if number + 1 < len(lines) else ""
                if f"// nopal-migrate: {expected[1]}" not in following:
                    raise Failed(f"line {number + 1}: the comment is {following!r}, and "
                                 f"{expected[1]!r} was expected")
        if len(reasons_of(answer)) != wanted:
            raise Failed(f"reasons {reasons_of(answer)}; {wanted} were expected")
        kept = [line for line in lines if "// nopal-migrate:" not in line]
        if kept != source.read_text().splitlines():
            raise Failed("more than the comments has changed")
        again = copy.read_text()
        migrate(binaries, copy, options)
        if copy.read_text() != again:
            raise Failed("a second run adds to the first")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", type=pathlib.Path, default=ROOT / "build/bin")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--benchmarks", action="store_true")
    parser.add_argument("--refused", action="store_true")
    parser.add_argument("programs", nargs="*")
    arguments = parser.parse_args()
    binaries = arguments.bin.resolve()
    checks = {}
    if arguments.refused:
        for source in sorted((HERE / "refused").iterdir()):
            checks[f"refused/{source.name}"] = (check_refused, binaries, source)
    else:
        for system in LIBRARIES:
            sources = sorted((HERE / system).glob("*.c*"))
            for source in sources[::arguments.every]:
                checks[f"{system}/{source.name}"] = (check_program, binaries, system, source)
    if arguments.benchmarks:
        for program in benchmarks.PROGRAMS.values():
            for peer in ("omp", "tbb"):
                if (benchmarks.ROOT / program.folder / f"{peer}.cpp").exists():
                    checks[f"{program.name}, {peer}"] = (check_benchmark, binaries, program, peer)
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        futures = {name: pool.submit(*check) for name, check in checks.items()
                   if not arguments.programs or any(part in name for part in arguments.programs)}
        for name, future in futures.items():
            try:
                future.result()
            except (Failed, subprocess.TimeoutExpired) as error:
                failed += 1
                print(f"FAILED: {name}: {error}", flush=True)
    print(f"{len(futures) - failed} of {len(futures)} programs")
    return failed != 0 or not futures


if __name__ == "__main__":
    sys.exit(main())
