"""Mutates a program: takes places from Sites.cpp, chooses mutations by a random number generator,
and renders the text.

A mutation inserts text at some offsets and takes nothing away, so any subset of a mutant's
mutations is a mutant too. That is what ../generator/reduce.py needs. None adds a line: a message of
the compiler says by its line which mutations it is about.

Each kind below is free of races for any serial program. What it adds runs beside children that
touch only variables of their own. A part of the program that it spawns is synced before the program
continues.
"""

import json
import re
import subprocess


class Mutation:
    """Some insertions, each (offset, key, text); the keys order those at one offset."""

    def __init__(self, kind, at):
        self.kind, self.at, self.insertions = kind, at, []

    def point(self, offset, text):
        self.insertions.append((offset, (1, 0, 0), text))
        return self

    def before_call(self, offset):
        self.insertions.append((offset, (3, 0, 0), "mut_spawn "))
        return self

    def around(self, begin, end, rank, text, after):
        """Pairs nest: of those that begin together the longer is outside, of equal ones that of the
        smaller rank."""
        self.insertions.append((begin, (2, -end, rank), text))
        self.insertions.append((end, (0, -begin, -rank), after))
        return self


def render(text, mutations):
    """The program with these mutations. Offsets count bytes."""
    insertions = []
    for number, mutation in enumerate(mutations):
        for offset, key, inserted in mutation.insertions:
            insertions.append((offset, (*key, -number if key[0] == 0 else number), inserted))
    parts, done = [], 0
    for offset, _, inserted in sorted(insertions):
        # `cilk_sync;`, whose statement is `;`
        joins = inserted[:1].isalnum() and re.match(rb"\w", text[offset - 1:offset])
        parts += [text[done:offset], b" " if joins else b"", inserted.encode()]
        done = offset
    return b"".join([*parts, text[done:]])


def find(compiler, plugin, source, flags):
    """The functions of a program, as Sites.cpp prints them; None if it does not compile."""
    command = [*compiler, f"-fplugin={plugin}", "-Xclang", "-plugin", "-Xclang", "nopal-sites",
               "-fsyntax-only", "-Wno-everything", *flags, str(source)]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    return [json.loads(line) for line in done.stdout.splitlines()] if done.returncode == 0 else None


# ---- what may stand between two statements ----

def nothings(rng, number, cpp, exceptions, loops):
    """Text without an effect that the program could see."""
    texts = ["mut_spawn mut_nothing();", "mut_spawn mut_nothing();", "mut_spawn mut_linger(20);",
             "mut_spawn { mut_nothing(); }", "mut_sync;",
             "for (int mut_i = 0; mut_i < 2; ++mut_i) mut_spawn mut_linger(mut_i);",
             "mut_scope { mut_spawn mut_linger(9); mut_nothing(); }",
             "mut_scope { mut_spawn mut_nothing(); mut_spawn { mut_spawn mut_nothing(); "
             "mut_nothing(); } }",
             f"{{ int mut_r = mut_spawn mut_value({number}); mut_nothing(); mut_sync; "
             f"mut_same(mut_r, {number}); }}",
             f"{{ mut_large mut_r = mut_spawn mut_make({number}); mut_linger(9); mut_sync; "
             f"mut_same_large(&mut_r, {number}); }}",
             f"{{ int mut_r = 0; mut_spawn mut_put(&mut_r, {number}); mut_linger(9); mut_sync; "
             f"mut_same(mut_r, {number}); }}",
             f"{{ int mut_r = 0; mut_spawn {{ mut_r = mut_value({number}); }} mut_nothing(); "
             f"mut_sync; mut_same(mut_r, {number}); }}",
             f"{{ int mut_a[17]; mut_for (int mut_i = 0; mut_i < 17; ++mut_i) mut_a[mut_i] = "
             f"mut_value(mut_i + {number}); "
             f"for (int mut_i = 0; mut_i < 17; ++mut_i) mut_same(mut_a[mut_i], mut_i + {number}); "
             "}",
             "switch (mut_few()) { case 1: mut_spawn mut_nothing(); break; default: mut_nothing(); "
             "}",
             "do { mut_spawn mut_nothing(); } while (0);"]
    if cpp:
        texts += ["mut_spawn [] { mut_nothing(); }();",
                  "mut_spawn [](mut_box mut_b) { mut_b.get(); }(mut_box(3));",
                  f"{{ mut_box mut_b({number}); int mut_r = mut_spawn mut_takes(mut_b, "
                  f"mut_box(1)); mut_nothing(); mut_sync; mut_same(mut_r, {number + 1}); }}",
                  f"{{ mut_box mut_b = mut_spawn mut_boxed({number}); mut_linger(9); mut_sync; "
                  f"mut_same(mut_b.get(), {number}); }}",
                  f"{{ mut_box mut_b(1); mut_b = mut_spawn mut_boxed({number}); mut_sync; "
                  f"mut_same(mut_b.get(), {number}); }}",
                  f"[&] {{ int mut_r = mut_spawn mut_value({number}); mut_nothing(); mut_sync; "
                  f"mut_same(mut_r, {number}); }}();"]
    if exceptions:
        texts += [f"try {{ mut_spawn mut_throws({number}); mut_sync; mut_same(0, 1); }} catch (int "
                  f"mut_e) {{ mut_same(mut_e, {number}); }}",
                  f"try {{ mut_spawn mut_throws({number}); mut_linger(9); }} catch (int mut_e) {{ "
                  f"mut_same(mut_e, {number}); }}",
                  f"try {{ mut_spawn mut_linger(9); throw {number}; }} catch (int mut_e) {{ "
                  f"mut_same(mut_e, {number}); }}",
                  f"try {{ mut_box mut_b(1); mut_spawn mut_linger(9); mut_box mut_c(2); mut_scope "
                  f"{{ mut_spawn mut_throws({number}); }} mut_same(0, 1); }} "
                  f"catch (int mut_e) {{ mut_same(mut_e, {number}); }}"]
    text = rng.choice(texts) if rng.random() < 0.6 else texts[0]
    # In a loop, or where one might run often, the first passes only.
    if "mut_few" not in text and rng.random() < (0.8 if loops else 0.25):
        body = f"{{ {text} }}" if text.startswith("[&]") else text
        text = f"if (mut_few()) {body}"
    return text


