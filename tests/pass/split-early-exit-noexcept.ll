; In a noexcept function the syncs are invokes; on an early path they do nothing, too.
; RUN: %split %s | FileCheck %s

; CHECK-LABEL: define i64 @f(i64 %n)
; CHECK:         call i64 @f(i64
; CHECK:         %[[LEFT:.*]] = add nsw i64 %{{.*}}, -2
; CHECK:         %[[TEST:.*]] = icmp slt i64 %{{.*}}, 4
; CHECK-NEXT:    br i1 %[[TEST]],
; CHECK:         call i64 @f(i64 %[[LEFT]])
define i64 @f(i64 %n) noinline nounwind "nopal-spawner" personality ptr @__gxx_personality_v0 {
entry:
  %x = alloca i64
  %small = icmp slt i64 %n, 2
  br i1 %small, label %end, label %work

work:
  %m = add nsw i64 %n, -1
  invoke void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0, i64 %m, ptr %x) to label %on unwind label %never

on:
  %k = add nsw i64 %n, -2
  %y = call i64 @f(i64 %k) nounwind
  invoke void @__nopal_sync(i32 0) to label %done unwind label %never

done:
  %v = load i64, ptr %x
  %sum = add nsw i64 %v, %y
  br label %end

end:
  %r = phi i64 [ %n, %entry ], [ %sum, %done ]
  invoke void @__nopal_sync(i32 0) to label %out unwind label %never

out:
  call void @__nopal_sync(i32 0) nounwind
  ret i64 %r

never:
  %lp = landingpad { ptr, i32 } catch ptr null
  call void @abort() noreturn nounwind
  unreachable
}

define internal void @f.spawn(i64 %n, ptr %x) nounwind "nopal-helper"="f" {
  %v = call i64 @f(i64 %n) nounwind
  store i64 %v, ptr %x
  ret void
}

declare void @__nopal_spawn(ptr, ptr, i32, i32, i32, ...)
declare void @__nopal_sync(i32)
declare void @abort()
declare i32 @__gxx_personality_v0(...)
