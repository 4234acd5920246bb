#!/usr/bin/env python3
"""Each check finds what it is for, in a small tree made for it, and lets the right form pass."""
import shutil
import tempfile
import unittest
from pathlib import Path

import atomics
import includes
import layout
import links
import order
import odr
import prose
import names
import tables
import text
import words
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
        files = {"a.md": "| a | b |\n|---|---|\n| 1 | 2 |\n\n| 3 | 4 |\n",
                 "b.md": "| a |\n|---|\n| 1 |\n\n| c |\n|:-:|\n| 2 |\n",
                 "c.md": "```\n| no table |\n```\n"}
        self.assertEqual(violations(tables.check, files), ["a.md:5"])


    def test_a_table_of_files_names_each_source(self):
        files = {"runtime/src/deque/README.md": "# deque\n| file | content |\n|---|---|\n"
                                                "| `a.h`, `aa.cpp` | |\n",
                 "runtime/src/deque/a.h": "", "runtime/src/deque/aa.cpp": ""}
        self.assertEqual(violations(tables.check, files), [])
        files["runtime/src/deque/a.cpp"] = ""
        self.assertEqual(violations(tables.check, files), ["runtime/src/deque/README.md:2"])


class Names(unittest.TestCase):
    def test_what_is_named_exists(self):
        files = {"src/a.h": "// A.\nstruct Deque { void push_slow(); };\n", "src/b.h": "// B.\n",
                 "a.md": "`a.h`, `src/b.h`, `Deque::push_slow`, `push_slow()`, `ROW.cpp`, "
                         "`sem_post`\n"
                         "`c.h`\n`Deque::pop_slow`\n`pop_slow`\n`push_slow` in [a](src/a.h), "
                         "`Deque` in [b](src/b.h)\n"
                         "`b.h` (`Deque`)\n`a.h` (`Deque`)\n\n    `indented_code`\n"}
        self.assertEqual(violations(names.check, files),
                         ["a.md:2", "a.md:3", "a.md:4", "a.md:5", "a.md:6"])


class Environment(unittest.TestCase):
    def test_only_config_reads_it(self):
        line = f'// {text.LICENCE}\nconst char *text = std::getenv("CILK_FENCE");\n'
        files = {"runtime/src/deque/fence.cpp": line, "runtime/src/config/config.cpp": line,
                 "tests/unit/a_test.cpp": line}
        self.assertEqual(violations(text.check, files), ["runtime/src/deque/fence.cpp:2"])


