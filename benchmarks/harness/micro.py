"""Runs a program of google-benchmark: prints its distribution and returns its rows."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile


def clean_environment(**settings):
    """The environment without variables of Nopal, OpenMP and the benchmarks, and with
    `settings`."""
    ours = ("CILK_", "OMP_", "KMP_", "STEALS_", "BENCHMARK_")
    return {name: value for name, value in os.environ.items()
            if not name.startswith(ours)} | settings


def run(binary, repetitions, environment, processors, *options):
    """One process. Ends run.py if the process fails, or if a benchmark says that it failed."""
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report.json"
        done = subprocess.run(
            [str(binary), f"--benchmark_repetitions={repetitions}",
             "--benchmark_report_aggregates_only",
             "--benchmark_counters_tabular", f"--benchmark_out={report}", *options],
            env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=280,
            preexec_fn=lambda: os.sched_setaffinity(0, processors))
        print(done.stdout, flush=True)
        rows = json.loads(report.read_text())["benchmarks"] if done.returncode == 0 else []
    if not rows or any(row.get("error_occurred") for row in rows):
        sys.exit(
            f"run.py: {binary.name}: status {done.returncode}, or a failed "
            f"benchmark\n{done.stderr}")
    return rows
