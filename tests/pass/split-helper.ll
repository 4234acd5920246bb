; The helper is inlined into the fast clone and called by the slow one; one that no slow clone calls is gone.
; RUN: %split %s | FileCheck %s

; CHECK-LABEL: define void @f()
; CHECK-NOT:     @f.spawn
; CHECK-NOT:     @f.again
; CHECK:         call void @work(i32 1)
; CHECK-NOT:     @f.spawn
; CHECK-NOT:     @f.again
; CHECK:         call void @work(i32 2)
; CHECK-NOT:     define internal void @f.spawn(
; CHECK-LABEL: define internal void @f.again(
; CHECK-NOT:     define internal void @f.spawn(
; CHECK-LABEL: define internal ptr @f.slow(
; CHECK:         call void @f.again()
define void @f() noinline nounwind "nopal-spawner" {
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0)
  call void @more()
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.again, ptr null, i32 1, i32 1, i32 0)
  call void @more()
  call void @__nopal_sync(i32 0)
  ret void
}

define internal void @f.spawn() nounwind "nopal-helper"="f" {
  call void @work(i32 1)
  ret void
}

define internal void @f.again() nounwind "nopal-helper"="f" {
  call void @work(i32 2)
  ret void
}

declare void @__nopal_spawn(ptr, ptr, i32, i32, i32, ...)
declare void @__nopal_sync(i32)
declare void @work(i32) nounwind
declare void @more() nounwind
