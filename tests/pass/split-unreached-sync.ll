; A sync that no slow clone can reach is erased and takes no number.
; RUN: %split %s | FileCheck %s
;
; The one before the spawn and the one after another sync: the sync in the middle has number 0, and there is no 1.

; CHECK-LABEL: define void @f()
; CHECK-NOT:     __nopal_sync
; CHECK-NOT:     %where = load
; CHECK-LABEL: define internal ptr @f.slow(
; CHECK:         call void @more(i32 2)
; CHECK-NEXT:    call ptr @nopal_sync(ptr {{.*}}%frame, i32 0)
; CHECK-NOT:     nopal_sync
; CHECK:         ret ptr
define void @f() noinline nounwind "nopal-spawner" {
  call void @more(i32 1)
  call void @__nopal_sync(i32 0)
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0, i32 1)
  call void @more(i32 2)
  call void @__nopal_sync(i32 0)
  call void @more(i32 3)
  call void @__nopal_sync(i32 0)
  ret void
}

define internal void @f.spawn(i32 %i) nounwind "nopal-helper"="f" {
  call void @work(i32 %i)
  ret void
}

declare void @__nopal_spawn(ptr, ptr, i32, i32, i32, ...)
declare void @__nopal_sync(i32)
declare void @work(i32) nounwind
declare void @more(i32) nounwind
