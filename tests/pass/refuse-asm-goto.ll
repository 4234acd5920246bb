; A spawn in a function with an assembly jump is refused.
; RUN: not %split %s -o /dev/null 2>&1 | FileCheck %s

; CHECK: error: {{.*}} in function f {{.*}}: 'cilk_spawn' in a function with 'asm goto' is not supported; move the spawn into a function of its own
define void @f() noinline nounwind "nopal-spawner" {
entry:
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0)
  call void @__nopal_sync(i32 0)
  callbr void asm sideeffect "jmp ${0:l}", "!i"() to label %one [label %two]

one:
  ret void

two:
  ret void
}

define internal void @f.spawn() nounwind "nopal-helper"="f" {
  ret void
}

declare void @__nopal_spawn(ptr, ptr, i32, i32, i32, ...)
declare void @__nopal_sync(i32)
