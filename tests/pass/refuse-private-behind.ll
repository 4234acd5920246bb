; A private temporary that is known behind its statement is refused: the next activation has another one.
; RUN: not %split %s -o /dev/null 2>&1 | FileCheck %s

; CHECK: error: {{.*}} in function f {{.*}}: cilk_spawn whose temporary is used behind its statement is not supported; give the temporary a name
define void @f() noinline nounwind "nopal-spawner" {
  %temporary = call ptr @__nopal_private(i64 24, i64 8)
  %part = getelementptr i8, ptr %temporary, i64 8
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0, ptr %temporary)
  call void @use(ptr %part)
  call void @__nopal_sync(i32 0)
  ret void
}

define internal void @f.spawn(ptr %p) nounwind "nopal-helper"="f" {
  call void @use(ptr %p)
  ret void
}

declare void @__nopal_spawn(ptr, ptr, i32, i32, i32, ...)
declare void @__nopal_sync(i32)
declare ptr @__nopal_private(i64, i64)
declare void @use(ptr) nounwind
