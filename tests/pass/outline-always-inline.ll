; always_inline does not count for a function that spawns; one that does not spawn keeps it.
; A spawning function that exists only to be inlined becomes this module's own.
; RUN: %opt -mtriple=x86_64-pc-linux-gnu -passes=nopal-outline,always-inline -verify-each -S %s | FileCheck %s

; CHECK-LABEL: define internal void @spawns(
define internal void @spawns() nounwind alwaysinline {
  call void @__nopal_begin(i32 1, ptr null, i32 1, i32 1, i32 0)
  call void @work() "nopal-spawned"
  call void @__nopal_end(i32 1)
  call void @more()
  call void @__nopal_sync(i32 0)
  ret void
}

; CHECK-LABEL: define internal void @inline_only(
; CHECK-LABEL: define available_externally void @addressed(
define available_externally void @inline_only() nounwind alwaysinline {
  call void @__nopal_begin(i32 1, ptr null, i32 1, i32 1, i32 0)
  call void @work() "nopal-spawned"
  call void @__nopal_end(i32 1)
  call void @__nopal_sync(i32 0)
  ret void
}

define available_externally void @addressed() nounwind alwaysinline {
  call void @__nopal_begin(i32 1, ptr null, i32 1, i32 1, i32 0)
  call void @work() "nopal-spawned"
  call void @__nopal_end(i32 1)
  call void @__nopal_sync(i32 0)
  ret void
}

define ptr @address() nounwind {
  call void @inline_only()
  ret ptr @addressed
}

define internal void @plain() nounwind alwaysinline {
  call void @more()
  ret void
}

; CHECK-LABEL: define void @caller(
; CHECK-NEXT:    call void @spawns()
; CHECK-NEXT:    call void @more()
; CHECK-NEXT:    ret void
define void @caller() nounwind {
  call void @spawns()
  call void @plain()
  ret void
}

declare void @__nopal_begin(i32, ptr, i32, i32, i32)
declare void @__nopal_end(i32)
declare void @__nopal_sync(i32)
declare void @work()
declare void @more()
