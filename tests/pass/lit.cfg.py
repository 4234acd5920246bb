"""The lit suite of the passes: one behaviour a file, its claim in the first line, checked by
FileCheck.

Substitutions (nopal_plugin and the like come from tests/lit.site.cfg.py.in):
  %clang, %clangxx     clang and clang++ with the plugin and <cilk/cilk.h>
  %opt                 opt with the plugin's passes loaded (NopalPasses.so, CMakeLists.txt)
  %outline, %split     opt running one pass, the verifier after each, IR as text to stdout
  %plugin              the plugin itself
  %nopal-clang(++)     the driver
  FileCheck, not, llvm-nm and the like are those of the LLVM that the plugin is built for.
"""
import os
import sys

import lit.formats

config.name = "nopal-pass"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".ll", ".c", ".cpp", ".test"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)
config.available_features.add("llvm-" + config.llvm_version)

compiler_flags = f"{config.nopal_plugin_options} -isystem {config.nopal_include_dir}"
passes = os.path.join(config.test_exec_root, "NopalPasses.so")
opt = f"{config.llvm_tools_dir}/opt -load-pass-plugin={passes}"
# The longer names first: lit replaces them in this order, and %clang is a prefix of %clangxx.
config.substitutions += [
    ("%nopal-clang\\+\\+", os.path.join(config.nopal_bin_dir, "nopal-clang++")),
    ("%nopal-clang", os.path.join(config.nopal_bin_dir, "nopal-clang")),
    ("%clangxx", f"{config.llvm_tools_dir}/clang++ {compiler_flags}"),
    ("%clang", f"{config.llvm_tools_dir}/clang {compiler_flags}"),
    ("%outline", f"{opt} -mtriple=x86_64-pc-linux-gnu -passes=nopal-outline -verify-each -S"),
    ("%split", f"{opt} -mtriple=x86_64-pc-linux-gnu -passes=nopal-split -verify-each -S"),
    ("%opt", opt),
    ("%plugin", config.nopal_plugin),
    ("%python", sys.executable),
]
config.environment["PATH"] = config.llvm_tools_dir + os.pathsep + config.environment["PATH"]
# A user's settings must not change what a test sees.
for name in ("CILK_STATS", "CILK_CHAOS", "CILK_NWORKERS", "CILK_FENCE", "CILK_TRACE",
             "NOPAL_CLANG"):
    config.environment.pop(name, None)
