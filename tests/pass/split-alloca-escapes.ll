; An alloca whose address escapes before a spawn is a field of the frame, in both clones at one address.
; RUN: %split %s | FileCheck %s

; CHECK-LABEL: define void @f()
; CHECK:         %nopal.frame = alloca [80 x i8], align 16
; CHECK-NEXT:    %escapes = getelementptr {{.*}}i8, ptr %nopal.frame, i64 64
; CHECK-NOT:     alloca
; CHECK:         call void @remember(ptr {{.*}}%escapes)

; CHECK-LABEL: define internal ptr @f.slow(ptr %frame)
; CHECK-NOT:     alloca
; CHECK:         call void @more()
; CHECK-NEXT:    call ptr @nopal_sync(
define void @f() noinline nounwind "nopal-spawner" {
  %escapes = alloca [2 x i64]
  call void @remember(ptr %escapes)
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0)
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
declare void @remember(ptr) nounwind
declare void @work() nounwind
declare void @more() nounwind
