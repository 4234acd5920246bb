; print<nopal-frame> shows the frame of a function that a cilk_for makes: the code that divides the range spawns, though nothing else does.
; RUN: %opt -mtriple=x86_64-pc-linux-gnu -passes='print<nopal-frame>' -S %s -o %t.ll 2>&1 | FileCheck %s
; RUN: FileCheck --check-prefix=SAME %s < %t.ll

; CHECK:      frame of f.loop: {{[0-9]+}} bytes, alignment 16; 1 spawn, 1 sync
; CHECK-NEXT:   offset     size  what
; CHECK-NEXT:        0       64  header
; CHECK-DAG:  value %a: ptr
; CHECK-DAG:  value %hi: i64
; CHECK-DAG:  value %grain: i64

; SAME:     call void (ptr, ptr, i32, i32, i64, i64, ...) @__nopal_loop(
; SAME-NOT: f.loop

define void @f(ptr %a, i64 %n) nounwind {
  call void (ptr, ptr, i32, i32, i64, i64, ...) @__nopal_loop(ptr @f.leaf, ptr @file, i32 3, i32 5, i64 %n, i64 100, ptr %a) nounwind
  ret void
}

define internal void @f.leaf(ptr %a, i64 %lo, i64 %hi) nounwind "nopal-helper"="f" {
  call void @use(ptr %a, i64 %lo, i64 %hi)
  ret void
}

@file = private constant [4 x i8] c"f.c\00"
declare void @__nopal_loop(ptr, ptr, i32, i32, i64, i64, ...)
declare void @use(ptr, i64, i64)