class Includes(unittest.TestCase):
    def test_the_cactus_stack_may_not_include_the_runtime(self):
        files = {"runtime/abi/nopal_abi.h": "",
                 "cactus-stack/src/a.cpp": '#include <vector>\n#include "nopal_abi.h"\n'}
        self.assertEqual(violations(includes.check, files), ["cactus-stack/src/a.cpp:2"])

    def test_the_cactus_stack_may_not_include_boost(self):
        self.assertEqual(violations(includes.check,
                                    {"cactus-stack/a.h":
                                     "#include <boost/context/fcontext.hpp>\n"}),
                         ["cactus-stack/a.h:1"])

    def test_the_abi_has_two_headers(self):
        files = {"runtime/abi/nopal_abi.h":
                 "#include <stdint.h>\n#include <stddef.h>\n#include <stdlib.h>\n"}
        self.assertEqual(violations(includes.check, files), ["runtime/abi/nopal_abi.h:3"])

    def test_the_plugin_may_not_include_the_runtimes_sources(self):
        files = {"runtime/src/frame/join.h": "", "runtime/abi/nopal_abi.h": "",
                 "clang-plugin/split/a.cpp":
                 '#include "nopal_abi.h"\n#include "../../runtime/src/frame/join.h"\n'}
        self.assertEqual(violations(includes.check, files), ["clang-plugin/split/a.cpp:2"])

    def test_a_layer_includes_lower_layers_alone(self):
        for layers in includes.LAYERS.values():
            names = list(layers)
            for name, lower in layers.items():
                self.assertLessEqual(set(lower), set(names[:names.index(name)]))
        files = {"runtime/src/frame/join.h": "",
                 "runtime/src/worker/worker.h": '#include "../frame/join.h"\n'}
        self.assertEqual(violations(includes.check, files), [])
        files = {"runtime/src/worker/worker.h": "",
                 "runtime/src/frame/sites.h": '#include "../worker/worker.h"\n',
                 "clang-plugin/split/Split.h": "",
                 "clang-plugin/outline/A.cpp": '#include "../split/Split.h"\n',
                 "clang-plugin/Plugin.cpp": '#include "split/Split.h"\n'}
        self.assertEqual(violations(includes.check, files),
                         ["clang-plugin/outline/A.cpp:1", "runtime/src/frame/sites.h:1"])

    def test_the_readme_lists_the_layers_of_the_runtime_in_their_order(self):
        layers = list(includes.RUNTIME_LAYERS)
        for listed, found in ((layers, []), (layers[::-1], ["runtime/README.md:1"]),
                              (layers[:-1], ["runtime/README.md:1"])):
            text = "".join(f"| [src/{name}/](src/{name}/README.md) | |\n" for name in listed)
            self.assertEqual(violations(includes.check, {"runtime/README.md": text}), found)

    def test_folders_in_a_cycle(self):
        files = {"x/a/a.h": '#include "../b/b.h"\n', "x/b/b.h": '// B.\n#include "../c/c.h"\n',
                 "x/c/c.h": "",
                 "x/d/d.h": '#include "../a/a.h"\n'}
        self.assertEqual(violations(includes.check, files), [])
        files["x/c/c.cpp"] = '#include "../a/a.h"\n'
        self.assertEqual(violations(includes.check, files),
                         ["x/a/a.h:1", "x/b/b.h:2", "x/c/c.cpp:1"])

    def test_one_place_asks_for_the_version_of_llvm(self):
        line = "#if LLVM_VERSION_MAJOR < 22\n"
        files = {"clang-plugin/compatibility/Compatibility.h": line,
                 "clang-plugin/compatibility/Clang19.cpp": line,
                 "clang-plugin/split/a.cpp": line,
                 "clang-plugin/split/b.cpp": "int NOPAL_LLVM_VERSION;\n"}
        self.assertEqual(violations(includes.check, files),
                         ["clang-plugin/compatibility/Clang19.cpp:1", "clang-plugin/split/a.cpp:1"])

    def test_the_runtime_may_not_include_llvm(self):
        self.assertEqual(violations(includes.check,
                                    {"runtime/src/a.cpp": '#include "llvm/IR/IRBuilder.h"\n'}),
                         ["runtime/src/a.cpp:1"])


class Order(unittest.TestCase):
    def check(self, line, header="", path="clang-plugin/split/a.cpp"):
        files = {path:
                 "SmallPtrSet<BasicBlock *, 4> Seen, More;\nDenseMap<K, SmallVector<V, 2>> "
                 "Table;\n"
                       f"SetVector<K, std::vector<K>, DenseSet<K>> Kept;\n{line}\n",
                 "clang-plugin/split/b.h": f"// A header.\n{header}\n"}
        return [place for place in violations(order.check, files)]

    def test_tables_have_no_order(self):
        for line in ("for (BasicBlock *BB : Seen)", "for (auto &[K, V] : More) {",
                     "for (auto &[K, V] :\n     Table)",
                     "  for (BasicBlock *BB : P.Seen) // why"):
            self.assertEqual(self.check(line), ["clang-plugin/split/a.cpp:4"], line)

    def test_what_has_one_or_says_that_it_does_not_matter(self):
        for line in ("for (K Key : Kept)", "for (K Key : Seen) // any order: fills a set",
                     "if (Seen.contains(K))", "for (int I = 0; I < 3; ++I)",
                     "for (K Key : sorted(Seen))"):
            self.assertEqual(self.check(line), [], line)

    def test_another_header_of_the_folder(self):
        header = "SmallPtrSet<BasicBlock *, 4> blocksOf(F);\nDenseSet<K> Live;"
        for line in ("for (BasicBlock *BB : blocksOf(F))", "for (K Key : P->Live)"):
            self.assertEqual(self.check(line, header), ["clang-plugin/split/a.cpp:4"], line)
        self.assertEqual(self.check("for (K Key : Live)", header), [])

    def test_the_runtime_may(self):
        self.assertEqual(self.check("for (BasicBlock *BB : Seen)", path="runtime/src/a.cpp"), [])


