#!/usr/bin/env python3
"""Tests of how peak memory is measured and judged: peak_test.py COMPILER."""

import signal
import subprocess
import sys
import tempfile
import unittest

import peak

TAKES = "x = bytearray({mib} << 20); print(len(x) >> 20)"


class Measure(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.launcher = peak.Launcher(COMPILER, cls.folder.name)

    def measure(self, *command):
        return self.launcher.measure(command,
                                     lambda longer: subprocess.run(longer, capture_output=True))

    def python(self, mib):
        result, kib = self.measure(sys.executable, "-c", TAKES.format(mib=mib))
        self.assertEqual(result.stdout, f"{mib}\n".encode())
        return kib

    def test_what_a_command_takes_is_seen(self):
        self.assertAlmostEqual(self.python(100) - self.python(20), 80 << 10, delta=4 << 10)

    def test_what_this_process_has_is_not_counted(self):
        mine = bytearray(64 << 20)
        mine[::4096] = b"x" * (len(mine) // 4096)
        self.assertLess(self.measure("/bin/true")[1], 8 << 10)

    def test_status_and_signal(self):
        self.assertEqual(self.measure("/bin/sh", "-c", "exit 3")[0].returncode, 3)
        self.assertEqual(self.measure("/bin/sh", "-c", "kill -SEGV $$")[0].returncode,
                         -signal.SIGSEGV)
        self.assertEqual(self.measure("/nowhere")[0].returncode, 127)

    def test_a_command_that_is_not_waited_for(self):
        self.assertIsNone(self.launcher.measure(["/bin/true"], lambda longer: None)[1])


class Judge(unittest.TestCase):
    def test_allowed(self):
        self.assertEqual(peak.allowed_kib(2000, 1), 2000 + 1024 + 8192)
        self.assertEqual(peak.allowed_kib(2000, 8), 8 * 3024 + 8192)

    def test_worst(self):
        worst = peak.Worst()
        self.assertIsNone(worst.add("a", 1000, 2000, 1))
        self.assertIsNone(worst.add("b", 11216, 2000, 1))
        self.assertIsNone(worst.add("c", 500, 2000, 1))
        self.assertIn("11216 KiB are allowed", worst.add("d", 11217, 2000, 1))
        self.assertIn("1.00 of what is allowed: d: peak memory of 11217 KiB", str(worst))


if __name__ == "__main__":
    COMPILER = sys.argv.pop(1)
    unittest.main()
