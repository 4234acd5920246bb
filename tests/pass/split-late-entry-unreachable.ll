; A block that nobody reaches leads into the tests: what is cut off gets what is left of the phi, a constant here.
; RUN: %split %s | FileCheck %s

; CHECK-LABEL: define i64 @f(
; CHECK:         tail call i64 @f.late(
; CHECK-LABEL: define internal i64 @f.late(
define i64 @f(i64 %n) noinline nounwind "nopal-spawner" {
entry:
  br label %t
dead:
  br label %t
t:
  %c = phi i64 [ 5, %entry ], [ %n, %dead ]
  %a0 = mul i64 %n, 13
  %a1 = xor i64 %a0, %n
  %a2 = lshr i64 %a1, 3
  %m = add i64 %a2, %n
  %m2 = add i64 %m, 77
  %leaf = icmp slt i64 %m2, 7
  br i1 %leaf, label %end, label %work
work:
  %x = alloca i64
  %a = add i64 %m, -7
  %b = sub i64 %a, %c
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0, i64 %a)
  %y = call i64 @f(i64 %b)
  call void @__nopal_sync(i32 0)
  br label %end
end:
  %r = phi i64 [ %m, %t ], [ %y, %work ]
  call void @__nopal_sync(i32 0)
  ret i64 %r
}
define internal void @f.spawn(i64 %a) nounwind "nopal-helper"="f" {
  %v = call i64 @f(i64 %a)
  ret void
}
declare void @__nopal_spawn(ptr, ptr, i32, i32, i32, ...)
declare void @__nopal_sync(i32)