class OneDefinition(unittest.TestCase):
    def check(self, **bodies):
        files = {f"clang-plugin/{name}/{name}.h":
                 f"namespace nopal {{\n{body}\n}} // namespace nopal\n"
                 for name, body in bodies.items()}
        return violations(odr.check, files)

    def test_two_structures_of_one_name(self):
        self.assertEqual(self.check(a="struct Region {\n};",
                                    b="class Region final : public A {\n};"),
                         ["clang-plugin/b/b.h:2"])
        self.assertEqual(self.check(a="enum class E { One };",
                                    b="enum class E : int { One, Two };"),
                         ["clang-plugin/b/b.h:2"])

    def test_a_declaration_is_none(self):
        self.assertEqual(self.check(a="struct Region {\n};", b="struct Region;\nvoid f(Region &);"),
                         [])

    def test_a_namespace_of_its_own(self):
        for own in ("namespace b", "inline namespace b", "namespace"):
            body = f"{own} {{\nstruct Region {{\n}};\n}} // {own}\nstruct Other {{}};"
            self.assertEqual(self.check(a="struct Region {\n};", b=body), [], own)
            body += "\nstruct Region {\n};"
            self.assertEqual(self.check(a="struct Region {\n};", b=body), ["clang-plugin/b/b.h:7"],
                             own)

    def test_two_programs(self):
        self.assertEqual(self.check(a="struct Region {\n};", driver="struct Region {\n};"), [])


TABLE = "// Edges (tag: writer -> reader):\n//   [a]  store -> load\n#pragma once\n"


class Atomics(unittest.TestCase):
    def check(self, code):
        return violations(atomics.check, {"runtime/src/x.h": code})

    def test_a_default_order(self):
        self.assertEqual(self.check("x.load();\ny.store(1, std::memory_order_relaxed);\n"),
                         ["runtime/src/x.h:1"])

    def test_an_operation_over_two_lines(self):
        self.assertEqual(self.check("x.compare_exchange_strong(a,\n  b, "
                                    "std::memory_order_acq_rel);\n"), [])

    def test_an_operation_without_a_tag(self):
        self.assertEqual(self.check(TABLE + "x.load_relaxed();  // [a]\nx.store_release(1);\n"),
                         ["runtime/src/x.h:5"])

    def test_a_fence_without_a_tag(self):
        self.assertEqual(self.check(TABLE + "x.load_relaxed();  // [a]\n\nAtoms::heavy_fence();\n"),
                         ["runtime/src/x.h:6"])

    def test_a_tag_that_is_not_in_the_table(self):
        self.assertEqual(self.check(TABLE +
                                    "x.load_relaxed();  // [a]\nx.load_acquire();  // [b]\n"),
                         ["runtime/src/x.h:5"])

    def test_a_row_that_no_operation_carries(self):
        self.assertEqual(self.check(TABLE + "int x;\n"), ["runtime/src/x.h:2"])


class Text(unittest.TestCase):
    def test_a_long_file(self):
        self.assertEqual(violations(text.check, {"a.cpp": "// a\n" * 601}), ["a.cpp:601"])

    def test_open_ends_and_machine_paths(self):
        files = {"a.cpp":
                 "// a\n// TODO: more\n// see /home/someone/x\n// /proc/self/exe is fine\n"}
        self.assertEqual(violations(text.check, files), ["a.cpp:2", "a.cpp:3"])

    def test_a_file_without_a_header_comment(self):
        self.assertEqual(violations(text.check, {"a.cpp": "int x;\n"}), ["a.cpp:1"])

    def test_a_script_can_be_executed(self):
        self.assertEqual(violations(text.check, {"a/run": "#!/bin/sh\nexit\n"}), ["a/run:1"])

    def test_what_goes_into_programs_names_its_licence(self):
        named = "// Here.\n//\n// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n"
        files = {"runtime/a.h": "// Here.\n", "runtime/b.h": named,
                 "clang-plugin/c.h": "// Here.\n"}
        self.assertEqual(violations(text.check, files), ["runtime/a.h:1"])

    def test_blanks_and_the_last_newline(self):
        self.assertEqual(violations(text.check, {"a.md": "x \ny"}), ["a.md:1", "a.md:2"])


class Layout(unittest.TestCase):
    def violations(self, files):
        return violations(layout.check, files)

    def test_long_lines(self):
        long = "// " + 98 * "x" + "\n"
        files = {"a.py": long, "tests/pass/b.ll": long, "c.md": long, "d.svg": long}
        self.assertEqual(self.violations(files), ["a.py:1"])

    @unittest.skipUnless(shutil.which(layout.FORMATTER), "needs clang-format")
    def test_spawned_lambdas(self):
        code = "long x = cilk_spawn [&] { return 1; }();\nlong y = cilk_spawn(*f)(x);\n"
        style = (Path(__file__).parents[2] / ".clang-format").read_text()
        self.assertEqual(self.violations({".clang-format": style, "a.cpp": code}), [])

    @unittest.skipUnless(shutil.which(layout.FORMATTER), "needs clang-format")
    def test_code_that_is_not_laid_out(self):
        self.assertEqual(self.violations({"a.cpp": "int a;\nint  b;\n", "c.h": "int c;\n"}),
                         ["a.cpp:2"])


