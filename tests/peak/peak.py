"""Peak memory of a command, and how much a program may need with Nopal, compared with its serial
elision.

Used by the matrix of programs (../programs) and the generator (../generator). Tests: peak_test.py.
"""

import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

SOURCE = Path(__file__).resolve().parent / "launch.c"


def allowed_kib(serial_kib, workers):
    """P * S1, 1 MiB for each worker, and 8 MiB for the runtime and its libraries."""
    return workers * serial_kib + workers * 1024 + 8 * 1024


class Launcher:
    """Runs commands so that their peak is known. Any thread may use it."""

    def __init__(self, compiler, folder):
        self.folder = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.binary = self.folder / "launch"
        subprocess.run([compiler, "-O1", str(SOURCE), "-o", str(self.binary)], check=True)

    def measure(self, command, run):
        """What `run(longer command)` returns, and the peak of `command` in KiB, or None if it was
        not waited for."""
        with tempfile.NamedTemporaryFile(dir=self.folder) as file:
            result = run([str(self.binary), file.name, *command])
            text = Path(file.name).read_text()
        return result, int(text) if text else None


@dataclass
class Worst:
    """The run that came nearest to its limit, or exceeded it most."""

    ratio: float = 0
    what: str = "no run"

    def add(self, what, kib, serial_kib, workers):
        """A complaint, or None."""
        allowed = allowed_kib(serial_kib, workers)
        text = (f"peak memory of {kib} KiB with {workers} workers, serially {serial_kib} KiB: "
                f"{allowed} KiB are allowed")
        if kib / allowed > self.ratio:
            self.ratio, self.what = kib / allowed, f"{what}: {text}"
        return text if kib > allowed else None

    def __str__(self):
        return f"worst peak memory, {self.ratio:.2f} of what is allowed: {self.what}"
