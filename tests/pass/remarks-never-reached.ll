; A spawn that is never reached gives no remark.
; RUN: %opt -mtriple=x86_64-pc-linux-gnu -passes=nopal-split -pass-remarks='.*' -disable-output %s 2>&1 | FileCheck --allow-empty %s

; CHECK-NOT: {{.}}
define void @f() noinline nounwind "nopal-spawner" {
  call void @__nopal_sync(i32 0)
  ret void
never:
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0)
  call void @__nopal_sync(i32 0)
  ret void
}

define internal void @f.spawn() nounwind "nopal-helper"="f" {
  call void @work()
  ret void
}

declare void @__nopal_spawn(ptr, ptr, i32, i32, i32, ...)
declare void @__nopal_sync(i32)
declare void @work() nounwind
