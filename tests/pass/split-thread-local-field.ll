; An address made from that of a thread-local is made again where it is used; neither has a slot.
; RUN: %split %s | FileCheck %s

; CHECK-LABEL: define void @f(
; CHECK:         %nopal.frame = alloca [72 x i8], align 16
; CHECK-NOT:     store ptr
; CHECK:         call void @work()
; CHECK-LABEL: define internal ptr @f.slow(
; CHECK:         %[[SLOT:.*]] = getelementptr {{.*}}i8, ptr %frame, i64 64
; CHECK-NEXT:    %[[I:.*]] = load i64, ptr %[[SLOT]]
; CHECK-NEXT:    %[[ADDRESS:.*]] = call ptr @nopal.thread.table()
; CHECK-NEXT:    %[[FIELD:.*]] = getelementptr {{.*}}i64, ptr %[[ADDRESS]], i64 %[[I]]
; CHECK-NEXT:    call void @use(ptr %[[FIELD]])
@table = thread_local global [9 x i64] zeroinitializer
define void @f(i64 %i) noinline nounwind "nopal-spawner" {
  %address = call ptr @llvm.threadlocal.address.p0(ptr @table)
  %field = getelementptr i64, ptr %address, i64 %i
  call void @use(ptr %field)
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0)
  call void @use(ptr %field)
  call void @__nopal_sync(i32 0)
  ret void
}

define internal void @f.spawn() nounwind "nopal-helper"="f" {
  call void @work()
  ret void
}

declare void @__nopal_spawn(ptr, ptr, i32, i32, i32, ...)
declare void @__nopal_sync(i32)
declare void @use(ptr) nounwind nosync
declare void @work() nounwind
