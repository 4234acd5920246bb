// Each part of a slow clone is a subprogram of its own, to which all locations belong, those of
// loops too. In a part a debugger finds the variables of the frame.
// RUN: %clangxx -O0 -g -mllvm -nopal-spawns-of-part=1 -fverify-intermediate-code -S -emit-llvm %s -o %t.ll
// RUN: FileCheck %s < %t.ll
// RUN: FileCheck %s --check-prefix=UNIT < %t.ll
// RUN: %clangxx -O2 -g -mllvm -nopal-spawns-of-part=1 -fverify-intermediate-code -S -emit-llvm %s -o %t.2.ll
// RUN: FileCheck %s --check-prefix=UNIT < %t.2.ll
#include <cilk/cilk.h>

void child(int) noexcept;
int next(int) noexcept;

int loops(int n) noexcept {
  int s = 0;
  cilk_spawn child(s);
  for (int i = 0; i < n; ++i)
    s += next(i);
  cilk_spawn child(s);
  for (int j = 0; j < n; ++j)
    s += next(j);
  cilk_sync;
  return s;
}

// CHECK-LABEL: define internal ptr @_Z5loopsi.slow.1(
// CHECK-SAME:    !dbg ![[PART:[0-9]+]]
// CHECK:         #dbg_declare(
// CHECK:         #dbg_declare(ptr %{{[0-9]+}}, ![[S:[0-9]+]], !DIExpression(DW_OP_deref, DW_OP_plus_uconst, {{[0-9]+}}),
// CHECK:         !llvm.loop ![[LOOP:[0-9]+]]
// CHECK:       {{^}}}
// CHECK:       ![[PART]] = distinct !DISubprogram(name: "loops.slow", linkageName: "_Z5loopsi.slow.1"
// CHECK:       ![[S]] = !DILocalVariable(name: "s", scope: ![[PART]],
// CHECK:       ![[BLOCK:[0-9]+]] = distinct !DILexicalBlock(scope: ![[PART]], file: !{{[0-9]+}}, line: 19,
// CHECK:       ![[FROM:[0-9]+]] = !DILocation(line: 19, column: 3, scope: ![[BLOCK]])
// CHECK:       ![[LOOP]] = distinct !{![[LOOP]], ![[FROM]],

// UNIT-COUNT-1: = distinct !DICompileUnit(
// UNIT-NOT:     !DICompileUnit(
