"""The modes: a row each, with what it adds to a plain build of both programs.

`how` names the way to build, a function of builds.py. A mode of the quick set runs in ctest; the
others with --full. If a mode changes the meaning of the serial elision (for example
-fno-exceptions), the elision is compiled with `serial`.
"""

from dataclasses import dataclass

LEVELS = ("-O0", "-O1", "-O2", "-O3", "-Os", "-Oz")
C_STANDARDS = ("-std=c11", "-std=c17", "-std=c23")
CXX_STANDARDS = ("-std=c++17", "-std=c++20", "-std=c++23")


@dataclass(frozen=True)
class Mode:
    name: str
    options: tuple[str, ...] = ()
    how: str = "plain"
    languages: tuple[str, ...] = ("c++", "c")
    link: tuple[str, ...] = ()  # options for linking alone
    serial: tuple[str, ...] = ()
    level: str = "-O2"
    standard: str | None = None
    environment: tuple[tuple[str, str], ...] = ()
    quick: bool = True
    drops: bool = False  # dropped: the linker must drop what nobody calls
    refused: str | None = None  # the text of the error with which the mode has to be refused
    since: int = 19  # the first of the Clangs here that has the options, or compiles the elision


def standards_and_levels():
    """The product of standards and levels. The quick set has each standard, and each level with two
    standards."""
    for language, standards in (("c", C_STANDARDS), ("c++", CXX_STANDARDS)):
        for i, standard in enumerate(standards):
            for j, level in enumerate(LEVELS):
                yield Mode(f"{standard[5:]} {level}", languages=(language,), level=level,
                           standard=standard, quick=(i + j) % 3 == 0)


def each(prefix, options, **more):
    for option in options:
        yield Mode(f"{prefix}{option}", tuple(option.split()), **more)


CXX = ("c++",)
# Leaks are reported at exit.
SANITIZED = (("ASAN_OPTIONS", "detect_leaks=0"),
             ("UBSAN_OPTIONS", "halt_on_error=1"))
LEAKS = (("ASAN_OPTIONS", "detect_leaks=1"),
         ("LSAN_OPTIONS", "exitcode=23"))
LLD = ("-fuse-ld=lld-22",)

