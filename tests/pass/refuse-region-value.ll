; A region that becomes a function of its own, and computes a value that is used after it, is refused.
; RUN: not %outline %s -o /dev/null 2>&1 | FileCheck %s

; CHECK: error: {{.*}} in function f i64 (): a sync region that computes a value of the function around it is not supported; store it into a variable instead
define i64 @f() nounwind {
  call void @__nopal_begin(i32 1, ptr null, i32 1, i32 1, i32 0)
  call void @child() "nopal-spawned"
  call void @__nopal_end(i32 1)
  call void @__nopal_region_begin(i32 2, ptr null, i32 2, i32 2, i32 1)
  call void @__nopal_begin(i32 3, ptr null, i32 3, i32 3, i32 1)
  call void @child() "nopal-spawned"
  call void @__nopal_end(i32 3)
  %result = call i64 @work()
  call void @__nopal_sync(i32 1)
  call void @__nopal_region_end(i32 2)
  call void @__nopal_sync(i32 0)
  ret i64 %result
}

declare void @__nopal_begin(i32, ptr, i32, i32, i32)
declare void @__nopal_end(i32)
declare void @__nopal_region_begin(i32, ptr, i32, i32, i32)
declare void @__nopal_region_end(i32)
declare void @__nopal_sync(i32)
declare void @child()
declare i64 @work()
