; A sync in a try block whose handlers are not where Clang has them is refused.
; RUN: not %outline %s -o /dev/null 2>&1 | FileCheck %s

; CHECK: error: {{.*}} in function f void (): a sync in a try block that does not spawn, and whose handlers are not found, is not supported
define void @f() personality ptr @__gxx_personality_v0 {
entry:
  call void @__nopal_try_begin(i32 1, i32 0)
  invoke void @__nopal_try_body(i32 1) to label %body unwind label %pad

body:
  invoke void @__nopal_pass_through_sync(i32 0, i32 1) to label %done unwind label %pad

pad:
  %lp = landingpad { ptr, i32 } catch ptr null
  unreachable

done:
  ret void
}

declare i32 @__gxx_personality_v0(...)
declare void @__nopal_try_begin(i32, i32)
declare void @__nopal_try_body(i32)
declare void @__nopal_pass_through_sync(i32, i32)
