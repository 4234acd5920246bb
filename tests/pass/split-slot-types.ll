; A slot has the type and the alignment of its value; the widest one aligns the frame.
; RUN: %split %s | FileCheck %s
;
; %bit at 64, %word at the next multiple of 8, %vector at the next multiple of 32, %pair after it.

; CHECK-LABEL: define void @f(
; CHECK:         %nopal.frame = alloca [136 x i8], align 32
; CHECK:         %[[SLOT:.*]] = getelementptr {{.*}}i8, ptr %nopal.frame, i64 64
; CHECK-NEXT:    store i1 %bit, ptr %[[SLOT]], align 1
; CHECK-NEXT:    %[[SLOT:.*]] = getelementptr {{.*}}i8, ptr %nopal.frame, i64 72
; CHECK-NEXT:    store double %word, ptr %[[SLOT]], align 8
; CHECK-NEXT:    %[[SLOT:.*]] = getelementptr {{.*}}i8, ptr %nopal.frame, i64 96
; CHECK-NEXT:    store <8 x i32> %vector, ptr %[[SLOT]], align 32
; CHECK-LABEL: define internal ptr @f.slow(
; CHECK:         %[[SLOT:.*]] = getelementptr {{.*}}i8, ptr %frame, i64 96
; CHECK-NEXT:    %[[VECTOR:.*]] = load <8 x i32>, ptr %[[SLOT]], align 32
; CHECK:         call void @use(i1 %{{.*}}, double %{{.*}}, <8 x i32> %[[VECTOR]], i64 %{{.*}})
define void @f(i1 %bit, double %word, <8 x i32> %vector, i64 %last) noinline nounwind "nopal-spawner" {
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0)
  call void @use(i1 %bit, double %word, <8 x i32> %vector, i64 %last)
  call void @__nopal_sync(i32 0)
  ret void
}

define internal void @f.spawn() nounwind "nopal-helper"="f" {
  call void @work()
  ret void
}

declare void @__nopal_spawn(ptr, ptr, i32, i32, i32, ...)
declare void @__nopal_sync(i32)
declare void @work() nounwind
declare void @use(i1, double, <8 x i32>, i64) nounwind
