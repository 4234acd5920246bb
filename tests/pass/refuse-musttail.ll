; A spawn in a function with a musttail call is refused: the frame has to outlive the call.
; RUN: not %split %s -o /dev/null 2>&1 | FileCheck %s

; CHECK: error: {{.*}} in function f {{.*}}: 'cilk_spawn' in a function with a 'musttail' call is not supported; remove one of them
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
