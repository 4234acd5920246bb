; The splitter leaves nothing for a second run to do.
; RUN: %split %s -o %t.once.ll
; RUN: FileCheck %s < %t.once.ll
; RUN: %opt -passes=verify -S < %t.once.ll > %t.once
; RUN: %split < %t.once.ll > %t.twice
; RUN: diff %t.once %t.twice

; CHECK: define internal ptr @f.slow(
define void @f() noinline nounwind "nopal-spawner" {
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0)
  call void @work()
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
