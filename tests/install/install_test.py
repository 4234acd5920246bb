#!/usr/bin/env python3
"""An installed and then moved tree builds fib in each of the promised ways."""
import pathlib
import re
import shutil
import unittest

from support import BUILD, FIB, SOURCE, TOOLS, VERSION, VERSIONS, InstalledTestCase, run

LISTS = """cmake_minimum_required(VERSION 3.25)
project(user LANGUAGES CXX)
find_package(Nopal REQUIRED {components})
add_executable(program ${{SOURCE}})
target_compile_features(program PRIVATE cxx_std_20)
target_link_libraries(program PRIVATE {target})
"""

RACE = """#include <cilk/cilk.h>
#include <cstdlib>
long total;
int main(int, char **argv) {
  cilk_for (int i = 0; i < std::atoi(argv[1]); ++i) total += i;
}
"""

RANKS = """#include <cilk/cluster.h>
#include <cstdio>
int main(int argc, char **argv) {
  cilk::cluster ranks(argc, argv);
  std::printf("%ld\\n", cilk::cluster_reduce<long, std::plus<>>(ranks, 0L, 4L,
                                                               [](long i) { return i; }));
}
"""

EXPECTED = {"bin/nopal-clang", "bin/nopal-clang++",
            "lib/libnopal.a", "lib/libnopal.so", "lib/nopal/NopalPlugin.so", "lib/nopal/nopal.cfg",
            "lib/nopal/nopal-compile.cfg",
            "lib/nopal/nopal-static.cfg", "lib/nopal/nopal-static-c.cfg",
            "lib/nopal/nopal-keywords.cfg", "lib/nopal/cilk-gdb.py",
            "lib/nopal/cilk-gdb-layout.json", "lib/cmake/Nopal/NopalConfig.cmake",
            "lib/cmake/Nopal/NopalConfigVersion.cmake",
            "lib/pkgconfig/nopal.pc", "lib/pkgconfig/nopal-span.pc",
            "lib/libnopal-span.a", "lib/libnopal-span.so",
            "lib/nopal/nopal-pedigrees.cfg",
            "lib/nopal/nopal-serial.cfg", "lib/nopal/nopal-span.cfg",
            "lib/nopal/nopal-span-static.cfg",
            "lib/libnopal-race.so", "lib/nopal/nopal-race.cfg",
            "lib/nopal/nopal-race-compile.cfg", "lib/pkgconfig/nopal-race.pc"}
HEADERS = SOURCE / "runtime/include"
EXPECTED |= {f"include/{path.relative_to(HEADERS)}" for path in HEADERS.rglob("*")
             if path.is_file() and path.name != "README.md"}
# What a tree also has: the libraries' versioned names, and pages.
FURTHER = ("lib/libnopal.so.", "lib/libnopal-span.so.", "lib/libnopal-race.so.", "share/doc/",
           "share/man/")
EXPECTED |= {"lib/nopal/nopal-pedigrees.cfg", "share/nopal/clangd", "share/nopal/clang-format",
             "share/nopal/clang-tidy"}
for version in VERSIONS:
    EXPECTED |= {f"bin/nopal-clang-{version}", f"bin/nopal-clang++-{version}",
                 *(f"lib/pkgconfig/nopal{kind}-{version}.pc" for kind in ("", "-race", "-span"))}
    if version != VERSION:
        EXPECTED |= {f"lib/nopal/{version}/{path.name}" for path in (BUILD / "lib/nopal").iterdir()
                     if path.suffix == ".cfg" or path.name == "NopalPlugin.so"}
    if int(version) < 20:
        folder = "" if version == VERSION else f"{version}/"
        EXPECTED |= {f"lib/nopal/{folder}{path.stem}.link"
                     for path in (BUILD / "lib/nopal").glob("*.cfg")}
# The same files for each other target.
EXPECTED |= {f"{path.parent}/aarch64-linux-gnu/{path.name}"
             for path in map(pathlib.PurePosixPath, set(EXPECTED))
             if path.suffix in (".cfg", ".link")}


