; The stack pointer is saved and restored by the fast clone alone, and what a slow clone "saved" is not restored.
; RUN: %split %s | FileCheck %s

; CHECK-LABEL: define void @f(
; CHECK:         %saved = call ptr @llvm.stacksave
; CHECK:         %[[SAVED:.*]] = phi ptr
; CHECK-SAME:      [ %saved,
; CHECK-NEXT:    %[[NULL:.*]] = icmp eq ptr %[[SAVED]], null
; CHECK-NEXT:    br i1 %[[NULL]], label %[[ON:.*]], label %[[RESTORE:.*]]
; CHECK:       [[RESTORE]]:
; CHECK-NEXT:    call void @llvm.stackrestore.p0(ptr {{.*}}%[[SAVED]])
; CHECK-NEXT:    br label %[[ON]]
; CHECK-LABEL: define internal ptr @f.slow(
; CHECK-NOT:     llvm.stack
; CHECK:         call ptr @nopal_arena_alloc(
; CHECK-NOT:     llvm.stack
; CHECK:         store ptr null, ptr %
; CHECK-NEXT:    call ptr @nopal_sync(
; CHECK-NOT:     llvm.stack
; CHECK:       {{^}$}}
define void @f(i64 %n) noinline nounwind "nopal-spawner" {
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0)
  %saved = call ptr @llvm.stacksave.p0()
  %block = alloca i32, i64 %n
  call void @use(ptr %block)
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
declare void @use(ptr) nounwind
declare void @work() nounwind
declare void @more() nounwind
