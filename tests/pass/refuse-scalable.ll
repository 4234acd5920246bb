; A spawn beside a local of scalable size is refused: no frame has a layout for it.
; RUN: not %split %s -o /dev/null 2>&1 | FileCheck %s

; CHECK: error: {{.*}} in function f {{.*}}: 'cilk_spawn' in a function with a local of scalable size is not supported; move the local into another function
define void @f() noinline nounwind "nopal-spawner" {
  %vector = alloca <vscale x 4 x i32>
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0, ptr %vector)
  call void @__nopal_sync(i32 0)
  ret void
}

define internal void @f.spawn(ptr %p) nounwind "nopal-helper"="f" {
  ret void
}

declare void @__nopal_spawn(ptr, ptr, i32, i32, i32, ...)
declare void @__nopal_sync(i32)
