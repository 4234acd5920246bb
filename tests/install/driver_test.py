#!/usr/bin/env python3
"""nopal-clang and nopal-clang++ of the build tree: what they pass to clang, and whole programs."""
import os
import shutil
import signal
import unittest

from support import BUILD, FIB, NQUEENS, SOURCE, TOOLS, VERSION, TestCase, run

CC = BUILD / "bin/nopal-clang"
CXX = BUILD / "bin/nopal-clang++"


IN_THE_FILE = unittest.skipIf(int(VERSION) < 20,
                              "Clang 19 gets the runtime from the driver, not from the file")


class Handed(TestCase):
    """A shell script replaces clang and prints its arguments, one a line."""

    def setUp(self):
        super().setUp()
        self.clang = self.write("clang", '#!/bin/sh\nprintf "%s\\n" "$@"\n')
        self.clang.chmod(0o755)

    def handed(self, *arguments, driver=CXX):
        return self.succeed(driver, *arguments,
                            env={"NOPAL_CLANG": str(self.clang)}).stdout.splitlines()

    def config(self, *arguments, driver=CXX):
        """The name of the configuration file that is chosen."""
        return [os.path.basename(word) for word in self.handed(*arguments, driver=driver)
                if word.startswith("--config=")]

    @IN_THE_FILE
    def test_options_pass_through_in_order(self):
        options = ["-O2", "-DX=a b", "-Wall", "x.cpp", "-o", "x", "-Wl,-z,now", ""]
        self.assertEqual(self.handed(*options)[2:], options)

    def test_the_name_decides_the_language(self):
        self.assertIn("--driver-mode=g++", self.handed("x.c"))
        self.assertNotIn("--driver-mode=g++", self.handed("x.c", driver=CC))

    @IN_THE_FILE
    def test_other_compilers_names_for_cilk_reserve_its_keywords(self):
        for option in ("-fopencilk", "-fcilkplus"):
            self.assertEqual(self.config(option, "x.cpp"), ["nopal.cfg", "nopal-keywords.cfg"],
                             option)
            self.assertNotIn(option, self.handed(option, "x.cpp"))
        self.assertIn("-D__NOPAL_CILK_PLUS__=1", self.handed("-fcilkplus", "x.cpp"))
        self.assertNotIn("-D__NOPAL_CILK_PLUS__=1", self.handed("-fopencilk", "x.cpp"))
        self.assertEqual(self.handed("x.cpp", "-o", "-fopencilk")[2:],
                         ["x.cpp", "-o", "-fopencilk"])

    @IN_THE_FILE
    def test_the_shared_runtime_is_the_default(self):
        self.assertEqual(self.config("x.cpp"), ["nopal.cfg"])
        self.assertEqual(self.config("-static-libnopal", "-shared-libnopal", "x.cpp"),
                         ["nopal.cfg"])

    @IN_THE_FILE
    def test_the_static_runtime(self):
        for option in ("-static", "-static-pie", "-static-libnopal"):
            self.assertEqual(self.config(option, "x.cpp"), ["nopal-static.cfg"], option)
            # A program without libstdc++ gets the parts of it that the runtime needs.
            self.assertEqual(self.config(option, "x.c", driver=CC), ["nopal-static-c.cfg"], option)
            for without in ("-nostdlib++", "-stdlib=libc++"):
                self.assertEqual(self.config(option, without, "x.cpp"), ["nopal-static-c.cfg"],
                                 (option, without))
        self.assertNotIn("-static-libnopal", self.handed("-static-libnopal", "x.cpp"))

    @unittest.skipIf(os.uname().machine == "aarch64", "that is this machine's own target")
    def test_another_target_has_files_of_its_own(self):
        def folder(*arguments):
            file = next(word for word in self.handed(*arguments, "x.cpp")
                        if word.startswith("--config="))
            return os.path.basename(os.path.dirname(file))

        own = folder()
        for options in (["--target=aarch64-linux-gnu"], ["-target", "arm64-linux-gnu"],
                        ["--target=x86_64-linux-gnu", "--target=aarch64-linux-gnu"]):
            self.assertEqual(folder(*options), "aarch64-linux-gnu", options)
        for options in (["--target=x86_64-linux-gnu"], ["--target=aarch64_be-linux-gnu"],
                        ["--target=aarch64-linux-gnu", "--target=x86_64-linux-gnu"]):
            self.assertEqual(folder(*options), own, options)
        refused = run(CXX, "--target=aarch64-linux-gnu", "-fsanitize=cilk", "x.cpp")
        self.assertEqual((refused.returncode, refused.stderr),
                         (1, "nopal-clang++: error: -fsanitize=cilk is not there for target "
                          "'aarch64-linux-gnu'; detect races on x86-64\n"))

    @IN_THE_FILE
    def test_work_and_span(self):
        rest = {"-shared-libnopal": "", "-static-libnopal": "-static", "-nostdlib": "-compile"}
        span = {"": "nopal-span.cfg", "-static": "nopal-span-static.cfg",
                "-compile": "nopal-serial.cfg"}
        for option, link in rest.items():
            self.assertEqual(self.config("-fnopal-span", option, "x.cpp"),
                             [span[link], f"nopal{link}.cfg"], option)
        self.assertEqual(self.config("-fnopal-span", "-fno-nopal-span", "x.cpp"), ["nopal.cfg"])
        self.assertNotIn("-fnopal-span", self.handed("-fnopal-span", "x.cpp"))
        self.assertIn("nopal-span.cfg", self.config("-fcilktool=cilkscale", "x.cpp"))
        refused = run(CXX, "-fcilktool=cilkscale-benchmark", "x.cpp")
        self.assertEqual((refused.returncode, refused.stderr), (
            1, "nopal-clang++: error: '-fcilktool=cilkscale-benchmark': the only tool is "
            "cilkscale; -fsanitize=cilk finds races; to measure times build without the option\n"))

    @IN_THE_FILE
    def test_races(self):
        self.assertEqual(self.config("-fsanitize=cilk", "x.cpp"), ["nopal-race.cfg", "nopal.cfg"])
        self.assertEqual(self.config("-fsanitize=cilk", "-nostdlib", "x.cpp"),
                         ["nopal-race-compile.cfg", "nopal-compile.cfg"])
        self.assertEqual(self.config("-fsanitize=cilk", "-fno-sanitize=cilk", "x.cpp"),
                         ["nopal.cfg"])
        self.assertNotIn("-fsanitize=cilk", self.handed("-fsanitize=cilk", "x.cpp"))

    def test_a_list_of_sanitizers(self):
        self.assertIn("nopal-race.cfg", self.config("-fsanitize=undefined,cilk", "x.cpp"))
        self.assertIn("-fsanitize=undefined", self.handed("-fsanitize=undefined,cilk", "x.cpp"))
        handed = self.handed("-fsanitize=cilk,address", "-fno-sanitize=cilk", "x.cpp")
        self.assertIn("-fsanitize=address", handed)
        self.assertNotIn("-fno-sanitize=", handed)

    def test_what_the_race_detector_cannot_stand_beside(self):
        for word in ("-fnopal-span", "-fsanitize=address", "-fsanitize=undefined,thread",
                     "-fsanitize=memory", "-fsanitize=hwaddress", "-fsanitize=leak", "-static",
                     "-static-pie"):
            done = run(CXX, "-fsanitize=cilk", word, "x.cpp",
                       env={"NOPAL_CLANG": str(self.clang)})
            self.assertEqual(done.returncode, 1, word)
            self.assertRegex(done.stderr, "error: '-fsanitize=cilk' (cannot be used with|needs)")
        self.handed("-fsanitize=cilk", "-fsanitize=address", "-fno-sanitize=all",
                    "-fsanitize=cilk", "x.cpp")
        self.assertEqual(self.config("-fsanitize=cilk", "-fno-sanitize=all", "x.cpp"),
                         self.config("x.cpp"))
        self.handed("-fsanitize=cilk", "-fsanitize=thread", "-fno-sanitize=cilk", "x.cpp")

    def test_nothing_is_linked_where_the_user_says_so(self):
        for option in ("-nostdlib", "-nodefaultlibs", "-r"):
            self.assertEqual(self.config(option, "x.cpp"), ["nopal-compile.cfg"], option)

    @IN_THE_FILE
    def test_a_header_alone_becomes_a_precompiled_header(self):
        for options in (["a.h"], ["-x", "c++-header", "a"], ["-xc++-header", "a"],
                        ["-I", "d", "a.hpp", "-o", "a.pch"]):
            self.assertEqual(self.config(*options), ["nopal-compile.cfg"], options)
        for options in (["-include", "a.h", "a.cpp"], ["a.h", "a.cpp"], ["-x", "c++", "a.h"],
                        ["a.o", "-Xlinker", "x.h"]):
            self.assertEqual(self.config(*options), ["nopal.cfg"], options)

    def test_clangs_internal_modes_are_left_alone(self):
        self.assertEqual(self.handed("-cc1", "-version"), ["-cc1", "-version"])

    def test_clangs_heap_uses_huge_pages_unless_the_user_says_otherwise(self):
        self.write("clang", '#!/bin/sh\nprintf "%s" "${GLIBC_TUNABLES-unset}"\n')
        tunables = [self.succeed(CC, "x.c", env={"NOPAL_CLANG": str(self.clang), **env}).stdout
                    for env in ({}, {"GLIBC_TUNABLES": ""})]
        self.assertIn("glibc.malloc.hugetlb=1", tunables[0])
        self.assertEqual(tunables[1], "")

    def test_exit_status_and_signals_are_clangs(self):
        self.write("clang", "#!/bin/sh\nexit 7\n")
        self.assertEqual(run(CC, "x.c", env={"NOPAL_CLANG": str(self.clang)}).returncode, 7)
        self.write("clang", "#!/bin/sh\nkill -SEGV $$\n")
        self.assertEqual(run(CC, "x.c", env={"NOPAL_CLANG": str(self.clang)}).returncode,
                         -signal.SIGSEGV)

    def test_a_clang_that_is_not_there(self):
        done = run(CC, "x.c", env={"NOPAL_CLANG": "/nowhere/clang"})
        self.assertEqual(done.returncode, 127)
        self.assertIn("nopal-clang: error: cannot run '/nowhere/clang': No such file or directory; "
                      f"install clang-{VERSION}",
                      done.stderr)

    @IN_THE_FILE
    def test_through_a_symbolic_link(self):
        link = self.folder / "cilk++"
        link.symlink_to(CXX)
        self.assertIn(f"--config={BUILD}/lib/nopal/nopal.cfg", self.handed("x.cpp", driver=link))


