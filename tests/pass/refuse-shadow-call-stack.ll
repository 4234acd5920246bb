; A spawn in a function with a second stack, which belongs to a thread, is refused.
; RUN: not %split %s -o /dev/null 2>&1 | FileCheck %s

; CHECK: error: {{.*}} in function f {{.*}}: 'cilk_spawn' with '-fsanitize=shadow-call-stack' is not supported; compile without it
define void @f() noinline nounwind shadowcallstack "nopal-spawner" {
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0)
  call void @__nopal_sync(i32 0)
  ret void
}

define internal void @f.spawn() nounwind "nopal-helper"="f" {
  ret void
}

declare void @__nopal_spawn(ptr, ptr, i32, i32, i32, ...)
declare void @__nopal_sync(i32)
