; A sync leaves no instruction in the fast clone, whether it may wait for a child or not.
; RUN: %split %s | FileCheck %s
;
; The optimizer sees @more called twice in a row; between the calls stands nothing at all.

; CHECK-LABEL: define void @f()
; CHECK:         call void @more(i32 1)
; CHECK-NEXT:    br label %[[AFTER:.*]]
; CHECK-EMPTY:
; CHECK-NEXT:  [[AFTER]]:
; CHECK-NEXT:    call void @more(i32 2)
; CHECK-NEXT:    call void @more(i32 3)
; CHECK-NEXT:    ret void
; CHECK-NOT:     __nopal_
define void @f() noinline nounwind "nopal-spawner" {
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0)
  call void @more(i32 1)
  call void @__nopal_sync(i32 0)
  call void @more(i32 2)
  call void @__nopal_sync(i32 0)
  call void @more(i32 3)
  ret void
}

define internal void @f.spawn() nounwind "nopal-helper"="f" {
  call void @work()
  ret void
}

declare void @__nopal_spawn(ptr, ptr, i32, i32, i32, ...)
declare void @__nopal_sync(i32)
declare void @work() nounwind
declare void @more(i32) nounwind
