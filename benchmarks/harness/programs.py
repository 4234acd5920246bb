"""The programs, their sizes, and the variants that each is run in. A new program is a row here and
a folder (or a file of loops/)."""
import dataclasses
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[1]


@dataclasses.dataclass(frozen=True)
class Variant:
    """One way to compile and run a program. `key` names it in the results; T1 and T2 of a model are
    `key` less its number."""
    key: str
    model: str  # how it is compiled: a key of build.MODELS
    workers: int = 1
    defines: tuple = ()
    environment: tuple = ()
    copies: int = 1  # so many independent processes at once, each pinned to a processor of its own
    at_peers_size: bool = False
    against: str = "serial"  # the serial run of the same kind


@dataclasses.dataclass(frozen=True)
class Program:
    name: str
    folder: str  # of ROOT
    size: int
    peers_size: int
    quick_size: int
    variants: tuple
    spawns: object = None  # function from the size to the number of spawns, for nanoseconds a spawn

    def source(self, variant):
        if self.folder == "loops":
            return ROOT / "loops" / f"{self.name.split('-')[0]}.cpp"
        stem = {"openmp": "omp", "gomp": "omp", "tbb": "tbb"}.get(variant.model, "cilk")
        return ROOT / self.folder / f"{stem}.cpp"

    def size_of(self, variant, quick):
        if quick:
            return self.quick_size
        return self.peers_size if variant.at_peers_size else self.size

    def baseline(self, variant):
        """The serial run that a variant's overhead is taken against."""
        if variant.at_peers_size and self.peers_size != self.size:
            return "serial, peers' size"
        return variant.against


def pair(model, at_peers_size=False):
    return [Variant(f"{model} {workers}", model, workers, at_peers_size=at_peers_size)
            for workers in (1, 2)]


CILK = [Variant("serial", "serial"), *pair("cilk"),
        Variant("cilk 1, two at once", "cilk", copies=2)]
TASK_PEERS = [variant for model in ("tbb", "openmp", "gomp") for variant in pair(model, True)]
LOOP_PEERS = [variant for model in ("static", "dynamic", "tbb-loop") for variant in pair(model)]
FIB = [
    Variant("serial, both calls kept", "serial", defines=("KEEP_CALLS",)),
    Variant("cilk noinline 1", "cilk", defines=("NOINLINE",)),
    Variant("cilk noinline 2", "cilk", 2, defines=("NOINLINE",)),
    Variant("cilk libnopal.so 1", "cilk-shared"),
    Variant("cilk full fence 1", "cilk", environment=(("CILK_FENCE", "full"),)),
    Variant("cilk 32", "cilk", 32),
]
STATIC = [Variant("serial, -static", "serial-alone"),
          *(Variant(f"cilk, -static {workers}", "cilk-alone", workers, against="serial, -static")
            for workers in (1, 2))]
REGIONS = [*CILK, *LOOP_PEERS, *pair("gomp-static")]
IDLE = [Variant("serial", "serial"),
        *(Variant(f"{model} 16", model, 16) for model in ("cilk", "static", "tbb-loop"))]


def tasks(name, size, quick_size, peers_size=None, folder=None, more=(), spawns=None):
    serial = []
    if peers_size not in (None, size):
        serial = [Variant("serial, peers' size", "serial", at_peers_size=True)]
    return Program(name, folder or name, size, peers_size or size, quick_size,
                   (*CILK, *more, *serial, *TASK_PEERS), spawns)


def loop(name, size, quick_size, variants=(*CILK, *LOOP_PEERS)):
    return Program(name, "loops", size, size, quick_size, tuple(variants))


def fibonacci_spawns(n):
    """One for each call with n > 1: fib(n + 1) - 1."""
    a, b = 0, 1
    for _ in range(n + 1):
        a, b = b, a + b
    return a - 1


# name, size, quick size; peers' size where theirs would take minutes
PROGRAMS = {program.name: program for program in [
    tasks("fib", 40, 20, 32, more=FIB, spawns=fibonacci_spawns),
    tasks("nqueens", 12, 7),
    tasks("integrate", 4000, 20, 1000),
    tasks("skynet", 8, 3, 6, spawns=lambda size: (10 ** (size + 1) - 10) // 9),
    tasks("uts-T1", 1, 0, folder="uts"),
    tasks("uts-T3", 3, 0, folder="uts"),
    tasks("cilksort", 10_000_000, 50_000),
    tasks("quicksort", 10_000_000, 2_200_000),
    tasks("matmul", 1024, 64),
    tasks("rectmul", 1024, 64),
    tasks("strassen", 1024, 128),
    tasks("lu", 2048, 64),
    tasks("cholesky", 2500, 128),
    tasks("fft", 21, 12),
    tasks("heat", 50, 2),
    tasks("knapsack", 56, 16, 36),
    tasks("spawnloop", 10_000_000, 2000, more=STATIC, spawns=lambda size: size),
    loop("daxpy", 10_000_000, 20_000),
    loop("stencil", 40, 1),
    loop("spmv", 1_000_000, 1000),
    loop("mandelbrot", 1000, 50),
    loop("triangle", 3000, 100),
    loop("hot", 1_000_000, 100),
    loop("regions-1", 1, 0, REGIONS),
    loop("regions-10", 10, 0, REGIONS),
    loop("regions-100", 100, 0, REGIONS),
    loop("regions-1000", 1000, 0, REGIONS),
    loop("idle", 2000, 10, IDLE),
]}
