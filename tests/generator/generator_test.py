#!/usr/bin/env python3
"""Tests of the generator itself, which need no compiler: a seed is a program, its tree is what reduce.py needs, a reduction gets small."""

import re
import unittest
from types import SimpleNamespace

import reduce
import tree
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
        constructs = ["cilk_scope {", "cilk_spawn {", "cilk_spawn [", "cilk_spawn if", "cilk_spawn for", "cilk_spawn;", "goto out", "goto again", "goto *",
                      "switch (", "do {", "throw;", "catch (const Counted &", "alloca(", "page < 3072", "Ordered o", "auto &[", "(cilk_spawn ", "{cilk_spawn ",
                      "auto &&[", "const auto &[", "auto && v", "const auto & v", "Held v",
                      "->*&", "++] = cilk_spawn", "noexcept {", "template <", "virtual u64 f", "&&v", "volatile u64 v",
                      "cilk_for (u64 i", "cilk_for (const u64 *", "cilk_for (auto i", "cilk_for (auto &", "#pragma cilk grainsize"]
        self.assertEqual([construct for construct in constructs if construct not in text], [])


class Tree(unittest.TestCase):
    def program(self):
        return "\n".join(["{", tree.start(1, 5, 0, "s"), tree.start(2, 5, 0, "d"), "int a;", tree.END, "f(&a);", tree.sync(5, "cilk_sync;"), tree.END,
                          tree.start(3, 5, 0, "s"), tree.start(4, 6, 1, "s"), tree.sync(6, "cilk_sync;"), tree.END, tree.END,
                          tree.start(5, 5, 0, "s"), "int x = cilk_spawn f();", tree.OTHERWISE, tree.start(6, 5, 0, "d"), "int x = 7;", tree.END, tree.END,
                          f"g({tree.expression(7, 'a + 1')});", "}"])

    def test_all_of_it(self):
        self.assertEqual(tree.render(self.program()), "{\nint a;\nf(&a);\ncilk_sync;\ncilk_sync;\nint x = cilk_spawn f();\ng(a + 1);\n}")

    def test_a_statement_leaves_its_declarations_and_its_sync(self):
        self.assertEqual(tree.render(self.program(), {1, 7}), "{\nint a;\ncilk_sync;\ncilk_sync;\nint x = cilk_spawn f();\ng((u64)7u);\n}")

    def test_a_sync_of_an_inner_region_goes(self):
        self.assertEqual(tree.render(self.program(), {3, 5, 6}), "{\nint a;\nf(&a);\ncilk_sync;\ng(a + 1);\n}")

    def test_what_stands_in_for_a_statement(self):
        self.assertIn("int x = 7;", tree.render(self.program(), {5}))
        self.assertNotIn("int x", tree.render(self.program(), {5, 6}))


class Reduce(unittest.TestCase):
    def test_a_reduction_keeps_what_fails(self):
        """The failure: a cilk_scope with a spawned block in the program."""
        seed = next(seed for seed in range(100) if self.fails(tree.render(generate(seed))))
        reduction = reduce.Reduction.__new__(reduce.Reduction)
        reduction.text, reduction.off, reduction.end = generate(seed), set(), float("inf")
        reduction.trial = SimpleNamespace(source=None)
        reduction.fails = lambda off: self.fails(tree.render(reduction.text, off))
        before = len(tree.render(reduction.text).splitlines())
        reduction.run()
        after = tree.render(reduction.text, reduction.off)
        self.assertTrue(self.fails(after))
        support = len(tree.render(reduction.text, {n.number for n in tree.nodes(tree.parse(reduction.text))}).splitlines())
        self.assertLess(len(after.splitlines()) - support, (before - support) / 10)

    @staticmethod
    def fails(text):
        return re.search(r"cilk_scope \{[^}]*cilk_spawn \{", text) is not None


if __name__ == "__main__":
    unittest.main()