class Asked(TestCase):
    """Questions to the real clang."""

    @IN_THE_FILE
    def test_the_version(self):
        done = self.succeed(CXX, "--version")
        self.assertIn(f"clang version {VERSION}.", done.stdout)
        self.assertIn("nopal.cfg", done.stdout)

    def test_no_input_is_clangs_own_error(self):
        done = run(CC)
        self.assertEqual(done.returncode, 1)
        self.assertIn("no input files", done.stderr)

    def test_verbose_without_input_links_nothing(self):
        self.assertNotIn("-lnopal", self.succeed(CC, "-v").stderr)

    def test_the_link_comes_last(self):
        done = self.succeed(CXX, "-###", self.write("a.cpp", ""), "-la", "-o", "a")
        self.assertLess(done.stderr.index('"-la"'), done.stderr.index('"-lnopal"'))


class Compiled(TestCase):
    """Whole programs through the build tree's plugin and runtime."""

    def test_no_unused_option_is_warned_of(self):
        source = self.write("a.c", "int f(void) { return 0; }\n")
        for mode in ("-c", "-S", "-E", "-fsyntax-only", "-M"):
            for option in ([], ["-static-libnopal"], ["-nostdlib"], ["-fopencilk"]):
                done = self.succeed(CC, "-Wall", "-Wextra", "-Werror", mode, *option, source,
                                    cwd=self.folder)
                self.assertEqual(done.stderr, "", (mode, option))

    def test_cpp_program(self):
        self.succeed(CXX, "-std=c++20", "-O2", "-Wall", "-Werror", FIB, "-o", self.folder / "fib")
        self.check_fib(self.folder / "fib")
        self.assertIn("libnopal.so", self.needed(self.folder / "fib"))

    def test_c_program(self):
        self.succeed(CC, "-O2", NQUEENS, "-o", self.folder / "nqueens")
        self.succeed(self.folder / "nqueens", "6", env={"CILK_CHAOS": "1:0.1"})

    def test_reserved_keywords_need_no_header(self):
        """Neither before a header is there, nor under other names, nor beside the header."""
        for driver, suffix, first in ((CC, ".c", "#define static_assert _Static_assert\n"),
                                      (CXX, ".cpp", "")):
            c = 'extern "C" ' if suffix == ".cpp" else ""
            parts = ("", "#define cilk_spawn _Cilk_spawn", "#undef cilk_spawn\n"
                     "#include <cilk/cilk.h>")
            source = self.write("reserved" + suffix, f"""{first}
                #ifndef CILK_SERIAL
                static_assert(__cilk == 200, "the version");
                #endif
                {c}int printf(const char *, ...);
                int f(int n) {{ return n + 1; }}
                int a[4];
                """ + "".join(f"""
                {before}
                int g{number}(void) {{
                  int x = _Cilk_spawn f(1);
                  _Cilk_scope {{ _Cilk_spawn f(2); }}
                  _Cilk_sync;
                  _Cilk_for (int i = 0; i < 4; ++i) a[i] = f(i);
                  return x + a[3];
                }}
                """ for number, before in enumerate(parts)) + """
                int main(void) { printf("%d %d %d\\n", g0(), g1(), g2()); }
                """)
            for options in (["-fcilkplus"], ["-fopencilk", "-save-temps"],
                            ["-fcilkplus", "-DCILK_SERIAL"],
                            ["-fcilkplus", "-include", "cilk/cilk_stub.h"],
                            [f"--config={BUILD}/lib/nopal/nopal-keywords.cfg"]):
                self.succeed(driver, "-Wall", "-Wextra", "-Werror", *options, source, "-o",
                             "reserved", cwd=self.folder)
                self.assertEqual(self.succeed(self.folder / "reserved").stdout, "6 6 6\n",
                                 (suffix, options))

    def test_holders_and_numbers_of_workers_are_those_of_the_dialect(self):
        source = self.write("dialect.cpp", """
#include <cilk/cilk_api.h>
#include <cilk/holder.h>
#include <type_traits>
#ifdef __NOPAL_CILK_PLUS__
using count = int;
#else
using count = unsigned;
#endif
int main() {
  static_assert(std::is_same_v<decltype(__cilkrts_get_nworkers()), count>);
  static_assert(std::is_same_v<decltype(__cilkrts_get_worker_number()), count>);
  if (__cilkrts_get_nworkers() < 1 || __cilkrts_get_worker_number() != 0) return 1;
#ifdef __NOPAL_CILK_PLUS__
  cilk::holder<int, cilk::holder_keep_last> held(3);
  return held() != 3;
#else
  cilk::holder<int> held = 3;
  return held != 3;
#endif
}
""")
        for options in ([], ["-fopencilk"], ["-fcilkplus"], ["-fcilkplus", "-DCILK_SERIAL"]):
            self.succeed(CXX, "-Wall", "-Wextra", "-Werror", *options, source, "-o", "dialect",
                         cwd=self.folder)
            self.succeed(self.folder / "dialect")

    def test_reserved_keywords_leave_other_inputs_as_they_are(self):
        self.write("assembly.S", "#define NAME f\n.globl NAME\nNAME: ret\n")
        self.write("pre.h", "#define IN_HEADER 1\n")
        self.write("pre.c", "#if !IN_HEADER\n#error not included\n#endif\n")
        self.succeed(CC, "-fcilkplus", "-Werror", "-c", "assembly.S", cwd=self.folder)
        self.succeed(CC, "-fcilkplus", "-Werror", "pre.h", "-o", "pre.h.pch", cwd=self.folder)
        self.succeed(CC, "-fcilkplus", "-Werror", "-include", "pre.h", "-c", "pre.c",
                     cwd=self.folder)

    def test_compile_and_link_apart(self):
        self.succeed(CXX, "-std=c++20", "-O2", "-c", FIB, "-o", self.folder / "fib.o")
        self.succeed(CXX, self.folder / "fib.o", "-o", self.folder / "fib")
        self.check_fib(self.folder / "fib")

    def test_the_static_runtime(self):
        """It contains what it needs of Boost, and leaves libstdc++ to Clang."""
        command = (CXX, "-std=c++20", "-O2", "-static-libnopal", FIB, "-o", self.folder / "fib")
        self.succeed(*command)
        needed = self.needed(self.folder / "fib")
        for library in ("libnopal.so", "libboost"):
            self.assertNotIn(library, needed)
        self.assertIn("libstdc++.so", needed)
        self.check_fib(self.folder / "fib")
        self.succeed(*command, "-static-libstdc++", "-static-libgcc")
        self.assertNotIn("libstdc++.so", self.needed(self.folder / "fib"))
        self.check_fib(self.folder / "fib")

    def test_the_static_runtime_in_c(self):
        self.succeed(CC, "-O2", "-static-libnopal", NQUEENS, "-o", self.folder / "nqueens")
        needed = self.needed(self.folder / "nqueens")
        for library in ("libnopal", "libstdc++", "libboost", "libm.so"):
            self.assertNotIn(library, needed)
        self.succeed(self.folder / "nqueens", "6", env={"CILK_CHAOS": "1:0.1"})

    def test_the_static_runtime_in_c_beside_libraries_of_cpp(self):
        """Exceptions of a library with the shared libstdc++ pass through spawns of a C program,
        whether that program contains a part of libstdc++ or not."""
        self.write("thrower.cpp", """
            #include <cstdio>
            #include <stdexcept>
            #include <string>
            static std::string name(long i) { return "child " + std::to_string(i); }
            extern "C" void throws(long i) { throw std::runtime_error(name(i)); }
            extern "C" int caught(void (*body)(long), long i) {
              try {
                body(i);
              } catch (const std::exception &error) {
                return error.what() == name(i);
              }
              return 0;
            }
            """)
        self.write("main.c", """
            #include <cilk/cilk.h>
            void throws(long);
            int caught(void (*)(long), long);
            static void spawns(long i) {
              volatile long x = i; cilk_spawn throws(x); x += 0; cilk_sync;
            }
            static void one(int *sum, long i) {
              __atomic_fetch_add(sum, caught(spawns, i), __ATOMIC_RELAXED);
            }
            int main(void) {
              int sum = 0;
              for (long i = 0; i < 100; ++i) cilk_spawn one(&sum, i);
              cilk_sync;
              return sum == 100 ? 0 : 1;
            }
            """)
        self.succeed(TOOLS / "clang++", "-O2", "-shared", "-fPIC", "thrower.cpp", "-o",
                     "libthrower.so", cwd=self.folder)
        for more in ([], ["-lstdc++"]):
            self.succeed(CC, "-O2", "-fexceptions", "-static-libnopal", "main.c", "-L.",
                         "-lthrower", *more, f"-Wl,-rpath,{self.folder}", "-o",
                         "main", cwd=self.folder)
            self.assertEqual("libstdc++.so" in self.needed(self.folder / "main"), bool(more))
            for chaos in ("1:0.5", "1:1"):
                self.succeed(self.folder / "main", env={"CILK_CHAOS": chaos, "CILK_NWORKERS": "2"})

    def test_the_static_runtime_is_missing(self):
        for name in ("bin/nopal-clang", "lib/nopal/NopalPlugin.so",
                     *(f"lib/nopal/nopal-{kind}.cfg"
                       for kind in ("compile", "static", "static-c")),
                     *(path.relative_to(BUILD) for path in (BUILD / "lib/nopal").glob("*.link"))):
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(BUILD / name, self.folder / name)
        (self.folder / "include").symlink_to(BUILD / "include")
        done = run(self.folder / "bin/nopal-clang", "-static-libnopal", NQUEENS, "-o",
                   self.folder / "nqueens")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("libnopal.a", done.stderr)

    def test_a_static_program_at_any_address(self):
        """routes_test.py has the one with -static."""
        self.succeed(CXX, "-std=c++20", "-O2", "-static-pie", FIB, "-o", self.folder / "fib")
        self.assertNotIn("NEEDED", self.needed(self.folder / "fib"))
        self.check_fib(self.folder / "fib")
        self.succeed(CC, "-O2", "-static-pie", NQUEENS, "-o", self.folder / "nqueens")
        self.succeed(self.folder / "nqueens", "6", env={"CILK_CHAOS": "1:0.1"})

    def test_a_static_program_has_exceptions_statistics_and_threads(self):
        source = self.write("a.cpp", """
            #include <cilk/cilk.h>
            #include <stdexcept>
            #include <thread>
            static void child(int i) { if (i % 2 != 0) throw std::runtime_error("odd"); }
            static int caught(int i) {
              try {
                cilk_spawn child(i); if (i < 0) return 0; cilk_sync;
              } catch (const std::runtime_error &) { return 1; }
              return 0;
            }
            static int half(int n) {
              int results[100] = {}, sum = 0;
              cilk_for (int i = 0; i < n; ++i) results[i] = caught(i);
              for (int result : results) sum += result;
              return sum;
            }
            int main() {
              int other = 0;
              std::thread thread([&] { other = half(100); });
              const int own = half(100);
              thread.join();
              return own == 50 && other == 50 ? 0 : 1;
            }
            """)
        self.succeed(CXX, "-std=c++20", "-O2", "-static", source, "-o", self.folder / "a")
        done = self.succeed(self.folder / "a",
                            env={"CILK_CHAOS": "1:0.5", "CILK_NWORKERS": "2", "CILK_STATS": "1"})
        self.assertIn("steals", done.stderr)
        self.assertIn("caught(int)", done.stderr)  # demangled

    def test_two_libraries_share_one_runtime(self):
        code = ("#include <cilk/cilk.h>\n"
                "long NAME(long n) { if (n < 2) return n; long x = cilk_spawn NAME(n - 1);\n"
                "long y = NAME(n - 2); cilk_sync; return x + y; }\n")
        source = self.write("lib.c", code)
        for name in ("one", "two"):
            self.succeed(CC, "-O2", "-shared", "-fPIC", f"-DNAME={name}", source, "-o",
                         self.folder / f"lib{name}.so")
        main = self.write("main.c",
                          "long one(long), two(long);\nint main(void) { return one(15) == two(15) "
                          "? 0 : 1; }\n")
        self.succeed(CC, main, f"-L{self.folder}", "-lone", "-ltwo", f"-Wl,-rpath,{self.folder}",
                     "-o", self.folder / "main")
        self.succeed(self.folder / "main", env={"CILK_CHAOS": "1:0.5"})

    def test_a_program_that_spawns_nothing_loads_no_runtime(self):
        source = self.write("a.c", "int main(void) { return 0; }\n")
        self.succeed(CC, source, "-o", self.folder / "a")
        self.assertNotIn("libnopal", self.needed(self.folder / "a"))

    def test_calls_that_keep_registers_are_not_bound_lazily(self):
        # The dynamic linker's lazy binding would change r10 at the first call, but preserve_most
        # promises to keep it.
        for level in ("-O0", "-O2"):
            for model in ("-fPIC", "-fPIE", "-fno-pic"):
                assembly = self.succeed(CC, level, model, "-S", NQUEENS, "-o", "-").stdout
                for function in ("nopal_push_slow", "nopal_pop_slow"):
                    self.assertIn(f"{function}@GOTPCREL", assembly, (level, model))
                    self.assertNotIn(f"{function}@PLT", assembly, (level, model))

    def test_a_precompiled_header(self):
        self.write("all.h", "#include <cilk/cilk.h>\n#include <stdio.h>\n")
        self.succeed(CXX, "-std=c++17", "all.h", "-o", "all.h.pch", cwd=self.folder)
        self.succeed(CXX, "-include", "all.h", "-std=c++17", FIB, "-o", "fib", cwd=self.folder)
        self.check_fib(self.folder / "fib")

    def test_without_the_plugin_the_header_says_what_to_do(self):
        done = run(TOOLS / "clang++", "-fsyntax-only", f"-I{SOURCE}/runtime/include", FIB)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("nopal-clang", done.stderr)


if __name__ == "__main__":
    unittest.main()
