; A child that throws: its landing pad pops first, then the original handler runs; if the frame was stolen, the runtime keeps the exception.
; RUN: %split %s | FileCheck %s

; CHECK-LABEL: define void @f()
; CHECK:         invoke void @work()
; CHECK-NEXT:      to label %{{.*}} unwind label %[[PAD:.*]]
; CHECK:       [[PAD]]:
; CHECK-NEXT:    %[[LP:.*]] = landingpad { ptr, i32 }
; CHECK-NEXT:      cleanup
; CHECK-NEXT:      catch ptr @type
; CHECK-NEXT:    %[[POPPED:.*]] = call preserve_mostcc {{.*}}i1 @nopal_fast_pop(ptr {{.*}}%nopal.frame, i64 0)
; CHECK-NEXT:    br i1 %[[POPPED]], label %[[REST:.*]], label %[[STOLEN:.*]], !prof
; CHECK:       [[REST]]:
; CHECK:         call void @handle(
; CHECK:       [[STOLEN]]:
; CHECK-NEXT:    %[[EXN:.*]] = extractvalue { ptr, i32 } %[[LP]], 0
; CHECK-NEXT:    call void @nopal_suspend_thrown(ptr {{.*}}%nopal.frame, ptr %[[EXN]], i32 16777215)
; CHECK-NEXT:    br label %resume
define void @f() noinline "nopal-spawner" personality ptr @__gxx_personality_v0 {
entry:
  invoke void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0) to label %cont unwind label %handler

cont:
  call void @more()
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
declare void @more() nounwind
declare void @handle() nounwind
