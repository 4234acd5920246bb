; A function that is not split says why, beside the error.
; RUN: not %split %s -o /dev/null -pass-remarks-missed=nopal 2>&1 | FileCheck %s

; CHECK: remark: {{.*}}'f' is not split: 'cilk_spawn' in a function with a 'musttail' call is not supported; remove one of them
; CHECK: error: {{.*}}musttail
define void @f() noinline nounwind "nopal-spawner" {
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0)
  call void @__nopal_sync(i32 0)
  musttail call void @f()
  ret void
}

define internal void @f.spawn() nounwind "nopal-helper"="f" {
  ret void
}

declare void @__nopal_spawn(ptr, ptr, i32, i32, i32, ...)
declare void @__nopal_sync(i32)
