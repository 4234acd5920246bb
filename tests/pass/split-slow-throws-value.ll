; The slow clone stores the values that a landing pad needs where it catches the exception, if it is not in its slot yet.
; RUN: %split %s | FileCheck %s

; CHECK-LABEL: define internal ptr @f.slow(ptr %frame)
; CHECK:         %[[LATE:late.*]] = call i64 @late()
; CHECK-NOT:     store
; CHECK:         invoke void @more()
; CHECK-NEXT:      to label %{{.*}} unwind label %[[KEEP:.*]]
; CHECK:       [[KEEP]]:
; CHECK-NEXT:    landingpad { ptr, i32 }
; CHECK-NEXT:      catch ptr null
; CHECK:         %[[SLOT:.*]] = getelementptr {{.*}}i8, ptr %frame, i64 64
; CHECK-NEXT:    store i64 %[[LATE]], ptr %[[SLOT]]
; CHECK:         call ptr @nopal_throw(
define void @f() noinline "nopal-spawner" personality ptr @__gxx_personality_v0 {
entry:
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0)
  %late = call i64 @late()
  invoke void @more() to label %cont unwind label %cleanup

cont:
  call void @__nopal_sync(i32 0)
  ret void

cleanup:
  %raised = landingpad { ptr, i32 } cleanup
  call void @__nopal_sync(i32 0)
  call void @destroy(i64 %late)
  resume { ptr, i32 } %raised
}

define internal void @f.spawn() nounwind "nopal-helper"="f" {
  call void @work()
  ret void
}

declare void @__nopal_spawn(ptr, ptr, i32, i32, i32, ...)
declare void @__nopal_sync(i32)
declare i32 @__gxx_personality_v0(...)
declare void @work() nounwind
declare i64 @late() nounwind
declare void @more()
declare void @destroy(i64) nounwind
