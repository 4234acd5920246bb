; A function that cannot throw has no pad and raises nothing, in either clone.
; RUN: %split %s | FileCheck %s --implicit-check-not=landingpad --implicit-check-not='call void @nopal_raise_pending' --implicit-check-not=_thrown

; CHECK-LABEL: define void @f()
; CHECK:         call void @work()
; CHECK:         call void @nopal_suspend(
; CHECK-LABEL: define internal ptr @f.slow(
; CHECK:         call void @more()
; CHECK-NEXT:    call ptr @nopal_sync(
define void @f() noinline nounwind "nopal-spawner" {
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0)
  call void @more()
  call void @__nopal_sync(i32 0)
  ret void
}

define internal void @f.spawn() "nopal-helper"="f" {
  call void @work()
  ret void
}

declare void @__nopal_spawn(ptr, ptr, i32, i32, i32, ...)
declare void @__nopal_sync(i32)
declare void @work()
declare void @more()
