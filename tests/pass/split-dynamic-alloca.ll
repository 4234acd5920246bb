; A dynamic alloca of a slow clone comes from the frame's arena, which the fast clone empties at each of its ends. A size that
; overflows is SIZE_MAX, of which the runtime has none.
; RUN: %split %s | FileCheck %s

; CHECK-LABEL: define void @f(
; CHECK:         %[[ARENA:.*]] = getelementptr {{.*}}i8, ptr %nopal.frame, i64 48
; CHECK-NEXT:    store ptr null, ptr %[[ARENA]]
; CHECK:         store i64 %n, ptr %[[SLOT:.*]],
; CHECK:         %[[N:.*]] = load i64, ptr %[[SLOT]],
; CHECK:         %block = alloca i32, i64 %[[N]], align 16
; CHECK:         %[[HEAD:.*]] = load ptr, ptr %[[ARENA]]
; CHECK-NEXT:    %[[EMPTY:.*]] = icmp eq ptr %[[HEAD]], null
; CHECK-NEXT:    br i1 %[[EMPTY]], label %[[END:.*]], label %[[FREE:.*]], !prof
; CHECK:       [[FREE]]:
; CHECK-NEXT:    call void @nopal_arena_free(ptr {{.*}}%nopal.frame)
; CHECK-NEXT:    br label %[[END]]
; CHECK:       [[END]]:
; CHECK-NEXT:    ret void

; CHECK-LABEL: define internal ptr @f.slow(ptr %frame)
; CHECK-NOT:     alloca
; CHECK:         %[[MORE:.*]] = icmp ugt i64 %[[COUNT:.*]], 4611686018427387903
; CHECK-NEXT:    %[[PRODUCT:.*]] = shl i64 %[[COUNT]], 2
; CHECK-NEXT:    %[[BYTES:.*]] = select i1 %[[MORE]], i64 -1, i64 %[[PRODUCT]]
; CHECK-NEXT:    %[[BLOCK:.*]] = call ptr @nopal_arena_alloc(ptr %frame, i64 %[[BYTES]], i64 16)
; CHECK-NEXT:    call void @use(ptr %[[BLOCK]])
; CHECK-NOT:     nopal_arena_free
; CHECK:         ret ptr
define void @f(i64 %n) noinline nounwind "nopal-spawner" {
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0)
  %block = alloca i32, i64 %n, align 16
  call void @use(ptr %block)
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
