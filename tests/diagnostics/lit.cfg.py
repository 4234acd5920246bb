# Tests of what the front-end says (-verify) and of what it puts into the
# unoptimized IR (ir/). Configured by lit.site.cfg.py, or by hand:
#
#   lit -D NOPAL_PLUGIN=<NopalPlugin.so> -D NOPAL_INCLUDE=<runtime/include> \
#       tests/diagnostics
import os
import lit.formats


def setting(name, default=None):
    value = getattr(config, name.lower(), None) or lit_config.params.get(name)
    if not value and default is None:
        lit_config.fatal("set " + name + ": -D " + name + "=...")
    return value or default


config.name = "nopal-diagnostics"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".c", ".cpp", ".test"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)

plugin = setting("NOPAL_PLUGIN")
here = os.path.dirname(os.path.abspath(__file__))
include = setting("NOPAL_INCLUDE",
                  os.path.join(here, "..", "..", "runtime", "include"))
tools = setting("LLVM_TOOLS_DIR", "/usr/lib/llvm-22/bin")
output = setting("NOPAL_TEST_OUTPUT", os.path.join("/tmp", "nopal-diagnostics-%d" % os.getuid()))
config.test_exec_root = output

flags = "-fpass-plugin=" + plugin + " -isystem " + include
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
    ("%frontend", os.path.join(here, "..", "..", "clang-plugin", "frontend")),
]
config.environment["PATH"] = os.pathsep.join([tools, os.environ["PATH"]])
