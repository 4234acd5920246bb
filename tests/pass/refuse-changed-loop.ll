; With pedigrees, a cilk_for whose serial loop has no comparison with its bounds any more is refused.
; RUN: not %outline -nopal-pedigrees %s -o /dev/null 2>&1 | FileCheck %s

; CHECK: error: {{.*}} in function f void (): 'cilk_for' whose serial loop another pass has changed is not supported; compile without that pass
define void @f() nounwind {
  call void @__nopal_loop_begin(i32 1, ptr null, i32 1, i32 1, i32 0, i64 1, i64 0)
  %k = call i64 @__nopal_loop_low(i32 1)
  call void @work(i64 %k)
  call void @__nopal_loop_end(i32 1)
  call void @__nopal_sync(i32 0)
  ret void
}

declare void @__nopal_loop_begin(i32, ptr, i32, i32, i32, i64, i64)
declare i64 @__nopal_loop_low(i32)
declare void @__nopal_loop_end(i32)
declare void @__nopal_sync(i32)
declare void @work(i64)
