; A spawn after a branch that may have spawned enters the frame and stores again: one path has not.
; RUN: %split %s | FileCheck %s

; CHECK-LABEL: define void @f(
; CHECK:       maybe:
; CHECK:         store i64 %n,
; CHECK:         store i64 0,
; CHECK:         call void @work(i32 1)
; CHECK:       join:
; CHECK:         store i64 %{{.*}}, ptr
; CHECK:         %[[JOIN:.*]] = getelementptr {{.*}}i8, ptr %nopal.frame, i64 8
; CHECK-NEXT:    store i64 0, ptr %[[JOIN]]
; CHECK:         call void @work(i32 2)
define void @f(i1 %c, i64 %n) noinline nounwind "nopal-spawner" {
entry:
  br i1 %c, label %maybe, label %join

maybe:
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0, i32 1)
  call void @__nopal_sync(i32 0)
  br label %join

join:
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0, i32 2)
  call void @use(i64 %n)
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
