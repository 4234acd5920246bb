"""What the cases of faults.py share: build a program, run it with refusals, judge how it ended."""

import os
import re
import signal
import subprocess
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
# A message names what, why and a remedy.
MESSAGE = re.compile(r"^nopal: fatal: [^\n]+: [^\n]+; [^\n]+$", re.M)


@dataclass
class Ended:
    """How a run ended. status: None after the timeout, negative for a signal."""

    what: str
    status: int | None
    stdout: str
    stderr: str

    def describe(self):
        how = f"status {self.status}"
        if self.status is None:
            how = "did not end"
        elif self.status < 0:
            how = f"ended by {signal.Signals(-self.status).name}"
        return (f"{self.what}: {how}\n  stdout: {self.stdout[-300:]!r}\n"
                f"  stderr: {self.stderr[-600:]!r}")

    def is_right(self, stdout="right\n"):
        return self.status == 0 and self.stdout == stdout

    def is_refused_clearly(self):
        """Ended by the runtime with a message: aborted, or as refused configuration."""
        return self.status in (-signal.SIGABRT, 2) and MESSAGE.search(self.stderr) is not None


class Builder:
    """Builds each program once. The results lie in `folder`."""

    def __init__(self, cc, cxx, plain_cc, folder):
        self.cc, self.cxx, self.plain_cc, self.folder = cc, cxx, plain_cc, Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.done = {}

    def run(self, command):
        done = subprocess.run(command, capture_output=True, text=True, timeout=300)
        if done.returncode != 0:
            raise RuntimeError(f"{' '.join(command)}\n{done.stderr}")

    def program(self, name, *options):
        key = "-".join([name, *[re.sub(r"\W", "", option) for option in options]])
        if key not in self.done:
            # A name of its own for each process: several groups of cases may build at the same
            # time.
            output = self.folder / f"{key}.{os.getpid()}"
            self.run([self.cxx, "-std=c++20", "-O2", "-g", "-Wall", "-Wextra", "-Werror",
                      "-pthread", *options,
                      str(HERE / "programs" / f"{name}.cpp"), "-o", str(output), "-ldl"])
            self.done[key] = output
        return self.done[key]

    def refuser(self):
        """The library that refuses calls (refuse.c)."""
        if "refuse" not in self.done:
            output = self.folder / f"refuse.{os.getpid()}.so"
            self.run([self.plain_cc, "-shared", "-fPIC", "-O1", "-Wall", "-Werror",
                      str(HERE / "refuse.c"), "-o", str(output), "-ldl"])
            self.done["refuse"] = output
        return self.done["refuse"]

    def remove(self):
        for output in self.done.values():
            output.unlink(missing_ok=True)


def start(command, environment=(), prepare=None):
    """Starts a command with a clean set of CILK_ variables."""
    clean = {name: value for name, value in os.environ.items()
             if not name.startswith(("CILK_", "NOPAL_"))}
    clean.update(environment)
    return subprocess.Popen([str(word) for word in command], stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            text=True, env=clean, preexec_fn=prepare)


def finish(process, what, timeout=60):
    try:
        stdout, stderr = process.communicate(timeout=timeout)
        status = process.returncode
    except subprocess.TimeoutExpired:
        process.kill()
        stdout, stderr = process.communicate()
        status = None
    return Ended(what, status, stdout, stderr)


def run(command, environment=(), prepare=None, timeout=60):
    environment = dict(environment)
    what = " ".join([f"{name}={value}" for name, value in environment.items()]
                    + [str(word) for word in command])
    return finish(start(command, environment, prepare), what, timeout)
