; A scope that began in a slow clone may end in a fast clone that is resumed: it releases what the arena got since, if there is
; an arena, even if the optimizer has removed the dynamic alloca between the two.
; RUN: %split %s | FileCheck %s --implicit-check-not=nopal_arena_alloc

; CHECK-LABEL: define void @f(
; CHECK:         %[[ARENA:.*]] = getelementptr {{.*}}i8, ptr %nopal.frame, i64 48
; CHECK-NEXT:    store ptr null, ptr %[[ARENA]]
; CHECK:         %[[MARK:.*]] = phi ptr [ %{{.*}}, %stolen ], [ %{{.*}} ]
; CHECK:         %[[HEAD:.*]] = load ptr, ptr %[[ARENA]]
; CHECK-NEXT:    %[[EMPTY:.*]] = icmp eq ptr %[[HEAD]], null
; CHECK-NEXT:    br i1 %[[EMPTY]], label %[[LATER:.*]], label %[[RELEASE:.*]], !prof
; CHECK:       [[RELEASE]]:
; CHECK-NEXT:    %[[STACK:.*]] = call ptr @nopal_arena_release(ptr {{.*}}%nopal.frame, ptr %[[MARK]])
; CHECK-NEXT:    br label %[[LATER]]
; CHECK:       [[LATER]]:
; CHECK-NEXT:    %[[EITHER:.*]] = phi ptr [ %[[MARK]], %{{.*}} ], [ %[[STACK]], %[[RELEASE]] ]
; CHECK-NEXT:    call void @llvm.stackrestore.p0(ptr %[[EITHER]])
; CHECK-LABEL: define internal ptr @f.slow(
; CHECK:         call ptr @nopal_arena_mark(
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
