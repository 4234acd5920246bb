; Spawns in the two branches of an if each enter the frame, and the first spawn after them does not enter it again.
; RUN: %split %s | FileCheck %s

; CHECK-LABEL: define void @f(
; CHECK-NOT:     store
; CHECK:       left:
; CHECK-NEXT:    %[[JOIN:.*]] = getelementptr {{.*}}i8, ptr %nopal.frame, i64 8
; CHECK-NEXT:    store i64 0, ptr %[[JOIN]]
; CHECK:         call void @work(i32 1)
; CHECK:       right:
; CHECK-NEXT:    %[[JOIN:.*]] = getelementptr {{.*}}i8, ptr %nopal.frame, i64 8
; CHECK-NEXT:    store i64 0, ptr %[[JOIN]]
; CHECK:         call void @work(i32 2)
; CHECK:       join:
; CHECK-NOT:     store i64 0
; CHECK:         call void @work(i32 3)
define void @f(i1 %c) noinline nounwind "nopal-spawner" {
entry:
  br i1 %c, label %left, label %right

left:
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0, i32 1)
  call void @more()
  br label %join

right:
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0, i32 2)
  br label %join

join:
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0, i32 3)
  call void @more()
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
declare void @more() nounwind
