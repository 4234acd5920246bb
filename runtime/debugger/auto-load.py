# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What gdb loads with libnopal.so: it runs cilk-gdb.py of the same installed tree.

Installed under the library's name with -gdb.py (runtime/packaging/CMakeLists.txt). Not `source`: in
a script that gdb loads itself, that does not set __file__.
"""

import os.path

import gdb

FOLDER = os.path.dirname(os.path.realpath(gdb.current_objfile().filename))
__file__ = os.path.join(FOLDER, "nopal", "cilk-gdb.py")
with open(__file__, encoding="utf-8") as script:
    exec(compile(script.read(), __file__, "exec"))
