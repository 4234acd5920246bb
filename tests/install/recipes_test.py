#!/usr/bin/env python3
"""The recipes of docs/build-systems.md build a program that steals, and what docs/editors.md says
of clangd, clang-tidy and clang-format holds.

A recipe is a block of code after `<!-- recipe: FOLDER/FILE -->`.
"""
import json
import pathlib
import re
import shutil
import unittest

from support import CLEAN, FIB, SOURCE, TOOLS, InstalledTestCase, driver_options, run

RECIPE = re.compile(r"<!-- recipe: (\S+) -->\n```\w+\n(.*?)```", re.S)
RECIPES = dict(RECIPE.findall((SOURCE / "docs/build-systems.md").read_text()))
KEYWORDS = """#include <cilk/cilk.h>
#include <cilk/reducer.h>
#include <vector>
long work(long n);
long all(std::vector<long> &values) {
  long x = cilk_spawn work(1);
  cilk_spawn { values[0] = work(2); }
  cilk_scope { cilk_spawn work(3); }
#pragma cilk grainsize 1
  cilk_for (std::size_t i = 1; i < values.size(); ++i) values[i] = work(4);
  cilk_for (long &value : values) value += 1;
  cilk_sync;
  return x;
}
"""


class Recipes(InstalledTestCase):
    def prepare(self, recipe):
        folder = self.folder / recipe.split("/")[0]
        folder.mkdir()
        (folder / recipe.split("/")[1]).write_text(RECIPES[recipe])
        shutil.copy(FIB, folder / "fib.cpp")
        return folder

    def environment(self):
        return {"PKG_CONFIG_PATH": f"{self.prefix}/lib/pkgconfig", "CXX": f"{TOOLS}/clang++",
                "PATH": f"{TOOLS}:{CLEAN['PATH']}"}

    def cmake(self, recipe, compiler, *options, builds=True):
        folder = self.prepare(recipe)
        build = folder / "nopal" / "build"
        configured = self.succeed("cmake", "-G", "Ninja", "-S", folder, "-B", build,
                                  f"-DCMAKE_PREFIX_PATH={self.prefix}",
                                  f"-DCMAKE_CXX_COMPILER={compiler}", *options)
        if builds:
            self.succeed("cmake", "--build", build)
        return build, configured.stdout

    def test_every_recipe_is_used_here(self):
        self.assertEqual(set(RECIPES), {"cmake/CMakeLists.txt", "serial/CMakeLists.txt",
                                        "fetch/CMakeLists.txt", "meson/meson.build",
                                        "make/Makefile"})

    def test_cmake(self):
        folder, _ = self.cmake("cmake/CMakeLists.txt", TOOLS / "clang++")
        self.check_fib(folder / "fib")

    @unittest.skipUnless(shutil.which("g++"), "no other compiler is installed")
    def test_cmake_serially(self):
        folder, _ = self.cmake("serial/CMakeLists.txt", "g++")
        self.succeed(folder / "fib", "20")
        self.assertNotIn("libnopal", self.needed(folder / "fib"))

    @unittest.skipUnless(shutil.which("g++"), "no other compiler is installed")
    def test_fetch_content_with_another_compiler(self):
        folder, said = self.cmake("fetch/CMakeLists.txt", "g++", f"-DNOPAL_SOURCES={SOURCE}",
                                  "-DCMAKE_C_COMPILER=gcc")
        self.assertIn("there is Nopal::serial alone", said)
        self.succeed(folder / "fib", "20")

    def test_fetch_content(self):
        """Checks only the commands, and that a build in a folder named nopal is installed.
        Building takes minutes; tests/install/packages does it."""
        folder, _ = self.cmake("fetch/CMakeLists.txt", TOOLS / "clang++",
                               f"-DNOPAL_SOURCES={SOURCE}", f"-DCMAKE_C_COMPILER={TOOLS}/clang",
                               builds=False)
        commands = self.succeed("ninja", "-C", folder, "-t", "commands", "fib").stdout.splitlines()
        compiles = next(line for line in commands if " -c " in line and "fib.cpp" in line)
        self.assertRegex(compiles, r"-fpass-plugin=\S*NopalPlugin.so")
        linked = [line for line in commands if "-o _deps/nopal-build/lib/nopal/NopalPlugin" in line]
        self.assertEqual(len(linked), 1)
        self.assertRegex(commands[-1], r"libnopal\.so\.\d")
        # The plugin is built before what it compiles.
        before = self.succeed("ninja", "-C", folder, "-t", "commands",
                              "CMakeFiles/fib.dir/fib.cpp.o").stdout
        self.assertIn("-o _deps/nopal-build/lib/nopal/NopalPlugin.so", before)
        script = folder / "_deps/nopal-build/clang-plugin/driver/cmake_install.cmake"
        files = re.findall(r'"(/[^"]*[.]cfg)"', script.read_text())
        self.assertGreater(len(files), 2)
        self.assertEqual([file for file in files if not pathlib.Path(file).exists()], [])

    @unittest.skipUnless(shutil.which("meson"), "meson is not installed")
    def test_meson(self):
        folder = self.prepare("meson/meson.build")
        self.succeed("meson", "setup", folder / "build", folder, env=self.environment())
        self.succeed("meson", "compile", "-C", folder / "build", env=self.environment())
        self.check_fib(folder / "build/fib")

    def test_installed_programs_find_the_runtime(self):
        build, _ = self.cmake("cmake/CMakeLists.txt", TOOLS / "clang++",
                              "-DCMAKE_INSTALL_RPATH_USE_LINK_PATH=ON", builds=False)
        with open(self.folder / "cmake/CMakeLists.txt", "a", encoding="utf-8") as file:
            file.write("install(TARGETS fib)\n")
        self.succeed("cmake", "--build", build)
        self.succeed("cmake", "--install", build, "--prefix", self.folder / "installed")
        self.check_fib(self.folder / "installed/bin/fib")

    @unittest.skipUnless(shutil.which("meson"), "meson is not installed")
    def test_installed_programs_of_meson_find_the_runtime(self):
        folder = self.prepare("meson/meson.build")
        recipe = folder / "meson.build"
        more = re.search(r"- Meson: `(install: .*)`[.]",
                         (SOURCE / "docs/build-systems.md").read_text()).group(1)
        recipe.write_text(recipe.read_text().replace("dependency('nopal'))",
                                                     f"dependency('nopal'), {more})"))
        # Meson 1.0 does not undo what pkg-config does to a blank in a variable.
        link = self.folder / "prefix"
        link.symlink_to(self.prefix)
        environment = {**self.environment(), "PKG_CONFIG_PATH": f"{link}/lib/pkgconfig"}
        self.succeed("meson", "setup", folder / "build", folder, "--prefix", folder / "installed",
                     env=environment)
        self.succeed("meson", "install", "-C", folder / "build", env=environment)
        self.check_fib(folder / "installed/bin/fib")

    @unittest.skipUnless(shutil.which("meson"), "meson is not installed")
    def test_meson_with_the_driver_and_warnings_as_errors(self):
        folder = self.prepare("meson/meson.build")
        recipe = folder / "meson.build"
        recipe.write_text(recipe.read_text().replace(", dependencies: dependency('nopal')", ""))
        environment = {**self.environment(), "CXX": "nopal-clang++",
                       "PATH": f"{self.prefix}/bin:{TOOLS}:{CLEAN['PATH']}"}
        self.succeed("meson", "setup", folder / "build", folder, "-Dwerror=true", env=environment)
        self.succeed("meson", "compile", "-C", folder / "build", env=environment)
        self.check_fib(folder / "build/fib")

    def test_make(self):
        folder = self.prepare("make/Makefile")
        self.succeed("make", "-C", folder, f"CXX={TOOLS}/clang++", env=self.environment())
        self.check_fib(folder / "fib")


