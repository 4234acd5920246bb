"""Makes a failing program small: leaves out nodes of its tree, as long as it fails in the same way.

Functions go first, callers before what they call, then statements from the outermost in, then operands. At each depth halves are tried,
then smaller parts (delta debugging, Zeller and Hildebrandt, TSE 2002). The result stands beside the program, as SEED.reduced.cpp.
"""

import time
from types import SimpleNamespace

import tree
from case import Case


class Reduction:
    def __init__(self, case, minutes):
        self.case, self.end = case, time.monotonic() + minutes * 60
        self.text, self.off, self.tried = case.program(), set(), 0
        self.what, self.setting = case.failure
        options = SimpleNamespace(**vars(case.options))
        options.timeout = min(options.timeout, 5)
        self.trial = Case(case.seed, options)
        self.trial.source = case.options.build_dir / f"{case.seed}.reduced{case.source.suffix}"
        self.trial.binary = case.options.build_dir / f"{case.seed}.reduced"
        self.trial.serial = case.options.build_dir / f"{case.seed}.reduced.serial"

    def kind(self, what):
        """How it fails: not in which words, which change with the program."""
        if self.setting is None:
            return what.split("error:")[-1][:40] if "error:" in what else what[:30]
        return "run"

    def fails(self, off):
        self.tried += 1
        self.trial.source.write_text(tree.render(self.text, off))
        chaos = self.setting and self.setting[1] == "1" and self.setting[0] == 1
        passed = self.trial.build_and_run([self.setting] if self.setting else [], 1 if chaos else 8)
        if passed or (self.trial.failure[1] is None) != (self.setting is None) or "the serial" in self.trial.failure[0]:
            return False
        return self.kind(self.trial.failure[0]) == self.kind(self.what)

    def without(self, numbers):
        """Leaves out as many of these as it can."""
        numbers = [number for number in numbers if number not in self.off]
        size = len(numbers)
        while numbers and size:
            left = []
            for at in range(0, len(numbers), size):
                part = numbers[at:at + size]
                if time.monotonic() > self.end:
                    return
                if self.fails(self.off | set(part)):
                    self.off |= set(part)
                else:
                    left += part
            size = size // 2 if size > 1 or len(left) == len(numbers) else 1
            if len(left) == len(numbers) and size == 0:
                return
            numbers = left

    def run(self):
        """The reduced file, or None if the failure does not come again."""
        if not self.fails(set()):
            return None
        found = tree.nodes(tree.parse(self.text))
        for _ in range(2):
            self.without([node.number for node in reversed(found) if node.kind == "f"])
            for depth in sorted({node.depth for node in found if node.kind in "sd"}):
                self.without([node.number for node in found if node.kind in "sd" and node.depth == depth and self.is_shown(node)])
            self.without([node.number for node in found if node.kind == "e" and self.is_shown(node)])
        self.fails(self.off)
        return self.trial.source

    def is_shown(self, node):
        """Whether the node is in the text still."""
        return node.number in {shown.number for shown in self.all_shown()}

    def all_shown(self):
        if getattr(self, "shown_for", None) != self.off:
            self.shown_for, self.shown = set(self.off), list(visible(tree.parse(self.text), self.off))
        return self.shown


def visible(node, off):
    for part in node.parts:
        if isinstance(part, tree.Node) and part.number not in off:
            yield part
            yield from visible(part, off)
