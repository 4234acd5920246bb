; A module for a machine that the fast path was not compiled for is refused.
; RUN: not %opt -mtriple=aarch64-linux-gnu -passes=nopal-split -S %s -o /dev/null 2>&1 | FileCheck %s

; CHECK: error: nopal: cilk_spawn cannot be compiled for aarch64-{{.*}}linux-gnu; this plugin was built for x86_64-
define void @f() noinline nounwind "nopal-spawner" {
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0)
  call void @__nopal_sync(i32 0)
  ret void
}

define internal void @f.spawn() nounwind "nopal-helper"="f" {
  ret void
}

declare void @__nopal_spawn(ptr, ptr, i32, i32, i32, ...)
declare void @__nopal_sync(i32)
