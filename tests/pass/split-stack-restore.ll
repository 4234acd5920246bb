; A slow clone restores no stack pointer: it is on another stack, and its dynamic allocas are not on it at all.
; RUN: %split %s | FileCheck %s

; CHECK-LABEL: define void @f(
; CHECK:         %saved = call ptr @llvm.stacksave
; CHECK:         store ptr %saved, ptr %[[SLOT:.*]],
; CHECK:         %[[AGAIN:.*]] = load ptr, ptr %[[SLOT]],
; CHECK:         call void @more()
; CHECK:         call void @llvm.stackrestore.p0(ptr {{.*}}%[[AGAIN]])
; CHECK-LABEL: define internal ptr @f.slow(
; CHECK-NOT:     llvm.stack
; CHECK:         call void @more()
; CHECK-NOT:     llvm.stack
; CHECK:         call void @more()
; CHECK-NEXT:    call ptr @nopal_sync(
; CHECK-NOT:     llvm.stack
; CHECK:       {{^}$}}
define void @f(i64 %n) noinline nounwind "nopal-spawner" {
  %saved = call ptr @llvm.stacksave.p0()
  %block = alloca i32, i64 %n
  call void @use(ptr %block)
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0)
  call void @more()
  call void @llvm.stackrestore.p0(ptr %saved)
  call void @more()
  call void @__nopal_sync(i32 0)
  ret void
}

define internal void @f.spawn() nounwind "nopal-helper"="f" {
  call void @work()
  ret void
}

declare void @__nopal_spawn(ptr, ptr, i32, i32, i32, ...)
declare void @__nopal_sync(i32)
declare void @use(ptr) nounwind
declare void @work() nounwind
declare void @more() nounwind
