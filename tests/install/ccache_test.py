#!/usr/bin/env python3
"""ccache and sccache compile again when the plugin has changed.

Both identify a compiler by its file. That is enough for the driver, which contains the plugin's
digest. Clang's file stays the same, so with CMake, pkg-config and --config= CCACHE_EXTRAFILES must
name the plugin (user guide). sccache has no such variable.
"""
import hashlib
import json
import shutil
import socket
import unittest

from support import BUILD, FIB, TOOLS, InstalledTestCase

PLUGIN = "lib/nopal/NopalPlugin.so"


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest().encode()


class Driver(unittest.TestCase):
    def test_it_holds_the_digest_of_the_plugin(self):
        self.assertIn(digest(BUILD / PLUGIN), (BUILD / "bin/nopal-clang").read_bytes())


class Cached(InstalledTestCase):
    def change_plugin(self):
        """Changes the plugin, not what it does: bytes after its end are not loaded."""
        plugin, driver = self.prefix / PLUGIN, self.prefix / "bin/nopal-clang"
        before = digest(plugin)
        plugin.write_bytes(plugin.read_bytes() + b"\n")
        # As the build does.
        self.assertIn(before, driver.read_bytes())
        driver.write_bytes(driver.read_bytes().replace(before, digest(plugin)))


@unittest.skipUnless(shutil.which("ccache"), "ccache is not installed")
class Ccache(Cached):
    def setUp(self):
        super().setUp()
        self.env = {"CCACHE_DIR": str(self.folder / "cache"), "CCACHE_CONFIGPATH": "/dev/null"}

    def is_compiled(self, *command):
        """Whether the compiler runs. If not, ccache has the object."""
        self.succeed("ccache", "--zero-stats", env=self.env)
        self.succeed("ccache", *command, "-std=c++20", "-O2", "-c", FIB, "-o",
                     self.folder / "fib.o", env=self.env)
        counts = dict(line.split() for line in
                      self.succeed("ccache", "--print-stats", env=self.env).stdout.splitlines())
        compiled = int(counts["cache_miss"])
        hits = int(counts["direct_cache_hit"]) + int(counts["preprocessed_cache_hit"])
        self.assertEqual(compiled + hits, 1, counts)
        return compiled == 1

    def test_through_the_driver(self):
        for check in ("mtime", "content"):
            self.env["CCACHE_COMPILERCHECK"] = check
            driver = self.prefix / "bin/nopal-clang++"
            self.assertTrue(self.is_compiled(driver))
            self.assertFalse(self.is_compiled(driver))
            self.change_plugin()
            self.assertTrue(self.is_compiled(driver), check)
            self.assertFalse(self.is_compiled(driver))

    def test_through_clang(self):
        self.env["CCACHE_EXTRAFILES"] = str(self.prefix / PLUGIN)
        # CMake's command has the same options as pkg-config's.
        config = f"--config={self.prefix}/lib/nopal/nopal.cfg"
        for options in (self.pkg_config("--cflags"), [config]):
            command = [TOOLS / "clang++", *options]
            self.assertTrue(self.is_compiled(*command))
            self.assertFalse(self.is_compiled(*command))
            self.change_plugin()
            self.assertTrue(self.is_compiled(*command), options)
            self.assertFalse(self.is_compiled(*command))


@unittest.skipUnless(shutil.which("sccache"), "sccache is not installed")
class Sccache(Cached):
    def setUp(self):
        super().setUp()
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.env = {"SCCACHE_DIR": str(self.folder / "cache"), "SCCACHE_SERVER_PORT": str(port),
                    "SCCACHE_CONF": "/dev/null", "SCCACHE_IDLE_TIMEOUT": "60"}
        self.succeed("sccache", "--start-server", env=self.env)
        self.addCleanup(lambda: self.succeed("sccache", "--stop-server", env=self.env))

    def is_compiled(self, *command):
        """Whether the compiler runs. If not, sccache has the object."""
        self.succeed("sccache", "--zero-stats", env=self.env)
        self.succeed("sccache", *command, "-std=c++20", "-O2", "-c", FIB, "-o",
                     self.folder / "fib.o", env=self.env)
        said = self.succeed("sccache", "--show-stats", "--stats-format=json", env=self.env).stdout
        counts = {name: sum(json.loads(said)["stats"][name]["counts"].values())
                  for name in ("cache_misses", "cache_hits")}
        self.assertEqual(sum(counts.values()), 1, said)
        return counts["cache_misses"] == 1

    def test_through_the_driver(self):
        driver = self.prefix / "bin/nopal-clang++"
        self.assertTrue(self.is_compiled(driver))
        self.assertFalse(self.is_compiled(driver))
        self.change_plugin()
        self.assertTrue(self.is_compiled(driver))
        self.assertFalse(self.is_compiled(driver))

    def test_through_clang_it_does_not_see_the_plugin(self):
        command = [TOOLS / "clang++", f"--config={self.prefix}/lib/nopal/nopal.cfg"]
        self.assertTrue(self.is_compiled(*command))
        self.change_plugin()
        self.assertFalse(self.is_compiled(*command))


if __name__ == "__main__":
    unittest.main()