MODES = [
    *standards_and_levels(),
    # Debug information.
    Mode("-g", ("-g",), level="-O0"),
    Mode("-g", ("-g",), level="-O2"),
    Mode("-Og -g", ("-g",), level="-Og", languages=CXX),
    *each("", ("-g1", "-g3", "-gsplit-dwarf -g", "-gdwarf-4"), quick=False),
    Mode("-gsplit-dwarf", ("-g", "-gsplit-dwarf"), languages=CXX),
    # Link-time optimization.
    *(Mode("-flto", ("-flto",), link=LLD, level=level, languages=CXX if level != "-O2"
           else ("c++", "c")) for level in ("-O0", "-O2")),
    *(Mode("-flto=thin", ("-flto=thin",), link=LLD, level=level, languages=CXX if level != "-O2"
           else ("c++", "c")) for level in ("-O0", "-O2")),
    Mode("-flto -g", ("-flto", "-g"), link=LLD),
    Mode("-flto=thin -g", ("-flto=thin", "-g"), link=LLD, quick=False),
    Mode("-flto -static-libnopal", ("-flto", "-static-libnopal"), link=LLD, languages=CXX),
    Mode("-ffat-lto-objects", ("-flto", "-ffat-lto-objects"), link=LLD, languages=CXX),
    # How the file reaches the compiler.
    Mode("pch", how="precompiled_header"),
    Mode("pch -g", ("-g",), how="precompiled_header", level="-O0", languages=CXX),
    Mode("pch, instantiated", ("-fpch-instantiate-templates",), how="precompiled_header",
         languages=CXX),
    Mode("pch, code in it", ("-fpch-codegen",), how="precompiled_header", languages=CXX,
         quick=False),
    *(Mode(f"module {name}", options, how="named_module", languages=CXX, standard="-std=c++20",
           since=since)
      for name, options, since in (("in two phases", (), 19),
                                   ("in one phase", ("-fno-modules-reduced-bmi",), 22),
                                   ("with a reduced interface", ("-fmodules-reduced-bmi",), 22))),
    Mode("module, -O0 -g", how="named_module", languages=CXX, standard="-std=c++23", level="-O0"),
    Mode("header unit", how="header_unit", languages=CXX, standard="-std=c++20"),
    Mode("-save-temps", ("-save-temps",), how="in_folder"),
    Mode("-save-temps -g", ("-save-temps", "-g"), how="in_folder", level="-O0", quick=False),
    Mode("-E", how="preprocessed"),
    Mode("-E -P", ("-P",), how="preprocessed", quick=False),
    Mode("-E -C", ("-C",), how="preprocessed", languages=CXX, quick=False),
    Mode("-E -frewrite-includes", ("-frewrite-includes",), how="preprocessed"),
    Mode("-E -fdirectives-only", ("-fdirectives-only",), how="preprocessed", languages=CXX),
    # The C library's header tells gcc which function frees what malloc returns.
    Mode("gcc -E", how="preprocessed_by_gcc", since=22),
    Mode("ccache", how="through_ccache"),
    Mode("ccache, compiles what it preprocessed", how="through_ccache",
         environment=(("CCACHE_NOCPP2", "1"),)),
    Mode("-x ir", how="through_ir"),
    # Parts of C++ that can be switched off.
    Mode("-fno-exceptions", ("-fno-exceptions",), languages=CXX, serial=("-fno-exceptions",)),
    Mode("-fno-exceptions -fno-unwind-tables",
         ("-fno-exceptions", "-fno-unwind-tables", "-fno-asynchronous-unwind-tables"),
         languages=CXX, serial=("-fno-exceptions",), quick=False),
    Mode("-fno-rtti", ("-fno-rtti",), languages=CXX),
    Mode("-fexceptions", ("-fexceptions",), languages=("c",)),
    Mode("-ffreestanding", ("-ffreestanding",), languages=("c",), quick=False),
    # Position and linking.
    Mode("-fPIC, shared library", ("-fPIC",), how="shared_library"),
    Mode("-fPIC, shared library, -Bsymbolic", ("-fPIC",), how="shared_library",
         link=("-Wl,-Bsymbolic",), quick=False),
    Mode("-static", ("-static",)),
    Mode("-static-pie", ("-static-pie", "-fPIE"), languages=CXX),
    Mode("-no-pie", ("-fno-pic",), link=("-no-pie",), languages=CXX),
    Mode("-fvisibility=hidden", ("-fvisibility=hidden", "-fvisibility-inlines-hidden"),
         languages=CXX),
    Mode("--gc-sections", ("-ffunction-sections", "-fdata-sections"), link=("-Wl,--gc-sections",)),
    Mode("--gc-sections, lld", ("-ffunction-sections", "-fdata-sections"),
         link=(*LLD, "-Wl,--gc-sections", "-Wl,--icf=all"), languages=CXX),
    # Functions that spawn and that the linker drops: gold and mold where they are installed.
    # Garbage collection by GNU ld, gold and mold keeps all of a section whose bounds somebody
    # names.
    *(Mode(f"dropped {' '.join(options)} {linker}", options, how="dropped",
           drops=not link or linker == "lld-22", link=(f"-fuse-ld={linker}", *link),
           quick=linker in ("bfd", "lld-22"))
      for linker in ("bfd", "lld-22", "gold", "mold")
      for options, link in ((("-flto",), ()), (("-flto=thin",), ()),
                            (("-ffunction-sections", "-fdata-sections"), ("-Wl,--gc-sections",)))),
    *(Mode(f"-fbasic-block-sections=all {linker}", ("-fbasic-block-sections=all",), link=link,
           level=level)
      for linker, link in (("", ()), ("lld", LLD)) for level in ("-O0", "-O2")),
    Mode("-fno-plt", ("-fno-plt",), languages=CXX),
    *each("", ("-mcmodel=medium", "-mcmodel=large"), languages=CXX),
    # Sanitizers. (-fsanitize=thread has tests of its own.)
    Mode("-fsanitize=address,undefined",
         ("-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"), level="-O1",
         environment=SANITIZED),
    Mode("-fsanitize=address", ("-g", "-fsanitize=address"), level="-O0", environment=LEAKS,
         languages=CXX),
    Mode("-fsanitize=leak", ("-fsanitize=leak",), environment=LEAKS, languages=CXX),
    Mode("-fsanitize=undefined", ("-fsanitize=undefined", "-fsanitize-trap=undefined"),
         quick=False),
    Mode("-fsanitize=bounds,integer", ("-fsanitize=bounds,integer",), quick=False),
    Mode("-fsanitize=cfi", ("-fsanitize=cfi", "-flto", "-fvisibility=hidden"), link=LLD,
         languages=CXX, quick=False),
    # Counting.
    Mode("--coverage", how="coverage", level="-O0"),
    # With optimization not even the elision counts exactly: the ends of lifetimes make a return
    # count twice.
    Mode("--coverage", ("--coverage", "-fprofile-update=atomic"), languages=CXX),
    Mode("-fcoverage-mapping", how="source_coverage", level="-O0"),
    Mode("-fcoverage-mapping", how="source_coverage", level="-O2", languages=CXX, quick=False),
    Mode("-fprofile-generate", ("-fprofile-generate", "-fprofile-use"), how="profiled"),
    Mode("-fprofile-instr-generate", ("-fprofile-instr-generate", "-fprofile-instr-use"),
         how="profiled", languages=CXX),
    Mode("-fcs-profile-generate", how="profiled_twice", languages=CXX),
    Mode("-fprofile-generate, -O0", ("-fprofile-generate", "-fprofile-use"), how="profiled",
         level="-O0", quick=False),
    # Code.
    Mode("-ffast-math", ("-ffast-math",)),
    *each("", ("-march=native", "-march=x86-64-v3"), quick=True),
    *each("", ("-fno-omit-frame-pointer -mno-omit-leaf-frame-pointer", "-fstack-protector-all",
               "-fcf-protection"), languages=CXX),
    *each("", ("-ftrivial-auto-var-init=pattern", "-fstack-clash-protection",
               "-fzero-call-used-regs=used-gpr"), languages=CXX),
    *each("", ("-D_FORTIFY_SOURCE=3", "-fno-strict-aliasing -fwrapv", "-fno-builtin",
               "-fno-inline"), languages=CXX, quick=False),
    *each("", ("-fstack-protector-strong -D_FORTIFY_SOURCE=3",)),
    *each("", ("-funroll-loops -fvectorize", "-fno-semantic-interposition -fPIC",
               "-mavx2 -mprefer-vector-width=256"), quick=False),
    *each("", ("-fsanitize-coverage=trace-pc-guard -fsanitize=address", "-finstrument-functions",
               "-fpatchable-function-entry=2", "-fxray-instrument"), languages=CXX, quick=False,
          environment=SANITIZED),
    *each("", ("-fmerge-all-constants", "-fomit-frame-pointer", "-fno-threadsafe-statics",
               "-fshort-enums", "-fkeep-static-consts"), languages=CXX, quick=False),
    *each("", ("-ftls-model=local-exec", "-ftls-model=initial-exec",
               "-ftls-model=global-dynamic -fPIC", "-femulated-tls"), quick=False),
    Mode("-fopenmp", ("-fopenmp",), how="with_openmp", languages=("c",)),
    Mode("-fopenmp-simd", ("-fopenmp-simd",), quick=False),
    Mode("-fsplit-stack", ("-fsplit-stack",), languages=("c",), refused="-fsplit-stack"),
    Mode("-fsanitize=type", ("-fsanitize=type",), languages=("c",), refused="-fsanitize=type",
         since=20),
    Mode("-fsanitize=safe-stack", ("-fsanitize=safe-stack",), languages=("c",),
         refused="-fsanitize=safe-stack"),
]
