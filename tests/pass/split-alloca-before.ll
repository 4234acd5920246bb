; An alloca that is used before all spawns only, and escapes nowhere, stays an alloca and is not in the frame.
; RUN: %split %s | FileCheck %s

; CHECK-LABEL: define void @f(
; CHECK-DAG:     %nopal.frame = alloca [64 x i8], align 16
; CHECK-DAG:     %before = alloca [8 x i64]
; CHECK:         load volatile i64, ptr %
; CHECK:         call void @work()
define void @f(i64 %i) noinline nounwind "nopal-spawner" {
  %before = alloca [8 x i64]
  call void @llvm.memset.p0.i64(ptr %before, i8 1, i64 64, i1 true)
  %element = getelementptr i64, ptr %before, i64 %i
  %value = load volatile i64, ptr %element
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0)
  call void @more()
  call void @__nopal_sync(i32 0)
  ret void
}

define internal void @f.spawn() nounwind "nopal-helper"="f" {
  call void @work()
  ret void
}

declare void @__nopal_spawn(ptr, ptr, i32, i32, i32, ...)
declare void @__nopal_sync(i32)
declare void @work() nounwind
declare void @more() nounwind
