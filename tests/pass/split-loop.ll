; A spawn in a loop: the slow clone continues the loop with the values of its frame and spawns again itself, with the fast path in line.
; RUN: %split %s | FileCheck %s

; CHECK-LABEL: define void @f(
; CHECK:       loop:
; CHECK-NEXT:    %i = phi i64 [ 0, %entry ], [ %next, %[[BACK:.*]] ]
; CHECK:         call void @work(i64 %i)
; CHECK:         %next = add i64 %i, 1

; CHECK-LABEL: define internal ptr @f.slow(ptr %frame)
; CHECK:         %[[NSLOT:.*]] = getelementptr {{.*}}i8, ptr %frame, i64 64
; CHECK-NEXT:    %[[N:.*]] = load i64, ptr %[[NSLOT]]
; CHECK-NEXT:    %[[ISLOT:.*]] = getelementptr {{.*}}i8, ptr %frame, i64 72
; CHECK-NEXT:    %[[I:.*]] = load i64, ptr %[[ISLOT]]
; CHECK-NEXT:    br label %loop.split
; CHECK:       loop:
; CHECK:         store i64 %[[NEXT:next.*]], ptr %[[ISLOT]]
; CHECK-NOT:     @nopal_fast_
; CHECK:         call void @f.spawn(i64 %[[NEXT]])
; CHECK:       loop.split:
; CHECK-NEXT:    %[[NOW:.*]] = phi i64
; CHECK-SAME:      [ %[[I]], %entry{{[0-9]*}} ]
; CHECK:         %[[NEXT]] = add i64 %[[NOW]], 1
; CHECK-NEXT:    %[[AGAIN:.*]] = icmp slt i64 %[[NEXT]], %[[N]]
; CHECK-NEXT:    br i1 %[[AGAIN]], label %loop, label %done
define void @f(i64 %n) noinline nounwind "nopal-spawner" {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0, i64 %i)
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %done

done:
  call void @__nopal_sync(i32 0)
  ret void
}

define internal void @f.spawn(i64 %i) nounwind "nopal-helper"="f" {
  call void @work(i64 %i)
  ret void
}

declare void @__nopal_spawn(ptr, ptr, i32, i32, i32, ...)
declare void @__nopal_sync(i32)
declare void @work(i64) nounwind
