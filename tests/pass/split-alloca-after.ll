; An alloca that is used after a spawn is a field of the frame, even if its address escapes nowhere before it.
; RUN: %split %s | FileCheck %s

; CHECK-LABEL: define i64 @f(
; CHECK:         %nopal.frame = alloca [80 x i8], align 16
; CHECK-NEXT:    %array = getelementptr {{.*}}i8, ptr %nopal.frame, i64 64
; CHECK-NEXT:    store i64 %n, ptr %array

; CHECK-LABEL: define internal ptr @f.slow(ptr %frame)
; CHECK:         %[[ARRAY:array.*]] = getelementptr {{.*}}i8, ptr %frame, i64 64
; CHECK-NEXT:    call void @use(ptr {{.*}}%[[ARRAY]])
define i64 @f(i64 %n) noinline nounwind "nopal-spawner" {
  %array = alloca [2 x i64]
  store i64 %n, ptr %array
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0)
  call void @use(ptr %array)
  call void @__nopal_sync(i32 0)
  ret i64 0
}

define internal void @f.spawn() nounwind "nopal-helper"="f" {
  call void @work()
  ret void
}

declare void @__nopal_spawn(ptr, ptr, i32, i32, i32, ...)
declare void @__nopal_sync(i32)
declare void @use(ptr) nounwind
declare void @work() nounwind
