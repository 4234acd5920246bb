; A value that an invoke defines is live across a spawn like any other, in both clones.
; RUN: %split %s | FileCheck %s

; CHECK-LABEL: define i64 @f()
; CHECK:         %value = invoke i64 @make()
; CHECK:         %[[SLOT:.*]] = getelementptr {{.*}}i8, ptr %nopal.frame, i64 64
; CHECK-NEXT:    store i64 %value, ptr %[[SLOT]]
; CHECK:         call void @work(i32 1)
; CHECK:         %again = invoke i64 @make()
; CHECK:         store i64 %again, ptr
; CHECK:         call void @work(i32 2)

; CHECK-LABEL: define internal ptr @f.slow(
; CHECK:         %[[SLOT:.*]] = getelementptr {{.*}}i8, ptr %frame, i64 72
; CHECK-NEXT:    store i64 %[[AGAIN:again[^,]*]], ptr %[[SLOT]]
; CHECK:         %[[AGAIN]] = invoke i64 @make()
define i64 @f() noinline "nopal-spawner" personality ptr @__gxx_personality_v0 {
entry:
  %value = invoke i64 @make() to label %first unwind label %cleanup

first:
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0, i32 1)
  %again = invoke i64 @make() to label %second unwind label %cleanup

second:
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0, i32 2)
  %sum = add i64 %value, %again
  call void @use(i64 %sum)
  call void @__nopal_sync(i32 0)
  ret i64 0

cleanup:
  %raised = landingpad { ptr, i32 } cleanup
  call void @__nopal_sync(i32 0)
  call void @destroy()
  resume { ptr, i32 } %raised
}

define internal void @f.spawn(i32 %i) nounwind "nopal-helper"="f" {
  call void @work(i32 %i)
  ret void
}

declare void @__nopal_spawn(ptr, ptr, i32, i32, i32, ...)
declare void @__nopal_sync(i32)
declare i32 @__gxx_personality_v0(...)
declare i64 @make()
declare void @destroy() nounwind
declare void @work(i32) nounwind
declare void @use(i64) nounwind
