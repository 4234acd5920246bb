; A spawn without a pad whose child may throw gets one in the fast clone too: it pops, and raises on.
; RUN: %split %s | FileCheck %s

; CHECK:       define void @f() {{.*}} personality ptr @__gxx_personality_v0
; CHECK:         invoke void @work()
; CHECK-NEXT:      to label %{{.*}} unwind label %[[PAD:.*]]
; CHECK:       [[PAD]]:
; CHECK-NEXT:    %[[LP:.*]] = landingpad { ptr, i32 }
; CHECK-NEXT:      cleanup
; CHECK-NEXT:    call preserve_mostcc {{.*}}i1 @nopal_fast_pop(
; CHECK:         br i1 %{{.*}}, label %[[REST:.*]], label %stolen.thrown, !prof
; CHECK:       stolen.thrown:
; CHECK:         call void @nopal_suspend_thrown(
; CHECK:       [[REST]]:
; CHECK-NEXT:    resume { ptr, i32 } %[[LP]]
define void @f() noinline "nopal-spawner" {
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
declare void @more() nounwind