class Editors(InstalledTestCase):
    def project(self, *options):
        source = self.write("all.cpp", KEYWORDS)
        command = [str(TOOLS / "clang++"), "-std=c++20", "-Wall", "-Wextra", "-O2",
                   f"-fpass-plugin={self.prefix}/lib/nopal/NopalPlugin.so",
                   f"-I{self.prefix}/include", *options, "-c", str(source)]
        self.write("compile_commands.json", json.dumps(
            [{"directory": str(self.folder), "file": str(source), "arguments": command}]))
        return source

    @unittest.skipUnless(shutil.which("clangd-22"), "clangd-22 is not installed")
    def test_clangd(self):
        source = self.project()
        check = ("clangd-22", f"--check={source}", "--check-locations=0")
        self.assertIn("1 errors", run(*check).stderr)
        shutil.copy(SOURCE / "tools/editors/clangd", self.folder / ".clangd")
        done = self.succeed(*check)
        self.assertIn("All checks completed, 0 errors", done.stderr)
        self.assertNotRegex(done.stderr, r"(?m)^[EW]\[")

    @unittest.skipUnless(shutil.which("clangd-22"), "clangd-22 is not installed")
    def test_clangd_with_the_options_of_the_driver(self):
        source = self.project(*sorted(driver_options()), "-fsanitize=cilk,undefined",
                              "-fsanitize=undefined,cilk", "-fno-sanitize=undefined,cilk")
        shutil.copy(SOURCE / "tools/editors/clangd", self.folder / ".clangd")
        done = self.succeed("clangd-22", f"--check={source}", "--check-locations=0")
        self.assertNotRegex(done.stderr, r"(?m)^[EW]\[")

    @unittest.skipUnless(shutil.which("clangd-22"), "clangd-22 is not installed")
    def test_completion_after_a_spawn(self):
        self.project()
        shutil.copy(SOURCE / "tools/editors/clangd", self.folder / ".clangd")
        text = KEYWORDS.replace("cilk_spawn work(1)", "cilk_spawn wor")
        line = text[:text.index("cilk_spawn wor")].count("\n")
        column = text.splitlines()[line].index("wor") + 3
        uri = (self.folder / "all.cpp").as_uri()
        asked = [
            {"id": 1, "method": "initialize", "params": {"capabilities": {}, "processId": None,
                                                         "rootUri": None}},
            {"method": "textDocument/didOpen", "params": {"textDocument": {
                "uri": uri, "languageId": "cpp", "version": 1, "text": text}}},
            {"id": 2, "method": "textDocument/completion", "params": {
                "textDocument": {"uri": uri}, "position": {"line": line, "character": column}}},
            {"id": 3, "method": "shutdown"}, {"method": "exit"}]
        messages = "\n---\n".join(json.dumps({"jsonrpc": "2.0", **message}) for message in asked)
        script = self.write("asked.jsonrpc", messages)
        done = run("bash", "-c", f"clangd-22 -lit-test < '{script}'")
        self.assertRegex(done.stdout, r'"(filterText|insertText)": "work"')

    @unittest.skipUnless(shutil.which("clang-tidy-22"), "clang-tidy-22 is not installed")
    def test_clang_tidy(self):
        source = self.project()
        done = self.succeed("clang-tidy-22", "-p", self.folder, source,
                            "--checks=-*,clang-diagnostic-*,bugprone-use-after-move")
        self.assertEqual(done.stdout, "")

    @unittest.skipUnless(shutil.which("clang-tidy-22"), "clang-tidy-22 is not installed")
    def test_clang_tidy_with_the_options_of_the_driver(self):
        self.project(*sorted(driver_options()))
        database = self.folder / "compile_commands.json"
        database.write_text(database.read_text().replace(f'"-I{self.prefix}/include", ', ""))
        wanted = ("clang-tidy-22", "-p", self.folder, self.folder / "all.cpp",
                  "--checks=-*,clang-diagnostic-*,bugprone-use-after-move")
        self.assertIn("error", run(*wanted).stdout)
        lines = (SOURCE / "tools/editors/clang-tidy").read_text()
        self.write(".clang-tidy", f"{lines}ExtraArgs: [-isystem{self.prefix}/include]\n")
        self.assertEqual(self.succeed(*wanted).stdout, "")

    def test_clang_format(self):
        text = "void f(int *a) {\n  cilk_for (int i = 0; i < 9; ++i) a[i] = i;\n}\n"
        source = self.write("loop.cpp", text)
        shutil.copy(SOURCE / "tools/editors/clang-format", self.folder / ".clang-format")
        self.assertEqual(self.succeed("clang-format-22", source).stdout.count("\n"), 4)
        self.assertIn("cilk_for (int i = 0; i < 9; ++i)\n",
                      self.succeed("clang-format-22", source).stdout)


if __name__ == "__main__":
    unittest.main()
