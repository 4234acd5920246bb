; A spawn in a function with funclets (the exceptions of Windows) is refused.
; RUN: not %split %s -o /dev/null 2>&1 | FileCheck %s

; CHECK: error: {{.*}} in function f {{.*}}: 'cilk_spawn' with this exception model is not supported
define void @f() noinline "nopal-spawner" personality ptr @__CxxFrameHandler3 {
entry:
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0)
  invoke void @more() to label %done unwind label %cleanup

done:
  call void @__nopal_sync(i32 0)
  ret void

cleanup:
  %pad = cleanuppad within none []
  cleanupret from %pad unwind to caller
}

define internal void @f.spawn() nounwind "nopal-helper"="f" {
  ret void
}

declare void @__nopal_spawn(ptr, ptr, i32, i32, i32, ...)
declare void @__nopal_sync(i32)
declare i32 @__CxxFrameHandler3(...)
declare void @more()
