; A loop that never reaches its end runs in place, over all its iterations.
; RUN: %outline %s | FileCheck %s --implicit-check-not="call {{.*}}@__nopal_" --implicit-check-not=.leaf

; CHECK-LABEL: define void @f(
; CHECK-NEXT:    call void @work(i64 0, i64 %n)
; CHECK-NEXT:    unreachable
define void @f(i64 %n) nounwind {
  call void @__nopal_loop_begin(i32 1, ptr null, i32 1, i32 1, i32 0, i64 %n, i64 0)
  %lo = call i64 @__nopal_loop_low(i32 1)
  %hi = call i64 @__nopal_loop_high(i32 1)
  call void @work(i64 %lo, i64 %hi)
  unreachable
}

declare void @__nopal_loop_begin(i32, ptr, i32, i32, i32, i64, i64)
declare i64 @__nopal_loop_low(i32) nounwind
declare i64 @__nopal_loop_high(i32) nounwind
declare void @__nopal_loop_end(i32) nounwind
declare void @work(i64, i64) noreturn
