; More than three operands travel in a record of the function that waits for the loop; the leaf gets them one by one.
; RUN: %split %s | FileCheck %s

; CHECK-LABEL: define void @f(
; CHECK:         %[[RECORD:loop.record]] = alloca { ptr, double, i32, i1 }
; CHECK:         store ptr %a, ptr
; CHECK:         store double %x
; CHECK:         store i32 %i
; CHECK:         store i1 %c
; CHECK:         call void @f.loop(ptr {{.*}}%[[RECORD]], i64 0, i64 %n, i64 8)
; CHECK:       define internal void @f.loop(ptr %record, i64 %lo, i64 %hi, i64 %grain)
; CHECK:         call void @f.loop(ptr %record, i64 %from, i64 %mid, i64 %grain)
; CHECK:         %a = load ptr, ptr %{{.*}}
; CHECK:         %x = load double, ptr
; CHECK:         call void @f.leaf(ptr %a, double %x, i32 %i, i1 %c, i64 %{{.*}}, i64 %hi)
define void @f(ptr %a, double %x, i32 %i, i1 %c, i64 %n) nounwind {
  call void (ptr, ptr, i32, i32, i64, i64, ...) @__nopal_loop(ptr @f.leaf, ptr null, i32 3, i32 5, i64 %n, i64 8, ptr %a, double %x, i32 %i, i1 %c) nounwind
  ret void
}

define internal void @f.leaf(ptr %a, double %x, i32 %i, i1 %c, i64 %lo, i64 %hi) nounwind {
  call void @use(ptr %a, double %x, i32 %i, i1 %c, i64 %lo, i64 %hi)
  ret void
}

declare void @__nopal_loop(ptr, ptr, i32, i32, i64, i64, ...)
declare void @use(ptr, double, i32, i1, i64, i64)
