; Early paths stand before an invoke too, and several of them meet: values, phis of the early blocks and the handler stay right.
; RUN: %split %s | FileCheck %s

; CHECK-LABEL: define i64 @g(i64 %n)
; CHECK:         store i64 %n, ptr %[[SLOT:.*]],
; CHECK:         %[[N:.*]] = load i64, ptr %[[SLOT]],
; CHECK:         %[[NEG:.*]] = icmp slt i64 %[[N]], 0
; CHECK:         %[[PICK:.*]] = select i1 %[[NEG]], i64 7, i64 9
; CHECK:         invoke i64 @f(i64 %[[N]])
; CHECK:         phi i64 [ %{{.*}}, %{{.*}} ], [ %[[PICK]], %{{.*}} ]
define i64 @g(i64 %n) noinline "nopal-spawner" personality ptr @__gxx_personality_v0 {
entry:
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @g.spawn, ptr null, i32 1, i32 1, i32 0) nounwind
  %y = invoke i64 @f(i64 %n) to label %fine unwind label %pad

fine:
  call void @__nopal_sync(i32 0) nounwind
  ret i64 %y

pad:
  %lp = landingpad { ptr, i32 } cleanup
  call void @more()
  resume { ptr, i32 } %lp
}

define i64 @f(i64 %n) noinline "nopal-spawner" {
entry:
  %neg = icmp slt i64 %n, 0
  %small = icmp slt i64 %n, 2
  br i1 %small, label %tiny, label %work

tiny:
  br i1 %neg, label %below, label %end

below:
  br label %end

work:
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @g.spawn, ptr null, i32 1, i32 1, i32 0) nounwind
  %big = call i64 @other(i64 %n)
  br label %end

end:
  %r = phi i64 [ 9, %tiny ], [ 7, %below ], [ %big, %work ]
  call void @__nopal_sync(i32 0) nounwind
  ret i64 %r
}

define internal void @g.spawn() nounwind "nopal-helper"="g" {
  call void @more()
  ret void
}

declare i64 @other(i64)
declare i32 @__gxx_personality_v0(...)
declare void @__nopal_spawn(ptr, ptr, i32, i32, i32, ...)
declare void @__nopal_sync(i32)
declare void @more() nounwind