class Words(unittest.TestCase):
    def check(self, *lines, path="a/b.md"):
        return violations(words.check, {path: "\n".join(lines) + "\n"})

    def test_coined_words(self):
        lines = ("after a theft", "take_orphan()", "isFleeting", "the slot is given back",
                 "it comes to rest",
                 "LateEntries", "a sight of the deques", "what stands behind the sync",
                 "In front of a loop")
        self.assertEqual(self.check(*lines),
                         [f"a/b.md:{number}" for number in range(1, 1 + len(lines))])

    def test_ordinary_words(self):
        self.assertEqual(self.check("at first sight", "SuspendCrossingInfo",
                                    "-Wshadow, -fsanitize=shadow-call-stack",
                                    "the guard page lies behind the array",
                                    "no page is left behind", "nine rounds",
                                    "it goes on elsewhere"), [])

    def test_names_of_files_and_places(self):
        self.assertEqual(self.check("x", path="a/orphans.h"), ["a/orphans.h:1"])
        self.assertEqual(self.check("nine rounds", path="clang-plugin/b.md"),
                         ["clang-plugin/b.md:1"])


class Links(unittest.TestCase):
    def test_links_to_files_and_headings(self):
        files = {"a.md":
                 "# One two\n[x](b.md) [y](b.md#a-b) [z](#one-two) [w](https://example.org)\n",
                 "b.md": "## A b\n"}
        self.assertEqual(violations(links.check_links, files), [])

    def test_links_that_lead_nowhere(self):
        self.assertEqual(violations(links.check_links,
                                    {"a.md": "[x](c.md)\n[y](#no)\n`[z](d.md)`\n"}),
                         ["a.md:1", "a.md:2"])


class Prose(unittest.TestCase):
    def check(self, *lines):
        return violations(prose.check, {"docs/a.md": "\n".join(lines) + "\n"})

    def test_a_second_sentence_on_a_line(self):
        self.assertEqual(self.check("One here. Two here.", "- Item of `code`. And more",
                                    "**Why.** Because."),
                         ["docs/a.md:1", "docs/a.md:2", "docs/a.md:3"])

    def test_what_is_no_second_sentence(self):
        self.assertEqual(self.check("By D. Chase, e.g. here (a note. In brackets.) and on",
                                    "1. An item.", "| One. Two. |",
                                    "    code. More code", "```", "Code. More.", "```", "<!-- a",
                                    "Part. More. -->"), [])

    def test_long_lines(self):
        self.assertEqual(self.check("x" * 101, "| " + "x" * 101, "[x](" + "y" * 101 + ")"),
                         ["docs/a.md:1"])


    def test_a_long_decision(self):
        files = {"docs/decisions/0001-a.md": 300 * "a\n", "docs/decisions/0002-b.md": 301 * "b\n",
                 "docs/decisions/README.md": 301 * "c\n"}
        self.assertEqual(violations(prose.check, files), ["docs/decisions/0002-b.md:1"])


class Questions(unittest.TestCase):
    PAGE = "# Q\n## Why?\n`some_name` in [b](b.h)\nMore: [a](a.md).\n"

    def check(self, page=PAGE, readme="[q](docs/questions.md)\n"):
        return violations(links.check_questions, {"README.md": readme, "docs/questions.md": page,
                                                  "docs/a.md": "[q](questions.md)\n"})

    def test_an_answer_in_its_place(self):
        self.assertEqual(self.check(), [])

    def test_another_number_of_pages_to_read_on(self):
        for more in ("", "More: [a](a.md), [b](b.h).\n"):
            self.assertEqual(self.check(self.PAGE.replace("More: [a](a.md).\n", more)),
                             ["docs/questions.md:2"])

    def test_a_page_that_is_two_links_away(self):
        for readme in ("", "[a](docs/a.md)\n"):
            self.assertEqual(self.check(readme=readme), ["docs/questions.md:1"])

    def test_an_answer_without_a_name(self):
        self.assertEqual(self.check(self.PAGE.replace("`some_name` in", "in")),
                         ["docs/questions.md:2"])

    def test_a_title_that_is_no_question(self):
        self.assertEqual(self.check(self.PAGE.replace("Why?", "Why")), ["docs/questions.md:2"])

    def test_a_page_that_is_gone(self):
        self.assertEqual(violations(links.check_questions, {"README.md": ""}),
                         ["docs/questions.md:1"])
        self.assertEqual(self.check("# Questions\n"), ["docs/questions.md:1"])


if __name__ == "__main__":
    unittest.main()
