"""What the tests of this folder share: where the build is, and running commands.

Environment, set by CMakeLists.txt: NOPAL_BUILD_DIR, NOPAL_SOURCE_DIR,
NOPAL_LLVM_TOOLS_DIR, NOPAL_LLVM_VERSION.
"""
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

BUILD = Path(os.environ["NOPAL_BUILD_DIR"])
SOURCE = Path(os.environ["NOPAL_SOURCE_DIR"])
TOOLS = Path(os.environ["NOPAL_LLVM_TOOLS_DIR"])
# The Clang that the build was made with, and those that it made a plugin for.
VERSION = os.environ["NOPAL_LLVM_VERSION"]
VERSIONS = sorted(path.stem.removeprefix("nopal-")
                  for path in (BUILD / "lib/pkgconfig").glob("nopal-??.pc"))
FIB = SOURCE / "docs/examples/fib.cpp"
NQUEENS = SOURCE / "docs/examples/nqueens.c"

# A user's settings must not change what a test sees.
CLEAN = {name: value for name, value in os.environ.items()
         if not name.startswith(("CILK_", "NOPAL_"))
         and name not in ("GLIBC_TUNABLES", "LD_LIBRARY_PATH", "PKG_CONFIG_PATH", "CC", "CXX")}


def run(*command, env=None, cwd=None):
    """The finished process, with its streams as text. Fails the test by time-out after five
    minutes, never by its status."""
    return subprocess.run([str(word) for word in command], env={**CLEAN, **(env or {})}, cwd=cwd,
                          timeout=300,
                          capture_output=True, text=True)


def driver_options():
    """The options of nopal-clang that clang does not know, as its source compares with them."""
    text = (SOURCE / "clang-plugin/driver/Arguments.cpp").read_text()
    options = {option for option in re.findall(r'Argument == "(-[\w=-]+)"', text)
               if "nopal" in option or "cilk" in option}
    assert len(options) > 8 and 'Word == "cilk"' in text
    return options | {"-fsanitize=cilk", "-fno-sanitize=cilk"}


class TestCase(unittest.TestCase):
    """A test with a folder of its own, self.folder."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="nopal-test-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def write(self, name, content):
        path = self.folder / name
        path.write_text(content)
        return path

    def succeed(self, *command, **options):
        done = run(*command, **options)
        self.assertEqual(done.returncode, 0,
                         f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
        return done

    def check_fib(self, program, **options):
        """Runs the compiled docs/examples/fib.cpp under chaos, so that the runtime it found really
        steals."""
        self.succeed(program, "20",
                     env={"CILK_NWORKERS": "2", "CILK_CHAOS": "1:0.1", **options.pop("env", {})},
                     **options)

    def needed(self, program):
        """The shared libraries that a program asks for, and its run path."""
        return self.succeed(TOOLS / "llvm-readelf", "-d", program).stdout


class InstalledTestCase(TestCase):
    """Tests of an installed tree, self.prefix, moved to a place with a blank in its path."""

    @classmethod
    def setUpClass(cls):
        cls.room = Path(tempfile.mkdtemp(prefix="nopal-install-"))
        cls.addClassCleanup(shutil.rmtree, cls.room)
        subprocess.run(["cmake", "--install", BUILD, "--prefix", cls.room / "first place"],
                       check=True, env=CLEAN, stdout=subprocess.DEVNULL)
        cls.prefix = cls.room / "second place"
        (cls.room / "first place").rename(cls.prefix)

    def pkg_config(self, *options, package="nopal"):
        env = {"PKG_CONFIG_PATH": f"{self.prefix}/lib/pkgconfig"}
        answer = self.succeed("pkg-config", *options, package, env=env).stdout.strip()
        # As a shell would: pkg-config writes a blank in a path as '\\ '.
        return [word.replace("\0", " ") for word in answer.replace("\\ ", "\0").split()]
