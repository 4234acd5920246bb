; A value of a loop's body that is used after the loop is refused, with the place of the loop.
; RUN: not %outline %s -o /dev/null 2>&1 | FileCheck %s

; CHECK: error: {{.*}} in function f i64 (i64): 'cilk_for' whose body computes a value that is used after it is not supported; store it into a variable instead
define i64 @f(i64 %n) nounwind {
  call void @__nopal_loop_begin(i32 1, ptr null, i32 1, i32 1, i32 0, i64 %n, i64 0)
  %lo = call i64 @__nopal_loop_low(i32 1)
  %result = call i64 @work(i64 %lo)
  call void @__nopal_loop_end(i32 1)
  ret i64 %result
}

declare void @__nopal_loop_begin(i32, ptr, i32, i32, i32, i64, i64)
declare i64 @__nopal_loop_low(i32) nounwind
declare void @__nopal_loop_end(i32) nounwind
declare i64 @work(i64)
