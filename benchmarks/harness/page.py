"""Writes the tables of docs/performance.md from a run. Each stands between <!-- begin NAME --> and
<!-- end NAME -->, and nothing else of the page changes."""
import datetime
import platform
import re
import shutil
import subprocess

# (program, how the page calls it, the target of T1/Tserial)
TASKS = (
    ("fib", "fib(40)", "1.40"), ("integrate", "integrate, no cut-off", "1.15"),
    ("skynet", "skynet", "1.50"), ("nqueens", "nqueens(12)", "1.03"), ("uts-T1", "UTS T1", "1.00"),
    ("uts-T3", "UTS T3", "1.00"), ("cilksort", "cilksort, 10M", "1.00"),
    ("matmul", "matmul, 1024", "1.00"), ("quicksort", "quicksort, 10M", ""),
    ("rectmul", "rectmul", ""), ("strassen", "strassen", ""), ("lu", "lu, 2048", ""),
    ("cholesky", "cholesky, 2500", ""), ("fft", "fft", ""), ("heat", "heat", ""),
    ("knapsack", "knapsack", ""), ("spawnloop", "10M tiny children in a loop", ""),
)
LOOPS = (
    ("daxpy", "daxpy, 10M doubles"), ("stencil", "stencil"), ("spmv", "sparse matrix, skewed"),
    ("mandelbrot", "Mandelbrot"), ("triangle", "nested triangles"),
    ("hot", "a million loops of 100 iterations"),
)
MODELS = ("cilk", "tbb", "openmp", "gomp")
# T1/Tserial and T1/T2 of OpenCilk and Lace, as quoted below the table.
QUOTED = {"fib": ("7.88", "1.98", "1.59", "1.98"), "spawnloop": ("", "0.10", "", "0.96")}
TASKS_HEAD = ("program", "target", "**Nopal**", "oneTBB", "libomp", "libgomp", "**Nopal**, T1/T2",
              "oneTBB, T1/T2", "libomp, T1/T2", "libgomp, T1/T2", "control", "*OpenCilk*",
              "*OpenCilk*, T1/T2", "*Lace*", "*Lace*, T1/T2")
LOOPS_HEAD = ("loop", "Nopal, T1/Tserial", "Nopal", "OpenMP static", "oneTBB")


def describe(root):
    """Where, when and of which commit a run is."""
    def printed(*command):
        if not shutil.which(command[0]):
            return "unknown"
        done = subprocess.run(command, cwd=root, capture_output=True, text=True)
        return done.stdout.strip() if done.returncode == 0 else "unknown"
    with open("/proc/cpuinfo") as lines:
        names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return {"date": datetime.date.today().isoformat(),
            "commit": printed("git", "describe", "--always", "--dirty", "--exclude=*"),
            "processor": f"{len(names)} x {names[0]}" if names else platform.machine(),
            "system": platform.freedesktop_os_release()["PRETTY_NAME"],
            "compiler": printed("clang++-22", "--version").split("\n")[0]}


def number(value):
    return "" if value is None else f"{value:.2f}" if value < 10 else f"{value:,.0f}"


def table(head, rows):
    return "\n".join("| " + " | ".join(row) + " |"
                     for row in (head, ["---"] * len(head), *rows)).replace("  ", " ")


def tasks_table(programs):
    rows = []
    for name, title, target in TASKS:
        if name not in programs:
            continue
        variants, control = programs[name]["variants"], programs[name]["control"]
        get = lambda model, workers, what: number(variants.get(f"{model} {workers}", {}).get(what))
        opencilk, opencilk_2, lace, lace_2 = QUOTED.get(name, ("",) * 4)
        rows.append([title, target, f"**{get('cilk', 1, 'overhead')}**",
                     *(get(model, 1, "overhead") for model in MODELS[1:]),
                     *(get(model, 2, "speedup") for model in MODELS),
                     number(control and control["machine_gives"]), opencilk, opencilk_2, lace,
                     lace_2])
    return table(TASKS_HEAD, rows)


def loops_table(programs):
    rows = []
    for name, title in LOOPS:
        if name not in programs:
            continue
        variants = programs[name]["variants"]
        time = lambda key: f"{1e3 * variants[key]['median']:,.1f}" if key in variants else ""
        rows.append([title, number(variants.get("cilk 1", {}).get("overhead")),
                     *(time(f"{model} 2") for model in ("cilk", "static", "tbb-loop"))])
    return table(LOOPS_HEAD, rows)


def made_line(run):
    made = run["made"]
    return (f"- **Measured**: {made['processor']}, {made['system']}.\n"
            f"  {made['compiler']}.\n"
            f"  {made['date']}, commit {made['commit']}, {run['rounds']} rounds, "
            f"load {run['load']:.1f} at the start.")


def replaced(text, name, new):
    """The text with `new` as the part of that name, and whether it has such a part."""
    part = re.compile(rf"(<!-- begin {name} -->\n).*?(<!-- end {name} -->)", re.DOTALL)
    text, count = part.subn(lambda found: f"{found[1]}{new}\n{found[2]}", text)
    return text, count > 0


def rewritten(run, text):
    """The text of the page with the tables of this run."""
    programs = run["programs"]
    for name, new in (("programs", tasks_table(programs)), ("loops", loops_table(programs)),
                      ("measured", made_line(run))):
        text, is_there = replaced(text, name, new)
        if not is_there:
            raise SystemExit(f"run.py: the page has no '<!-- begin {name} -->'")
    return text
