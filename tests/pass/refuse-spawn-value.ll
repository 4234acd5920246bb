; A child that computes a value of its parent is refused, with the place of the statement.
; RUN: not %outline %s -o /dev/null 2>&1 | FileCheck %s

; CHECK: error: {{.*}} in function f i64 (): 'cilk_spawn' whose child computes a value of its parent is not supported; store it into a variable instead
define i64 @f() nounwind {
  call void @__nopal_begin(i32 1, ptr null, i32 1, i32 1, i32 0)
  %result = call i64 @work() "nopal-spawned"
  call void @__nopal_end(i32 1)
  call void @__nopal_sync(i32 0)
  ret i64 %result
}

declare void @__nopal_begin(i32, ptr, i32, i32, i32)
declare void @__nopal_end(i32)
declare void @__nopal_sync(i32)
declare i64 @work()
