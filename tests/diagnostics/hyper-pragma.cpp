// A body that gets lifetimes of hyperobjects keeps the floating-point pragma at its head. (Clang's code does not depend on it: each expression has the pragma, too.)
// RUN: %cilk_cxx -std=c++20 -fsyntax-only -Xclang -ast-dump -Xclang -ast-dump-filter=scaled %s | FileCheck %s
#include <cilk/cilk.h>
void zero(void *);
void plus(void *, void *);
struct Sum {
  double cilk_reducer(zero, plus) all;
};

// CHECK: FunctionDecl {{.*}} scaled
// CHECK: CompoundStmt {{.*}} FPContractMode=2 AllowFPReassociate=1
// CHECK: DeclRefExpr {{.*}} '__nopal_views_begin'
double scaled(Sum into, double by, double more) {
#pragma clang fp contract(fast) reassociate(on)
  into.all += by * more + 1;
  return by;
}
