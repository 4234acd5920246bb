; A module for a machine or system that the fast path was not compiled for is refused, before anything is split.
; RUN: not %opt -mtriple=riscv64-linux-gnu -passes=nopal-split -S %s -o /dev/null 2>&1 | FileCheck %s
; RUN: not %opt -mtriple=x86_64-pc-windows-gnu -passes=nopal-split -S %s -o /dev/null 2>&1 | FileCheck %s
; RUN: not %opt -mtriple=x86_64-unknown-freebsd -passes=nopal-split -S %s -o /dev/null 2>&1 | FileCheck %s
; RUN: not %opt -mtriple=x86_64-apple-macos -passes=nopal-split -S %s -o /dev/null 2>&1 | FileCheck %s
; RUN: not %opt -mtriple=x86_64-linux-gnux32 -passes=nopal-split -S %s -o /dev/null 2>&1 | FileCheck %s
; RUN: not %opt -mtriple=x86_64-linux-musl -passes=nopal-split -S %s -o /dev/null 2>&1 | FileCheck %s
; RUN: not %opt -mtriple=riscv64-linux-gnu -passes=nopal-split -S %S/loop-tree.ll -o /dev/null 2>&1 | FileCheck %s
; RUN: not %opt -mtriple=aarch64-linux-musl -passes=nopal-split -S %s -o /dev/null 2>&1 | FileCheck %s
; RUN: %opt -mtriple=x86_64-redhat-linux -passes=nopal-split -S %s -o /dev/null
; RUN: %opt -mtriple=aarch64-linux-gnu -passes=nopal-split -S %s -o /dev/null

; CHECK-NOT: error:
; CHECK: error: nopal: 'cilk_spawn' cannot be compiled for target '{{.*}}'; this plugin was built for 'x86_64-
; CHECK-NOT: error:
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
