; The range is divided by a function of its own: it spawns the lower half while more than the grain is left, and calls the leaf, once
; for both clones. What is not more than the grain is a call of the leaf, where it is spawned and where the loop stands.
; RUN: %split %s | FileCheck %s --implicit-check-not=@__nopal_

; CHECK:       @f.loop.site = internal constant { {{.*}} } { ptr @f.loop.slow, ptr @{{.*}}, ptr @file, i32 3, i32 5, i32 0, i32 0, ptr @f.loop.steals, i32 4096,
; CHECK-LABEL: define void @f(
; CHECK-NOT:     @nopal_loop_grain
; CHECK:         call void @f.loop(ptr %a, i64 0, i64 %n, i64 100)
; CHECK-LABEL: define void @default(
; CHECK:         %[[GRAIN:.*]] = call i64 @nopal_loop_grain(i64 %n, i64 1)
; CHECK:         icmp ugt i64 %n, %[[GRAIN]]
; CHECK:         call void @f.loop(ptr %a, i64 0, i64 %n, i64 %[[GRAIN]])
; CHECK:         call void @f.leaf(ptr %a, i64 0, i64 %n)
; CHECK-LABEL: define void @asked(
; CHECK:         %[[DEFAULT:.*]] = call i64 @nopal_loop_grain(i64 %n, i64 1)
; CHECK:         %[[NONE:.*]] = icmp eq i64 %grain, 0
; CHECK:         %[[GRAIN:.*]] = select i1 %[[NONE]], i64 %[[DEFAULT]], i64 %grain
; CHECK:         icmp ugt i64 %n, %[[GRAIN]]
; CHECK:         call void @f.loop(ptr %a, i64 0, i64 %n, i64 %[[GRAIN]])
; CHECK:       define internal void @f.loop(ptr %a, i64 %lo, i64 %hi, i64 %grain) #[[LOOP:[0-9]+]] align 64
; CHECK:         %all = sub nuw i64 %hi, %lo
; CHECK:         %from = phi
; CHECK:         %length = phi
; CHECK:         %[[MOST:.*]] = add i64 %length, -1
; CHECK-DAG:     %[[LOW:.*]] = call {{.*}}i64 @llvm.ctlz.i64(i64 %grain, i1 true)
; CHECK-DAG:     %[[HIGH:.*]] = call {{.*}}i64 @llvm.ctlz.i64(i64 %[[MOST]], i1 true)
; CHECK:         %[[SHIFT:.*]] = sub {{.*}}i64 %[[LOW]], %[[HIGH]]
; CHECK-NEXT:    %[[SIZE:.*]] = shl i64 %grain, %[[SHIFT]]
; CHECK-NEXT:    %[[OVER:.*]] = icmp ugt i64 %[[SIZE]], %[[MOST]]
; CHECK-NEXT:    %[[ONE:.*]] = zext i1 %[[OVER]] to i64
; CHECK-NEXT:    %[[STEP:.*]] = lshr i64 %[[SIZE]], %[[ONE]]
; CHECK-NEXT:    %mid = add nuw i64 %from, %[[STEP]]
; CHECK:         icmp ugt i64 %[[STEP]], %grain
; CHECK:         call void @f.loop(ptr %a, i64 %from, i64 %mid, i64 %grain)
; CHECK:         call void @f.leaf(ptr %a, i64 %from, i64 %mid)
; CHECK:         call void @f.leaf(ptr %a, i64 %{{.*}}, i64 %hi)
; CHECK:       define internal void @f.part(ptr %a, i64 %lo, i64 %hi, i64 %grain)
; CHECK-NOT:     nopal_
; CHECK:         call void @f.loop(ptr %a, i64 %lo, i64 %hi, i64 %grain)
; CHECK:         call void @f.leaf(ptr %a, i64 %lo, i64 %hi)
; CHECK:       define internal {{.*}}ptr @f.loop.slow(ptr {{.*}}%frame)
; CHECK:         call void @f.part(
; CHECK:         call void @f.leaf(
; CHECK:         call ptr @nopal_sync(
; CHECK:       attributes #[[LOOP]] = { {{.*}}noinline {{.*}}"nopal-migrates"
define void @f(ptr %a, i64 %n) nounwind {
  call void (ptr, ptr, i32, i32, i64, i64, ...) @__nopal_loop(ptr @f.leaf, ptr @file, i32 3, i32 5, i64 %n, i64 100, ptr %a) nounwind
  ret void
}

define void @default(ptr %a, i64 %n) nounwind {
  call void (ptr, ptr, i32, i32, i64, i64, ...) @__nopal_loop(ptr @f.leaf, ptr @file, i32 3, i32 5, i64 %n, i64 0, ptr %a) nounwind
  ret void
}

define void @asked(ptr %a, i64 %n, i64 %grain) nounwind {
  call void (ptr, ptr, i32, i32, i64, i64, ...) @__nopal_loop(ptr @f.leaf, ptr @file, i32 3, i32 5, i64 %n, i64 %grain, ptr %a) nounwind
  ret void
}

define internal void @f.leaf(ptr %a, i64 %lo, i64 %hi) nounwind "nopal-helper"="f" {
  call void @use(ptr %a, i64 %lo, i64 %hi)
  ret void
}

@file = private constant [4 x i8] c"f.c\00"
declare void @__nopal_loop(ptr, ptr, i32, i32, i64, i64, ...)
declare void @use(ptr, i64, i64)
