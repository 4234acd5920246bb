"""uts on many simulated ranks: SimGrid's SMPI runs the program's own code in simulated time.

    python3 benchmarks/cluster/simulate.py [--ranks 64,256] [--tree T1L] [--milliseconds 50]

A node costs what it costs on this machine, measured with one rank; with --milliseconds, what gives
each rank so much work. Needs Debian's packages libsimgrid-dev and libsimgrid3.32, and installs the
second (as root) if it is missing. Prints a row for each number of ranks: the work of each, seconds,
efficiency (work divided by seconds), messages a rank. The machine computes all nodes and all looks
at messages: 1,024 ranks take a minute with T1L and a quarter of an hour with T1XL.
"""
import argparse
import re
import subprocess
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
NODES = {"T1": 4130071, "T3": 4112897, "T1L": 102181082, "T1XL": 1635119272}
LATENCY = "2.5us"  # of each of the two links that a message takes
BANDWIDTH = "1.25GBps"
LOOK = "1e-6"  # what a look at the messages costs, in seconds
HEADERS = ROOT / "build" / "simgrid"


def simgrid():
    """The folder with SimGrid's headers and its launcher."""
    if not (HEADERS / "usr").exists():
        HEADERS.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(["apt-get", "download", "libsimgrid-dev"], cwd=folder, check=True)
            subprocess.run(["dpkg", "-x", *map(str, Path(folder).glob("*.deb")), str(HEADERS)],
                           check=True)
    library = Path("/usr/lib/x86_64-linux-gnu/libsimgrid.so.3.32")
    if not library.exists():
        subprocess.run(["apt-get", "install", "-y", "-qq", "--no-install-recommends",
                        "libsimgrid3.32"], check=True)
    return HEADERS / "usr", library


def simulate(folder, launcher, program, tree, ranks, step, chunk):
    """Seconds, and messages a rank."""
    hosts = folder / "hosts"
    hosts.write_text("".join(f"n{rank}\n" for rank in range(ranks)))
    platform = folder / "platform.xml"
    platform.write_text(
        "<?xml version='1.0'?>\n"
        '<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">\n'
        '<platform version="4.1">\n'
        f'  <cluster id="c" prefix="n" suffix="" radical="0-{ranks - 1}" speed="1Gf" '
        f'bw="{BANDWIDTH}" lat="{LATENCY}" sharing_policy="FULLDUPLEX"/>\n'
        "</platform>\n")
    settings = {"smpi/privatization": "no", "smpi/np": ranks, "smpi/hostfile": hosts,
                "smpi/simulate-computation": "no", "smpi/tmpdir": folder, "smpi/iprobe": LOOK,
                "smpi/test": LOOK, "smpi/grow-injected-times": "no", "smpi/host-speed": "1Gf",
                "network/model": "SMPI", "smpi/lat-factor": "0:1", "smpi/bw-factor": "0:1",
                "contexts/stack-size": "256"}
    done = subprocess.run(
        [str(launcher), str(program), *(f"--cfg={key}:{value}" for key, value in settings.items()),
         "--log=root.thres:error", str(platform), tree, repr(step), repr(chunk)],
        env={"CILK_STATS": "1"}, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"the simulation failed: {done.stdout}{done.stderr}")
    seconds = float(re.search(r"seconds ([0-9.]+)", done.stderr)[1])
    messages = [int(row.split()[9]) for row in done.stderr.splitlines()
                if re.match(r" +\d+ +1 +\d+%", row)]
    assert len(messages) == ranks, done.stderr[-500:]
    return seconds, sum(messages) / ranks


def node_seconds(folder, launcher, program):
    """What a node costs on this machine: the best of three runs of one rank that hardly looks at
    messages."""
    times = []
    for _ in range(3):
        begun = time.monotonic()
        simulate(folder, launcher, program, "T1", 1, 1e-9, 1e-3)
        times.append(time.monotonic() - begun)
    return min(times) / NODES["T1"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ranks", default="64,256")
    parser.add_argument("--milliseconds", type=float, help="of work for each rank")
    parser.add_argument("--chunk", type=float, default=50e-6, help="seconds between two looks")
    parser.add_argument("--tree", choices=NODES, default="T1L")
    options = parser.parse_args()
    usr, library = simgrid()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        program = folder / "uts.so"
        subprocess.run(["g++", "-O2", "-std=c++20", "-fPIC", "-shared", "-DCILK_SERIAL",
                        f"-I{ROOT}/runtime/include", f"-I{usr}/include", f"-I{usr}/include/smpi",
                        str(HERE / "uts.cpp"), "-o", str(program), str(library)], check=True)
        launcher = usr / "lib/x86_64-linux-gnu/simgrid/smpimain"
        node = node_seconds(folder, launcher, program)
        nodes = NODES[options.tree]
        print(f"{options.tree}: {nodes:,} nodes; one takes {node * 1e9:.0f} ns here\n")
        print("| ranks | work of each | seconds | efficiency | messages a rank |")
        print("|---|---|---|---|---|")
        for ranks in map(int, options.ranks.split(",")):
            work = node * nodes / ranks
            if options.milliseconds:
                work = options.milliseconds / 1000
            seconds, messages = simulate(folder, launcher, program, options.tree, ranks,
                                         work * ranks / nodes, options.chunk)
            print(f"| {ranks:,} | {work * 1000:.0f} ms | {seconds:.4f} | {work / seconds:.2f} | "
                  f"{messages:.0f} |", flush=True)


if __name__ == "__main__":
    main()
