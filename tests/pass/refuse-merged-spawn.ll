; Markers that another pass has merged are refused: the helper is unknown.
; RUN: not %split %s -o /dev/null 2>&1 | FileCheck %s

; CHECK: error: {{.*}} in function f {{.*}}: 'cilk_spawn' whose child another pass has merged with a second one is not supported; compile without that pass
define void @f(i1 %c) noinline nounwind "nopal-spawner" {
  %helper = select i1 %c, ptr @f.spawn, ptr @f.other
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr %helper, ptr null, i32 1, i32 1, i32 0)
  call void @__nopal_sync(i32 0)
  ret void
}

define internal void @f.spawn() nounwind "nopal-helper"="f" {
  ret void
}

define internal void @f.other() nounwind "nopal-helper"="f" {
  ret void
}

declare void @__nopal_spawn(ptr, ptr, i32, i32, i32, ...)
declare void @__nopal_sync(i32)
