; A child that spawns has a frame of its own, so it is not inlined into its parent's fast clone: even if it is split first.
; RUN: %split %s | FileCheck %s

; CHECK-LABEL: define internal void @f.spawn(
; CHECK:         %nopal.frame = alloca
; CHECK-LABEL: define void @f(
; CHECK:         %nopal.frame = alloca
; CHECK-NOT:     alloca
; CHECK:         call void @f.spawn(
; CHECK:       {{^}}}
define internal void @f.spawn() noinline nounwind "nopal-helper"="f" "nopal-spawner" {
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @g.spawn, ptr null, i32 1, i32 1, i32 0)
  call void @work()
  call void @__nopal_sync(i32 0)
  ret void
}

define void @f() noinline nounwind "nopal-spawner" {
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0)
  call void @work()
  call void @__nopal_sync(i32 0)
  ret void
}

define internal void @g.spawn() nounwind "nopal-helper"="f" {
  call void @work()
  ret void
}

declare void @__nopal_spawn(ptr, ptr, i32, i32, i32, ...)
declare void @__nopal_sync(i32)
declare void @work() nounwind
