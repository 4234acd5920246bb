; A private temporary is an alloca of each clone's activation and no part of the frame, even if a loop builds it in each iteration.
; RUN: %split %s | FileCheck %s

; CHECK-LABEL: define void @f(
; CHECK:         %nopal.frame = alloca [80 x i8], align 16
; CHECK:         %temporary = alloca [24 x i8], align 8
; CHECK:       loop:
; CHECK:         call void @build(ptr {{.*}}%temporary)
; CHECK:         call void @work(ptr {{.*}}%temporary)

; CHECK-LABEL: define internal ptr @f.slow(ptr %frame)
; CHECK-NEXT:  entry{{.*}}:
; CHECK-NEXT:    %[[TEMPORARY:temporary.*]] = alloca [24 x i8], align 8
; CHECK:         call void @build(ptr {{.*}}%[[TEMPORARY]])
; CHECK:         call void @f.spawn(ptr {{.*}}%[[TEMPORARY]])
; CHECK-NOT:     __nopal_private
define void @f(i64 %n) noinline nounwind "nopal-spawner" {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %temporary = call ptr @__nopal_private(i64 24, i64 8)
  call void @build(ptr %temporary)
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0, ptr %temporary)
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %done

done:
  call void @__nopal_sync(i32 0)
  ret void
}

define internal void @f.spawn(ptr %t) nounwind "nopal-helper"="f" {
  call void @work(ptr %t)
  ret void
}

declare void @__nopal_spawn(ptr, ptr, i32, i32, i32, ...)
declare void @__nopal_sync(i32)
declare ptr @__nopal_private(i64, i64)
declare void @build(ptr) nounwind
declare void @work(ptr) nounwind