class Chooser:
    """Chooses the mutations of one program."""

    def __init__(self, rng, functions, cpp, exceptions, without=()):
        self.rng, self.functions, self.cpp = rng, functions, cpp
        self.exceptions, self.without = exceptions, without
        self.mutations, self.number = [], 0

    def choose(self):
        """How dense, and of which kinds, differs from mutant to mutant."""
        rng = self.rng
        manner = rng.choice(["storm", "storm", "storm of one", "mixed", "mixed", "ranges",
                             "statements", "few"])
        one = "mut_spawn mut_nothing();" if manner == "storm of one" else None
        often = {"storm": (rng.choice([0.3, 0.7, 1.0]), 0.03, 0.02), "storm of one": (1.0, 0, 0),
                 "mixed": (0.15, 0.15, 0.1), "ranges": (0.05, 0.05, 0.5),
                 "statements": (0.05, rng.choice([0.3, 0.7, 1.0]), 0.05),
                 "few": (0.01, 0.01, 0.01)}[manner]
        chosen = self.functions if rng.random() < 0.5 else [function for function in self.functions
                                                            if rng.random() < 0.4]
        for function in chosen:
            self.function(function, *often, one)
        while len(self.mutations) < 2 and self.functions and manner == "few":
            self.function(rng.choice(self.functions), 0.2, 0.2, 0.1, None)
        self.mutations = [mutation for mutation in self.mutations
                          if mutation.kind not in self.without]
        # The compiler takes its time with each; so most mutants have few.
        most = rng.choice([8, 30, 30, 60, 60, 500])
        if len(self.mutations) > most:
            self.mutations = [self.mutations[at]
                              for at in sorted(rng.sample(range(len(self.mutations)), most))]
        return manner, self.mutations

    def function(self, function, points, statements, ranges, one):
        for index, block in enumerate(function["blocks"]):
            taken = []
            whole = (index == 0 and "returns" in function and "close" in block
                     and function["name"] != "main" and all(block["statements"]))
            if whole and block["statements"] and self.rng.random() < ranges * 0.5:
                self.body(function, block)
            if "bare" not in block:
                for first in range(len(block["statements"])):
                    if self.rng.random() < ranges:
                        self.range(block, first, taken)
            for statement in block["statements"]:
                if not statement:
                    continue
                if self.rng.random() < points:
                    self.boundary(block, statement, one)
                if self.rng.random() < statements:
                    self.statement(statement)
            if "close" in block and self.rng.random() < points:
                self.add("boundary", block["close"]).point(block["close"],
                                                           f" {one or self.nothing(block)} ")

    def add(self, kind, at):
        self.number += 1
        self.mutations.append(Mutation(kind, at))
        return self.mutations[-1]

    def nothing(self, block):
        return nothings(self.rng, self.number + 1, self.cpp, self.exceptions, block["loops"])

    def boundary(self, block, statement, one):
        if "tight" in statement:
            return
        text, begin, end = one or self.nothing(block), statement["begin"], statement["end"]
        mutation = self.add("boundary", begin)
        if "bare" in block:
            mutation.around(begin, end, 0, f"{{ {text} ", " }")
        else:
            mutation.point(begin, f"{text} ")

    def statement(self, statement):
        begin, end, rng = statement["begin"], statement["end"], self.rng
        between = rng.choice(["", "", "mut_nothing(); ", "mut_linger(9); ",
                              "mut_spawn mut_nothing(); "])
        if "result" in statement and rng.random() < 0.7:
            if "declares" in statement:
                mutation = self.add("bound" if "bound" in statement else "declaration",
                                    begin).around(begin, end, 9, "", f" {between}mut_sync;")
            else:
                mutation = self.add("assignment",
                                    begin).around(begin, end, 9, "{ ", f" {between}mut_sync; }}")
            mutation.before_call(statement["result"])
        elif "expression" in statement:
            forms = [("{ mut_spawn ",
                      f" {between}mut_sync; }}")] * 3 + [("{ mut_spawn { ",
                                                          f" }} {between}mut_sync; }}"),
                                                         ("mut_scope { mut_spawn ",
                                                          f" {between}}}")]
            if "lambda" in statement:
                forms.append(("{ mut_spawn [&] { ", f" }}(); {between}mut_sync; }}"))
            self.add("statement", begin).around(begin, end, 9, *rng.choice(forms))

    def range(self, block, first, taken):
        """A run of statements in a child, a scope, a lambda, or beside a child."""
        statements, last = block["statements"], first
        while last < len(statements) and statements[last] and "moves" in statements[last]:
            last += 1
        if last == first:
            return
        to_end = last == len(statements)
        length = self.rng.choice([1, 1, 2, 3, last - first, last - first])
        last = min(first + length, last) - 1
        run = statements[first:last + 1]
        rng, number = self.rng, self.number + 1
        forms = []
        if not any("declares" in statement
                   for statement in run) or to_end and last == len(statements) - 1:
            forms += [("scope", 2, "mut_scope { ", " }"),
                      ("scope", 2, "mut_scope { mut_spawn mut_linger(9); ", " }"),
                      ("block", 3, "mut_spawn { ", " } mut_sync;"),
                      ("block", 3, "mut_spawn { ", " } mut_linger(9); mut_sync;"),
                      ("block", 3, "mut_spawn { mut_spawn mut_linger(5); ", " } mut_sync;")]
            if all("lambda" in statement for statement in run):
                forms += [("lambda", 4, "mut_spawn [&] { ", " }(); mut_sync;"),
                          ("lambda", 4, "mut_spawn [&] { mut_spawn mut_linger(5); ",
                           " }(); mut_linger(9); mut_sync;")]
            if self.exceptions:
                forms.append(("try", 3, "try { mut_spawn mut_linger(9); ",
                              " } catch (...) { throw; }"))
        if not any("target" in statement for statement in run):
            forms += [("live", 1,
                       f"int mut_r{number}; mut_r{number} = mut_spawn mut_value({number}); ",
                       f" mut_sync; mut_same(mut_r{number}, {number});"),
                      ("live", 1, f"mut_large mut_r{number}; mut_r{number} = mut_spawn "
                                  f"mut_make({number}); ", " mut_sync; "
                                                           f"mut_same_large(&mut_r{number}, "
                                                           f"{number});")]
        if not forms or any(not (last < a or b < first or a <= first and last <= b or first <= a
                                 and b <= last) for a, b in taken):
            return
        taken.append((first, last))
        kind, rank, before, after = rng.choice(forms)
        self.add(kind, run[0]["begin"]).around(run[0]["begin"], run[-1]["end"], rank, before, after)

    def body(self, function, block):
        begin, end = block["statements"][0]["begin"], block["close"]
        result, number = function["returns"], self.number + 1
        self.add("body", begin).around(begin, end, -1,
                                       f"{result} mut_r{number}; mut_r{number} = mut_spawn [&]() "
                                       f"-> {result} {{ ",
                                       f" }}(); mut_sync; return mut_r{number}; ")
