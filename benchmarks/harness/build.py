"""Compiles the variants, at most once while their sources, the compiler and the runtime do not
change; says which peers are missing."""
import concurrent.futures
import hashlib
import os
import pathlib
import shutil
import subprocess

from .programs import ROOT

INCLUDE = ROOT.parent / "runtime" / "include"
FLAGS = ["-std=c++17", "-O3", "-I", str(INCLUDE)]
CLANG = shutil.which("clang++-22") or "clang++-22"
GXX = shutil.which("g++") or "g++"
# As the driver does (clang-plugin/driver/README.md, huge pages): less time to compile and link.
ENVIRONMENT = {"GLIBC_TUNABLES": "glibc.malloc.hugetlb=1:glibc.malloc.top_pad=16777216",
               **os.environ}
# The programs are correct, so a warning of a race, or of a variable that ends too early, is a false
# alarm (tests/diagnostics/false_alarms.py has the other programs).
DRIVER = ["{driver}", "-Werror=unsequenced", "-Werror=dangling", "-Werror=pass-failed"]

# model: (command before the source, libraries after it). {driver} is nopal-clang++.
MODELS = {
    "serial": ([CLANG, "-DCILK_SERIAL"], []),
    "cilk": ([*DRIVER, "-static-libnopal"], []),
    "cilk-shared": (DRIVER, []),
    # no shared library at all: what the program itself takes of memory
    "serial-alone": ([CLANG, "-DCILK_SERIAL", "-static"], []),
    "cilk-alone": ([*DRIVER, "-static"], []),
    "tbb": ([CLANG], ["-ltbb"]),
    "openmp": ([CLANG, "-fopenmp"], []),
    "gomp": ([GXX, "-fopenmp"], []),
    "static": ([CLANG, "-fopenmp", "-DMODEL_STATIC"], []),
    "gomp-static": ([GXX, "-fopenmp", "-DMODEL_STATIC"], []),
    "dynamic": ([CLANG, "-fopenmp", "-DMODEL_DYNAMIC"], []),
    "tbb-loop": ([CLANG, "-DMODEL_TBB"], ["-ltbb"]),
}
OURS = ("serial", "cilk", "cilk-shared", "serial-alone", "cilk-alone")
NEEDS = {"tbb": "libtbb-dev", "tbb-loop": "libtbb-dev", "openmp": "libomp-22-dev",
         "static": "libomp-22-dev", "dynamic": "libomp-22-dev",
         "gomp": "g++", "serial-alone": "libc.a or libstdc++.a"}


class BuildFailure(Exception):
    """One of our own variants does not compile."""


def missing_peers(folder):
    """The models that cannot be compiled here: {model: why}."""
    missing = {}
    probes = {"tbb": "#include <tbb/task_group.h>\n", "openmp": "#include <omp.h>\n",
              "gomp": "#include <omp.h>\n", "serial-alone": "#include <string>\n"}
    for model, text in probes.items():
        source = folder / f"probe-{model}.cpp"
        source.write_text(text + "int main() {}\n")
        command, libraries = MODELS[model]
        try:
            done = subprocess.run([*command, str(source), *libraries, "-o",
                                   str(source.with_suffix(""))], capture_output=True, text=True)
            works = done.returncode == 0
        except OSError:
            works = False
        if not works:
            missing[model] = f"{NEEDS[model]} is not installed"
    if "tbb" in missing:
        missing["tbb-loop"] = missing["tbb"]
    if "openmp" in missing:
        missing["static"] = missing["dynamic"] = missing["openmp"]
    if "serial-alone" in missing:
        missing["cilk-alone"] = missing["serial-alone"]
    if "gomp" in missing:
        missing["gomp-static"] = missing["gomp"]
    return missing


def newest(paths):
    return max(os.stat(path).st_mtime for path in paths)


def binary_of(folder, program, variant):
    words = [str(program.source(variant)), variant.model, *variant.defines]
    digest = hashlib.sha256(" ".join(words).encode()).hexdigest()[:8]
    return folder / f"{program.name.split('-')[0]}-{variant.model}-{digest}"


def compile_one(binary, source, model, defines, driver, tools_time):
    inputs = [*source.parent.iterdir(), *(ROOT / "support").iterdir(),
              *(INCLUDE / "cilk").iterdir()]
    if binary.exists() and binary.stat().st_mtime > max(newest(inputs), tools_time):
        return None
    command, libraries = MODELS[model]
    command = [word.format(driver=driver) for word in command]
    done = subprocess.run([*command, *FLAGS, *(f"-D{name}" for name in defines), str(source),
                           *libraries, "-o", str(binary)],
                          capture_output=True, text=True, env=ENVIRONMENT)
    return f"{' '.join(done.args)}\n{done.stderr}" if done.returncode else None


def build(programs, folder, driver, bar, without):
    """Compiles all into `folder`. Returns {(program, variant): path} and {model: why} of those left
    out; throws BuildFailure."""
    folder.mkdir(parents=True, exist_ok=True)
    missing = {**missing_peers(folder), **{model: "not wanted" for model in without}}
    tools = [driver, *pathlib.Path(driver).parent.parent.glob("lib/libnopal.*"),
             *pathlib.Path(driver).parent.parent.glob("lib/nopal/*.so")]
    tools_time = newest(tools)
    jobs, binaries = {}, {}
    for program in programs:
        for variant in program.variants:
            if variant.model not in missing:
                binary = binaries[program.name, variant.key] = binary_of(folder, program, variant)
                jobs[binary] = (binary, program.source(variant), variant.model, variant.defines,
                                driver, tools_time)
    bar.begin("compile", len(jobs))
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        futures = {pool.submit(compile_one, *job): job for job in jobs.values()}
        for future in concurrent.futures.as_completed(futures):
            bar.step(futures[future][0].name)
            if future.result():
                for other in futures:
                    other.cancel()
                raise BuildFailure(future.result())
    bar.end()
    return binaries, missing
