#!/usr/bin/env python3
"""Each check finds what it is for, in a small tree made for it, and lets the right form pass."""
import tempfile
import unittest
from pathlib import Path

import atomics
import folders
import includes
import links
import names
import tables
import text
from tree import Tree


def violations(check, files):
    """What `check` says of a tree with these files: 'path:line' of each violation."""
    with tempfile.TemporaryDirectory() as root:
        for path, content in files.items():
            target = Path(root) / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(content)
        return [f"{path}:{line}" for path, line, _ in check(Tree(Path(root), list(files)))]


class Tables(unittest.TestCase):
    def test_a_blank_line_tears_a_table(self):
        files = {"a.md": "| a | b |\n|---|---|\n| 1 | 2 |\n\n| 3 | 4 |\n", "b.md": "| a |\n|---|\n| 1 |\n\n| c |\n|:-:|\n| 2 |\n",
                 "c.md": "```\n| no table |\n```\n"}
        self.assertEqual(violations(tables.check, files), ["a.md:5"])


class Names(unittest.TestCase):
    def test_what_is_named_exists(self):
        files = {"src/a.h": "// A.\nstruct Deque { void push_slow(); };\n", "src/b.h": "// B.\n",
                 "a.md": "`a.h`, `src/b.h`, `Deque::push_slow`, `push_slow()`, `ROW.cpp`, `sem_post`\n"
                         "`c.h`\n`Deque::pop_slow`\n`pop_slow`\n`push_slow` in [a](src/a.h), `Deque` in [b](src/b.h)\n"
                         "`b.h` (`Deque`)\n`a.h` (`Deque`)\n\n    `indented_code`\n"}
        self.assertEqual(violations(names.check, files), ["a.md:2", "a.md:3", "a.md:4", "a.md:5", "a.md:6"])


class Environment(unittest.TestCase):
    def test_only_config_reads_it(self):
        line = '// A file.\nconst char *text = std::getenv("CILK_FENCE");\n'
        files = {"runtime/src/fence/fence.cpp": line, "runtime/src/config/config.cpp": line, "tests/unit/a_test.cpp": line}
        self.assertEqual(violations(text.check, files), ["runtime/src/fence/fence.cpp:2"])


class Includes(unittest.TestCase):
    def test_the_cactus_stack_may_not_include_the_runtime(self):
        files = {"runtime/abi/nopal_abi.h": "", "cactus-stack/src/a.cpp": '#include <vector>\n#include "nopal_abi.h"\n'}
        self.assertEqual(violations(includes.check, files), ["cactus-stack/src/a.cpp:2"])

    def test_the_cactus_stack_may_not_include_boost(self):
        self.assertEqual(violations(includes.check, {"cactus-stack/a.h": "#include <boost/context/fcontext.hpp>\n"}),
                         ["cactus-stack/a.h:1"])

    def test_the_abi_has_two_headers(self):
        files = {"runtime/abi/nopal_abi.h": "#include <stdint.h>\n#include <stddef.h>\n#include <stdlib.h>\n"}
        self.assertEqual(violations(includes.check, files), ["runtime/abi/nopal_abi.h:3"])

    def test_the_plugin_may_not_include_the_runtimes_sources(self):
        files = {"runtime/src/join/join.h": "", "runtime/abi/nopal_abi.h": "",
                 "clang-plugin/split/a.cpp": '#include "nopal_abi.h"\n#include "../../runtime/src/join/join.h"\n'}
        self.assertEqual(violations(includes.check, files), ["clang-plugin/split/a.cpp:2"])

    def test_the_runtime_may_not_include_llvm(self):
        self.assertEqual(violations(includes.check, {"runtime/src/a.cpp": '#include "llvm/IR/IRBuilder.h"\n'}),
                         ["runtime/src/a.cpp:1"])


TABLE = "// Edges (tag: writer -> reader):\n//   [a]  store -> load\n#pragma once\n"


class Atomics(unittest.TestCase):
    def check(self, code):
        return violations(atomics.check, {"runtime/src/x.h": code})

    def test_a_default_order(self):
        self.assertEqual(self.check("x.load();\ny.store(1, std::memory_order_relaxed);\n"), ["runtime/src/x.h:1"])

    def test_an_operation_over_two_lines(self):
        self.assertEqual(self.check("x.compare_exchange_strong(a,\n  b, std::memory_order_acq_rel);\n"), [])

    def test_an_operation_without_a_tag(self):
        self.assertEqual(self.check(TABLE + "x.load_relaxed();  // [a]\nx.store_release(1);\n"), ["runtime/src/x.h:5"])

    def test_a_fence_without_a_tag(self):
        self.assertEqual(self.check(TABLE + "x.load_relaxed();  // [a]\n\nAtoms::heavy_fence();\n"), ["runtime/src/x.h:6"])

    def test_a_tag_that_is_not_in_the_table(self):
        self.assertEqual(self.check(TABLE + "x.load_relaxed();  // [a]\nx.load_acquire();  // [b]\n"), ["runtime/src/x.h:5"])

    def test_a_row_that_no_operation_carries(self):
        self.assertEqual(self.check(TABLE + "int x;\n"), ["runtime/src/x.h:2"])


class Folders(unittest.TestCase):
    def test_a_file_that_the_readme_leaves_out(self):
        self.assertEqual(violations(folders.check, {"a/README.md": "x.cpp", "a/x.cpp": "", "a/y.cpp": ""}), ["a/README.md:1"])

    def test_a_name_inside_another_does_not_count(self):
        self.assertEqual(violations(folders.check, {"a/README.md": "max.cpp", "a/x.cpp": ""}), ["a/README.md:1"])

    def test_a_pattern_names_files_but_a_suffix_alone_does_not(self):
        self.assertEqual(violations(folders.check, {"a/README.md": "`spawn-*.ll`", "a/spawn-1.ll": ""}), [])
        self.assertEqual(violations(folders.check, {"a/README.md": "`*.ll`", "a/spawn-1.ll": ""}), ["a/README.md:1"])

    def test_a_folder_without_a_readme(self):
        self.assertEqual(violations(folders.check, {"a/x.cpp": ""}), ["a:1"])


class Text(unittest.TestCase):
    def test_a_long_file(self):
        self.assertEqual(violations(text.check, {"a.cpp": "// a\n" * 601}), ["a.cpp:601"])

    def test_open_ends_and_machine_paths(self):
        files = {"a.cpp": "// a\n// TODO: more\n// see /home/someone/x\n// /proc/self/exe is fine\n"}
        self.assertEqual(violations(text.check, files), ["a.cpp:2", "a.cpp:3"])

    def test_a_file_without_a_header_comment(self):
        self.assertEqual(violations(text.check, {"a.cpp": "int x;\n"}), ["a.cpp:1"])

    def test_blanks_and_the_last_newline(self):
        self.assertEqual(violations(text.check, {"a.md": "x \ny"}), ["a.md:1", "a.md:2"])


class Links(unittest.TestCase):
    def test_links_to_files_and_headings(self):
        files = {"a.md": "# One two\n[x](b.md) [y](b.md#a-b) [z](#one-two) [w](https://example.org)\n", "b.md": "## A b\n"}
        self.assertEqual(violations(links.check, files), [])

    def test_links_that_lead_nowhere(self):
        self.assertEqual(violations(links.check, {"a.md": "[x](c.md)\n[y](#no)\n`[z](d.md)`\n"}), ["a.md:1", "a.md:2"])


if __name__ == "__main__":
    unittest.main()
