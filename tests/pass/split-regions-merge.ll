; With two regions an exception at a pad of the fast clone meets the exceptions that are kept for the region that it leaves.
; RUN: %split %s | FileCheck %s
;
; The pad's cleanup syncs region 1. At that sync an exception is in flight already, so what is left of the region is destroyed.

; CHECK-LABEL: define void @f()
; CHECK:         invoke void @more()
; CHECK-NEXT:      to label %{{.*}} unwind label %[[PAD:.*]]
; CHECK:       [[PAD]]:
; CHECK-NEXT:    %[[LP:.*]] = landingpad { ptr, i32 }
; CHECK-NEXT:      cleanup
; CHECK-NEXT:    %[[WORD:.*]] = load i64, ptr %
; CHECK-NEXT:    %[[THREW:.*]] = and i64 %[[WORD]], 1
; CHECK-NEXT:    %[[NONE:.*]] = icmp eq i64 %[[THREW]], 0
; CHECK-NEXT:    br i1 %[[NONE]], label %{{.*}}, label %[[MERGE:.*]], !prof
; CHECK:         call void @nopal_discard_pending(ptr {{.*}}%nopal.frame, i32 1)
; CHECK:         resume
; CHECK:       [[MERGE]]:
; CHECK-NEXT:    %[[EXN:.*]] = extractvalue { ptr, i32 } %[[LP]], 0
; CHECK-NEXT:    invoke void @nopal_merge_pending(ptr {{.*}}%nopal.frame, ptr %[[EXN]], i32 1)
; CHECK-NEXT:      to label %merged unwind label %raise.pad
; CHECK-LABEL: define internal ptr @f.slow(
; CHECK:         call ptr @nopal_throw(ptr {{.*}}%frame, ptr %{{.*}}, i32 {{[0-9]+}}, i32 1)
define void @f() noinline "nopal-spawner" personality ptr @__gxx_personality_v0 {
entry:
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0, i32 1)
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 1, i32 2)
  invoke void @more() to label %end unwind label %cleanup

end:
  call void @__nopal_sync(i32 1)
  call void @__nopal_sync(i32 0)
  ret void

cleanup:
  %raised = landingpad { ptr, i32 } cleanup
  call void @__nopal_sync(i32 1)
  resume { ptr, i32 } %raised
}

define internal void @f.spawn(i32 %i) nounwind "nopal-helper"="f" {
  call void @work(i32 %i)
  ret void
}

declare void @__nopal_spawn(ptr, ptr, i32, i32, i32, ...)
declare void @__nopal_sync(i32)
declare i32 @__gxx_personality_v0(...)
declare void @work(i32) nounwind
declare void @more()
