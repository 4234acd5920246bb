; A phi of a path that spawned and one that did not has one slot after both, and its parts have none where they are dead.
; RUN: %split %s | FileCheck %s

; CHECK-LABEL: define i64 @f(
; CHECK:       spawned:
; CHECK-NOT:     store i64 %x
; CHECK:       join:
; CHECK-NEXT:    %v = phi i64 [ %more, %spawned.split ], [ %x, %entry ]
; CHECK-NEXT:    %[[SLOT:.*]] = getelementptr {{.*}}i8, ptr %nopal.frame, i64 64
; CHECK-NEXT:    store i64 %v, ptr %[[SLOT]]

; CHECK-LABEL: define internal ptr @f.slow(ptr %frame)
; CHECK:         switch i32 %index, label %never [
; CHECK-NEXT:      i32 0, label %[[FIRST:.*]]
; CHECK-NEXT:      i32 1, label %[[SECOND:.*]]
; CHECK:       join.split:
; CHECK-NEXT:    %[[V:.*]] = phi i64
; CHECK-SAME:      [ %[[RELOADED:[0-9]+]], %[[SECOND]] ]
; CHECK-NEXT:    call void @use(i64 %[[V]])
; CHECK:       [[FIRST]]:
; CHECK-NEXT:    %[[MORE:.*]] = call i64 @more()
; CHECK-NEXT:    %[[SLOT:.*]] = getelementptr {{.*}}i8, ptr %frame, i64 64
; CHECK-NEXT:    store i64 %[[MORE]], ptr %[[SLOT]]
; CHECK:       [[SECOND]]:
; CHECK-NEXT:    %[[SLOT:.*]] = getelementptr {{.*}}i8, ptr %frame, i64 64
; CHECK-NEXT:    %[[RELOADED]] = load i64, ptr %[[SLOT]]
define i64 @f(i64 %n, i1 %c, i1 %d) noinline nounwind "nopal-spawner" {
entry:
  %x = mul i64 %n, 3
  br i1 %c, label %spawned, label %plain

spawned:
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0, i32 1)
  %more = call i64 @more()
  br label %join

plain:
  br label %join

join:
  %v = phi i64 [ %more, %spawned ], [ %x, %plain ]
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0, i32 2)
  call void @use(i64 %v)
  call void @__nopal_sync(i32 0)
  ret i64 %v
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
