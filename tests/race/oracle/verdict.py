"""What the detector says of a program, against the oracle."""
import json
import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

TOO_LARGE = 99  # oracle/graph.h
# Addresses are compared: no llvm-symbolizer in PATH has to name them.
QUIET = {"CILK_RACE_EXIT": "66", "CILK_RACE_ATOMICS": "0", "CILK_RACE_IGNORE": "", "PATH": ""}
SAME_ADDRESSES = [shutil.which("setarch"), "-R"]


@dataclass
class Verdict:
    has_race: bool = False   # as the oracle knows
    strands: int = 0
    wrong: str = ""          # what the detector has wrong
    undecided: str = ""      # why the oracle has no answer
    output: bytes = b""      # what the program prints


def run(command, seconds, **environment):
    """The exit status and what it prints. None: it took too long."""
    try:
        done = subprocess.run([*SAME_ADDRESSES, *command], timeout=seconds, check=False,
                              env={**os.environ, **QUIET, **environment},
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL)
        return done.returncode, done.stdout
    except subprocess.TimeoutExpired:
        return None, b""


def judge(command, oracle, seconds=20):
    """Runs that program under both."""
    with tempfile.TemporaryDirectory(prefix="nopal-race-") as folder:
        answer, report = Path(folder) / "oracle.json", Path(folder) / "report.json"
        status, _ = run(command, seconds, LD_PRELOAD=str(oracle), ORACLE_OUT=str(answer))
        if status == TOO_LARGE or status is None or not answer.exists():
            return Verdict(undecided={TOO_LARGE: "too many strands", None: "too slow"}.get(
                status, f"it ends with {status} and no answer"))
        known = json.loads(answer.read_text())
        expected = [{tuple(pair) for pair in byte} for byte in known["bytes"]]
        verdict = Verdict(bool(expected), known["strands"])
        ended, verdict.output = run(command, seconds, CILK_RACE_OUT=str(report))
        if not report.exists():
            verdict.wrong = f"the detector's run ends with {ended} and no report"
            return verdict
        # The oracle knows of memory alone: the value of a hyperobject races with a whole child.
        found = {(race["earlier"]["code"], race["later"]["code"])
                 for race in json.loads(report.read_text())["races"] if race["earlier"]["code"]}
        if false := found - set().union(*expected):
            verdict.wrong = f"no races: {sorted(false)}"
        elif missed := [byte for byte in expected if not byte & found]:
            verdict.wrong = f"missed: {sorted(missed[0])} and {len(missed) - 1} more"
        elif found and ended != 66:
            verdict.wrong = f"the exit status is {ended}"
        return verdict
