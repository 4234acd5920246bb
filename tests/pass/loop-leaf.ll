; A loop becomes a leaf over [lo, hi), a comparison, and a marker; a loop of no more iterations than the grain runs its leaf at once.
; RUN: %outline %s | FileCheck %s --implicit-check-not="call {{.*}}@__nopal_loop_"

; CHECK-LABEL: define void @f(
; CHECK:         br label %loop
; CHECK:       loop:
; CHECK-NEXT:    %[[LIMIT:.*]] = call i64 @llvm.umax.i64(i64 %grain, i64 1)
; CHECK-NEXT:    %[[FEW:.*]] = icmp ule i64 %count, %[[LIMIT]]
; CHECK-NEXT:    br i1 %[[FEW]], label %loop.small, label %loop.divide
; CHECK:       loop.small:
; CHECK-NEXT:    call void @f.leaf(ptr %a, i64 0, i64 %count)
; CHECK-NEXT:    br label %[[END:.*]]
; CHECK:       loop.divide:
; CHECK-NEXT:    call void (ptr, ptr, i32, i32, i64, i64, ...) @__nopal_loop(ptr @f.leaf, ptr @file, i32 3, i32 5, i64 %count, i64 %grain, ptr %a) #[[NOMERGE:[0-9]+]]
; CHECK-NEXT:    br label %[[END]]
; CHECK:       [[END]]:
; CHECK-NEXT:    ret void
; CHECK:       define internal void @f.leaf(ptr %a, i64 %[[LO:.*]], i64 %[[HI:.*]]) #[[LEAF:[0-9]+]]
; CHECK:         %k = phi i64 [ %[[LO]], %{{.*}} ], [ %next, %body ]
; CHECK-NEXT:    %more = icmp ult i64 %k, %[[HI]]
; CHECK:         call void @use(ptr %a, i64 %k)
; CHECK:         ret void
; CHECK-DAG:   attributes #[[LEAF]] = { nounwind "nopal-helper"="f" "target-cpu"="haswell" }
; CHECK-DAG:   attributes #[[NOMERGE]] = { nomerge nounwind }
define void @f(ptr %a, i64 %count, i64 %grain) noinline nounwind "target-cpu"="haswell" {
  call void @__nopal_loop_begin(i32 7, ptr @file, i32 3, i32 5, i32 0, i64 %count, i64 %grain)
  %lo = call i64 @__nopal_loop_low(i32 7)
  %hi = call i64 @__nopal_loop_high(i32 7)
  br label %head

head:
  %k = phi i64 [ %lo, %0 ], [ %next, %body ]
  %more = icmp ult i64 %k, %hi
  br i1 %more, label %body, label %done

body:
  call void @use(ptr %a, i64 %k)
  %next = add nuw i64 %k, 1
  br label %head

done:
  call void @__nopal_loop_end(i32 7)
  ret void
}

@file = private constant [4 x i8] c"f.c\00"
declare void @__nopal_loop_begin(i32, ptr, i32, i32, i32, i64, i64)
declare i64 @__nopal_loop_low(i32) nounwind
declare i64 @__nopal_loop_high(i32) nounwind
declare void @__nopal_loop_end(i32) nounwind
declare void @use(ptr, i64)
