; A dynamic alloca that no slow clone executes needs no arena.
; RUN: %split %s | FileCheck %s --implicit-check-not=nopal_arena

; CHECK-LABEL: define void @f(
; CHECK:         %block = alloca i32, i64 %n
; CHECK-NEXT:    call void @use(ptr {{.*}}%block)
define void @f(i64 %n) noinline nounwind "nopal-spawner" {
  %block = alloca i32, i64 %n
  call void @use(ptr %block)
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
declare void @use(ptr) nounwind
declare void @work() nounwind
declare void @more() nounwind
