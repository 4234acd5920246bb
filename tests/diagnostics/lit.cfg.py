# Tests of what the front-end says (-verify) and of what it puts into the
# unoptimized IR (ir/). Configured by the build (../lit.site.cfg.py.in), or by
# hand: lit -D NOPAL_PLUGIN=<NopalPlugin.so> tests/diagnostics
import os
import shutil
import tempfile

import lit.formats


def setting(name, default):
    """What the build says, else a parameter of lit, else the default."""
    return (getattr(config, name.lower(), None) or
            lit_config.params.get(name) or default)


config.name = "nopal-diagnostics"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".c", ".cpp", ".test"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)
config.available_features.add("llvm-" + setting("LLVM_VERSION", "22"))

here = os.path.dirname(os.path.abspath(__file__))
root = os.path.dirname(os.path.dirname(here))
plugin = setting("NOPAL_PLUGIN", None)
if not plugin:
    lit_config.fatal("say where the plugin is: -D NOPAL_PLUGIN=...")
include = setting("NOPAL_INCLUDE_DIR", os.path.join(root, "runtime", "include"))
tools = setting("LLVM_TOOLS_DIR", os.path.dirname(
    os.path.realpath(shutil.which("clang-22") or "clang-22")))
config.test_exec_root = (getattr(config, "test_exec_root", None) or
                         os.path.join(tempfile.gettempdir(),
                                      "nopal-diagnostics-%d" % os.getuid()))

flags = setting("NOPAL_PLUGIN_OPTIONS", "-fpass-plugin=" + plugin) + " -isystem " + include
clang = os.path.join(tools, "clang")
# The longer names first: lit replaces in this order.
config.substitutions += [
    ("%cilk_cxx_verify", clang + "++ " + flags +
     " -fsyntax-only -Xclang -verify"),
    ("%cilk_c_verify", clang + " " + flags + " -fsyntax-only -Xclang -verify"),
    ("%cilk_cxx_ir", clang + "++ " + flags +
     " -O0 -Xclang -disable-llvm-passes -fno-discard-value-names -S -emit-llvm -o -"),
    ("%cilk_c_ir", clang + " " + flags +
     " -O0 -Xclang -disable-llvm-passes -fno-discard-value-names -S -emit-llvm -o -"),
    ("%cilk_cxx", clang + "++ " + flags),
    ("%cilk_c", clang + " " + flags),
    ("%plain_cxx", clang + "++ -isystem " + include),
    ("%plain_c", clang + " -isystem " + include),
    ("%plugin", plugin),
    ("%contract", os.path.join(root, "clang-plugin", "contract")),
]
config.environment["PATH"] = os.pathsep.join([tools, os.environ["PATH"]])
