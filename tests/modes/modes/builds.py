"""Ways to build a program in a mode. Each takes a Job and returns the program's path; Job.run
raises Failed if a command fails."""

from pathlib import Path

from . import counts

PROGRAMS = Path(__file__).resolve().parent.parent / "programs"
HEADER = PROGRAMS / "keywords.h"


class Failed(Exception):
    """A command failed; holds its Outcome."""

    def __init__(self, outcome, reason):
        super().__init__(reason)
        self.outcome = outcome
        self.reason = reason


class LeftOut(Exception):
    """The mode needs something that is not installed."""


def sources(language):
    return [PROGRAMS / ("mixed.c" if language == "c" else "mixed.cpp"), PROGRAMS / "part.c"]


def plain(job):
    job.compile(*job.base(), *job.options(), *job.mode.link, *job.files(sources(job.language)),
                "-o", job.binary)
    return job.binary


def in_folder(job):
    """-save-temps writes its files to the working folder."""
    job.run([job.compiler, *job.base(), *job.options(), *job.files(sources(job.language)), "-o",
             job.binary], cwd=job.folder)
    return job.binary


def refused_by_stock(job, arguments):
    """A compiler without the plugin must refuse what was precompiled, not compile it serially."""
    stock = job.try_run([job.serial_compiler, *job.base(), *arguments, "-c", "-o",
                         job.folder / "stock.o"])
    if stock.status == 0 or b"precompiled: compile this file, too, with" not in stock.stderr:
        raise Failed(stock, "a compiler without the plugin is not refused")


def precompiled_header(job):
    pch = job.folder / "keywords.h.pch"
    # In the header are the keywords, spawning inline functions and spawning templates.
    job.compile(*job.base(), *job.options(), "-x", f"{job.language}-header", HEADER, "-o", pch)
    objects = []
    if "-fpch-codegen" in job.mode.options:
        objects = [job.folder / "keywords.o"]
        job.compile(*job.base(), *job.options(), "-c", pch, "-o", objects[0])
    job.compile(*job.base(), *job.options(), "-include-pch", pch, *job.files(sources(job.language)),
                "-x", "none", *objects, "-o", job.binary)
    refused_by_stock(job, [*job.options(), "-include-pch", pch,
                           *job.files([PROGRAMS / "precompiled_user.c"])])
    return job.binary


def preprocessed(job, preprocessor=None):
    """Preprocess first, compile later, as ccache and distcc do."""
    outputs = []
    for source in sources(job.language):
        output = job.folder / (source.stem + (".i" if job.language == "c" else ".ii"))
        if preprocessor:
            job.run([*preprocessor, *job.base(), *job.files([source]), "-o", output])
        else:
            job.compile("-E", *job.base(), *job.options(), *job.files([source]), "-o", output)
        outputs.append(output)
    # -frewrite-includes and -fdirectives-only leave a file that is to be preprocessed again.
    again = any(option in job.mode.options
                for option in ("-frewrite-includes", "-fdirectives-only"))
    language = job.language if again else "cpp-output" if job.language == "c" else "c++-cpp-output"
    job.compile(*job.base(), "-x", language, *outputs, "-o", job.binary)
    return job.binary


def through_ccache(job):
    """Without direct mode ccache hashes the preprocessed text; the second compilation comes from
    the cache."""
    if not job.find("ccache"):
        raise LeftOut("ccache is not installed")
    settings = {"CCACHE_DIR": str(job.folder / "cache"), "CCACHE_NODIRECT": "1",
                **dict(job.mode.environment)}
    objects = []
    for source in sources(job.language):
        objects.append(job.folder / (source.stem + ".o"))
        for _ in range(2):
            job.run(["ccache", job.compiler, *job.base(), *job.options(), "-c",
                     *job.files([source]), "-o", objects[-1]], environment=settings)
    counters = job.run(["ccache", "--print-stats"], environment=settings).stdout.decode()
    if "preprocessed_cache_hit\t2\n" not in counters:
        job.fail(f"ccache did not take both files from its cache:\n{counters}")
    job.compile(*job.base(), *objects, "-o", job.binary)
    return job.binary


