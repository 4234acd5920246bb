; A slow clone that ends a scope restores no stack pointer, since it is on another stack. It releases the arena and notes in the
; frame what the fast clone's stack pointer is now. The fast clone notes it before each push, and takes it when it is resumed.
; RUN: %split %s | FileCheck %s
; RUN: %opt -mtriple=x86_64-pc-linux-gnu -passes='print<nopal-frame>' -disable-output %s 2>&1 | FileCheck --check-prefix=FRAME %s

; FRAME: 64 {{ *}}8  stack pointer: ptr

; CHECK-LABEL: define void @f(
; CHECK:         %saved = call ptr @llvm.stacksave
; CHECK:         %[[MARK:.*]] = phi ptr [ %saved,
; CHECK:         store ptr %[[MARK]], ptr %[[SLOT:.*]],
; CHECK:         %[[NOW:.*]] = call ptr @llvm.stacksave
; CHECK-NEXT:    %[[STACK:.*]] = getelementptr {{.*}}i8, ptr %nopal.frame, i64 64
; CHECK-NEXT:    store ptr %[[NOW]], ptr %[[STACK]]
; CHECK:         call void @work()
; CHECK:         %[[AGAIN:.*]] = load ptr, ptr %[[SLOT]],
; CHECK:         call void @more()
; CHECK:         %[[EITHER:.*]] = phi ptr [ %[[AGAIN]],
; CHECK-NEXT:    call void @llvm.stackrestore.p0(ptr {{.*}}%[[EITHER]])
; CHECK:         call void @nopal_suspend(
; CHECK-NEXT:    %[[ENDED:.*]] = load ptr, ptr %[[STACK]]
; CHECK-NEXT:    call void @llvm.stackrestore.p0(ptr %[[ENDED]])
; CHECK-LABEL: define internal ptr @f.slow(
; CHECK-NOT:     llvm.stack
; CHECK:         call void @more()
; CHECK-NEXT:    %[[FREED:.*]] = call ptr @nopal_arena_release(ptr %frame, ptr %{{.*}})
; CHECK-NEXT:    %[[THERE:.*]] = getelementptr {{.*}}i8, ptr %frame, i64 64
; CHECK-NEXT:    store ptr %[[FREED]], ptr %[[THERE]]
; CHECK-NEXT:    call void @more()
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
