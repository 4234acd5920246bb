// bisect.py finds the pass after which a check fails, the plugin's passes included. The fault is in the check: it wants what one
// pass takes away. Helpers are inlined and erased.
// RUN: %python %S/bisect.py --check 'grep -q "define internal .*f.*spawn" %t.ll' -- %clangxx -O2 -S -emit-llvm %s -o %t.ll | FileCheck %s --check-prefix=HELPER
// HELPER: bisect: bad after pass {{[0-9]+}} of {{[0-9]+}}: nopal-inline-helpers on [module]
// HELPER: -filter-passes=nopal-inline-helpers
// RUN: not %python %S/bisect.py --check true -- %clangxx -O0 -S -emit-llvm %s -o %t.ll | FileCheck %s --check-prefix=GOOD
// GOOD: bisect: good with all passes
// RUN: not %python %S/bisect.py --check false -- %clangxx -O0 -S -emit-llvm %s -o %t.ll | FileCheck %s --check-prefix=BAD
// BAD: bisect: bad without any optional pass
#include <cilk/cilk.h>

void leaf(int);
void f(int n) {
  cilk_spawn leaf(n);
  leaf(n + 1);
}