def preprocessed_by_gcc(job):
    # GCC does not know the plugin, so the user must promise that a compiler with it follows.
    gcc = "gcc" if job.language == "c" else "g++"
    include = job.tools.include
    if not job.find(gcc):
        raise LeftOut(f"{gcc} is not installed")
    if job.language == "c++":
        # libstdc++ tests for the compiler's builtins, and clang lacks some that GCC reports. So
        # only the file in C.
        return preprocessed_cxx_part(job, [gcc, "-E", "-DNOPAL_HAS_PLUGIN", f"-I{include}"])
    return preprocessed(job, [gcc, "-E", "-DNOPAL_HAS_PLUGIN", f"-I{include}"])


def preprocessed_cxx_part(job, preprocessor):
    main, part = sources(job.language)
    output = job.folder / "part.ii"
    job.run([*preprocessor, *job.base(), *job.files([part]), "-o", output])
    job.compile(*job.base(), *job.files([main]), "-x", "c++-cpp-output", output, "-o", job.binary)
    return job.binary


def through_ir(job):
    """Bitcode before the optimizer, compiled later."""
    outputs = []
    for source in sources(job.language):
        output = job.folder / (source.stem + ".bc")
        job.compile(*job.base(), *job.options(), "-Xclang", "-disable-llvm-passes", "-emit-llvm",
                    "-c", *job.files([source]), "-o", output)
        outputs.append(output)
    job.compile(job.mode.level, *outputs, "-o", job.binary)
    return job.binary


def shared_library(job):
    main, part = sources(job.language)
    library = job.folder / "libpart.so"
    job.compile(*job.base(), *job.options(), "-shared", *job.mode.link, *job.files([part]), "-o",
                library)
    job.compile(*job.base(), *job.options(), *job.files([main]), "-x", "none", library,
                f"-Wl,-rpath,{job.folder}", "-o", job.binary)
    return job.binary


def coverage(job):
    """Counts of all lines equal those of the serial elision."""
    # Without exceptions: where a child throws it depends on the schedule how much of the
    # continuation has run.
    plain_options = ["--coverage", "-fprofile-update=atomic", "-fno-exceptions"]
    serial = counts.gcov(job, job.serial_compiler, [*job.serial_options(), *plain_options],
                         "serial", {})
    for number, environment in enumerate(job.environments()):
        counts.compare(job, serial,
                       counts.gcov(job, job.compiler, plain_options, f"nopal{number}", environment),
                       environment)
    return job.folder / "nopal0" / "program"


def source_coverage(job):
    """The same by the front-end's instrumentation."""
    plain_options = ["-fprofile-instr-generate", "-fcoverage-mapping", "-fprofile-update=atomic",
                     "-fno-exceptions"]
    serial = counts.source_lines(job, job.serial_compiler, [*job.serial_options(), *plain_options],
                                 "serial", {})
    for number, environment in enumerate(job.environments()):
        counts.compare(job, serial,
                       counts.source_lines(job, job.compiler, plain_options, f"nopal{number}",
                                           environment), environment)
    return job.folder / "nopal0" / "program"


def profiled(job):
    generate, use = job.mode.options
    merged = counts.merged_profile(job, [generate, "-fprofile-update=atomic"], "first")
    job.compile(*job.base(), f"{use}={merged}", "-Werror=profile-instr-out-of-date",
                *job.files(sources(job.language)), "-o", job.binary)
    return job.binary


def profiled_twice(job):
    first = counts.merged_profile(job, ["-fprofile-generate", "-fprofile-update=atomic"], "first")
    second = counts.merged_profile(job,
                                   [f"-fprofile-use={first}", "-fcs-profile-generate",
                                    "-fprofile-update=atomic"], "second", [first])
    job.compile(*job.base(), f"-fprofile-use={second}", *job.files(sources(job.language)), "-o",
                job.binary)
    return job.binary


def with_openmp(job):
    source = PROGRAMS / "openmp.c"
    probe = job.try_run([job.serial_compiler, "-fopenmp", "-x", "c", "-", "-o",
                         job.folder / "probe"], stdin=b"int main(void){return 0;}\n")
    if probe.status != 0:
        raise LeftOut("no OpenMP runtime is installed")
    job.compile(*job.base(), *job.options(), source, "-o", job.binary)
    job.serial_sources = [source]
    return job.binary


