; A slow clone keeps every exception by number; the fast clone raises it again at the same landing pad, with its values.
; RUN: %split %s | FileCheck %s
;
; The pad of @more is a cleanup for a destructor that takes %n; in the slow clone it catches everything and runs none of that.

; CHECK-LABEL: define void @f(
; CHECK:         %[[SLOT:.*]] = getelementptr {{.*}}i8, ptr %nopal.frame, i64 64
; CHECK-NEXT:    store i64 %n, ptr %[[SLOT]]
; CHECK:         %[[NOW:.*]] = load i64, ptr %[[SLOT]],
; CHECK-NEXT:    invoke void @more()
; CHECK-NEXT:      to label %{{.*}} unwind label %[[PAD:.*]]
; CHECK:       [[PAD]]:
; CHECK:         br label %[[REST:.*]]
; CHECK:       [[REST]]:
; CHECK-NEXT:    %[[LP:.*]] = phi { ptr, i32 }
; CHECK-NEXT:    %[[N:.*]] = phi i64 [ %[[RELOADED:.*]], %[[AGAIN:raise.pad]] ], [ %[[NOW]], %[[PAD]] ]
; CHECK-NEXT:    call void @destroy(i64 %[[N]])
; CHECK-NEXT:    resume { ptr, i32 } %[[LP]]
; CHECK:         switch i32 %where, label %never [
; CHECK:           i32 1, label %[[AT:.*]]
; CHECK:         ]
; CHECK:       [[AT]]:
; CHECK-NEXT:    invoke void @nopal_raise_pending(ptr {{.*}}%nopal.frame, i32 16777215)
; CHECK-NEXT:      to label %{{.*}} unwind label %[[AGAIN]]
; CHECK:       [[AGAIN]]:
; CHECK-NEXT:    landingpad { ptr, i32 }
; CHECK-NEXT:      cleanup
; CHECK-NEXT:    %[[RELOADED]] = load i64, ptr %[[SLOT]]
; CHECK-NEXT:    br label %[[REST]]

; CHECK-LABEL: define internal ptr @f.slow(ptr %frame)
; CHECK-NOT:     @destroy
; CHECK:         invoke void @more()
; CHECK-NEXT:      to label %{{.*}} unwind label %[[KEEP:.*]]
; CHECK-NOT:     @destroy
; CHECK:       [[KEEP]]:
; CHECK-NEXT:    %[[LP:.*]] = landingpad { ptr, i32 }
; CHECK-NEXT:      catch ptr null
; CHECK-NEXT:    %[[EXN:.*]] = extractvalue { ptr, i32 } %[[LP]], 0
; CHECK-NEXT:    call ptr @nopal_throw(ptr {{.*}}%frame, ptr %[[EXN]], i32 1, i32 16777215)
; CHECK-NOT:     @destroy
; CHECK:       {{^}$}}
define void @f(i64 %n) noinline "nopal-spawner" personality ptr @__gxx_personality_v0 {
entry:
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0)
  invoke void @more() to label %cont unwind label %cleanup

cont:
  call void @__nopal_sync(i32 0)
  call void @destroy(i64 %n)
  ret void

cleanup:
  %raised = landingpad { ptr, i32 } cleanup
  call void @__nopal_sync(i32 0)
  call void @destroy(i64 %n)
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
declare void @more()
declare void @destroy(i64) nounwind
