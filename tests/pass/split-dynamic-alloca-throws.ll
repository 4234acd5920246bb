; The arena is emptied too when an exception leaves the fast clone, from a call with or without a landing pad.
; RUN: %split %s | FileCheck %s

; CHECK-LABEL: define void @f(
; CHECK:         invoke void @leaves()
; CHECK-NEXT:      to label %{{.*}} unwind label %[[PAD:.*]]
; CHECK:       [[PAD]]:
; CHECK-NEXT:    %[[LP:.*]] = landingpad { ptr, i32 }
; CHECK-NEXT:      cleanup
; CHECK:         br i1 %{{.*}}, label %[[RAISE:.*]], label %[[FREE:.*]], !prof
; CHECK:       [[FREE]]:
; CHECK-NEXT:    call void @nopal_arena_free(ptr {{.*}}%nopal.frame)
; CHECK-NEXT:    br label %[[RAISE]]
; CHECK:       [[RAISE]]:
; CHECK-NEXT:    resume { ptr, i32 } %[[LP]]
define void @f(i64 %n) noinline "nopal-spawner" {
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0)
  %block = alloca i32, i64 %n, align 16
  call void @use(ptr %block)
  call void @__nopal_sync(i32 0)
  call void @leaves()
  ret void
}

define internal void @f.spawn() nounwind "nopal-helper"="f" {
  call void @work()
  ret void
}

declare void @__nopal_spawn(ptr, ptr, i32, i32, i32, ...)
declare void @__nopal_sync(i32)
declare void @use(ptr) nounwind
declare void @work() nounwind
declare void @leaves()
