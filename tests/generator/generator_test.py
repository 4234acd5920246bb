#!/usr/bin/env python3
"""Tests of the generator itself, which need no compiler: seeds, trees, reductions."""

import re
import shutil
import sys
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace

import reduce
import tree
from case import Case
from program import generate


class Generate(unittest.TestCase):
    def test_a_seed_is_a_program(self):
        for in_c in (False, True):
            self.assertEqual(generate(5, in_c), generate(5, in_c))
            self.assertNotEqual(generate(5, in_c), generate(6, in_c))

    def test_no_control_characters_are_left(self):
        for seed in range(8):
            self.assertIsNone(re.search(r"[\x00-\x08]", tree.render(generate(seed, seed % 4 == 3))))

    def test_each_construct_occurs(self):
        text = "".join(tree.render(generate(seed)) for seed in range(100))
        constructs = ["cilk_scope {", "cilk_spawn {", "cilk_spawn [", "cilk_spawn if",
                      "cilk_spawn for", "cilk_spawn;", "goto out", "goto again", "goto *",
                      "switch (", "do {", "throw;", "catch (const Counted &", "alloca(",
                      "page < 3072", "Ordered o", "auto &[", "(cilk_spawn ", "{cilk_spawn ",
                      "auto &&[", "const auto &[", "auto && v", "const auto & v", "Held v",
                      "->*&", "++] = cilk_spawn", "noexcept {", "template <", "virtual u64 f",
                      "&&v", "volatile u64 v",
                      "cilk_for (u64 i", "cilk_for (const u64 *", "cilk_for (auto i",
                      "cilk_for (auto &", "#pragma cilk grainsize"]
        self.assertEqual([construct for construct in constructs if construct not in text], [])


class Tree(unittest.TestCase):
    def program(self):
        return "\n".join(["{", tree.start(1, 5, 0, "s"), tree.start(2, 5, 0, "d"), "int a;",
                          tree.END, "f(&a);", tree.sync(5, "cilk_sync;"), tree.END,
                          tree.start(3, 5, 0, "s"), tree.start(4, 6, 1, "s"),
                          tree.sync(6, "cilk_sync;"), tree.END, tree.END,
                          tree.start(5, 5, 0, "s"), "int x = cilk_spawn f();", tree.OTHERWISE,
                          tree.start(6, 5, 0, "d"), "int x = 7;", tree.END, tree.END,
                          f"g({tree.expression(7, 'a + 1')});", "}"])

    def test_all_of_it(self):
        self.assertEqual(tree.render(self.program()),
                         "{\nint a;\nf(&a);\ncilk_sync;\ncilk_sync;\nint x = cilk_spawn f();\ng(a "
                         "+ 1);\n}")

    def test_a_statement_leaves_its_declarations_and_its_sync(self):
        self.assertEqual(tree.render(self.program(), {1, 7}),
                         "{\nint a;\ncilk_sync;\ncilk_sync;\nint x = cilk_spawn f();\ng((u64)7u);\n"
                         "}")

    def test_a_sync_of_an_inner_region_goes(self):
        self.assertEqual(tree.render(self.program(), {3, 5, 6}),
                         "{\nint a;\nf(&a);\ncilk_sync;\ng(a + 1);\n}")

    def test_what_stands_in_for_a_statement(self):
        self.assertIn("int x = 7;", tree.render(self.program(), {5}))
        self.assertNotIn("int x", tree.render(self.program(), {5, 6}))


def has_fault(text):
    """Stands in for a miscompile: a cilk_scope with a spawned block."""
    return re.search(r"cilk_scope \{[^}]*cilk_spawn \{", text) is not None


@unittest.skipUnless(shutil.which("cvise"), "needs cvise")
class Reduce(unittest.TestCase):
    def test_a_reduction_keeps_what_fails(self):
        with tempfile.TemporaryDirectory() as folder:
            options = SimpleNamespace(bin="", build_dir=Path(folder), cache=Path(folder), flags="",
                                      jobs=2, reduce_minutes=5,
                                      sanitize=False, level=None, timeout=5, build_timeout=5)
            seed = min((seed for seed in range(100) if has_fault(tree.render(generate(seed)))),
                       key=lambda seed: len(generate(seed)))
            failed = Case(seed, options)
            failed.in_c, failed.exceptions, failed.failure = False, True, ("error: fault", None)
            reduced = reduce.reduce(failed, Path(__file__).resolve(), ("flags",)).read_text()
            self.assertTrue(has_fault(reduced))
            support = len(failed.with_parts(set()).splitlines())
            whole = len(failed.with_parts(set(failed.parts())).splitlines())
            self.assertLess(len(reduced.splitlines()) - support, (whole - support) / 10)


def fails_with(words):
    """What cvise asks: whether the fault is in the program with these parts of it."""
    given = dict(word[2:].split("=", 1) for word in words)
    text = generate(int(given["seeds"]))
    parts = {int(line) for line in Path(given["parts"]).read_text().split()}
    off = {node.number for node in tree.nodes(tree.parse(text))} - parts
    return has_fault(tree.render(text, off))


if __name__ == "__main__":
    if any(word.startswith("--parts=") for word in sys.argv):
        sys.exit(0 if fails_with(sys.argv[1:]) else 1)
    unittest.main()
