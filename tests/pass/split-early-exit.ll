; A child whose first test may end it at once is tested in place: the early path touches no frame; the rest is spawned. The same
; for a call; what it returns meets what was returned early. A child that returned early often says what the next test will say:
; fib(2) has none, and is 1. The rest stands straight after the test.
; RUN: %split %s | FileCheck %s

; CHECK-LABEL: define i64 @f(i64 %n)
; CHECK:         icmp slt i64 %n, 2
; CHECK-NEXT:    br i1 %{{.*}}, label %[[END:[^,]+]], label %[[WORK:[^ ]+]]
; CHECK:       [[WORK]]:
; CHECK-NEXT:    %[[T:.*]] = icmp eq i64 %n, 2
; CHECK-NEXT:    br i1 %[[T]], label %[[EARLY:[^,]+]], label %[[SPAWN:[^ ]+]], !prof ![[LATE:[0-9]+]]
; CHECK:       [[EARLY]]:
; CHECK-NEXT:    br label %[[END]]
; CHECK:       [[SPAWN]]:
; CHECK:         store i64 ptrtoint (ptr @f.site to i64)
; CHECK:         %[[A:.*]] = add{{.*}} i64 %n, -1
; CHECK:         %[[X:.*]] = call i64 @f(i64 %[[A]])
; CHECK:         %[[N:.*]] = load i64, ptr
; CHECK-NEXT:    %[[B:.*]] = add{{.*}} i64 %[[N]], -2
; CHECK-NEXT:    %[[U:.*]] = icmp
; CHECK-NEXT:    br i1 %[[U]], label %[[JOIN:[^,]+]], label %[[CALL:[^ ]+]], !prof ![[LATE]]
; CHECK:       [[CALL]]:
; CHECK-NEXT:    %[[C:.*]] = call i64 @f(i64 %[[B]])
; CHECK:       [[JOIN]]:
; CHECK-NEXT:    phi i64
; CHECK-SAME:      [ %[[C]], %[[CALL]] ]
; CHECK:       [[END]]:
; CHECK-NEXT:    phi i64
; CHECK-SAME:      [ 1, %[[EARLY]] ]
; CHECK:       ![[LATE]] = !{!"branch_weights", i32 2, i32 3}
define i64 @f(i64 %n) noinline nounwind "nopal-spawner" {
entry:
  %x = alloca i64
  %leaf = icmp slt i64 %n, 2
  br i1 %leaf, label %end, label %work

work:
  %a = add i64 %n, -1
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0, i64 %a, ptr %x)
  %b = add i64 %n, -2
  %y = call i64 @f(i64 %b)
  call void @__nopal_sync(i32 0)
  %xv = load i64, ptr %x
  %sum = add i64 %xv, %y
  br label %end

end:
  %r = phi i64 [ %n, %entry ], [ %sum, %work ]
  call void @__nopal_sync(i32 0)
  ret i64 %r
}

define internal void @f.spawn(i64 %a, ptr %x) nounwind "nopal-helper"="f" {
  %v = call i64 @f(i64 %a)
  store i64 %v, ptr %x
  ret void
}

declare void @__nopal_spawn(ptr, ptr, i32, i32, i32, ...)
declare void @__nopal_sync(i32)
