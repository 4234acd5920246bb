#!/usr/bin/env python3
"""Manual pages: each program has one, with each of its options; nopal(7) has each variable.

What a program takes is asked of the program (--help, of each command too), and the driver's own
options and the variables are read in the sources that compare with them.
"""
import re
import unittest

from support import BUILD, SOURCE, TestCase, driver_options

MANUAL = SOURCE / "docs/man"
OPTION = re.compile(r"(?<![\w-])(--?[a-zA-Z][\w-]*)")
# Every program has them.
COMMON = {"-h", "--help", "--version", "--help-list", "--help-hidden", "--help-list-hidden"}


def page(name):
    """A page's text, without escapes and fonts."""
    text = (MANUAL / name).read_text()
    return re.sub(r"\\f.", "", text).replace("\\-", "-").replace("\\ ", " ")


class Manual(TestCase):
    def check(self, name, options):
        self.assertEqual(sorted(set(options) - COMMON - set(OPTION.findall(page(name)))), [],
                         f"missing in {name}")

    def help_of(self, program, *command):
        return self.succeed(BUILD / "bin" / program, *command, "--help").stdout

    def test_simulator(self):
        self.of_commands("nopal-sim", r"^  ([a-z]+)  ", r"^  (-[^ ]+)")

    def test_viewer(self):
        self.of_commands("nopal-view", r"^    ([a-z]+) ", r"^  (-\S+(?: [A-Z]+)?(?:, --\S+)?)")

    def of_commands(self, program, command, option):
        if not (BUILD / "bin" / program).exists():
            self.skipTest(f"{program} is not built")
        commands = re.findall(command, self.help_of(program), re.M)
        self.assertGreater(len(commands), 3)
        options = []
        for name in commands:
            self.assertRegex(page(f"{program}.1"), rf"(?m)^\.BI? {name}\b")
            for line in re.findall(option, self.help_of(program, name), re.M):
                options += OPTION.findall(line)
        self.assertGreater(len(options), 8)
        self.check(f"{program}.1", options)

    def test_migrate(self):
        if not (BUILD / "bin/nopal-migrate").exists():
            self.skipTest("nopal-migrate is not built")
        options = re.findall(r"^  (--?[\w-]+)", self.help_of("nopal-migrate"), re.M)
        self.assertGreater(len(options), 5)
        self.check("nopal-migrate.1", options)

    def test_driver(self):
        named = set(re.findall(r"-[\w=-]+", page("nopal-clang.1")))
        self.assertEqual(sorted(driver_options() - named), [])

    def test_variables(self):
        names = set()
        for folder in ("runtime/src", "runtime/span", "runtime/race"):
            for path in (SOURCE / folder).rglob("*"):
                if path.suffix in (".cpp", ".h", ".def"):
                    names |= set(re.findall(r'"((?:CILK|HWLOC)[A-Z]*_[A-Z_]*[A-Z])"',
                                            path.read_text()))
        self.assertGreater(len(names), 15)
        named = set(re.findall(r"(?m)^\.B ([A-Z_]+)$", page("nopal.7")))
        self.assertEqual(sorted(names - named), [])


if __name__ == "__main__":
    unittest.main()
