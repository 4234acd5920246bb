; A function that is not to be optimized is split all the same, and its helper inlined.
; RUN: %split %s | FileCheck %s

; CHECK-LABEL: define void @f()
; CHECK-NOT:     __nopal_
; CHECK:         call void @work(i32 1)
; CHECK-NOT:     __nopal_
; CHECK-LABEL: define internal ptr @f.slow(
; CHECK-NOT:     __nopal_
; CHECK:         call ptr @nopal_sync(
define void @f() noinline optnone nounwind "nopal-spawner" {
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0)
  call void @more()
  call void @__nopal_sync(i32 0)
  ret void
}

define internal void @f.spawn() noinline optnone nounwind "nopal-helper"="f" {
  call void @work(i32 1)
  ret void
}

declare void @__nopal_spawn(ptr, ptr, i32, i32, i32, ...)
declare void @__nopal_sync(i32)
declare void @work(i32) nounwind
declare void @more() nounwind
