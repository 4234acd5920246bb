#!/usr/bin/env python3
"""What Nopal gives a program, through each way to build one: a test a property, a subtest a route.

Routes: the driver, clang with --config=, CMake's find_package, pkg-config.

| property | test |
|---|---|
| <cilk/cilk.h> is found, the plugin knows the keywords and splits | spawns_in_c, spawns_in_cpp |
| no warning of an option, compiling alone | compiles_without_a_warning |
| the program finds libnopal.so without help | spawns_in_c, spawns_in_cpp (no LD_LIBRARY_PATH) |
| a frame larger than a guard zone does not jump over it | large_frames_are_probed |
| dlclose keeps a library that spawns in memory | is_not_unloaded |
| a program without spawns does not load the runtime | is_linked_as_needed (not so with CMake) |
| the static runtime | static_runtime |
| no library at all | static_program |
"""
import signal
import unittest

from support import FIB, NQUEENS, TOOLS, VERSION, InstalledTestCase, run

LISTS = """cmake_minimum_required(VERSION 3.25)
project(user LANGUAGES C CXX)
find_package(Nopal REQUIRED)
add_{kind}
set_target_properties(program PROPERTIES C_STANDARD 11 CXX_STANDARD 20 PREFIX "" SUFFIX "")
target_link_libraries(program PRIVATE {target} {more})
"""


class Route:
    """A way to build a program. `runtime`: shared, static, or none (a static program)."""

    is_linked_as_needed = True

    def __init__(self, test):
        self.test, self.prefix, self.folder = test, test.prefix, test.folder

    def words(self, runtime):
        """Program, options before and options after the sources, for a C++ or a C program."""
        raise NotImplementedError

    def build(self, sources, runtime="shared", more=()):
        """The program of files of one language. Fails on any warning."""
        is_cpp = any(str(source).endswith(".cpp") for source in sources)
        before, after = self.words(runtime, "++" if is_cpp else "")
        standard = ["-std=c++20"] if is_cpp else ["-std=c11"]
        program = self.folder / "program"
        done = self.test.succeed(*before, *standard, "-O2", "-Wall", "-Werror", *more, *sources,
                                 *after, "-o", program)
        self.test.assertEqual(done.stderr, "")
        return program

    def compile(self, source):
        before, _ = self.words("shared", "")
        done = self.test.succeed(*before, "-O2", "-Wall", "-Wextra", "-Werror", "-c", source, "-o",
                                 self.folder / "a.o")
        self.test.assertEqual(done.stderr, "")


class Driver(Route):
    name = "driver"
    options = {"shared": [], "static": ["-static-libnopal"], "none": ["-static"]}

    def words(self, runtime, suffix):
        return [self.prefix / f"bin/nopal-clang{suffix}", *self.options[runtime]], []


class ConfigurationFile(Route):
    is_linked_as_needed = int(VERSION) >= 20  # docs/llvm-versions.md
    name = "--config"

    def words(self, runtime, suffix):
        static = "nopal-static.cfg" if suffix else "nopal-static-c.cfg"
        config = "nopal.cfg" if runtime == "shared" else static
        return [TOOLS / f"clang{suffix}", f"--config={self.prefix}/lib/nopal/{config}",
                *(["-static"] if runtime == "none" else [])], []


class PkgConfig(Route):
    name = "pkg-config"

    def words(self, runtime, suffix):
        libs = self.test.pkg_config(*(["--static"] if runtime != "shared" else []), "--libs")
        if runtime == "static":
            libs = [word.replace("-lnopal", "-l:libnopal.a") for word in libs]
        static = ["-static"] if runtime == "none" else []
        return [TOOLS / f"clang{suffix}", *static, *self.test.pkg_config("--cflags")], libs


