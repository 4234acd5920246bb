; The outliner leaves nothing for a second run to do.
; RUN: %outline %s -o %t.once.ll
; RUN: FileCheck %s < %t.once.ll
; RUN: %opt -passes=verify -S < %t.once.ll > %t.once
; RUN: %outline < %t.once.ll > %t.twice
; RUN: diff %t.once %t.twice

; CHECK: define internal void @f.spawn(
define void @f() nounwind {
  call void @__nopal_begin(i32 1, ptr null, i32 1, i32 1, i32 0)
  call void @work() "nopal-spawned"
  call void @__nopal_end(i32 1)
  call void @__nopal_sync(i32 0)
  ret void
}

declare void @__nopal_begin(i32, ptr, i32, i32, i32)
declare void @__nopal_end(i32)
declare void @__nopal_sync(i32)
declare void @work()
