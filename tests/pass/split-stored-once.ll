; A value that is in its slot is not stored again at the second spawn; the frame is entered once.
; RUN: %split %s | FileCheck %s

; CHECK: @[[SITE0:f.site[.0-9]*]] = internal constant {{.*}} { ptr @f.slow, {{.*}}, i32 0, i32 0, ptr @f.steals
; CHECK: @[[SITE1:f.site[.0-9]*]] = internal constant {{.*}} { ptr @f.slow, {{.*}}, i32 1, i32 0, ptr @f.steals

; CHECK-LABEL: define i64 @f(
; CHECK:         store i64 %n, ptr
; CHECK:         %[[JOIN:.*]] = getelementptr {{.*}}i8, ptr %nopal.frame, i64 8
; CHECK-NEXT:    store i64 0, ptr %[[JOIN]]
; CHECK-NEXT:    store i64 ptrtoint (ptr @[[SITE0]] to i64), ptr %nopal.frame
; CHECK:         call void @work(i32 1)
; CHECK:         %late = call i64 @more()
; CHECK-NEXT:    %[[SLOT:.*]] = getelementptr {{.*}}i8, ptr %nopal.frame, i64 72
; CHECK-NEXT:    store i64 %late, ptr %[[SLOT]]
; CHECK-NEXT:    store i64 ptrtoint (ptr @[[SITE1]] to i64), ptr %nopal.frame
; CHECK-NOT:     store i64 %n
; CHECK-NOT:     store i64 0,
; CHECK:         call void @work(i32 2)
define i64 @f(i64 %n) noinline nounwind "nopal-spawner" {
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0, i32 1)
  %late = call i64 @more()
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0, i32 2)
  %sum = add i64 %n, %late
  call void @use(i64 %sum)
  call void @__nopal_sync(i32 0)
  ret i64 %sum
}

define internal void @f.spawn(i32 %i) nounwind "nopal-helper"="f" {
  call void @work(i32 %i)
  ret void
}

declare void @__nopal_spawn(ptr, ptr, i32, i32, i32, ...)
declare void @__nopal_sync(i32)
declare void @work(i32) nounwind
declare i64 @more() nounwind
declare void @use(i64) nounwind
