; One landing pad of several calls: each call has its own number in the slow clone, and phis of the pad keep each its value.
; Not on LLVM 19, which orders the predecessors otherwise.
; UNSUPPORTED: llvm-19
; RUN: %split %s | FileCheck %s

; CHECK-LABEL: define void @f()
; CHECK:         invoke void @more(i32 1)
; CHECK-NEXT:      to label %{{.*}} unwind label %[[PAD1:.*]]
; CHECK:         invoke void @more(i32 2)
; CHECK-NEXT:      to label %{{.*}} unwind label %[[PAD2:.*]]
; CHECK:         %[[WHICH:.*]] = phi i32 [ 2, %[[PAD2]] ], [ 2, %[[AGAIN2:.*]] ], [ 1, %[[AGAIN1:.*]] ], [ 1, %[[PAD1]] ]
; CHECK-NEXT:    call void @handle(i32 %[[WHICH]])
; CHECK:         switch i32 %where, label %never [
; CHECK:           i32 1, label %[[AT1:.*]]
; CHECK-NEXT:      i32 2, label %[[AT2:.*]]
; CHECK:       [[AT1]]:
; CHECK-NEXT:    invoke void @nopal_raise_pending(
; CHECK-NEXT:      unwind label %[[AGAIN1]]
; CHECK:       [[AT2]]:
; CHECK-NEXT:    invoke void @nopal_raise_pending(
; CHECK-NEXT:      unwind label %[[AGAIN2]]

; CHECK-LABEL: define internal ptr @f.slow(
; CHECK-NOT:     @handle
; CHECK:         invoke void @more(i32 1)
; CHECK-NEXT:      to label %{{.*}} unwind label %[[KEEP1:.*]]
; CHECK:         invoke void @more(i32 2)
; CHECK-NEXT:      to label %{{.*}} unwind label %[[KEEP2:.*]]
; CHECK:       [[KEEP1]]:
; CHECK:         call ptr @nopal_throw(ptr {{.*}}%frame, ptr %{{.*}}, i32 1, i32 16777215)
; CHECK:       [[KEEP2]]:
; CHECK:         call ptr @nopal_throw(ptr {{.*}}%frame, ptr %{{.*}}, i32 2, i32 16777215)
define void @f() noinline "nopal-spawner" personality ptr @__gxx_personality_v0 {
entry:
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0)
  invoke void @more(i32 1) to label %second unwind label %handler

second:
  invoke void @more(i32 2) to label %end unwind label %handler

end:
  call void @__nopal_sync(i32 0)
  ret void

handler:
  %which = phi i32 [ 1, %entry ], [ 2, %second ]
  %caught = landingpad { ptr, i32 } cleanup catch ptr @type
  call void @__nopal_sync(i32 0)
  call void @handle(i32 %which)
  ret void
}

define internal void @f.spawn() nounwind "nopal-helper"="f" {
  call void @work()
  ret void
}

@type = external constant ptr
declare void @__nopal_spawn(ptr, ptr, i32, i32, i32, ...)
declare void @__nopal_sync(i32)
declare i32 @__gxx_personality_v0(...)
declare void @work() nounwind
declare void @more(i32)
declare void @handle(i32) nounwind
