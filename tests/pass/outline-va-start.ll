; After a spawn a list of variable arguments is a copy of one that is made at the entry; in a helper too, which has no variable arguments.
; RUN: %outline %s | FileCheck %s

; CHECK-LABEL: define void @later(
; CHECK-NEXT:    %[[LIST:.*]] = alloca [32 x i8], align 16
; CHECK-NEXT:    %ap = alloca
; CHECK-NEXT:    call void @llvm.va_start.p0(ptr %[[LIST]])
; CHECK:         @__nopal_spawn
; CHECK:         call void @llvm.va_copy.p0(ptr %ap, ptr %[[LIST]])
define void @later(i32 %n, ...) nounwind {
  %ap = alloca [24 x i8]
  call void @__nopal_begin(i32 0, ptr null, i32 1, i32 1, i32 0)
  call void @work(ptr null) "nopal-spawned"
  call void @__nopal_end(i32 0)
  call void @llvm.va_start.p0(ptr %ap)
  call void @work(ptr %ap)
  ret void
}

; CHECK-LABEL: define void @in_a_block(
; CHECK:         call void @llvm.va_start.p0(ptr %[[LIST:.*]])
; CHECK:         @__nopal_spawn(ptr @in_a_block.spawn, {{.*}}, ptr %[[LIST]])
define void @in_a_block(i32 %n, ...) nounwind {
  %ap = alloca [24 x i8]
  call void @__nopal_block_begin(i32 0, ptr null, i32 1, i32 1, i32 0)
  call void @llvm.va_start.p0(ptr %ap)
  call void @work(ptr %ap)
  call void @__nopal_end(i32 0)
  ret void
}

; Before the first spawn it stays what it is.
; CHECK-LABEL: define void @before(
; CHECK-NEXT:    %ap = alloca
; CHECK-NEXT:    call void @llvm.va_start.p0(ptr %ap)
; CHECK-NOT:     va_copy
; CHECK:         ret void
; CHECK-LABEL: define internal void @in_a_block.spawn(
; CHECK:         call void @llvm.va_copy.p0(
define void @before(i32 %n, ...) nounwind {
  %ap = alloca [24 x i8]
  call void @llvm.va_start.p0(ptr %ap)
  call void @__nopal_begin(i32 0, ptr null, i32 1, i32 1, i32 0)
  call void @work(ptr %ap) "nopal-spawned"
  call void @__nopal_end(i32 0)
  ret void
}

declare void @__nopal_begin(i32, ptr, i32, i32, i32)
declare void @__nopal_block_begin(i32, ptr, i32, i32, i32)
declare void @__nopal_end(i32)
declare void @work(ptr) nounwind
