; A value that lives across a sync alone is stored by the slow clone there, and by the fast clone nowhere.
; RUN: %split %s | FileCheck %s

; CHECK-LABEL: define i64 @f()
; CHECK:         call void @work()
; CHECK:         %y = call i64 @more()
; CHECK-NOT:     store
; CHECK:         %[[LATER:.*]] = phi i64 [ %[[RELOADED:.*]], %stolen ], [ %y, %{{.*}} ]
; CHECK-NEXT:    ret i64 %[[LATER]]
; CHECK:       stolen:
; CHECK-NEXT:    call void @nopal_suspend(ptr {{.*}}%nopal.frame)
; CHECK-NEXT:    %[[SLOT:.*]] = getelementptr {{.*}}i8, ptr %nopal.frame, i64 64
; CHECK-NEXT:    %[[RELOADED]] = load i64, ptr %[[SLOT]]

; CHECK-LABEL: define internal ptr @f.slow(ptr %frame)
; CHECK:         %[[Y:.*]] = call i64 @more()
; CHECK-NEXT:    %[[SLOT:.*]] = getelementptr {{.*}}i8, ptr %frame, i64 64
; CHECK-NEXT:    store i64 %[[Y]], ptr %[[SLOT]], align 8
; CHECK-NEXT:    %[[NEXT:.*]] = call ptr @nopal_sync(ptr %frame, i32 0)
; CHECK-NEXT:    ret ptr %[[NEXT]]
define i64 @f() noinline nounwind "nopal-spawner" {
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0)
  %y = call i64 @more()
  call void @__nopal_sync(i32 0)
  ret i64 %y
}

define internal void @f.spawn() nounwind "nopal-helper"="f" {
  call void @work()
  ret void
}

declare void @__nopal_spawn(ptr, ptr, i32, i32, i32, ...)
declare void @__nopal_sync(i32)
declare void @work() nounwind
declare i64 @more() nounwind
