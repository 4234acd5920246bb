; An over-aligned alloca keeps its alignment in the frame, and the frame takes it.
; RUN: %split %s | FileCheck %s
;
; Header (64 bytes), slot of %n, then %vector at the next multiple of 128.

; CHECK-LABEL: define i64 @f(
; CHECK:         %nopal.frame = alloca [256 x i8], align 128
; CHECK-NEXT:    %vector = getelementptr {{.*}}i8, ptr %nopal.frame, i64 128
; CHECK:         %[[SLOT:.*]] = getelementptr {{.*}}i8, ptr %nopal.frame, i64 64
; CHECK-NEXT:    store i64 %n, ptr %[[SLOT]]
; CHECK-LABEL: define internal ptr @f.slow(ptr %frame)
; CHECK:         %{{.*}} = getelementptr {{.*}}i8, ptr %frame, i64 128
define i64 @f(i64 %n) noinline nounwind "nopal-spawner" {
  %vector = alloca [16 x i64], align 128
  call void @use(ptr %vector)
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0)
  call void @use(ptr %vector)
  call void @__nopal_sync(i32 0)
  ret i64 %n
}

define internal void @f.spawn() nounwind "nopal-helper"="f" {
  call void @work()
  ret void
}

declare void @__nopal_spawn(ptr, ptr, i32, i32, i32, ...)
declare void @__nopal_sync(i32)
declare void @use(ptr) nounwind
declare void @work() nounwind
