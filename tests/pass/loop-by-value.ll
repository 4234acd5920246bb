; A variable that only the function can write and the body only reads is passed by value; one that others may know, or the body writes, is not.
; RUN: %outline %s | FileCheck %s

; CHECK-LABEL: define void @f(
; CHECK:       loop:
; CHECK-NEXT:    %[[READ:read.value]] = load i64, ptr %read
; CHECK-NOT:     load
; CHECK:         call void @f.leaf(i64 %[[READ]], ptr %written, ptr %known, ptr %volatile, i64 0, i64 %n)
; CHECK:         @__nopal_loop(ptr @f.leaf, ptr null, i32 1, i32 1, i64 %n, i64 0, i64 %[[READ]], ptr %written, ptr %known, ptr %volatile)
; A local's address comes with what is known of the local, and a constant does not come at all.
; CHECK:       define internal void @f.leaf(i64 %[[READ]], ptr noundef nonnull align 8 dereferenceable(8) %written, ptr noundef nonnull align 8 dereferenceable(8) %known, ptr noundef nonnull align 8 dereferenceable(8) %volatile, i64 %lo, i64 %hi)
; CHECK-DAG:     store i64 %[[READ]], ptr %[[COPY:read]],
; CHECK-DAG:     store i64 42, ptr %[[ALWAYS:always]],
; CHECK:         %v1 = load i64, ptr %[[COPY]]
; CHECK-NEXT:    %v2 = load i64, ptr %[[ALWAYS]]
; CHECK-NEXT:    store i64 %v1, ptr %written
; CHECK-NEXT:    %v3 = load i64, ptr %known
; CHECK-NEXT:    %v4 = load volatile i64, ptr %volatile
define void @f(i64 %n) nounwind {
  %read = alloca i64
  %always = alloca i64
  %written = alloca i64
  %known = alloca i64
  %volatile = alloca i64
  store i64 %n, ptr %read
  store i64 42, ptr %always
  store i64 0, ptr %written
  store i64 0, ptr %known
  store i64 0, ptr %volatile
  call void @tell(ptr %known)
  call void @__nopal_loop_begin(i32 1, ptr null, i32 1, i32 1, i32 0, i64 %n, i64 0)
  %v1 = load i64, ptr %read
  %v2 = load i64, ptr %always
  store i64 %v1, ptr %written
  %v3 = load i64, ptr %known
  %v4 = load volatile i64, ptr %volatile
  call void @use(i64 %v1, i64 %v2, i64 %v3, i64 %v4)
  call void @__nopal_loop_end(i32 1)
  %v5 = load i64, ptr %written
  call void @use(i64 %v5, i64 %v5, i64 %v5, i64 %v5)
  store i64 1, ptr %read
  ret void
}

declare void @__nopal_loop_begin(i32, ptr, i32, i32, i32, i64, i64)
declare i64 @__nopal_loop_low(i32) nounwind
declare i64 @__nopal_loop_high(i32) nounwind
declare void @__nopal_loop_end(i32) nounwind
declare void @tell(ptr)
declare void @use(i64, i64, i64, i64)
