; A spawn beside a value of scalable size is refused: it has no slot.
; RUN: not %split %s -o /dev/null 2>&1 | FileCheck %s

; CHECK: error: {{.*}} in function f {{.*}}: 'cilk_spawn' beside a value that cannot be kept in memory is not supported
define void @f(ptr %p) noinline nounwind "nopal-spawner" {
  %vector = load <vscale x 4 x i32>, ptr %p
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0)
  store <vscale x 4 x i32> %vector, ptr %p
  call void @__nopal_sync(i32 0)
  ret void
}

define internal void @f.spawn() nounwind "nopal-helper"="f" {
  ret void
}

declare void @__nopal_spawn(ptr, ptr, i32, i32, i32, ...)
declare void @__nopal_sync(i32)
