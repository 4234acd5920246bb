; A sync with a landing pad: the fast clone raises what its children threw at that pad, and then has its values.
; RUN: %split %s | FileCheck %s

; CHECK-LABEL: define i64 @f(
; CHECK:         %[[SLOT:.*]] = getelementptr {{.*}}i8, ptr %nopal.frame, i64 64
; CHECK-NEXT:    store i64 %n, ptr %[[SLOT]]
; CHECK:       common.ret:
; CHECK-NEXT:    %[[RESULT:.*]] = phi i64
; CHECK-SAME:      [ %[[N:.*]], %[[PAD:raise.pad]] ],
; CHECK:         switch i32 %where, label %never [
; CHECK-NEXT:      i32 0, label %[[AT:.*]]
; CHECK:       [[AT]]:
; CHECK-NEXT:    invoke void @nopal_raise_pending(ptr {{.*}}%nopal.frame, i32 16777215)
; CHECK-NEXT:      to label %common.ret unwind label %[[PAD]]
; CHECK:       [[PAD]]:
; CHECK-NEXT:    landingpad { ptr, i32 }
; CHECK-NEXT:      cleanup
; CHECK-NEXT:      catch ptr @type
; CHECK-NEXT:    %[[N]] = load i64, ptr %[[SLOT]]
; CHECK-NEXT:    call void @handle()
define i64 @f(i64 %n) noinline "nopal-spawner" personality ptr @__gxx_personality_v0 {
entry:
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0)
  call void @more()
  invoke void @__nopal_sync(i32 0) to label %done unwind label %handler

done:
  ret i64 0

handler:
  %caught = landingpad { ptr, i32 } cleanup catch ptr @type
  call void @__nopal_sync(i32 0)
  call void @handle()
  ret i64 %n
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
declare void @more() nounwind
declare void @handle() nounwind
