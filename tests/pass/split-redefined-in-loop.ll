; A value that a loop redefines is stored at the first spawn of each iteration, and not at the second.
; RUN: %split %s | FileCheck %s

; CHECK: @[[SITE0:f.site[.0-9]*]] = internal constant {{.*}} { ptr @f.slow, {{.*}}, i32 0, i32 0, ptr @f.steals
; CHECK: @[[SITE1:f.site[.0-9]*]] = internal constant {{.*}} { ptr @f.slow, {{.*}}, i32 1, i32 0, ptr @f.steals

; CHECK-LABEL: define void @f(
; CHECK:       loop:
; CHECK:         %i = phi i64
; CHECK:         %[[SLOT:.*]] = getelementptr {{.*}}i8, ptr %nopal.frame, i64 72
; CHECK-NEXT:    store i64 %i, ptr %[[SLOT]]
; CHECK:         store i64 ptrtoint (ptr @[[SITE0]] to i64), ptr %nopal.frame
; CHECK:         call void @work(i32 1)
; CHECK-NOT:     store i64 %i,
; CHECK:         store i64 ptrtoint (ptr @[[SITE1]] to i64)
; CHECK-NOT:     store i64 %i,
; CHECK:         call void @work(i32 2)
; CHECK-NOT:     store i64 %i,
; CHECK-LABEL: define internal ptr @f.slow(
; CHECK:       loop:
; CHECK:         %[[SLOT:.*]] = getelementptr {{.*}}i8, ptr %frame, i64 72
; CHECK-NEXT:    store i64 %next, ptr %[[SLOT]]
; CHECK:       loop.split:
; CHECK-NEXT:    phi
; CHECK-NEXT:    phi
; CHECK-NEXT:    call void @use(i64 %[[I:.*]])
; CHECK-NOT:     store i64 %[[I]],
; CHECK:         call void @f.spawn(i32 2)
define void @f(i64 %n) noinline nounwind "nopal-spawner" {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0, i32 1)
  call void @use(i64 %i)
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0, i32 2)
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %done

done:
  call void @__nopal_sync(i32 0)
  ret void
}

define internal void @f.spawn(i32 %i) nounwind "nopal-helper"="f" {
  call void @work(i32 %i)
  ret void
}

declare void @__nopal_spawn(ptr, ptr, i32, i32, i32, ...)
declare void @__nopal_sync(i32)
declare void @work(i32) nounwind
declare void @use(i64) nounwind
