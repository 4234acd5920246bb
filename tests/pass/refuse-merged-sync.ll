; A sync that another pass has merged from those of two regions is refused: its region is unknown.
; RUN: not %split %s -o /dev/null 2>&1 | FileCheck %s

; CHECK: error: {{.*}} in function f {{.*}}: 'cilk_sync' that another pass has merged with that of another 'cilk_scope' is not supported; compile without that pass
define void @f(i1 %c) noinline nounwind "nopal-spawner" {
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0)
  %region = select i1 %c, i32 1, i32 2
  call void @__nopal_sync(i32 %region)
  ret void
}

define internal void @f.spawn() nounwind "nopal-helper"="f" {
  ret void
}

declare void @__nopal_spawn(ptr, ptr, i32, i32, i32, ...)
declare void @__nopal_sync(i32)
