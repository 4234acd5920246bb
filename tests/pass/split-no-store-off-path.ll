; The path that does not spawn stores nothing and calls nothing of the runtime.
; RUN: %split %s | FileCheck %s

; CHECK-LABEL: define i64 @f(
; CHECK-NEXT:  entry:
; CHECK-NEXT:    %nopal.frame = alloca
; CHECK-NEXT:    %small = icmp slt i64 %n, 2
; CHECK-NEXT:    br i1 %small, label %[[DONE:.*]], label %more
; CHECK:       more:
; CHECK:         store i64 %n,
; CHECK:         store i64 ptrtoint (ptr @f.site to i64), ptr %nopal.frame
; CHECK:       [[DONE]]:
; CHECK-NEXT:    %[[RESULT:.*]] = phi i64 [ %n, %entry ]
; CHECK-NEXT:    ret i64 %[[RESULT]]
define i64 @f(i64 %n) noinline nounwind "nopal-spawner" {
entry:
  %small = icmp slt i64 %n, 2
  br i1 %small, label %done, label %more

more:
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0)
  call void @use(i64 %n)
  call void @__nopal_sync(i32 0)
  br label %done

done:
  call void @__nopal_sync(i32 0)
  ret i64 %n
}

define internal void @f.spawn() nounwind "nopal-helper"="f" {
  call void @work()
  ret void
}

declare void @__nopal_spawn(ptr, ptr, i32, i32, i32, ...)
declare void @__nopal_sync(i32)
declare void @work() nounwind
declare void @use(i64) nounwind
