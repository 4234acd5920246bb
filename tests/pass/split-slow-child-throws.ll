; A child of a slow clone that throws is kept for the handler's number, or left with the order in which its continuation was stolen.
; RUN: %split %s | FileCheck %s

; CHECK-LABEL: define internal ptr @f.slow(ptr %frame)
; CHECK:         %[[STEALS:.*]] = getelementptr {{.*}}i8, ptr %frame, i64 16
; CHECK-NEXT:    %order = load i64, ptr %[[STEALS]]
; CHECK:         invoke void @f.spawn()
; CHECK-NEXT:      to label %{{.*}} unwind label %[[PAD:.*]]
; CHECK:       [[PAD]]:
; CHECK-NEXT:    %[[LP:.*]] = landingpad { ptr, i32 }
; CHECK-NEXT:      catch ptr null
; CHECK-NEXT:    call preserve_mostcc {{.*}}i1 @nopal_fast_pop(
; CHECK:         br i1 %{{.*}}, label %keep, label %left.thrown
; CHECK:       left.thrown:
; CHECK-NEXT:    %[[EXN:.*]] = extractvalue { ptr, i32 } %[[LP]], 0
; CHECK-NEXT:    call ptr @nopal_leave_thrown(ptr {{.*}}%frame, ptr %[[EXN]], i64 %order, i32 16777215)
; CHECK:       keep:
; CHECK-NEXT:    %[[EXN:.*]] = extractvalue { ptr, i32 } %[[LP]], 0
; CHECK-NEXT:    call ptr @nopal_throw(ptr {{.*}}%frame, ptr %[[EXN]], i32 1, i32 16777215)
define void @f(i1 %c) noinline "nopal-spawner" personality ptr @__gxx_personality_v0 {
entry:
  br label %loop

loop:
  invoke void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0) to label %cont unwind label %handler

cont:
  %again = call i1 @more()
  br i1 %again, label %loop, label %end

end:
  invoke void @__nopal_sync(i32 0) to label %done unwind label %handler

done:
  ret void

handler:
  %caught = landingpad { ptr, i32 } cleanup catch ptr @type
  call void @__nopal_sync(i32 0)
  call void @handle()
  ret void
}

define internal void @f.spawn() "nopal-helper"="f" {
  call void @work()
  ret void
}

@type = external constant ptr
declare void @__nopal_spawn(ptr, ptr, i32, i32, i32, ...)
declare void @__nopal_sync(i32)
declare i32 @__gxx_personality_v0(...)
declare void @work()
declare i1 @more() nounwind
declare void @handle() nounwind
