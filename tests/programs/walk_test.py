#!/usr/bin/env python3
"""Compares docs/examples/walk with find(1) and wc(1), on a tree that is hard to count and on real
directories.

  walk_test.py --walk build/walk                            the generated tree and /usr/include
  walk_test.py --walk build/walk DIR...                     the generated tree and these
  walk_test.py --cxx nopal-clang++ --build-dir build/walk   builds it first

Also checks the messages for an unreadable directory and a wrong option, and the words against a
count in Python. The words of wc are those of GNU coreutils before 9.5 in the C locale; where the
installed wc counts otherwise, words are not compared with it (reported as left out), only with
Python.
"""

import argparse
import collections
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from matrix import tree

C_LOCALE = {**os.environ, "LC_ALL": "C"}
PRINTABLE = re.compile(rb"[!-~]")
failures = []
left_out = []


def expect(what, actual, expected):
    if actual != expected:
        failures.append(what)
        print(f"FAIL {what}: {actual!r} is not {expected!r}")


def walk(program, *arguments, status=0, user=None):
    """The JSON report, after checking the exit status."""
    done = subprocess.run([program, "--json", *map(str, arguments)], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, user=user)
    if done.returncode != status:
        failures.append("status")
        print(f"FAIL walk {arguments}: status {done.returncode}, not {status}: "
              f"{done.stderr.decode(errors='replace')}")
    return json.loads(done.stdout) if done.stdout else None


def found(directory, kind):
    listed = subprocess.run(["find", directory, "-type", kind, "-print0"], stdout=subprocess.PIPE,
                            check=True, env=C_LOCALE).stdout
    return listed


def wc_totals(names):
    """Lines, words and bytes of the files in a NUL-separated list."""
    if not names:
        return [0, 0, 0]
    output = subprocess.run(["wc", "-lwc", "--files0-from=-"], input=names, stdout=subprocess.PIPE,
                            check=True, env=C_LOCALE).stdout
    return [int(number) for number in output.splitlines()[-1].split()[:3]]


def wc_counts_unprintable_words():
    return subprocess.run(["wc", "-w"], input=b"\x80\n", stdout=subprocess.PIPE, check=True,
                          env=C_LOCALE).stdout.strip() != b"0"


def words_by_python(names):
    counts = collections.Counter()
    for name in names.split(b"\0")[:-1]:
        with open(name, "rb") as file:
            counts.update(word for word in file.read().split() if PRINTABLE.search(word))
    return counts


def compare_with_wc(program, directory):
    report = walk(program, directory)
    names = found(directory, "f")
    expect(f"{directory}: files", report["files"], names.count(b"\0"))
    expect(f"{directory}: directories", report["directories"], found(directory, "d").count(b"\0"))
    lines, words, size = wc_totals(names)
    expect(f"{directory}: lines", report["lines"], lines)
    expect(f"{directory}: bytes", report["bytes"], size)
    if wc_counts_unprintable_words():
        left_out.append(f"words of {directory}: this wc counts words without printable characters")
    else:
        expect(f"{directory}: words", report["words"], words)
    expect(f"{directory}: problems", report["not_readable"], [])
    print(f"{directory}: {report['files']} files, {report['lines']} lines, {report['words']} "
          f"words, {report['bytes']} bytes")


def compare_with_python(program, directory):
    """All words with their counts, in order."""
    counts = words_by_python(found(directory, "f"))
    report = walk(program, "--top", len(counts) + 10, directory)
    expected = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    expect("words", report["words"], sum(counts.values()))
    expect("different words", report["different_words"], len(counts))
    expect("each word", report["top_words"],
           [[word.decode("latin-1"), count] for word, count in expected])
    expect("no words asked for", walk(program, "--top", 0, directory)["top_words"], [])


def check_refusals(program, scratch):
    expect("a wrong option",
           subprocess.run([program, "--no-such-option"], stderr=subprocess.DEVNULL).returncode, 2)
    expect("a wrong number",
           subprocess.run([program, "--top", "many"], stderr=subprocess.DEVNULL).returncode, 2)
    report = walk(program, scratch / "not there", status=1)
    expect("a directory that is not there", [path for path, _ in report["not_readable"]],
           [str(scratch / "not there")])


def check_unreadable(program, scratch):
    """What cannot be read is listed, and the rest is counted. The superuser reads everything, so it
    becomes somebody else."""
    place = scratch / "closed"
    (place / "open").mkdir(parents=True)
    (place / "directory").mkdir()
    (place / "directory" / "hidden").write_text("not counted\n")
    (place / "open" / "file").write_text("one two three\n")
    (place / "file").write_text("not counted\n")
    (place / "directory").chmod(0)
    (place / "file").chmod(0)
    scratch.chmod(0o755)
    user = 65534 if os.getuid() == 0 else None
    try:
        report = walk(program, place, status=1, user=user)
    except PermissionError as error:
        left_out.append(f"files that cannot be read: {error}")
        return
    finally:
        (place / "directory").chmod(0o755)
        (place / "file").chmod(0o644)
    expect("unreadable: files", report["files"], 2)
    expect("unreadable: words", report["words"], 3)
    expect("unreadable: list", report["not_readable"],
           [[str(place / "directory"), "Permission denied"],
            [str(place / "file"), "Permission denied"]])


def build(compiler, build_dir):
    build_dir.mkdir(parents=True, exist_ok=True)
    sources = sorted((Path(__file__).resolve().parent.parent.parent / "docs" / "examples" /
                      "walk").glob("*.cpp"))
    subprocess.run([compiler, "-std=c++20", "-O2", *map(str, sources), "-o",
                    str(build_dir / "walk")], check=True)
    return str(build_dir / "walk")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    program = parser.add_mutually_exclusive_group(required=True)
    program.add_argument("--walk", help="the program")
    program.add_argument("--cxx", help="the compiler that builds it")
    parser.add_argument("--build-dir", default="build-walk",
                        help="where --cxx puts it (default %(default)s)")
    parser.add_argument("directories", nargs="*", default=["/usr/include"],
                        help="directories to compare (default /usr/include)")
    options = parser.parse_args()
    program = str(Path(options.walk).resolve()) if options.walk else build(
        options.cxx, Path(options.build_dir).resolve())
    with tempfile.TemporaryDirectory() as scratch:
        scratch = Path(scratch)
        tree.make_tree(scratch / "tree")
        for directory in [scratch / "tree", *options.directories]:
            compare_with_wc(program, str(directory))
        compare_with_python(program, str(scratch / "tree"))
        check_refusals(program, scratch)
        check_unreadable(program, scratch)
    for line in left_out:
        print(f"left out: {line}")
    print(f"walk: {len(failures)} failed, {len(left_out)} left out")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
