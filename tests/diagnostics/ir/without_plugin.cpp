// A file that was preprocessed with the plugin is an error for a Clang without it: the keywords are
// pragmas by then, and an unknown pragma is ignored.
// RUN: %cilk_cxx -E %s -o %t.ii
// RUN: %cilk_cxx -Werror=unknown-pragmas -fsyntax-only %t.ii
// RUN: not %plain_cxx -w -fsyntax-only %t.ii 2>&1 | FileCheck %s
// CHECK: error: static assertion failed: this compiler does not know Cilk: compile with nopal-clang
#include <cilk/cilk.h>
void child();
void parent() {
  cilk_spawn child();
  child();
}
