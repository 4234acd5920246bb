#!/usr/bin/env python3
"""Tests of the mutator itself that need no compiler: how insertions nest, what a choice leaves out,
what a refusal removes."""

import random
import re
import unittest

import mutant
import mutate

TEXT = b"int f(void) {\n  a();\n  if (b) c();\n  x = d();\n}\n"


def at(text):
    return TEXT.index(text.encode())


def sides(text):
    return at(text), at(text) + len(text)


def statement(text, **more):
    begin, end = sides(text)
    return {"begin": begin, "end": end, "moves": True, "lambda": True, **more}


FUNCTION = {"name": "f", "returns": "int", "blocks": [
    {"loops": 0, "close": at("}\n"),
     "statements": [statement("a();", expression=True), statement("if (b) c();"),
                    statement("x = d();", expression=True, result=at("d()"))]},
    {"bare": True, "loops": 0, "statements": [statement("c();", expression=True)]}]}


def unclosed(text):
    """The brackets that stay open, none in a program; None if one closes another."""
    pairs, stack = {")": "(", "}": "{", "]": "["}, []
    for character in text:
        if character in "({[":
            stack.append(character)
        elif character in pairs and (not stack or stack.pop() != pairs[character]):
            return None
    return stack


class Render(unittest.TestCase):
    def test_no_mutation_is_the_program(self):
        self.assertEqual(mutate.render(TEXT, []), TEXT)

    def test_ranges_nest_and_points_stand_before_them(self):
        call = mutate.Mutation("statement", 0)
        call.around(*sides("a();"), 9, "{ mut_spawn ", " mut_sync; }")
        scope = mutate.Mutation("scope", 0)
        scope.around(*sides("a();"), 2, "mut_scope { ", " }")
        wide = mutate.Mutation("block", 0)
        wide.around(at("a();"), sides("if (b) c();")[1], 3, "mut_spawn { ", " }")
        point = mutate.Mutation("boundary", 0).point(at("a();"), "mut_sync; ")
        for order in ([call, scope, wide, point], [point, wide, scope, call]):
            self.assertIn(b"  mut_sync; mut_spawn { mut_scope { { mut_spawn a(); mut_sync; } }\n  "
                          b"if (b) c(); }\n", mutate.render(TEXT, order))

    def test_a_spawned_result(self):
        mutation = mutate.Mutation("assignment", 0)
        mutation.around(*sides("x = d();"), 9, "{ ", " mut_sync; }")
        mutation.before_call(at("d()"))
        self.assertIn(b"{ x = mut_spawn d(); mut_sync; }", mutate.render(TEXT, [mutation]))


class Choose(unittest.TestCase):
    def test_each_subset_is_well_formed_and_adds_no_line(self):
        kinds = set()
        for seed in range(400):
            rng = random.Random(seed)
            _, mutations = mutate.Chooser(rng, [FUNCTION], True, True).choose()
            kinds |= {mutation.kind for mutation in mutations}
            for part in (mutations, [mutation for mutation in mutations if rng.random() < 0.5]):
                text = mutate.render(TEXT, part).decode()
                self.assertEqual(unclosed(text), [], text)
                self.assertEqual(text.count("\n"), TEXT.count(b"\n"))
                self.assertTrue(re.search(r"if \(b\) (mut_scope )?(\{|c)", text)
                                or "if (b) mut" not in text, text)
        self.assertEqual(kinds,
                         {"boundary", "statement", "assignment", "scope", "block", "lambda", "try",
                          "live", "body"})

    def test_a_seed_is_a_choice(self):
        one, two = (mutate.Chooser(random.Random(5), [FUNCTION], True, True).choose()[1]
                    for _ in range(2))
        self.assertEqual(mutate.render(TEXT, one), mutate.render(TEXT, two))


class Rows(unittest.TestCase):
    def test_a_row_is_recognized(self):
        rows = mutant.rows()
        self.assertTrue(rows["Builtin"].match("'mut_spawn' of '__builtin_alloca', which "
                                              "belongs to the function that calls it"))
        self.assertFalse(rows["Builtin"].match("use of undeclared identifier 'x'"))
        self.assertGreater(len(rows), 50)


if __name__ == "__main__":
    unittest.main()