class CMake(Route):
    name = "CMake"
    is_linked_as_needed = False

    def build(self, sources, runtime="shared", more=()):
        kind = "library(program SHARED" if "-shared" in more else "executable(program"
        target = "Nopal::cilk" if runtime == "shared" else "Nopal::cilk_static"
        listed = " ".join(f'"{source}"' for source in sources)
        # One project for all, which tries the compilers once.
        project = self.test.room / "project"
        project.mkdir(exist_ok=True)
        (project / "CMakeLists.txt").write_text(LISTS.format(
            kind=f"{kind} {listed})", target=target, more="-static" if runtime == "none" else ""))
        build = project / "build"
        (build / "program").unlink(missing_ok=True)
        set_ = {"BUILD_TYPE": "Release", "PREFIX_PATH": self.prefix, "C_COMPILER": TOOLS / "clang",
                "CXX_COMPILER": TOOLS / "clang++", "C_FLAGS": "-Wall -Werror",
                "CXX_FLAGS": "-Wall -Werror"}
        self.test.succeed("cmake", "-G", "Ninja", "-S", project, "-B", build,
                          *(f"-DCMAKE_{name}={value}" for name, value in set_.items()))
        done = self.test.succeed("cmake", "--build", build)
        self.test.assertNotIn("warning", done.stdout)
        return build / "program"

    def compile(self, source):
        self.build([source], more=["-shared"])


ROUTES = (Driver, ConfigurationFile, PkgConfig, CMake)

# The second file spawns nothing, but its function runs on a segment all the same.
JUMPS = r"""
#include <cilk/cilk.h>
void jump(long bytes);
static volatile int done;
static void child(void) { done = 1; }
static void spawns_with_a_large_frame(long bytes) {
  volatile char frame[2 << 20];
  cilk_spawn child();
  for (long i = 0; i < bytes; ++i) frame[i] = 1;
  cilk_sync;
}
static void on_a_segment(int count) {
  cilk_spawn child();
  if (count > 1) spawns_with_a_large_frame(count);
  else jump(count);
  cilk_sync;
}
int main(int count, char **arguments) { (void)arguments; on_a_segment(count); return 0; }
"""
LARGE = """
void jump(long bytes);
void jump(long bytes) {
  volatile char frame[2 << 20];
  for (long i = 0; i < bytes; ++i) frame[i] = 1;
}
"""
STEALS = {"CILK_NWORKERS": "1", "CILK_CHAOS": "1:1"}


class Routes(InstalledTestCase):
    def each_route(self, check):
        for route in ROUTES:
            with self.subTest(route=route.name):
                check(route(self))

    def check_steals(self, program, argument):
        done = self.succeed(program, argument, env={**STEALS, "CILK_STATS": "1"})
        self.assertRegex(done.stderr, r"steals")

    def test_spawns_in_cpp(self):
        self.each_route(lambda route: self.check_steals(route.build([FIB]), "15"))

    def test_spawns_in_c(self):
        self.each_route(lambda route: self.check_steals(route.build([NQUEENS]), "6"))

    def test_compiles_without_a_warning(self):
        source = self.write("a.c", "#include <cilk/cilk.h>\nint f(void);\n"
                                   "int f(void) { return 0; }\n")
        self.each_route(lambda route: route.compile(source))

    def test_large_frames_are_probed(self):
        sources = [self.write("jumps.c", JUMPS), self.write("large.c", LARGE)]

        def check(route):
            program = route.build(sources)
            for arguments in ([], ["spawner"]):
                done = run(program, *arguments, env={**STEALS, "CILK_SEGMENT_SIZE": "256K"})
                self.assertEqual(done.returncode, -signal.SIGSEGV, (arguments, done.stderr))
                self.assertIn("its stack segment of 262144 bytes is full", done.stderr)

        self.each_route(check)

    def test_is_not_unloaded(self):
        source = self.write("lib.c", """
            #include <cilk/cilk.h>
            int f(void), g(void);
            int f(void) { int x = cilk_spawn g(); int y = g(); cilk_sync; return x + y; }
            """)
        self.each_route(lambda route: self.assertIn("NODELETE", self.needed(
            route.build([source], more=["-shared", "-fPIC"]))))

    def test_is_linked_as_needed(self):
        source = self.write("a.c", "int main(void) { return 0; }\n")
        self.each_route(lambda route: self.assertEqual(
            "libnopal.so" not in self.needed(route.build([source])), route.is_linked_as_needed))

    def test_static_runtime(self):
        def check(route):
            program = route.build([FIB], "static")
            self.assertNotIn("libnopal.so", self.needed(program))
            self.check_steals(program, "15")

        self.each_route(check)

    def test_static_program(self):
        def check(route):
            for source, argument in ((FIB, "15"), (NQUEENS, "6")):
                program = route.build([source], "none")
                self.assertNotIn("NEEDED", self.needed(program))
                self.check_steals(program, argument)

        self.each_route(check)


if __name__ == "__main__":
    unittest.main()
