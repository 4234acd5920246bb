; A fast clone that is resumed does not restore the stack pointer that a slow clone "saved", even if the optimizer has removed the dynamic
; alloca between the two.
; RUN: %split %s | FileCheck %s --implicit-check-not=nopal_arena

; CHECK-LABEL: define void @f(
; CHECK:         [[SAVED:%.*]] = phi ptr
; CHECK:         [[NULL:%.*]] = icmp eq ptr [[SAVED]], null
; CHECK-NEXT:    br i1 [[NULL]], label %[[BEHIND:.*]], label %[[RESTORE:.*]]
; CHECK:       [[RESTORE]]:
; CHECK-NEXT:    call void @llvm.stackrestore.p0(ptr {{.*}}[[SAVED]])
; CHECK-NEXT:    br label %[[BEHIND]]
define void @f() noinline nounwind "nopal-spawner" {
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0)
  %saved = call ptr @llvm.stacksave.p0()
  call void @more()
  call void @__nopal_sync(i32 0)
  call void @llvm.stackrestore.p0(ptr %saved)
  call void @more()
  ret void
}

define internal void @f.spawn() nounwind "nopal-helper"="f" {
  call void @work()
  ret void
}

declare void @__nopal_spawn(ptr, ptr, i32, i32, i32, ...)
declare void @__nopal_sync(i32)
declare void @work() nounwind
declare void @more() nounwind
