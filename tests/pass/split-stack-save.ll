; A slow clone that begins a scope marks the frame's arena; the fast clone saves its stack pointer, and marks the arena as well if
; that is not empty. What either saved, the other can restore.
; RUN: %split %s | FileCheck %s

; CHECK-LABEL: define void @f(
; CHECK:         %saved = call ptr @llvm.stacksave
; CHECK-NEXT:    %[[HEAD:.*]] = load ptr, ptr %{{.*}}
; CHECK-NEXT:    %[[EMPTY:.*]] = icmp eq ptr %[[HEAD]], null
; CHECK-NEXT:    br i1 %[[EMPTY]], label %[[ON:.*]], label %[[MARK:.*]], !prof
; CHECK:       [[MARK]]:
; CHECK-NEXT:    %[[MARKED:.*]] = call ptr @nopal_arena_mark(ptr {{.*}}%nopal.frame, ptr %saved)
; CHECK:       [[ON]]:
; CHECK-NEXT:    %[[SAVED:.*]] = phi ptr [ %saved, %{{.*}} ], [ %[[MARKED]], %[[MARK]] ]
; CHECK:         %[[FROM:.*]] = phi ptr [ %{{.*}}, %stolen ], [ %[[SAVED]], %[[ON]] ]
; CHECK:         call ptr @nopal_arena_release(ptr {{.*}}%nopal.frame, ptr %[[FROM]])
; CHECK-LABEL: define internal ptr @f.slow(
; CHECK-NOT:     llvm.stack
; CHECK:         %[[STACK:.*]] = load ptr, ptr %{{.*}}
; CHECK-NEXT:    %[[MINE:.*]] = call ptr @nopal_arena_mark(ptr %frame, ptr %[[STACK]])
; CHECK:         call ptr @nopal_arena_alloc(
; CHECK-NOT:     llvm.stack
; CHECK:         store ptr %[[MINE]], ptr %
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
