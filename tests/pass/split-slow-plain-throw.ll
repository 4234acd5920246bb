; A call that may throw without a pad gets one in the slow clone; its number is the last, where the fast clone raises without a pad.
; RUN: %split %s | FileCheck %s

; CHECK-LABEL: define void @f()
; CHECK:         call void @more()
; CHECK:         switch i32 %where, label %never [
; CHECK-NEXT:      i32 0, label %{{.*}}
; CHECK-NEXT:      i32 1, label %[[THROW:.*]]
; CHECK-NEXT:    ]
; CHECK:       [[THROW]]:
; CHECK-NEXT:    call void @nopal_raise_pending(ptr {{.*}}%nopal.frame, i32 16777215)
; CHECK-NEXT:    unreachable

; CHECK:       define internal ptr @f.slow(ptr %frame) {{.*}} personality ptr @__gxx_personality_v0
; CHECK:         invoke void @more()
; CHECK-NEXT:      to label %{{.*}} unwind label %[[KEEP:.*]]
; CHECK:       [[KEEP]]:
; CHECK-NEXT:    %[[LP:.*]] = landingpad { ptr, i32 }
; CHECK-NEXT:      catch ptr null
; CHECK-NEXT:    %[[EXN:.*]] = extractvalue { ptr, i32 } %[[LP]], 0
; CHECK-NEXT:    call ptr @nopal_throw(ptr {{.*}}%frame, ptr %[[EXN]], i32 1, i32 16777215)
define void @f() noinline "nopal-spawner" {
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
declare void @more()
