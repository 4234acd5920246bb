#!/usr/bin/env python3
"""Each version of Clang that the build made a plugin for, through each way to use an installed
tree. A version without a plugin gets a message."""
import os
import shutil
import sys
import unittest

from support import FIB, NQUEENS, VERSION, VERSIONS, InstalledTestCase, run

LISTS = """cmake_minimum_required(VERSION 3.25)
project(Versions CXX)
find_package(Nopal REQUIRED)
add_executable(fib {source})
target_link_libraries(fib Nopal::{target})
"""
SHOWS_RACE = """#include <cilk/cilk.h>
long total;
int main() { cilk_for (int i = 0; i < 100; ++i) total += i; }
"""


def clang_of(version):
    return f"/usr/lib/llvm-{version}/bin/clang"


class Versions(InstalledTestCase):
    def driver(self, version, suffix="++"):
        return self.prefix / f"bin/nopal-clang{suffix}-{version}"

    def test_the_driver_by_its_name(self):
        program = self.folder / "fib"
        for version in VERSIONS:
            said = self.succeed(self.driver(version), "--version").stdout
            self.assertIn(f"clang version {version}.", said)
            for option in ("-shared-libnopal", "-static-libnopal", "-static", "-flto=thin"):
                with self.subTest(f"{version} {option}"):
                    more = [f"-fuse-ld=lld-{VERSION}"] if "lto" in option else []
                    if more and (version != VERSION or not shutil.which(f"ld.lld-{VERSION}")):
                        continue  # a linker reads the bitcode of its own LLVM alone
                    self.succeed(self.driver(version), "-std=c++20", "-O2", option, *more, FIB,
                                 "-o", program)
                    self.check_fib(program)
            self.succeed(self.driver(version, ""), "-O2", "-static-libnopal", NQUEENS, "-o",
                         program)
            self.succeed(program, "6", env={"CILK_CHAOS": "1:0.1"})

    def test_a_program_without_keywords(self):
        source = self.write("plain.c", "int main(void) { return 0; }\n")
        for version in VERSIONS:
            self.succeed(self.driver(version, ""), "-c", "-Werror", source, "-o",
                         self.folder / "plain.o")
            self.succeed(self.driver(version, ""), "-Werror", source, "-o", self.folder / "plain")
            self.succeed(self.folder / "plain")
            self.assertNotIn("libnopal", self.needed(self.folder / "plain"))
            self.succeed(self.driver(version, ""), "-v")
            self.assertIn("no input files", run(self.driver(version, "")).stderr)

    def test_the_driver_by_the_environment(self):
        for version in VERSIONS:
            said = self.succeed(self.prefix / "bin/nopal-clang", "--version",
                                env={"NOPAL_CLANG": clang_of(version)}).stdout
            self.assertIn(f"clang version {version}.", said)
            folder = "" if version == VERSION else f"{version}/"
            self.assertRegex(said, rf"/lib/nopal/{folder}nopal(-compile)?\.cfg")

    def test_a_version_without_a_plugin(self):
        clang = self.write("other", "#!/bin/sh\necho 14.0.6\n")
        clang.chmod(0o755)
        done = run(self.prefix / "bin/nopal-clang", "x.c", env={"NOPAL_CLANG": str(clang)})
        self.assertEqual(done.returncode, 1)
        known = " and ".join(VERSIONS)
        self.assertIn(f"is clang 14, and Nopal is here for clang {known}; name one", done.stderr)

    def test_only_an_older_clang_is_there(self):
        if len(VERSIONS) == 1:
            self.skipTest("the build has one plugin")
        (self.folder / "bin").mkdir()
        for name in (f"clang-{VERSIONS[0]}", "ld"):
            (self.folder / "bin" / name).symlink_to(shutil.which(name))
        said = self.succeed(self.prefix / "bin/nopal-clang", "--version",
                            env={"PATH": str(self.folder / "bin")}).stdout
        self.assertIn(f"clang version {VERSIONS[0]}.", said)

    def test_find_package(self):
        for version in VERSIONS:
            build = self.folder / f"build-{version}"
            for target in ("cilk", "cilk_static"):
                with self.subTest(f"{version} {target}"):
                    self.write("CMakeLists.txt", LISTS.format(source=FIB, target=target))
                    self.succeed("cmake", "-G", "Ninja", "-S", self.folder, "-B", build,
                                 f"-DCMAKE_CXX_COMPILER={clang_of(version)}++",
                                 f"-DCMAKE_PREFIX_PATH={self.prefix}")
                    (build / "fib").unlink(missing_ok=True)
                    self.succeed("cmake", "--build", build)
                    self.check_fib(build / "fib")
                    self.assertEqual("libnopal.so" in self.needed(build / "fib"), target == "cilk")

    @unittest.skipUnless(shutil.which("pkg-config"), "pkg-config is not installed")
    def test_pkg_config(self):
        program = self.folder / "fib"
        for version in VERSIONS:
            package = f"nopal-{version}"
            self.succeed(clang_of(version) + "++", "-std=c++20", "-O2",
                         *self.pkg_config("--cflags", package=package), FIB,
                         *self.pkg_config("--libs", package=package), "-o", program)
            self.check_fib(program)

    def test_span_and_races(self):
        program = self.folder / "program"
        race = self.write("race.cpp", SHOWS_RACE)
        for version in VERSIONS:
            self.succeed(self.driver(version), "-std=c++20", "-O2", "-fnopal-span", FIB, "-o",
                         program)
            self.assertIn("nopal: parallelism", self.succeed(program, "15").stderr)
            self.succeed(self.driver(version), "-O2", "-g", "-fsanitize=cilk", race, "-o", program)
            done = run(program)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn("race.cpp:3", done.stderr)

    @unittest.skipUnless(shutil.which("pkg-config"), "pkg-config is not installed")
    def test_races_with_pkg_config_in_c(self):
        program = self.folder / "program"
        race = self.write("race.c", SHOWS_RACE)
        for version in VERSIONS:
            package = f"nopal-race-{version}"
            self.succeed(clang_of(version), "-O2", "-g0",
                         *self.pkg_config("--cflags", package=package), race,
                         *self.pkg_config("--libs", package=package), "-o", program)
            self.assertIn("race.c:3", run(program).stderr)

    def test_intermediate_files_are_kept(self):
        """The assembler's process does not load the plugin."""
        source = self.write("one.cpp", SHOWS_RACE)
        for version in VERSIONS:
            for option in ("-fnopal-span", "-fsanitize=cilk", "-fnopal-pedigrees"):
                with self.subTest(f"{version} {option}"):
                    self.succeed(self.driver(version), "-O2", option, "-save-temps", "-c", source,
                                 cwd=self.folder)
                    self.assertTrue(list(self.folder.glob("*.s")))


if __name__ == "__main__":
    if len(VERSIONS) == 1:
        print(f"the build has a plugin for clang {VERSION} alone", file=sys.stderr)
    os.environ.pop("NOPAL_CLANG", None)
    unittest.main(verbosity=2)