def dropped(job):
    """The linker drops all functions that spawn, or all but one: of files, an archive, a
    library."""
    linker = next((option.replace("-fuse-ld=", "ld.") for option in job.mode.link
                   if option.startswith("-fuse-ld=")), "ld")
    if not job.find(linker):
        raise LeftOut(f"{linker} is not installed")
    main, part = PROGRAMS / "dropped.c", PROGRAMS / "dropped_part.c"
    options = [*job.base(), *job.options(), *job.mode.link]
    member, archive = job.folder / "part.o", job.folder / "libpart.a"
    library = job.folder / "libpart.so"
    job.compile(*job.base(), *job.options(), "-c", *job.files([part]), "-o", member)
    job.run([job.tool("llvm-ar"), "rcs", archive, member])
    job.compile(*options, "-fPIC", "-fvisibility=hidden", "-shared", *job.files([part]),
                "-o", library)
    ways = {"whole": [member], "archive": [archive],
            "library": [library, f"-Wl,-rpath,{job.folder}"]}
    job.serial_sources = [main, part]
    steals = {"CILK_NWORKERS": "1", "CILK_CHAOS": "1:1", "CILK_STATS": "1"}
    for live in (0, 1, 2):
        compiled = job.folder / f"{live}.o"
        job.compile(*job.base(), *job.options(), f"-DLIVE={live}", "-c", *job.files([main]), "-o",
                    compiled)
        for way, files in ways.items():
            program = job.folder / f"{way}-{live}"
            job.compile(*options, compiled, *files, "-o", program)
            outcome = job.run([program], environment=steals)
            expected = b"76\n" if live == 1 else b"21\n"
            if outcome.stdout != expected:
                raise Failed(outcome, f"its stdout is not {expected}")
            # Each site is dropped with its function: no slow clone is left.
            if live != 2 and job.mode.drops and b"never_called" in \
                    job.run([job.tool("llvm-nm"), program]).stdout:
                raise Failed(outcome, "what nobody calls is still there")
            # Statistics name the functions that were stolen from, so they know the remaining sites.
            if (b" live" in outcome.stderr) != (live == 1):
                raise Failed(outcome, "statistics do not name just the function that spawned")
    return job.folder / "whole-0"


def named_module(job):
    """A C++20 module in two phases, in one, and with a reduced interface."""
    user = PROGRAMS / "module_user.cpp"

    def interface(compiler, *options):
        built, code = job.folder / "spawning.pcm", job.folder / "spawning.o"
        source = [*job.base(), *options, PROGRAMS / "module.cppm"]
        if job.mode.options:
            job.run([compiler, *source, f"-fmodule-output={built}", *job.mode.options, "-c", "-o",
                     code])
        else:
            job.run([compiler, *source, "--precompile", "-o", built])
            job.run([compiler, *job.base(), "-c", built, "-o", code])
        return [f"-fmodule-file=spawning={built}"], code

    return imported(job, interface, user, b"inline_fib template_fib each sum out_of_line".split())


def header_unit(job):
    def interface(compiler, *options):
        built = job.folder / "module_unit.pcm"
        job.run([compiler, *job.base(), *options, "-fmodule-header=user",
                 PROGRAMS / "module_unit.h", "-o", built])
        return ["-Wno-experimental-header-units", f"-fmodule-file={built}"], None

    return imported(job, interface, PROGRAMS / "module_unit_user.cpp",
                    [b"header_fib", b"header_sum"])


def imported(job, interface, user, names):
    """`interface` makes what `user` imports, with a compiler and options."""
    def program(compiler, binary, *options):
        imports, code = interface(compiler, *options)
        objects = [code] if code else []
        job.run([compiler, *job.base(), *options, *imports, user, *objects, "-o", binary])
        return imports

    program(job.serial_compiler, job.folder / "elision", *job.serial_options())
    job.expected = job.run([job.folder / "elision"]).stdout
    imports = program(job.compiler, job.binary)
    # Each function that spawns was stolen from, so none of them became serial on the way.
    steals = {"CILK_NWORKERS": "1", "CILK_CHAOS": "1:1", "CILK_STATS": "1"}
    outcome = job.run([job.binary], environment=steals)
    missing = [name for name in names if name not in outcome.stderr]
    if missing:
        raise Failed(outcome, f"was not stolen from: {missing}")
    refused_by_stock(job, [*imports, user])
    return job.binary
