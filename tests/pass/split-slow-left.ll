; A slow clone whose pop fails leaves by nopal_leave, whose result it returns; it never suspends.
; RUN: %split %s | FileCheck %s

; CHECK-LABEL: define internal ptr @f.slow(ptr %frame)
; CHECK-NOT:     nopal_suspend
; CHECK:       common.ret:
; CHECK-NEXT:    %[[NEXT:.*]] = phi ptr
; CHECK-SAME:      [ %[[LEAVE:[0-9]+]], %[[LEFT:[a-z0-9]+]] ]
; CHECK-NEXT:    ret ptr %[[NEXT]]
; CHECK-NOT:     nopal_suspend
; CHECK:         %[[POPPED:.*]] = call preserve_mostcc {{.*}}i1 @nopal_fast_pop(ptr {{.*}}%frame, i64 0)
; CHECK-NEXT:    br i1 %[[POPPED]], label {{.*}}, label %[[LEFT]],
; CHECK-NOT:     nopal_suspend
; CHECK:       [[LEFT]]:
; CHECK-NEXT:    %[[LEAVE]] = call ptr @nopal_leave(ptr {{.*}}%frame)
; CHECK-NEXT:    br label %common.ret
; CHECK-NOT:     nopal_suspend
; CHECK:       }
define void @f() noinline nounwind "nopal-spawner" {
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0, i32 1)
  call void @more()
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0, i32 2)
  call void @more()
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
declare void @more() nounwind
