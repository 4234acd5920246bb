"""Makes a failure small with cvise: leaves out parts of a program as long as it fails in the same
way.

What cvise reduces is a list of the parts' numbers, one a line: nodes of the program's tree here,
mutations in ../mutator. Its test of a shorter list is run.py with `--parts`. So each candidate is
as free of races as the whole program (tree.py). It would not be if cvise removed lines of C++.
"""

import json
import shlex
import shutil
import subprocess
import sys

RUNS = 8  # of a failure that depends on the schedule


def how(failure):
    """How it fails, without the words that change with the program."""
    what, setting = failure
    if setting is not None:
        return "run"
    return what.split("error:")[-1][:40] if "error:" in what else what[:30]


def add_options(parser):
    parser.add_argument("--parts", metavar="FILE",
                        help="for cvise: one seed with the parts alone that "
                        "FILE numbers; the status is 0 if it fails as --fails says")
    parser.add_argument("--fails", type=json.loads, metavar="JSON", help="how, and the setting")


def fails_again(case, options):
    """Whether the parts in options.parts fail as options.fails says."""
    with open(options.parts) as file:
        parts = {int(line) for line in file}
    wanted, setting = options.fails
    is_certain = setting is not None and setting[:2] == [1, "1"]
    passed = case.check_parts(parts, [setting] if setting else [], 1 if is_certain else RUNS)
    return passed is False and how(case.failure) == wanted and "the serial" not in case.failure[0]


def reduce(case, script, names):
    """Leaves out parts of a failed case. Returns the file that is left, or None if it does not fail
    again. `script` is a run.py, and `names` are its options that change a case."""
    options = case.options
    if not shutil.which("cvise"):
        print("    not reduced: cvise is not installed")
        return None
    command = [sys.executable, "-B", str(script), f"--bin={options.bin}", f"--seeds={case.seed}",
               "--build-dir=.", "--fails=" + json.dumps([how(case.failure), case.failure[1]])]
    for name in names:
        value = getattr(options, name.replace("-", "_"))
        value = ",".join(value) if isinstance(value, tuple) else value
        for text in value if isinstance(value, list) else [value]:
            command += [f"--{name}"] if text is True else [f"--{name}={text}"] if text else []
    folder = options.build_dir / f"{case.seed}.parts"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    parts, test = folder / "parts", folder / "fails"
    parts.write_text("".join(f"{number}\n" for number in case.parts()))
    test.write_text(f"#!/bin/sh\nexec {shlex.join(command)} --parts=parts\n")
    test.chmod(0o755)
    done = subprocess.run(["timeout", f"{options.reduce_minutes}m", "cvise", "--tidy",
                           "--pass-group", "delta",
                           "-n", str(options.jobs), "fails", "parts"], cwd=folder,
                          capture_output=True)
    if done.returncode not in (0, 124):
        return None
    left = {int(line) for line in parts.read_text().split()}
    reduced = case.source.with_name(f"{case.seed}.reduced{case.source.suffix}")
    reduced.write_bytes(case.with_parts(left))
    shutil.rmtree(folder)
    return reduced
