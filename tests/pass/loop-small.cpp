// A loop that is not divided is vectorized and unrolled as the serial loop, and has its lines and variables; a remark says so.
// RUN: %clangxx -std=c++20 -O3 -c %s -o %t.o -Rpass=loop-vectorize 2>&1 | FileCheck %s --check-prefix=VECTOR
// RUN: %clangxx -std=c++20 -O3 -c %s -o %t.o -Rpass-missed=nopal -Rpass-analysis=nopal-loop 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: %clangxx -std=c++20 -O3 -S -emit-llvm -fno-discard-value-names %s -o - | FileCheck %s
// RUN: %clangxx -std=c++20 -O3 -g -S -emit-llvm %s -o - | FileCheck %s --check-prefix=DEBUG
// RUN: %clangxx -std=c++20 -O3 -flto=thin -c %s -o %t.bc
#include <cilk/cilk.h>

// REMARK-DAG: cpp:[[#@LINE + 4]]:3: remark: the loop is not divided: a leaf of {{[0-9]+}} iterations takes no longer than a steal, and it has 100 [-Rpass-missed=nopal-loop]
// The serial loop's; the leaf's has a remainder.
// VECTOR: cpp:[[#@LINE + 2]]:3: remark: vectorized loop (vectorization width: 2, interleaved count: 2)
void add(long *sum, long term) {
  cilk_for (long i = 0; i < 100; ++i) sum[i] += i + term;
}

// Four iterations are no loop.
// CHECK-LABEL: define {{.*}}@_Z4fourPf
// CHECK:       load atomic i8, ptr @nopal_least_counts
// CHECK:       store <4 x float>
// CHECK-NOT:   br i1
// CHECK:       }
void four(float *out) {
  cilk_for (int i = 0; i < 4; ++i) out[i] = 2 * out[i];
}

// REMARK-DAG: cpp:[[#@LINE + 2]]:3: remark: a leaf has at least {{[0-9]+}} iterations, which take no longer than a steal; a loop of no more is not divided [-Rpass-analysis=nopal-loop]
void some(long *sum, int n) {
  cilk_for (int i = 0; i < n; ++i) sum[i] += i;
}

// REMARK-DAG: cpp:[[#@LINE + 2]]:3: remark: how many iterations take no longer than a steal is computed from the trip counts of the loops in them; a leaf has at least so many [-Rpass-analysis=nopal-loop]
void within(long *out, int n, int m) {
  cilk_for (int i = 0; i < n; ++i) {
    long x = out[i];
    for (int k = 0; k < m; ++k) x = x * x + k;
    out[i] = x;
  }
}

// A local of the body is a variable of the function.
// DEBUG-DAG: ![[FUNCTION:[0-9]+]] = distinct !DISubprogram(name: "squares"
// DEBUG-DAG: ![[FOR:[0-9]+]] = distinct !DILexicalBlock(scope: ![[FUNCTION]], {{.*}}, line: [[#@LINE + 8]], column: 3)
// DEBUG-DAG: ![[LEAF:[0-9]+]] = distinct !DILexicalBlock(scope: ![[FOR]], {{.*}}, line: [[#@LINE + 7]], column: 3)
// DEBUG-DAG: ![[SERIAL:[0-9]+]] = distinct !DILexicalBlock(scope: ![[LEAF]], {{.*}}, line: [[#@LINE + 6]], column: 3)
// DEBUG-DAG: ![[I:[0-9]+]] = distinct !DILexicalBlock(scope: ![[SERIAL]], {{.*}}, line: [[#@LINE + 5]], column: 17)
// DEBUG-DAG: ![[BODY:[0-9]+]] = distinct !DILexicalBlock(scope: ![[I]], {{.*}}, line: [[#@LINE + 4]], column: 37)
// DEBUG-DAG: !DILocalVariable(name: "square", scope: ![[BODY]], {{.*}}, line: [[#@LINE + 4]]
// DEBUG-DAG: !DILocation(line: [[#@LINE + 3]], column: 24, scope: ![[BODY]]){{$}}
void squares(int *out, const int *in) {
  cilk_for (int i = 0; i < 50; ++i) {
    const int square = in[i] * in[i];
    out[i] = square + i;
  }
}
