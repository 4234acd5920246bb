; A function that returns twice is refused also if an invoke calls it.
; RUN: not %split %s -o /dev/null 2>&1 | FileCheck %s

; CHECK: error: {{.*}} in function f {{.*}}: 'cilk_spawn' in a function that calls setjmp is not supported; move the spawn into a function of its own
define void @f(ptr %buffer) noinline "nopal-spawner" personality ptr @__gxx_personality_v0 {
entry:
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0)
  %twice = invoke i32 @_setjmp(ptr %buffer) to label %done unwind label %cleanup

done:
  call void @__nopal_sync(i32 0)
  ret void

cleanup:
  %raised = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %raised
}

define internal void @f.spawn() nounwind "nopal-helper"="f" {
  ret void
}

declare void @__nopal_spawn(ptr, ptr, i32, i32, i32, ...)
declare void @__nopal_sync(i32)
declare i32 @__gxx_personality_v0(...)
declare i32 @_setjmp(ptr) returns_twice