class Installed(InstalledTestCase):
    def test_what_is_installed(self):
        found = {str(path.relative_to(self.prefix)) for path in self.prefix.rglob("*")
                 if not path.is_dir()}
        # Built only where its packages are.
        tools = {f"bin/{name}" for name in ("nopal-sim", "nopal-migrate")
                 if (BUILD / "bin" / name).exists()}
        if (BUILD / "bin/nopal-view").exists():
            tools |= {"bin/nopal-view"} | {
                f"lib/nopal/view/{path.name}" for path in (BUILD / "lib/nopal/view").iterdir()}
        self.assertEqual({path for path in found if not path.startswith(FURTHER)}, EXPECTED | tools)

    def test_each_program_has_a_manual_page(self):
        for program in (self.prefix / "bin").iterdir():
            with self.subTest(program.name):
                self.assertTrue((self.prefix / f"share/man/man1/{program.name}.1.gz").exists())

    def test_nothing_names_the_place_of_the_build_or_of_the_install(self):
        for path in self.prefix.rglob("*"):
            if path.is_file() and path.suffix in (".cfg", ".cmake", ".pc", ".h"):
                text = path.read_text()
                self.assertNotIn(str(BUILD), text, path)
                self.assertNotIn("first place", text, path)
        self.assertNotIn("RUNPATH", self.needed(self.prefix / "lib/libnopal.so"))

    def test_the_driver(self):
        driver = self.prefix / "bin/nopal-clang++"
        for option in ("-shared-libnopal", "-static-libnopal"):
            self.succeed(driver, "-std=c++20", "-O2", option, FIB, "-o", self.folder / "fib")
            self.check_fib(self.folder / "fib")

    def test_the_configuration_file_alone(self):
        self.succeed(TOOLS / "clang++", f"--config={self.prefix}/lib/nopal/nopal.cfg", "-std=c++20",
                     "-O2", FIB, "-o",
                     self.folder / "fib")
        self.check_fib(self.folder / "fib")

    def configure(self, target, compiler=TOOLS / "clang++", prefix=None, source=FIB, components=""):
        """One project for all with the same compiler, which is tried once."""
        self.project = self.room / f"project of {compiler.name}"
        self.project.mkdir(exist_ok=True)
        (self.project / "CMakeLists.txt").write_text(LISTS.format(
            target=target, components=components))
        return run("cmake", "-G", "Ninja", "-S", self.project, "-B", self.project / "build",
                   "-U", "Nopal_DIR", f"-DCMAKE_PREFIX_PATH={prefix or self.prefix}",
                   f"-DCMAKE_CXX_COMPILER={compiler}", f"-DSOURCE={source}",
                   "-DCMAKE_BUILD_TYPE=Release")

    def build(self, *arguments, **options):
        """The program that CMake builds."""
        configured = self.configure(*arguments, **options)
        self.assertEqual(configured.returncode, 0, configured.stdout + configured.stderr)
        program = self.project / "build/program"
        program.unlink(missing_ok=True)
        self.succeed("cmake", "--build", self.project / "build")
        return program

    def test_find_package(self):
        self.check_fib(self.build("Nopal::cilk"))

    def test_find_package_with_the_static_runtime(self):
        program = self.build("Nopal::cilk_static")
        self.check_fib(program)
        self.assertNotIn("libnopal.so", self.needed(program))

    def test_find_package_with_the_driver_as_compiler(self):
        self.check_fib(self.build("Nopal::cilk", self.prefix / "bin/nopal-clang++"))

    def test_find_package_in_the_build_tree(self):
        program = self.build("Nopal::cilk", prefix=BUILD)
        self.check_fib(program)
        self.assertIn(f"[{BUILD}/lib]", self.needed(program))

    def check_span(self, program):
        done = self.succeed(program, "15")
        self.assertRegex(done.stderr, r"nopal: parallelism \d")

    def test_span(self):
        """Each way gives a program that measures its work and span."""
        program = self.folder / "fib"
        driver = self.prefix / "bin/nopal-clang++"
        for option in ("-shared-libnopal", "-static-libnopal", "-static"):
            self.succeed(driver, "-std=c++20", "-O2", "-fnopal-span", option, FIB, "-o", program)
            self.check_span(program)
        configs = [f"--config={self.prefix}/lib/nopal/nopal{kind}.cfg" for kind in ("-span", "")]
        self.succeed(TOOLS / "clang++", *configs, "-std=c++20", "-O2", FIB, "-o", program)
        self.check_span(program)
        words = [self.pkg_config(option, package="nopal-span") for option in ("--cflags", "--libs")]
        self.succeed(TOOLS / "clang++", "-std=c++20", "-O2", *words[0], FIB, *words[1], "-o",
                     program)
        self.check_span(program)
        for compiler in (TOOLS / "clang++", driver):
            self.check_span(self.build("Nopal::span", compiler))

    def check_race(self, program):
        done = run(program, "15")
        self.assertRegex(done.stderr, r"nopal: \d races?\n")
        self.assertEqual(done.returncode, 66)

    def test_race(self):
        """Each way gives a program that reports its races."""
        program, source = self.folder / "race", self.write("race.cpp", RACE)
        driver = self.prefix / "bin/nopal-clang++"
        self.succeed(driver, "-O2", "-g", "-fsanitize=cilk", source, "-o", program)
        self.check_race(program)
        configs = [f"--config={self.prefix}/lib/nopal/nopal{kind}.cfg" for kind in ("-race", "")]
        self.succeed(TOOLS / "clang++", *configs, "-O2", source, "-o", program)
        self.check_race(program)
        words = [self.pkg_config(option, package="nopal-race") for option in ("--cflags", "--libs")]
        self.succeed(TOOLS / "clang++", "-O2", *words[0], source, *words[1], "-o", program)
        self.check_race(program)
        self.check_race(self.build("Nopal::race", source=source))

    @unittest.skipUnless(shutil.which("mpicxx"), "no MPI is installed")
    def test_mpi(self):
        """MPI is looked for only if it is asked for."""
        source = self.write("ranks.cpp", RANKS)
        configured = self.configure("Nopal::mpi", source=source)
        self.assertNotEqual(configured.returncode, 0)
        self.assertNotIn("MPI_", (self.project / "build/CMakeCache.txt").read_text())
        program = self.build("Nopal::mpi", source=source, components="COMPONENTS mpi")
        self.assertEqual(self.succeed(program).stdout, "6\n")

    def test_the_shared_library_has_the_number_of_the_abi(self):
        self.succeed(self.prefix / "bin/nopal-clang++", "-std=c++20", "-O2", FIB, "-o",
                     self.folder / "fib")
        header = (SOURCE / "runtime/abi/nopal_abi.h").read_text()
        version = re.search(r"^#define NOPAL_ABI_VERSION (\d+)$", header, re.M)[1]
        self.assertIn(f"libnopal.so.{version}]", self.needed(self.folder / "fib"))
        symbols = self.succeed(TOOLS / "llvm-nm", "-D", self.folder / "fib").stdout
        self.assertIn(f"nopal_abi_version_{version}@NOPAL_{version}\n", symbols)
        defined = self.succeed(TOOLS / "llvm-nm", "-D", "--defined-only",
                               self.prefix / "lib/libnopal.so").stdout.splitlines()
        self.assertEqual([line for line in defined if f"NOPAL_{version}" not in line], [])

    @unittest.skipUnless(shutil.which("gdb"), "gdb is not installed")
    def test_gdb_loads_its_script(self):
        self.succeed(self.prefix / "bin/nopal-clang++", "-std=c++20", "-O0", "-g", FIB, "-o",
                     self.folder / "fib")
        done = self.succeed("gdb", "-batch", "-nx", "-iex",
                            f"add-auto-load-safe-path {self.prefix}", "-ex", "break main", "-ex",
                            "run", "-ex", "help cilk-bt", self.folder / "fib")
        self.assertIn("backtrace", done.stdout)

    @unittest.skipUnless(shutil.which("g++"), "no other compiler is installed")
    def test_find_package_refuses_another_compiler(self):
        configured = self.configure("Nopal::cilk", pathlib.Path("g++"))
        self.assertNotEqual(configured.returncode, 0)
        known = " and ".join(VERSIONS)
        self.assertIn(f"Nopal is here for Clang {known}, but the CXX compiler is GNU",
                      " ".join(configured.stderr.split()))

    def test_pkg_config(self):
        self.succeed(TOOLS / "clang++", "-std=c++20", "-O2", *self.pkg_config("--cflags"), FIB,
                     *self.pkg_config("--libs"), "-o",
                     self.folder / "fib")
        self.check_fib(self.folder / "fib")

    def test_pkg_config_knows_its_version(self):
        self.assertRegex(self.pkg_config("--modversion")[0], r"^\d+\.\d+\.\d+$")


if __name__ == "__main__":
    unittest.main()
