#!/usr/bin/env python3
"""Tests of run.py: guides that are right, and guides with one mistake each, which it must report.

    run_test.py --bin build/bin
"""
import contextlib
import io
import sys
import tempfile
import unittest
from pathlib import Path

import run

BIN = None
PART = """<!-- guide: prelude -->
```c
#include <cilk/cilk.h>
#include <stdio.h>
int twice(int n) { return 2 * n; }
```
<!-- guide: part
printf("%d\\n", sum(3));
-->
```c
int sum(int n) {
  int x = cilk_spawn twice(n);
  int y = twice(n + 1);
  cilk_sync;
  return x + y;
}
```
<!-- guide: output -->
```text
14
```
"""
MISTAKE = """<!-- guide: part -->
```c
#include <cilk/cilk.h>
int f(int n);
int g(int n) { return 1 + cilk_spawn f(n); }
```
<!-- guide: says -->
```text
example.c:3:27: error: 'cilk_spawn' inside a larger expression
...
```
"""
SHELL = """<!-- guide: shell -->
```sh
echo one two three; echo four
```
<!-- guide: output -->
```text
one ... three
...
```
"""


class Notices(unittest.TestCase):
    def outcome(self, text):
        with tempfile.TemporaryDirectory() as folder:
            guide = Path(folder) / "guide.md"
            guide.write_text(text)
            said = io.StringIO()
            with contextlib.redirect_stdout(said):
                status = run.main(["--bin", BIN, "--build-dir", f"{folder}/build", "--guide",
                                   str(guide)])
            return status, said.getvalue()

    def right(self, text):
        self.assertEqual(self.outcome(text),
                         (0, f"{text.count('guide: p') + text.count('guide: shell')} blocks, 0 "
                             "wrong\n"))

    def wrong(self, text, why):
        status, said = self.outcome(text)
        self.assertEqual(status, 1, said)
        self.assertRegex(said, why)

    def test_right_ones(self):
        self.right(PART)
        self.right(MISTAKE)
        self.right(SHELL)

    def test_output_that_differs(self):
        self.wrong(PART.replace("14\n", "15\n"), "prints\n14\n")
        self.wrong(SHELL.replace("one", "two", 1), "prints\ntwo two three")

    def test_result_that_depends_on_the_workers(self):
        worker = PART.replace("int y = twice(n + 1)", "int y = (int)__cilkrts_get_nworkers()")
        worker = worker.replace("<stdio.h>", "<stdio.h>\n#include <cilk/cilk_api.h>")
        self.wrong(worker.split("<!-- guide: output")[0], "(?s)it prints.*under")

    def test_elision_that_differs(self):
        self.wrong(PART.replace("return x", "#ifdef CILK_SERIAL\n  x++;\n#endif\n  return x"),
                   "the serial elision prints")

    def test_example_that_does_not_compile(self):
        self.wrong(PART.replace("int y", "int z"), "does not compile")
        # warnings are errors
        self.wrong(PART.replace("y = twice(n + 1)", "y = x"), "is read before a sync")

    def test_message_that_differs(self):
        self.wrong(MISTAKE.replace("larger", "smaller"), "the compiler says")
        self.wrong(MISTAKE.replace("3:27", "3:26"), "the compiler says")
        self.wrong(MISTAKE.replace("1 + cilk_spawn f", "1 + f"), "the compiler says")

    def test_command_that_fails(self):
        self.wrong(SHELL.replace("echo four", "false"), "ends with status 1")

    def test_block_that_nobody_tests(self):
        self.wrong(SHELL + "\n```cpp\nint x;\n```\n", "no comment says what this block is")
        self.wrong(SHELL + "\nText\n\n    int x;\n", "an indented block is not tested")
        self.wrong(SHELL.replace("guide: shell", "guide: shall"),
                   "no kind of block is called 'shall'")

    def test_variable_that_does_not_exist(self):
        self.wrong(SHELL + "\nSet `CILK_WORKERS`.\n", "the runtime knows no variable CILK_WORKERS")


if __name__ == "__main__":
    BIN = sys.argv[sys.argv.index("--bin") + 1]
    unittest.main(argv=sys.argv[:1])
